//! Commands are the same after they are written and parsed again, and hostile lines are rejected.

use std::{num::NonZeroU32, time::Duration};

use proptest::prelude::*;
use shakmaty::ByColor;

use super::*;

fn moves(text: &str) -> Vec<UciMove> {
    text.split_whitespace().map(|m| m.parse().expect("a move")).collect()
}

fn read(line: &str) -> Result<Command<'static>, ParseCommandError> {
    line.parse()
}

#[test]
fn commands_are_written_as_uci_has_them() {
    let printed = |command: Command<'_>| command.to_string();
    assert_eq!(printed(Command::NewGame), "ucinewgame");
    assert_eq!(printed(Command::Go(Limit::Depth(20).into())), "go depth 20");
    assert_eq!(printed(Command::Go(Limit::Depth(1000).into())), "go depth 245");
    assert_eq!(printed(Command::Go(Limit::Nodes(5000).into())), "go nodes 5000");
    assert_eq!(
        printed(Command::Position { fen: None, moves: moves("e2e4 e7e5 a7b8q").into() }),
        "position startpos moves e2e4 e7e5 a7b8q"
    );
    assert_eq!(
        printed(Command::Position {
            fen: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1".into()),
            moves: Cow::default()
        }),
        "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1"
    );
    assert_eq!(printed(Command::set("Clear Hash", None)), "setoption name Clear Hash");
    assert_eq!(printed(Command::set("Hash", Some("64"))), "setoption name Hash value 64");
    assert_eq!(printed(Command::set("SyzygyPath", Some(""))), "setoption name SyzygyPath value");
}

#[test]
fn a_clock_has_both_sides_and_the_moves_to_the_next_control() {
    let seconds = |white, black| ByColor { white, black }.map(Duration::from_secs);
    let clock = Clock { left: seconds(300, 250), increment: seconds(3, 2), moves_to_go: NonZeroU32::new(40) };
    assert_eq!(
        Go::from(MoveLimit::Clock(clock)).to_string(),
        "go wtime 300000 btime 250000 winc 3000 binc 2000 movestogo 40"
    );
    assert_eq!(Go::from(MoveLimit::Time(Duration::from_millis(1500))).to_string(), "go movetime 1500");
}

#[test]
fn what_user_interfaces_write_is_read() {
    let go = |line: &str| match read(line) {
        Ok(Command::Go(go)) => go,
        other => panic!("{line}: {other:?}"),
    };
    let blitz = go("go wtime 300000 btime -12 winc 2000 binc 2000 movestogo 40");
    assert_eq!((blitz.wtime, blitz.btime, blitz.movestogo), (Some(300_000), Some(-12), Some(40)));
    let analysis = go("go searchmoves e2e4 d2d4 infinite");
    assert_eq!((analysis.searchmoves, analysis.infinite), (moves("e2e4 d2d4"), true));
    assert!(go("go ponder wtime 1 btime 1").ponder);
    assert_eq!(go("go depth 5 later words 7"), Go { depth: Some(5), ..Go::default() });
    assert_eq!(read("  position   startpos   moves e2e4\t"), read("position startpos moves e2e4"));
    assert_eq!(read("debug on"), Ok(Command::Debug(true)));
    assert_eq!(read("register name Ann code 4711"), Ok(Command::Register));
    let path = read("setoption name SyzygyPath value /a  b/c value");
    assert_eq!(path, Ok(Command::set("SyzygyPath", Some("/a  b/c value"))));
    assert_eq!(read("setoption name Clear Hash"), Ok(Command::set("Clear Hash", None)));
}

