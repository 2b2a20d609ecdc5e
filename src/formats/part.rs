//! Owns part files: the counts of a part of an archive, which add up to those of the whole.
//!
//! One row a count: `terms, group, count, key, value`; `terms` says by what options it was counted, and
//! `group` is null for counts of the archive as a whole. Two part files of the same terms are merged by
//! adding up the values of rows with the same `group`, `count` and `key`, which any program that
//! reads Parquet can do.

use std::{fs::File, path::Path};

use polars::prelude::{Column, DataFrame, PolarsError, PolarsResult};
use polars_io::{SerReader, parquet::read::ParquetReader};

use crate::{
    archive::{ArchiveCounts, ClockClass, CountKey, GroupCounts, LeftOutReason},
    choice::Refusal,
    stats::sums::ClusterSums,
    text::shown_path,
};

/// Why a part file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PartError {
    /// It cannot be opened.
    #[error("{path}: cannot be read")]
    Io {
        /// The file.
        path: String,
        /// What is wrong with it.
        #[source]
        source: std::io::Error,
    },
    /// It is no Parquet, or of other columns.
    #[error("{path}: is no part file of an archive's counts")]
    Foreign {
        /// The file.
        path: String,
        /// What is wrong with it.
        #[source]
        source: PolarsError,
    },
    /// A count of it has no meaning here.
    #[error("{path}: has a count {count:?} that this version does not know")]
    Unknown {
        /// The file.
        path: String,
        /// The count that is not known.
        count: String,
    },
    /// Its counts were made in another way.
    #[error(
        "{path}: was counted otherwise than {first}, which differs in {differences}: count all parts by the same options"
    )]
    Terms {
        /// The file.
        path: String,
        /// The part that it is compared with.
        first: String,
        /// What differs, by option.
        differences: String,
    },
    /// A count is beyond 64 bits.
    #[error("the counts are too large for a part file: a smaller clip makes them smaller")]
    TooLarge,
}

/// A row of a part file: the group, none for the archive as a whole, the name of the count, its key, and
/// the count itself.
type Row = (Option<String>, String, i64, i64);

/// Returns the part file with the counts of `tally`, which were made by `terms`: the same whatever the order
/// in which they were made.
pub fn frame(tally: &ArchiveCounts, identity: &CountKey) -> Result<DataFrame, PartError> {
    let (rows, terms) = (rows(tally)?, identity.to_json());
    let columns = vec![
        Column::new("terms".into(), vec![terms.as_str(); rows.len()]),
        Column::new("group".into(), rows.iter().map(|row| row.0.as_deref()).collect::<Vec<_>>()),
        Column::new("count".into(), rows.iter().map(|row| row.1.as_str()).collect::<Vec<_>>()),
        Column::new("key".into(), rows.iter().map(|row| row.2).collect::<Vec<_>>()),
        Column::new("value".into(), rows.iter().map(|row| row.3).collect::<Vec<_>>()),
    ];
    Ok(DataFrame::new_infer_height(columns).expect("columns of one length"))
}

fn rows(tally: &ArchiveCounts) -> Result<Vec<Row>, PartError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut tally = tally.clone();
    let mut put = |group: Option<&str>, name: &str, key: i64, value: i128| match i64::try_from(value) {
        Ok(0) => Ok(()),
        Ok(value) => {
            rows.push((group.map(str::to_owned), name.to_owned(), key, value));
            Ok(())
        }
        Err(_) => Err(PartError::TooLarge),
    };
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
        for (kind, play) in &counts.plays {
            let parts = play.total.parts().map(|(part, value)| (part, i128::from(value)));
            for (part, value) in parts.chain([(SIDES, play.sides.into())]) {
                put(Some(group), &format!("{PLAY}{part}, {kind}"), 0, value)?;
            }
        }
        for (gain, count) in counts.gains.iter() {
            put(Some(group), GAIN, gain.into(), count.into())?;
        }
    }
    rows.sort();
    Ok(rows)
}

const REFUSED: &str = "not chosen: ";
const LEFT_OUT: &str = "left out: ";
const GAIN: &str = "gain";
const PLAY: &str = "play: ";
const SIDES: &str = "sides";

