//! Owns the counts of an experiment: who won how often against whom, and how many games differ.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::Color;

use super::game_record::{Contender, GameRecord};

/// The games of two contenders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairCount<C = Contender> {
    /// Whose wins are counted; in games of a contender against itself, White.
    pub first: C,
    /// Who loses them.
    pub second: C,
    /// Games in all, those forfeited included.
    pub games: u64,
    /// Wins of the first.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Wins of the second.
    pub losses: u64,
    /// Games that were forfeited, by either.
    pub forfeits: u64,
    /// Games of which none is the same as another.
    pub different: u64,
}

impl<C> PairCount<C> {
    /// Returns the share of the points that the first scored, from 0 to 1.
    pub fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games as f64
    }
}

/// Returns the games of each pair, in the order of contenders.
pub fn by_pair<C: Copy + Ord>(records: &[GameRecord<C>]) -> Vec<PairCount<C>> {
    let mut pairs: BTreeMap<(C, C), Vec<&GameRecord<C>>> = BTreeMap::new();
    for record in records {
        let GameRecord { white, black, .. } = *record;
        pairs.entry((white.min(black), white.max(black))).or_default().push(record);
    }
    pairs.into_iter().map(|((first, second), games)| count(first, second, &games)).collect()
}

fn count<C: PartialEq>(first: C, second: C, games: &[&GameRecord<C>]) -> PairCount<C> {
    let points = |game: &&&GameRecord<C>| game.result.half_points(Color::from_white(game.white == first));
    let with = |wanted: u32| games.iter().filter(|game| points(game) == Some(wanted)).count() as u64;
    let (wins, draws, losses) = (with(2), with(1), with(0));
    PairCount {
        first,
        second,
        games: games.len() as u64,
        wins,
        draws,
        losses,
        forfeits: games.iter().filter(|game| game.ending.is_forfeit()).count() as u64,
        different: games.iter().map(|game| game.line).collect::<BTreeSet<_>>().len() as u64,
    }
}

/// The scores so far, kept up to date game by game. A contender's games against itself leave its
/// score as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningScores<C = Contender>(BTreeMap<C, (u64, u64)>);

impl<C: Copy + Ord> RunningScores<C> {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord<C>) {
        if record.white == record.black {
            return;
        }
        for (contender, color) in [(record.white, Color::White), (record.black, Color::Black)] {
            let (games, half_points) = self.0.entry(contender).or_default();
            *games += 1;
            *half_points += u64::from(record.result.half_points(color).unwrap_or_default());
        }
    }

    /// Returns each contender with the share of points that it scored, from 0 to 1.
    pub fn shares(&self) -> impl Iterator<Item = (C, f64)> {
        let share = |(games, half_points): (u64, u64)| half_points as f64 / (2 * games) as f64;
        self.0.iter().map(move |(&contender, &counts)| (contender, share(counts)))
    }
}

impl<'a, C: Copy + Ord + 'a> FromIterator<&'a GameRecord<C>> for RunningScores<C> {
    fn from_iter<T: IntoIterator<Item = &'a GameRecord<C>>>(records: T) -> RunningScores<C> {
        let mut scores = RunningScores(BTreeMap::new());
        records.into_iter().for_each(|record| scores.add(record));
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::GameResult;
    use crate::lab::selfplay::{Ending, Side};

    fn record(white: u32, black: u32, result: GameResult, ending: Ending, line: u64) -> GameRecord {
        let depth = |depth| Contender { side: Side::Engine, depth };
        let (white, black) = (depth(white), depth(black));
        GameRecord { game: 0, white, black, opening: None, result, ending, plies: 9, line }
    }

    fn games() -> [GameRecord; 5] {
        use GameResult::{BlackWins, Draw, WhiteWins};
        [
            record(1, 2, BlackWins, Ending::Checkmate, 7),
            record(2, 1, BlackWins, Ending::Crash, 8),
            record(2, 1, Draw, Ending::Repetition, 9),
            record(2, 1, Draw, Ending::Repetition, 9),
            record(2, 2, WhiteWins, Ending::Checkmate, 1),
        ]
    }

    #[test]
    fn wins_are_the_firsts_whatever_the_colour() {
        let [pair, mirror] = by_pair(&games()).try_into().expect("two pairs");
        assert_eq!((pair.first.depth, pair.second.depth), (1, 2));
        assert_eq!((pair.wins, pair.draws, pair.losses, pair.score()), (1, 2, 1, 0.5));
        assert_eq!((pair.games, pair.different, pair.forfeits), (4, 3, 1));
        assert_eq!((mirror.wins, mirror.losses), (1, 0), "White's");
    }

    #[test]
    fn games_against_oneself_are_no_score() {
        let scores: RunningScores = games().iter().collect();
        let shares: Vec<(u32, f64)> = scores.shares().map(|(who, share)| (who.depth, share)).collect();
        assert_eq!(shares, [(1, 0.5), (2, 0.5)]);
    }
}
