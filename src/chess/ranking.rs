//! [`Ranker`]: the interface of anything that ranks the moves of a position until it is stopped.

use std::{fmt, future::Future, num::NonZeroU32, sync::Arc};

use crate::chess::{evaluation::Evaluation, segment::Segment};

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
