//! Owns the score kept: an expected score, in the paper's form, that another run of the engine
//! repeats.
//!
//! A game begins level, at ½. Each move of a player keeps the share min(1, W after / W before) of
//! the result that could be expected, W being the mover's chance of winning by
//! [`win_probability`]; nothing is given back for gains, which a perfect judge would never see.
//! What the product over the moves of a game leaves of ½ is what they were worth against an
//! opponent who never errs. Its mean over games is the expected score of a game, the quantity of
//! Ferreira's Eq. (2), and the games are the unit of its error.

use super::{Method, Sample, sample::MoveFacts, uncertainty::bounded_difference};
use crate::{
    stats::{
        clusters::ClusteredMean,
        estimate::{Estimate, Interval, LEVEL},
        heterogeneity::{Heterogeneity, pooled},
    },
    win_probability,
};

/// The players in order of the score kept.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreKept {
    /// Best first; players without moves are not among them.
    pub rows: Vec<KeptRow>,
    /// Mean over the rated players of Elo − difference.
    pub engine_strength: Option<Estimate>,
    /// Whether one common score would do for all.
    pub homogeneity: Option<Heterogeneity>,
}

/// One player's score kept.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptRow {
    /// The player.
    pub player: String,
    /// Mean over games, between 0 and ½, with Student's t interval over games.
    pub score: Estimate,
    /// The Elo difference that it stands for.
    pub elo_difference: Estimate,
    /// Engine strength + difference, as in Table 7; `None` where nobody is rated.
    pub performance: Option<f64>,
    /// Around the performance.
    pub performance_interval: Option<Interval>,
}

/// Half of the share kept in each game of each player, in the order of [`Sample::players`].
pub(super) fn scores(sample: &Sample, method: &Method) -> Vec<ClusteredMean> {
    let mut means = vec![ClusteredMean::default(); sample.players.len()];
    let counted = sample.moves.iter().filter(|facts| method.filter.keeps(facts));
    let counted: Vec<&MoveFacts> = counted.collect();
    for game in counted.chunk_by(|a, b| a.game == b.game) {
        let mut players: Vec<u32> = game.iter().map(|facts| facts.player).collect();
        players.sort_unstable();
        players.dedup();
        for player in players {
            let own = game.iter().filter(|facts| facts.player == player);
            let kept: f64 = own.map(|facts| share_kept(facts, method)).product();
            means[player as usize].add(game[0].game, kept / 2.0);
        }
    }
    means
}

/// min(1, W after / W before), mover's view.
fn share_kept(facts: &MoveFacts, method: &Method) -> f64 {
    let chance = |score| {
        let white = win_probability::of_score(score, method.clip);
        facts.mover.fold_wb(white, 1.0 - white)
    };
    (chance(facts.after.score) / chance(facts.before.score)).min(1.0)
}

impl ScoreKept {
    /// The table of the players of `sample`; `elo` gives the ratings in their order.
    pub fn of(sample: &Sample, elo: &[Option<f64>], method: &Method) -> ScoreKept {
        let means = scores(sample, method);
        let mut moves = vec![0; sample.players.len()];
        for facts in sample.moves.iter().filter(|facts| method.filter.keeps(facts)) {
            moves[facts.player as usize] += 1;
        }
        let rows = sample.players.iter().zip(&means).zip(elo.iter().zip(&moves)).filter_map(
            |((player, mean), (&elo, &moves))| Some((elo, KeptRow::new(&player.name, mean, moves, method)?)),
        );
        let mut rows: Vec<(Option<f64>, KeptRow)> = rows.collect();
        let strengths: Vec<f64> =
            rows.iter().filter_map(|(elo, row)| Some((*elo)? - row.elo_difference.value)).collect();
        let engine_strength = Estimate::mean(&strengths, LEVEL);
        for (_, row) in &mut rows {
            row.add_performance(engine_strength);
        }
        rows.sort_by(|(_, a), (_, b)| b.score.value.total_cmp(&a.score.value));
        let rows: Vec<KeptRow> = rows.into_iter().map(|(_, row)| row).collect();
        let homogeneity = homogeneity(rows.iter().map(|row| row.score));
        ScoreKept { rows, engine_strength, homogeneity }
    }
}

