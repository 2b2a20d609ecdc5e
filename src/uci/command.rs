//! Owns the grammar of UCI's other half: one command to an engine.

use std::fmt;

use shakmaty::uci::UciMove;
use vampirc_uci::{UciMessage, UciSearchControl, UciSquare};

use super::engine_line::MAX_DEPTH;
use crate::evaluation::Limit;

/// One command to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// Asks for name and options.
    Uci,
    /// Asks for `readyok`.
    IsReady,
    /// Empties the hash table.
    NewGame,
    /// Sets an option; a button has no value.
    SetOption { name: &'a str, value: Option<&'a str> },
    /// Sets up the position after `moves`, from a FEN or from the usual start.
    Position { fen: Option<&'a str>, moves: &'a [UciMove] },
    /// Starts a search.
    Go(Limit),
    /// Ends the dialogue.
    Quit,
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = match *self {
            // The serializer would press a button with a value.
            Command::SetOption { name, value: None } => return write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                UciMessage::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }
            }
            Command::Uci => UciMessage::Uci,
            Command::IsReady => UciMessage::IsReady,
            Command::NewGame => UciMessage::UciNewGame,
            Command::Position { fen, moves } => UciMessage::Position {
                startpos: fen.is_none(),
                fen: fen.map(Into::into),
                moves: moves.iter().filter_map(foreign_move).collect(),
            },
            Command::Go(limit) => {
                UciMessage::Go { time_control: None, search_control: Some(search_control(limit)) }
            }
            Command::Quit => UciMessage::Quit,
        };
        f.write_str(message.to_string().trim_end())
    }
}

fn search_control(limit: Limit) -> UciSearchControl {
    match limit {
        Limit::Depth(plies) => {
            let plies = u8::try_from(plies.min(MAX_DEPTH)).expect("the largest depth fits into a byte");
            UciSearchControl::depth(plies)
        }
        Limit::Nodes(nodes) => UciSearchControl::nodes(nodes),
    }
}

/// A move in vampirc-uci's own type; `None` for null moves and drops, which no game here has.
fn foreign_move(m: &UciMove) -> Option<vampirc_uci::UciMove> {
    let UciMove::Normal { from, to, promotion } = m else {
        return None;
    };
    let square = |square: &shakmaty::Square| {
        UciSquare::from(square.file().char(), u8::try_from(square.rank().to_u32() + 1).unwrap_or_default())
    };
    let mut foreign = vampirc_uci::UciMove::from_to(square(from), square(to));
    foreign.promotion = promotion.and_then(|role| match role {
        shakmaty::Role::Knight => Some(vampirc_uci::UciPiece::Knight),
        shakmaty::Role::Bishop => Some(vampirc_uci::UciPiece::Bishop),
        shakmaty::Role::Rook => Some(vampirc_uci::UciPiece::Rook),
        shakmaty::Role::Queen => Some(vampirc_uci::UciPiece::Queen),
        shakmaty::Role::Pawn | shakmaty::Role::King => None,
    });
    Some(foreign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_printed_as_the_protocol_has_them() {
        let moves = ["e2e4", "e7e5", "a7b8q"].map(|m| m.parse().expect("a move"));
        let printed = |command: Command<'_>| command.to_string();
        assert_eq!(printed(Command::NewGame), "ucinewgame");
        assert_eq!(printed(Command::Go(Limit::Depth(20))), "go depth 20");
        assert_eq!(printed(Command::Go(Limit::Nodes(5000))), "go nodes 5000");
        assert_eq!(
            printed(Command::Position { fen: None, moves: &moves }),
            "position startpos moves e2e4 e7e5 a7b8q"
        );
        assert_eq!(
            printed(Command::Position { fen: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1"), moves: &[] }),
            "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1"
        );
        assert_eq!(
            printed(Command::SetOption { name: "Clear Hash", value: None }),
            "setoption name Clear Hash"
        );
        assert_eq!(
            printed(Command::SetOption { name: "Hash", value: Some("64") }),
            "setoption name Hash value 64"
        );
    }
}
