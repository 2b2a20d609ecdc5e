//! Owns the report: a tournament's tables, files and pictures. It formats and draws, computes no
//! number and prints nothing.

pub mod archive;
pub mod board_game;
pub mod calibration;
pub mod deep;
pub mod experiment;
pub mod go_deep;
pub mod html;
pub mod learning;
pub mod manual;
pub mod pictures;
pub mod plots;
pub mod profile;
#[cfg(feature = "postgres")]
pub mod queue;
pub mod several;
pub mod summary;
pub mod table;
pub mod tables;
pub mod text_board;
pub mod words;

use std::{
    collections::BTreeSet,
    io::Write,
    path::{Path, PathBuf},
};

use thiserror::Error;

use self::{
    html::Source,
    pictures::Pictures,
    plots::{Caption, canvas::PlotError},
    summary::{Summary, SummaryFacts},
    table::{ExportError, Table, TablePart},
    tables::PlayerFigures,
};
use crate::chess::{EvaluatedGame, text::full_path};
use crate::files::{FileError, Format, PictureFormat, Publication};
use crate::measure::{
    Analysis, JudgeAgreement, Method, MoveSample, PlayerSelection, QualityOfPlay, Repeatability, Sensitivity,
};

/// What is written, and of whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportOptions {
    /// Formats of the tables; none writes no tables.
    pub formats: BTreeSet<Format>,
    /// Players that tables and pictures show. The numbers stay those of the whole tournament.
    pub players: PlayerSelection,
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
    /// After how many seconds the page reloads itself, where it is written again and again.
    pub reload: Option<u32>,
}

impl Default for ReportOptions {
    /// Returns CSV, and pictures of all players as PNG.
    fn default() -> ReportOptions {
        ReportOptions {
            formats: BTreeSet::from([Format::Csv]),
            players: PlayerSelection::All,
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
    /// A table could not be written.
    #[error("cannot write {}", full_path(path))]
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

/// Writes the whole report: the tables `quality`, `quality-parts`, `players`, `pairs`, `score-kept`, `statistics`, `splits` (where asked for),
/// `histograms`, `games` and `moves` in each format, `summary.json`, and at last the pictures `expected-score`,
/// `elo-performance` (where a player is rated), `histograms`, `histogram-<player>` and `game-<number>` in each of
/// theirs, and the page.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_all(
    out: &Publication<'_>,
    (analysis, quality): (&Analysis, &QualityOfPlay),
    sample: &MoveSample,
    games: &[EvaluatedGame],
    options: &ReportOptions,
    facts: &SummaryFacts,
) -> Result<(), ReportError> {
    write_tables(out, (analysis, quality), sample, games, options)?;
    write_bytes(out, SUMMARY, summary::to_json(&Summary { analysis, quality, facts })?.as_bytes())?;
    if options.plots.is_empty() && options.page.is_none() {
        return Ok(());
    }
    let pictures = Pictures::of(&analysis.tournament, sample, options);
    pictures.write(out, games, options)?;
    if let Some(page) = &options.page {
        let (featured, players, pictures) = (&options.games, &options.players, &pictures);
        let source = Source { analysis, quality, sample, games, facts, page, featured, players, pictures };
        write_bytes(out, PAGE, html::page(&source)?.as_bytes())?;
    }
    Ok(())
}

/// Returns the names of the files that a report with those `options` may have, of a tournament of those
/// `players`.
pub fn file_names<'a>(options: &ReportOptions, players: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let pictures = pictures::names(players, &options.games);
    let names = table_names(&TABLES, &options.formats).chain(picture_names(&pictures, &options.plots));
    names.chain([SUMMARY.to_owned()]).chain(options.page.is_some().then(|| PAGE.to_owned())).collect()
}

/// All numbers at full precision.
const SUMMARY: &str = "summary.json";

/// The page with everything in it.
pub const PAGE: &str = "report.html";

/// The names of tables.
const TABLES: [&str; 10] = [
    "quality",
    "quality-parts",
    "players",
    "pairs",
    "score-kept",
    "statistics",
    "splits",
    "games",
    "moves",
    "histograms",
];

fn write_tables(
    out: &Publication<'_>,
    (analysis, quality): (&Analysis, &QualityOfPlay),
    sample: &MoveSample,
    games: &[EvaluatedGame],
    options: &ReportOptions,
) -> Result<(), ReportError> {
    if options.formats.is_empty() {
        return Ok(());
    }
    let (tournament, players) = (&analysis.tournament, &options.players);
    let method = &tournament.method;
    let write = |table: Table| write_table(out, &table, &options.formats);
    write(tables::quality_table(quality, players))?;
    write(tables::quality_parts_table(quality, players))?;
    let figures = PlayerFigures::of(analysis, quality, sample);
    write(tables::players(tournament, &figures, players))?;
    write(tables::pair_table(tournament, players))?;
    write(tables::score_kept_table(&analysis.kept, method, players))?;
    write(tables::statistics_table(&analysis.statistics, method, players))?;
    if !analysis.splits.is_empty() {
        write(tables::splits_table(&analysis.splits, method, players))?;
    }
    write(tables::histograms(tournament, players))?;
    write(tables::games(games, sample, method, players))?;
    let moves = || tables::moves(games, sample, method, players).map(Ok::<_, ExportError>);
    options.formats.iter().try_for_each(|&format| write_format(out, "moves", moves(), format))
}

/// The names of the tables of a study of sensitivity.
const STUDY: [&str; 5] = ["sensitivity", "sensitivity-players", "repeatability", "judges", "blunders"];

/// A run beside another one on the same games.
#[derive(Debug, Clone)]
pub struct RunComparison {
    /// How the players' numbers repeat.
    pub repeatability: Vec<Repeatability>,
    /// How many games they are of.
    pub games: usize,
    /// How far the judges agree.
    pub judges: JudgeAgreement,
    /// The choices of method behind both.
    pub method: Method,
}

/// Writes the tables of a study of sensitivity: `sensitivity`, `sensitivity-players` and, where there is another
/// run, `repeatability`, `judges` and `blunders`, in each of the `formats`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_sensitivity(
    out: &Publication<'_>,
    found: &Sensitivity,
    compared: Option<&RunComparison>,
    formats: &BTreeSet<Format>,
) -> Result<(), ReportError> {
    write_table(out, &tables::choice_file(found), formats)?;
    write_table(out, &tables::player_choices(found), formats)?;
    let Some(RunComparison { repeatability, games, judges, method }) = compared else { return Ok(()) };
    write_table(out, &tables::repeatability_table(repeatability, *games), formats)?;
    write_table(out, &tables::judge_table(&judges.numbers, method), formats)?;
    write_table(out, &tables::blunder_table(&judges.blunders, method), formats)
}

