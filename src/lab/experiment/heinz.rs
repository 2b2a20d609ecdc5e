//! [`Match`]: the games of two contenders with the statistics of Heinz's tables.

use std::collections::BTreeMap;

use shakmaty::Color;

use super::cross_table::{CrossTable, PairGames};
use crate::lab::selfplay::{Contender, GameRecord, Side};
use crate::numbers::{ClusteredMean, Estimate, GamePairs, Interval, MatchRecord};

/// The games of two contenders, from the first contender's view (Heinz 2000, Tables 3 to 6).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// The numbers are from this contender's view: the deeper contender; at equal depth the engine (not its
    /// opponent); or White if a contender plays against itself.
    pub first: Contender,
    pub second: Contender,
    pub record: MatchRecord,
    /// m, the moves per game. A move by White and a move by Black together count as one move.
    pub mean_moves: f64,
    pub different: u32,
    /// Pairs of games of one opening with colors reversed, if all games are in such pairs.
    pub pairs: Option<GamePairs>,
}

impl Match {
    fn of(first: Contender, second: Contender, cell: PairGames, pairs: Option<GamePairs>) -> Option<Match> {
        let record = cell.record()?;
        Some(Match {
            first,
            second,
            record,
            mean_moves: cell.mean_moves(),
            different: cell.different,
            pairs: pairs.filter(|pairs| 2 * pairs.pairs() == u64::from(cell.games())),
        })
    }

    pub fn is_calibration(&self) -> bool {
        self.first == self.second
    }

    /// Returns the standard error of the score: the error of game pairs if all games are in pairs, else the
    /// error of games with three outcomes.
    pub fn standard_error(&self) -> f64 {
        self.pairs.map_or_else(|| self.record.three_outcome_error(), GamePairs::standard_error)
    }

    /// Returns Δw = 2w − 1, the first side's lead in points per game, and its standard error.
    pub fn difference(&self) -> (f64, f64) {
        (2.0 * self.record.score() - 1.0, 2.0 * self.standard_error())
    }

    /// Returns the score, by game pairs if all games are in pairs, else by single games.
    pub fn score(&self) -> Option<Estimate> {
        let by_pairs = |pairs: GamePairs| score(pairs.counts().into_iter().zip(0..).map(|(n, h)| (n, 2, h)));
        self.pairs.map_or_else(|| score_by_games(self.record), by_pairs)
    }
}

/// Returns the score with each game as an observation.
pub fn score_by_games(record: MatchRecord) -> Option<Estimate> {
    score([(record.losses(), 1, 0), (record.draws(), 1, 1), (record.wins(), 1, 2)])
}

/// Returns the score of a match with Student's t interval on N − 1 degrees of freedom and the unbiased
/// variance. N is the number of independent observations. Each item is a number of equal observations, their
/// games and their half-points.
///
/// A score of 0 or 1 from several observations has the interval of Clopper and Pearson. Otherwise there is no
/// interval for one observation, or if all observations are equal. `None` without games.
pub fn score(observations: impl IntoIterator<Item = (u32, u32, u32)>) -> Option<Estimate> {
    let each = observations.into_iter().flat_map(|(count, games, half_points)| {
        std::iter::repeat_n((games as usize, f64::from(half_points) / 2.0), count as usize)
    });
    let scores: ClusteredMean =
        (0..).zip(each).map(|(place, (games, points))| (place, games, points)).collect();
    let (found, clusters) = (scores.estimate()?, scores.clusters());
    let is_certain = clusters > 1 && (found.value == 0.0 || found.value == 1.0);
    let interval = found.interval.map(|interval| interval.within(0.0, 1.0));
    let interval = interval.or_else(|| is_certain.then(|| Interval::certain(found.value, clusters)));
    Some(Estimate { interval, ..found })
}

/// White's score between equally strong sides: contenders that play against themselves.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagonal {
    pub by_depth: Vec<WhiteScore>,
    /// The games of all contenders against themselves, and White's score in them; `None` without such games.
    pub all: Option<(PairGames, Estimate)>,
}

/// White's score in the games of one contender against itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WhiteScore {
    pub contender: Contender,
    pub cell: PairGames,
    pub score: Estimate,
}

