//! Owns the uncertainty of a tournament's numbers: intervals, pairs and ranks.
//!
//! Moves of one game are not independent, so the game is the unit everywhere: a cluster of the
//! moves of both players.

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::{
    EngineHistogram, EngineRow, LEVEL, Method, MoveSample, PairSummary, PlayerPair, PlayerResult, Ranks,
    Tournament, facts::MoveFacts,
};
use crate::rating::{elo::EloCurve, strength};
use crate::stats::{
    bootstrap::Bootstrap,
    clustered_samples::{self, ClusteredSamples, WinProbabilities},
    clusters::{ClusteredMean, Influence, added, standard_error},
    estimate::{Estimate, Interval, standard_deviation},
    heterogeneity::Welch,
    histogram::Histogram,
    multiple::{holm, student_p},
};

/// Up to so many players the errors of their pairs come from the samples themselves; beyond, from
/// the influence of each game, which is what endless samples would give to first order (the
/// infinitesimal jackknife, Jaeckel 1972).
const PAIRS_RESAMPLED: usize = 64;

/// The players' gains by game, and the engine's behind them where they are known.
pub(super) struct PlayerSamples<'a> {
    contest: ClusteredSamples,
    /// How many of the sides are players.
    players: usize,
    engine: Opposition,
    without_gain: u64,
    without_start: u64,
    method: &'a Method,
}

/// Against whom a player scores.
enum Opposition {
    /// One peak at 0, with the mean chances of each side against it.
    Zero(Vec<ClusteredMean>),
    /// A side of the contest, with the chances of each gain against it.
    Own(usize, WinProbabilities),
}

/// What a player scores against the engine.
pub(super) struct SideScore {
    /// Between 0 and 1, with its interval by cluster.
    pub estimate: Estimate,
    /// The shift of it by each game.
    influences: Vec<Influence>,
}

impl<'a> PlayerSamples<'a> {
    /// Returns the moves of `sample` that count by `method`, and by `also`.
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

    pub fn without_gain(&self) -> u64 {
        self.without_gain
    }

    pub fn without_start(&self) -> u64 {
        self.without_start
    }

    /// Returns what the engine's gains are taken to be; empty where they are wanted and not known.
    pub fn engine_histogram(&self) -> Histogram {
        match self.engine {
            Opposition::Zero(_) => Histogram::delta(self.method.band.width()),
            Opposition::Own(side, _) => self.contest.histogram(side),
        }
    }

    /// Returns what a player scores; `None` without moves, or without an engine's.
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

    /// Returns the score of a player against one peak at 0, whatever the engine's own gains are.
    fn against_zero(&self, side: usize) -> Option<Estimate> {
        let mean = self.contest.mean(side, &self.contest.chances_against_zero());
        Some(self.estimate(side, mean.mean()?, &mean.influences()))
    }

    /// Returns the Elo difference that a score stands for, half a move a side keeping it finite.
    pub fn difference(&self, score: Estimate) -> Estimate {
        self.method.curve.estimate(score)
    }

