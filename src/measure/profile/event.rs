//! [`EventProfile`]: results, best games, openings and clocks of an event.

use std::{cmp::Reverse, collections::BTreeMap, collections::BTreeSet};

use shakmaty::Color;

use super::{PlayDivision, PlayGrouping, PlayerMoves, grouping::opening};
use crate::chess::EvaluatedGame;
use crate::measure::tournament::{Method, MoveSample};
use crate::numbers::stats::estimate::mean_of;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct EventProfile {
    /// The games by rounds or, without rounds, the cross table. `None` if neither is possible.
    pub cross: Option<EventCrossTable>,
    /// The games with the highest accuracy of the less accurate player, the best first.
    pub best: Vec<AccurateGame>,
    /// The players with the highest accuracy in single games, the best first.
    pub accurate: Vec<AccurateGame>,
    /// The openings, the most frequent first; empty if no game names its opening.
    pub openings: Vec<OpeningRow>,
    /// All players' moves by the time left; `None` without clocks.
    pub clock: Option<PlayDivision>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct EventCrossTable {
    /// The rounds, one for each column. Empty for a cross table, which has a column for each opponent.
    pub rounds: Vec<u32>,
    pub rows: Vec<CrossRow>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CrossRow {
    pub player: String,
    /// Half-points of all games with a known result.
    pub half_points: u32,
    pub games: u32,
    /// Half-points of the opponents, once for each game: the tie-break of A. Buchholz.
    pub opponents: u32,
    pub columns: Vec<Vec<CrossGame>>,
}

/// A player's game in the cross table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossGame {
    pub game: usize,
    /// Index of the opponent's row.
    pub opponent: usize,
    pub color: Color,
    pub half_points: u32,
    /// The player's accuracy in percent.
    pub accuracy: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AccurateGame {
    pub game: usize,
    /// The player's side; `None` if the accuracy is of the whole game.
    pub side: Option<Color>,
    /// Accuracy of the player or, for a whole game, of the less accurate player, in percent.
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

/// Largest numbers of rows (`STANDING`) and of rounds (`ROUNDS`) in a standing.
const STANDING: usize = 300;
const ROUNDS: usize = 15;

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
            cross: EventCrossTable::by_round(sample).or_else(|| EventCrossTable::of(games, sample)),
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
    rows.sort_by_key(|row| Reverse(row.games));
    rows
}

impl EventCrossTable {
    /// Returns the cross table, with a column for each opponent. `None` if there are too few or too many
    /// players, or if most pairs have not met.
    fn of(games: &[EvaluatedGame], sample: &MoveSample) -> Option<EventCrossTable> {
        let count = sample.players.len();
        let players = played(sample);
        let mut pairs: Vec<(usize, usize)> = players
            .iter()
            .enumerate()
            .flat_map(|(player, sides)| sides.iter().map(move |side| (player, side.opponent)))
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        if !(2..=PLAYERS).contains(&count) || 2 * pairs.len() < count * (count - 1) || games.is_empty() {
            return None;
        }
        let (order, place) = order(sample, &players);
        let columns = |sides: &[CrossGame]| {
            let against = |&other: &usize| sides.iter().filter(move |side| side.opponent == other);
            order.iter().map(|other| against(other).copied().collect()).collect()
        };
        Some(EventCrossTable { rounds: Vec::new(), rows: rows(sample, &players, (&order, &place), columns) })
    }

    /// Returns the table with a column for each round. `None` if a round is unknown, or if a player has two games in one
    /// round, as in games of several events. Also `None` for too few rounds, players or games, and for too
    /// many rounds or players.
    fn by_round(sample: &MoveSample) -> Option<EventCrossTable> {
        let known = || sample.appearances.iter().filter(|side| side.half_points.is_some());
        let rounds: BTreeSet<u32> = known().map(|side| side.round).collect::<Option<_>>()?;
        let mut seen = BTreeSet::new();
        let mut named = known().filter(|side| !sample.players[side.player as usize].is_nobody);
        let is_one_event = named.all(|side| seen.insert((side.player, side.round)));
        let players = played(sample);
        // If each player has only one game, a table would repeat the list of games.
        let is_event = (2..=ROUNDS).contains(&rounds.len())
            && (3..=STANDING).contains(&players.len())
            && seen.len() >= 2 * players.len();
        if !is_one_event || !is_event {
            return None;
        }
        let round_of: BTreeMap<usize, Option<u32>> =
            known().map(|side| (side.game as usize, side.round)).collect();
        let (order, place) = order(sample, &players);
        let columns = |sides: &[CrossGame]| {
            let is_of = |side: &CrossGame, round: u32| round_of[&side.game] == Some(round);
            let of = |&round: &u32| sides.iter().copied().filter(|side| is_of(side, round)).collect();
            rounds.iter().map(of).collect()
        };
        let rows = rows(sample, &players, (&order, &place), columns);
        Some(EventCrossTable { rounds: rounds.into_iter().collect(), rows })
    }
}

/// Returns each player's games with a known result. Opponents are indices into the players of the sample.
fn played(sample: &MoveSample) -> Vec<Vec<CrossGame>> {
    let mut players: Vec<Vec<CrossGame>> = vec![Vec::new(); sample.players.len()];
    for sides in sample.appearances.chunks_exact(2) {
        for (own, other) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
            players[own.player as usize].extend(own.half_points.map(|half_points| CrossGame {
                game: own.game as usize,
                opponent: other.player as usize,
                color: own.color,
                half_points,
                accuracy: own.accuracy,
            }));
        }
    }
    players
}

fn points(sides: &[CrossGame]) -> u32 {
    sides.iter().map(|side| side.half_points).sum()
}

fn buchholz(players: &[Vec<CrossGame>], player: usize) -> u32 {
    players[player].iter().map(|side| points(&players[side.opponent])).sum()
}

/// Returns the players ordered by their points, then by their opponents' points (Buchholz). Also returns the
/// row of each player; it is `usize::MAX` for a placeholder name.
fn order(sample: &MoveSample, players: &[Vec<CrossGame>]) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> =
        (0..players.len()).filter(|&place| !sample.players[place].is_nobody).collect();
    order.sort_by_key(|&player| Reverse((points(&players[player]), buchholz(players, player))));
    let mut place = vec![usize::MAX; players.len()];
    order.iter().enumerate().for_each(|(row, &player)| place[player] = row);
    (order, place)
}