impl Diagonal {
    /// Counts the games of each contender against itself.
    ///
    /// Games with identical moves are one observation: an engine that repeats itself plays the same game with
    /// either color.
    pub fn of(table: &CrossTable, records: &[GameRecord]) -> Diagonal {
        let mut lines: BTreeMap<(Contender, u64), (u32, u32)> = BTreeMap::new();
        for record in records.iter().filter(|record| record.white == record.black) {
            if let Some(points) = record.result.half_points(Color::White) {
                let (games, half_points) = lines.entry((record.white, record.line)).or_default();
                *games += 1;
                *half_points += points;
            }
        }
        let score = |own: &dyn Fn(Contender) -> bool| {
            let own = lines.iter().filter(|((contender, _), _)| own(*contender));
            score(own.map(|(_, &(games, half_points))| (1, games, half_points)))
        };
        let by_depth = table.contenders().iter().enumerate().filter_map(|(place, &contender)| {
            let score = score(&|one| one == contender)?;
            Some(WhiteScore { contender, cell: table.cell(place, place), score })
        });
        Diagonal {
            by_depth: by_depth.collect(),
            all: score(&|_| true).map(|score| (table.diagonal(), score)),
        }
    }
}

/// Returns the match of each contender against the next shallower contender of the same engine, among the
/// contenders that it met. The matches of the two engines at equal depths follow, in the order of depths.
pub fn matches(table: &CrossTable, records: &[GameRecord]) -> Vec<Match> {
    let contenders = table.contenders();
    let mut pairs = game_pairs(records);
    let adjacent = (1..contenders.len()).filter_map(|place| {
        let below = (0..place).rev().find(|&other| {
            contenders[other].side == contenders[place].side && table.meeting(place, other).games() > 0
        })?;
        Some([place, below])
    });
    let across = (0..contenders.len()).filter_map(|place| {
        let engine = contenders[place];
        let other = Contender { side: Side::Opponent, ..engine };
        (engine.side == Side::Engine).then(|| table.place(other)).flatten().map(|other| [place, other])
    });
    let found = adjacent.chain(across).filter_map(|[first, second]| {
        let cell = table.meeting(first, second);
        let (first, second) = (contenders[first], contenders[second]);
        Match::of(first, second, cell, pairs.remove(&(first, second)))
    });
    found.collect()
}

/// Returns the match of two contenders; `None` if they did not meet.
pub fn between(
    table: &CrossTable,
    records: &[GameRecord],
    first: Contender,
    second: Contender,
) -> Option<Match> {
    let cell = table.meeting(table.place(first)?, table.place(second)?);
    Match::of(first, second, cell, game_pairs(records).remove(&(first, second)))
}

/// Returns the games of the engine at `depth` against itself, as a match of White against Black (Heinz 2000,
/// Tables 3 and 4); `None` without such games.
pub fn calibration(table: &CrossTable, depth: u32) -> Option<Match> {
    let contender = Contender { side: Side::Engine, depth };
    let place = table.place(contender)?;
    Match::of(contender, contender, table.cell(place, place), None)
}

/// The games of a pair of contenders from one opening. The first contender has White in the games of the
/// first list, and Black in the games of the second list. Both lists are in the order of the schedule.
pub(super) type Opened<'a, C> = [Vec<&'a GameRecord<C>>; 2];

/// Returns the games of each pair from each opening.
pub(super) fn opened<C: Copy + Ord>(
    records: &[GameRecord<C>],
) -> BTreeMap<(C, C, Option<u32>), Opened<'_, C>> {
    let mut opened: BTreeMap<(C, C, Option<u32>), Opened<'_, C>> = BTreeMap::new();
    let mut sorted: Vec<&GameRecord<C>> = records.iter().collect();
    sorted.sort_by_key(|record| record.game);
    for record in sorted {
        let (first, second) = (record.white.min(record.black), record.white.max(record.black));
        let place = usize::from(record.white != first);
        opened.entry((first, second, record.opening)).or_default()[place].push(record);
    }
    opened
}

