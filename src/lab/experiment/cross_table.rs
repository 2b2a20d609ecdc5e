//! [`CrossTable`]: the results of an experiment, by the contenders with White and with Black.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::Color;

use super::score_matrix::ScoreMatrix;
use crate::lab::selfplay::{Contender, GameRecord};
use crate::numbers::MatchRecord;

/// The games of one contender with White against one contender with Black (Ferreira 2013, Tables 1 and 2). In
/// a sum of games with both colors, one of the two contenders counts as White in all games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairGames {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Number of distinct games: games with the same moves count once.
    pub different: u32,
    /// Games that either side lost by an illegal move, a crash or a stall. They are also counted by their
    /// result.
    pub forfeits: u32,
    pub plies: u64,
}

/// The games of each contender with White against each contender with Black. Rows and columns are in the
/// order of [`CrossTable::contenders`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrossTable<C = Contender> {
    contenders: Vec<C>,
    /// The cells, row by row. A row belongs to a contender with White, a column to a contender with Black.
    cells: Vec<PairGames>,
}

impl PairGames {
    pub fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Returns m, the moves per game. A move by White and a move by Black together count as one move. NaN
    /// without games.
    pub fn mean_moves(self) -> f64 {
        self.plies as f64 / f64::from(2 * self.games())
    }

    /// Returns the record from White's view; `None` without games.
    pub fn record(self) -> Option<MatchRecord> {
        MatchRecord::new(self.wins, self.draws, self.losses)
    }

    /// Returns the same games from Black's view.
    pub fn turned(self) -> PairGames {
        PairGames { wins: self.losses, losses: self.wins, ..self }
    }

    pub fn with(self, other: PairGames) -> PairGames {
        PairGames {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            different: self.different + other.different,
            forfeits: self.forfeits + other.forfeits,
            plies: self.plies + other.plies,
        }
    }

    /// Returns w, the points per game from White's view; 0 without games.
    pub fn score(self) -> f64 {
        self.record().map_or(0.0, MatchRecord::score)
    }

    fn add<C>(&mut self, record: &GameRecord<C>) {
        match record.result.half_points(Color::White) {
            Some(2) => self.wins += 1,
            Some(1) => self.draws += 1,
            Some(_) => self.losses += 1,
            // A game without a result does not count; self-play never produces such a game.
            None => return,
        }
        self.forfeits += u32::from(record.ending.is_forfeit());
        self.plies += u64::from(record.plies);
    }
}

/// Returns the games of each pair that met, from the view of the pair's first contender, sorted by pair.
/// Games of a contender against itself are from White's view. Two games that differ only by the colors of the
/// contenders count as one distinct game.
pub fn by_pair<C: Copy + Ord>(records: &[GameRecord<C>]) -> Vec<([C; 2], PairGames)> {
    let mut pairs: BTreeMap<[C; 2], (PairGames, BTreeSet<u64>)> = BTreeMap::new();
    for record in records {
        let (white, black) = (record.white, record.black);
        let (games, lines) = pairs.entry([white.min(black), white.max(black)]).or_default();
        let mut game = PairGames::default();
        game.add(record);
        *games = games.with(if white <= black { game } else { game.turned() });
        lines.insert(record.line);
    }
    let counted = |(pair, (games, lines)): (_, (PairGames, BTreeSet<u64>))| {
        (pair, PairGames { different: lines.len() as u32, ..games })
    };
    pairs.into_iter().map(counted).collect()
}

impl<C: Copy + Ord> CrossTable<C> {
    pub fn of(records: &[GameRecord<C>]) -> CrossTable<C> {
        let played: BTreeSet<C> = records.iter().flat_map(|record| [record.white, record.black]).collect();
        let contenders: Vec<C> = played.into_iter().collect();
        let places: BTreeMap<C, usize> =
            contenders.iter().enumerate().map(|(place, &contender)| (contender, place)).collect();
        let mut cells = vec![PairGames::default(); contenders.len() * contenders.len()];
        let mut seen = BTreeSet::new();
        for record in records {
            let cell = &mut cells[places[&record.white] * contenders.len() + places[&record.black]];
            cell.add(record);
            cell.different += u32::from(seen.insert((record.white, record.black, record.line)));
        }
        CrossTable { contenders, cells }
    }

    pub fn contenders(&self) -> &[C] {
        &self.contenders
    }

    /// Returns the index of a contender; `None` if it did not play.
    pub fn place(&self, contender: C) -> Option<usize> {
        self.contenders.binary_search(&contender).ok()
    }

    /// Returns the games of contender `white` as White against `black`; both are indices.
    pub fn cell(&self, white: usize, black: usize) -> PairGames {
        self.cells[white * self.contenders.len() + black]
    }

    /// Returns the games of `row` against `column` with both colors, from the view of `row`. Games of a
    /// contender against itself are from White's view.
    pub fn meeting(&self, row: usize, column: usize) -> PairGames {
        let with_white = self.cell(row, column);
        if row == column { with_white } else { with_white.with(self.cell(column, row).turned()) }
    }

