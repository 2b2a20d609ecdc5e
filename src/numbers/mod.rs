//! Statistics and ratings, independent of the code for chess.

/// Elo ratings: conversion of scores to Elo, ratings fitted to scores, and tests of matches.
pub mod rating {
    pub(crate) mod elo;
    #[cfg(feature = "program")]
    pub(crate) mod fit;
    #[cfg(feature = "program")]
    pub(crate) mod heinz;
    pub(crate) mod sprt;
    pub(crate) mod strength;
}

/// Counts, distributions, means and their errors, without any knowledge of chess.
pub mod stats {
    pub(crate) mod band;
    pub mod bootstrap;
    pub(crate) mod clustered_samples;
    pub(crate) mod clusters;
    pub mod correlation;
    pub(crate) mod estimate;
    pub(crate) mod expected_score;
    pub mod heterogeneity;
    pub(crate) mod histogram;
    #[cfg(feature = "program")]
    pub(crate) mod lbfgs;
    pub mod multiple;
    pub mod newton;
    #[cfg(feature = "program")]
    pub(crate) mod raters;
    #[cfg(feature = "program")]
    pub(crate) mod signed_regression;
    pub(crate) mod sums;
    pub(crate) mod trend;
    pub(crate) mod value_counts;
    #[cfg(feature = "program")]
    pub(crate) mod variance_by_count;
}

pub use self::{
    rating::elo::EloCurve, rating::elo::EloDifference, rating::sprt::GamePairs, rating::sprt::Sprt,
    stats::band::Band, stats::bootstrap::Bootstrap, stats::clusters::ClusteredMean,
    stats::estimate::Estimate, stats::estimate::Interval, stats::expected_score::ExpectedScore,
    stats::heterogeneity::Welch, stats::histogram::BinWidth, stats::histogram::Histogram,
    stats::newton::Objective, stats::value_counts::ValueCounts,
};
#[cfg(feature = "program")]
pub(crate) use self::{
    rating::fit::FitError, rating::fit::NormalCurve, rating::fit::clustered::ClusteredRatings,
    rating::fit::pairwise::PairwiseScore, rating::fit::probit::DepthGames, rating::heinz::MatchRecord,
    rating::heinz::Range, rating::sprt::SprtVerdict, stats::heterogeneity::Homogeneity,
    stats::raters::Raters, stats::raters::Rating, stats::raters::Reliability,
    stats::signed_regression::Observation, stats::signed_regression::SignedRegression,
    stats::sums::SumBounds, stats::variance_by_count::VarianceByCount,
};
pub(crate) use self::{
    stats::clustered_samples::ClusteredSamples, stats::clustered_samples::WinProbabilities,
    stats::clusters::Influence, stats::estimate::IntervalMethod, stats::heterogeneity::Heterogeneity,
    stats::heterogeneity::pooled, stats::histogram::Signs, stats::sums::ClusterSums, stats::trend::Trend,
};
