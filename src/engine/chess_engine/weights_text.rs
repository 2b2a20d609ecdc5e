//! Text format of weights files: a heading, comments with the provenance, and a line `NAME = NUMBERS` for
//! each name.

use std::{collections::BTreeMap, fmt, str::FromStr};

use crate::base::seal::{Seal, SealError};

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
    /// Numbers that cannot be scaled to an evaluation; the reason in words.
    #[error("{0}")]
    Scale(String),
    /// A file with a digest that does not match, because the file was changed.
    #[error(transparent)]
    Seal(#[from] SealError),
}

/// A key of a weights file. Each kind of file has its own set of keys.
pub(super) trait LineName: Ord + fmt::Display + FromStr<Err: fmt::Display> {
    type Number: FromStr + Copy;

    /// The first line of the file.
    const HEADING: &str;

    /// A valid line, for messages.
    const EXAMPLE: &str;

    /// Returns how many numbers the line has.
    fn count(&self) -> usize {
        2
    }

    /// Returns whether a number is allowed at a place of the line, counted from 0.
    fn is_allowed(&self, place: usize, number: Self::Number) -> bool;

    /// Returns the allowed numbers, in words.
    fn allowed(&self) -> String;
}

/// The line number, counted from 1, and the numbers of each name.
pub(super) type NumberedLines<L> = BTreeMap<L, (usize, Vec<<L as LineName>::Number>)>;

/// Parses a text. Returns the provenance, and the line number and numbers of each name. A text with a digest
/// must be unchanged; a text without a digest counts as written by hand.
pub(super) fn read<L: LineName>(text: &str) -> Result<(Vec<String>, NumberedLines<L>), WeightsError> {
    let text = Seal::WEIGHTS.open_if_sealed(text)?;
    let mut lines = (1..).zip(text.lines().map(str::trim));
    if lines.next().is_none_or(|(_, line)| line != L::HEADING) {
        return Err(WeightsError::Heading);
    }
    let (mut provenance, mut found) = (Vec::new(), BTreeMap::new());
    for (line, text) in lines {
        let refused = |problem| WeightsError::Line { line, problem };
        if let Some(comment) = text.strip_prefix('#') {
            provenance.push(comment.trim().to_owned());
        } else if !text.is_empty() {
            let (name, numbers) = read_line::<L>(text).map_err(refused)?;
            let problem = format!("{name} already has a line");
            if found.insert(name, (line, numbers)).is_some() {
                return Err(refused(problem));
            }
        }
    }
    Ok((provenance, found))
}

fn read_line<L: LineName>(text: &str) -> Result<(L, Vec<L::Number>), String> {
    let shape = || format!("{:?} is not of the form {:?}", shown(text), L::EXAMPLE);
    let (name, numbers) = text.split_once('=').ok_or_else(shape)?;
    let name = name.trim().parse::<L>().map_err(|error| error.to_string())?;
    let numbers: Option<Vec<L::Number>> =
        numbers.split_whitespace().map(|number| number.parse().ok()).collect();
    let numbers = match (numbers, name.count()) {
        (Some(numbers), count) if numbers.len() == count => numbers,
        (_, 2) => return Err(shape()),
        (None, _) => return Err(format!("the numbers for {name} are not all {}", name.allowed())),
        (Some(numbers), count) => return Err(format!("{name} has {} numbers, not {count}", numbers.len())),
    };
    match numbers.iter().enumerate().all(|(place, &number)| name.is_allowed(place, number)) {
        true => Ok((name, numbers)),
        false => Err(format!("a number for {name} is not {}", name.allowed())),
    }
}

/// Returns an error if a name of `all` has no line.
pub(super) fn require_lines<L: LineName>(
    found: &NumberedLines<L>,
    all: impl Iterator<Item = L> + Clone,
) -> Result<(), WeightsError> {
    let mut missing = all.clone().filter(|name| !found.contains_key(name));
    let Some(first) = missing.next() else { return Ok(()) };
    let count = 1 + missing.count();
    Err(WeightsError::Missing { count, all: all.count(), first: first.to_string() })
}

/// Returns the beginning of a line, for a message.
pub(super) fn shown(line: &str) -> String {
    line.chars().take(80).collect()
}

/// Writes the format read by [`read`], without a digest. Each line has a name and its numbers.
pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    heading: &str,
    provenance: &[String],
    mut lines: impl Iterator<Item = (impl fmt::Display, Vec<impl fmt::Display>)>,
) -> fmt::Result {
    writeln!(f, "{heading}")?;
    provenance.iter().try_for_each(|line| writeln!(f, "# {line}"))?;
    lines.try_for_each(|(name, numbers)| {
        write!(f, "{name} =")?;
        numbers.iter().try_for_each(|number| write!(f, " {number}"))?;
        writeln!(f)
    })
}
