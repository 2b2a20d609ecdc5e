//! Part files: the counts of a part of an archive, which can be added up.
//!
//! There is one row for each count that is not 0: `terms, group, count, key, value`. `terms` has the counting
//! options, and `group` is null for counts of the whole archive. Two part files with equal terms are merged
//! by adding the values of rows with the same `group`, `count` and `key`. Any program that reads Parquet can
//! do that. A row whose `count` is `input: digest name` lists a counted file. The `key` of such a row is the
//! size of the file, and the `value` is the number of times that the file was counted.
//!
//! Everything read is checked: a digest of all bytes, the order of the rows, the bounds of every count, and
//! [the relations between counts](crate::measure::archive::check_counts).

mod reading;
mod seal;

use polars::prelude::{Column, DataFrame, PolarsError};

pub use self::{reading::Part, reading::merge, reading::read, reading::read_bytes, seal::sealed};
use crate::chess::RatingSystem;
use crate::measure::{
    ArchiveCounts, ClockClass, CountFault, CountKey, GroupCounts, Inputs, TimedBlunders, Upset,
};
use crate::numbers::ClusterSums;

/// The reason why a part file is not read or written. A message about a file begins with its path.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    #[error("{0}: cannot be read")]
    Io(String, #[source] std::io::Error),
    #[error("{0}: not a part file")]
    Foreign(String, #[source] PolarsError),
    #[error("{0}: not a part file: it is larger than {1} bytes or not a regular file")]
    TooMany(String, u64),
    #[error("{0}: has no digest, so it is not a part file of this version")]
    Unsealed(String),
    #[error("{0}: has changed since it was written: its digest does not match")]
    Changed(String),
    /// A row, counted from 1, does not come after the preceding row in the order of rows.
    #[error("{0}: row {1} is out of order: duplicated rows, or rows from several files")]
    Order(String, usize),
    #[error("{0}: its counts contradict each other")]
    Fault(String, #[source] CountFault),
    /// The file `path` counts an input that the file `first` also counts.
    #[error("{path}: {input} was also counted in {first}, so its games would count twice")]
    Overlap { path: String, first: String, input: String },
    #[error("{0}: the count {1:?} is unknown to this version")]
    Unknown(String, String),
    /// The counting options of the file `path` differ from those of the file `first`.
    #[error(
        "{path}: the counting options differ from those of {first}: {differences}; count all parts with the \
         same options"
    )]
    Terms { path: String, first: String, differences: String },
    #[error("the counts are too large for a part file")]
    TooLarge,
}

/// A row of a part file: the group (null for the whole archive), the name of the count, its key, and its
/// value.
type CountRow = (Option<String>, String, i64, i64);

/// Returns the table of a part file with the counts of `tally`. `identity` has the counting options, and
/// `inputs` are the files counted. The table does not depend on the order of counting.
pub fn frame(tally: &ArchiveCounts, identity: &CountKey, inputs: &Inputs) -> Result<DataFrame, PartError> {
    let (rows, terms) = (rows(tally, inputs)?, identity.to_json());
    let columns = vec![
        Column::new("terms".into(), vec![terms.as_str(); rows.len()]),
        Column::new("group".into(), rows.iter().map(|row| row.0.as_deref()).collect::<Vec<_>>()),
        Column::new("count".into(), rows.iter().map(|row| row.1.as_str()).collect::<Vec<_>>()),
        Column::new("key".into(), rows.iter().map(|row| row.2).collect::<Vec<_>>()),
        Column::new("value".into(), rows.iter().map(|row| row.3).collect::<Vec<_>>()),
    ];
    Ok(DataFrame::new_infer_height(columns).expect("columns of one length"))
}

