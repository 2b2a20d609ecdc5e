//! Learning of an evaluation from the moves of players. The learned weights of a linear evaluation make the
//! position after the move played better than the positions after the other legal moves.
//!
//! After P. Paulsen and J. Fürnkranz, "A Moderately Successful Attempt to Train Chess Evaluation Functions of
//! Different Strengths" (TU Darmstadt 2010). Moves of the games become [`Decision`]s. The decisions become
//! [`Preferences`], one difference of features for each move that was not played. A [`LearningObjective`]
//! finds the weights, and [`Prediction`] measures how well they predict moves of new games.

mod band;
mod cross_training;
mod decision;
mod learn;
mod logit;
mod material;
mod model;
mod objective;
mod prediction;
mod preferences;
mod reading;
mod svm;
mod testing;
#[cfg(test)]
mod tests;
mod uncertainty;

pub(crate) use self::reading::{BandPlan, BandReading, ReadingEvent, read_bands};
pub use self::{
    band::BandGames, band::RatingBand, decision::Decision, decision::DecisionFacts, decision::DecisionPlan,
    decision::Movers, decision::PositionSlice, learn::LearnPlan, learn::Learned, learn::LearningHooks,
    learn::LearningPhase, learn::LearningWork, material::Material, material::TrainedFit, model::Model,
    model::ModelKey, model::Target, objective::LearningObjective, prediction::CrossTraining,
    prediction::Predicted, prediction::Prediction, prediction::Predictor, prediction::ScoredGames,
    preferences::Preferences, testing::CalibrationBin, testing::PredictedPosition, testing::PredictorChoices,
    uncertainty::WeightIntervals,
};
