//! Owns what the lines of a search are worth: which are kept, which cannot be, the evaluation that they stand for, and remarks.

use shakmaty::{Color, Position, uci::UciMove};

use super::SessionError;
use crate::chess::text::{cut, has_words, printable};
use crate::chess::{BestMoves, Evaluation, Limit, Score, Segment, SignedScore, Wdl};
use crate::engine::uci::engine_line::{Info, MAX_DEPTH};

/// Most lines of a search that are kept: no position has more moves.
const MOST_LINES: u32 = 256;

/// What a search has told so far: the last exact line of each variation that was asked for.
pub(super) struct LineKeeper {
    lines: u32,
    last: Vec<Option<Info>>,
}

impl LineKeeper {
    /// Keeps so many lines at most.
    pub(super) fn new(lines: u32) -> LineKeeper {
        LineKeeper { lines: lines.min(MOST_LINES), last: Vec::new() }
    }

    /// Takes what an engine tells of a search, if it is exact.
    pub(super) fn take(&mut self, info: Info) {
        if is_exact(&info) && (1..=self.lines).contains(&rank(&info)) {
            let place = rank(&info) as usize - 1;
            self.last.resize(self.last.len().max(place + 1), None);
            self.last[place] = Some(info);
        }
    }

    /// Returns the last exact line of each variation, the first one's first.
    pub(super) fn kept(self) -> Vec<Option<Info>> {
        self.last
    }
}

/// Tells whether a line has a score that is no bound.
pub(super) fn is_exact(info: &Info) -> bool {
    info.score.is_some() && info.bound.is_none()
}

/// Returns which of several variations a line is of, from 1.
pub(super) fn rank(info: &Info) -> u32 {
    info.multipv.unwrap_or(1)
}

/// The largest score of a search, in centipawns: far above what engines tell where one side has everything.
const MOST_CENTIPAWNS: i32 = 1_000_000;

/// The longest mate, in moves: there is none of more than some hundreds.
const LONGEST_MATE: i32 = 1_000;

/// Tells whether a search of a position with legal moves can have that score.
pub(super) fn is_possible(score: SignedScore) -> bool {
    match score {
        SignedScore::Cp(cp) => cp.abs() <= MOST_CENTIPAWNS,
        SignedScore::Mate(moves) => moves != 0 && moves.abs() <= LONGEST_MATE,
    }
}

/// Refuses a search that ended above the depth that was asked for. It may where a mate is found or one move is to be had.
pub(super) fn check_depth(
    found: &Evaluation,
    limit: Limit,
    segment: &Segment,
    ply: usize,
) -> Result<(), SessionError> {
    let (Limit::Depth(asked), Some(depth)) = (limit, found.depth) else { return Ok(()) };
    let asked = asked.min(MAX_DEPTH);
    let is_settled = || {
        let moves = match segment.root_moves().len() {
            0 => segment.position(ply).legal_moves().len(),
            some => some,
        };
        moves == 1 || matches!(found.score, Score::Mate { .. })
    };
    if depth >= asked || is_settled() { Ok(()) } else { Err(SessionError::Shallow { ply, depth, asked }) }
}

/// Keeps the move that the exact line of an iteration begins with: of several lines of one depth, the
/// last.
pub(super) fn note_iteration(iterations: &mut BestMoves, info: &Info) {
    let depth = info.depth.filter(|depth| (1..=MAX_DEPTH).contains(depth));
    if let (Some(depth), Some(&best)) = (depth, info.pv.first()) {
        let place = depth as usize - 1;
        iterations.resize(iterations.len().max(place + 1), None);
        iterations[place] = Some(best);
    }
}

/// Returns the evaluation that an engine's last line stands for, seen from White.
pub(super) fn evaluation(score: Score, info: Info, best: Option<UciMove>, turn: Color) -> Evaluation {
    let wdl = info.wdl.and_then(|[own, draw, other]| {
        let (white, black) = turn.fold_wb((own, other), (other, own));
        Wdl::new(white, draw, black)
    });
    Evaluation {
        score,
        depth: info.depth,
        seldepth: info.seldepth,
        nodes: info.nodes,
        time_ms: info.time_ms,
        best,
        pv: info.pv,
        wdl,
        alternatives: Vec::new(),
    }
}

/// Longest free text kept, in columns.
const LONGEST_REMARK: usize = 300;

/// The `info string` lines of an engine.
#[derive(Debug, Default)]
pub(super) struct Remarks(Vec<u8>);

impl Remarks {
    /// Keeps a line if it is one of them.
    pub(super) fn hear(&mut self, line: &[u8]) {
        if let Some(remark) = line.strip_prefix(b"info string ")
            && self.0.len() < LONGEST_REMARK
        {
            self.0.extend_from_slice(remark);
            self.0.push(b' ');
        }
    }

    /// Returns what has been said, if it has words.
    pub(super) fn text(&self) -> Option<String> {
        let remarks = String::from_utf8_lossy(&self.0);
        has_words(&remarks).then(|| cut(&printable(&remarks), LONGEST_REMARK))
    }
}
