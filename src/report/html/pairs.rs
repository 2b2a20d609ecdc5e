//! Owns the pairs of players on the page: a matrix where it can be read, else those told apart.

use super::name;
use crate::{
    report::words::numbers::p_value,
    text::rounded,
    tournament::{PlayerPair, PlayerResult, Tournament},
};

/// More players than this make a matrix that nobody reads.
const MATRIX: usize = 24;

/// Pairs told apart that are named.
const NAMED: usize = 40;

/// Every pair.
pub struct PairTable {
    /// The matrix; empty where there are too many players for one.
    pub rows: Vec<PairRow>,
    /// Pairs told apart, where there is no matrix.
    pub apart: Vec<String>,
    /// How many of them are not named.
    pub more: usize,
}

/// One player against each.
pub struct PairRow {
    pub number: usize,
    pub name: String,
    pub cells: Vec<PairCell>,
}

/// One player against another; empty against oneself.
pub struct PairCell {
    pub text: String,
    pub says: String,
    pub apart: bool,
}

impl PairTable {
    /// The pairs of those who are shown; `None` where there are no two with moves.
    pub fn of(tournament: &Tournament) -> Option<PairTable> {
        let moved: Vec<(usize, &PlayerResult)> =
            tournament.players.iter().enumerate().filter(|(_, player)| player.moves() > 0).collect();
        match moved.len() {
            0 | 1 => None,
            2..=MATRIX => Some(PairTable { rows: matrix(tournament, &moved), apart: Vec::new(), more: 0 }),
            _ => {
                let apart: Vec<&PlayerPair> =
                    tournament.pairs.iter().filter(|pair| pair.is_significant()).collect();
                let says = |pair: &&PlayerPair| says(tournament, pair.players[0], pair.players[1], pair);
                Some(PairTable {
                    rows: Vec::new(),
                    apart: apart.iter().take(NAMED).map(says).collect(),
                    more: apart.len().saturating_sub(NAMED),
                })
            }
        }
    }
}

fn matrix(tournament: &Tournament, moved: &[(usize, &PlayerResult)]) -> Vec<PairRow> {
    let rows = moved.iter().enumerate().map(|(index, &(row, player))| PairRow {
        number: index + 1,
        name: name(&player.name),
        cells: moved.iter().map(|&(column, _)| cell(tournament, row, column)).collect(),
    });
    rows.collect()
}

fn cell(tournament: &Tournament, row: usize, column: usize) -> PairCell {
    let is = |pair: &&PlayerPair| pair.players == [row, column] || pair.players == [column, row];
    match tournament.pairs.iter().find(is) {
        None => PairCell { text: String::new(), says: String::new(), apart: false },
        Some(pair) => PairCell {
            text: rounded(100.0 * score(pair, row), 1),
            says: says(tournament, row, column, pair),
            apart: pair.is_significant(),
        },
    }
}

/// The expected score of the player at the place `row`.
fn score(pair: &PlayerPair, row: usize) -> f64 {
    if pair.players[0] == row { pair.score } else { 1.0 - pair.score }
}

fn says(tournament: &Tournament, row: usize, column: usize, pair: &PlayerPair) -> String {
    let [row_name, column_name] = [row, column].map(|place| name(&tournament.players[place].name));
    let p = pair.p_holm.map_or(String::new(), |p| format!(", adjusted p {}", p_value(p)));
    format!("{row_name} against {column_name}: {} %{p}", rounded(100.0 * score(pair, row), 1))
}
