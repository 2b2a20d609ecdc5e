//! Owns the statistics and ratings that know no game.

pub mod rating;
pub mod stats;

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