/// Returns the counts of an archive as a whole.
fn totals(tally: &mut ArchiveCounts) -> [(&'static str, &mut u64); 5] {
    [
        ("games", &mut tally.games.chosen),
        ("duplicates", &mut tally.games.duplicates),
        ("without_gain", &mut tally.without_gain),
        ("odd_evals", &mut tally.odd_evals),
        ("clocks_backwards", &mut tally.clocks_backwards),
    ]
}

/// Returns the plain counts of a group.
fn fields(counts: &mut GroupCounts) -> [(&'static str, &mut u64); 7] {
    [
        ("games", &mut counts.games),
        ("sides", &mut counts.sides),
        ("rated", &mut counts.rated),
        ("elo", &mut counts.elo),
        ("results", &mut counts.results),
        ("half_points", &mut counts.half_points),
        ("loss_cp", &mut counts.loss_cp),
    ]
}

/// Returns the sums of a group by game.
fn sums(counts: &mut GroupCounts) -> [(&'static str, &mut ClusterSums); 2] {
    [("scores", &mut counts.scores), ("kept", &mut counts.kept)]
}

/// A part file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// By what it was counted.
    pub identity: CountKey,
    /// What it counts.
    pub tally: ArchiveCounts,
}

/// Reads the part file at `path`.
///
/// # Errors
///
/// If it is none, or one of a later version.
pub fn read(path: &Path) -> Result<Part, PartError> {
    let name = || shown_path(path);
    let file = File::open(path).map_err(|source| PartError::Io { path: name(), source })?;
    let foreign = |source| PartError::Foreign { path: name(), source };
    let frame = ParquetReader::new(file).finish().map_err(foreign)?;
    let (identity, rows) = unpack(&frame).map_err(foreign)?;
    let mut tally = ArchiveCounts::default();
    for (group, count, key, value) in rows {
        let known = take(&mut tally, group.as_deref(), &count, key, value);
        known.ok_or_else(|| PartError::Unknown { path: name(), count })?;
    }
    Ok(Part { identity, tally })
}

fn unpack(frame: &DataFrame) -> PolarsResult<(CountKey, Vec<Row>)> {
    let text = |name: &str| -> PolarsResult<Vec<Option<String>>> {
        Ok(frame.column(name)?.str()?.iter().map(|cell| cell.map(str::to_owned)).collect())
    };
    let number = |name: &str| -> PolarsResult<Vec<i64>> {
        let cells: Option<Vec<i64>> = frame.column(name)?.i64()?.iter().collect();
        cells.ok_or_else(|| PolarsError::ComputeError(format!("an empty cell in column {name}").into()))
    };
    let terms = text("terms")?.into_iter().flatten().next().unwrap_or_default();
    let identity =
        serde_json::from_str(&terms).map_err(|error| PolarsError::ComputeError(error.to_string().into()))?;
    let counts = text("count")?.into_iter().map(Option::unwrap_or_default);
    let cells = text("group")?.into_iter().zip(counts).zip(number("key")?.into_iter().zip(number("value")?));
    Ok((identity, cells.map(|((group, count), (key, value))| (group, count, key, value)).collect()))
}

/// Puts one count into its place; `None` where it has none.
fn take(tally: &mut ArchiveCounts, group: Option<&str>, count: &str, key: i64, value: i64) -> Option<()> {
    let natural = u64::try_from(value).ok();
    if let Some(group) = group {
        let counts = tally.groups.entry(group.to_owned()).or_default();
        if count == GAIN {
            counts.gains.add(i32::try_from(key).ok()?, natural?);
            return Some(());
        }
        if let Some((_, field)) = fields(counts).into_iter().find(|(name, _)| *name == count) {
            *field += natural?;
            return Some(());
        }
        if let Some((part, kind)) = count.strip_prefix(PLAY).and_then(|rest| rest.split_once(", ")) {
            let play = counts.play(kind);
            if part != SIDES {
                return play.total.add_part(part, value);
            }
            play.sides = play.sides.checked_add(natural?)?;
            return Some(());
        }
        let (name, part) = count.split_once('.')?;
        let (_, sums) = sums(counts).into_iter().find(|(known, _)| *known == name)?;
        return sums.add_part(part, value);
    }
    if let Some(refusal) = count.strip_prefix(REFUSED) {
        *tally.games.refused.entry(refusal.parse::<Refusal>().ok()?).or_default() += natural?;
    } else if let Some(reason) = count.strip_prefix(LEFT_OUT) {
        *tally.left_out.entry(reason.parse::<LeftOutReason>().ok()?).or_default() += natural?;
    } else if let Some((_, total)) = totals(tally).into_iter().find(|(name, _)| *name == count) {
        *total += natural?;
    } else {
        let (class, rest) = count.split_once('.')?;
        let (name, part) = rest.split_once('.')?;
        let class = ClockClass::ALL.into_iter().find(|known| known.to_string() == class)?;
        let counts = tally.clocks.counts_mut(class).get_mut(usize::try_from(key).ok()?)?;
        let sums = match name {
            "gains" => &mut counts.gains,
            "scores" => &mut counts.scores,
            _ => return None,
        };
        sums.add_part(part, value)?;
    }
    Some(())
}
