//! [`EngineWeights`]: weights of the evaluation by terms or of the linear evaluation.

use std::{fmt, str::FromStr};

use shakmaty::Chess;

use super::{
    Chances, evaluation::WeightsFile, linear::LinearFile, weights_text::LINEAR_KIND,
    weights_text::WeightsError,
};

/// Weights of the engine's evaluation.
#[derive(Debug, Clone, PartialEq)]
pub enum EngineWeights {
    /// Weights of the evaluation terms, and of the network that corrects them.
    Terms(WeightsFile),
    /// Weights of the 332 features of the linear evaluation.
    Linear(LinearFile),
}

impl EngineWeights {
    /// Returns the parameters that convert scores to win, draw and loss chances. They belong to the weights.
    /// Linear weights have the default, [`Chances::UNKNOWN`].
    pub fn chances(&self) -> Chances {
        match self {
            EngineWeights::Terms(file) => file.chances,
            EngineWeights::Linear(_) => Chances::UNKNOWN,
        }
    }

    /// Returns the static evaluation in centipawns, from the view of the side to move.
    pub fn evaluate(&self, chess: &Chess) -> i32 {
        match self {
            EngineWeights::Terms(file) => file.evaluate(chess),
            EngineWeights::Linear(file) => file.weights().evaluate(chess),
        }
    }

    /// Returns the weights without provenance, for comparison by their numbers.
    pub fn without_provenance(&self) -> EngineWeights {
        let mut weights = self.clone();
        match &mut weights {
            EngineWeights::Terms(file) => file.provenance.clear(),
            EngineWeights::Linear(file) => file.provenance.clear(),
        }
        weights
    }
}

impl Default for EngineWeights {
    /// Returns the engine's default weights.
    fn default() -> EngineWeights {
        EngineWeights::Terms(WeightsFile::default())
    }
}

impl From<WeightsFile> for EngineWeights {
    fn from(file: WeightsFile) -> EngineWeights {
        EngineWeights::Terms(file)
    }
}

impl From<LinearFile> for EngineWeights {
    fn from(file: LinearFile) -> EngineWeights {
        EngineWeights::Linear(file)
    }
}

impl fmt::Display for EngineWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineWeights::Terms(file) => file.fmt(f),
            EngineWeights::Linear(file) => file.fmt(f),
        }
    }
}

impl FromStr for EngineWeights {
    type Err = WeightsError;

    /// Parses a file of either kind. The first line determines the kind.
    fn from_str(text: &str) -> Result<EngineWeights, WeightsError> {
        match text.starts_with(LINEAR_KIND) {
            true => text.parse().map(EngineWeights::Linear),
            false => text.parse().map(EngineWeights::Terms),
        }
    }
}