    /// Adds intervals, pairs and ranks to the tables of these sides.
    pub fn add_uncertainty(&self, sample: &MoveSample, tournament: &mut Tournament) {
        // The players of the tables are in order of score, those of the sample by name.
        let sides: Vec<usize> = tournament.players.iter().map(|player| sample.place(&player.name)).collect();
        let scores: Vec<Option<SideScore>> = sides.par_iter().map(|&side| self.score(side)).collect();
        self.add_clustered(tournament, &scores);
        self.add_sampling_error(tournament, &scores);
        let present: Vec<usize> = (0..sides.len()).filter(|&place| scores[place].is_some()).collect();
        let mut pairs = self.compared(&sides, &present);
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

    /// Returns whether the games of a side can tell how much it scatters.
    fn scatters(&self, side: usize) -> bool {
        self.contest.clusters_of(side) > 1
    }

    /// Returns the error of the mean difference of the rated players, who share games; none where one of
    /// them has a single game, or games that do not differ.
    fn add_sampling_error(&self, tournament: &mut Tournament, scores: &[Option<SideScore>]) {
        let Some(strength) = tournament.engine_strength else { return };
        let rated =
            tournament.players.iter().zip(scores).filter(|(player, _)| player.engine_strength.is_some());
        let mut total: Vec<Influence> = Vec::new();
        for (player, score) in rated {
            let scatters = |score: &&SideScore| standard_error(&score.influences).is_some();
            let Some(score) = score.as_ref().filter(scatters) else { return };
            let slope = slope(player, self.method.curve) / strength.observations as f64;
            let shifts: Vec<Influence> =
                score.influences.iter().map(|&(game, shift)| (game, slope * shift)).collect();
            total = added(&total, &shifts);
        }
        let games = total.len();
        tournament.sampling.cluster =
            standard_error(&total).and_then(|error| Interval::clustered(strength.value, error, games, LEVEL));
    }

    /// Returns each pair of the players at the places `present`, whose errors are still those by influence.
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

    /// Returns intervals by bootstrap, the errors of pairs where there are not too many, and ranks.
    fn add_resampled(
        &self,
        tournament: &mut Tournament,
        sides: &[usize],
        scores: &[Option<SideScore>],
        pairs: &mut [PlayerPair],
    ) {
        let samples = self.method.bootstrap.samples as usize;
        if samples == 0 {
            return;
        }
        let few = pairs.len() <= PAIRS_RESAMPLED * (PAIRS_RESAMPLED - 1) / 2;
        let resampled: &[PlayerPair] = if few && samples >= Bootstrap::LEAST as usize { pairs } else { &[] };
        let replicates = self.method.bootstrap.replicates(self.contest.clusters(), |weights| Replicate {
            scores: self.resampled_scores(sides, scores, weights),
            pairs: self.resampled_pairs(sides, resampled, weights),
        });
        if !resampled.is_empty() {
            self.add_pair_errors(sides, pairs, &replicates);
        }
        self.add_percentiles(tournament, sides, &replicates);
    }

    /// Returns the errors of pairs over the samples, with the factor that those by influence have: as if
    /// by the one of the two who has fewer games.
    fn add_pair_errors(&self, sides: &[usize], pairs: &mut [PlayerPair], replicates: &[Replicate]) {
        for (index, pair) in pairs.iter_mut().enumerate() {
            let scores: Vec<f64> = replicates.iter().filter_map(|r| r.pairs[index]).collect();
            let games = self.fewer_games(pair, sides) as f64;
            let known = pair.standard_error.filter(|_| scores.len() > 1);
            pair.standard_error = known.map(|_| standard_deviation(&scores) * (games / (games - 1.0)).sqrt());
        }
    }

    fn add_percentiles(&self, tournament: &mut Tournament, sides: &[usize], replicates: &[Replicate]) {
        let curve = self.method.curve;
        let of_sample = |replicate: &Replicate| -> Vec<Option<f64>> {
            let players = tournament.players.iter().zip(&replicate.scores);
            players
                .map(|(player, score)| score.map(|p| curve.bounded_difference(p, player.moves())))
                .collect()
        };
        let differences: Vec<Vec<Option<f64>>> = replicates.iter().map(of_sample).collect();
        let strengths: Vec<Option<f64>> = differences
            .iter()
            .map(|differences| resampled_strength(&tournament.players, differences))
            .collect();
        let percentiles = |values: &mut dyn Iterator<Item = Option<f64>>| {
            Interval::percentile(values.flatten().collect(), LEVEL)
        };
        let sampled = tournament.sampling.cluster.is_some();
        if sampled {
            tournament.sampling.bootstrap = percentiles(&mut strengths.iter().copied());
        }
        let scatters: Vec<bool> = sides.iter().map(|&side| self.scatters(side)).collect();
        let ranks = ranks(replicates, &scatters);
        for (place, player) in tournament.players.iter_mut().enumerate().filter(|&(place, _)| scatters[place])
        {
            player.ranks = ranks[place];
            if let Some(score) = &mut player.expected_score {
                score.intervals.bootstrap = percentiles(&mut replicates.iter().map(|r| r.scores[place]));
            }
            if let Some(difference) = &mut player.elo_difference {
                difference.intervals.bootstrap = percentiles(&mut differences.iter().map(|d| d[place]));
            }
            if let Some(performance) = player.performance.as_mut().filter(|_| sampled) {
                performance.intervals.bootstrap = percentiles(
                    &mut differences.iter().zip(&strengths).map(|(d, engine)| Some((*engine)? + d[place]?)),
                );
            }
        }
    }

    /// Returns the games of the one of a pair who has fewer.
    fn fewer_games(&self, pair: &PlayerPair, sides: &[usize]) -> usize {
        let [a, b] = pair.players.map(|place| self.contest.clusters_of(sides[place]));
        a.min(b)
    }

    /// Returns scores in a sample. A player who is in none of its games keeps the score observed: places
    /// and the mean over players would otherwise be those of another field.
    fn resampled_scores(
        &self,
        sides: &[usize],
        observed: &[Option<SideScore>],
        weights: &[u32],
    ) -> Vec<Option<f64>> {
        let score: Box<dyn Fn(usize) -> Option<f64> + '_> = match &self.engine {
            Opposition::Zero(means) => Box::new(|side| means[side].resampled(weights).map(|(mean, _)| mean)),
            Opposition::Own(engine, _) => {
                let chances = self.contest.chances(&self.contest.resampled_counts(*engine, weights));
                Box::new(move |side| self.contest.resampled_mean(side, &chances, weights))
            }
        };
        let kept = |observed: &Option<SideScore>| observed.as_ref().map(|score| score.estimate.value);
        sides.iter().zip(observed).map(|(&side, observed)| score(side).or_else(|| kept(observed))).collect()
    }

