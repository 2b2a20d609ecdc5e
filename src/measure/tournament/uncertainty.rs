//! Uncertainty of a tournament's numbers: intervals, pairs and ranks.
//!
//! Moves of one game are not independent. So each game is one cluster, with the moves of both players.

mod resampled;

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::{
    EngineHistogram, EngineRow, Method, MoveSample, PairSummary, PlayerPair, PlayerResult, Tournament,
    facts::MoveFacts,
};
use crate::numbers::{
    ClusteredMean, ClusteredSamples, EloCurve, Estimate, Histogram, Influence, Interval, Welch,
    WinProbabilities, rating::strength, stats::clustered_samples, stats::clusters::added,
    stats::clusters::standard_error, stats::multiple::holm, stats::multiple::student_p,
};

/// The gains of each player by game, and the engine's gains if known.
pub(super) struct PlayerSamples<'a> {
    contest: ClusteredSamples,
    players: usize,
    engine: Opposition,
    pub without_gain: u64,
    pub without_start: u64,
    method: &'a Method,
}

enum Opposition {
    /// The engine's gains are all 0. Contains, for each side, the scores of its moves against a gain of 0,
    /// summed by game.
    Zero(Vec<ClusteredMean>),
    /// The engine has its own gains. Contains the index of the engine's side, and the win probability of each
    /// gain against the engine's gains.
    Own(usize, WinProbabilities),
}

pub(super) struct SideScore {
    /// The score, between 0 and 1, with an interval clustered by game.
    pub estimate: Estimate,
    /// The influence of each game on the score.
    influences: Vec<Influence>,
}

