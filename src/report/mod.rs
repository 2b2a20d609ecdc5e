//! Owns the report: a tournament's tables, files and pictures. It formats and draws, computes no
//! number and prints nothing.

pub mod archive;
pub mod experiment;
pub mod export;
pub mod frame;
pub mod go_deep;
pub mod html;
pub mod pictures;
pub mod plots;
pub mod several;
pub mod summary;
pub mod tables;

use std::{collections::BTreeSet, io::Write, path::PathBuf};

use polars::prelude::{DataFrame, PolarsError, PolarsResult};
use thiserror::Error;

use self::{
    export::ExportError,
    frame::Selection,
    html::Source,
    pictures::Pictures,
    plots::{Caption, canvas::PlotError},
    summary::Summary,
};
use crate::{
    evaluated_game::EvaluatedGame,
    formats::PictureFormat,
    formats::{Format, facts::RunInfo},
    output::{FileError, OutputDir},
    tournament::{Analysis, MoveSample, repeatability::Repeatability, sensitivity::Sensitivity},
};

/// What is written, and of whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportOptions {
    /// Formats of the tables; none writes no tables.
    pub formats: BTreeSet<Format>,
    /// Players that tables and pictures show. The numbers stay those of the whole tournament.
    pub players: Selection,
    /// What pictures are written as; none draws none.
    pub plots: BTreeSet<PictureFormat>,
    /// The games that are drawn move by move, by their numbers among all games read.
    pub games: BTreeSet<usize>,
    /// What stands below the titles of pictures.
    pub caption: Caption,
    /// What the page `report.html` tells beside the numbers; `None` for no page.
    pub page: Option<PageFacts>,
}

/// What only whoever asked for a report knows of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageFacts {
    /// What the report is about, as the user named it.
    pub name: String,
    /// The command line, one element an argument.
    pub command: Vec<String>,
}

impl Default for ReportOptions {
    /// CSV, and pictures of all players as PNG.
    fn default() -> ReportOptions {
        ReportOptions {
            formats: BTreeSet::from([Format::Csv]),
            players: Selection::All,
            plots: BTreeSet::from([PictureFormat::Png]),
            games: BTreeSet::new(),
            caption: Caption::default(),
            page: None,
        }
    }
}