/// Returns the rows in `order`. `columns` sorts a player's games into columns. In the rows,
/// [`CrossGame::opponent`] is the index of the opponent's row.
fn rows(
    sample: &MoveSample,
    players: &[Vec<CrossGame>],
    (order, place): (&[usize], &[usize]),
    columns: impl Fn(&[CrossGame]) -> Vec<Vec<CrossGame>>,
) -> Vec<CrossRow> {
    let row = |&player: &usize| {
        let sides = &players[player];
        let mut columns = columns(sides);
        columns.iter_mut().flatten().for_each(|side| side.opponent = place[side.opponent]);
        CrossRow {
            player: sample.players[player].name.clone(),
            half_points: points(sides),
            games: sides.len() as u32,
            opponents: buchholz(players, player),
            columns,
        }
    };
    order.iter().map(row).collect()
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
            let against = row.columns.iter().map(|games| games.iter().map(|game| game.half_points).collect());
            (row.player.clone(), row.half_points, row.games, against.collect::<Vec<Vec<u32>>>())
        };
        let second =
            CrossGame { game: 1, opponent: 1, color: Color::Black, half_points: 1, accuracy: Some(100.0) };
        assert_eq!(rows[0].columns[1][1], second);
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
    #[test]
    fn a_swiss_event_is_a_standing_by_rounds() {
        let game = |round: usize, white: usize, black: usize, result: &str| {
            format!(
                "[Round \"{round}.1\"]\n[White \"P{white}\"]\n[Black \"P{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
            )
        };
        // Twenty players, two rounds, White wins the first and the second is drawn.
        let first = (0..10).map(|pair| game(1, 2 * pair, 2 * pair + 1, "1-0"));
        let second = (0..10).map(|pair| game(2, (2 * pair + 2) % 20, 2 * pair + 1, "1/2-1/2"));
        let text: String = first.chain(second).collect();
        let event = |text: &str| {
            let games = parse_games(text, "test").into_iter().flatten().map(|game| {
                let scores = vec![Evaluation::of_score(Score::Cp(15)); game.position_count()];
                EvaluatedGame::new(game, scores)
            });
            let games: Vec<EvaluatedGame> = games.collect();
            EventProfile::of(&games, &MoveSample::of(&games), &Method::default())
        };
        let cross = event(&text).cross.expect("a standing");
        assert_eq!((cross.rounds.as_slice(), cross.rows.len()), ([1, 2].as_slice(), 20));
        let winner = &cross.rows[0];
        assert_eq!((winner.half_points, winner.games, winner.columns[0].len()), (3, 2, 1));
        assert_eq!(cross.rows[winner.columns[1][0].opponent].half_points, 1, "who lost the first round");
        assert_eq!(event(&text.replace("Round \"2", "Round \"1")).cross, None, "two games in a round");
        assert_eq!(event(&text.replace("Round", "Board")).cross, None, "no rounds");
    }
}
