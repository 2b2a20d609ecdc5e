//! `report.html`: the report as one page that needs neither a network nor JavaScript.
//!
//! The template engine is askama. It compiles the template with the program, checks every name in it, and
//! escapes every value unless the template says otherwise.

pub(crate) mod board;
mod data;
mod event;
pub(super) mod game;
pub(super) mod games;
pub(super) mod key_moves;
mod live;
#[cfg(feature = "program")]
pub(super) mod paper;
pub(super) mod profile;
pub(super) mod provenance;

use askama::Template;

use self::{
    event::EventView, event::PointsAgainstMoves, games::Choice, key_moves::Moment, live::LiveGame,
    profile::ProfileView,
};
use crate::measure::{
    EventCrossTable, Findings, PlayDivision, QualityBasis, QualityOfPlay, Standing, quality::standings,
};
use crate::report::{
    pictures::Source, plots::bar_table::BarTable, plots::bar_table::points, publish::Report, rendered,
    table::page::PageTable, tables, words, words::names::natural_list,
};

/// The typefaces in Base64, then the style of all pages.
pub(crate) const STYLE: &str = concat!(
    "@font-face{font-family:\"Gainalyze Serif\";font-weight:600;src:url(data:font/woff2;base64,",
    include_str!("../fonts/serif.txt"),
    ")}\n@font-face{font-family:\"Gainalyze Sans\";src:url(data:font/woff2;base64,",
    include_str!("../fonts/sans.txt"),
    ")}\n@font-face{font-family:\"Gainalyze Sans\";font-weight:600;src:url(data:font/woff2;base64,",
    include_str!("../fonts/sans-bold.txt"),
    ")}\n",
    include_str!("style.css"),
    include_str!("boards.css"),
    include_str!("profile.css"),
);

#[cfg(feature = "program")]
pub(super) const TABLES_SCRIPT: &str = include_str!("tables.js");

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The script of boards. On a page, it precedes the scripts that use boards.
pub(crate) const BOARD_SCRIPT: &str = include_str!("board.js");

const SCRIPT: &str = concat!(include_str!("tables.js"), include_str!("script.js"), include_str!("live.js"));

/// The engine as WebAssembly, packed by gzip, in Base64. Empty if the program was built without it (build.rs).
pub(crate) const ENGINE: &str = include_str!(concat!(env!("OUT_DIR"), "/engine.txt"));

/// The script that starts workers with WebAssembly. On a page, it precedes the scripts that use workers.
pub(crate) const ENGINE_SCRIPT: &str = include_str!("engine.js");

pub(crate) const WORKER: &str = include_str!("worker.js");

/// Additional permissions, in the Content-Security-Policy, of a page with WebAssembly.
pub(crate) const ENGINE_POLICY: &str = " 'wasm-unsafe-eval' blob:; worker-src blob:";

#[derive(Template)]
#[template(path = "report/html/page.html")]
struct TournamentPage<'a> {
    report: &'a Report,
    source: &'a Source<'a>,
    quality: &'a QualityOfPlay,
    front: BarTable,
    standings: Vec<Standing<'a>>,
    /// The comparison of places by points and by moves.
    slope: Option<PointsAgainstMoves>,
    decisive: Vec<Moment>,
    /// The games in progress.
    live: Vec<LiveGame>,
    games: Choice<'a>,
    parts: Option<PageTable>,
    event: Option<EventView>,
    /// True if the page of the paper's tables is written too.
    has_paper: bool,
    left_out_more: u64,
    /// The sentences of the screening, and its table.
    screening: Option<(Vec<String>, PageTable)>,
    /// The profile, if the games are a collection of one player.
    own: Option<ProfileView<'a>>,
}

impl TournamentPage<'_> {
    fn cross(&self) -> Option<&EventCrossTable> {
        self.event.as_ref()?.profile.cross.as_ref()
    }

    fn is_by_round(&self) -> bool {
        self.cross().is_some_and(|cross| !cross.rounds.is_empty())
    }

    /// Returns a sentence that says if games are in progress.
    fn state(&self) -> &'static str {
        if self.source.in_progress() > 0 { "Games are in progress." } else { "Every game has its result." }
    }

    /// Returns true if the page has the moves that decided games: not for a single game or player, and during play only
    /// if a move decided a finished game.
    fn has_moments(&self) -> bool {
        let is_undecided = !self.live.is_empty() && self.decisive.is_empty();
        !self.source.is_one() && self.own.is_none() && !is_undecided
    }

    /// Returns the players with the most points; empty if the games are not the rounds of one event, or not
    /// finished.
    fn winners(&self) -> String {
        let finished = self.cross().filter(|cross| !cross.rounds.is_empty() && self.live.is_empty());
        let Some(cross) = finished else { return String::new() };
        let most = cross.rows.iter().map(|row| row.half_points).max().unwrap_or_default();
        let first = cross.rows.iter().filter(|row| row.half_points == most);
        let first: Vec<String> = first.map(|row| row.player.clone()).collect();
        format!("{} first by points ({})", natural_list(&first, 3), points(most))
    }
}

const LEFT_OUT: usize = 50;

pub fn page(report: &Report, source: &Source<'_>) -> Result<String, askama::Error> {
    let players = &source.options.players;
    let Findings { sample, analysis, quality, .. } = source.findings;
    let quality = &quality.narrowed(|player| players.has(player));
    let mut standings = standings(quality, analysis, sample);
    standings.retain(|standing| players.has(&standing.result.name));
    let event = EventView::of(source);
    let cross = event.as_ref().and_then(|event| event.profile.cross.as_ref());
    let games = games::choose(source);
    let page = TournamentPage {
        report,
        source,
        quality,
        front: BarTable::of(&standings, quality),
        slope: cross.and_then(|cross| PointsAgainstMoves::of(cross, quality)),
        decisive: key_moves::decisive(source, cross),
        standings,
        live: live::of(source, &games),
        games,
        parts: tables::ranking::parts(quality).map(|layout| PageTable::of("parts-title", layout)),
        event,
        has_paper: source.options.formats.has_paper(),
        screening: screening(source),
        own: source.own().map(|own| ProfileView::of(own, source.games, analysis.tournament.method.clip)),
        left_out_more: source.facts.games.count_left_out().saturating_sub(LEFT_OUT as u64),
    };
    rendered(&page)
}

#[cfg(feature = "program")]
fn screening(source: &Source<'_>) -> Option<(Vec<String>, PageTable)> {
    let screening = source.findings.screening.as_ref()?.as_ref().ok()?;
    let rows = screening.rows_of(|player| source.options.players.has(player));
    let layout = tables::screening::layout(screening, &rows);
    Some((tables::screening::sentences(screening).into(), PageTable::of("screening-title", layout)))
}

#[cfg(not(feature = "program"))]
fn screening(_: &Source<'_>) -> Option<(Vec<String>, PageTable)> {
    None
}

pub(in crate::report) fn asked(division: &PlayDivision) -> (&'static str, PageTable) {
    let table = PageTable::of(format!("by-{}", division.by), tables::profile::profile_division(division));
    (words::profile::headings(division.by)[1], table)
}