fn rows(tally: &ArchiveCounts, inputs: &Inputs) -> Result<Vec<CountRow>, PartError> {
    let mut rows: Vec<CountRow> = Vec::new();
    let mut tally = tally.clone();
    let mut put = |group: Option<&str>, name: &str, key: i64, value: i128| match i64::try_from(value) {
        Ok(0) => Ok(()),
        Ok(value) => {
            rows.push((group.map(str::to_owned), name.to_owned(), key, value));
            Ok(())
        }
        Err(_) => Err(PartError::TooLarge),
    };
    for (input, times) in inputs.iter() {
        let bytes = i64::try_from(input.bytes).map_err(|_| PartError::TooLarge)?;
        put(None, &format!("{INPUT}{:032x} {}", input.digest, input.name), bytes, times.into())?;
    }
    for (name, value) in totals(&mut tally) {
        put(None, name, 0, (*value).into())?;
    }
    for (refusal, &games) in &tally.games.refused {
        put(None, &format!("{REFUSED}{}", refusal.key()), 0, games.into())?;
    }
    for (reason, &games) in &tally.left_out {
        put(None, &format!("{LEFT_OUT}{reason}"), 0, games.into())?;
    }
    for class in ClockClass::ALL {
        for (at, counts) in tally.clocks.counts(class).iter().enumerate() {
            for (name, sums) in [("gains", counts.gains), ("scores", counts.scores)] {
                for (part, value) in ClusterSums::PARTS.into_iter().zip(sums.parts()) {
                    put(None, &format!("{class}.{name}.{part}"), at as i64, value)?;
                }
            }
        }
    }
    for (group, counts) in &mut tally.groups {
        for (name, value) in fields(counts) {
            put(Some(group), name, 0, (*value).into())?;
        }
        for (name, sums) in sums(counts) {
            for (part, value) in ClusterSums::PARTS.into_iter().zip(sums.parts()) {
                put(Some(group), &format!("{name}.{part}"), 0, value)?;
            }
        }
        // Over the board first, then by name.
        let mut systems: Vec<_> = counts.systems.iter().collect();
        systems.sort_by_key(|(system, _)| (**system != RatingSystem::OverTheBoard, system.to_string()));
        for (system, &sides) in systems {
            put(Some(group), &format!("{RATED_BY}{system}"), 0, sides.into())?;
        }
        for (kind, play) in &counts.plays {
            let parts = play.total.parts().map(|(part, value)| (part, i128::from(value)));
            for (part, value) in parts.chain([(SIDES, play.sides.into())]) {
                put(Some(group), &format!("{PLAY}{part}, {kind}"), 0, value)?;
            }
        }
        for (kind, usual) in &counts.usual {
            for (measure, part, values) in usual.iter() {
                let name = format!("{USUAL}{measure}, {part}, {kind}");
                values
                    .iter()
                    .try_for_each(|(tenths, sides)| put(Some(group), &name, tenths.into(), sides.into()))?;
            }
        }
        for (title, &games) in &counts.titles {
            put(Some(group), &format!("{TITLE}{title}"), 0, games.into())?;
        }
        for (Upset { difference, winner, loser }, &games) in &counts.upsets {
            put(Some(group), &format!("{UPSET}{winner}\t{loser}"), (*difference).into(), games.into())?;
        }
        for (gain, count) in counts.gains.iter() {
            put(Some(group), GAIN, gain.into(), count.into())?;
        }
    }
    rows.sort();
    Ok(rows)
}

const INPUT: &str = "input: ";
const REFUSED: &str = "not chosen: ";
const LEFT_OUT: &str = "left out: ";
const GAIN: &str = "gain";
const RATED_BY: &str = "rated by: ";
const PLAY: &str = "play: ";
const SIDES: &str = "sides";
const USUAL: &str = "usual: ";
const TITLE: &str = "title: ";
/// Before the winner and the loser, separated by a tab. The key is the difference of their ratings.
const UPSET: &str = "upset: ";

fn totals(tally: &mut ArchiveCounts) -> [(&'static str, &mut u64); 6] {
    [
        ("games", &mut tally.games.chosen),
        ("duplicates", &mut tally.games.duplicates),
        ("without_gain", &mut tally.without_gain),
        ("odd_evals", &mut tally.odd_evals),
        ("clocks_backwards", &mut tally.clocks_backwards),
        ("broadcasts", &mut tally.broadcasts),
    ]
}

fn fields(counts: &mut GroupCounts) -> [(&'static str, &mut u64); 11] {
    let TimedBlunders { moves: [timely, hurried], blunders: [timely_blunders, hurried_blunders] } =
        &mut counts.timed;
    [
        ("games", &mut counts.games),
        ("sides", &mut counts.sides),
        ("rated", &mut counts.rated),
        ("elo", &mut counts.elo),
        ("results", &mut counts.results),
        ("half_points", &mut counts.half_points),
        ("loss_cp", &mut counts.loss_cp),
        ("timely_moves", timely),
        ("timely_blunders", timely_blunders),
        ("hurried_moves", hurried),
        ("hurried_blunders", hurried_blunders),
    ]
}

fn sums(counts: &mut GroupCounts) -> [(&'static str, &mut ClusterSums); 2] {
    [("scores", &mut counts.scores), ("kept", &mut counts.kept)]
}

#[cfg(test)]
mod tests;
