//! [`Evaluator`]: the interface of anything that evaluates the positions of a segment.

use std::{future::Future, time::Duration};

use shakmaty::uci::UciMove;

use crate::chess::{
    evaluation::Protocol,
    segment::{PlyEvaluation, Segment},
};

/// The result of searching a segment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SegmentResult {
    /// An evaluation for each of [`Segment::searches`], in that order.
    pub evaluations: Vec<PlyEvaluation>,
    /// For each evaluation, the best move of every iteration of its search. Empty if the evaluator does not
    /// search by iterations.
    pub iterations: Vec<BestMoves>,
    /// Search time of the evaluator.
    pub busy: Duration,
}

/// The best move after each iteration of a search, from depth 1 on; `None` for iterations without an exact
/// best move.
pub type BestMoves = Vec<Option<UciMove>>;

/// An evaluator of the positions of a segment: a process, a thread of this program, a wrapped evaluator, or
/// a script in a test.
///
/// The caller awaits it together with other tasks, progress and signals. An implementation that keeps a core
/// busy belongs in `Blocking`.
pub trait Evaluator: Send {
    /// The reason for a failure.
    type Error: std::error::Error + Send + 'static;

    /// Returns whether the error means that this evaluator cannot work at all, for any segment.
    fn is_out_of_service(_: &Self::Error) -> bool {
        false
    }

    /// Evaluates each of [`Segment::searches`], to the limit of `protocol` and with its number of lines.
    fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> impl Future<Output = Result<SegmentResult, Self::Error>> + Send;
}
