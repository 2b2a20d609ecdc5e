//! Searches of several lines, and of some moves only.

use super::*;

/// The transcript before the first search, for an engine that supports three lines.
const SEVERAL_LINES: &str = "
    > uci
    < option name MultiPV type spin default 1 min 1 max 3
    < uciok
    > isready
    < readyok
";

fn lines(lines: u32) -> Protocol {
    Protocol { lines: NonZeroU32::new(lines).expect("above 0"), ..protocol() }
}

#[test]
fn all_lines_of_a_search_are_kept_and_asked_for_only_where_they_are_wanted() {
    let transcript = "
        > setoption name MultiPV value 3
        > ucinewgame
        > isready
        < readyok
        > position startpos moves e2e4
        > go depth 2
        < info depth 1 multipv 1 score cp 9 pv e7e5
        < info depth 1 multipv 2 score cp 8 pv d7d5
        < info depth 2 multipv 1 score cp -5 nodes 50 pv c7c5 g1f3
        < info depth 2 multipv 2 score mate -3 pv e7e5 g1f3
        < info depth 2 multipv 3 score cp -70 upperbound pv a7a6
        < info depth 2 multipv 4000000000 score cp -80 pv b7b6
        < bestmove c7c5
        > setoption name MultiPV value 1
        > ucinewgame
        > isready
        < readyok
        > position startpos moves e2e4
        > go depth 2
        < info depth 2 score cp -5 pv c7c5
        < info depth 2 multipv 2 score cp -9 pv h2h4
        < bestmove c7c5
    ";
    converse(&[SEVERAL_LINES, transcript].concat(), setup(), async |session| {
        let mut session = session.expect("a session");
        let game = parse_games("1. e4 *", "test").remove(0).expect("a game");
        let alone = Protocol { segment: 1, ..protocol() };
        let segment = Segment::cut(&game, &alone).into_iter().find(|segment| segment.first() == 1);
        let segment = segment.expect("the last position");
        let result = session.evaluate(&segment, &lines(3)).await.expect("evaluations");
        let told: Vec<_> = result.evaluations[0].1.lines().collect();
        let uci = |uci: &str| uci.parse::<UciMove>().expect("a move");
        assert_eq!(
            told.iter().map(|line| (line.rank, line.best)).collect::<Vec<_>>(),
            [(1, uci("c7c5")), (2, uci("e7e5"))]
        );
        assert_eq!((told[0].score, told[0].pv.len()), (Score::Cp(5), 2), "White's view");
        let mate = SignedScore::Mate(-3);
        assert_eq!(told[1].score, Score::from_side_to_move(mate, shakmaty::Color::Black));
        let result = session.evaluate(&segment, &protocol()).await.expect("evaluations");
        assert!(result.evaluations[0].1.alternatives.is_empty(), "nobody asked for the second line");
    });
}

#[test]
fn more_lines_than_the_engine_can_tell_of_are_refused() {
    for (preamble, problem) in [
        (SEVERAL_LINES, "its MultiPV is 3 at most"),
        ("> uci\n < uciok\n > isready\n < readyok", "it has no option MultiPV"),
    ] {
        converse(preamble, setup(), async |session| {
            let mut session = session.expect("a session");
            let error = session.evaluate(&segment("*"), &lines(4)).await.expect_err("too many").to_string();
            assert_eq!(error, format!("the engine cannot report 4 lines of a position: {problem}"));
        });
    }
}

#[test]
fn a_search_may_be_of_some_moves_alone_and_the_answer_must_be_one_of_them() {
    let transcript = "
        > uci
        < uciok
        > isready
        < readyok
        > ucinewgame
        > isready
        < readyok
        > position startpos
        > go depth 2 searchmoves a2a3 b2b3
        < info depth 2 score cp -9 pv b2b3
        < bestmove b2b3
        > ucinewgame
        > isready
        < readyok
        > position startpos
        > go depth 2 searchmoves a2a3 b2b3
        < info depth 2 score cp 20 pv e2e4
        < bestmove e2e4
    ";
    converse(transcript, setup(), async |session| {
        let mut session = session.expect("a session");
        let moves = ["a2a3", "b2b3"].map(|uci| uci.parse().expect("a move"));
        let some = segment("*").restricted_to(&moves).expect("legal moves");
        let result = session.evaluate(&some, &protocol()).await.expect("an evaluation");
        assert_eq!(result.evaluations[0].1.best, Some(moves[1]));
        let error = session.evaluate(&some, &protocol()).await.expect_err("another move").to_string();
        assert_eq!(
            error,
            "the engine's move e2e4 in the position after 0 plies is not one of the moves to search"
        );
    });
}
