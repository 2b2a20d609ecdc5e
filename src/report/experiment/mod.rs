//! Owns the files of an experiment: its tables, pictures, page and summary in one folder.

pub mod page;
mod pictures;
pub mod round_robin;
pub mod sparring;
pub mod summary;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use self::{pictures::ExperimentPictures, summary::ExperimentSummary};
use super::{
    ReportError, picture_names,
    summary::to_json,
    table::Screen,
    table_names,
    tables::{self, experiment::files},
    write_bytes, write_table,
};
use crate::files::{Format, PictureFormat, Publication};
use crate::lab::Experiment;

/// What is written of an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExperimentOptions {
    /// Formats of the tables; none writes no tables.
    pub formats: BTreeSet<Format>,
    /// What pictures are written as; none draws none.
    pub plots: BTreeSet<PictureFormat>,
    /// Whether `report.html` is written.
    pub page: bool,
    /// What the tables that are given back are shown on.
    pub screen: Screen,
    /// What only whoever played knows.
    pub facts: Facts,
}

/// What only whoever played the games knows of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Facts {
    /// What the experiment is about: `Stockfish 15.1, depths 1 to 8`.
    pub title: String,
    /// The engine's `id name`.
    pub engine: String,
    /// That of its opponent, where it is another engine or set otherwise.
    pub opponent: Option<String>,
    /// Where the anchor is from; `None` where it was given as a number, or there is none.
    pub anchor: Option<String>,
    /// How the games were played, by label: openings, seed, hash table, adjudication.
    pub conditions: BTreeMap<String, String>,
    /// The command line, one element an argument: for the page alone, as `run.json` has it.
    #[serde(skip)]
    pub command: Vec<String>,
}

/// The tables.
const TABLES: [&str; 5] = ["white-scores", "scores", "fits", "strength", "heinz"];

/// The page with everything in it.
const PAGE: &str = "report.html";

/// All numbers at full precision.
const SUMMARY: &str = "summary.json";

impl ExperimentOptions {
    /// Returns the names of the files that an experiment's report may have.
    pub fn file_names(&self) -> Vec<String> {
        let names = table_names(&TABLES, &self.formats).chain(picture_names(&pictures::NAMES, &self.plots));
        names.chain([SUMMARY.to_owned()]).chain(self.page.then(|| PAGE.to_owned())).collect()
    }
}

/// Writes the tables `white-scores`, `scores`, `fits`, `strength` and `heinz` in each format,
/// `summary.json`, the pictures in each of theirs, and the page, and gives back the tables as text.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(
    out: &Publication<'_>,
    experiment: &Experiment,
    options: &ExperimentOptions,
) -> Result<String, ReportError> {
    let frames = [
        files::white_scores(experiment),
        files::scores(experiment),
        files::fits(experiment),
        files::strength(experiment),
        files::heinz(experiment),
    ];
    for table in &frames {
        write_table(out, table, &options.formats)?;
    }
    let summary = ExperimentSummary { experiment, facts: &options.facts };
    write_bytes(out, SUMMARY, to_json(&summary)?.as_bytes())?;
    let pictures = ExperimentPictures::of(experiment, &options.facts);
    pictures.write(out, &options.plots)?;
    if options.page {
        write_bytes(out, PAGE, page::page(experiment, &pictures, &options.facts)?.as_bytes())?;
    }
    Ok(tables::experiment(experiment, options.screen))
}
