//! Owns `report.html`: the whole report as one page that needs nothing else, neither a network nor
//! JavaScript.
//!
//! askama fills the template: it is compiled with the program, which checks every name in it, and
//! escapes every value unless the template says otherwise.

pub(super) mod board;
mod data;
mod event;
mod games;
pub(super) mod key_moves;
mod pairs;
pub(super) mod provenance;
mod summary_text;
pub(super) mod table;

use askama::Template;

use self::{event::EventView, games::GameView, key_moves::Moment, pairs::PairTable, table::PageTable};
use super::{
    pictures::Pictures,
    plots::canvas::{Drawing, escaped},
    tournament::ReportOptions,
};
use crate::chess::{
    EvaluatedGame,
    text::{cut, printable},
};
use crate::files::SummaryFacts;
use crate::measure::{Analysis, MoveSample, QualityOfPlay};
use crate::report::{tables, words, words::numbers::MISSING};

pub struct Source<'a> {
    pub analysis: &'a Analysis,
    pub quality: &'a QualityOfPlay,
    pub sample: &'a MoveSample,
    /// The games, in the order of the sample.
    pub games: &'a [EvaluatedGame],
    pub facts: &'a SummaryFacts,
    pub options: &'a ReportOptions,
    pub pictures: &'a Pictures<'a>,
}

/// Columns that a name may take on the page: long enough for any, and no page of its own.
const NAME: usize = 60;

/// Returns a name as the page shows it.
pub(super) fn name(text: &str) -> String {
    cut(&printable(text), NAME)
}

pub(super) const STYLE: &str = include_str!("style.css");

pub(super) const TABLES_SCRIPT: &str = include_str!("tables.js");

pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

const SCRIPT: &str = concat!(include_str!("tables.js"), include_str!("script.js"), include_str!("live.js"));

#[derive(Template)]
#[template(path = "report/html/page.html")]
struct TournamentPage<'a> {
    title: String,
    sentences: Vec<String>,
    data: String,
    symbols: String,
    ranking: PageTable,
    ranking_title: &'static str,
    ranking_notes: Vec<String>,
    parts: Option<PageTable>,
    parts_title: &'static str,
    paper: PageTable,
    pictures: &'a Pictures<'a>,
    histograms: Vec<Figure<'a>>,
    unseen_players: usize,
    event: Option<EventView>,
    pairs: Option<PairTable>,
    verdict: Option<String>,
    costly: Vec<Moment>,
    gained: Vec<Moment>,
    games: Vec<GameView>,
    games_note: Option<String>,
    players: Vec<String>,
    facts: Vec<(String, String)>,
    left_out: Vec<String>,
    left_out_more: u64,
    notes: Vec<String>,
    reload: Option<u32>,
}

struct Figure<'a> {
    name: String,
    drawing: &'a Drawing,
}

const HISTOGRAMS: usize = 40;

const LEFT_OUT: usize = 50;

pub fn page(source: &Source<'_>) -> Result<String, askama::Error> {
    let shown = source.analysis.narrowed(|player| source.options.players.has(player));
    let quality = source.quality.narrowed(|player| source.options.players.has(player));
    let games = games::choose(source);
    let figures = source.pictures.histograms.iter().take(HISTOGRAMS);
    let page = TournamentPage {
        title: summary_text::title(source),
        sentences: summary_text::sentences(source),
        data: data::json(source, &games.chosen),
        symbols: board::symbols() + &board::coordinates(),
        ranking: PageTable::of("ranking-table-title", tables::ranking(&quality)),
        ranking_title: words::quality::title(&quality),
        ranking_notes: words::quality::notes(&quality),
        parts: tables::parts(&quality).map(|layout| PageTable::of("parts-title", layout)),
        parts_title: words::quality::parts_title(&quality),
        paper: PageTable::of("paper-title", tables::paper_page(&shown)),
        pictures: source.pictures,
        histograms: figures.map(|(player, drawing)| Figure { name: name(player), drawing }).collect(),
        unseen_players: source.pictures.histograms.len().saturating_sub(HISTOGRAMS),
        event: EventView::of(source),
        pairs: PairTable::of(&shown.tournament),
        verdict: words::tournament::verdict(&shown.tournament),
        costly: key_moves::costly(source),
        gained: key_moves::gained(source),
        players: games.players(),
        games_note: games.note(),
        games: games.views(source),
        facts: provenance::facts(source),
        left_out: provenance::left_out(source, LEFT_OUT),
        left_out_more: source.facts.games.count_left_out().saturating_sub(LEFT_OUT as u64),
        notes: words::tournament::notes(&shown.tournament),
        reload: source.options.page.reload,
    };
    page.render()
}
