//! Owns [`Method`]: the choices that every number of a tournament depends on.

use super::{facts::MoveFacts, filter::Filter};
use crate::chess::{Clip, ExactScale, Metric, named::named};
use crate::numbers::{Band, Bootstrap, EloCurve};

/// The choices of method that a table depends on.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Method {
    /// Bound of an evaluation before a gain is taken.
    pub clip: Clip,
    /// What a gain is counted in.
    pub metric: Metric,
    /// Bins of gain, and which gains tie, in the metric's unit.
    pub band: Band,
    /// What the engine's own gains are taken to be.
    pub engine_histogram: EngineHistogram,
    /// From expected score to Elo.
    pub curve: EloCurve,
    /// Which moves count.
    pub filter: Filter,
    /// Samples of games behind the intervals by bootstrap.
    pub bootstrap: Bootstrap,
}

named! {
    /// What the engine's own gains are taken to be.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[cfg_attr(feature = "program", derive(clap::ValueEnum))]
    pub enum EngineHistogram: name {
        /// One peak at 0, Ferreira's approximation (Section 4.3).
        #[default]
        #[cfg_attr(feature = "program", value(help = "One peak at 0, the paper's approximation"))]
        Delta => "delta",
        /// The gains of the engine's own best move in the positions of the games.
        #[cfg_attr(
            feature = "program",
            value(
                name = "self",
                help = "The gains of the engine's best move in the same positions (one more search wherever another \
                        move was played)"
            )
        )]
        Own => "self",
    }
}

/// The largest field whose games are drawn anew: the samples of a larger one take hundreds of megabytes, and nobody reads
/// thousands of places.
const RESAMPLED_FIELD: usize = 1000;

impl Method {
    /// Returns the choices in force for so many players: without samples of games in a field that is too large for them.
    pub(super) fn for_field(&self, players: usize) -> Method {
        let mut method = self.clone();
        if players > RESAMPLED_FIELD {
            method.bootstrap.samples = 0;
        }
        method
    }

    /// Returns the scale on which its gains are measured.
    pub fn scale(&self) -> ExactScale {
        ExactScale { metric: self.metric, clip: self.clip }
    }

    /// Returns whether no filter leaves the move out.
    pub fn keeps(&self, facts: &MoveFacts) -> bool {
        self.filter.keeps(&facts.context())
    }

    /// Returns whether the move is one of those that the tables count: no filter leaves it out, and it has
    /// a gain in the metric asked for.
    pub fn counts(&self, facts: &MoveFacts) -> bool {
        self.keeps(facts) && facts.gain(self.metric, self.clip).is_some()
    }
}
