//! Text format of weights files: a heading, comments with the provenance, and a line `NAME = NUMBER NUMBER`
//! for each name.

use std::{collections::BTreeMap, fmt, str::FromStr};

use super::linear::ScaleError;
use crate::chess::seal::{Seal, SealError};

/// The first line of a file with the weights of evaluation terms.
pub(super) const HEADING: &str = "# gainalyze weights";

/// The first line of every file of linear weights, without its version.
pub(super) const LINEAR_KIND: &str = "# gainalyze linear weights";

/// The first line of a file of linear weights in the supported version.
pub(super) const LINEAR_HEADING: &str = "# gainalyze linear weights, version 1";

/// The reason why a text is not a valid file of weights.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WeightsError {
    /// The first line is not that of a weights file.
    #[error("the first line is neither {HEADING:?} nor {LINEAR_HEADING:?}")]
    Heading,
    /// A line with a fault, for example a malformed line or an unknown name.
    #[error("line {line}: {problem}")]
    Line {
        /// Line number, from 1.
        line: usize,
        /// The fault, in words.
        problem: String,
    },
    /// Names that have no line.
    #[error("missing lines: {count} of {all}; the first is {first:?}")]
    Missing {
        /// Number of missing names.
        count: usize,
        /// Number of all names.
        all: usize,
        /// The first missing name.
        first: String,
    },
    /// Numbers that cannot be scaled to an evaluation.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// A file with a digest that does not match, because the file was changed.
    #[error(transparent)]
    Seal(#[from] SealError),
}

/// The syntax of one kind of file.
pub(super) struct WeightsSyntax<N> {
    pub heading: &'static str,
    /// A valid line, for messages.
    pub example: &'static str,
    pub is_allowed: fn(N) -> bool,
    /// The allowed numbers, in words.
    pub allowed: String,
}

/// The line number, counted from 1, and the two numbers of each name.
pub(super) type NumberedLines<E, N> = BTreeMap<E, (usize, [N; 2])>;

impl<N: FromStr + Copy> WeightsSyntax<N> {
    /// Parses a text with a line for each name of `all`. Returns the provenance, and the line number and
    /// numbers of each name. A text with a digest must be unchanged; a text without a digest counts as
    /// written by hand.
    pub fn read<E: Ord + fmt::Display + FromStr<Err: fmt::Display>>(
        &self,
        text: &str,
        all: impl Iterator<Item = E> + Clone,
    ) -> Result<(Vec<String>, NumberedLines<E, N>), WeightsError> {
        let text = Seal::WEIGHTS.open_if_sealed(text)?;
        let mut lines = (1..).zip(text.lines().map(str::trim));
        if lines.next().is_none_or(|(_, line)| line != self.heading) {
            return Err(WeightsError::Heading);
        }
        let (mut provenance, mut found) = (Vec::new(), BTreeMap::new());
        for (line, text) in lines {
            let refused = |problem| WeightsError::Line { line, problem };
            if let Some(comment) = text.strip_prefix('#') {
                provenance.push(comment.trim().to_owned());
            } else if !text.is_empty() {
                let (name, numbers) = self.read_line::<E>(text).map_err(refused)?;
                let problem = format!("{name} already has a line");
                if found.insert(name, (line, numbers)).is_some() {
                    return Err(refused(problem));
                }
            }
        }
        let mut missing = all.clone().filter(|name| !found.contains_key(name));
        let Some(first) = missing.next() else { return Ok((provenance, found)) };
        let count = 1 + missing.count();
        Err(WeightsError::Missing { count, all: all.count(), first: first.to_string() })
    }

    fn read_line<E: fmt::Display + FromStr<Err: fmt::Display>>(
        &self,
        text: &str,
    ) -> Result<(E, [N; 2]), String> {
        let shape = || format!("{:?} is not of the form {:?}", shown(text), self.example);
        let (name, numbers) = text.split_once('=').ok_or_else(shape)?;
        let name = name.trim().parse::<E>().map_err(|error| error.to_string())?;
        let numbers: Option<Vec<N>> = numbers.split_whitespace().map(|number| number.parse().ok()).collect();
        let numbers = numbers.and_then(|numbers| <[N; 2]>::try_from(numbers).ok()).ok_or_else(shape)?;
        match numbers.into_iter().all(self.is_allowed) {
            true => Ok((name, numbers)),
            false => Err(format!("a number for {name} is not {}", self.allowed)),
        }
    }
}

/// Returns the beginning of a line, for a message.
pub(super) fn shown(line: &str) -> String {
    line.chars().take(80).collect()
}

/// Writes the format read by [`WeightsSyntax::read`], without a digest.
pub(super) fn write<E: fmt::Display, A: fmt::Display, B: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    heading: &str,
    provenance: &[String],
    mut lines: impl Iterator<Item = (E, A, B)>,
) -> fmt::Result {
    writeln!(f, "{heading}")?;
    provenance.iter().try_for_each(|line| writeln!(f, "# {line}"))?;
    lines.try_for_each(|(name, first, second)| writeln!(f, "{name} = {first} {second}"))
}
