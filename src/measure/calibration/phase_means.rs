//! [`PhaseMeans`]: the mean of a statistic in each phase of a game, for adjusting statistics to the usual mix
//! of phases.

use serde::{Deserialize, Serialize};

use super::play::GamePlay;
use crate::chess::Phase;
use crate::measure::tournament::statistics::Statistic;
use crate::numbers::ClusteredMean;

/// The means of a statistic over the moves of a calibration, in the statistic's unit.
///
/// Losses are larger in some phases than in others, so a player's mean loss depends on the player's mix of
/// phases. With n_p moves in phase p, the mean that is expected from the mix is e = Σ n_p·m_p / n, where m_p is
/// the mean of phase p. The adjusted statistic is f(mean) − f(e) + f(m), where m is the mean of all moves and f
/// is the logarithm or, for a statistic without one, the identity. By default, all means are 0, and nothing
/// is adjusted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseMeans {
    /// The means of the phases, in the order of [`Phase::ALL`].
    phases: [f64; Phase::ALL.len()],
    all: f64,
}

impl PhaseMeans {
    /// Returns the means over moves, given by their sums for each phase. A phase without moves gets the mean of
    /// all moves. `None` without moves.
    #[cfg(feature = "program")]
    pub fn of(statistic: Statistic, sums: &[GamePlay; Phase::ALL.len()]) -> Option<PhaseMeans> {
        use super::statistic::digits;
        let summed = statistic.summed();
        let all = digits(sums.iter().sum::<GamePlay>().mean(summed)?);
        let phases = sums.each_ref().map(|play| play.mean(summed).map_or(all, digits));
        Some(PhaseMeans { phases, all })
    }

    /// Returns these means times the ratio of `here` to `there` in each phase, which are the means of the same moves
    /// by two engines. A phase without a mean keeps its own.
    #[cfg(feature = "program")]
    pub fn converted(&self, here: &PhaseMeans, there: &PhaseMeans) -> PhaseMeans {
        use super::statistic::digits;
        let times =
            |mean: f64, here: f64, there: f64| if there > 0.0 { digits(mean * here / there) } else { mean };
        PhaseMeans {
            phases: std::array::from_fn(|at| times(self.phases[at], here.phases[at], there.phases[at])),
            all: times(self.all, here.all, there.all),
        }
    }

    /// Returns the adjusted statistic of the moves in `total`; `None` if the statistic is unknown.
    pub fn adjusted(&self, statistic: Statistic, total: &GamePlay) -> Option<f64> {
        let mean = total.mean(statistic.summed())?;
        let expected = self.expected_sum(total) / total.moves() as f64;
        Some(statistic.at(mean) - statistic.at(expected) + statistic.at(self.all))
    }

    /// Returns the amount by which each game shifts the adjusted statistic of all games, as in
    /// [`crate::numbers::stats::clusters::Influence`]; `None` without moves.
    pub fn influences(&self, statistic: Statistic, games: &[GamePlay]) -> Option<Vec<f64>> {
        let (summed, total) = (statistic.summed(), games.iter().sum::<GamePlay>());
        let of_mean = statistic.slope(total.mean(summed)?);
        let of_expected = statistic.slope(self.expected_sum(&total) / total.moves() as f64);
        let sum = |game: &GamePlay| of_mean * game.sum(summed) - of_expected * self.expected_sum(game);
        let clusters = (0u32..).zip(games).map(|(place, game)| (place, game.moves() as usize, sum(game)));
        let mean: ClusteredMean = clusters.collect();
        Some(mean.influences().into_iter().map(|(_, shift)| shift).collect())
    }

    /// Returns the sum of the statistic that is expected from the moves' phases. Moves of an unknown phase
    /// count with the mean of all moves.
    fn expected_sum(&self, play: &GamePlay) -> f64 {
        let known = play.phases().into_iter().zip(self.phases);
        let (moves, sum) = known.fold((0, 0.0), |(moves, sum), (of_phase, mean)| {
            (moves + of_phase, sum + of_phase as f64 * mean)
        });
        sum + play.moves().saturating_sub(moves) as f64 * self.all
    }

