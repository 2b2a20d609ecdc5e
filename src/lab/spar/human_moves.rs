//! First moves of people's games, and moves that leave a piece hanging.

use std::{collections::BTreeMap, collections::HashMap, iter, sync::LazyLock};

use shakmaty::{Chess, Position, Role, uci::UciMove};

use super::candidate::Candidate;
use crate::chess::{Game, game};
use crate::engine::levels::in_pawns;

/// Number of plies from the start of a game in which moves from people's games are played.
const FIRST_PLIES: usize = 12;

/// The first moves of people's games, as printed by `examples/first_moves.rs`.
const TABLE: &str = include_str!("../../../data/spar/first-moves.csv");

/// Smallest number of games in which a first move was played.
const LEAST_GAMES: u32 = 2;

/// Largest loss of a first move, in percentage points.
const MOST_OF_FIRST: f64 = 6.0;

/// Material in pawns that a reply must win at once to be obvious.
const OBVIOUS: i32 = 2;

/// The number of games with each move, by position.
type FirstMoves = HashMap<&'static str, Vec<(UciMove, u32)>>;

static FIRST_MOVES: LazyLock<FirstMoves> = LazyLock::new(first_moves);

/// Reads the table of first moves, so that no clock runs while it is read.
pub fn load() {
    LazyLock::force(&FIRST_MOVES);
}

/// Returns a text for comparing positions. Two positions with the same text count as a repetition.
pub fn place_of(position: &Chess) -> String {
    let fen = game::fen(position);
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Returns the index of a candidate that people played in this early position. `share`, from 0 to 1, chooses
/// among such candidates by the number of games. `None` if no candidate with a small enough loss was played.
pub fn first_move(
    position: &Chess,
    ply: u64,
    candidates: &[Candidate],
    most: f64,
    share: f64,
) -> Option<usize> {
    if ply >= FIRST_PLIES as u64 {
        return None;
    }
    let known = FIRST_MOVES.get(place_of(position).as_str())?;
    let best = candidates.first()?;
    let places = candidates.iter().enumerate().filter(|(_, one)| one.loss(best) <= most.min(MOST_OF_FIRST));
    let games = |uci: UciMove| known.iter().find(|(first, _)| *first == uci).map_or(0, |(_, games)| *games);
    let found: Vec<(usize, u32)> =
        places.map(|(place, one)| (place, games(one.uci))).filter(|(_, games)| *games > 0).collect();
    let total: u32 = found.iter().map(|(_, games)| games).sum();
    let mut left = (share * f64::from(total)) as u32;
    found.into_iter().find_map(|(place, games)| {
        let is_it = left < games;
        left = left.saturating_sub(games);
        is_it.then_some(place)
    })
}

fn first_moves() -> FirstMoves {
    let mut found = FirstMoves::new();
    for line in TABLE.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let [position, uci, games] = cells.as_slice() else { continue };
        // The row of column names has no move.
        let row: Option<(UciMove, u32)> = uci.parse().ok().zip(games.parse().ok());
        found.entry(*position).or_default().extend(row);
    }
    found
}

/// Counts the first moves of games, and returns them as a table: position, move, and number of games. Moves
/// that were played in only one game are left out.
pub fn table_of(games: impl IntoIterator<Item = Game>) -> String {
    let mut counts = BTreeMap::<(String, String), u32>::new();
    let mut number = 0;
    for game in games {
        number += 1;
        for (position, played) in game.positions().zip(&game.moves).take(FIRST_PLIES) {
            *counts.entry((place_of(&position), played.uci.to_string())).or_default() += 1;
        }
    }
    let head =
        format!("# {FIRST_PLIES} plies of {number} games by examples/first_moves.rs\nposition,move,games\n");
    let rows = counts.iter().filter(|(_, games)| **games >= LEAST_GAMES);
    let rows = rows.map(|((position, uci), games)| format!("{position},{uci},{games}\n"));
    iter::once(head).chain(rows).collect()
}

