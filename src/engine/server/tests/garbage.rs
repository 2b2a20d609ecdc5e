//! The dialogue continues after any input.

use std::io::{self, Write};

use proptest::{prelude::*, test_runner::TestRunner};
use shakmaty::{CastlingMode, Chess, Position};

use super::{Dialogue, FOOLS_MATE, KIWIPETE, STALEMATE};
use crate::engine::{
    chess_engine::EngineWeights, server::request::Request, server::serve, uci::command::Command,
    uci::engine_line::EngineLine,
};

#[test]
fn what_is_wrong_is_said_and_the_next_command_is_answered() {
    let dialogue = Dialogue::begin();
    for (line, problem) in [
        ("xboard", "\"xboard\" is not a UCI command"),
        ("go depth x", "go: depth \"x\" is not a valid number"),
        ("go nodes 99999999999999999999", "is not a valid number"),
        ("position startpos moves e2e4 e2e4", "position: move 2, e2e4, is illegal"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "the position is unchanged"),
        ("position fen hello", "is not a FEN"),
        ("position", "write startpos or fen"),
        ("setoption name Hash value -1", "it must be a whole number from 1 to 4096"),
        ("setoption name Nothing value 1", "there is no option \"Nothing\""),
        ("setoption", "no option is named"),
        ("bench -3", "is not a depth"),
        ("\0\u{1}\0", "is not a UCI command"),
    ] {
        let answer = dialogue.ask(line);
        assert_eq!(answer.len(), 1, "{line}: {answer:?}");
        assert!(answer[0].starts_with("info string ") && answer[0].contains(problem), "{answer:?}");
    }
    assert!(dialogue.ask("stop\nponderhit\n\n  \nregister\ndebug off").is_empty());
    dialogue.send_bytes(b"\xff\xfe go \xf0\n".to_vec());
    assert!(dialogue.line().starts_with("info string "));
    assert!(dialogue.end().is_empty());
}

#[test]
fn a_search_goes_on_from_the_last_position_that_was_sane() {
    let dialogue = Dialogue::begin();
    dialogue.ask(FOOLS_MATE);
    dialogue.ask("position fen 8/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(dialogue.search("go depth 2").best(), "d8h4");
    dialogue.ask("position startpos moves f2f3 e7e5 g2g4 a1a8 e2e4");
    assert_eq!(dialogue.search("go depth 2").best(), "d8h4");
}

#[test]
fn a_line_without_end_is_passed_over_as_a_whole() {
    let dialogue = Dialogue::begin();
    let mut line = b"position startpos moves e2e4 ".repeat(400_000);
    line.push(b'\n');
    assert!(line.len() > 10_000_000);
    dialogue.send_bytes(line);
    assert_eq!(dialogue.line(), "info string ignored a line of more than 1048576 bytes");
    assert!(dialogue.ask("d").last().is_some_and(|fen| fen.contains("PPPPPPPP/RNBQKBNR w")));
}

#[test]
fn numbers_at_their_ends_do_no_harm() {
    let dialogue = Dialogue::begin();
    dialogue.send("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 4294967295 4294967295 moves e1d1 e8d8");
    for go in [
        "go depth 0",
        "go depth 4294967295 nodes 1",
        "go nodes 0 movetime 18446744073709551615",
        "go nodes 10 wtime 9223372036854775807 btime -9223372036854775808 winc 18446744073709551615 movestogo 0",
        "go nodes 10 mate 4294967295 searchmoves a1a1 e2e4",
        "go nodes 10 mate 0 movestogo 4294967295 btime 1",
    ] {
        assert!(!dialogue.search(go).best().is_empty(), "{go}");
    }
}

/// A stream whose reader is closed.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_user_interface_that_has_gone_away_is_no_error() {
    serve(&b"go infinite\nisready\n"[..], Closed, EngineWeights::default()).expect("an end without error");
}

/// Counts the `wanted` commands before `quit` in a script.
fn count(script: &[u8], wanted: impl Fn(&Request) -> bool) -> usize {
    let requests = script.split(|&byte| byte == b'\n').filter_map(|line| Request::read(line).ok().flatten());
    let until_quit = requests.take_while(|request| *request != Request::Uci(Command::Quit));
    until_quit.filter(wanted).count()
}

