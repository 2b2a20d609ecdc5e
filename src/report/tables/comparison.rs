//! Owns the tables of who can be told from whom: places and pairs, with the verdict in words.

use super::{
    MISSING,
    ferreira::{counted, each},
    layout::{Field, Layout, note},
};
use crate::{
    stats::{bootstrap::Bootstrap, estimate::LEVEL, heterogeneity::Heterogeneity},
    text::{printable, rounded},
    tournament::{Pair, Player, Tournament},
};

/// More players than this make a matrix that nobody reads in a terminal.
const MATRIX: usize = 16;

/// A p below this tells two players apart.
const SIGNIFICANT: f64 = 1.0 - LEVEL;

/// The places that each player takes as games are drawn anew; `None` without such samples.
pub fn ranks(tournament: &Tournament, columns: Option<u16>) -> Option<String> {
    let players: Vec<&Player> = tournament.players.iter().filter(|player| player.ranks.is_some()).collect();
    if players.len() < 2 {
        return None;
    }
    let Bootstrap { samples, seed } = tournament.method.bootstrap;
    let first = |player: &Player| {
        player.ranks.map_or(MISSING.to_owned(), |ranks| format!("{} %", rounded(100.0 * ranks.first, 1)))
    };
    let places = |player: &Player| match player.ranks {
        Some(ranks) if ranks.low == ranks.high => ranks.low.to_string(),
        Some(ranks) => format!("{} to {}", ranks.low, ranks.high),
        None => MISSING.to_owned(),
    };
    let note = format!("From {samples} samples of whole games, seed {seed}.");
    let layout = Layout {
        title: "Places by expected score, had other games of the same kind been played",
        columns: vec![
            Field::names("Player", each(&players, |player| printable(&player.name))),
            Field::number("Chance of\nbeing first", each(&players, first)),
            Field::number("95 % of\nplaces", each(&players, places)),
        ],
        notes: [vec![note], counted(&tournament.method)].concat(),
    };
    Some(layout.shown(columns))
}

/// The expected score of each player against each other, with the verdict; `None` for one player.
pub fn pairs(tournament: &Tournament, columns: Option<u16>) -> Option<String> {
    let verdict = verdict(tournament)?;
    let moved: Vec<(usize, &Player)> =
        tournament.players.iter().enumerate().filter(|(_, player)| player.expected_score.is_some()).collect();
    if moved.len() > MATRIX {
        return Some(note(&format!("{verdict} The table of pairs has them all."), columns) + "\n");
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
    Some(layout.shown(columns))
}

fn cell(tournament: &Tournament, row: usize, column: usize) -> String {
    let is = |pair: &&Pair| pair.players == [row, column] || pair.players == [column, row];
    let Some(pair) = tournament.pairs.iter().find(is) else { return String::new() };
    let score = if pair.players[0] == row { pair.score } else { 1.0 - pair.score };
    let mark = if is_told_apart(pair) { "*" } else { "" };
    format!("{}{mark}", rounded(100.0 * score, 1))
}

fn is_told_apart(pair: &Pair) -> bool {
    pair.p_holm.is_some_and(|p| p < SIGNIFICANT)
}

/// Who can be told from whom, in words; `None` where there are no two players with moves.
pub fn verdict(tournament: &Tournament) -> Option<String> {
    let pairs = tournament.pairs.len();
    if pairs == 0 {
        return None;
    }
    let apart = tournament.pairs.iter().filter(|pair| is_told_apart(pair)).count();
    let smallest = tournament.pairs.iter().filter_map(|pair| pair.p_holm).min_by(f64::total_cmp);
    let common = tournament.homogeneity.map_or(String::new(), |Heterogeneity { q, freedom, p, .. }| {
        let would = if p < SIGNIFICANT { "would not do" } else { "would do" };
        format!(
            " One common expected score for all {would} (χ²({freedom}) = {}, p = {}).",
            rounded(q, 1),
            p_value(p)
        )
    });
    Some(match (apart, smallest) {
        (_, None) => format!("Too few games to compare any of {pairs} pairs of players."),
        (0, Some(p)) => format!(
            "Nobody can be told from anybody: of {pairs} pairs none has a Holm-adjusted p below 0.05 (smallest {}).\
             {common}",
            p_value(p)
        ),
        (apart, _) => {
            format!("Of {pairs} pairs {apart} can be told apart (Holm-adjusted p below 0.05).{common}")
        }
    })
}

/// A p below this is not told further.
pub const LEAST_P: f64 = 0.001;

/// A p as people read it.
pub fn p_value(p: f64) -> String {
    if p < LEAST_P { "< 0.001".to_owned() } else { rounded(p, 3) }
}
