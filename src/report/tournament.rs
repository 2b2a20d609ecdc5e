//! The report of a tournament: its tables, pictures, summary and page.

use std::collections::BTreeSet;

#[cfg(feature = "program")]
use super::{
    ReportError, table::ExportError, writing::publish, writing::write_bytes, writing::write_page,
    writing::write_table,
};
use super::{
    html, html::provenance, html::provenance::making, pictures, pictures::ReportOptions, pictures::Source,
    publish::Extra, publish::Report, publish::ReportFile, publish::ReportKind, summary::Summary,
    table::Table, tables,
};
#[cfg(feature = "program")]
use crate::base::output::Publication;
use crate::chess::{EvaluatedGame, Metric};
use crate::measure::{
    EngineHistogram, Findings, FindingsDesign, Method, PlayerSelection, quality::standings,
};

pub static TOURNAMENT: ReportKind = ReportKind {
    written_by: "`gainalyze FILE…` and `gainalyze report`",
    files: &[
        ReportFile::Summary("summary.json"),
        ReportFile::Page,
        ReportFile::Fixed(PAPER),
        ReportFile::Pictures(&[
            pictures::RANKING,
            pictures::CARD,
            "game-<number>",
            pictures::EXPECTED_SCORE,
            pictures::ELO_PERFORMANCE,
            pictures::HISTOGRAMS,
            "histogram-<player>",
        ]),
    ],
    tables: || {
        // A tournament without players, with the options that have the most columns.
        let method = Method { engine_histogram: EngineHistogram::Own, ..Method::default() };
        let design = FindingsDesign { method: method.clone(), ..FindingsDesign::default() };
        let (findings, _) = Findings::of(&[], Err(None), None, &design);
        let mut all = files(&findings, &[], &PlayerSelection::All);
        #[cfg(feature = "program")]
        all.extend([tables::peers::odds_table(&[]), tables::screening::table(&[])]);
        all.push(tables::moves::move_table(&[], true, &Method { metric: Metric::Wdl, ..method }));
        all
    },
};

pub fn file_names<'a>(options: &ReportOptions, players: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut names = TOURNAMENT.file_names(&options.formats, pictures::names(players, &options.games));
    names.retain(|name| has(&options.formats.extras, name));
    names
}

/// Returns the extras (values of `--also`) to which files with these names belong.
pub fn extras_of<'n>(names: impl IntoIterator<Item = &'n str>) -> BTreeSet<Extra> {
    names.into_iter().filter_map(extra).collect()
}

/// The page of the paper's tables.
pub const PAPER: &str = "paper.html";

/// Returns true if a report with these extras includes the file, table or picture `name`.
fn has(extras: &BTreeSet<Extra>, name: &str) -> bool {
    extra(name).is_none_or(|extra| extras.contains(&extra) || extras.contains(&Extra::All))
}

/// Returns the extra to which the file, table or picture `name` belongs; `None` if every report includes it.
pub fn extra(name: &str) -> Option<Extra> {
    let name = name.split('.').next().unwrap_or_default();
    match name {
        pictures::EXPECTED_SCORE | pictures::ELO_PERFORMANCE | tables::measures::SCORE_KEPT | "paper" => {
            Some(Extra::Paper)
        }
        tables::comparison::PAIRS => Some(Extra::Pairs),
        pictures::HISTOGRAMS => Some(Extra::Histograms),
        name if name.starts_with(pictures::HISTOGRAM) => Some(Extra::Histograms),
        _ => None,
    }
}

#[cfg(feature = "program")]
pub fn write(out: &Publication<'_>, source: &Source<'_>) -> Result<(), ReportError> {
    let formats = &source.options.formats;
    for &format in &formats.tables {
        write_table(out, tables::moves::MOVES, moves(source).map(Ok::<_, ExportError>), format)?;
    }
    let report = made(source);
    publish(&report, out, formats)?;
    if formats.has_paper() {
        write_bytes(out, PAPER, html::paper::page(&report, source)?.as_bytes())?;
    }
    write_page(out, formats, || html::page(&report, source))
}

pub fn page_and_report(source: &Source<'_>) -> Result<(String, Report), askama::Error> {
    let report = made(source);
    Ok((html::page(&report, source)?, report))
}

pub fn moves<'s>(source: &'s Source<'_>) -> impl Iterator<Item = Table> + use<'s> {
    let Findings { sample, analysis, .. } = source.findings;
    tables::moves::moves(source.games, sample, &analysis.tournament.method, &source.options.players)
}

/// Returns the headline of a report on a single game, as a line of the terminal; empty for other reports.
pub fn headline_of_one(source: &Source<'_>) -> String {
    provenance::of_one(source).map_or(String::new(), |headline| headline + "\n")
}

fn made(source: &Source<'_>) -> Report {
    let Source { findings, games, facts, options } = *source;
    let Findings { analysis, quality, .. } = findings;
    let ReportOptions { formats, players, command, .. } = options;
    let mut tables = match formats.tables.is_empty() {
        true => Vec::new(),
        false => files(findings, games, players),
    };
    tables.retain(|table| table.name != tables::measures::SPLITS || !analysis.splits.is_empty());
    tables.retain(|table| has(&formats.extras, table.name));
    let (title, sentences) = (provenance::title(source), provenance::sentences(source));
    // The page of the paper's tables shows its pictures, even if none is written.
    let wants = |name: &str| match formats.pictures.is_empty() {
        true => formats.has_paper() && extra(name) == Some(Extra::Paper),
        false => has(&formats.extras, name),
    };
    let words = [title.as_str(), sentences.first().map_or("", String::as_str)];
    let drawings = pictures::drawings(source, words, wants);
    let report = Report {
        title,
        sentences,
        facts: making(provenance::facts(source), command),
        drawings,
        tables,
        ..Report::default()
    };
    report.with_summary(&TOURNAMENT, &Summary { analysis, quality, facts })
}

/// Returns the tables of the screening and of the odds of single games, if there are any.
#[cfg(feature = "program")]
fn more_files(findings: &Findings, players: &PlayerSelection) -> Vec<Table> {
    let compared = findings.quality.rows.iter().filter(|row| players.has(&row.player));
    let odds: Vec<_> =
        compared.flat_map(|row| tables::peers::ranked_games(&row.player, row.peers.as_ref())).collect();
    let screened = findings.screening.iter().flatten();
    let screened =
        screened.map(|screening| tables::screening::table(&screening.rows_of(|player| players.has(player))));
    screened.chain((!odds.is_empty()).then(|| tables::peers::odds_table(&odds))).collect()
}

fn files(findings: &Findings, games: &[EvaluatedGame], players: &PlayerSelection) -> Vec<Table> {
    let Findings { sample, analysis, quality, .. } = findings;
    let tournament = &analysis.tournament;
    let method = &tournament.method;
    let mut standings = standings(quality, analysis, sample);
    standings.retain(|standing| players.has(&standing.result.name));
    #[cfg_attr(not(feature = "program"), expect(unused_mut))]
    let mut files = vec![
        tables::ranking::quality_table(quality, players),
        tables::ranking::quality_parts_table(quality, players),
        tables::players::players(&standings, method),
        tables::comparison::pair_table(tournament, players),
        tables::measures::score_kept_table(&analysis.kept, method, players),
        tables::measures::statistics_table(&analysis.statistics, method, players),
        tables::measures::splits_table(&analysis.splits, method, players),
        tables::players::histograms(tournament, players),
        tables::games::games(games, sample, method, players),
    ];
    #[cfg(feature = "program")]
    files.extend(more_files(findings, players));
    files
}
