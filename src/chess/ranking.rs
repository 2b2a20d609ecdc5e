//! Owns [`Ranker`]: whatever ranks the moves of a position for as long as it is let.

use std::{fmt, future::Future, num::NonZeroU32, sync::Arc};

use crate::chess::{evaluation::Evaluation, segment::Segment};

/// When a search of a position ends, whichever comes first.
#[derive(Clone)]
pub struct RankingLimits {
    /// How many best moves are wanted.
    pub lines: NonZeroU32,
    /// Plies.
    pub depth: u32,
    /// Positions; `None` for any number.
    pub nodes: Option<u64>,
    /// Tells that the time is over; asked every few milliseconds.
    pub is_over: IsOver,
}

/// Tells whether a search is to end now.
pub type IsOver = Arc<dyn Fn() -> bool + Send + Sync>;

impl RankingLimits {
    /// Limits a search to a depth alone.
    pub fn depth(lines: NonZeroU32, depth: u32) -> RankingLimits {
        RankingLimits { lines, depth, nodes: None, is_over: Arc::new(|| false) }
    }
}

impl fmt::Debug for RankingLimits {
    /// Nobody knows what ends it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RankingLimits { lines, depth, nodes, .. } = self;
        f.debug_struct("RankingLimits")
            .field("lines", lines)
            .field("depth", depth)
            .field("nodes", nodes)
            .finish_non_exhaustive()
    }
}

/// Ranks the moves of a position. It remembers what it found, until it is told of a new game.
pub trait Ranker: Send {
    /// Why it could not.
    type Error: std::error::Error + Send + 'static;

    /// Searches the last position of `segment` within `limits`, and returns what is known of its best moves by then: at least
    /// one, legal, with its score.
    fn rank(
        &mut self,
        segment: &Segment,
        limits: &RankingLimits,
    ) -> impl Future<Output = Result<Evaluation, Self::Error>> + Send;
}
