//! [`RoundRobin`]: the evaluation of games of several entrants, with one rating for each entrant.

use std::collections::BTreeMap;

use shakmaty::Color;

use super::{cross_table::CrossTable, cross_table::PairGames, heinz::game_pairs, heinz::opened, listed};
use crate::base::text::brief;
use crate::lab::{
    selfplay::GameRecord, selfplay::entrants::EntrantNumber, selfplay::sequential::SequentialMatch,
};
use crate::numbers::{ClusteredRatings, Estimate, FitError, GamePairs, Interval, PairwiseScore};

#[derive(Debug, Clone, PartialEq)]
pub struct EntrantAnchor {
    pub name: String,
    pub elo: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RoundRobinError {
    #[error("no game is finished, so there is nothing to rate")]
    NoGames,
    #[error("{name} of --anchor is not an entrant; the entrants are {entrants}")]
    Anchor { name: String, entrants: String },
}

#[derive(Debug, Clone, PartialEq)]
pub struct RoundRobin {
    names: Vec<String>,
    pub table: CrossTable<EntrantNumber>,
    /// The ratings, or the reason why no entrants can be compared.
    pub ratings: Result<ClusteredRatings, FitError>,
    /// The observations of the ratings and scores.
    clusters: Vec<PairwiseScore>,
    /// Pairs of games of one opening with exchanged colors, by entrants, from the first entrant's view.
    pairs: BTreeMap<(EntrantNumber, EntrantNumber), GamePairs>,
    /// Index and Elo of each entrant whose Elo is known.
    anchors: Vec<(usize, f64)>,
    pub sequential: Option<SequentialMatch>,
}

impl RoundRobin {
    /// Evaluates the games in `records`. `names` has the names of the entrants, all of which have played.
    ///
    /// Without anchors, Elo points are relative to the mean of all rated entrants. With anchors, the mean
    /// rating of the anchors equals the mean of the numbers given for them. The uncertainty of a rating is
    /// the uncertainty of its distance from this mean.
    pub fn of(
        names: Vec<String>,
        records: &[GameRecord<EntrantNumber>],
        anchors: &[EntrantAnchor],
        sequential: Option<SequentialMatch>,
    ) -> Result<RoundRobin, RoundRobinError> {
        let anchors = check_anchors(&names, anchors)?;
        if records.is_empty() {
            return Err(RoundRobinError::NoGames);
        }
        let clusters = clusters(records);
        Ok(RoundRobin {
            table: CrossTable::of(records),
            ratings: ClusteredRatings::of(names.len(), &clusters),
            clusters,
            pairs: game_pairs(records),
            names,
            anchors,
            sequential,
        })
    }

    pub fn name(&self, place: usize) -> &str {
        &self.names[place]
    }

    pub fn entrants(&self) -> usize {
        self.names.len()
    }

    /// Returns the indices of all entrants, from the strongest to the weakest. Entrants without a rating come
    /// last, ordered by score.
    pub fn standing(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.names.len()).collect();
        let key = |place: usize| {
            let elo = self.elo(place).map_or(f64::NEG_INFINITY, |elo| elo.value);
            (elo, self.total(place).record().map_or(0.0, |record| record.score()))
        };
        let keys: Vec<(f64, f64)> = places.iter().map(|&place| key(place)).collect();
        places.sort_by(|&one, &other| {
            let (one, other) = (keys[one], keys[other]);
            other.0.total_cmp(&one.0).then(other.1.total_cmp(&one.1))
        });
        places
    }

    /// Returns the games of entrant `place` against entrant `other`, from the view of `place`.
    pub fn meeting(&self, place: usize, other: usize) -> PairGames {
        let number = |place: usize| EntrantNumber(u32::try_from(place).unwrap_or(u32::MAX));
        let both = self.table.place(number(place)).zip(self.table.place(number(other)));
        both.map_or_else(PairGames::default, |(one, other)| self.table.meeting(one, other))
    }

    pub fn total(&self, place: usize) -> PairGames {
        let met = (0..self.names.len()).map(|other| self.meeting(place, other));
        met.fold(PairGames::default(), PairGames::with)
    }

    /// Returns the game pairs of the entrants `place` and `other`, from the view of `place`. `None` unless
    /// all their games are in pairs of one opening with exchanged colors.
    pub fn game_pairs(&self, place: usize, other: usize) -> Option<GamePairs> {
        let number = |place: usize| EntrantNumber(u32::try_from(place).unwrap_or(u32::MAX));
        let pairs = self.pairs.get(&(number(place), number(other)))?;
        (2 * pairs.pairs() == u64::from(self.meeting(place, other).games())).then_some(*pairs)
    }

