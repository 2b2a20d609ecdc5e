//! `paper.html`: the tables and pictures of D. R. Ferreira's paper, as a page beside the report.

use askama::Template;

use super::{
    BOARD_SCRIPT, event, event::PairTable, key_moves, key_moves::Moment, provenance::making,
    provenance::title,
};
use crate::measure::{Analysis, Tournament};
use crate::report::{
    html::provenance, pictures, pictures::Source, plots::canvas::Drawing, plots::gains::Gains,
    plots::gains::Scale, plots::histogram, publish::Report, rendered, summary::object,
    table::page::PageTable, tables, words, words::names::first_and_last, words::names::name,
};

const PAPER_SCRIPT: &str = concat!(include_str!("tables.js"), include_str!("overlay.js"));

/// Largest number of histograms on the page.
const HISTOGRAMS: usize = 40;

/// Largest number of players whose histograms can be overlaid.
const PLAYERS: usize = 300;

#[derive(Template)]
#[template(path = "report/html/paper.html")]
struct PaperPage<'a> {
    report: Report,
    /// The report whose pictures are shown.
    files: &'a Report,
    source: &'a Source<'a>,
    shown: &'a Analysis,
    /// Each player with the shares of losses, zeros and gains.
    histograms: Vec<(String, String, Drawing)>,
    unseen_players: usize,
    pairs: Option<PairTable>,
    gained: Vec<Moment>,
    data: String,
}

pub fn page(files: &Report, source: &Source<'_>) -> Result<String, askama::Error> {
    let (players, analysis) = (&source.options.players, &source.findings.analysis);
    let shown = &analysis.narrowed(|player| players.has(player));
    let tournament = &analysis.tournament;
    let names: Vec<&str> = tournament.players.iter().map(|player| player.name.as_str()).collect();
    let mut gains = Gains::of_players(&names, &source.findings.sample, &tournament.method);
    let scale = Scale::of(&gains);
    gains.retain(|gains| players.has(&gains.player));
    let small = |gains: &Gains| (name(&gains.player), gains.shares(), histogram::draw_small(gains, scale));
    let page = PaperPage {
        report: Report {
            title: title(source),
            sentences: sentences(&shown.tournament),
            facts: making(provenance::facts(source), &source.options.command),
            ..Report::default()
        },
        files,
        source,
        shown,
        histograms: gains.iter().take(HISTOGRAMS).map(small).collect(),
        unseen_players: gains.len().saturating_sub(HISTOGRAMS),
        pairs: PairTable::of(&shown.tournament),
        gained: key_moves::gained(source),
        data: json(&gains[..gains.len().min(PLAYERS)], scale),
    };
    rendered(&page)
}

/// Returns the finding and its meaning.
fn sentences(tournament: &Tournament) -> Vec<String> {
    let scores =
        tournament.players.iter().filter_map(|one| Some((&one.name, one.expected_score?.estimate())));
    let finding = match scores.max_by(|(_, a), (_, b)| a.value.total_cmp(&b.value)) {
        Some((best, score)) => {
            let names: String =
                first_and_last(&[best]).into_iter().map(|(first, last)| first + &last).collect();
            format!("{names} has the highest paper score ({:.4}).", score.value)
        }
        None => "No player has a paper score.".to_owned(),
    };
    let meaning = "The paper score compares the gains of a player’s moves with the gains of the engine’s moves. It \
                   does not determine the ranking, because another run of the engine gives another order of the \
                   players.";
    vec![finding, meaning.to_owned()]
}

/// Returns the histograms as JSON that is safe in a page: nothing in it ends a script.
fn json(gains: &[Gains], scale: Scale) -> String {
    serde_json::to_string(&Histograms { gains, scale }).unwrap_or_default().replace('<', "\\u003c")
}

object! {
    struct Histograms<'a> { gains: &'a [Gains], scale: Scale } =>
    "range": scale.range,
    "top": scale.top,
    "tick": scale.tick,
    "players": gains.iter().map(|gains| PlayerData { gains }).collect::<Vec<_>>(),
}

object! {
    /// A histogram: the numbers of moves and of gains of 0, and each bar's center in centipawns with its moves.
    struct PlayerData<'a> { gains: &'a Gains } =>
    "name": name(&gains.player),
    "moves": gains.all.moves(),
    "zero": gains.all.zeros,
    "bars": gains.bars.iter().map(|(center, bar)| (center, bar.moves())).collect::<Vec<_>>(),
}