#[test]
fn what_is_no_command_is_said() {
    let error = |line: &str| read(line).expect_err("an error").to_string();
    assert_eq!(error("bestmove e2e4"), "\"bestmove e2e4\" is not a UCI command");
    assert_eq!(error(" "), "\"?\" is not a UCI command");
    assert_eq!(error("go depth"), "go: depth \"?\" is not a valid number");
    assert_eq!(error("go movetime -5"), "go: movetime \"-5\" is not a valid number");
    assert!(error("go searchmoves infinite").contains("searchmoves has no move"));
    assert!(error("position e2e4").contains("write startpos or fen"));
    assert!(error("position startpos e2e4").contains("\"e2e4\" instead of \"moves\""));
    assert!(error("position startpos moves e2e4 0000").contains("\"0000\" is not a move"));
    assert!(error("position fen 8/8 w - - 0 1").contains("is not a FEN"));
    assert!(error("setoption Hash 5").contains("no option is named"));
    assert!(error("setoption name value 5").contains("no option is named"));
    assert!(error("debug maybe").contains("neither on nor off"));
}

fn any_moves() -> impl Strategy<Value = Vec<UciMove>> {
    prop::collection::vec(prop::sample::select(moves("e2e4 e7e5 e1h1 a7a8q b2a1n")), 0..6)
}

fn any_number() -> impl Strategy<Value = Option<u64>> {
    prop::option::of(any::<u64>())
}

prop_compose! {
    fn any_go()(
        (ponder, infinite) in any::<(bool, bool)>(), (wtime, btime) in any::<(Option<i64>, Option<i64>)>(),
        (winc, binc) in (any_number(), any_number()), (movestogo, depth, mate) in any::<(Option<u32>, Option<u32>, Option<u32>)>(),
        (nodes, movetime) in (any_number(), any_number()), searchmoves in any_moves(),
    ) -> Go {
        Go { ponder, wtime, btime, winc, binc, movestogo, depth, nodes, mate, movetime, infinite, searchmoves }
    }
}

fn any_position() -> impl Strategy<Value = Command<'static>> {
    let fens = ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1"];
    let fen = prop::option::of(prop::sample::select(fens.to_vec()));
    let position = |(fen, moves): (Option<&'static str>, Vec<UciMove>)| Command::Position {
        fen: fen.map(Cow::from),
        moves: moves.into(),
    };
    (fen, any_moves()).prop_map(position)
}

fn any_option() -> impl Strategy<Value = Command<'static>> {
    let name = "[A-Z][a-z]{0,6}( [A-Z][a-z]{0,6}){0,2}";
    let value = prop::option::of("([!-~]([ -~]{0,12}[!-~])?)?");
    (name, value)
        .prop_map(|(name, value)| Command::SetOption { name: name.into(), value: value.map(Cow::from) })
}

fn any_command() -> impl Strategy<Value = Command<'static>> {
    let plain = vec![
        Command::Uci,
        Command::Debug(true),
        Command::Debug(false),
        Command::IsReady,
        Command::NewGame,
        Command::Register,
        Command::Stop,
        Command::PonderHit,
        Command::Quit,
    ];
    prop_oneof![prop::sample::select(plain), any_go().prop_map(Command::Go), any_position(), any_option(),]
}

/// Returns random words: keys, values of keys, and other words.
fn any_words() -> impl Strategy<Value = String> {
    let known = "go position setoption name value startpos fen moves searchmoves depth nodes wtime movetime infinite \
                 ponder mate e2e4 e7e8q 0000 -1 7 99999999999999999999 8/8/8/8/8/8/8/K1k5 w - on debug register";
    let known: Vec<&str> = known.split_whitespace().collect();
    let word = prop_oneof![prop::sample::select(known).prop_map(str::to_owned), ".{0,6}"];
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn reading_a_command_is_the_inverse_of_writing_it(command in any_command()) {
        prop_assert_eq!(read(&command.to_string()), Ok(command));
    }

    #[test]
    fn no_line_is_a_panic_and_what_is_read_is_written_and_read_as_the_same(
        bytes in prop::collection::vec(any::<u8>(), 0..200), words in any_words(),
    ) {
        let _ = Command::from_bytes(&bytes);
        for start in ["", "go ", "position ", "position fen ", "setoption name "] {
            if let Ok(command) = read(&format!("{start}{words}")) {
                prop_assert_eq!(read(&command.to_string()), Ok(command));
            }
        }
    }
}
