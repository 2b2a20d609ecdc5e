//! An evaluation that is linear in 332 features, whose weights can be learned from players' moves.
//!
//! The features are those of P. Paulsen and J. Fürnkranz, "A Moderately Successful Attempt to Train Chess Evaluation
//! Functions of Different Strengths" (2010): five kinds of pieces, seven things of pawns and rooks, and five boards of squares.

mod emit;
mod feature;
mod file;
mod handmade;
mod leaf;
mod weights;

pub use emit::{FeatureSink, ONE, emit_features};
pub use feature::{Feature, UnknownFeature};
pub use file::{LINEAR_HEADING, LinearFile};
pub use leaf::Leaves;
pub use weights::{ExplainedFeature, LinearWeights, RawWeights, ScaleError};