    fn resampled_pairs(&self, sides: &[usize], pairs: &[PlayerPair], weights: &[u32]) -> Vec<Option<f64>> {
        if pairs.is_empty() {
            return Vec::new();
        }
        let counts: Vec<Vec<f64>> =
            sides.iter().map(|&side| self.contest.resampled_counts(side, weights)).collect();
        let chances: Vec<WinProbabilities> =
            counts.iter().map(|counts| self.contest.chances(counts)).collect();
        let has_moves: Vec<bool> = counts.iter().map(|counts| counts.iter().any(|&n| n > 0.0)).collect();
        let score = |pair: &PlayerPair| {
            let [a, b] = pair.players;
            has_moves[b].then(|| clustered_samples::score(&counts[a], &chances[b])).flatten()
        };
        pairs.iter().map(score).collect()
    }

    /// Adds z and p to pairs whose errors are known. Where every move of one is better than every
    /// one of the other there is no error, and the sign test over games gives the p.
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

    /// Returns a score with its interval by cluster.
    fn estimate(&self, side: usize, value: f64, influences: &[Influence]) -> Estimate {
        let games = self.contest.clusters_of(side);
        let interval = if value == 0.0 || value == 1.0 {
            (games > 1).then(|| Interval::certain(value, games, LEVEL))
        } else {
            let error = standard_error(influences);
            let interval = error.and_then(|error| Interval::clustered(value, error, games, LEVEL));
            interval.map(|interval| interval.within(0.0, 1.0))
        };
        Estimate { value, observations: self.contest.count(side), interval }
    }
}

/// What one sample of games gives; `None` for a player who is in none of its games.
struct Replicate {
    scores: Vec<Option<f64>>,
    pairs: Vec<Option<f64>>,
}

impl PlayerPair {
    fn new(players: [usize; 2], score: f64, standard_error: Option<f64>) -> PlayerPair {
        PlayerPair { players, score, standard_error, z: None, p: None, p_holm: None }
    }
}

/// Returns the Elo points for a unit of expected score, at the player's difference.
fn slope(player: &PlayerResult, curve: EloCurve) -> f64 {
    player.elo_difference.map_or(0.0, |difference| curve.slope(difference.value))
}

/// Returns the mean over the rated players of a sample of Elo − difference.
fn resampled_strength(players: &[PlayerResult], differences: &[Option<f64>]) -> Option<f64> {
    let strengths: Vec<f64> = players
        .iter()
        .zip(differences)
        .filter_map(|(player, difference)| Some(strength::seen_from(player.elo?.value, (*difference)?)))
        .collect();
    (!strengths.is_empty()).then(|| strengths.iter().sum::<f64>() / strengths.len() as f64)
}

/// Returns the places over the samples of the players who are `ranked`; those of equal score share the better
/// one.
fn ranks(replicates: &[Replicate], ranked: &[bool]) -> Vec<Option<Ranks>> {
    let mut first = vec![0.0; ranked.len()];
    let mut places: Vec<Vec<u32>> = vec![Vec::new(); ranked.len()];
    for replicate in replicates {
        let scores = replicate.scores.iter().enumerate().filter(|&(place, _)| ranked[place]);
        let mut order: Vec<(f64, usize)> =
            scores.filter_map(|(place, score)| Some(((*score)?, place))).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let leaders = order.iter().take_while(|(score, _)| *score == order[0].0).count();
        let mut rank = 0;
        for (index, &(score, player)) in order.iter().enumerate() {
            if index == 0 || score < order[index - 1].0 {
                rank = index as u32 + 1;
            }
            places[player].push(rank);
            if rank == 1 {
                first[player] += 1.0 / leaders as f64;
            }
        }
    }
    let of = ranked.iter().filter(|&&ranked| ranked).count();
    let summed = |(mut places, first): (Vec<u32>, f64)| {
        places.sort_unstable();
        let last = places.len().checked_sub(1)?;
        let tail = (1.0 - LEVEL) / 2.0;
        let place = |share: f64| places[(share * last as f64).round() as usize] as usize;
        Some(Ranks { first: first / replicates.len() as f64, low: place(tail), high: place(1.0 - tail), of })
    };
    places.into_iter().zip(first).map(summed).collect()
}

#[cfg(test)]
mod tests;
