//! Owns the file of weights: a line for each term, and above them where the weights come from.

use std::{collections::BTreeMap, fmt, str::FromStr, sync::LazyLock};

use super::{
    terms::{Term, UnknownTerm},
    weights::{Tapered, Weights},
};
use crate::engine::chess_engine::Chances;
use crate::engine::chess_engine::linear::{LINEAR_HEADING, ScaleError};

/// The file of the weights that the engine has unless told otherwise.
const SHIPPED: &str = include_str!("weights.txt");

/// What stands for [`Chances::half`] in a file.
const HALF: &str = "half of the games are won with";
/// What stands for [`Chances::spread`] in a file.
const SPREAD: &str = "odds grow e times with";

/// The first line of every file of weights.
const HEADING: &str = "# gainalyze weights";

/// Weights, and where they come from.
///
/// As text: `# gainalyze weights`, then the provenance as comments, then for each term a line such as
/// `bishop pair = 25 45`, the weights in the middlegame and in the endgame in centipawns, and in the same way what the chances of
/// a score are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsFile {
    /// Where they come from, a line each.
    pub provenance: Vec<String>,
    /// What each term weighs.
    pub weights: Weights,
    /// What a score by these weights means.
    pub chances: Chances,
}

impl Default for WeightsFile {
    /// The one that the engine comes with.
    fn default() -> WeightsFile {
        static SHIPPED_FILE: LazyLock<WeightsFile> = LazyLock::new(|| {
            // A test holds that the file can be read.
            SHIPPED.parse().unwrap_or_else(|_| Weights::material().into())
        });
        SHIPPED_FILE.clone()
    }
}

impl From<Weights> for WeightsFile {
    /// Weights from nowhere, before anything is known of chances: two pawns win half the games.
    fn from(weights: Weights) -> WeightsFile {
        WeightsFile { provenance: Vec::new(), weights, chances: Chances::UNKNOWN }
    }
}

/// What a line gives its two numbers to.
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

/// Why a text is no file of weights, of whatever kind.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WeightsError {
    /// Some other file.
    #[error("the first line is neither {HEADING:?} nor {LINEAR_HEADING:?}")]
    Heading,
    /// A line that gives no term its weights.
    #[error("line {line}: {problem}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Names that no line gives numbers.
    #[error("{count} of {all} lines are missing, the first of them {first:?}")]
    Missing {
        /// How many.
        count: usize,
        /// Of how many.
        all: usize,
        /// The first of them.
        first: String,
    },
    /// Numbers of which no evaluation can be made.
    #[error(transparent)]
    Scale(#[from] ScaleError),
}

impl fmt::Display for WeightsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADING}")?;
        self.provenance.iter().try_for_each(|line| writeln!(f, "# {line}"))?;
        let chances = [(WeightEntry::Half, self.chances.half), (WeightEntry::Spread, self.chances.spread)];
        let weights = self.weights.iter().map(|(term, weight)| (WeightEntry::Weight(term), weight));
        chances
            .into_iter()
            .chain(weights)
            .try_for_each(|(entry, parts)| writeln!(f, "{entry} = {} {}", parts.middlegame, parts.endgame))
    }
}

impl FromStr for WeightsFile {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<WeightsFile, WeightsError> {
        let Entries { provenance, found } =
            Entries::read(text, HEADING, read_line)?.complete(all_entries())?;
        let mut file = WeightsFile { provenance, ..Weights::zero().into() };
        for (entry, parts) in found {
            match entry {
                WeightEntry::Half => file.chances.half = parts,
                WeightEntry::Spread => file.chances.spread = parts,
                WeightEntry::Weight(term) => file.weights.set(term, parts),
            }
        }
        Ok(file)
    }
}

/// The lines of a file of weights: comments, and `NAME = NUMBERS` once for each name.
pub(in crate::engine::chess_engine) struct Entries<E, N> {
    /// The comments.
    pub(in crate::engine::chess_engine) provenance: Vec<String>,
    /// The numbers of each name.
    pub(in crate::engine::chess_engine) found: BTreeMap<E, N>,
}

