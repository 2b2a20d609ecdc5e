//! Owns the numbers: counts, distributions, scores and their errors, with no knowledge of chess.

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
pub mod uniform;
pub mod variance_by_count;
