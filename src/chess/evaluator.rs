//! The traits [`Evaluator`], for everything that evaluates the positions of a segment, and [`Ranker`], for
//! everything that ranks the moves of a position until it is stopped.

use std::{fmt, future::Future, num::NonZeroU32, sync::Arc, time::Duration};

use shakmaty::uci::UciMove;

use crate::chess::{evaluation::Evaluation, evaluation::Protocol, segment::PlyEvaluation, segment::Segment};

/// The result of searching a segment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SegmentResult {
    /// An evaluation for each of [`Segment::searches`], in the same order.
    pub evaluations: Vec<PlyEvaluation>,
    /// For each evaluation, the best moves of the iterations of its search. Empty if the evaluator does not
    /// search in iterations.
    pub iterations: Vec<BestMoves>,
    /// The time that the evaluator spent on the segment.
    pub busy: Duration,
}

/// The best move after each iteration of a search, beginning with depth 1. `None` for an iteration that
/// reported no best move with an exact score.
pub type BestMoves = Vec<Option<UciMove>>;

/// Evaluates the positions of segments. An evaluator is an engine process, a thread of this program, a
/// wrapper around another evaluator, or a script in a test.
///
/// One thread awaits the answers of many evaluators, shows the progress and handles signals. An evaluator
/// that would keep this thread busy must be wrapped in `Blocking`.
pub trait Evaluator: Send {
    /// The error of a failed evaluation.
    type Error: std::error::Error + Send + 'static;

    /// Returns whether the error shows that this evaluator cannot evaluate any segment.
    fn is_out_of_service(_: &Self::Error) -> bool {
        false
    }

    /// Evaluates each of [`Segment::searches`] with the limit and the number of lines of `protocol`.
    fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> impl Future<Output = Result<SegmentResult, Self::Error>> + Send;
}

/// The limits of a ranking search. The first limit that is reached ends the search.
#[derive(Clone)]
pub struct RankingLimits {
    /// Number of best moves to find.
    pub lines: NonZeroU32,
    /// Depth in plies.
    pub depth: u32,
    /// Number of positions; `None` for no limit.
    pub nodes: Option<u64>,
    /// Returns true when the time is over; called every few milliseconds.
    pub is_over: IsOver,
}

/// A function that returns whether the search must end now.
pub type IsOver = Arc<dyn Fn() -> bool + Send + Sync>;

impl RankingLimits {
    /// Returns limits of lines and depth, without limits of nodes and time.
    pub fn depth(lines: NonZeroU32, depth: u32) -> RankingLimits {
        RankingLimits { lines, depth, nodes: None, is_over: Arc::new(|| false) }
    }
}

impl fmt::Debug for RankingLimits {
    /// Formats all limits except `is_over`, which is a function.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RankingLimits { lines, depth, nodes, .. } = self;
        f.debug_struct("RankingLimits")
            .field("lines", lines)
            .field("depth", depth)
            .field("nodes", nodes)
            .finish_non_exhaustive()
    }
}

/// Ranks the moves of a position. A ranker keeps its findings until a new game begins.
pub trait Ranker: Send {
    /// The reason for a failure.
    type Error: std::error::Error + Send + 'static;

    /// Searches the last position of `segment` within `limits`, and returns the best moves found, with
    /// scores. At least one move is returned, and all moves are legal.
    fn rank(
        &mut self,
        segment: &Segment,
        limits: &RankingLimits,
    ) -> impl Future<Output = Result<Evaluation, Self::Error>> + Send;
}
