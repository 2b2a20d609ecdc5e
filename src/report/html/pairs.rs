//! Owns the pairs of players on the page: a matrix where it can be read, else those told apart.

use crate::chess::text::rounded;
use crate::measure::{PlayerPair, Tournament};
use crate::report::{html::name, tables::moved, tables::score_of, words::numbers::p_value};

/// More players than this make a matrix that nobody reads.
const MATRIX: usize = 24;

const NAMED: usize = 40;

pub struct PairTable {
    /// The matrix; empty where there are too many players for one.
    pub rows: Vec<PairRow>,
    pub apart: Vec<String>,
    pub more: usize,
}

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
    /// Returns the pairs of those who are shown; `None` where there are no two with moves.
    pub fn of(tournament: &Tournament) -> Option<PairTable> {
        let moved = moved(tournament);
        match moved.len() {
            0 | 1 => None,
            2..=MATRIX => Some(PairTable { rows: matrix(tournament, &moved), apart: Vec::new(), more: 0 }),
            _ => {
                let mut apart: Vec<&PlayerPair> =
                    tournament.pairs.iter().filter(|pair| pair.is_significant()).collect();
                let more = apart.len().saturating_sub(NAMED);
                apart.truncate(NAMED);
                let says = |pair: &PlayerPair| says(tournament, pair.players, pair);
                Some(PairTable { rows: Vec::new(), apart: apart.into_iter().map(says).collect(), more })
            }
        }
    }
}

fn matrix(tournament: &Tournament, moved: &[(usize, usize)]) -> Vec<PairRow> {
    let cell = |players: [usize; 2]| {
        let pair = tournament.pair(players[0], players[1]);
        PairCell {
            text: pair.map_or(String::new(), |pair| score_of(pair, players[0])),
            says: pair.map_or(String::new(), |pair| says(tournament, players, pair)),
            apart: pair.is_some_and(PlayerPair::is_significant),
        }
    };
    let row = |&(number, row): &(usize, usize)| PairRow {
        number,
        name: name(&tournament.players[row].name),
        cells: moved.iter().map(|&(_, column)| cell([row, column])).collect(),
    };
    moved.iter().map(row).collect()
}

fn says(tournament: &Tournament, players: [usize; 2], pair: &PlayerPair) -> String {
    let [row_name, column_name] = players.map(|place| name(&tournament.players[place].name));
    let p = pair.p_holm.map_or(String::new(), |p| format!(", adjusted p {}", p_value(p)));
    format!("{row_name} against {column_name}: {} %{p}", rounded(100.0 * pair.score_of(players[0]), 1))
}
