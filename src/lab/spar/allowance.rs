//! Owns [`Allowance`]: what a move of the player may take.

use std::{num::NonZeroU32, sync::Arc, time::Duration, time::Instant};

use shakmaty::uci::UciMove;

use crate::chess::RankingLimits;

/// The share of a time that an engine may search in; of the rest comes [`GRACE`].
pub(super) const THINKING: f64 = 0.75;

/// The share of a time for which is waited when an engine was asked to end its search.
pub(super) const GRACE: f64 = 0.15;

#[derive(Clone)]
pub struct Allowance {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// The moves that may be played; any where there are none.
    pub moves: Vec<UciMove>,
    /// Tells whether that share of the time for the move is over.
    pub is_over: Arc<dyn Fn(f64) -> bool + Send + Sync>,
    /// How long is waited for an engine that was asked to end its search, before the engine within takes over.
    pub grace: Duration,
}

impl Allowance {
    pub fn endless() -> Allowance {
        let grace = Duration::from_secs(1);
        Allowance { depth: None, nodes: None, moves: Vec::new(), is_over: Arc::new(|_| false), grace }
    }

    /// Allows so much time from `begun` on: somewhat less than that, so that an engine that does not answer can be replaced.
    pub fn time(begun: Instant, time: Duration) -> Allowance {
        let thinking = time.mul_f64(THINKING);
        let is_over = Arc::new(move |share: f64| begun.elapsed() >= thinking.mul_f64(share));
        Allowance { is_over, grace: time.mul_f64(GRACE), ..Allowance::endless() }
    }

    /// Returns the limits of one search in it: for so many lines to that depth, in that share of the time, of so many positions at most.
    pub(super) fn limits(&self, lines: u32, depth: u32, share: f64, most_nodes: u64) -> RankingLimits {
        let is_over = self.is_over.clone();
        RankingLimits {
            lines: NonZeroU32::new(lines).unwrap_or(NonZeroU32::MIN),
            depth: self.depth.map_or(depth, |most| most.min(depth)).max(1),
            nodes: Some(self.nodes.map_or(most_nodes, |nodes| nodes.min(most_nodes)).max(1)),
            is_over: Arc::new(move || is_over(share)),
        }
    }
}
