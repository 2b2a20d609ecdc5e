//! [`LinearWeights`]: an evaluation linear in 332 features, with weights that can be learned from players' moves.
//!
//! The features are five piece counts, seven features of pawns and rooks, and five boards of squares. Source:
//! P. Paulsen and J. Fürnkranz, "A Moderately Successful Attempt to Train Chess Evaluation Functions of
//! Different Strengths" (2010).

mod emit;
mod feature;
mod file;
mod leaf;

use shakmaty::{Chess, Color, Position, Square};

use super::evaluation::Weights;

pub use emit::{FeatureSink, ONE, emit_features};
pub use feature::Feature;
pub use file::LinearFile;
pub use leaf::Leaves;

/// The weight of each feature, in the unit in which it was learned or made.
pub type RawWeights = [f64; Feature::COUNT];

/// The weight of each feature in hundredths of a centipawn, with a pawn at 100 centipawns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinearWeights(Box<[i32; Feature::COUNT]>);

/// The reason why weights cannot be scaled to centipawns.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ScaleError {
    /// A pawn's weight is not a finite number above 0, so it cannot serve as the unit.
    #[error("a pawn weighs {0}; the weights can be scaled to centipawns only if it weighs more than 0")]
    Pawn(f64),
    /// A weight is not a number, or is too large for an evaluation.
    #[error("{feature} weighs {weight}, which is {centipawns} centipawns if a pawn weighs 100; at most ± {most} is allowed", most = Weights::MAX)]
    TooLarge {
        /// The feature.
        feature: Feature,
        /// The weight as given.
        weight: f64,
        centipawns: f64,
    },
}

impl LinearWeights {
    /// Weights are stored in units of 1/`GRAIN` of a centipawn.
    pub(super) const GRAIN: i32 = 100;

    /// Scales weights so that a pawn is worth 100 centipawns. Fails if a pawn's weight is not a finite number
    /// above 0, or if a scaled weight is not a number within ±[`Weights::MAX`] centipawns.
    pub fn of(raw: &RawWeights) -> Result<LinearWeights, ScaleError> {
        let pawn = raw[Feature::PAWN.index()];
        if !(pawn.is_finite() && pawn > 0.0) {
            return Err(ScaleError::Pawn(pawn));
        }
        let mut weights = Box::new([0; Feature::COUNT]);
        for (feature, &weight) in Feature::all().zip(raw) {
            let scaled = weight / pawn * 100.0;
            if scaled.is_nan() || scaled.abs() > f64::from(Weights::MAX) {
                return Err(ScaleError::TooLarge { feature, weight, centipawns: scaled });
            }
            weights[feature.index()] = (scaled * f64::from(LinearWeights::GRAIN)).round() as i32;
        }
        Ok(LinearWeights(weights))
    }

    /// Returns the weight of a feature in centipawns.
    pub fn centipawns(&self, feature: Feature) -> f64 {
        f64::from(self.0[feature.index()]) / f64::from(LinearWeights::GRAIN)
    }

    /// Returns the static evaluation in centipawns, from the view of the side to move.
    pub fn evaluate(&self, chess: &Chess) -> i32 {
        let mut sum = Sum { weights: self, total: 0 };
        emit_features(chess.board(), &mut sum);
        let value = (sum.total / (i64::from(ONE) * i64::from(LinearWeights::GRAIN))) as i32;
        chess.turn().fold_wb(value, -value)
    }

    /// Lists all features of a position in the order found.
    pub fn explain(&self, chess: &Chess) -> Vec<ExplainedFeature> {
        let mut listing = FeatureListing(self, Vec::new());
        emit_features(chess.board(), &mut listing);
        listing.1
    }
}

/// The exact sum of the weighted features. It is rounded (toward 0) only when the evaluation is computed from
/// it.
struct Sum<'a> {
    weights: &'a LinearWeights,
    total: i64,
}

impl FeatureSink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, feature: Feature, color: Color, count: i32, _at: Option<Square>) {
        self.total += i64::from(self.weights.0[feature.index()]) * i64::from(color.fold_wb(count, -count));
    }
}

/// A feature of a position, for a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedFeature {
    /// The feature.
    pub feature: Feature,
    /// The side that has the feature. A positive weight favors this side.
    pub color: Color,
    /// Number of occurrences. It may be a fraction for the square of a king.
    pub count: f64,
    /// The feature's square, if it has one.
    pub at: Option<Square>,
    /// Weight of one occurrence, in centipawns.
    pub weight: f64,
}

struct FeatureListing<'a>(&'a LinearWeights, Vec<ExplainedFeature>);

impl FeatureSink for FeatureListing<'_> {
    fn add(&mut self, feature: Feature, color: Color, count: i32, at: Option<Square>) {
        let (count, weight) = (f64::from(count) / f64::from(ONE), self.0.centipawns(feature));
        self.1.push(ExplainedFeature { feature, color, count, at, weight });
    }
}
