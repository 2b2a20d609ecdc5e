//! The report of an archive: tables, pictures and a summary of what was counted by group and by clock.

pub mod frame;
pub mod moves;
mod summary;

use std::{collections::BTreeSet, path::PathBuf};

use super::{
    ReportError, is_table, names,
    pictures::write_picture,
    plots::{self, Caption, format::PictureFormat},
    write_bytes, write_table,
};
use crate::{
    archive::{ArchiveCounts, ClockClass, CountKey, Survey},
    formats::Format,
    output::OutputDir,
};

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

/// Writes the tables `groups`, `group-histograms` and, where there are clocks, `clocks` in each format,
/// `archive.json`, and the pictures `groups`, `clocks-left` and `clocks-spent` in each of theirs into `dir`, and returns their
/// paths. Those of an earlier archive in `dir` that this one does not write are removed, but for
/// `keep`, which is written already.
pub fn write(
    dir: &OutputDir,
    tally: &ArchiveCounts,
    survey: &Survey,
    identity: &CountKey,
    options: &ArchiveOptions,
    keep: &[PathBuf],
) -> Result<Vec<PathBuf>, ReportError> {
    let had_archive = dir.holds("archive.json", &["version", "method", "games", "groups"]);
    let mut written = keep.to_vec();
    written.extend(write_table(dir, TABLES[0], &frame::groups(survey, identity)?, &options.formats)?);
    written.extend(write_table(dir, TABLES[1], &frame::histograms(survey)?, &options.formats)?);
    if !survey.clocks.is_empty() {
        written.extend(write_table(dir, TABLES[2], &frame::clocks(survey)?, &options.formats)?);
    }
    let summary = super::summary::to_json(&ArchiveSummary::of(tally, survey, identity))?;
    written.push(write_bytes(dir, "archive.json", summary.as_bytes())?);
    let caption = Caption { engine: String::new(), filters: identity.filters.len() };
    let drawings = [
        plots::groups::draw(survey, identity, &caption),
        plots::clocks::draw(survey, ClockClass::Left, &caption),
        plots::clocks::draw(survey, ClockClass::Spent, &caption),
    ];
    for (name, drawing) in PICTURES.into_iter().zip(&drawings) {
        if let Some(drawing) = drawing {
            written.extend(write_picture(dir, name, drawing, &options.plots)?);
        }
    }
    if had_archive {
        let is_ours = |name: &str| {
            let picture = |picture: &&str| {
                PictureFormat::ALL.iter().any(|format| name == format!("{picture}.{format}"))
            };
            TABLES.iter().any(|table| is_table(name, table)) || PICTURES.iter().any(picture)
        };
        dir.remove_stale(&names(&written), is_ours)?;
    }
    Ok(written)
}