/// Why a report is not complete.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The disk.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table could not be put together.
    #[error("cannot build the table")]
    Frame(#[from] PolarsError),
    /// A table could not be written.
    #[error("cannot write {}", path.display())]
    Export {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: ExportError,
    },
    /// A summary could not be written.
    #[error("cannot write json")]
    Json(#[from] serde_json::Error),
    /// The page could not be filled.
    #[error("cannot fill the page")]
    Page(#[from] askama::Error),
    /// A picture could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

/// Writes the whole report into `dir` and returns the paths in the order written: the tables
/// `players`, `pairs`, `score-kept`, `statistics`, `splits` (where asked for), `histograms`, `games` and `moves` in
/// each format, `summary.json`, and at last the pictures `expected-score`, `elo-performance` (where a
/// player is rated), `histograms`, `histogram-<player>` and `game-<number>` in each of theirs, and the page.
///
/// Where `dir` holds a report already, its tables and pictures that this one does not write are
/// removed, so that those in it belong together; nothing else is.
pub fn write_all(
    dir: &OutputDir,
    analysis: &Analysis,
    sample: &MoveSample,
    games: &[EvaluatedGame],
    options: &ReportOptions,
    summary: &Summary,
) -> Result<Vec<PathBuf>, ReportError> {
    let had_report = dir.holds_report();
    let mut written = write_tables(dir, analysis, sample, games, options)?;
    written.push(write_bytes(dir, "summary.json", summary::to_json(summary)?.as_bytes())?);
    if !options.plots.is_empty() || options.page.is_some() {
        let pictures = Pictures::of(&analysis.tournament, sample, options);
        written.extend(pictures.write(dir, games, options)?);
        if let Some(facts) = &options.page {
            let featured = &options.games;
            let source = Source {
                analysis,
                sample,
                games,
                summary,
                facts,
                featured,
                players: &options.players,
                pictures: &pictures,
            };
            written.push(write_bytes(dir, PAGE, html::page(&source)?.as_bytes())?);
        }
    }
    if had_report {
        dir.remove_stale(&names(&written), is_ours)?;
    }
    Ok(written)
}

/// The page with everything in it.
const PAGE: &str = "report.html";

/// The names of tables.
const TABLES: [&str; 8] =
    ["players", "pairs", "score-kept", "statistics", "splits", "games", "moves", "histograms"];

/// Whether `name` is one that a table or a picture may have.
fn is_ours(name: &str) -> bool {
    TABLES.iter().any(|table| is_table(name, table)) || name == PAGE || pictures::is_picture(name)
}

/// Writes `run.json` and returns its path. It is apart from the report because no two runs agree.
pub fn write_run(dir: &OutputDir, run: &RunInfo) -> Result<PathBuf, ReportError> {
    write_bytes(dir, "run.json", summary::to_json(run)?.as_bytes())
}

fn write_tables(
    dir: &OutputDir,
    analysis: &Analysis,
    sample: &MoveSample,
    games: &[EvaluatedGame],
    options: &ReportOptions,
) -> Result<Vec<PathBuf>, ReportError> {
    if options.formats.is_empty() {
        return Ok(Vec::new());
    }
    let (tournament, players) = (&analysis.tournament, &options.players);
    let method = &tournament.method;
    let mut written = write_table(dir, "players", &frame::players(tournament, players)?, &options.formats)?;
    let mut write = |name: &str, table: DataFrame| -> Result<(), ReportError> {
        written.extend(write_table(dir, name, &table, &options.formats)?);
        Ok(())
    };
    write("pairs", frame::pairs(tournament, players)?)?;
    write("score-kept", frame::score_kept(&analysis.kept, method, players)?)?;
    write("statistics", frame::statistics(&analysis.statistics, method, players)?)?;
    if !analysis.splits.is_empty() {
        write("splits", frame::splits(&analysis.splits, method, players)?)?;
    }
    write("histograms", frame::histograms(tournament, players)?)?;
    write("games", frame::games(games, sample, method, players)?)?;
    let moves = || frame::moves(games, sample, method, players);
    written.extend(write_parts(dir, "moves", moves, &options.formats)?);
    Ok(written)
}

/// The names of the tables of a study of sensitivity.
const STUDY: [&str; 3] = ["sensitivity", "sensitivity-players", "repeatability"];

/// Writes the tables of a study of sensitivity into `dir` and returns their paths: `sensitivity`,
/// `sensitivity-players` and, where there is another run, `repeatability`, with the number of games
/// that it is of, in each of the `formats`.
///
/// Those of an earlier study in `dir` are replaced or removed; a report that is there stays, as
/// these tables stay where a report is written anew.
pub fn write_sensitivity(
    dir: &OutputDir,
    found: &Sensitivity,
    repeated: Option<(&[Repeatability], usize)>,
    formats: &BTreeSet<Format>,
) -> Result<Vec<PathBuf>, ReportError> {
    // One table alone may be somebody else's, both of them hardly.
    let had_study = STUDY[..2].iter().all(|table| dir.has_file(|name| is_table(name, table)));
    let mut written = write_table(dir, STUDY[0], &frame::sensitivity(found)?, formats)?;
    written.extend(write_table(dir, STUDY[1], &frame::sensitivity_players(found)?, formats)?);
    if let Some((rows, games)) = repeated {
        written.extend(write_table(dir, STUDY[2], &frame::repeatability(rows, games)?, formats)?);
    }
    if had_study {
        let is_study = |name: &str| STUDY.iter().any(|table| is_table(name, table));
        dir.remove_stale(&names(&written), is_study)?;
    }
    Ok(written)
}

/// Whether `name` is that of the table in one of the formats.
fn is_table(name: &str, table: &str) -> bool {
    Format::ALL.iter().any(|format| name == format!("{table}.{format}"))
}

/// The names of files.
fn names(paths: &[PathBuf]) -> BTreeSet<String> {
    paths.iter().filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect()
}

/// One table in each format.
fn write_table(
    dir: &OutputDir,
    name: &str,
    table: &DataFrame,
    formats: &BTreeSet<Format>,
) -> Result<Vec<PathBuf>, ReportError> {
    write_parts(dir, name, || [Ok(table.clone())], formats)
}

/// One table that comes in parts, in each format.
fn write_parts<P: IntoIterator<Item = PolarsResult<DataFrame>>>(
    dir: &OutputDir,
    name: &str,
    parts: impl Fn() -> P,
    formats: &BTreeSet<Format>,
) -> Result<Vec<PathBuf>, ReportError> {
    let write = |format: &Format| {
        let name = format!("{name}.{format}");
        let failed = |source| ReportError::Export { path: dir.path().join(&name), source };
        dir.write(&name, |file| format.write_parts(parts(), file).map_err(failed))
    };
    formats.iter().map(write).collect()
}

fn write_bytes(dir: &OutputDir, name: &str, bytes: &[u8]) -> Result<PathBuf, ReportError> {
    let failed = |source| FileError::Write { path: dir.path().join(name), source };
    dir.write(name, |file| file.write_all(bytes).map_err(|source| failed(source).into()))
}
