//! Parsing of a line (a UCI command or a request beyond UCI), and the set-up of its position.

use std::fmt;

use shakmaty::{CastlingMode, Chess, Position, PositionError, fen::Fen, uci::UciMove};

use crate::base::text::brief;
use crate::chess::GameSoFar;
use crate::engine::uci::command::{Command, ParseCommandError};

/// A request beyond UCI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnRequest {
    /// `eval`: lists the terms or features of the evaluation.
    Eval,
    /// `bench [DEPTH]`: reports the nodes and the speed of the bench.
    Bench(Option<u32>),
}

impl fmt::Display for OwnRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OwnRequest::Eval => "eval",
            OwnRequest::Bench(_) => "bench",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Request {
    Uci(Command<'static>),
    /// A request beyond UCI.
    Own(OwnRequest),
    /// `d`: shows the position.
    Show,
}

impl Request {
    /// Parses a line; `None` for a blank line.
    pub(super) fn read(line: &[u8]) -> Result<Option<Request>, ParseCommandError> {
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_whitespace();
        match words.next() {
            None => Ok(None),
            Some("eval") => Ok(Some(Request::Own(OwnRequest::Eval))),
            Some("d") => Ok(Some(Request::Show)),
            Some("bench") => {
                bench_depth(words.next()).map(|depth| Some(Request::Own(OwnRequest::Bench(depth))))
            }
            Some(_) => text.parse().map(|command| Some(Request::Uci(command))),
        }
    }
}

fn bench_depth(word: Option<&str>) -> Result<Option<u32>, ParseCommandError> {
    let depth = |word: &str| word.parse().ok().filter(|&depth| depth > 0);
    let wrong = |word: &str| ParseCommandError::Argument {
        command: "bench",
        problem: format!("{:?} is not a depth; write bench 8, for example", brief(word)),
    };
    word.map(|word| depth(word).ok_or_else(|| wrong(word))).transpose()
}

/// Sets up a position and plays `moves`, stopping before the first illegal move. The returned remark, if any,
/// names the illegal move. The error text explains an invalid position.
pub(super) fn set_up(
    fen: Option<&str>,
    moves: &[UciMove],
    mode: CastlingMode,
) -> Result<(GameSoFar, Option<String>), String> {
    let mut position = fen.map_or_else(|| Ok(Chess::default()), |fen| start(fen, mode))?;
    let mut game = GameSoFar::new(position.clone(), mode);
    for (ply, uci) in (1..).zip(moves) {
        let Ok(m) = uci.to_move(&position) else {
            let problem = format!("position: move {ply}, {uci}, is illegal; using the position before it");
            return Ok((game, Some(problem)));
        };
        position.play_unchecked(m);
        game.push(m.to_uci(mode));
    }
    Ok((game, None))
}

/// Parses a position leniently. Castling rights without a rook, an en passant square without a pawn and
/// impossible checks are common and leave a playable position. A position with too many pieces is rejected:
/// it may have more legal moves than a move list holds.
fn start(fen: &str, mode: CastlingMode) -> Result<Chess, String> {
    let parsed: Fen = fen.parse().map_err(|error| format!("position: {:?}: {error}", brief(fen)))?;
    parsed
        .into_position(mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| format!("position: {:?}: {error}; the position is unchanged", brief(fen)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game;

    #[test]
    fn a_line_is_a_command_of_uci_or_one_of_our_own() {
        let read = |line: &str| Request::read(line.as_bytes());
        assert_eq!(read(" isready\r"), Ok(Some(Request::Uci(Command::IsReady))));
        assert_eq!(read("eval"), Ok(Some(Request::Own(OwnRequest::Eval))));
        assert_eq!(read("d"), Ok(Some(Request::Show)));
        assert_eq!(read("bench"), Ok(Some(Request::Own(OwnRequest::Bench(None)))));
        assert_eq!(read("bench 7"), Ok(Some(Request::Own(OwnRequest::Bench(Some(7))))));
        assert_eq!(read(" \t"), Ok(None));
        let error = |line: &str| read(line).expect_err("an error").to_string();
        assert_eq!(error("bench 0"), "bench: \"0\" is not a depth; write bench 8, for example");
        assert_eq!(error("evaluate"), "\"evaluate\" is not a UCI command");
    }

    fn moves(text: &str) -> Vec<UciMove> {
        text.split_whitespace().map(|uci| uci.parse().expect("a move")).collect()
    }

    fn fen_after(fen: Option<&str>, text: &str, mode: CastlingMode) -> (String, Option<String>) {
        let (game, problem) = set_up(fen, &moves(text), mode).expect("a position");
        (game::fen(&game.position()), problem)
    }

    #[test]
    fn moves_are_played_up_to_the_first_that_is_illegal() {
        let (fen, problem) = fen_after(None, "e2e4 e7e5 e4e5 g8f6", CastlingMode::Standard);
        assert_eq!(fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        assert_eq!(
            problem.as_deref(),
            Some("position: move 3, e4e5, is illegal; using the position before it")
        );
        assert_eq!(fen_after(None, "e2e4", CastlingMode::Standard).1, None);
    }

    #[test]
    fn castling_is_read_as_the_king_s_two_steps_and_as_king_takes_rook() {
        let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let end = "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2";
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            for text in ["e1c1 e8g8", "e1a1 e8h8"] {
                assert_eq!(fen_after(Some(start), text, mode), (end.to_owned(), None), "{text}");
            }
        }
        let fischer = "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1";
        let (fen, problem) = fen_after(Some(fischer), "c1b1", CastlingMode::Chess960);
        assert_eq!((fen.as_str(), problem), ("1rk3r1/8/8/8/8/8/8/2KR2R1 b kq - 1 1", None));
    }

    #[test]
    fn positions_that_people_set_up_are_taken() {
        // Castling rights without a rook, an en passant square without a pawn, a check from two bishops.
        for (fen, taken) in [
            ("4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/1B5B/8/8/8/4K3 b - - 0 1", "4k3/8/8/1B5B/8/8/8/4K3 b - - 0 1"),
        ] {
            assert_eq!(fen_after(Some(fen), "", CastlingMode::Standard).0, taken);
        }
    }

    #[test]
    fn what_is_no_position_is_said() {
        for fen in [
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
            "QQQQkQQQ/QQQQQQQQ/8/8/8/8/8/4K3 b - - 0 1",
            "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            let error = set_up(Some(fen), &[], CastlingMode::Standard).expect_err("no position");
            assert!(error.ends_with("; the position is unchanged"), "{error}");
        }
        assert!(set_up(Some("8/8 w"), &[], CastlingMode::Standard).is_err());
    }
}
