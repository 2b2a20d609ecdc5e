//! `paper.html`: the tables and pictures of D. R. Ferreira's paper, as a page beside the report.

use askama::Template;

use super::{
    BOARD_SCRIPT, games::turns, key_moves::Moment, key_moves::of_turn, provenance::making, provenance::title,
};
use crate::base::text::rounded;
use crate::measure::{Analysis, PlayerPair, Tournament};
use crate::report::{
    html::provenance, pictures, pictures::Source, plots::canvas::Drawing, plots::gains::Gains,
    plots::gains::Scale, plots::histogram, publish::Report, rendered, summary::object,
    table::page::PageTable, tables, tables::comparison::moved, tables::comparison::score_of, words,
    words::names::first_and_last, words::names::name, words::numbers::p_value,
};

const PAPER_SCRIPT: &str = concat!(include_str!("tables.js"), include_str!("overlay.js"));

/// Number of moves that gained most on the page.
const GAINED: usize = 6;

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
        gained: turns(source, GAINED).gained.iter().map(|turn| of_turn(source, turn)).collect(),
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

const MATRIX: usize = 24;

const NAMED: usize = 40;

pub struct PairTable {
    /// Numbers and indices of the players of the matrix; empty if there are too many players for a matrix.
    pub players: Vec<(usize, usize)>,
    pub significant: Vec<String>,
    pub more: usize,
}

impl PairTable {
    /// Returns the pairs of the players that are shown; `None` if fewer than two have moves.
    pub fn of(tournament: &Tournament) -> Option<PairTable> {
        let players = moved(tournament);
        match players.len() {
            0 | 1 => None,
            2..=MATRIX => Some(PairTable { players, significant: Vec::new(), more: 0 }),
            _ => {
                let significant = tournament.pairs.iter().filter(|pair| pair.is_significant());
                let mut significant: Vec<String> =
                    significant.map(|pair| says(tournament, pair.players, pair)).collect();
                let more = significant.len().saturating_sub(NAMED);
                significant.truncate(NAMED);
                Some(PairTable { players: Vec::new(), significant, more })
            }
        }
    }
}

pub fn cell(tournament: &Tournament, row: &usize, column: &usize) -> Option<(bool, String, String)> {
    let pair = tournament.pair(*row, *column)?;
    Some((pair.is_significant(), says(tournament, [*row, *column], pair), score_of(pair, *row)))
}

fn says(tournament: &Tournament, players: [usize; 2], pair: &PlayerPair) -> String {
    let [row_name, column_name] = players.map(|place| name(&tournament.players[place].name));
    let p = pair.p_holm.map_or(String::new(), |p| format!(", adjusted p {}", p_value(p)));
    format!("{row_name} against {column_name}: {} %{p}", rounded(100.0 * pair.score_of(players[0]), 1))
}
