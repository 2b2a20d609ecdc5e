//! Owns the file of weights: a line for each term, and above them where the weights come from.

use std::{collections::BTreeMap, fmt, str::FromStr};

use super::{
    terms::Term,
    weights::{Tapered, Weights},
};

/// The first line of every file of weights.
const HEADING: &str = "# gainalyze weights";

/// Weights, and where they come from.
///
/// As text: `# gainalyze weights`, then the provenance as comments, then for each term a line such as
/// `bishop pair = 25 45`, the weights in the middlegame and in the endgame in centipawns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightsFile {
    /// Where they come from, a line each.
    pub provenance: Vec<String>,
    /// What each term weighs.
    pub weights: Weights,
}

/// Why a text is no file of weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// Some other file.
    #[error("the first line is not {HEADING:?}")]
    Heading,
    /// A line that gives no term its weights.
    #[error("line {line}: {problem}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Terms that no line gives weights.
    #[error("{count} of {all} terms have no line, the first of them {first:?}", all = Term::COUNT)]
    Missing {
        /// How many.
        count: usize,
        /// The first of them.
        first: String,
    },
}

impl fmt::Display for WeightsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADING}")?;
        self.provenance.iter().try_for_each(|line| writeln!(f, "# {line}"))?;
        self.weights
            .iter()
            .try_for_each(|(term, weight)| writeln!(f, "{term} = {} {}", weight.middlegame, weight.endgame))
    }
}

impl FromStr for WeightsFile {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<WeightsFile, WeightsError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        if lines.next().is_none_or(|(_, line)| line != HEADING) {
            return Err(WeightsError::Heading);
        }
        let mut provenance = Vec::new();
        let mut found = BTreeMap::new();
        for (line, text) in lines {
            if let Some(comment) = text.strip_prefix('#') {
                provenance.push(comment.trim().to_owned());
            } else if !text.is_empty() {
                let (term, weight) =
                    read_line(text).map_err(|problem| WeightsError::Line { line, problem })?;
                if found.insert(term, weight).is_some() {
                    let problem = format!("a second weight of {term}");
                    return Err(WeightsError::Line { line, problem });
                }
            }
        }
        let mut missing = (0..).map_while(Term::from_index).filter(|term| !found.contains_key(term));
        if let Some(first) = missing.next() {
            return Err(WeightsError::Missing { count: 1 + missing.count(), first: first.to_string() });
        }
        let mut weights = Weights::zero();
        found.into_iter().for_each(|(term, weight)| weights.set(term, weight));
        Ok(WeightsFile { provenance, weights })
    }
}

fn read_line(text: &str) -> Result<(Term, Tapered), String> {
    let shape =
        || format!("{:?} is not like \"bishop pair = 25 45\"", text.chars().take(80).collect::<String>());
    let (name, parts) = text.split_once('=').ok_or_else(shape)?;
    let term = name.trim().parse::<Term>().map_err(|error| error.to_string())?;
    let parts: Vec<i32> =
        parts.split_whitespace().map(str::parse).collect::<Result<_, _>>().map_err(|_| shape())?;
    let &[middlegame, endgame] = parts.as_slice() else { return Err(shape()) };
    let bound = Weights::MAX;
    if [middlegame, endgame].iter().any(|part| part.unsigned_abs() > bound.unsigned_abs()) {
        return Err(format!("a weight of {term} is not within {bound} centipawns"));
    }
    Ok((term, Tapered { middlegame, endgame }))
}

#[cfg(test)]
mod tests {
    use super::{super::weights::SHIPPED, *};

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
        assert_eq!(error(""), "the first line is not \"# gainalyze weights\"");
        let lines = |lines: &str| error(&format!("{HEADING}\n{lines}\n"));
        assert!(lines("tempo").starts_with("line 2: \"tempo\" is not like"));
        assert!(lines("\ntempi = 1 2").starts_with("line 3: \"tempi\" is no term"));
        assert!(lines("tempo = 1").starts_with("line 2"));
        assert!(lines("tempo = 1 2 3").starts_with("line 2"));
        assert!(lines("tempo = 1 2.5").starts_with("line 2"));
        assert_eq!(lines("tempo = 1 20000"), "line 2: a weight of tempo is not within 10000 centipawns");
        assert!(lines("tempo = 1 -2147483648").starts_with("line 2: a weight of tempo"));
        assert_eq!(lines("tempo = 1 2\ntempo = 1 2"), "line 3: a second weight of tempo");
        let missing = format!("{} of {} terms have no line", Term::COUNT - 1, Term::COUNT);
        assert!(lines("tempo = 1 2").starts_with(&missing));
    }

    #[test]
    fn a_term_is_read_by_the_name_that_it_is_written_with() {
        for term in (0..).map_while(Term::from_index) {
            assert_eq!(term.to_string().parse(), Ok(term));
        }
    }
}
