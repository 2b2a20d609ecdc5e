//! [`ChoiceNetwork`]: a small neural network that computes the probability of each legal move from its
//! features and the player's rating.

use std::{fmt, str::FromStr};

use super::features::{COLUMNS, ChoiceFeatures};

/// Number of inputs: the features of a move, the rating, and the time of the game.
pub const INPUTS: usize = COLUMNS + 2;

/// Number of units in each hidden layer.
pub const HIDDEN: [usize; 2] = [48, 24];

/// Number of weights. Each layer has the biases of its units, and then the weights of their inputs. The last
/// layer has one unit without a bias.
pub const WEIGHTS: usize = (INPUTS + 1) * HIDDEN[0] + (HIDDEN[0] + 1) * HIDDEN[1] + HIDDEN[1];

/// The first line of the file. Its version rises when the features or the layers change.
const VERSION: &str = "gainalyze levels 1";

/// Number of weights on a line of the file.
const ON_A_LINE: usize = 12;

/// Largest absolute value of a weight in a file.
const MOST: f32 = 1000.0;

/// A player whose choices are predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChoosingPlayer {
    /// The rating on lichess, for the time control of the game.
    pub elo: f64,
    /// The expected time of a game in seconds: the clock's base time plus 40 increments.
    pub seconds: f64,
}

/// A network with two hidden layers of rectified linear units. Its output for each move is the logarithm of
/// the move's odds.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceNetwork {
    /// The origin of the weights, without line feeds.
    pub provenance: String,
    /// The weights, [`WEIGHTS`] in number.
    pub weights: Vec<f32>,
}

/// The error for a text that is not a network.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The first line is not that of a network of this version.
    #[error("the file does not begin with `{VERSION}`")]
    Version,
    /// A weight is not a number, or is too large.
    #[error("line {line}: {text:?} is not a number within ±1000")]
    Weight {
        /// The line, from 1.
        line: usize,
        /// The text in place of a weight, shortened.
        text: String,
    },
    /// The file has too few or too many weights.
    #[error("the file has {0} weights, but the network needs {WEIGHTS}")]
    Count(usize),
}

impl ChoosingPlayer {
    fn inputs(self) -> [f32; 2] {
        let time = (self.seconds.max(15.0) / 300.0).ln() / 2.0;
        [((self.elo - 1600.0) / 600.0) as f32, time as f32]
    }
}

impl ChoiceNetwork {
    /// Returns the inputs of the network for each move.
    pub fn inputs(features: &ChoiceFeatures, player: ChoosingPlayer) -> Vec<[f32; INPUTS]> {
        let of_player = player.inputs();
        let row = |row: &[f32; COLUMNS]| {
            let mut inputs = [0.0; INPUTS];
            inputs[..COLUMNS].copy_from_slice(row);
            inputs[COLUMNS..].copy_from_slice(&of_player);
            inputs
        };
        features.rows.iter().map(row).collect()
    }

    /// Returns the probability of each move of `features`. The probabilities add up to 1.
    pub fn probabilities(&self, features: &ChoiceFeatures, player: ChoosingPlayer) -> Vec<f64> {
        self.probabilities_of(&ChoiceNetwork::inputs(features, player))
    }

    /// Returns the probability of each move from its inputs. The probabilities add up to 1.
    pub fn probabilities_of(&self, inputs: &[[f32; INPUTS]]) -> Vec<f64> {
        let odds: Vec<f64> = inputs.iter().map(|inputs| f64::from(self.forward(inputs).output)).collect();
        let most = odds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let odds: Vec<f64> = odds.into_iter().map(|odds| (odds - most).exp()).collect();
        let sum: f64 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / sum).collect()
    }

    /// Returns the ranges of each layer's weights: the first hidden layer, the second, and the output.
    pub fn layers() -> [std::ops::Range<usize>; 3] {
        let first = (INPUTS + 1) * HIDDEN[0];
        let second = first + (HIDDEN[0] + 1) * HIDDEN[1];
        [0..first, first..second, second..WEIGHTS]
    }

    /// Computes the units and the output for the inputs of a move.
    pub fn forward(&self, inputs: &[f32; INPUTS]) -> Units {
        let [first, second, last] = ChoiceNetwork::layers().map(|layer| &self.weights[layer]);
        let mut units = Units { hidden: ([0.0; HIDDEN[0]], [0.0; HIDDEN[1]]), output: 0.0 };
        layer(first, inputs, &mut units.hidden.0);
        layer(second, &units.hidden.0, &mut units.hidden.1);
        units.output = last.iter().zip(&units.hidden.1).map(|(weight, unit)| weight * unit).sum();
        units
    }
}

