//! [`StaticEvaluator`]: static evaluation for the search, with terms or linear features.

use super::{
    evaluation::{Network, NetworkViews, PawnTable, Weights, WeightsFile, evaluate_by_table},
    linear::{LinearFile, LinearWeights},
    position::KeyedPosition,
    weights::EngineWeights,
};

/// A static evaluation. The search is compiled separately for each implementation, so none slows down
/// another.
pub(super) trait StaticEvaluator {
    /// Returns the value of a position in centipawns, from the view of the side to move.
    fn value(&mut self, position: &KeyedPosition) -> i32;

    /// Forgets everything from earlier positions that could change a value.
    fn clear(&mut self) {}
}

/// The evaluation by [`Term`](super::Term)s, with a table of pawn structures, and its correction by a
/// network.
pub(super) struct TermEvaluator {
    weights: Weights,
    pawns: PawnTable,
    network: Option<Box<(Network, NetworkViews)>>,
}

impl StaticEvaluator for TermEvaluator {
    #[inline(always)]
    fn value(&mut self, position: &KeyedPosition) -> i32 {
        let chess = position.chess();
        let correction = match &mut self.network {
            Some(network) => network.1.value(&network.0, chess),
            None => 0,
        };
        correction + evaluate_by_table(chess, position.pawn_key(), &self.weights, &mut self.pawns)
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

/// The evaluation of an engine.
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
            EngineWeights::Terms(WeightsFile { weights, network, .. }) => {
                let network = network.map(|network| {
                    let views = NetworkViews::new(&network);
                    Box::new((network, views))
                });
                EngineEvaluator::Terms(TermEvaluator { weights, pawns: PawnTable::new(), network })
            }
            EngineWeights::Linear(file) => EngineEvaluator::Linear(LinearFile::weights(&file).clone()),
        }
    }
}
