//! Owns the report of a tournament: its tables, pictures, summary and page.

use std::collections::BTreeSet;

use super::{
    ReportError,
    html::{self, Source},
    pictures::{self, Pictures},
    plots::Caption,
    publish::{PAGE, Report, ReportFile, ReportFormats, ReportKind, publish, write_bytes, write_table},
    summary::Summary,
    table::ExportError,
    tables::{self, PlayerFigures},
};
use crate::chess::{EvaluatedGame, Metric};
use crate::files::{Publication, SummaryFacts};
use crate::measure::{
    Analysis, EngineHistogram, Method, MoveSample, PlayerSelection, QualityOfPlay, RankedFrom, ScoreKept,
    Tournament,
};

/// The players of some games.
pub static TOURNAMENT: ReportKind = ReportKind {
    written_by: "`gainalyze FILE…` and `gainalyze report`",
    files: &[
        ReportFile::Summary(
            "summary.json",
            "everything that follows from games, evaluations and options, at full precision",
        ),
        ReportFile::OfRun("`run.json`", "how the run went: command line, time, searches; no two runs agree"),
        ReportFile::Page,
        ReportFile::Pictures(&[
            pictures::EXPECTED_SCORE,
            pictures::ELO_PERFORMANCE,
            pictures::HISTOGRAMS,
            "histogram-<player>",
            "game-<number>",
        ]),
    ],
    tables: || {
        // A tournament of nobody, by the options that have the most columns.
        let method = Method { engine_histogram: EngineHistogram::Own, ..Method::default() };
        let (tournament, all) = (Tournament::from_records([], &method), PlayerSelection::All);
        let unrated =
            QualityOfPlay::ranked(&MoveSample::default(), None, &[], &method, RankedFrom::default());
        let probabilities = Method { metric: Metric::Wdl, ..method.clone() };
        vec![
            tables::quality_table(&unrated, &all),
            tables::quality_parts_table(&unrated, &all),
            tables::players(&tournament, &PlayerFigures::default(), &all),
            tables::pair_table(&tournament, &all),
            tables::score_kept_table(&ScoreKept::default(), &method, &all),
            tables::statistics_table(&[], &method, &all),
            tables::splits_table(&[], &method, &all),
            tables::histograms(&tournament, &all),
            tables::game_table(&[]),
            tables::move_table(&[], true, &probabilities),
        ]
    },
    results: None,
};

/// What is written, and of whom.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReportOptions {
    /// What files are written as.
    pub formats: ReportFormats,
    /// Players that tables and pictures show. The numbers stay those of the whole tournament.
    pub players: PlayerSelection,
    /// The games that are drawn move by move, by their numbers among all games read.
    pub games: BTreeSet<usize>,
    /// What stands below the titles of pictures.
    pub caption: Caption,
    /// What the page tells beside the numbers.
    pub page: PageFacts,
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

/// Returns the names of the files that a report with those `options` may have, of a tournament of those
/// `players`.
pub fn file_names<'a>(options: &ReportOptions, players: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    TOURNAMENT.file_names(&options.formats, pictures::names(players, &options.games))
}

/// Writes the whole report: tables, summary, pictures and page.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(
    out: &Publication<'_>,
    (analysis, quality): (&Analysis, &QualityOfPlay),
    sample: &MoveSample,
    games: &[EvaluatedGame],
    options: &ReportOptions,
    facts: &SummaryFacts,
) -> Result<(), ReportError> {
    let ReportOptions { formats, players, .. } = options;
    let method = &analysis.tournament.method;
    let tables = match formats.tables.is_empty() {
        true => Vec::new(),
        false => files((analysis, quality), sample, games, players),
    };
    for &format in &formats.tables {
        let moves = tables::moves(games, sample, method, players).map(Ok::<_, ExportError>);
        write_table(out, tables::MOVES, moves, format)?;
    }
    let summary = Summary { analysis, quality, facts };
    publish(&Report::new(&TOURNAMENT, tables, Some(&summary)), out, formats)?;
    if formats.pictures.is_empty() && !formats.page {
        return Ok(());
    }
    let pictures = Pictures::of(&analysis.tournament, sample, options);
    pictures.write(out, games, options)?;
    if formats.page {
        let source = Source { analysis, quality, sample, games, facts, options, pictures: &pictures };
        write_bytes(out, PAGE, html::page(&source)?.as_bytes())?;
    }
    Ok(())
}

/// Returns all tables but that of the moves, which comes in parts.
fn files(
    (analysis, quality): (&Analysis, &QualityOfPlay),
    sample: &MoveSample,
    games: &[EvaluatedGame],
    players: &PlayerSelection,
) -> Vec<super::table::Table> {
    let tournament = &analysis.tournament;
    let method = &tournament.method;
    let figures = PlayerFigures::of(analysis, quality, sample);
    let mut all = vec![
        tables::quality_table(quality, players),
        tables::quality_parts_table(quality, players),
        tables::players(tournament, &figures, players),
        tables::pair_table(tournament, players),
        tables::score_kept_table(&analysis.kept, method, players),
        tables::statistics_table(&analysis.statistics, method, players),
    ];
    if !analysis.splits.is_empty() {
        all.push(tables::splits_table(&analysis.splits, method, players));
    }
    all.push(tables::histograms(tournament, players));
    all.push(tables::games(games, sample, method, players));
    all
}