    /// Returns all games together, from White's view.
    pub fn all(&self) -> PairGames {
        self.cells.iter().fold(PairGames::default(), |sum, &cell| sum.with(cell))
    }

    /// Returns the games of all contenders against themselves, added up, from White's view.
    pub fn diagonal(&self) -> PairGames {
        (0..self.contenders.len()).fold(PairGames::default(), |sum, place| sum.with(self.cell(place, place)))
    }

    /// Returns the pairs that met, including contenders with themselves.
    pub fn pairs(&self) -> Vec<[C; 2]> {
        let n = self.contenders.len();
        let pairs = (0..n).flat_map(|row| (0..=row).map(move |column| (row, column)));
        let met = pairs.filter(|&(row, column)| self.meeting(row, column).games() > 0);
        met.map(|(row, column)| [self.contenders[row], self.contenders[column]]).collect()
    }

    /// Returns the pairs that played unequal numbers of games with each color. The deeper contender comes
    /// first.
    pub fn lopsided(&self) -> Vec<[C; 2]> {
        let games = |white, black| self.cell(white, black).games();
        let pairs = (0..self.contenders.len()).flat_map(|row| (0..row).map(move |column| (row, column)));
        let lopsided = pairs.filter(|&(row, column)| games(row, column) != games(column, row));
        lopsided.map(|(row, column)| [self.contenders[row], self.contenders[column]]).collect()
    }
}

impl CrossTable {
    /// Returns the scores of all contenders against each other, with both colors together (Ferreira 2013,
    /// Table 3).
    pub fn scores(&self) -> ScoreMatrix {
        ScoreMatrix::new(self.contenders.clone(), |row, column| {
            let meeting = self.meeting(row, column);
            (2 * meeting.wins + meeting.draws, meeting.games())
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{Ending, GameResult};
    use crate::lab::experiment::testing::{depth, game};
    use crate::lab::selfplay::{Side, sequential::RunningScores};

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
    fn wins_are_the_firsts_whatever_the_color() {
        let [(met, pair), (_, mirror)] = by_pair(&games()).try_into().expect("two pairs");
        assert_eq!(met.map(|contender| contender.depth), [1, 2]);
        assert_eq!((pair.wins, pair.draws, pair.losses, pair.score()), (1, 2, 1, 0.5));
        assert_eq!((pair.games(), pair.different, pair.forfeits), (4, 3, 1));
        assert_eq!((mirror.wins, mirror.losses), (1, 0), "White's");
    }

    #[test]
    fn games_against_oneself_are_no_score() {
        let scores: RunningScores = games().iter().collect();
        let shares: Vec<(u32, f64)> = scores.shares().map(|(who, share)| (who.depth, share)).collect();
        assert_eq!(shares, [(1, 0.5), (2, 0.5)]);
    }

    #[test]
    fn games_are_counted_by_color_and_once_where_they_repeat() {
        let games = [
            game([7, 6], GameResult::WhiteWins, 1),
            game([7, 6], GameResult::WhiteWins, 1),
            game([6, 7], GameResult::Draw, 1),
            GameRecord { ending: Ending::Crash, ..game([6, 7], GameResult::BlackWins, 2) },
            game([6, 6], GameResult::BlackWins, 3),
        ];
        let table = CrossTable::of(&games);
        assert_eq!(table.contenders(), [depth(6), depth(7)]);
        let deeper = table.meeting(1, 0);
        assert_eq!((deeper.wins, deeper.draws, deeper.losses), (3, 1, 0));
        assert_eq!((deeper.different, deeper.forfeits), (3, 1), "the other way round it is another game");
        assert_eq!(table.scores().score(0, 1), Some(0.125));
        assert_eq!((table.diagonal().losses, table.all().games(), table.all().different), (1, 5, 4));
        assert_eq!(table.lopsided(), Vec::<[Contender; 2]>::new());
    }

    proptest! {
        #[test]
        fn the_order_of_games_does_not_matter_and_scores_mirror(
            played in prop::collection::vec((1u32..5, 1u32..5, 0u8..3, 0u64..9), 1..60),
        ) {
            let result = |kind| [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins][usize::from(kind)];
            let mut games: Vec<GameRecord> =
                played.iter().map(|&(white, black, kind, line)| game([white, black], result(kind), line)).collect();
            let table = CrossTable::of(&games);
            games.reverse();
            prop_assert_eq!(&CrossTable::of(&games), &table);
            prop_assert_eq!(table.all().games() as usize, games.len());
            let scores = table.scores();
            for row in 0..table.contenders().len() {
                for column in (0..row).filter(|&column| table.meeting(row, column).games() > 0) {
                    let [one, other] = [scores.score(row, column), scores.score(column, row)];
                    prop_assert!((one.expect("games") + other.expect("games") - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}
