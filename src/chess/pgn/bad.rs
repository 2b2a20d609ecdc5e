//! [`BadGame`]: a skipped game and the reason.

use std::fmt;

use thiserror::Error;

use crate::base::text::{brief, games_path};
use crate::chess::game::GameSource;

/// Token limit of a game. A thoroughly annotated game has several thousand tokens. A file of millions of
/// brackets must not fill the memory.
pub const MOST_TOKENS: usize = 1 << 18;

/// Tag limit of a game. A tag has at least four bytes, so a game of at most [`MOST_TOKENS`] bytes does not
/// exceed this limit.
pub const MOST_TAGS: usize = MOST_TOKENS / 4;

/// A game that was skipped because it cannot be read with certainty.
///
/// Names and texts are as in the file, so they may be long and contain control characters. [`fmt::Display`]
/// formats them as one line without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadGame {
    /// The file and number of the game.
    pub source: GameSource,
    /// The tag `White`, `?` if missing.
    pub white: String,
    /// The tag `Black`, `?` if missing.
    pub black: String,
    /// The ply that cannot be read, from 1; `None` if the fault is not at a move.
    pub ply: Option<usize>,
    /// The faulty text, as written.
    pub token: Option<String>,
    /// The fault.
    pub reason: BadGameReason,
}

/// The reason for skipping a game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadGameReason {
    /// A text that begins with neither a tag nor a move nor a result.
    #[error("not a game in PGN:")]
    NotPgn,
    /// A text that is neither a move nor anything else allowed between moves.
    #[error("unknown token")]
    UnknownToken,
    /// A move that is not legal.
    #[error("illegal move")]
    IllegalMove,
    /// A move that several pieces could make.
    #[error("ambiguous move")]
    AmbiguousMove,
    /// A null move: a side passes, which chess does not allow.
    #[error("null move")]
    NullMove,
    /// A move number that does not fit the number of moves before it. A move may be missing.
    #[error("wrong move number, {due} expected:")]
    MoveNumber {
        /// The expected number.
        due: u32,
    },
    /// An opening brace without a closing brace.
    #[error("unterminated comment")]
    UnterminatedComment,
    /// An opening parenthesis without a closing parenthesis.
    #[error("unterminated variation")]
    UnterminatedVariation,
    /// The file ends inside a tag.
    #[error("unterminated tag")]
    UnterminatedTag,
    /// A variant other than standard chess and Chess960.
    #[error("the variant \"{}\" is neither standard chess nor Chess960", brief(.0))]
    Variant(String),
    /// The tag `SetUp` announces a start position, but the tag `FEN` is missing.
    #[error("a tag SetUp without a tag FEN")]
    MissingFen,
    /// The start position is malformed or impossible.
    #[error("invalid start position: {0}")]
    Fen(String),
    /// More than `MOST_TAGS` tags or `MOST_TOKENS` tokens.
    #[error("more than {} tags, or more than {} moves, comments and other tokens", MOST_TAGS, MOST_TOKENS)]
    TooLong,
    /// More than [`super::LARGEST_GAME`] bytes in which no end of a game was found.
    #[error("larger than 4 MiB")]
    TooLarge,
    /// The file ends or becomes unreadable in the middle of the game.
    #[error("cut off by the end of the file")]
    CutOff,
}

impl BadGameReason {
    /// Returns the kind of fault in words, without details of the game.
    pub fn kind(&self) -> String {
        match self {
            BadGameReason::NotPgn => "not PGN".to_owned(),
            BadGameReason::MoveNumber { .. } => "wrong move number".to_owned(),
            BadGameReason::Variant(_) => "another variant".to_owned(),
            BadGameReason::Fen(_) => "invalid start position".to_owned(),
            BadGameReason::TooLong => "too long".to_owned(),
            other => other.to_string(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub ply: Option<usize>,
    pub token: Option<String>,
    pub reason: BadGameReason,
}

impl Fault {
    /// Returns a fault in `token`, at the ply `ply`, counted from 1.
    pub fn at(ply: usize, token: &str, reason: BadGameReason) -> Fault {
        Fault { ply: Some(ply), token: Some(excerpt(token)), reason }
    }
}

impl From<BadGameReason> for Fault {
    fn from(reason: BadGameReason) -> Fault {
        Fault { ply: None, token: None, reason }
    }
}

/// Returns the first line of a token, cut after 80 characters, because an unterminated comment may be very
/// long.
fn excerpt(token: &str) -> String {
    let line = token.trim_start().lines().next().unwrap_or_default();
    let mut excerpt: String = line.chars().take(80).collect();
    if excerpt.len() < line.len() {
        excerpt.push('…');
    }
    excerpt
}

impl BadGame {
    /// Returns a bad game of unknown players, without the place and the text of the fault.
    pub fn unseen(source: GameSource, reason: BadGameReason) -> BadGame {
        let nobody = || "?".to_owned();
        BadGame { source, white: nobody(), black: nobody(), ply: None, token: None, reason }
    }

    /// Describes the game and its fault on one line, beginning with `place` instead of the game's source.
    pub fn describe(&self, place: &str) -> String {
        let mut line = String::new();
        self.write(place, &mut line).expect("text can be added to a text");
        line
    }

    fn write(&self, place: &str, f: &mut impl fmt::Write) -> fmt::Result {
        let (white, black) = (brief(&self.white), brief(&self.black));
        write!(f, "{place} ({white} – {black}): ")?;
        if let Some(ply) = self.ply {
            write!(f, "ply {ply}: ")?;
        }
        f.write_str(&self.fault())
    }

    /// Returns the reason with the text that is at fault, such as `illegal move "Qxh9"`.
    pub fn fault(&self) -> String {
        match &self.token {
            Some(token) => format!("{} \"{}\"", self.reason, brief(token)),
            None => self.reason.to_string(),
        }
    }
}

impl fmt::Display for BadGame {
    /// Formats as `games.pgn, game 3 (Anand – Carlsen): ply 17: illegal move "Qxh9"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameSource { file, number, .. } = &self.source;
        self.write(&format!("{}, game {number}", games_path(file)), f)
    }
}

impl std::error::Error for BadGame {}

#[cfg(test)]
mod tests {
    use super::*;

    fn bad(fault: Fault) -> BadGame {
        BadGame {
            source: GameSource { file: "games.pgn".to_owned(), number: 3, ordinal: 3 },
            white: "Anand\u{1b}[2J".to_owned(),
            black: "Carlsen".to_owned(),
            ply: fault.ply,
            token: fault.token,
            reason: fault.reason,
        }
    }

    #[test]
    fn a_bad_game_is_described_on_one_line_without_control_characters() {
        let illegal = bad(Fault::at(17, "Qxh9", BadGameReason::IllegalMove));
        assert_eq!(illegal.to_string(), "games.pgn, game 3 (Anand – Carlsen): ply 17: illegal move \"Qxh9\"");
        let variant = bad(BadGameReason::Variant("a\nb".to_owned()).into());
        assert!(
            variant
                .to_string()
                .ends_with("Carlsen): the variant \"a b\" is neither standard chess nor Chess960")
        );
    }

    #[test]
    fn a_long_token_is_cut() {
        let fault = Fault::at(1, &"x".repeat(1_000_000), BadGameReason::UnknownToken);
        assert_eq!(fault.token.map(|token| token.chars().count()), Some(81));
    }
}
