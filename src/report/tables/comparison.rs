//! Owns the tables of who can be told from whom: places and pairs, with the verdict in words.

use super::ferreira::each;
use crate::{
    report::{
        table::{
            Screen,
            layout::{Field, Layout, note},
        },
        words::{self, method::counted, numbers::MISSING},
    },
    stats::bootstrap::Bootstrap,
    text::{printable, rounded},
    tournament::{PlayerPair, PlayerResult, Tournament},
};

/// More players than this make a matrix that nobody reads in a terminal.
const MATRIX: usize = 16;

/// The places that each player takes as games are drawn anew; `None` without such samples.
pub fn ranks(tournament: &Tournament, screen: Screen) -> Option<String> {
    let players: Vec<&PlayerResult> =
        tournament.players.iter().filter(|player| player.ranks.is_some()).collect();
    let ranked = players.iter().find_map(|player| player.ranks).filter(|ranks| ranks.of > 1)?.of;
    let Bootstrap { samples, seed } = tournament.method.bootstrap;
    let first = |player: &PlayerResult| {
        player.ranks.map_or(MISSING.to_owned(), |ranks| format!("{} %", rounded(100.0 * ranks.first, 1)))
    };
    let places = |player: &PlayerResult| match player.ranks {
        Some(ranks) if ranks.low == ranks.high => ranks.low.to_string(),
        Some(ranks) => format!("{} to {}", ranks.low, ranks.high),
        None => MISSING.to_owned(),
    };
    let note = format!(
        "Among {ranked} players, those with moves in one game only being left out; from {samples} samples of whole \
         games, seed {seed}."
    );
    let layout = Layout {
        title: "Places by expected score, had other games of the same kind been played",
        columns: vec![
            Field::names("Player", each(&players, |player| printable(&player.name))),
            Field::number("Chance of\nbeing first", each(&players, first)),
            Field::number("95 % of\nplaces", each(&players, places)),
        ],
        notes: [vec![note], counted(&tournament.method)].concat(),
    };
    Some(layout.shown(screen))
}

/// The expected score of each player against each other, with the verdict; `None` without a move.
pub fn pairs(tournament: &Tournament, screen: Screen) -> Option<String> {
    let verdict = words::tournament::verdict(tournament)?;
    let moved: Vec<(usize, &PlayerResult)> =
        tournament.players.iter().enumerate().filter(|(_, player)| player.expected_score.is_some()).collect();
    if moved.len() > MATRIX {
        return Some(note(&format!("{verdict} The file of pairs has them all."), screen) + "\n");
    }
    if moved.len() < 2 {
        return Some(note(&verdict, screen) + "\n");
    }
    let number = |place: usize| moved.iter().position(|&(other, _)| other == place).map_or(0, |n| n + 1);
    let names = moved.iter().map(|&(place, player)| format!("{} {}", number(place), printable(&player.name)));
    let mut fields = vec![Field::names("Player", names.collect())];
    for &(column, _) in &moved {
        let cells = moved.iter().map(|&(row, _)| cell(tournament, row, column)).collect();
        fields.push(Field::number(number(column).to_string(), cells));
    }
    let note = "Expected score of the row's player against the column's in percent (Eqs. 7 and 8); * where they can \
                be told apart (Holm-adjusted p below 0.05).";
    let layout = Layout {
        title: "Pairs: each player's gains against each other's",
        columns: fields,
        notes: [vec![note.to_owned(), verdict], counted(&tournament.method)].concat(),
    };
    Some(layout.shown(screen))
}

fn cell(tournament: &Tournament, row: usize, column: usize) -> String {
    let is = |pair: &&PlayerPair| pair.players == [row, column] || pair.players == [column, row];
    let Some(pair) = tournament.pairs.iter().find(is) else { return String::new() };
    let score = if pair.players[0] == row { pair.score } else { 1.0 - pair.score };
    let mark = if pair.is_significant() { "*" } else { "" };
    format!("{}{mark}", rounded(100.0 * score, 1))
}
