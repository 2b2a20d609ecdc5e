//! Answers to commands. The limits of `go` are tested separately.

use shakmaty::{CastlingMode, Position};

use super::{Dialogue, FOOLS_MATE, KIWIPETE, STALEMATE, Search};
use crate::chess::SignedScore;
use crate::engine::builtin::bench::bench;
use crate::engine::chess_engine::{ChessEngine, LinearFile, Root, Weights, WeightsFile};
use crate::engine::{server::request::set_up, server::settings::Settings, uci::engine_line::EngineLine};

#[test]
fn the_handshake_names_the_engine_and_its_options() {
    let dialogue = Dialogue::begin();
    dialogue.send("uci");
    let lines = dialogue.until("uciok");
    let read: Vec<EngineLine> = lines.iter().map(|line| EngineLine::from_bytes(line.as_bytes())).collect();
    assert!(matches!(&read[0], EngineLine::Name(name) if name.starts_with("gainalyze ")), "{lines:?}");
    assert!(matches!(read[1], EngineLine::Author(_)));
    let options = Settings::options().into_iter().map(EngineLine::Option);
    assert!(read[2..read.len() - 1].iter().cloned().eq(options), "{lines:?}");
    assert_eq!(dialogue.ask("ucinewgame\ndebug on\nregister later"), [""; 0]);
}

#[test]
fn several_lines_come_in_the_order_of_their_scores() {
    let dialogue = Dialogue::begin();
    let search = dialogue.search("setoption name MultiPV value 4\ngo depth 3");
    for depth in search.infos.chunks(4) {
        assert_eq!(depth.iter().filter_map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
        let score = |score| match score {
            Some(SignedScore::Cp(cp)) => cp,
            other => panic!("{other:?} in the first position"),
        };
        assert!(depth.is_sorted_by_key(|info| -score(info.score)));
    }
    assert_eq!(search.infos.len(), 12);
}

#[test]
fn chances_are_told_when_they_are_asked_for() {
    let dialogue = Dialogue::begin();
    dialogue.send(KIWIPETE);
    assert!(dialogue.search("go depth 2").infos.iter().all(|info| info.wdl.is_none()));
    dialogue.send("setoption name UCI_ShowWDL value true");
    let (game, _) =
        set_up(KIWIPETE.strip_prefix("position fen "), &[], CastlingMode::Standard).expect("a position");
    for info in dialogue.search("go depth 3").infos {
        let root = Root::new(game.position());
        let means = ChessEngine::new(1).chances(root.position(), info.score.expect("a score"));
        assert_eq!(info.wdl, Some(means));
        assert_eq!(means.iter().sum::<u16>(), 1000);
    }
    let told = |position: &str| {
        dialogue.send(position);
        dialogue.search("go depth 2").last().wdl
    };
    assert_eq!(told(FOOLS_MATE), Some([1000, 0, 0]));
    assert_eq!(told(&format!("{FOOLS_MATE} d8h4")), Some([0, 0, 1000]));
    assert_eq!(told(STALEMATE), Some([0, 1000, 0]));
}

#[test]
fn castling_is_written_as_the_user_interface_reads_it() {
    let position = "position fen 4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    for (chess960, castling) in [("false", "e1g1"), ("true", "e1h1")] {
        let dialogue = Dialogue::begin();
        dialogue.send(&format!("setoption name UCI_Chess960 value {chess960}\n{position}"));
        assert_eq!(dialogue.search(&format!("go depth 2 searchmoves {castling}")).best(), castling);
        let answer = dialogue.ask(&format!("{position} moves {castling}\nd"));
        assert_eq!(answer.last().map(String::as_str), Some("FEN: 4k3/8/8/8/8/8/5PPP/5RK1 b - - 1 1"));
    }
}

#[test]
fn the_listing_adds_up_to_the_static_evaluation() {
    for position in [KIWIPETE, FOOLS_MATE, "position fen 8/8/4k3/8/8/4KB2/4P3/8 b - - 0 1"] {
        let dialogue = Dialogue::begin();
        let lines = dialogue.ask(&format!("{position}\neval"));
        let numbers = |line: &str| -> Vec<i32> {
            let words = line.split_whitespace().rev().take(2);
            words.map(|word| word.parse().expect("a number")).collect()
        };
        let end = lines.iter().position(|line| line.starts_with("sum")).expect("a sum");
        let mut sum = [0, 0];
        for line in &lines[2..end] {
            let added = numbers(line);
            sum = [sum[0] + added[0], sum[1] + added[1]];
        }
        assert_eq!(numbers(&lines[end]), sum);
        let mode = CastlingMode::Standard;
        let moves: Vec<_> = position.split(" moves ").nth(1).unwrap_or_default().split_whitespace().collect();
        let moves: Vec<_> = moves.iter().map(|uci| uci.parse().expect("a move")).collect();
        let fen = position.strip_prefix("position fen ");
        let (game, _) = set_up(fen, &moves, mode).expect("a position");
        let (chess, file) = (game.position(), WeightsFile::default());
        let network = file.network.as_ref().map(|network| network.value(&chess)).expect("a network");
        let network = format!("network: {:+} cp in White's view", chess.turn().fold_wb(network, -network));
        assert!(lines.contains(&network), "{lines:?}");
        let value = file.evaluate(&chess);
        assert!(lines.last().is_some_and(|line| line.contains(&format!("{value:+} cp for"))), "{lines:?}");
    }
}

