//! Owns [`StaticEvaluator`]: what values a position as it stands for the search, the one made by hand or the linear one.

use super::{
    evaluation::{PawnTable, Weights, WeightsFile, evaluate_by_table},
    linear::{LinearFile, LinearWeights},
    position::KeyedPosition,
    weights::EngineWeights,
};

/// Values positions as they stand. The search is compiled for each of them, so that none costs the others anything.
pub(super) trait StaticEvaluator {
    /// Values a position in centipawns, in the view of the side to move.
    fn value(&mut self, position: &KeyedPosition) -> i32;

    /// Forgets everything, as between two games.
    fn clear(&mut self) {}
}

/// The evaluation of [`Term`](super::Term)s, with what it remembers of pawns.
pub(super) struct TermEvaluator {
    weights: Weights,
    pawns: PawnTable,
}

impl StaticEvaluator for TermEvaluator {
    #[inline(always)]
    fn value(&mut self, position: &KeyedPosition) -> i32 {
        evaluate_by_table(position.chess(), position.pawn_key(), &self.weights, &mut self.pawns)
    }

    fn clear(&mut self) {
        self.pawns.clear();
    }
}

impl StaticEvaluator for LinearWeights {
    fn value(&mut self, position: &KeyedPosition) -> i32 {
        self.evaluate(position.chess())
    }
}

/// The evaluator that an engine has.
pub(super) enum EngineEvaluator {
    Terms(TermEvaluator),
    Linear(LinearWeights),
}

impl EngineEvaluator {
    pub(super) fn clear(&mut self) {
        match self {
            EngineEvaluator::Terms(evaluator) => evaluator.clear(),
            EngineEvaluator::Linear(evaluator) => evaluator.clear(),
        }
    }
}

impl From<EngineWeights> for EngineEvaluator {
    fn from(weights: EngineWeights) -> EngineEvaluator {
        match weights {
            EngineWeights::Terms(WeightsFile { weights, .. }) => {
                EngineEvaluator::Terms(TermEvaluator { weights, pawns: PawnTable::new() })
            }
            EngineWeights::Linear(file) => EngineEvaluator::Linear(LinearFile::weights(&file).clone()),
        }
    }
}
