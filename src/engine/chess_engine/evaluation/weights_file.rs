//! The file of evaluation weights. Below the provenance, it has a line for each parameter of [`Chances`], for
//! each term, and for each row of the [`Network`], if there is one.

use std::{fmt, str::FromStr, sync::LazyLock};

use shakmaty::Chess;

use super::{
    chances::Chances, network::Network, network::NetworkRow, network::UnknownRow, terms::Term,
    terms::UnknownTerm, weights::Tapered, weights::Weights,
};
use crate::engine::chess_engine::evaluation::evaluate;
use crate::engine::chess_engine::weights_text::{self, HEADING, LineName, WeightsError};

/// The text of the file of default weights.
const SHIPPED: &str = include_str!("weights.txt");

/// The name of [`Chances::half`] in a file.
const HALF: &str = "half of the games are won with";
/// The name of [`Chances::spread`] in a file.
const SPREAD: &str = "odds grow e times with";

/// Weights with their provenance.
///
/// The file begins with the line `# gainalyze weights` and the provenance as comments. Each term has a line
/// such as `bishop pair = 25 45`, with its middlegame and endgame weights in centipawns. The two parameters
/// of [`Chances`] have lines of the same form. The lines of a network have more numbers. A file has all lines
/// of a network or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsFile {
    /// Lines of text about the provenance of the weights.
    pub provenance: Vec<String>,
    /// The weight of each term.
    pub weights: Weights,
    /// The parameters that convert scores to win, draw and loss chances. They belong to these weights.
    pub chances: Chances,
    /// The network that corrects the evaluation with these weights.
    pub network: Option<Network>,
}

impl WeightsFile {
    /// Returns the static evaluation in centipawns, from the view of the side to move.
    pub fn evaluate(&self, chess: &Chess) -> i32 {
        evaluate(chess, &self.weights) + self.network.as_ref().map_or(0, |network| network.value(chess))
    }
}

/// Returns the engine's default file.
fn shipped() -> &'static WeightsFile {
    static FILE: LazyLock<WeightsFile> =
        LazyLock::new(|| SHIPPED.parse().expect("weights that a test reads"));
    &FILE
}

impl Default for WeightsFile {
    /// Returns the engine's default file.
    fn default() -> WeightsFile {
        shipped().clone()
    }
}

impl Default for Weights {
    /// Returns the weights of the engine's default file.
    fn default() -> Weights {
        shipped().weights.clone()
    }
}

impl From<Weights> for WeightsFile {
    /// Makes a file without provenance or network, and with the default chances, [`Chances::UNKNOWN`].
    fn from(weights: Weights) -> WeightsFile {
        WeightsFile { provenance: Vec::new(), weights, chances: Chances::UNKNOWN, network: None }
    }
}

/// The parameter or weight that a line sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WeightEntry {
    Half,
    Spread,
    Weight(Term),
    Network(NetworkRow),
}

impl LineName for WeightEntry {
    type Number = i32;
    const HEADING: &str = HEADING;
    const EXAMPLE: &str = "bishop pair = 25 45";

    fn count(&self) -> usize {
        match self {
            WeightEntry::Network(row) => row.count(),
            _ => 2,
        }
    }

    fn is_allowed(&self, place: usize, number: i32) -> bool {
        match self {
            WeightEntry::Network(row) => row.is_allowed(place, number),
            _ => (-Weights::MAX..=Weights::MAX).contains(&number),
        }
    }

    fn allowed(&self) -> String {
        match self {
            WeightEntry::Network(row) => row.allowed(),
            _ => format!("within ±{} centipawns", Weights::MAX),
        }
    }
}

impl fmt::Display for WeightEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightEntry::Half => f.write_str(HALF),
            WeightEntry::Spread => f.write_str(SPREAD),
            WeightEntry::Weight(term) => term.fmt(f),
            WeightEntry::Network(row) => row.fmt(f),
        }
    }
}

impl FromStr for WeightEntry {
    type Err = UnknownTerm;

    fn from_str(name: &str) -> Result<WeightEntry, UnknownTerm> {
        match name {
            HALF => Ok(WeightEntry::Half),
            SPREAD => Ok(WeightEntry::Spread),
            name => match name.parse() {
                Ok(row) => Ok(WeightEntry::Network(row)),
                Err(UnknownRow) => name.parse().map(WeightEntry::Weight),
            },
        }
    }
}

