//! The report of an archive: tables, pictures and a summary of what was counted by group and by clock.

pub mod moves;
mod summary;

use std::collections::BTreeSet;

use super::{
    ReportError, picture_names,
    pictures::write_picture,
    plots::{self, Caption},
    summary::to_json,
    table_names, tables, write_bytes, write_table,
};
use crate::files::{Format, PictureFormat, Publication};
use crate::measure::{ArchiveCounts, ClockClass, CountKey, Survey};

pub use summary::ArchiveSummary;

/// What is written of an archive, and how.
#[derive(Debug, Clone)]
pub struct ArchiveOptions {
    /// File formats of the tables.
    pub formats: BTreeSet<Format>,
    /// File formats of the pictures; none for no picture.
    pub plots: BTreeSet<PictureFormat>,
}

/// The names of tables.
const TABLES: [&str; 4] = ["groups", "group-histograms", "clocks", "archive-moves"];

/// The names of pictures.
const PICTURES: [&str; 3] = ["groups", "clocks-left", "clocks-spent"];

/// What was counted, at full precision.
const SUMMARY: &str = "archive.json";

impl ArchiveOptions {
    /// Returns the names of the files that an archive's report may have.
    pub fn file_names(&self) -> Vec<String> {
        let names = table_names(&TABLES, &self.formats).chain(picture_names(&PICTURES, &self.plots));
        names.chain([SUMMARY.to_owned()]).collect()
    }
}

/// Writes the tables `groups`, `group-histograms` and, where there are clocks, `clocks` in each format,
/// `archive.json`, and the pictures `groups`, `clocks-left` and `clocks-spent` in each of theirs.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(
    out: &Publication<'_>,
    counts: &ArchiveCounts,
    survey: &Survey,
    key: &CountKey,
    options: &ArchiveOptions,
) -> Result<(), ReportError> {
    write_table(out, &tables::group_file(survey, key), &options.formats)?;
    write_table(out, &tables::group_histograms(survey), &options.formats)?;
    if !survey.clocks.is_empty() {
        write_table(out, &tables::clocks(&survey.clocks.iter().collect::<Vec<_>>()), &options.formats)?;
    }
    write_bytes(out, SUMMARY, to_json(&ArchiveSummary { counts, survey, key })?.as_bytes())?;
    let caption = Caption { engine: String::new(), filters: key.filters.len() };
    let drawings = [
        plots::groups::draw(survey, key, &caption),
        plots::clocks::draw(survey, ClockClass::Left, &caption),
        plots::clocks::draw(survey, ClockClass::Spent, &caption),
    ];
    for (name, drawing) in PICTURES.into_iter().zip(&drawings) {
        if let Some(drawing) = drawing {
            write_picture(out, name, drawing, &options.plots)?;
        }
    }
    Ok(())
}
