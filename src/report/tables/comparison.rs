//! The tables of differences between players: ranks and pairs, with the verdict in words.

use crate::base::text::rounded;
use crate::measure::{PlayerPair, PlayerResult, PlayerSelection, Tournament, Unit};
use crate::numbers::Bootstrap;
use crate::report::table::{ColumnPart, Screen, Table};
use crate::report::{table::layout::note, words, words::method::counted, words::numbers::MISSING};

/// A matrix of more players than this is unreadable in a terminal.
const MATRIX: usize = 16;

pub fn ranks(tournament: &Tournament, screen: Screen) -> Option<String> {
    let players: Vec<&PlayerResult> =
        tournament.players.iter().filter(|player| player.ranks.is_some()).collect();
    let ranked = players.iter().find_map(|player| player.ranks).filter(|ranks| ranks.of > 1)?.of;
    let Bootstrap { samples, seed } = tournament.method.bootstrap;
    let places = |player: &PlayerResult| match player.ranks {
        Some(ranks) if ranks.low == ranks.high => ranks.low.to_string(),
        Some(ranks) => format!("{} to {}", ranks.low, ranks.high),
        None => MISSING.to_owned(),
    };
    let note = format!(
        "Places among the {ranked} players with moves in two games or more, from {samples} samples of whole games, seed \
         {seed}."
    );
    let table = Table::shown(&players)
        .player()
        .heading(ColumnPart::Names.under("Player"))
        .first()
        .heading(ColumnPart::PercentSign.under("Chance of\nbeing first"))
        .display_text("95 % of\nplaces", |player| places(player));
    let title = "Places by expected score, if other games of the same kind were played";
    Some(table.layout(title, [vec![note], counted(&tournament.method)].concat()).shown(screen))
}

pub const PAIRS: &str = "pairs";

pub fn pair_table(tournament: &Tournament, selection: &PlayerSelection) -> Table {
    let name = |pair: &PlayerPair, which: usize| tournament.players[pair.players[which]].name.as_str();
    let shown = |pair: &&PlayerPair| [0, 1].iter().any(|&which| selection.has(name(pair, which)));
    let pairs: Vec<&PlayerPair> = tournament.pairs.iter().filter(shown).collect();
    let row =
        "One row per pair of players with moves, in the order of the players; written with `--also pairs`.";
    Table::of(PAIRS, row, &pairs)
        .column("player", "The first player.", |pair| name(pair, 0))
        .column("opponent", "The second player.", |pair| name(pair, 1))
        .number("expected_score", Unit::Score, "", |pair| pair.score)
        .means("Expected score of the first player's gains against the second's.")
        .number("expected_score_se", Unit::Score, "Standard error of the score.", |pair| pair.standard_error)
        .number("z", Unit::StandardErrors, "Distance of the score from ½.", |pair| pair.z)
        .number("p", Unit::Probability, "", |pair| pair.p)
        .means(
            "Probability of a distance at least as large, in either direction, if the two players are \
             equally good.",
        )
        .number("p_holm", Unit::Probability, "", |pair| pair.p_holm)
        .means("`p`, Holm-adjusted for the number of pairs.")
        .filter(&tournament.method)
        .table()
}

pub fn pairs(tournament: &Tournament, screen: Screen) -> Option<String> {
    let verdict = words::tournament::verdict(tournament)?;
    let moved = moved(tournament);
    if moved.len() > MATRIX && !tournament.pairs.is_empty() {
        return Some(note(&format!("{verdict} The file of pairs lists all pairs."), screen) + "\n");
    }
    if tournament.pairs.is_empty() {
        return Some(note(&verdict, screen) + "\n");
    }
    let mut table = Table::shown(&moved).display(ColumnPart::Names.under("Player"), |&(number, place)| {
        format!("{number} {}", tournament.players[place].name)
    });
    for &(number, column) in &moved {
        table = table.display_text(number.to_string(), move |&(_, row)| {
            tournament.pair(row, column).map_or(String::new(), |pair| score_of(pair, row))
        });
    }
    let note = "Expected score of the row's player against the column's player, in percent (Eqs. 7 and 8 of the \
        paper). * marks pairs whose players differ significantly (Holm-adjusted p below 0.05).";
    let notes = [vec![note.to_owned(), verdict], counted(&tournament.method)].concat();
    Some(
        table
            .layout("Pairs: the gains of each player against those of every other player", notes)
            .shown(screen),
    )
}

/// Returns each player with moves: the number in a matrix of pairs, from 1, and the index.
pub(in crate::report) fn moved(tournament: &Tournament) -> Vec<(usize, usize)> {
    let moved = tournament.players.iter().enumerate().filter(|(_, player)| player.moves() > 0);
    (1..).zip(moved.map(|(place, _)| place)).collect()
}

pub(in crate::report) fn score_of(pair: &PlayerPair, place: usize) -> String {
    let mark = if pair.is_significant() { "*" } else { "" };
    format!("{}{mark}", rounded(100.0 * pair.score_of(place), 1))
}