impl fmt::Display for WeightsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chances = [(WeightEntry::Half, self.chances.half), (WeightEntry::Spread, self.chances.spread)];
        let weights = self.weights.iter().map(|(term, weight)| (WeightEntry::Weight(term), weight));
        let pairs = chances.into_iter().chain(weights);
        let pairs = pairs.map(|(entry, parts)| (entry, vec![parts.middlegame, parts.endgame]));
        let rows = self
            .network
            .iter()
            .flat_map(|network| NetworkRow::all().map(|row| (WeightEntry::Network(row), network.row(row))));
        weights_text::write(f, HEADING, &self.provenance, pairs.chain(rows))
    }
}

impl FromStr for WeightsFile {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<WeightsFile, WeightsError> {
        let (provenance, found) = weights_text::read::<WeightEntry>(text)?;
        let terms = (0..).map_while(Term::from_index).map(WeightEntry::Weight);
        let terms = [WeightEntry::Half, WeightEntry::Spread].into_iter().chain(terms);
        let has_network = found.keys().any(|entry| matches!(entry, WeightEntry::Network(_)));
        let rows = NetworkRow::all().filter(|_| has_network).map(WeightEntry::Network);
        weights_text::require_lines(&found, terms.chain(rows))?;
        let network = has_network.then(Network::zero);
        let mut file = WeightsFile { provenance, network, ..Weights::zero().into() };
        for (entry, (_, numbers)) in found {
            let parts = Tapered { middlegame: numbers[0], endgame: numbers[1] };
            match entry {
                WeightEntry::Half => file.chances.half = parts,
                WeightEntry::Spread => file.chances.spread = parts,
                WeightEntry::Weight(term) => file.weights.set(term, parts),
                WeightEntry::Network(row) => {
                    file.network.iter_mut().for_each(|network| network.set_row(row, &numbers));
                }
            }
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_the_engine_comes_with_is_read_and_written_again_as_it_stands() {
        let file: WeightsFile = SHIPPED.parse().expect("weights");
        assert_eq!(file.to_string(), SHIPPED);
        assert_eq!(file.weights, Weights::default());
        assert!(!file.provenance.is_empty());
    }

    #[test]
    fn what_is_no_file_of_weights_is_refused_with_its_place() {
        let error = |text: &str| text.parse::<WeightsFile>().expect_err("an error").to_string();
        assert!(error("").starts_with("the first line is neither \"# gainalyze weights\" nor"));
        let lines = |lines: &str| error(&format!("{HEADING}\n{lines}\n"));
        assert!(lines("tempo").starts_with("line 2: \"tempo\" is not of the form"));
        assert!(lines("\ntempi = 1 2").starts_with("line 3: \"tempi\" is not a term"));
        assert!(lines("tempo = 1").starts_with("line 2"));
        assert!(lines("tempo = 1 2 3").starts_with("line 2"));
        assert!(lines("tempo = 1 2.5").starts_with("line 2"));
        assert_eq!(lines("tempo = 1 20000"), "line 2: a number for tempo is not within ±10000 centipawns");
        assert!(lines("tempo = 1 -2147483648").starts_with("line 2: a number for tempo"));
        assert_eq!(lines("tempo = 1 2\ntempo = 1 2"), "line 3: tempo already has a line");
        let missing = format!("missing lines: {} of {}", Term::COUNT + 1, Term::COUNT + 2);
        assert!(lines("tempo = 1 2").starts_with(&missing));
        assert_eq!(lines("network: biases = 1 2"), "line 2: network: biases has 2 numbers, not 64");
        let biases = |last: i32| format!("network: biases ={} {last}", " 5".repeat(63));
        assert_eq!(lines(&biases(991)), "line 2: a number for network: biases is not within ±990");
        assert_eq!(
            lines("network: biases = 1 x"),
            "line 2: the numbers for network: biases are not all within ±990"
        );
        let output =
            |first: i32, last: i32| format!("network: output 0 = {first}{} {last}", " 5".repeat(127));
        let told =
            "line 2: a number for network: output 0 is not within ±127 (the last number: within ±544000)";
        assert_eq!([lines(&output(128, 5)), lines(&output(5, 544_001))], [told, told]);
        assert!(lines(&output(127, -544_000)).starts_with("missing lines"));
        assert!(lines("network: own pawn a1 = 1 2").starts_with("line 2: \"network: own pawn a1\" is not a"));
        // A network is whole or missing.
        let terms = WeightsFile::from(Weights::zero()).to_string();
        assert_eq!(terms.parse(), Ok(WeightsFile::from(Weights::zero())));
        let problem = error(&(terms + &biases(5)));
        assert!(problem.ends_with("the first is \"network: own pawn a2\""), "{problem}");
    }

    #[test]
    fn a_term_is_read_by_the_name_that_it_is_written_with() {
        for term in (0..).map_while(Term::from_index) {
            assert_eq!(term.to_string().parse(), Ok(term));
        }
    }
}