/// Returns whether the second move of `line` wins a piece at once: it captures more than the first move
/// captured, and more than it loses if its piece is taken.
pub fn hangs(position: &Chess, line: &[UciMove]) -> bool {
    let [first, reply, ..] = line else { return false };
    let played = |position: &Chess, uci: UciMove| {
        let m = uci.to_move(position).ok()?;
        Some((m, position.clone().play(m).ok()?))
    };
    let Some((m, after)) = played(position, *first) else { return false };
    let Some((taking, then)) = played(&after, *reply) else { return false };
    let can_take_back = then.legal_moves().iter().any(|back| back.is_capture() && back.to() == taking.to());
    let value = |role: Option<Role>| role.map_or(0, in_pawns);
    let lost = if can_take_back { in_pawns(taking.role()) } else { 0 };
    taking.is_capture() && value(taking.capture()) - lost - value(m.capture()) >= OBVIOUS
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::chess::SignedScore;
    use crate::lab::spar::candidate::MoveTraits;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
    }

    fn moves(text: &str) -> Vec<UciMove> {
        text.split(' ').map(|uci| uci.parse().expect("a move")).collect()
    }

    #[test]
    fn what_a_reply_wins_at_once_hangs() {
        let queen = "3qk3/8/8/8/8/8/3Q4/3RK3 w - - 0 1";
        for (fen, line, expected) in [
            (queen, "d2a5 d8a5", true),
            (queen, "d2d5 d8d5", false),
            (queen, "d2d3 d8d3 d1d3", false),
            (queen, "d2d8 e8d8", false),
            (queen, "d2a5", false),
            ("4k3/8/4p3/8/8/2N5/8/4K3 w - - 0 1", "c3d5 e6d5", true),
            ("4k3/8/4p3/8/3P4/8/8/4K3 w - - 0 1", "d4d5 e6d5", false),
        ] {
            assert_eq!(hangs(&position(fen), &moves(line)), expected, "{fen} {line}");
        }
    }

    /// The events whose games are in the table.
    const EVENTS: [&str; 12] = [
        "armenia-1-league-2011",
        "austria-bundesliga-mitte-2014",
        "bialystok-2016",
        "bucharest-2022",
        "budapest-elo-2006",
        "catalunya-ec-2014",
        "chigorin-2014",
        "china-ch-2025",
        "china-women-2025",
        "colombia-sf-2010",
        "costa-rica-ch-q-2005",
        "dortmund-1996",
    ];

    #[test]
    fn the_first_moves_are_those_of_twelve_shipped_events() {
        let events = crate::measure::shipped_events().filter(|(name, _)| EVENTS.contains(name));
        let games = events.flat_map(|(_, games)| games);
        assert!(table_of(games) == TABLE, "make the table again, see data/README.md");
        let rows = TABLE.lines().count() - 2;
        assert_eq!(FIRST_MOVES.values().map(Vec::len).sum::<usize>(), rows);
    }

    #[test]
    fn first_moves_are_those_of_peoples_games() {
        let start = Chess::default();
        let candidate = |uci: UciMove| Candidate {
            uci,
            score: SignedScore::Cp(0),
            expected: 0.5,
            traits: MoveTraits::default(),
        };
        let candidates: Vec<Candidate> = moves("e2e4 d2d4 g1f3 g1h3").into_iter().map(candidate).collect();
        let place = |candidates: &[Candidate], ply, share| first_move(&start, ply, candidates, 9.0, share);
        let mut games = [0; 4];
        (0..400).for_each(|lot| {
            games[place(&candidates, 0, f64::from(lot) / 400.0).expect("a first move")] += 1;
        });
        assert!(games[0] > 100 && games[1] > 80 && games[2] > 5 && games[3] == 0, "{games:?}");
        assert_eq!(place(&candidates[3..], 0, 0.5), None);
        assert_eq!(place(&candidates, 12, 0.5), None);
    }
}
