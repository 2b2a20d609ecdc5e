//! Owns the numbers: counts, distributions, scores and ratings, with no knowledge of chess.

pub mod bootstrap;
pub mod clusters;
pub mod contest;
pub mod correlation;
pub mod elo;
pub mod estimate;
pub mod expected_score;
pub mod fit;
pub mod heinz;
pub mod heterogeneity;
pub mod histogram;
pub mod multiple;
pub mod pentanomial;
pub mod sums;
pub mod trend;
