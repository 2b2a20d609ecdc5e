//! [`EventProfile`]: results, best games, openings and clocks of an event.

use std::collections::BTreeMap;

use shakmaty::Color;

use super::{PlayDivision, PlayGrouping, PlayerMoves, grouping::opening};
use crate::chess::EvaluatedGame;
use crate::measure::tournament::{Method, MoveSample};
use crate::numbers::stats::estimate::mean_of;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct EventProfile {
    /// The cross table; `None` if there are too many players or most pairs have not met.
    pub cross: Option<EventCrossTable>,
    /// The games with the highest accuracy of the less accurate side, the best first.
    pub best: Vec<AccurateGame>,
    /// The most accurate sides of single games, the best first.
    pub accurate: Vec<AccurateGame>,
    /// The openings, the most frequent first; empty if no game has a tag.
    pub openings: Vec<OpeningRow>,
    /// All players' moves by the time left; `None` without clocks.
    pub clock: Option<PlayDivision>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct EventCrossTable {
    pub rows: Vec<CrossRow>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CrossRow {
    pub player: String,
    /// Half-points of all games with a known result.
    pub half_points: u32,
    pub games: u32,
    /// The games against each player of the table, in its order.
    pub against: Vec<Vec<CrossGame>>,
}

/// One side of a game in the cross table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossGame {
    /// Index of the game.
    pub game: usize,
    pub half_points: u32,
    /// The accuracy of that side in percent.
    pub accuracy: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AccurateGame {
    pub game: usize,
    /// The side; `None` for both.
    pub side: Option<Color>,
    /// Percent: that of the side, or of the less accurate one.
    pub accuracy: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OpeningRow {
    pub name: String,
    pub games: u64,
    pub white: Option<f64>,
    /// Mean accuracies of White and Black in percent.
    pub accuracy: [Option<f64>; 2],
}

/// Largest number of players in a cross table.
const PLAYERS: usize = 16;

/// Smallest number of moves of a side in a best game.
const LEAST_MOVES: usize = 20;

const NAMED: usize = 3;

impl EventProfile {
    pub fn of(games: &[EvaluatedGame], sample: &MoveSample, method: &Method) -> EventProfile {
        let both: Vec<[Option<f64>; 2]> = accuracies(games.len(), sample);
        let long: Vec<usize> =
            (0..games.len()).filter(|&place| games[place].game().moves.len() >= 2 * LEAST_MOVES).collect();
        let lower = |&game: &usize| {
            let [white, black] = both[game];
            Some(AccurateGame { game, side: None, accuracy: white?.min(black?) })
        };
        let side = |game: usize, color: Color| {
            Some(AccurateGame { game, side: Some(color), accuracy: both[game][color.fold_wb(0, 1)]? })
        };
        let sides = long.iter().flat_map(|&game| Color::ALL.map(|color| side(game, color))).flatten();
        let everybody = PlayerMoves { games, sample: sample.clone(), player: None, method };
        EventProfile {
            cross: EventCrossTable::of(games, sample),
            best: highest(long.iter().filter_map(lower).collect()),
            accurate: highest(sides.collect()),
            openings: openings(games, &both),
            clock: everybody.division(PlayGrouping::Clock, &BTreeMap::new()),
        }
    }
}

fn accuracies(games: usize, sample: &MoveSample) -> Vec<[Option<f64>; 2]> {
    let mut both = vec![[None; 2]; games];
    for side in &sample.appearances {
        both[side.game as usize][side.color.fold_wb(0, 1)] = side.accuracy;
    }
    both
}

fn highest(mut games: Vec<AccurateGame>) -> Vec<AccurateGame> {
    games.sort_by(|a, b| b.accuracy.total_cmp(&a.accuracy));
    games.truncate(NAMED);
    games
}

fn openings(games: &[EvaluatedGame], accuracies: &[[Option<f64>; 2]]) -> Vec<OpeningRow> {
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (place, game) in games.iter().enumerate() {
        opening(game.game()).into_iter().for_each(|name| places.entry(name).or_default().push(place));
    }
    let row = |(name, places): (String, Vec<usize>)| {
        let results: Vec<f64> = places
            .iter()
            .filter_map(|&place| games[place].game().result.half_points(Color::White))
            .map(|half_points| f64::from(half_points) / 2.0)
            .collect();
        let accuracy = [0, 1].map(|side| {
            mean_of(&places.iter().filter_map(|&place| accuracies[place][side]).collect::<Vec<_>>())
        });
        OpeningRow { name, games: places.len() as u64, white: mean_of(&results), accuracy }
    };
    let mut rows: Vec<OpeningRow> = places.into_iter().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.games));
    rows
}

impl EventCrossTable {
    fn of(games: &[EvaluatedGame], sample: &MoveSample) -> Option<EventCrossTable> {
        let count = sample.players.len();
        if !(2..=PLAYERS).contains(&count) {
            return None;
        }
        let mut cells: Vec<Vec<Vec<CrossGame>>> = vec![vec![Vec::new(); count]; count];
        for sides in sample.appearances.chunks_exact(2) {
            let [white, black] = [sides[0].player, sides[1].player].map(|player| player as usize);
            let [own, other] = [&sides[0], &sides[1]].map(|side| {
                let (game, accuracy) = (side.game as usize, side.accuracy);
                side.half_points.map(|half_points| CrossGame { game, half_points, accuracy })
            });
            cells[white][black].extend(own);
            cells[black][white].extend(other);
        }
        let met = cells.iter().flatten().filter(|cell| !cell.is_empty()).count();
        if 2 * met < count * (count - 1) || games.is_empty() {
            return None;
        }
        let sum = |player: usize| cells[player].iter().flatten().map(|game| game.half_points).sum::<u32>();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&player| std::cmp::Reverse(sum(player)));
        let row = |&player: &usize| CrossRow {
            player: sample.players[player].name.clone(),
            half_points: sum(player),
            games: cells[player].iter().map(|cell| cell.len() as u32).sum(),
            against: order.iter().map(|&other| cells[player][other].clone()).collect(),
        };
        Some(EventCrossTable { rows: order.iter().map(row).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Evaluation, Score, pgn::parse_games};

    #[test]
    fn a_match_of_two_games_by_hand() {
        let game = |white: &str, black: &str, result: &str, eco: &str| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[ECO \"{eco}\"]\n\n1. e4 e5 {result}\n\n"
            )
        };
        let text = game("A", "B", "1-0", "C20") + &game("B", "A", "1/2-1/2", "C20");
        let games = parse_games(&text, "test").into_iter().flatten().map(|game| {
            let scores = vec![Evaluation::of_score(Score::Cp(15)); game.position_count()];
            EvaluatedGame::new(game, scores)
        });
        let games: Vec<EvaluatedGame> = games.collect();
        let event = EventProfile::of(&games, &MoveSample::of(&games), &Method::default());
        let rows = event.cross.expect("both have met").rows;
        let told = |row: &CrossRow| {
            let against = row.against.iter().map(|games| games.iter().map(|game| game.half_points).collect());
            (row.player.clone(), row.half_points, row.games, against.collect::<Vec<Vec<u32>>>())
        };
        assert_eq!(rows[0].against[1][1], CrossGame { game: 1, half_points: 1, accuracy: Some(100.0) });
        assert_eq!(told(&rows[0]), ("A".to_owned(), 3, 2, vec![vec![], vec![2, 1]]));
        assert_eq!(told(&rows[1]), ("B".to_owned(), 1, 2, vec![vec![0, 1], vec![]]));
        assert_eq!(event.openings.len(), 1);
        assert_eq!((event.openings[0].games, event.openings[0].white), (2, Some(0.75)));
        assert_eq!(event.openings[0].accuracy, [Some(100.0), Some(100.0)]);
        assert_eq!(
            (event.best, event.clock),
            (vec![], None),
            "two moves are no game, and there are no clocks"
        );
    }
}
