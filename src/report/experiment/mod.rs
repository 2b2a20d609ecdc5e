//! Owns the files of an experiment: its tables, pictures, page and summary in one folder.

pub mod frame;
pub mod page;
mod pictures;
pub mod summary;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use self::{pictures::Pictures, summary::ExperimentSummary};
use super::{
    ReportError, is_table, names,
    plots::format::PictureFormat,
    summary::to_json,
    tables::{self, Screen},
    write_bytes, write_table,
};
use crate::{experiment::Experiment, formats::Format, output::OutputDir};

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
    /// The command line, one element an argument.
    pub command: Vec<String>,
}

/// The tables.
const TABLES: [&str; 5] = ["white-scores", "scores", "fits", "strength", "heinz"];

/// The page with everything in it.
const PAGE: &str = "report.html";

/// All numbers at full precision.
const SUMMARY: &str = "summary.json";

/// Writes the tables `white-scores`, `scores`, `fits`, `strength` and `heinz` in each format,
/// `summary.json`, the pictures in each of theirs, and the page into `dir`, and gives back the tables as
/// text.
///
/// Where `dir` holds an experiment's report already, its tables and pictures that this one does not write
/// are removed; games and their results are not touched.
pub fn write(
    dir: &OutputDir,
    experiment: &Experiment,
    options: &ExperimentOptions,
) -> Result<String, ReportError> {
    let had_report = dir.holds(SUMMARY, &["version", "experiment", "strengths", "intersections"]);
    let frames = [
        frame::white_scores(experiment)?,
        frame::scores(experiment)?,
        frame::fits(experiment)?,
        frame::strength(experiment)?,
        frame::heinz(experiment)?,
    ];
    let mut written = Vec::new();
    for (name, table) in TABLES.iter().zip(&frames) {
        written.extend(write_table(dir, name, table, &options.formats)?);
    }
    let summary = ExperimentSummary::new(experiment, &options.facts);
    written.push(write_bytes(dir, SUMMARY, to_json(&summary)?.as_bytes())?);
    let pictures = Pictures::of(experiment, &options.facts);
    written.extend(pictures.write(dir, &options.plots)?);
    if options.page {
        written.push(write_bytes(dir, PAGE, page::page(experiment, &pictures, &options.facts)?.as_bytes())?);
    }
    if had_report {
        let is_ours = |name: &str| {
            TABLES.iter().any(|table| is_table(name, table)) || name == PAGE || pictures::is_picture(name)
        };
        dir.remove_stale(&names(&written), is_ours)?;
    }
    Ok(tables::experiment(experiment, options.screen))
}
