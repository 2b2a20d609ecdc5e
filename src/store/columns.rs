//! [`SearchColumns`]: the table columns that determine a segment's evaluations, except the column of the
//! engine's behavior.

use std::{collections::BTreeMap, num::NonZeroU32};

use rusqlite::Row;
use sha2::{Digest, Sha256};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

use super::{EngineStamp, Origin};
use crate::chess::{Protocol, Segment};

/// The columns of a stored segment that identify its search, from `engine` to `root_moves`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchColumns {
    pub engine: String,
    /// The engine's options as JSON, which a database's own functions can read.
    pub options: String,
    pub limit: String,
    pub order: String,
    pub segment_length: u64,
    /// FEN of the start position; `None` for the initial position of chess.
    pub start_fen: Option<String>,
    pub chess960: bool,
    pub moves: String,
    pub lines: u32,
    pub root_moves: String,
}

impl SearchColumns {
    /// The names of the columns, in the order of [`SearchColumns::read`].
    pub const NAMES: &str = "engine, options, search_limit, search_order, segment_length, start_fen, chess960, moves, \
                             lines, root_moves";

    pub fn of(Origin { engine, protocol }: &Origin, segment: &Segment) -> SearchColumns {
        SearchColumns {
            engine: engine.name.clone(),
            options: engine.options_json(),
            limit: protocol.limit.to_string(),
            order: protocol.order.to_string(),
            segment_length: protocol.segment as u64,
            start_fen: segment.start_fen(),
            chess960: segment.mode().is_chess960(),
            moves: in_words(segment.moves()),
            lines: protocol.lines.get(),
            root_moves: in_words(segment.root_moves()),
        }
    }

    pub fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<SearchColumns> {
        Ok(SearchColumns {
            engine: row.get(first)?,
            options: row.get(first + 1)?,
            limit: row.get(first + 2)?,
            order: row.get(first + 3)?,
            segment_length: row.get(first + 4)?,
            start_fen: row.get(first + 5)?,
            chess960: row.get(first + 6)?,
            moves: row.get(first + 7)?,
            lines: row.get(first + 8)?,
            root_moves: row.get(first + 9)?,
        })
    }

    /// Returns a digest of all columns, each preceded by its length, so that different columns have different
    /// digests.
    ///
    /// The columns `lines` and `root_moves` were added in a later version. For a search of one line over all
    /// legal moves, the digest leaves them out, so that older segments are still found.
    pub fn key(&self) -> [u8; 32] {
        let (length, chess960) = (self.segment_length.to_string(), self.chess960.to_string());
        let lines = self.lines.to_string();
        let start = self.start_fen.as_deref().unwrap_or_default();
        let mut parts: Vec<&str> = vec![&self.engine, &self.options, &self.limit, &self.order, &length];
        parts.extend([start, &chess960, &self.moves]);
        if self.lines > 1 || !self.root_moves.is_empty() {
            parts.extend([&lines, &self.root_moves].map(String::as_str));
        }
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize().into()
    }

    /// Returns the engine and protocol; `None` if a column is not in this program's format.
    pub fn origin(&self, behavior: String, digest: String) -> Option<Origin> {
        let options: BTreeMap<String, String> = serde_json::from_str(&self.options).ok()?;
        let protocol = Protocol {
            lines: NonZeroU32::new(self.lines)?,
            ..Protocol::new(
                self.limit.parse().ok()?,
                self.order.parse().ok()?,
                usize::try_from(self.segment_length).ok()?,
            )
        };
        let behavior = Some(behavior).filter(|behavior| !behavior.is_empty());
        Some(Origin {
            engine: EngineStamp { name: self.engine.clone(), options, digest, behavior },
            protocol,
        })
    }

    pub fn mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    pub fn start(&self) -> Option<Chess> {
        match &self.start_fen {
            None => Some(Chess::default()),
            Some(fen) => fen.parse::<Fen>().ok()?.into_position(self.mode()).ok(),
        }
    }

    /// Returns the start position and the position after each move; `None` if the start position or a move is
    /// invalid.
    pub fn positions(&self) -> Option<Vec<Chess>> {
        let mut positions = vec![self.start()?];
        for uci in read_moves(&self.moves)? {
            let mut position = positions.last()?.clone();
            let m = uci.to_move(&position).ok()?;
            position.play_unchecked(m);
            positions.push(position);
        }
        Some(positions)
    }

    pub fn describe(&self) -> String {
        let start = self.start_fen.as_deref().unwrap_or("the initial position");
        let moves = match self.moves.as_str() {
            "" => String::new(),
            moves => format!(" after {moves}"),
        };
        let asked = match self.root_moves.as_str() {
            "" => String::new(),
            moves => format!(", searching only {moves}"),
        };
        format!("{}, {}, {start}{moves}{asked}", self.engine, self.limit)
    }
}

pub(super) fn in_words(moves: &[UciMove]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Parses the output of [`in_words`]; `None` if a word is not a move.
pub(super) fn read_moves(text: &str) -> Option<Vec<UciMove>> {
    text.split_whitespace().map(|m| m.parse().ok()).collect()
}
