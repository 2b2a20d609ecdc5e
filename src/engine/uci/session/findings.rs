//! Interpretation of a search's lines: selection, plausibility, evaluation and remarks.

use shakmaty::{Color, Position, uci::UciMove};

use super::SessionError;
use crate::base::text::{cut, has_words, printable};
use crate::chess::{BestMoves, Evaluation, Limit, Score, Segment, SignedScore, Wdl};
use crate::engine::uci::engine_line::{Info, MAX_DEPTH};

/// Largest number of lines kept. No position has more legal moves.
const MOST_LINES: u32 = 256;

/// The last exact line of each requested variation so far.
pub(super) struct LineKeeper {
    lines: u32,
    last: Vec<Option<Info>>,
}

impl LineKeeper {
    /// Keeps at most `lines` lines.
    pub(super) fn new(lines: u32) -> LineKeeper {
        LineKeeper { lines: lines.min(MOST_LINES), last: Vec::new() }
    }

    /// Takes an `info` line if it is exact and belongs to a requested variation.
    pub(super) fn take(&mut self, info: Info) {
        if is_exact(&info) && (1..=self.lines).contains(&rank(&info)) {
            let place = rank(&info) as usize - 1;
            self.last.resize(self.last.len().max(place + 1), None);
            self.last[place] = Some(info);
        }
    }

    /// Returns the last exact line of each variation, in order of rank.
    pub(super) fn kept(self) -> Vec<Option<Info>> {
        self.last
    }
}

/// Returns whether a line has a score that is not a bound.
pub(super) fn is_exact(info: &Info) -> bool {
    info.score.is_some() && info.bound.is_none()
}

/// Returns the rank of a line among several variations, from 1.
pub(super) fn rank(info: &Info) -> u32 {
    info.multipv.unwrap_or(1)
}

/// The largest plausible score in centipawns. It is far above the scores of engines that are ahead by all
/// pieces.
const MOST_CENTIPAWNS: i32 = 1_000_000;

/// The longest plausible mate in moves. The longest known mates take several hundred moves.
const LONGEST_MATE: i32 = 1_000;

/// Returns whether a score is possible in a position with legal moves.
pub(super) fn is_possible(score: SignedScore) -> bool {
    match score {
        SignedScore::Cp(cp) => cp.abs() <= MOST_CENTIPAWNS,
        SignedScore::Mate(moves) => moves != 0 && moves.abs() <= LONGEST_MATE,
    }
}

/// Rejects a search that ended before the requested depth. A search may end early if it finds a mate or there
/// is only one move.
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

/// Records the first move of an iteration's exact line. If a depth has several lines, the last line counts.
pub(super) fn note_iteration(iterations: &mut BestMoves, info: &Info) {
    let depth = info.depth.filter(|depth| (1..=MAX_DEPTH).contains(depth));
    if let (Some(depth), Some(&best)) = (depth, info.pv.first()) {
        let place = depth as usize - 1;
        iterations.resize(iterations.len().max(place + 1), None);
        iterations[place] = Some(best);
    }
}

/// Returns the evaluation of an engine's last line, from White's view.
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

/// Length limit of the remarks. No remark is added to 300 bytes or more, and the text is cut to 300 columns.
const LONGEST_REMARK: usize = 300;

/// The `info string` lines of an engine.
#[derive(Debug, Default)]
pub(super) struct Remarks(Vec<u8>);

impl Remarks {
    /// Keeps a line if it is a remark and the remarks so far are not too long.
    pub(super) fn hear(&mut self, line: &[u8]) {
        if let Some(remark) = line.strip_prefix(b"info string ")
            && self.0.len() < LONGEST_REMARK
        {
            self.0.extend_from_slice(remark);
            self.0.push(b' ');
        }
    }

    /// Returns the remarks, if they have words.
    pub(super) fn text(&self) -> Option<String> {
        let remarks = String::from_utf8_lossy(&self.0);
        has_words(&remarks).then(|| cut(&printable(&remarks), LONGEST_REMARK))
    }
}