impl<'a> PlayerSamples<'a> {
    /// Returns the gains of the moves that `method` counts and `also` accepts.
    pub fn new(
        sample: &MoveSample,
        method: &'a Method,
        also: impl Fn(&MoveFacts) -> bool,
    ) -> PlayerSamples<'a> {
        let gains = sample.gains(method, also);
        let players = gains.players.len();
        let mut sides = gains.players;
        sides.push(gains.engine);
        let contest = ClusteredSamples::new(&sides, sample.games, method.band);
        let engine = match method.engine_histogram {
            EngineHistogram::Delta => {
                let chances = contest.chances_against_zero();
                Opposition::Zero((0..=players).map(|side| contest.mean(side, &chances)).collect())
            }
            EngineHistogram::Own => Opposition::Own(players, contest.chances_against(players)),
        };
        let (without_gain, without_start) = (gains.unknown, gains.unknown_start);
        PlayerSamples { contest, players, engine, without_gain, without_start, method }
    }

    pub fn histogram(&self, side: usize) -> Histogram {
        self.contest.histogram(side)
    }

    /// Returns the histogram of the engine's gains: one peak at 0, or the engine's own gains if `method`
    /// requests them; empty if the requested gains are unknown.
    pub fn engine_histogram(&self) -> Histogram {
        match self.engine {
            Opposition::Zero(_) => Histogram::delta(self.method.band.width()),
            Opposition::Own(side, _) => self.contest.histogram(side),
        }
    }

    /// Returns a player's score; `None` if the player has no counted moves, or if the engine's own gains are
    /// requested and unknown.
    pub fn score(&self, side: usize) -> Option<SideScore> {
        let (value, influences) = match &self.engine {
            Opposition::Zero(means) => (means[side].mean()?, means[side].influences()),
            Opposition::Own(engine, chances) => {
                let of_engine = self.contest.mean(*engine, &self.contest.chances_against(side));
                let comparison = clustered_samples::compare(&self.contest.mean(side, chances), &of_engine)?;
                (comparison.score, comparison.influences)
            }
        };
        Some(SideScore { estimate: self.estimate(side, value, &influences), influences })
    }

    /// Returns a player's score against gains that are all 0, even if the method requests the engine's own
    /// gains; `None` without counted moves.
    fn against_zero(&self, side: usize) -> Option<Estimate> {
        let mean = self.contest.mean(side, &self.contest.chances_against_zero());
        Some(self.estimate(side, mean.mean()?, &mean.influences()))
    }

    /// Converts a score and its interval to finite Elo differences by [`EloCurve::estimate`].
    pub fn difference(&self, score: Estimate) -> Estimate {
        self.method.curve.estimate(score)
    }

    /// Adds intervals, pairs, ranks, the test of equal scores and the engine's row to the tournament's
    /// tables. There are no pairs if more than [`PairSummary::FIELD`] players have a score.
    pub fn add_uncertainty(&self, sample: &MoveSample, tournament: &mut Tournament) {
        let (sides, scores) = self.scores(sample, tournament);
        self.add_clustered(tournament, &scores);
        self.add_sampling_error(tournament, &scores);
        let present: Vec<usize> = (0..sides.len()).filter(|&place| scores[place].is_some()).collect();
        let is_readable = present.len() <= PairSummary::FIELD;
        let mut pairs = if is_readable { self.compared(&sides, &present) } else { Vec::new() };
        self.add_resampled(tournament, &sides, &scores, &mut pairs);
        tournament.pairs = self.with_p_values(pairs, &sides);
        tournament.pair_summary = PairSummary::of(&tournament.pairs);
        tournament.homogeneity = Welch::of(scores.iter().flatten().map(|score| score.estimate));
        tournament.engine = self.engine_row();
        if let Opposition::Own(..) = self.engine {
            for (player, &side) in tournament.players.iter_mut().zip(&sides) {
                player.against_zero = self.against_zero(side);
            }
        }
    }

    /// Adds clustered intervals to the tournament's tables. Returns a list for each player: the influence of
    /// each game on the player's Elo difference. The list is empty for a player without a score.
    #[cfg(feature = "program")]
    pub fn add_shifts(&self, sample: &MoveSample, tournament: &mut Tournament) -> Vec<Vec<Influence>> {
        let (_, scores) = self.scores(sample, tournament);
        self.add_clustered(tournament, &scores);
        let shifts = tournament.players.iter().zip(&scores).map(|(player, score)| {
            score.as_ref().map_or_else(Vec::new, |score| score.scaled(slope(player, self.method.curve)))
        });
        shifts.collect()
    }

    /// Returns each player's index in the sample, and each player's score, in the order of the tables. The
    /// tables are sorted by score, the sample by name.
    fn scores(&self, sample: &MoveSample, tournament: &Tournament) -> (Vec<usize>, Vec<Option<SideScore>>) {
        let sides: Vec<usize> = tournament.players.iter().map(|player| sample.place(&player.name)).collect();
        let scores = sides.par_iter().map(|&side| self.score(side)).collect();
        (sides, scores)
    }

    fn add_clustered(&self, tournament: &mut Tournament, scores: &[Option<SideScore>]) {
        let engine = tournament.engine_strength;
        for (player, score) in tournament.players.iter_mut().zip(scores) {
            let Some(score) = score else { continue };
            let difference = self.difference(score.estimate);
            let interval = score.estimate.interval;
            let open = interval.map_or([false; 2], |ends| [ends.low <= 0.0, ends.high >= 1.0]);
            let (moved, points, performance) =
                (&mut player.expected_score, &mut player.elo_difference, &mut player.performance);
            moved.iter_mut().for_each(|score| score.intervals.cluster = interval);
            for points in points.iter_mut() {
                (points.intervals.cluster, points.open) = (difference.interval, open);
            }
            let sum = engine.map(|engine| strength::performance(engine, difference));
            for performance in performance.iter_mut() {
                performance.intervals.cluster = sum.and_then(|sum| sum.interval);
                performance.open = open;
            }
        }
    }

    /// Returns true if a side has two games or more, so that the scatter between its games can be estimated.
    fn scatters(&self, side: usize) -> bool {
        self.contest.clusters_of(side) > 1
    }

    /// Adds the sampling error of the engine's strength: the standard error of the mean Elo difference over
    /// the rated players, who share games. Adds nothing if the engine's strength is unknown, or if a rated
    /// player has fewer than two games, or games that do not differ.
    fn add_sampling_error(&self, tournament: &mut Tournament, scores: &[Option<SideScore>]) {
        let Some(strength) = tournament.engine_strength else { return };
        let rated =
            tournament.players.iter().zip(scores).filter(|(player, _)| player.engine_strength.is_some());
        let mut total: Vec<Influence> = Vec::new();
        for (player, score) in rated {
            let scatters = |score: &&SideScore| standard_error(&score.influences).is_some();
            let Some(score) = score.as_ref().filter(scatters) else { return };
            let slope = slope(player, self.method.curve) / strength.observations as f64;
            total = added(&total, &score.scaled(slope));
        }
        let games = total.len();
        tournament.sampling.cluster =
            standard_error(&total).and_then(|error| Interval::clustered(strength.value, error, games));
    }

    /// Returns all pairs of the players at the indices `present` of the tables. The standard error of a pair
    /// comes from the influence of each game. It is `None` if a player has only one game, or if the games do
    /// not differ.
    fn compared(&self, sides: &[usize], present: &[usize]) -> Vec<PlayerPair> {
        let chances: Vec<WinProbabilities> =
            present.par_iter().map(|&place| self.contest.chances_against(sides[place])).collect();
        let of_first = |first: usize| {
            (first + 1..present.len()).filter_map({
                let chances = &chances;
                move |second| {
                    let players = [present[first], present[second]];
                    let [a, b] = players.map(|place| sides[place]);
                    let comparison = clustered_samples::compare(
                        &self.contest.mean(a, &chances[second]),
                        &self.contest.mean(b, &chances[first]),
                    )?;
                    let known = self.scatters(a) && self.scatters(b);
                    let error = standard_error(&comparison.influences).filter(|_| known);
                    Some(PlayerPair::new(players, comparison.score, error))
                }
            })
        };
        (0..present.len()).into_par_iter().flat_map_iter(of_first).collect()
    }

    fn fewer_games(&self, pair: &PlayerPair, sides: &[usize]) -> usize {
        let [a, b] = pair.players.map(|place| self.contest.clusters_of(sides[place]));
        a.min(b)
    }

    /// Adds z, p and Holm's adjusted p to pairs with a known standard error. A pair with a score of 0 or 1
    /// has no z. Its p comes from the sign test over games, if each player has two games or more.
    fn with_p_values(&self, mut pairs: Vec<PlayerPair>, sides: &[usize]) -> Vec<PlayerPair> {
        for pair in &mut pairs {
            let games = self.fewer_games(pair, sides);
            let certain = pair.score == 0.0 || pair.score == 1.0;
            pair.z = pair.standard_error.filter(|_| !certain).map(|error| (pair.score - 0.5) / error);
            let p = pair.z.map(|z| student_p(z, games.saturating_sub(1).max(1)));
            pair.p = p.or_else(|| (certain && games > 1).then(|| 2.0 * 0.5f64.powi(games as i32)));
        }
        let known: Vec<f64> = pairs.iter().filter_map(|pair| pair.p).collect();
        let mut adjusted = holm(&known).into_iter();
        for pair in &mut pairs {
            pair.p_holm = pair.p.and_then(|_| adjusted.next());
        }
        pairs
    }

    fn engine_row(&self) -> Option<EngineRow> {
        let engine = self.players;
        let mean = self.contest.mean(engine, &self.contest.chances_against_zero());
        let against_zero = self.estimate(engine, mean.mean()?, &mean.influences());
        Some(EngineRow { histogram: self.contest.histogram(engine), against_zero })
    }

    /// Returns the score `value` of a side with its interval over games: exact for a score of 0 or 1,
    /// otherwise Student's t. There is no interval for a single game, or for Student's t if the games do not
    /// differ.
    fn estimate(&self, side: usize, value: f64, influences: &[Influence]) -> Estimate {
        let games = self.contest.clusters_of(side);
        let interval = if value == 0.0 || value == 1.0 {
            (games > 1).then(|| Interval::certain(value, games))
        } else {
            let error = standard_error(influences);
            let interval = error.and_then(|error| Interval::clustered(value, error, games));
            interval.map(|interval| interval.within(0.0, 1.0))
        };
        Estimate { value, observations: self.contest.count(side), interval }
    }
}

impl SideScore {
    /// Returns the influences on the score, multiplied by `factor`.
    fn scaled(&self, factor: f64) -> Vec<Influence> {
        self.influences.iter().map(|&(game, shift)| (game, factor * shift)).collect()
    }
}

impl PlayerPair {
    fn new(players: [usize; 2], score: f64, standard_error: Option<f64>) -> PlayerPair {
        PlayerPair { players, score, standard_error, z: None, p: None, p_holm: None }
    }
}

/// Returns the slope of the curve at the player's Elo difference, in Elo points per unit of expected score; 0
/// without a difference.
fn slope(player: &PlayerResult, curve: EloCurve) -> f64 {
    player.elo_difference.map_or(0.0, |difference| curve.slope(difference.value))
}

#[cfg(test)]
mod tests;