/// Returns the pairs of games of one opening with colors reversed. Every two contenders with such pairs have
/// two entries, one from each contender's view.
///
/// If two contenders played an opening more than once, its games are paired in the order of the schedule.
pub(super) fn game_pairs<C: Copy + Ord>(records: &[GameRecord<C>]) -> BTreeMap<(C, C), GamePairs> {
    let mut pairs: BTreeMap<(C, C), [u32; 5]> = BTreeMap::new();
    let half_points =
        |game: &GameRecord<C>, color| game.result.half_points(color).unwrap_or_default() as usize;
    for ((first, second, opening), [white, black]) in opened(records) {
        if first != second && opening.is_some() {
            for (one, other) in white.into_iter().zip(black) {
                let points = half_points(one, Color::White) + half_points(other, Color::Black);
                pairs.entry((first, second)).or_default()[points] += 1;
                pairs.entry((second, first)).or_default()[4 - points] += 1;
            }
        }
    }
    pairs.into_iter().filter_map(|(met, counts)| Some((met, GamePairs::new(counts)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::GameResult;
    use crate::lab::experiment::testing::{depth, game, heinz};

    #[test]
    fn heinzs_first_row_comes_out_of_its_games() {
        let games = heinz();
        let matches = matches(&CrossTable::of(&games), &games);
        assert_eq!(matches.len(), 7);
        let first = matches[0];
        assert_eq!((first.first, first.second), (depth(6), depth(5)));
        assert_eq!((first.record.games(), first.mean_moves, first.pairs), (3000, 63.0, None));
        // Heinz 2000, Table 5: 56.20, 30.50 and 13.30 %, +159.
        assert_eq!(first.record.shares().map(|x| (x * 1e4).round()), [5620.0, 3050.0, 1330.0]);
        assert_eq!(first.record.elo_difference().map(f64::round), Some(159.0));
    }

    #[test]
    fn games_of_one_opening_with_colors_reversed_are_a_pair() {
        let opened = |opening, white: u32, result, number| GameRecord {
            opening: Some(opening),
            game: number,
            ..game([white, 13 - white], result, u64::from(number))
        };
        let mut games = vec![
            opened(0, 7, GameResult::WhiteWins, 0),
            opened(0, 6, GameResult::BlackWins, 1),
            opened(1, 7, GameResult::Draw, 2),
            opened(1, 6, GameResult::WhiteWins, 3),
            // The same opening again. The first games with each color belong together.
            opened(1, 6, GameResult::BlackWins, 5),
            opened(1, 7, GameResult::WhiteWins, 4),
        ];
        let found = |games: &[GameRecord]| matches(&CrossTable::of(games), games)[0];
        assert_eq!(found(&games).pairs.map(GamePairs::counts), Some([0, 1, 0, 0, 2]));
        let mut shuffled = games.clone();
        shuffled.reverse();
        assert_eq!(found(&shuffled), found(&games));
        games.push(opened(2, 7, GameResult::Draw, 6));
        assert_eq!(found(&games).pairs, None, "one game has no counterpart");
    }

    #[test]
    fn pairs_have_the_error_that_python_finds() {
        // Twelve openings in which White always wins, except for two draws with colors reversed:
        // import numpy as np   # numpy 2.3
        // p = np.array([[2, 0]]*10 + [[2, 1]]*2)   # half-points of depth 7 with White, with Black
        // (p.sum(1)/4).mean(), (p.sum(1)/4).std(ddof=1)/12**.5, (p/2).std()/24**.5
        // 0.5416666666666666 0.02809166093596842 0.0973461511727513
        let opened = |opening: u32| {
            let black = if opening < 10 { GameResult::WhiteWins } else { GameResult::Draw };
            let number = 2 * opening;
            [
                GameRecord {
                    opening: Some(opening),
                    ..game([7, 6], GameResult::WhiteWins, u64::from(number))
                },
                GameRecord { opening: Some(opening), ..game([6, 7], black, u64::from(number) + 1) },
            ]
        };
        let games: Vec<GameRecord> = (0..12).flat_map(opened).collect();
        let found = matches(&CrossTable::of(&games), &games)[0];
        let pairs = found.pairs.expect("pairs");
        assert!(
            (found.record.score() - 0.5416666666666666).abs() < 1e-14
                && (pairs.score() - 0.5416666666666666).abs() < 1e-14
        );
        assert!((found.standard_error() - 0.02809166093596842).abs() < 1e-14, "{}", found.standard_error());
        assert!((found.record.three_outcome_error() - 0.0973461511727513).abs() < 1e-14);
    }

    #[test]
    fn a_match_at_equal_depth_is_seen_from_white() {
        let games = [
            game([6, 6], GameResult::WhiteWins, 1),
            game([6, 6], GameResult::WhiteWins, 2),
            game([6, 6], GameResult::BlackWins, 3),
        ];
        let table = CrossTable::of(&games);
        let found = calibration(&table, 6).expect("games");
        assert!(found.is_calibration());
        assert_eq!(found.record.points(), 2.0);
        assert_eq!(calibration(&table, 7), None);
    }

    #[test]
    fn games_that_repeat_tell_of_whites_advantage_once() {
        let score = |games: &[GameRecord]| Diagonal::of(&CrossTable::of(games), games).all.expect("games");
        let results = [GameResult::WhiteWins, GameResult::WhiteWins, GameResult::BlackWins];
        let different: Vec<GameRecord> =
            results.into_iter().zip(0..).map(|(result, line)| game([6, 6], result, line)).collect();
        let (all, once) = score(&different);
        assert_eq!((all.games(), once.value), (3, 2.0 / 3.0));
        let (all, twice) = score(&[&different[..], &different].concat());
        assert_eq!((all.games(), all.different), (6, 3));
        let error = |score: Estimate| score.interval.expect("an interval").standard_error;
        assert!((error(once) - error(twice)).abs() < 1e-12, "{once:?} {twice:?}");
        // s/√n of 1, 1, 0 by hand: √(1/3)/√3.
        assert!((error(once) - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(score(&vec![different[0]; 9]).1.interval, None, "nine times one game");
    }
}