/// The values of the units for a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// The units of the hidden layers.
    pub hidden: ([f32; HIDDEN[0]], [f32; HIDDEN[1]]),
    /// The logarithm of the move's odds.
    pub output: f32,
}

/// Computes rectified linear units. `weights` has the biases of all units, and then for each input the
/// weights to all units.
fn layer(weights: &[f32], inputs: &[f32], units: &mut [f32]) {
    let (biases, weights) = weights.split_at(units.len());
    units.copy_from_slice(biases);
    for (weights, &input) in weights.chunks_exact(units.len()).zip(inputs) {
        if input != 0.0 {
            units.iter_mut().zip(weights).for_each(|(unit, weight)| *unit += weight * input);
        }
    }
    units.iter_mut().for_each(|unit| *unit = unit.max(0.0));
}

impl fmt::Display for ChoiceNetwork {
    /// Formats as a file, with four decimals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{VERSION}\n# {}", self.provenance)?;
        for line in self.weights.chunks(ON_A_LINE) {
            let words: Vec<String> = line.iter().map(|weight| format!("{weight:.4}")).collect();
            writeln!(f, "{}", words.join(" "))?;
        }
        Ok(())
    }
}

impl FromStr for ChoiceNetwork {
    type Err = NetworkError;

    fn from_str(text: &str) -> Result<ChoiceNetwork, NetworkError> {
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, first)| first.trim_end() != VERSION) {
            return Err(NetworkError::Version);
        }
        let mut network = ChoiceNetwork { provenance: String::new(), weights: Vec::new() };
        for (number, line) in lines {
            if let Some(comment) = line.strip_prefix('#') {
                comment.trim().clone_into(&mut network.provenance);
                continue;
            }
            for word in line.split_whitespace() {
                let weight = word.parse().ok().filter(|weight: &f32| weight.abs() <= MOST);
                let wrong =
                    || NetworkError::Weight { line: number + 1, text: crate::base::text::brief(word) };
                network.weights.push(weight.ok_or_else(wrong)?);
            }
        }
        match network.weights.len() {
            WEIGHTS => Ok(network),
            count => Err(NetworkError::Count(count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(weight: impl Fn(usize) -> f32) -> ChoiceNetwork {
        ChoiceNetwork { provenance: "a test".to_owned(), weights: (0..WEIGHTS).map(weight).collect() }
    }

    #[test]
    fn units_by_hand() {
        // The first unit of each layer passes on the second input, all others are 0.
        let [first, second, last] = ChoiceNetwork::layers();
        let passes = [first.start + HIDDEN[0] * 2, second.start + HIDDEN[1], last.start];
        let mut network = network(|place| if passes.contains(&place) { 2.0 } else { 0.0 });
        let mut inputs = [0.0; INPUTS];
        inputs[1] = 1.5;
        assert_eq!(network.forward(&inputs).output, 12.0);
        inputs[1] = -1.5;
        assert_eq!(network.forward(&inputs).output, 0.0, "units are never below 0");
        // Biases of the first unit of the first layer.
        network.weights[first.start] = 4.0;
        assert_eq!(network.forward(&inputs).output, 4.0);
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let network = network(|place| (place % 17) as f32 / 8.0 - 1.0);
        assert_eq!(network.to_string().parse(), Ok(network));
    }

    #[test]
    fn a_file_of_another_kind_is_refused() {
        let text = network(|_| 0.5).to_string();
        let error = |text: &str| text.parse::<ChoiceNetwork>().expect_err("no network").to_string();
        assert_eq!(error(""), "the file does not begin with `gainalyze levels 1`");
        assert_eq!(error(&text.replace("levels 1", "levels 2")), error(""));
        assert_eq!(error(&text.replacen("0.5000", "x", 1)), "line 3: \"x\" is not a number within ±1000");
        for bad in ["NaN", "inf", "1001"] {
            assert!(error(&text.replacen("0.5000", bad, 1)).starts_with("line 3: "), "{bad}");
        }
        assert_eq!(
            error(&format!("{text}0.5\n")),
            format!("the file has {} weights, but the network needs {WEIGHTS}", WEIGHTS + 1)
        );
    }
}