impl KeptRow {
    fn new(player: &str, mean: &ClusteredMean, moves: u64, method: &Method) -> Option<KeptRow> {
        let score = mean.estimate()?;
        let interval = score.interval.map(|interval| interval.within(0.0, 0.5));
        let score = Estimate { interval, ..score };
        let map = |p: f64| bounded_difference(p, moves, method.curve);
        let value = map(score.value);
        let elo_difference = Estimate {
            value,
            observations: score.observations,
            interval: interval.map(|interval| interval.mapped(map, method.curve.slope(value))),
        };
        let player = player.to_owned();
        Some(KeptRow { player, score, elo_difference, performance: None, performance_interval: None })
    }

    fn add_performance(&mut self, engine: Option<Estimate>) {
        let Some(engine) = engine else { return };
        let value = engine.value + self.elo_difference.value;
        self.performance = Some(value);
        self.performance_interval = engine
            .interval
            .zip(self.elo_difference.interval)
            .map(|(e, d)| Interval::of_sum(value, [(engine.value, e), (self.elo_difference.value, d)]));
    }
}

/// Cochran's test over estimates that have an error.
pub(super) fn homogeneity(estimates: impl Iterator<Item = Estimate>) -> Option<Heterogeneity> {
    let known: Vec<(f64, f64)> =
        estimates.filter_map(|estimate| Some((estimate.value, estimate.interval?.standard_error))).collect();
    pooled(&known).map(|pooled| pooled.heterogeneity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{evaluate, gain::EvaluatedGame, pgn::parse_games};

    fn sample(pgn: &str) -> Sample {
        let evaluated = |game: crate::game::Game| {
            let evaluations = evaluate::recorded(&game, None).expect("every position has one");
            EvaluatedGame::new(game, evaluations)
        };
        Sample::of(&parse_games(pgn, "test").into_iter().flatten().map(evaluated).collect::<Vec<_>>())
    }

    #[test]
    fn what_two_moves_leave_of_a_level_game_by_hand() {
        // White falls from 0 to −100 and then gains, Black falls from his +100 to his 0, and a
        // gain of White's before that gives nothing back: with W = 1/(1 + e^(0.368208)) = 0.408974
        // White keeps 0.408974/0.5, Black 0.5/0.591026.
        let sample = sample(
            "[White \"A\"]\n[Black \"B\"]\n\n{ [%eval 0.00] } 1. e4 { [%eval -1.00] } e5 { [%eval 0.00] } \
             2. Nf3 { [%eval 0.10] } *",
        );
        let kept = ScoreKept::of(&sample, &[Some(2500.0), Some(2600.0)], &Method::default());
        let scores: Vec<f64> = kept.rows.iter().map(|row| row.score.value).collect();
        assert!((scores[0] - 0.422_993).abs() < 1e-6 && (scores[1] - 0.408_974).abs() < 1e-6, "{scores:?}");
        assert_eq!(kept.rows[0].player, "B");
        assert_eq!(kept.rows[0].score.interval, None, "one game");
        let mean = kept.engine_strength.expect("two ratings").value;
        let total: f64 = kept.rows.iter().map(|row| row.elo_difference.value).sum();
        assert!((mean - (5100.0 - total) / 2.0).abs() < 1e-9);
    }

    #[test]
    fn who_never_loses_keeps_one_half() {
        let sample = sample("{ [%eval 0.00] } 1. e4 { [%eval 0.20] } e5 { [%eval 0.20] } *");
        let kept = ScoreKept::of(&sample, &[None], &Method::default());
        assert_eq!((kept.rows[0].score.value, kept.rows[0].elo_difference.value), (0.5, 0.0));
        assert_eq!((kept.engine_strength, kept.rows[0].performance), (None, None));
    }
}