/// Runs a dialogue and checks the invariants of every dialogue.
fn hold(script: &[u8]) {
    let mut said = Vec::new();
    serve(script, &mut said, EngineWeights::default()).expect("streams of memory do not fail");
    let said = String::from_utf8(said).expect("text");
    let lines = |start: &str| said.lines().filter(|line| line.starts_with(start)).count();
    let gos = count(script, |request| matches!(request, Request::Uci(Command::Go(_))));
    assert_eq!(lines("bestmove"), gos, "{said}");
    let ready = count(script, |request| *request == Request::Uci(Command::IsReady));
    assert_eq!(lines("readyok"), ready, "{said}");
    for line in said.lines().filter(|line| line.starts_with("info") || line.starts_with("bestmove")) {
        let read = EngineLine::from_bytes(line.as_bytes());
        assert_eq!(read.to_string(), line.trim_end(), "a line that is read as it is written");
    }
}

fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let known = [
        "uci",
        "isready",
        "ucinewgame",
        "stop",
        "ponderhit",
        "quit",
        "eval",
        "d",
        "bench 1",
        "debug on",
        "go depth 2",
        "go nodes 300",
        "go infinite",
        "go",
        "go ponder wtime 50 btime 50",
        "go movetime 3",
        "go wtime 20 btime 20 winc 1 binc 1",
        "go mate 1",
        "go depth 3 searchmoves e2e4 a7a6 e1g1",
        "position startpos",
        "position startpos moves e2e4 e7e5 e1e2",
        "position startpos moves e2e4 e2e4",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "setoption name Hash value 1",
        "setoption name Hash value 2",
        "setoption name MultiPV value 3",
        "setoption name MultiPV value 1",
        "setoption name Clear Hash",
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_Chess960 value false",
        "setoption name Move Overhead value 0",
        "setoption name Ponder value true",
        FOOLS_MATE,
        STALEMATE,
        KIWIPETE,
        "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "position fen 8/P7/8/8/8/8/k6p/2K5 w - - 99 80",
    ];
    let word = prop::sample::select(known.concat().split(' ').map(str::to_owned).collect::<Vec<_>>());
    let words = prop::collection::vec(word, 0..8).prop_map(|words| words.join(" ").into_bytes());
    prop_oneof![
        12 => prop::sample::select(known.to_vec()).prop_map(|line| line.as_bytes().to_vec()),
        2 => words,
        1 => prop::collection::vec(any::<u8>(), 0..60),
    ]
}

proptest! {
    #[test]
    fn every_search_is_answered_once_whatever_else_is_said(lines in prop::collection::vec(any_line(), 0..14)) {
        hold(&[b"setoption name Hash value 1".to_vec(), lines.join(&b'\n')].join(&b'\n'));
    }
}

#[test]
fn every_best_move_is_legal_where_it_is_asked_for() {
    let dialogue = Dialogue::begin();
    dialogue.send("setoption name Hash value 1");
    let check = |draws: Vec<prop::sample::Index>| {
        let (chess, moves) = walk(&draws);
        let search = dialogue.search(&format!("position startpos moves {moves}\ngo nodes 200"));
        let legal = chess.legal_moves();
        match search.best {
            None => prop_assert!(legal.is_empty(), "no move after {moves}"),
            Some(best) => {
                let written = legal.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string());
                prop_assert!(written.into_iter().any(|legal| legal == best), "{best} after {moves}");
            }
        }
        Ok(())
    };
    let draws = prop::collection::vec(any::<prop::sample::Index>(), 1..120);
    TestRunner::default().run(&draws, check).expect("legal moves");
}

/// Plays random moves from the initial position. Returns the last position and the moves.
fn walk(draws: &[prop::sample::Index]) -> (Chess, String) {
    let (mut chess, mut moves) = (Chess::default(), Vec::new());
    for draw in draws {
        let legal = chess.legal_moves();
        if legal.is_empty() {
            break;
        }
        let m = legal[draw.index(legal.len())];
        moves.push(m.to_uci(CastlingMode::Standard).to_string());
        chess.play_unchecked(m);
    }
    (chess, moves.join(" "))
}