    /// Returns whether all means are finite and not negative, as the means of percentages and losses are.
    pub fn is_sound(&self) -> bool {
        self.phases.iter().chain([&self.all]).all(|mean| mean.is_finite() && *mean >= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn loss(phase: Phase, moves: u64, sum: f64) -> GamePlay {
        GamePlay::from_sums(moves, [0.0, 0.0, sum, 0.0, 0.0]).in_phase(phase)
    }

    #[test]
    fn a_loss_adjusted_by_hand() {
        // Means of 10, 40 and 30 in the phases, and of 25 over all: 100·10 + 100·40 + 0 = 5000 of 200 moves.
        let usual = [
            loss(Phase::Opening, 100, 1000.0),
            loss(Phase::Middlegame, 80, 3200.0),
            loss(Phase::Endgame, 20, 800.0),
        ];
        let means = PhaseMeans::of(Statistic::EvaluationLoss, &usual).expect("moves");
        assert_eq!(means, PhaseMeans { phases: [10.0, 40.0, 40.0], all: 25.0 });
        // 20 moves of an opening and 10 of an endgame are expected to lose 20·10 + 10·40 = 600, so 20 a move. The
        // player loses 15 a move: 15 − 20 + 25.
        let played = [loss(Phase::Opening, 20, 250.0), loss(Phase::Endgame, 10, 200.0)];
        let total = played.iter().sum();
        assert_eq!(means.adjusted(Statistic::EvaluationLoss, &total), Some(20.0));
        let log = means.adjusted(Statistic::LogEvaluationLoss, &total).expect("moves");
        assert!((log - (15.0f64 / 20.0 * 25.0).ln()).abs() < 1e-12);
        assert_eq!(means.adjusted(Statistic::EvaluationLoss, &GamePlay::default()), None);
    }

    proptest! {
        #[test]
        fn a_usual_mix_of_phases_is_not_adjusted(
            sums in prop::array::uniform3((1u64..200, 1f64..90.0)), share in 1u64..9,
        ) {
            let usual = [0, 1, 2].map(|at| loss(Phase::ALL[at], sums[at].0, sums[at].0 as f64 * sums[at].1));
            let means = PhaseMeans::of(Statistic::LogEvaluationLoss, &usual).expect("moves");
            let played: GamePlay = [0, 1, 2]
                .map(|at| loss(Phase::ALL[at], share * sums[at].0, 3.0 * sums[at].0 as f64 * sums[at].1))
                .iter()
                .sum();
            let raw = played.mean(Statistic::EvaluationLoss).expect("moves").ln();
            let found = means.adjusted(Statistic::LogEvaluationLoss, &played).expect("moves");
            prop_assert!((found - raw).abs() < 1e-6, "{} and {}", found, raw);
        }

        /// The shifts of the games add up to the first order: leaving out a game of many hardly changes more
        /// than its shift says.
        #[test]
        fn shifts_are_those_of_single_games(games in prop::collection::vec((0usize..3, 20u64..60, 5f64..60.0), 30..60)) {
            let games: Vec<GamePlay> =
                games.iter().map(|&(at, moves, mean)| loss(Phase::ALL[at], moves, mean * moves as f64)).collect();
            let usual = [0, 1, 2].map(|at| loss(Phase::ALL[at], 100, 1000.0 + 1000.0 * at as f64));
            let means = PhaseMeans::of(Statistic::LogEvaluationLoss, &usual).expect("moves");
            let of = |games: &[GamePlay]| {
                means.adjusted(Statistic::LogEvaluationLoss, &games.iter().sum()).expect("moves")
            };
            let shifts = means.influences(Statistic::LogEvaluationLoss, &games).expect("moves");
            let scale = (games.len() as f64 / (games.len() as f64 - 1.0)).sqrt();
            let without = of(&games[1..]);
            prop_assert!((of(&games) - without - shifts[0] / scale).abs() < 0.02, "{:?}", shifts[0]);
        }
    }
}
