//! Tests of an engine's evaluations, from the search to the file and back.

use gainalyze::chess::recorded_evaluations;
use gainalyze::chess::{EvaluatedGame, Evaluation, Game, Score, SignedScore, Wdl};
use proptest::prelude::*;
use shakmaty::{Position, uci::UciMove};

use crate::pgn::{a_game, a_wdl, one, written};

fn best(game: &Game, ply: usize) -> Option<String> {
    let evaluations = recorded_evaluations(game, None).expect("complete");
    evaluations.at(ply)?.best.map(|best| best.to_string())
}

#[test]
fn a_best_move_is_of_the_position_that_its_comment_stands_after() {
    let game = one("{ [%eval 0.3] [%best d2d4] } 1. e4 { [%eval 0.2] [%best c7c5] } 1... e5 \
                    { [%eval 0.2] [%best g1f3] } *");
    assert_eq!([0, 1, 2].map(|ply| best(&game, ply).expect("a move")), ["d2d4", "c7c5", "g1f3"]);
}

#[test]
fn a_best_move_that_the_position_does_not_have_is_not_recorded() {
    for illegal in ["e7e5", "e2e5", "a1h8", "0000", "N@e4", "e2e4q", "e1g1"] {
        let game = one(&format!("{{ [%eval 0.3,8] [%wdl 90,880,30] [%best {illegal}] }} *"));
        let evaluations = recorded_evaluations(&game, Some(8)).expect("complete in spite of it");
        let start = evaluations.at(0).expect("known");
        assert_eq!((start.best, start.wdl), (None, Wdl::new(90, 880, 30)), "{illegal}");
        let again = written(&EvaluatedGame::new(game, evaluations).annotated(None));
        assert!(again.contains("{ [%eval 0.30,8] [%wdl 90,880,30] }"), "{again}");
    }
}

#[test]
fn castling_is_read_in_the_notation_of_the_game() {
    let usual = |written: &str| {
        let fen = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]";
        best(&one(&format!("{fen}\n\n{{ [%eval 3.1] [%best {written}] }} *")), 0)
    };
    assert_eq!((usual("e1g1"), usual("e1h1")), (Some("e1g1".to_owned()), Some("e1g1".to_owned())));
    let shuffled = "[Variant \"Chess960\"]\n[FEN \"1k6/8/8/8/8/8/8/RK2R3 w KQ - 0 1\"]\n\n";
    let played = one(&format!("{shuffled}{{ [%eval 9.1] [%best b1e1] }} 1. O-O {{ [%eval 9.1] }} *"));
    assert_eq!(best(&played, 0), Some(played.moves[0].uci.to_string()));
}

#[test]
fn files_that_record_scores_alone_do_as_before() {
    let game = one("{ [%eval 0.20,8] } 1. f3 { [%eval -0.30,9] } e5 { [%eval -0.30,8] } 2. g4 \
                    { [%eval #-1,8] } Qh4# 0-1");
    let evaluations = recorded_evaluations(&game, Some(8)).expect("complete");
    let (mated, played) = evaluations.after_moves().split_last().expect("five positions");
    let mut searched = evaluations.at(0).into_iter().chain(played);
    assert!(searched.all(|evaluation| evaluation.best.is_none() && evaluation.wdl.is_none()));
    assert_eq!(played[0].score, Score::Cp(-30));
    assert_eq!(mated.wdl, Wdl::new(0, 0, 1000), "mate on the board is certain");
    let text = written(&EvaluatedGame::new(game, evaluations).annotated(None));
    assert!(text.contains("2. g4\n{ [%eval #-1,8] } 2... Qh4# { [%eval #0] [%wdl 0,0,1000] } 0-1"), "{text}");
}

#[test]
fn other_commands_and_words_stay_and_ours_are_replaced() {
    let game = one("{ [%eval 0.3,8] [%wdl 90,880,30] [%best d2d4] [%clk 1:00:00] Theory [%tb 3] } *");
    let anew = Evaluation { depth: Some(9), wdl: Wdl::new(50, 900, 50), ..Evaluation::of_score(Score::DRAW) };
    let text = written(&EvaluatedGame::searched(game, vec![anew]).annotated(None));
    let moves = text.split("\n\n").nth(1).expect("moves");
    assert_eq!(moves, "{ [%eval 0.00,9] [%wdl 50,900,50] } { [%clk 1:00:00] Theory [%tb 3] } *");
}

type Said = (SignedScore, Option<u32>, Option<Wdl>, Option<prop::sample::Index>);

/// Returns possible evaluations of a position with legal moves.
fn said() -> impl Strategy<Value = Said> {
    let mate = (1..30i32, any::<bool>()).prop_map(|(moves, white)| if white { moves } else { -moves });
    let score = prop_oneof![(-5000..5000).prop_map(SignedScore::Cp), mate.prop_map(SignedScore::Mate)];
    (score, proptest::option::of(1..99u32), a_wdl(), proptest::option::of(any::<prop::sample::Index>()))
}

/// Returns `game` with these evaluations of its positions by an engine. The evaluations are repeated as often
/// as necessary.
fn evaluated(game: Game, said: &[Said]) -> EvaluatedGame {
    let evaluation = |(position, &(score, depth, wdl, choice)): (shakmaty::Chess, &Said)| {
        Evaluation::terminal(&position).unwrap_or_else(|| {
            let legal = position.legal_moves();
            let best: Option<UciMove> =
                choice.map(|choice| legal[choice.index(legal.len())].to_uci(game.mode));
            let score = Score::from_white_view(score, position.turn());
            Evaluation { depth, wdl, best, ..Evaluation::of_score(score) }
        })
    };
    let evaluations = game.positions().zip(said.iter().cycle()).map(evaluation).collect();
    EvaluatedGame::searched(game, evaluations)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_an_engine_said_comes_back_from_the_file_and_stays(
        game in a_game(), said in proptest::collection::vec(said(), 1..40),
    ) {
        let evaluated = evaluated(game, &said);
        let text = written(&evaluated.annotated(Some("Engine 1, depth 8")));
        let read = one(&text);
        let evaluations = recorded_evaluations(&read, None).expect("one for each position");
        prop_assert_eq!(&evaluations, evaluated.evaluations());
        prop_assert_eq!(written(&EvaluatedGame::new(read, evaluations).annotated(None)), text);
    }
}
