//! [`StaticEvaluator`]: static evaluation for the search, with terms or linear features.

use super::{
    evaluation::Network, evaluation::NetworkViews, evaluation::PawnTable, evaluation::Weights,
    evaluation::WeightsFile, evaluation::evaluate_by_table, linear::LinearFile, linear::LinearWeights,
    position::KeyedPosition, processor, processor::Task, weights::EngineWeights,
};

/// A static evaluation. The search is compiled separately for each implementation, so none slows down
/// another.
pub(super) trait StaticEvaluator {
    /// Returns the value of a position in centipawns, from the view of the side to move.
    fn value(&mut self, position: &KeyedPosition) -> i32;

    /// Clears all memory of earlier positions that could change a value.
    fn clear(&mut self) {}
}

/// The evaluation by [`Term`](super::Term)s and its correction by a network, with a table of pawns and kings,
/// and sums kept from position to position.
pub(super) struct TermEvaluator {
    weights: Weights,
    pawns: PawnTable,
    network: Option<Box<(Network, NetworkViews)>>,
}

/// The task of evaluating a position.
struct TermEvaluation<'a> {
    evaluator: &'a mut TermEvaluator,
    position: &'a KeyedPosition,
}

impl Task for TermEvaluation<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let TermEvaluator { weights, pawns, network } = self.evaluator;
        let chess = self.position.chess();
        // Not `and_then`, whose closure might not be inlined into this function.
        let placement = match network {
            Some(network) => network.1.placement(&network.0, chess),
            None => None,
        };
        let correction = placement.as_ref().map_or(0, |placement| placement.correction);
        correction + evaluate_by_table(chess, self.position.pawn_key(), weights, pawns, placement)
    }
}

impl StaticEvaluator for TermEvaluator {
    fn value(&mut self, position: &KeyedPosition) -> i32 {
        processor::run(TermEvaluation { evaluator: self, position })
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
                    let views = NetworkViews::new(&network, &weights);
                    Box::new((network, views))
                });
                EngineEvaluator::Terms(TermEvaluator { weights, pawns: PawnTable::new(), network })
            }
            EngineWeights::Linear(file) => EngineEvaluator::Linear(LinearFile::weights(&file).clone()),
        }
    }
}