impl<E: Ord + fmt::Display, N> Entries<E, N> {
    /// Reads the lines below `heading` by `read_line`, which says what is wrong with one.
    pub(in crate::engine::chess_engine) fn read(
        text: &str,
        heading: &str,
        read_line: impl Fn(&str) -> Result<(E, N), String>,
    ) -> Result<Entries<E, N>, WeightsError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        if lines.next().is_none_or(|(_, line)| line != heading) {
            return Err(WeightsError::Heading);
        }
        let mut entries = Entries { provenance: Vec::new(), found: BTreeMap::new() };
        for (line, text) in lines {
            if let Some(comment) = text.strip_prefix('#') {
                entries.provenance.push(comment.trim().to_owned());
            } else if !text.is_empty() {
                let (entry, numbers) =
                    read_line(text).map_err(|problem| WeightsError::Line { line, problem })?;
                let problem = format!("a second line for {entry}");
                if entries.found.insert(entry, numbers).is_some() {
                    return Err(WeightsError::Line { line, problem });
                }
            }
        }
        Ok(entries)
    }

    /// Returns the same if every name of `all` has its numbers.
    pub(in crate::engine::chess_engine) fn complete(
        self,
        all: impl Iterator<Item = E> + Clone,
    ) -> Result<Entries<E, N>, WeightsError> {
        let mut missing = all.clone().filter(|entry| !self.found.contains_key(entry));
        let Some(first) = missing.next() else { return Ok(self) };
        let count = 1 + missing.count();
        Err(WeightsError::Missing { count, all: all.count(), first: first.to_string() })
    }
}

/// Returns the beginning of a line, to show in a message.
pub(in crate::engine::chess_engine) fn shown(line: &str) -> String {
    line.chars().take(80).collect()
}

fn all_entries() -> impl Iterator<Item = WeightEntry> + Clone {
    let terms = (0..).map_while(Term::from_index);
    [WeightEntry::Half, WeightEntry::Spread].into_iter().chain(terms.map(WeightEntry::Weight))
}

fn read_line(text: &str) -> Result<(WeightEntry, Tapered), String> {
    let shape = || format!("{:?} is not like \"bishop pair = 25 45\"", shown(text));
    let (name, parts) = text.split_once('=').ok_or_else(shape)?;
    let entry = name.trim().parse::<WeightEntry>().map_err(|error| error.to_string())?;
    let parts: Vec<i32> =
        parts.split_whitespace().map(str::parse).collect::<Result<_, _>>().map_err(|_| shape())?;
    let &[middlegame, endgame] = parts.as_slice() else { return Err(shape()) };
    let bound = Weights::MAX;
    if [middlegame, endgame].iter().any(|part| part.unsigned_abs() > bound.unsigned_abs()) {
        return Err(format!("a number for {entry} is not within {bound} centipawns"));
    }
    Ok((entry, Tapered { middlegame, endgame }))
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
        assert!(lines("tempo").starts_with("line 2: \"tempo\" is not like"));
        assert!(lines("\ntempi = 1 2").starts_with("line 3: \"tempi\" is no term"));
        assert!(lines("tempo = 1").starts_with("line 2"));
        assert!(lines("tempo = 1 2 3").starts_with("line 2"));
        assert!(lines("tempo = 1 2.5").starts_with("line 2"));
        assert_eq!(lines("tempo = 1 20000"), "line 2: a number for tempo is not within 10000 centipawns");
        assert!(lines("tempo = 1 -2147483648").starts_with("line 2: a number for tempo"));
        assert_eq!(lines("tempo = 1 2\ntempo = 1 2"), "line 3: a second line for tempo");
        let missing = format!("{} of {} lines are missing", Term::COUNT + 1, Term::COUNT + 2);
        assert!(lines("tempo = 1 2").starts_with(&missing));
    }

    #[test]
    fn a_term_is_read_by_the_name_that_it_is_written_with() {
        for term in (0..).map_while(Term::from_index) {
            assert_eq!(term.to_string().parse(), Ok(term));
        }
    }
}
