//! The file of evaluation weights: a line for each term and for each parameter of [`Chances`], below the
//! provenance.

use std::{fmt, str::FromStr, sync::LazyLock};

use super::{
    terms::{Term, UnknownTerm},
    weights::{Tapered, Weights},
};
use crate::engine::chess_engine::Chances;
use crate::engine::chess_engine::weights_text::{self, HEADING, WeightsError, WeightsSyntax};

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
/// of [`Chances`] have lines of the same form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsFile {
    /// Lines of text about the provenance of the weights.
    pub provenance: Vec<String>,
    /// The weight of each term.
    pub weights: Weights,
    /// The parameters that convert scores to win, draw and loss chances. They belong to these weights.
    pub chances: Chances,
}

impl Default for WeightsFile {
    /// Returns the engine's default file.
    fn default() -> WeightsFile {
        static SHIPPED_FILE: LazyLock<WeightsFile> =
            LazyLock::new(|| SHIPPED.parse().expect("weights that a test reads"));
        SHIPPED_FILE.clone()
    }
}

impl Default for Weights {
    /// Returns the weights of the engine's default file.
    fn default() -> Weights {
        WeightsFile::default().weights
    }
}

impl From<Weights> for WeightsFile {
    /// Makes a file without provenance and with the default chances, [`Chances::UNKNOWN`].
    fn from(weights: Weights) -> WeightsFile {
        WeightsFile { provenance: Vec::new(), weights, chances: Chances::UNKNOWN }
    }
}

/// The parameter or weight that a line sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WeightEntry {
    Half,
    Spread,
    Weight(Term),
}

impl fmt::Display for WeightEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightEntry::Half => f.write_str(HALF),
            WeightEntry::Spread => f.write_str(SPREAD),
            WeightEntry::Weight(term) => term.fmt(f),
        }
    }
}

impl FromStr for WeightEntry {
    type Err = UnknownTerm;

    fn from_str(name: &str) -> Result<WeightEntry, UnknownTerm> {
        match name {
            HALF => Ok(WeightEntry::Half),
            SPREAD => Ok(WeightEntry::Spread),
            name => name.parse().map(WeightEntry::Weight),
        }
    }
}

impl fmt::Display for WeightsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chances = [(WeightEntry::Half, self.chances.half), (WeightEntry::Spread, self.chances.spread)];
        let weights = self.weights.iter().map(|(term, weight)| (WeightEntry::Weight(term), weight));
        let lines = chances.into_iter().chain(weights);
        let lines = lines.map(|(entry, parts)| (entry, parts.middlegame, parts.endgame));
        weights_text::write(f, HEADING, &self.provenance, lines)
    }
}

impl FromStr for WeightsFile {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<WeightsFile, WeightsError> {
        let syntax = WeightsSyntax {
            heading: HEADING,
            example: "bishop pair = 25 45",
            is_allowed: |number: i32| (-Weights::MAX..=Weights::MAX).contains(&number),
            allowed: format!("within {} centipawns", Weights::MAX),
        };
        let terms = (0..).map_while(Term::from_index).map(WeightEntry::Weight);
        let all = [WeightEntry::Half, WeightEntry::Spread].into_iter().chain(terms);
        let (provenance, found) = syntax.read(text, all)?;
        let mut file = WeightsFile { provenance, ..Weights::zero().into() };
        for (entry, (_, [middlegame, endgame])) in found {
            let parts = Tapered { middlegame, endgame };
            match entry {
                WeightEntry::Half => file.chances.half = parts,
                WeightEntry::Spread => file.chances.spread = parts,
                WeightEntry::Weight(term) => file.weights.set(term, parts),
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
        assert_eq!(lines("tempo = 1 20000"), "line 2: a number for tempo is not within 10000 centipawns");
        assert!(lines("tempo = 1 -2147483648").starts_with("line 2: a number for tempo"));
        assert_eq!(lines("tempo = 1 2\ntempo = 1 2"), "line 3: tempo already has a line");
        let missing = format!("missing lines: {} of {}", Term::COUNT + 1, Term::COUNT + 2);
        assert!(lines("tempo = 1 2").starts_with(&missing));
    }

    #[test]
    fn a_term_is_read_by_the_name_that_it_is_written_with() {
        for term in (0..).map_while(Term::from_index) {
            assert_eq!(term.to_string().parse(), Ok(term));
        }
    }
}
