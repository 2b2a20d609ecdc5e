//! [`Method`]: the choices on which every number of a tournament depends.

use super::{facts::MoveFacts, filter::Filter};
use crate::base::named::named;
use crate::chess::{Clip, ExactScale, Metric};
use crate::numbers::{Band, Bootstrap, EloCurve};

/// The choices of method on which a table depends.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Method {
    /// The bound to which evaluations are clamped before a gain is computed.
    pub clip: Clip,
    /// The metric of gains, which determines their unit.
    pub metric: Metric,
    /// Bins and ties of gains, in the metric's unit.
    pub band: Band,
    /// The assumed gains of the engine.
    pub engine_histogram: EngineHistogram,
    /// The curve from expected score to Elo.
    pub curve: EloCurve,
    /// The moves that count.
    pub filter: Filter,
    /// Samples of games for the bootstrap intervals.
    pub bootstrap: Bootstrap,
}

named! {
    /// The assumed gains of the engine.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[cfg_attr(feature = "program", derive(clap::ValueEnum))]
    pub enum EngineHistogram: name {
        /// One peak at 0, Ferreira's approximation (Section 4.3).
        #[default]
        #[cfg_attr(feature = "program", value(help = "One peak at 0, the paper's approximation"))]
        Delta => "delta",
        /// The gains of the engine's best move in the positions of the games.
        #[cfg_attr(
            feature = "program",
            value(
                name = "self",
                help = "Gains of the engine's best moves in the same positions (searches the position after each best \
                        move that was not played)"
            )
        )]
        Own => "self",
    }
}

/// The largest field with a bootstrap. Bootstrap samples of a larger field take hundreds of megabytes, and
/// intervals of thousands of ranks are of little use.
const RESAMPLED_FIELD: usize = 1000;

impl Method {
    /// Returns this method for a field of `players` players: without a bootstrap if the field is too large.
    pub(super) fn for_field(&self, players: usize) -> Method {
        let mut method = self.clone();
        if players > RESAMPLED_FIELD {
            method.bootstrap.samples = 0;
        }
        method
    }

    /// Returns the scale of gains.
    pub fn scale(&self) -> ExactScale {
        ExactScale { metric: self.metric, clip: self.clip }
    }

    /// Returns whether the move passes the filter.
    pub fn keeps(&self, facts: &MoveFacts) -> bool {
        self.filter.keeps(&facts.context())
    }

    /// Returns whether the move counts in the tables: it passes the filter, and has a gain in the metric.
    pub fn counts(&self, facts: &MoveFacts) -> bool {
        self.keeps(facts) && facts.gain(self.metric, self.clip).is_some()
    }
}
