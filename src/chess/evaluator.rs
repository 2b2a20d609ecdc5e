//! [`Evaluator`]: a trait for everything that evaluates the positions of a segment.

use std::{future::Future, time::Duration};

use shakmaty::uci::UciMove;

use crate::chess::{
    evaluation::Protocol,
    segment::{PlyEvaluation, Segment},
};

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