/// Returns the names of the files that a study of sensitivity may have.
pub fn sensitivity_file_names(formats: &BTreeSet<Format>) -> Vec<String> {
    table_names(&STUDY, formats).collect()
}

/// Returns the names of the files of tables.
fn table_names<'a>(tables: &'a [&str], formats: &'a BTreeSet<Format>) -> impl Iterator<Item = String> + 'a {
    tables.iter().flat_map(move |table| formats.iter().map(move |format| format!("{table}.{format}")))
}

/// Returns the names of the files of pictures.
fn picture_names<'a, N: AsRef<str> + 'a>(
    pictures: impl IntoIterator<Item = &'a N> + 'a,
    formats: &'a BTreeSet<PictureFormat>,
) -> impl Iterator<Item = String> + 'a {
    let named = move |picture: &'a N| {
        let picture = picture.as_ref();
        formats.iter().map(move |format| format!("{picture}.{format}"))
    };
    pictures.into_iter().flat_map(named)
}

/// Writes one table in each format.
fn write_table(out: &Publication<'_>, table: &Table, formats: &BTreeSet<Format>) -> Result<(), ReportError> {
    let parts = || [Ok::<_, ExportError>(table.clone())];
    formats.iter().try_for_each(|&format| write_format(out, table.name, parts(), format))
}

/// Writes one table that comes in parts, in one format.
fn write_format(
    out: &Publication<'_>,
    name: &str,
    parts: impl IntoIterator<Item = TablePart>,
    format: Format,
) -> Result<(), ReportError> {
    let name = format!("{name}.{format}");
    let failed = |source| ReportError::Export { path: path_of(out, &name), source };
    out.write(&name, |file| table::write_parts(format, out.facts(), parts, file).map_err(failed))
}

fn write_bytes(out: &Publication<'_>, name: &str, bytes: &[u8]) -> Result<(), ReportError> {
    let failed = |source| FileError::Write { path: path_of(out, name), source };
    out.write(name, |file| file.write_all(bytes).map_err(|source| failed(source).into()))
}

/// Returns where a file will be, for messages.
fn path_of(out: &Publication<'_>, name: &str) -> PathBuf {
    Path::new(out.folder()).join(name)
}