    /// Returns the score of entrant `place` against entrant `other` with its 95 % interval. The observations
    /// are the same as for the ratings.
    pub fn score(&self, place: usize, other: usize) -> Option<Estimate> {
        // The clusters are sorted by their sides, and the first side has the lower index.
        let met = [place.min(other), place.max(other)];
        let from = self.clusters.partition_point(|cluster| cluster.sides < met);
        let clusters = self.clusters[from..].iter().take_while(|cluster| cluster.sides == met);
        super::heinz::score(clusters.map(|&PairwiseScore { sides, half_points, games }| {
            (1, games, if sides[0] == place { half_points } else { 2 * games - half_points })
        }))
    }

    /// Returns the Elo of the entrant at an index; `None` if no finite Elo fits.
    pub fn elo(&self, place: usize) -> Option<Estimate> {
        let ratings = self.ratings.as_ref().ok()?;
        let (others, zero) = self.zero();
        let shifted = |interval: Interval| interval.mapped(|elo| elo + zero, 1.0);
        let above = ratings.above(place, &others)?;
        Some(Estimate { value: above.value + zero, interval: above.interval.map(shifted), ..above })
    }

    /// Returns the Elo difference between two entrants, positive if the first is stronger.
    pub fn difference(&self, place: usize, other: usize) -> Option<Estimate> {
        self.ratings.as_ref().ok()?.above(place, &[other])
    }

    pub fn superiority(&self, place: usize, other: usize) -> Option<f64> {
        self.ratings.as_ref().ok()?.superiority(place, other)
    }

    /// Returns index and known Elo of each anchor that is rated.
    pub fn anchors(&self) -> impl Iterator<Item = (usize, f64)> {
        self.anchors.iter().copied().filter(|&(place, _)| self.is_rated(place))
    }

    pub fn is_rated(&self, place: usize) -> bool {
        self.ratings.as_ref().is_ok_and(|ratings| ratings.is_rated(place))
    }

    /// Returns the entrants from whose mean rating the distances are measured, and the Elo of that mean.
    fn zero(&self) -> (Vec<usize>, f64) {
        let (places, elos): (Vec<usize>, Vec<f64>) = self.anchors().unzip();
        match places.len() {
            0 => ((0..self.names.len()).filter(|&place| self.is_rated(place)).collect(), 0.0),
            count => (places, elos.iter().sum::<f64>() / count as f64),
        }
    }
}

pub fn check_anchors(
    names: &[String],
    anchors: &[EntrantAnchor],
) -> Result<Vec<(usize, f64)>, RoundRobinError> {
    let place = |anchor: &EntrantAnchor| {
        let place = names.iter().position(|name| *name == anchor.name);
        let unknown = || RoundRobinError::Anchor {
            name: brief(&anchor.name),
            entrants: listed(names.iter().map(|name| brief(name))),
        };
        place.map(|place| (place, anchor.elo)).ok_or_else(unknown)
    };
    anchors.iter().map(place).collect()
}

/// Returns the observations of the ratings and scores. An observation is two games of one opening with
/// exchanged colors, or a single game. Repetitions with identical moves belong to the same observation.
fn clusters(records: &[GameRecord<EntrantNumber>]) -> Vec<PairwiseScore> {
    let mut clusters: BTreeMap<(EntrantNumber, EntrantNumber, [Option<u64>; 2]), PairwiseScore> =
        BTreeMap::new();
    for ((first, second, _), games) in opened(records) {
        for turn in 0..games[0].len().max(games[1].len()) {
            let pair = games.each_ref().map(|games| games.get(turn).copied());
            let lines = pair.map(|game| game.map(|game| game.line));
            let cluster = clusters.entry((first, second, lines)).or_insert(PairwiseScore {
                sides: [first.place(), second.place()],
                half_points: 0,
                games: 0,
            });
            for game in pair.into_iter().flatten() {
                let color = Color::from_white(game.white == first);
                cluster.half_points += game.result.half_points(color).unwrap_or_default();
                cluster.games += 1;
            }
        }
    }
    clusters.into_values().collect()
}

