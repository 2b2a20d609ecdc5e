//! Owns the statistics and ratings that know no game.

/// What scores of games stand for: Elo points, the curves and ratings that fit them, and how sure a match makes them. It
/// knows points, games and depths of search; no move, no position and no engine.
pub mod rating {
    pub mod elo;
    pub mod fit;
    pub mod heinz;
    pub mod pentanomial;
    pub mod sprt;
    pub mod strength;
}

/// Counts, distributions, scores and their errors, with no knowledge of chess.
pub mod stats {
    pub mod band;
    pub mod bootstrap;
    pub mod clustered_samples;
    pub mod clusters;
    pub mod correlation;
    pub mod estimate;
    pub mod expected_score;
    pub mod heterogeneity;
    pub mod histogram;
    pub mod homogeneity;
    pub mod lbfgs;
    pub mod multiple;
    pub mod newton;
    pub mod signed_regression;
    pub mod sums;
    pub mod trend;
    pub mod variance_by_count;
}

pub use self::{
    rating::elo::{EloCurve, EloDifference},
    rating::fit::clustered::ClusteredRatings,
    rating::fit::pairwise::PairwiseScore,
    rating::fit::probit::DepthGames,
    rating::fit::{FitError, NormalCurve},
    rating::heinz::{MatchRecord, Range},
    rating::pentanomial::GamePairs,
    rating::sprt::{Sprt, SprtVerdict},
    stats::band::{Band, BrokenBin},
    stats::bootstrap::Bootstrap,
    stats::clustered_samples::{ClusteredSamples, WinProbabilities},
    stats::clusters::{ClusteredMean, Influence},
    stats::estimate::{Estimate, Interval, IntervalMethod},
    stats::expected_score::ExpectedScore,
    stats::heterogeneity::{Heterogeneity, Welch},
    stats::histogram::{BinWidth, Histogram, Signs},
    stats::homogeneity::Homogeneity,
    stats::newton::Objective,
    stats::signed_regression::{Observation, SignedRegression},
    stats::sums::{ClusterSums, SumBounds},
    stats::trend::Trend,
    stats::variance_by_count::VarianceByCount,
};
