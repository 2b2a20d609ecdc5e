//! Owns [`EngineWeights`]: weights of either kind, as a file has them that the engine is to play by.

use std::{fmt, str::FromStr};

use shakmaty::Chess;

use super::{
    Chances,
    evaluation::{WeightsFile, evaluate},
    linear::LinearFile,
    weights_text::{LINEAR_KIND, WeightsError},
};

/// What the engine evaluates by.
#[derive(Debug, Clone, PartialEq)]
pub enum EngineWeights {
    /// Weights of the evaluation's own terms.
    Terms(WeightsFile),
    /// Weights of the 332 features of the linear evaluation.
    Linear(LinearFile),
}

impl EngineWeights {
    /// Returns what a score by these weights means. Of linear weights nothing is known: two pawns win half the games.
    pub fn chances(&self) -> Chances {
        match self {
            EngineWeights::Terms(file) => file.chances,
            EngineWeights::Linear(_) => Chances::UNKNOWN,
        }
    }

    /// Values a position as it stands, in centipawns, in the view of the side to move.
    pub fn evaluate(&self, chess: &Chess) -> i32 {
        match self {
            EngineWeights::Terms(file) => evaluate(chess, &file.weights),
            EngineWeights::Linear(file) => file.weights().evaluate(chess),
        }
    }

    /// Returns the same from nowhere: weights are the same if their numbers are.
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
    /// Those that the engine comes with.
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

    /// Reads a file of either kind, which its first line tells.
    fn from_str(text: &str) -> Result<EngineWeights, WeightsError> {
        match text.starts_with(LINEAR_KIND) {
            true => text.parse().map(EngineWeights::Linear),
            false => text.parse().map(EngineWeights::Terms),
        }
    }
}