#[test]
fn other_weights_are_read_from_a_file_and_put_back_by_no_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("all naught.txt");
    let file = WeightsFile::from(Weights::zero());
    std::fs::write(&path, file.to_string()).expect("a file");
    let dialogue = Dialogue::begin();
    dialogue.send(KIWIPETE);
    let own = dialogue.search("go depth 2").timeless();
    let naught =
        |dialogue: &Dialogue| dialogue.ask("eval").last().is_some_and(|line| line.contains("+0 cp for"));
    assert!(!naught(&dialogue));
    assert!(dialogue.ask(&format!("setoption name weights value {}", path.display())).is_empty());
    assert!(naught(&dialogue));
    assert_ne!(dialogue.search("go depth 2").timeless(), own);
    for wrong in ["/no/such/file", "/dev/zero", "Cargo.toml", "."] {
        let answer = dialogue.ask(&format!("setoption name Weights value {wrong}"));
        assert!(answer[0].starts_with(&format!("info string setoption: Weights {wrong}: ")), "{answer:?}");
        assert!(!answer[0].contains("os error"), "{answer:?}");
        assert!(naught(&dialogue), "the weights stay as they were");
    }
    dialogue.send("setoption name Weights value <empty>");
    assert_eq!(dialogue.search("go depth 2").timeless(), own);
}

#[test]
fn linear_weights_are_taken_from_a_file_or_by_their_name_and_listed_feature_by_feature() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("linear.txt");
    std::fs::write(&path, LinearFile::handmade().to_string()).expect("a file");
    let dialogue = Dialogue::begin();
    dialogue.send("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    for name in [path.to_str().expect("a path"), "handmade"] {
        assert!(dialogue.ask(&format!("setoption name Weights value {name}")).is_empty());
        let lines = dialogue.ask("eval");
        // A pawn of 100, isolated (20) and passed by one rank (20); the kings are symmetric.
        assert_eq!(
            lines.last().map(String::as_str),
            Some("evaluation: +100 cp in White's view, +100 cp for white to move")
        );
        assert!(lines.iter().any(|line| line.starts_with("isolated pawn ")), "{lines:?}");
        assert!(!dialogue.search("go depth 3").infos.is_empty());
        dialogue.send("setoption name Weights value <empty>");
    }
    let file = std::fs::read_to_string(&path).expect("a file");
    std::fs::write(&path, file.replacen("knight = 300", "knight = inf", 1)).expect("a file");
    let answer = dialogue.ask(&format!("setoption name Weights value {}", path.display()));
    assert!(answer[0].ends_with("a number for knight is not finite"), "{answer:?}");
}

#[test]
fn the_bench_counts_what_the_library_counts() {
    let dialogue = Dialogue::begin();
    dialogue.send("bench 2");
    let lines = dialogue.until(&bench(&mut ChessEngine::new(16), 2).to_string());
    assert!(lines[0].starts_with("50 positions to depth 2 in "), "{lines:?}");
    assert!(lines[1].ends_with(" nps"), "{lines:?}");
}

#[test]
fn a_bench_without_end_can_be_stopped() {
    let dialogue = Dialogue::begin();
    dialogue.send("bench 100\nstop");
    let lines = dialogue.until("");
    assert!(!lines[0].starts_with("50 positions"), "{lines:?}");
}

#[test]
fn a_command_that_needs_the_engine_ends_the_search() {
    for command in
        ["ucinewgame", "setoption name Hash value 2", "setoption name Clear Hash", "bench 1", "go depth 1"]
    {
        let dialogue = Dialogue::begin();
        dialogue.send(&format!("{KIWIPETE}\ngo infinite"));
        dialogue.until("info depth 2");
        dialogue.send(command);
        let search = Search::read(&dialogue.until("bestmove"));
        assert!(search.best.is_some());
        dialogue.end();
    }
}

#[test]
fn a_position_that_comes_during_a_search_is_that_of_the_next() {
    let dialogue = Dialogue::begin();
    dialogue.send("position startpos\ngo infinite");
    dialogue.until("info depth 1");
    dialogue.send(&format!("{FOOLS_MATE}\nstop"));
    assert_ne!(Search::read(&dialogue.until("bestmove")).best(), "d8h4");
    assert_eq!(dialogue.search("go depth 2").best(), "d8h4");
}

#[test]
fn the_end_of_the_commands_ends_the_search_with_its_best_move() {
    for end in ["", "quit"] {
        let dialogue = Dialogue::begin();
        dialogue.send(&format!("{KIWIPETE}\ngo infinite\n{end}"));
        let lines = dialogue.end();
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{lines:?}");
    }
}

#[test]
fn a_move_that_repeats_a_position_of_the_game_for_the_third_time_is_a_draw() {
    let there_and_back = "g1f3 g8f6 f3g1";
    let once = format!("position startpos moves {there_and_back}");
    let twice = format!("{once} f6g8 {there_and_back}");
    for (position, is_draw) in [(once, false), (twice, true)] {
        let dialogue = Dialogue::begin();
        dialogue.send(&position);
        let search = dialogue.search("go depth 1 searchmoves f6g8");
        assert_eq!(search.last().score == Some(SignedScore::Cp(0)), is_draw, "{position}");
    }
}
