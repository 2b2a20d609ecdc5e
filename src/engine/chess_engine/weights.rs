//! [`EngineWeights`]: weights of either evaluation, read from a file.

use std::{fmt, str::FromStr};

use shakmaty::Chess;

use super::{
    Chances,
    evaluation::{WeightsFile, evaluate},
    linear::LinearFile,
    weights_text::{LINEAR_KIND, WeightsError},
};

/// Weights of the engine's evaluation.
#[derive(Debug, Clone, PartialEq)]
pub enum EngineWeights {
    /// Weights of the evaluation terms.
    Terms(WeightsFile),
    /// Weights of the 332 features of the linear evaluation.
    Linear(LinearFile),
}

impl EngineWeights {
    /// Returns the chances for scores by these weights. Linear weights use the default: two pawns win half of
    /// the games.
    pub fn chances(&self) -> Chances {
        match self {
            EngineWeights::Terms(file) => file.chances,
            EngineWeights::Linear(_) => Chances::UNKNOWN,
        }
    }

    /// Returns the static evaluation in centipawns, from the view of the side to move.
    pub fn evaluate(&self, chess: &Chess) -> i32 {
        match self {
            EngineWeights::Terms(file) => evaluate(chess, &file.weights),
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

    /// Parses a file of either kind, by its first line.
    fn from_str(text: &str) -> Result<EngineWeights, WeightsError> {
        match text.starts_with(LINEAR_KIND) {
            true => text.parse().map(EngineWeights::Linear),
            false => text.parse().map(EngineWeights::Terms),
        }
    }
}
