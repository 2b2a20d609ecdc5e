//! Stored searches of single positions. A search may be restricted to some of the legal moves.

use rusqlite::{Connection, params};
use shakmaty::{Chess, EnPassantMode, fen::Fen, uci::UciMove};

use super::{SealedSegment, rows::RowFault, segments};
use crate::chess::{RankedLine, SignedScore};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLine {
    pub best: UciMove,
    pub score: SignedScore,
    pub pv: Vec<UciMove>,
    /// The search limit as in UCI's `go`.
    pub limit: String,
    pub lines: u32,
    /// Number of root moves to which the search was restricted; 0 if it was not restricted.
    pub asked: usize,
    /// Half-moves since the last capture or pawn move, as given to the engine.
    pub clock: u32,
    pub engine: String,
}

/// Returns the lookup key of a position: the first four fields of its FEN, and a flag. The flag is true for
/// the initial position of chess, which is stored without FEN.
pub(super) fn fields_of(position: &Chess) -> (String, bool) {
    let setup = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let fields: Vec<&str> = setup.split(' ').take(4).collect();
    (fields.join(" "), position == &Chess::default())
}

/// Lists the stored lines of a position, from all searches without preceding moves. Damaged segments are left
/// out.
pub(super) fn known_of(connection: &Connection, position: &Chess) -> rusqlite::Result<Vec<KnownLine>> {
    let (fields, usual) = fields_of(position);
    let mut statement = connection.prepare(
        "SELECT id FROM segments WHERE moves = '' \
         AND (start_fen GLOB ?1 || ' *' OR (?2 AND start_fen IS NULL)) \
         ORDER BY engine, search_limit, lines, length(root_moves) = 0 DESC, length(root_moves) DESC, id",
    )?;
    let ids = statement.query_map(params![fields, usual], |row| row.get(0))?;
    let mut lines = Vec::new();
    for id in ids.collect::<rusqlite::Result<Vec<i64>>>()? {
        let found = segments::sealed(connection, id)?;
        lines.extend(found.and_then(|sealed| known_lines(&sealed)).unwrap_or_default());
    }
    Ok(lines)
}

/// Returns the lines of a segment that consists of one position without preceding moves.
pub(super) fn known_lines(sealed: &SealedSegment) -> Result<Vec<KnownLine>, RowFault> {
    let (columns, evaluations) = (&sealed.stored.columns, sealed.evaluations()?);
    let clock = columns.start_fen.as_deref().and_then(|fen| fen.split(' ').nth(4)?.parse().ok());
    let line = |RankedLine { best, score, pv, .. }| KnownLine {
        best,
        score: score.to_signed(),
        pv,
        limit: columns.limit.clone(),
        lines: columns.lines,
        asked: columns.root_moves.split_whitespace().count(),
        clock: clock.unwrap_or_default(),
        engine: columns.engine.clone(),
    };
    Ok(evaluations.values().flat_map(|evaluation| evaluation.lines()).map(line).collect())
}
