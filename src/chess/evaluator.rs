//! Owns [`Evaluator`]: whatever can evaluate the positions of a segment.

use std::{future::Future, time::Duration};

use shakmaty::uci::UciMove;

use crate::chess::{
    evaluation::Protocol,
    segment::{PlyEvaluation, Segment},
};

/// What came of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SegmentResult {
    /// An evaluation for each of [`Segment::searches`], in that order.
    pub evaluations: Vec<PlyEvaluation>,
    /// For each of them, the best move of every iteration of its search; empty where the evaluator does not
    /// search by iterations.
    pub iterations: Vec<BestMoves>,
    /// How long the evaluator was searching.
    pub busy: Duration,
}

/// The best move after each iteration of a search, from depth 1 on; `None` for those of which nothing exact is
/// known.
pub type BestMoves = Vec<Option<UciMove>>;

/// Evaluates the positions of a segment: a process, a thread of ours, another evaluator wrapped, or a script in
/// a test.
///
/// Its work is awaited beside that of others, with progress and signals between: an implementation that keeps
/// a core busy belongs in `Blocking`.
pub trait Evaluator: Send {
    /// Why it could not.
    type Error: std::error::Error + Send + 'static;

    /// Tells whether the error says that this evaluator cannot work, whatever the segment.
    fn is_out_of_service(_: &Self::Error) -> bool {
        false
    }

    /// Evaluates each of [`Segment::searches`], to the limit of `protocol` and with as many lines as it asks for.
    fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> impl Future<Output = Result<SegmentResult, Self::Error>> + Send;
}
