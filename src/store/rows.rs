//! [`SegmentRows`]: the evaluations of a segment as table rows, with seal and checked conversion.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, params};
use shakmaty::{CastlingMode, Chess, uci::UciMove};
use xxhash_rust::xxh3::Xxh3;

use super::{EngineStamp, StoredBehavior, columns::in_words, columns::read_moves};
use crate::chess::pgn::MOST_TOKENS;
use crate::chess::{Evaluation, PlyEvaluation, RankedLine, Score, Segment, SignedScore, Wdl, game};

/// Most positions of a segment. Games with more moves are refused.
const MOST_POSITIONS: i64 = MOST_TOKENS as i64;

/// Most legal moves of a position (218 are known), and so most lines of its search.
const MOST_MOVES: i64 = 256;

/// Most rows of each table that are kept of a damaged segment. Sound segments have fewer.
pub(super) const MOST_SET_ASIDE: i64 = 20_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SegmentRows {
    pub evaluations: Vec<EvaluationRow>,
    pub alternatives: Vec<AlternativeRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EvaluationRow {
    pub ply: i64,
    pub score: ScoreColumns,
    /// Depth, selective depth, nodes and milliseconds.
    pub effort: [Option<i64>; 4],
    pub best: Option<String>,
    pub pv: String,
    pub chances: [Option<i64>; 3],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AlternativeRow {
    pub ply: i64,
    pub rank: i64,
    pub best: String,
    pub score: ScoreColumns,
    pub pv: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ScoreColumns {
    pub cp: Option<i64>,
    pub mate: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum RowFault {
    #[error("its rows have changed: the seal does not match")]
    Seal,
    #[error("its columns do not match its key")]
    Key,
    #[error("a value is of another type than its column")]
    Type,
    #[error("its moves are illegal")]
    Moves,
    #[error("its positions differ from the positions of the search")]
    Positions,
    #[error("the score after ply {0} is invalid")]
    Score(i64),
    #[error("the best move after ply {ply} is {best}, which is illegal")]
    Best { ply: i64, best: String },
    #[error("the line after ply {0} is not a list of moves")]
    Line(i64),
    #[error("a number after ply {0} is out of bounds")]
    Number(i64),
}

/// A position of a segment, with the root moves of its search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub position: &'a Chess,
    pub mode: CastlingMode,
    /// The root moves; empty for all.
    pub moves: &'a [UciMove],
}

impl SegmentRows {
    pub fn of(evaluations: &[PlyEvaluation]) -> SegmentRows {
        let sorted: BTreeMap<usize, &Evaluation> = evaluations.iter().map(|(ply, e)| (*ply, e)).collect();
        let lines = |(&ply, e): (&usize, &&Evaluation)| -> Vec<AlternativeRow> {
            e.alternatives.iter().map(|line| AlternativeRow::of(ply, line)).collect()
        };
        SegmentRows {
            evaluations: sorted.iter().map(|(&ply, e)| EvaluationRow::of(ply, e)).collect(),
            alternatives: sorted.iter().flat_map(lines).collect(),
        }
    }

    /// Reads the rows of a segment. A segment with more rows than a search can have is read in part, so its
    /// seal does not match.
    pub fn read(connection: &Connection, id: i64) -> rusqlite::Result<SegmentRows> {
        let mut statement = connection.prepare_cached(
            "SELECT ply, cp, mate, depth, seldepth, nodes, time_ms, best, pv, win, draw, loss \
             FROM evaluations WHERE segment = ? ORDER BY ply LIMIT ?",
        )?;
        let evaluations = statement.query_map([id, MOST_POSITIONS], EvaluationRow::read)?;
        let evaluations = evaluations.collect::<rusqlite::Result<Vec<_>>>()?;
        let mut statement = connection.prepare_cached(
            "SELECT ply, rank, move, cp, mate, pv FROM alternatives WHERE segment = ? ORDER BY ply, rank LIMIT ?",
        )?;
        let most = MOST_MOVES * evaluations.len() as i64;
        let alternatives = statement.query_map([id, most], AlternativeRow::read)?;
        let alternatives = alternatives.collect::<rusqlite::Result<_>>()?;
        Ok(SegmentRows { evaluations, alternatives })
    }

    pub fn write(&self, connection: &Connection, id: i64) -> rusqlite::Result<()> {
        let mut insert = connection.prepare_cached(
            "INSERT INTO evaluations (segment, ply, cp, mate, depth, seldepth, nodes, time_ms, best, pv, win, draw, loss) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for row in &self.evaluations {
            let EvaluationRow { ply, score, effort: [depth, seldepth, nodes, time], best, pv, chances } = row;
            let [win, draw, loss] = chances;
            insert.execute(params![
                id, ply, score.cp, score.mate, depth, seldepth, nodes, time, best, pv, win, draw, loss
            ])?;
        }
        let mut insert = connection.prepare_cached(
            "INSERT INTO alternatives (segment, ply, rank, move, cp, mate, pv) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?;
        for row in &self.alternatives {
            let AlternativeRow { ply, rank, best, score, pv } = row;
            insert.execute(params![id, ply, rank, best, score.cp, score.mate, pv])?;
        }
        Ok(())
    }

    /// Returns a checksum of the rows of a segment with its key and engine. It detects damage, not malice.
    pub fn seal(&self, key: &[u8], behavior: &str, digest: &str) -> [u8; 16] {
        let mut seal = Seal::new();
        seal.text(Some(key)).text(Some(behavior)).text(Some(digest));
        for row in &self.evaluations {
            let EvaluationRow { ply, score, effort, best, pv, chances } = row;
            seal.number(Some(*ply)).number(score.cp).number(score.mate);
            effort.iter().chain(chances).for_each(|number| _ = seal.number(*number));
            seal.text(best.as_ref()).text(Some(pv));
        }
        for AlternativeRow { ply, rank, best, score, pv } in &self.alternatives {
            seal.number(Some(*ply)).number(Some(*rank)).number(score.cp).number(score.mate);
            seal.text(Some(best)).text(Some(pv));
        }
        seal.finish()
    }

    /// Converts the rows to evaluations by ply, with all checks. `asked` returns the position after a number
    /// of plies, with its root moves; `None` if that position was not searched.
    pub fn evaluations<'a>(
        self,
        asked: impl Fn(usize) -> Option<Asked<'a>>,
    ) -> Result<BTreeMap<usize, Evaluation>, RowFault> {
        let place = |ply: i64| usize::try_from(ply).ok().and_then(|ply| Some((ply, asked(ply)?)));
        let mut evaluations = BTreeMap::new();
        for row in self.evaluations {
            let (ply, asked) = place(row.ply).ok_or(RowFault::Positions)?;
            evaluations.insert(ply, row.evaluation(asked)?);
        }
        for row in self.alternatives {
            let (ply, asked) = place(row.ply).ok_or(RowFault::Positions)?;
            let line = row.line(asked)?;
            evaluations.get_mut(&ply).ok_or(RowFault::Positions)?.alternatives.push(line);
        }
        Ok(evaluations)
    }
}

impl EvaluationRow {
    fn of(ply: usize, e: &Evaluation) -> EvaluationRow {
        let chances = e.wdl.map(|wdl| [wdl.win, wdl.draw, wdl.loss]);
        EvaluationRow {
            ply: whole(ply as u64),
            score: ScoreColumns::of(e.score),
            effort: [
                e.depth.map(i64::from),
                e.seldepth.map(i64::from),
                e.nodes.map(whole),
                e.time_ms.map(whole),
            ],
            best: e.best.map(|best| best.to_string()),
            pv: in_words(&e.pv),
            chances: chances.map_or([None; 3], |chances| chances.map(|chance| Some(i64::from(chance)))),
        }
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<EvaluationRow> {
        Ok(EvaluationRow {
            ply: row.get(0)?,
            score: ScoreColumns { cp: row.get(1)?, mate: row.get(2)? },
            effort: [row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?],
            best: row.get(7)?,
            pv: row.get(8)?,
            chances: [row.get(9)?, row.get(10)?, row.get(11)?],
        })
    }

    fn evaluation(self, asked: Asked<'_>) -> Result<Evaluation, RowFault> {
        let EvaluationRow { ply, score, effort: [depth, seldepth, nodes, time], best, pv, chances } = self;
        let wdl = match chances.map(|chance| chance.map(u16::try_from)) {
            [Some(Ok(win)), Some(Ok(draw)), Some(Ok(loss))] => {
                Some(Wdl::new(win, draw, loss).ok_or(RowFault::Number(ply))?)
            }
            [None, None, None] => None,
            _ => return Err(RowFault::Number(ply)),
        };
        Ok(Evaluation {
            score: score.score(ply)?,
            depth: bounded(depth, ply)?,
            seldepth: bounded(seldepth, ply)?,
            nodes: bounded(nodes, ply)?,
            time_ms: bounded(time, ply)?,
            best: best.map(|best| legal(best, asked, ply)).transpose()?,
            pv: read_moves(&pv).ok_or(RowFault::Line(ply))?,
            wdl,
            alternatives: Vec::new(),
        })
    }
}

impl AlternativeRow {
    fn of(ply: usize, RankedLine { rank, best, score, pv }: &RankedLine) -> AlternativeRow {
        AlternativeRow {
            ply: whole(ply as u64),
            rank: i64::from(*rank),
            best: best.to_string(),
            score: ScoreColumns::of(*score),
            pv: in_words(pv),
        }
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<AlternativeRow> {
        let score = ScoreColumns { cp: row.get(3)?, mate: row.get(4)? };
        Ok(AlternativeRow { ply: row.get(0)?, rank: row.get(1)?, best: row.get(2)?, score, pv: row.get(5)? })
    }

    fn line(self, asked: Asked<'_>) -> Result<RankedLine, RowFault> {
        let AlternativeRow { ply, rank, best, score, pv } = self;
        let rank = u32::try_from(rank).ok().filter(|rank| *rank > 1).ok_or(RowFault::Number(ply))?;
        let pv = read_moves(&pv).ok_or(RowFault::Line(ply))?;
        Ok(RankedLine { rank, best: legal(best, asked, ply)?, score: score.score(ply)?, pv })
    }
}

impl ScoreColumns {
    fn of(score: Score) -> ScoreColumns {
        ScoreColumns { cp: score.cp().map(i64::from), mate: score.mate().map(i64::from) }
    }

    /// Returns the score of a position that has legal moves, after `ply` plies. Mate on the board is invalid,
    /// and so is the smallest `i32`, which has no negative.
    fn score(self, ply: i64) -> Result<Score, RowFault> {
        let number = |number: i64| i32::try_from(number).ok().filter(|number| *number != i32::MIN);
        let signed = match (self.cp, self.mate) {
            (Some(cp), None) => number(cp).map(SignedScore::Cp),
            (None, Some(mate)) => number(mate).map(SignedScore::Mate),
            _ => None,
        };
        signed.and_then(Score::of_comment).ok_or(RowFault::Score(ply))
    }
}

/// Converts a count. No engine counts beyond the column's range.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn bounded<T: TryFrom<i64>>(number: Option<i64>, ply: i64) -> Result<Option<T>, RowFault> {
    number.map(|number| T::try_from(number).map_err(|_| RowFault::Number(ply))).transpose()
}

/// Parses the move `best`, which must be legal in the position and among the root moves.
fn legal(best: String, asked: Asked<'_>, ply: i64) -> Result<UciMove, RowFault> {
    let found = best.parse().ok().and_then(|best| game::legal_uci(best, asked.position, asked.mode));
    let is_asked = |found: &UciMove| asked.moves.is_empty() || asked.moves.contains(found);
    found.filter(is_asked).ok_or(RowFault::Best { ply, best })
}

/// Returns the evaluations of a segment in the order of its searches.
pub(super) fn in_order(rows: SegmentRows, segment: &Segment) -> Result<Vec<PlyEvaluation>, RowFault> {
    let searches = segment.searches();
    let positions: BTreeMap<usize, Chess> =
        segment.positions().filter(|(ply, _)| searches.contains(ply)).collect();
    let asked = |ply: usize| {
        let position = positions.get(&ply)?;
        Some(Asked { position, mode: segment.mode(), moves: segment.root_moves() })
    };
    let mut found = rows.evaluations(asked)?;
    let in_order = searches.iter().map(|&ply| Some((ply, found.remove(&ply)?)));
    in_order.collect::<Option<_>>().ok_or(RowFault::Positions)
}

impl StoredBehavior {
    pub(super) fn seal(&self, engine: &EngineStamp, program: &str) -> [u8; 16] {
        let mut seal = Seal::new();
        seal.text(Some(program)).text(Some(&engine.name)).text(Some(engine.options_json()));
        seal.text(Some(&self.digest)).number(i64::try_from(self.micros).ok()).finish()
    }
}

/// A digest of values, some of which may be missing.
pub(super) struct Seal(Xxh3);

impl Seal {
    pub fn new() -> Seal {
        Seal(Xxh3::new())
    }

    pub fn number(&mut self, number: Option<i64>) -> &mut Seal {
        self.0.update(&[u8::from(number.is_some())]);
        self.0.update(&number.unwrap_or_default().to_le_bytes());
        self
    }

    pub fn text(&mut self, text: Option<impl AsRef<[u8]>>) -> &mut Seal {
        self.number(text.as_ref().map(|text| whole(text.as_ref().len() as u64)));
        if let Some(text) = text {
            self.0.update(text.as_ref());
        }
        self
    }

    pub fn finish(&self) -> [u8; 16] {
        self.0.digest128().to_le_bytes()
    }
}
