//! Bootstrap over games for a tournament: intervals, errors of pairs, and ranks.

use super::{Opposition, PlayerSamples, SideScore};
use crate::measure::tournament::{LEVEL, PlayerPair, PlayerResult, Ranks, Tournament};
use crate::numbers::{
    Bootstrap, Interval, WinProbabilities, rating::strength, stats::clustered_samples,
    stats::estimate::standard_deviation,
};

impl PlayerSamples<'_> {
    /// Adds bootstrap intervals, bootstrap errors of pairs, and ranks; nothing if there are no samples.
    /// Errors of pairs need at least [`Bootstrap::LEAST`] samples.
    pub(super) fn add_resampled(
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
        let resampled: &[PlayerPair] = if samples >= Bootstrap::LEAST as usize { pairs } else { &[] };
        let replicates = self.method.bootstrap.replicates(self.contest.clusters(), |weights| Replicate {
            scores: self.resampled_scores(sides, scores, weights),
            pairs: self.resampled_pairs(sides, resampled, weights),
        });
        if !resampled.is_empty() {
            self.add_pair_errors(sides, pairs, &replicates);
        }
        self.add_percentiles(tournament, sides, &replicates);
    }

    /// Replaces the standard error of each pair, if known, with the standard deviation of the pair's scores
    /// in the bootstrap samples, multiplied by √(n/(n − 1)). Here n is the smaller of the two players'
    /// numbers of games. The errors by influence have the same kind of factor.
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
        let moves: Vec<u64> = tournament.players.iter().map(PlayerResult::moves).collect();
        let resampled_difference = |replicate: &Replicate, place: usize| {
            replicate.scores[place].map(|score| curve.bounded_difference(score, moves[place]))
        };
        let strength = |replicate: &Replicate| {
            resampled_strength(&tournament.players, |place| resampled_difference(replicate, place))
        };
        let strengths: Vec<Option<f64>> = replicates.iter().map(strength).collect();
        let percentiles =
            |values: &mut dyn Iterator<Item = Option<f64>>| Interval::percentile(values.flatten().collect());
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
                difference.intervals.bootstrap =
                    percentiles(&mut replicates.iter().map(|r| resampled_difference(r, place)));
            }
            if let Some(performance) = player.performance.as_mut().filter(|_| sampled) {
                performance.intervals.bootstrap = percentiles(
                    &mut replicates
                        .iter()
                        .zip(&strengths)
                        .map(|(r, engine)| Some((*engine)? + resampled_difference(r, place)?)),
                );
            }
        }
    }

    /// Returns the players' scores in one bootstrap sample. A player without games in the sample keeps the
    /// observed score, so that ranks and means refer to the same players in every sample.
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
}

/// The scores of players and pairs in one bootstrap sample. A player's score is `None` if the player has no
/// moves at all. A pair's score is `None` if one of its players has no moves in the sample.
struct Replicate {
    scores: Vec<Option<f64>>,
    pairs: Vec<Option<f64>>,
}

/// Returns the engine's strength in one bootstrap sample: the mean, over the rated players, of the player's
/// Elo rating minus the player's Elo difference to the engine. `None` without rated players.
fn resampled_strength(players: &[PlayerResult], difference: impl Fn(usize) -> Option<f64>) -> Option<f64> {
    let strengths: Vec<f64> = players
        .iter()
        .enumerate()
        .filter_map(|(place, player)| Some(strength::seen_from(player.elo?.value, difference(place)?)))
        .collect();
    (!strengths.is_empty()).then(|| strengths.iter().sum::<f64>() / strengths.len() as f64)
}

/// Returns the ranks of the players marked in `ranked`, over all bootstrap samples; `None` for the other
/// players. Players with equal scores share the better rank. If the first rank is shared, so is the chance of
/// being first.
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