#[cfg(test)]
mod tests {
    use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};

    use super::*;
    use crate::chess::{Ending, GameResult};
    use crate::numbers::EloCurve;

    fn game(
        number: u32,
        [white, black]: [u32; 2],
        result: GameResult,
        line: u64,
    ) -> GameRecord<EntrantNumber> {
        GameRecord {
            game: number,
            white: EntrantNumber(white),
            black: EntrantNumber(black),
            opening: Some(number / 2 % 4),
            result,
            ending: Ending::Checkmate,
            plies: 60,
            line,
        }
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|place| format!("player {place}")).collect()
    }

    /// Returns four game pairs between players 0 and 1. Player 0 has 1½, 1, 2 and ½ points.
    fn games() -> Vec<GameRecord<EntrantNumber>> {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let results = [WhiteWins, Draw, WhiteWins, WhiteWins, WhiteWins, BlackWins, BlackWins, Draw];
        let sides = |number: u32| if number.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        (0..)
            .zip(results)
            .map(|(number, result)| game(number, sides(number), result, number.into()))
            .collect()
    }

    #[test]
    fn a_match_of_two_is_counted_in_pairs() {
        let found = RoundRobin::of(names(2), &games(), &[], None).expect("games");
        let first = found.total(0);
        assert_eq!((first.wins, first.draws, first.losses, first.games()), (4, 2, 2, 8));
        assert_eq!(found.game_pairs(0, 1).map(GamePairs::counts), Some([0, 1, 1, 1, 1]));
        assert_eq!(found.score(1, 0).expect("games").value, 0.375);
        // 5 of 8 points are 400·log₁₀(5/3) = 88.74 Elo, half of it above the mean of the two.
        let [one, other] = [0, 1].map(|place| found.elo(place).expect("a rating").value);
        assert!((one - 44.37).abs() < 0.01 && (one + other).abs() < 1e-9, "{one} {other}");
        let above = found.superiority(0, 1).expect("four pairs");
        assert!(above > 0.5 && (above + found.superiority(1, 0).expect("four pairs") - 1.0).abs() < 1e-12);
        assert_eq!(found.standing(), [0, 1]);
    }

    #[test]
    fn a_score_has_the_interval_of_student_over_its_pairs() {
        // Pairs of 1½, 1, 2 and ½ points: scores ¾, ½, 1 and ¼ with the mean .625 and squares 10/64 · 2 = 5/16. The
        // error is √(5/16/3)/√4 = .161374, and t of three degrees of freedom is 3.182446 (any table).
        let found = RoundRobin::of(names(2), &games(), &[], None).expect("games");
        let interval = found.score(0, 1).expect("games").interval.expect("four pairs");
        assert!((interval.standard_error - 0.161_374).abs() < 1e-6, "{interval:?}");
        assert!((interval.low - (0.625 - 3.182_446 * 0.161_374)).abs() < 1e-5, "{interval:?}");
        assert_eq!(interval.high, 1.0, "no score is above 1");
        // y = np.repeat(np.arange(5)/4, [0, 1, 3, 4, 2])   # scipy 1.17.1
        // scipy.stats.t.interval(.95, 9, y.mean(), scipy.stats.sem(y))
        let pairs = [1, 2, 2, 2, 3, 3, 3, 3, 4, 4];
        let found = RoundRobin::of(names(2), &paired(&pairs), &[], None).expect("games");
        let interval = found.score(0, 1).expect("games").interval.expect("ten pairs");
        assert!((interval.low - 0.5053382127901347).abs() < 1e-9, "{interval:?}");
        assert!((interval.high - 0.8446617872098654).abs() < 1e-9, "{interval:?}");
        let turned = found.score(1, 0).expect("games").interval.expect("ten pairs");
        assert!((turned.low + interval.high - 1.0).abs() < 1e-12, "{turned:?}");
        // All ten pairs are won: Clopper and Pearson's lower end is .025^(1/10) = .691503.
        let found = RoundRobin::of(names(2), &paired(&[4; 10]), &[], None).expect("games");
        let interval = found.score(0, 1).expect("games").interval.expect("ten pairs");
        assert!((interval.low - 0.691_503).abs() < 1e-6 && interval.high == 1.0, "{interval:?}");
    }

    /// Returns a pair of games, with moves of its own, for each number of half-points of player 0.
    fn paired(half_points: &[u32]) -> Vec<GameRecord<EntrantNumber>> {
        let won = |half_points: u32, white: bool| match (half_points, white) {
            (1, _) => GameResult::Draw,
            (2, true) | (0, false) => GameResult::WhiteWins,
            _ => GameResult::BlackWins,
        };
        let pair = |(pair, &points): (u32, &u32)| {
            let [first, second] = [points.min(2), points - points.min(2)];
            [(2 * pair, [0, 1], won(first, true)), (2 * pair + 1, [1, 0], won(second, false))]
        };
        let games = (0..).zip(half_points).flat_map(pair);
        let opened = |number: u32, sides, result| GameRecord {
            opening: Some(number / 2),
            ..game(number, sides, result, number.into())
        };
        games.map(|(number, sides, result)| opened(number, sides, result)).collect()
    }

    #[test]
    fn intervals_and_superiority_of_few_pairs_are_right_as_often_as_they_say() {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        let mut uniform = || random.next_u64() as f64 / u64::MAX as f64;
        const MATCHES: u32 = 2000;
        for pairs in [10, 20] {
            let (mut held, mut normal, mut superior) = (0, 0, 0);
            for _ in 0..MATCHES {
                // Equal sides. Each opening favors White by its own number of points.
                let mut half_points =
                    |chance: f64| (0..2).map(|_| u32::from(uniform() < chance)).sum::<u32>();
                let points: Vec<u32> = (0..pairs)
                    .map(|place| {
                        let chance = EloCurve::Logistic.expected_score(40.0 * f64::from(place % 10) - 180.0);
                        half_points(chance) + half_points(1.0 - chance)
                    })
                    .collect();
                let found = RoundRobin::of(names(2), &paired(&points), &[], None).expect("games");
                let score = found.score(0, 1).expect("games");
                let off = (score.value - 0.5).abs();
                held += u32::from(score.interval.is_none_or(|interval| off < interval.half_width()));
                let counted = found.game_pairs(0, 1).expect("pairs");
                let n = f64::from(pairs);
                normal += u32::from(off < 1.96 * counted.standard_error() * ((n - 1.0) / n).sqrt());
                superior += u32::from(found.superiority(0, 1).is_some_and(|chance| chance > 0.95));
            }
            let share = |count: u32| f64::from(count) / f64::from(MATCHES);
            // The standard error of a share of .95 is .005. Scores are multiples of a fourth of a pair, so no test
            // has exactly 5 %.
            assert!((0.935..0.97).contains(&share(held)), "{held} of {MATCHES} with {pairs} pairs");
            assert!(
                share(normal) < share(held) - 0.01,
                "{normal} and {held} of {MATCHES} with {pairs} pairs"
            );
            assert!((0.03..0.06).contains(&share(superior)), "{superior} of {MATCHES} with {pairs} pairs");
        }
    }

    #[test]
    fn anchors_put_their_mean_where_it_is_known_to_be() {
        let anchor = |name: &str, elo: f64| EntrantAnchor { name: name.to_owned(), elo };
        let found = |anchors: &[EntrantAnchor]| RoundRobin::of(names(2), &games(), anchors, None);
        let elo = |anchors: &[EntrantAnchor], place| found(anchors).expect("games").elo(place).expect("Elo");
        let fixed = elo(&[anchor("player 1", 2000.0)], 1);
        assert_eq!((fixed.value, fixed.interval.map(|interval| interval.half_width())), (2000.0, Some(0.0)));
        let both = [anchor("player 0", 1900.0), anchor("player 1", 2100.0)];
        assert!((elo(&both, 0).value - 2044.37).abs() < 0.01);
        let error = found(&[anchor("player 7", 2000.0)]).expect_err("nobody").to_string();
        assert!(
            error.starts_with("player 7 of --anchor is not an entrant; the entrants are player 0, player 1"),
            "{error}"
        );
        assert_eq!(RoundRobin::of(names(2), &[], &[], None), Err(RoundRobinError::NoGames));
    }

    #[test]
    fn pairs_that_are_move_for_move_the_same_are_one_observation() {
        let again: Vec<GameRecord<EntrantNumber>> = (0..3)
            .flat_map(|time: u32| {
                games().into_iter().map(move |game| GameRecord { game: game.game + 8 * time, ..game })
            })
            .collect();
        let (once, thrice) = (clusters(&games()), clusters(&again));
        assert_eq!((once.len(), thrice.len()), (4, 4));
        assert_eq!(thrice.iter().map(|cluster| cluster.games).sum::<u32>(), 24);
        let error = |games: &[GameRecord<EntrantNumber>]| {
            let found = RoundRobin::of(names(2), games, &[], None).expect("games");
            found.difference(0, 1).expect("ratings").interval.expect("four pairs").standard_error
        };
        assert!((error(&games()) - error(&again)).abs() < 1e-9, "nothing is learned by playing it again");
    }
}
