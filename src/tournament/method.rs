//! Owns [`Method`]: the choices that every number of a tournament depends on.

use super::filter::Filter;
use crate::{
    evaluation::Wdl,
    rating::elo::EloCurve,
    score::{Clip, Score},
    stats::{band::Band, bootstrap::Bootstrap},
    win_probability,
};

/// The choices of method that a table depends on.
#[derive(Debug, Clone, PartialEq, Default)]
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

/// What the engine's own gains are taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum EngineHistogram {
    /// One peak at 0, Ferreira's approximation (Section 4.3).
    #[default]
    #[cfg_attr(feature = "program", value(help = "One peak at 0, the paper's approximation"))]
    Delta,
    /// The gains of the engine's own best move in the positions of the games.
    #[cfg_attr(
        feature = "program",
        value(
            name = "self",
            help = "The gains of the engine's best move in the same positions; it takes one more search wherever \
                    another move was played"
        )
    )]
    Own,
}

impl EngineHistogram {
    /// As the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            EngineHistogram::Delta => "delta",
            EngineHistogram::Own => "self",
        }
    }
}

/// What a gain is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Metric {
    /// Centipawns.
    #[default]
    #[cfg_attr(feature = "program", value(name = "cp"))]
    Centipawns,
    /// Hundredths of a percentage point of the chance of winning that a score stands for, by
    /// [`win_probability::of_score`].
    #[cfg_attr(
        feature = "program",
        value(
            name = "win",
            help = "Chance of winning, 1/(1 + e^(−0.00368208·cp)), in hundredths of a percentage point"
        )
    )]
    WinProbability,
    /// Hundredths of a percentage point of the expected result by the engine's own chances of a
    /// win, a draw and a loss.
    #[cfg_attr(
        feature = "program",
        value(
            help = "Expected result by the engine's own win/draw/loss chances, in hundredths of a percentage point"
        )
    )]
    Wdl,
}

impl Metric {
    /// All of them.
    pub const ALL: [Metric; 3] = [Metric::Centipawns, Metric::WinProbability, Metric::Wdl];

    /// As the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Centipawns => "cp",
            Metric::WinProbability => "win",
            Metric::Wdl => "wdl",
        }
    }

    /// The unit of a gain, in words.
    pub fn unit(self) -> &'static str {
        match self {
            Metric::Centipawns => "centipawns",
            Metric::WinProbability | Metric::Wdl => "hundredths of a percentage point",
        }
    }

    /// What a position is worth in the metric's unit, White's view; `None` where the engine's
    /// chances are asked for and not known.
    pub fn worth(self, score: Score, wdl: Option<Wdl>, clip: Clip) -> Option<i32> {
        match self {
            Metric::Centipawns => Some(score.clipped(clip)),
            Metric::WinProbability => {
                Some(win_probability::basis_points(win_probability::of_score(score, clip)))
            }
            Metric::Wdl => wdl.map(|wdl| win_probability::basis_points(win_probability::of_wdl(wdl))),
        }
    }
}
