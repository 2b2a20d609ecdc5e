//! The gain of a move: the change of the evaluation by the move, from the mover's view.

use std::ops::Sub;

use shakmaty::Color;

use crate::base::named::{named, read_by_name};
use crate::chess::{evaluation::Evaluation, evaluation::Wdl, score::Clip, score::Score, win_probability};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Valuation {
    pub score: Score,
    /// The engine's own chances of a win, a draw and a loss, if known.
    pub wdl: Option<Wdl>,
}

impl From<&Evaluation> for Valuation {
    fn from(evaluation: &Evaluation) -> Valuation {
        Valuation { score: evaluation.score, wdl: evaluation.wdl }
    }
}

named! {
    /// The unit of gains.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[cfg_attr(feature = "program", derive(clap::ValueEnum))]
    pub enum Metric: name {
        /// Centipawns.
        #[default]
        #[cfg_attr(feature = "program", value(name = "cp"))]
        Centipawns => "cp",
        /// Winning chance of a score by [`win_probability::of_score`], in hundredths of a percentage point.
        #[cfg_attr(
            feature = "program",
            value(
                name = "win",
                help = "Chance of winning, 1/(1 + e^(−0.00368208·cp)), in hundredths of a percentage point"
            )
        )]
        WinProbability => "win",
        /// Expected result by the engine's own chances of a win, a draw and a loss, in hundredths of a
        /// percentage point.
        #[cfg_attr(
            feature = "program",
            value(
                help = "Expected result by the engine's own win/draw/loss chances, in hundredths of a percentage point"
            )
        )]
        Wdl => "wdl",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown metric {0:?}, expected cp, win or wdl")]
pub struct UnknownMetric(String);

impl Metric {
    /// Returns the unit of a gain, in words.
    pub fn unit(self) -> &'static str {
        match self {
            Metric::Centipawns => "centipawns",
            Metric::WinProbability | Metric::Wdl => "hundredths of a percentage point",
        }
    }
}

read_by_name!(Metric, name, UnknownMetric);

/// Converts evaluations of type `E` to numbers, all from White's view.
///
/// [`ExactScale`] computes the numbers. Code that counts millions of moves looks them up in a table instead.
pub trait EvalScale<E> {
    /// Returns the score in centipawns, limited to ±clip. A mate is at the limit.
    fn centipawns(&self, eval: E) -> i32;

    /// Returns the value of the evaluation in the unit of the metric. `None` if the metric needs the engine's
    /// own chances and they are unknown.
    fn worth(&self, eval: E) -> Option<i32>;

    /// Returns White's winning chance at the clipped score, between 0 and 1.
    fn win_probability(&self, eval: E) -> f64;
}

/// Converts evaluations to numbers by calculation, with a metric and a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExactScale {
    pub metric: Metric,
    pub clip: Clip,
}

impl EvalScale<Valuation> for ExactScale {
    fn centipawns(&self, eval: Valuation) -> i32 {
        eval.score.clipped(self.clip)
    }

    fn worth(&self, eval: Valuation) -> Option<i32> {
        match self.metric {
            Metric::Centipawns => Some(self.centipawns(eval)),
            Metric::WinProbability => Some(win_probability::basis_points(self.win_probability(eval))),
            Metric::Wdl => eval.wdl.map(|wdl| win_probability::basis_points(win_probability::of_wdl(wdl))),
        }
    }

    fn win_probability(&self, eval: Valuation) -> f64 {
        win_probability::of_score(eval.score, self.clip)
    }
}

/// The mover of a move, and the evaluations before and after it. The gain depends on nothing else.
///
/// The methods convert values from White's view to the mover's view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveEvals<E> {
    /// The side that moves.
    pub mover: Color,
    /// The evaluation of the position before the move.
    pub before: E,
    /// The evaluation of the position after the move.
    pub after: E,
}

impl<E: Copy> MoveEvals<E> {
    /// Returns the change of a value by the move, from the mover's view. `value` returns the value of an
    /// evaluation from White's view. `None` if the value before or after the move is unknown.
    #[inline]
    pub fn change<T: Copy + Sub<Output = T>>(self, value: impl Fn(E) -> Option<T>) -> Option<T> {
        let (before, after) = (value(self.before)?, value(self.after)?);
        Some(self.mover.fold_wb(after - before, before - after))
    }

    /// Returns the gain in the unit of the scale's metric. `None` if the metric needs the engine's own
    /// chances and they are unknown before or after the move.
    #[inline]
    pub fn gain(self, scale: &impl EvalScale<E>) -> Option<i32> {
        self.change(|eval| scale.worth(eval))
    }

    /// Returns max(0, −gain) in centipawns, whatever the metric of the scale.
    #[inline]
    pub fn centipawn_loss(self, scale: &impl EvalScale<E>) -> u32 {
        let gain = self.change(|eval| Some(scale.centipawns(eval)));
        gain.map_or(0, |gain| gain.min(0).unsigned_abs())
    }

    /// Returns the change of the mover's winning chance, between −1 and 1.
    pub fn win_probability_gain(self, scale: &impl EvalScale<E>) -> f64 {
        self.change(|eval| Some(scale.win_probability(eval))).unwrap_or_default()
    }

    /// Returns the mover's winning chances before and after the move, between 0 and 1.
    pub fn chances(self, scale: &impl EvalScale<E>) -> [f64; 2] {
        [self.before, self.after].map(|eval| part_of(self.mover, scale.win_probability(eval), 1.0))
    }

    /// Returns the share of the mover's winning chance W that the move keeps: min(1, W after / W before).
    #[inline]
    pub fn share_kept(self, scale: &impl EvalScale<E>) -> f64 {
        let chance = |eval| part_of(self.mover, scale.win_probability(eval), 1.0);
        (chance(self.after) / chance(self.before)).min(1.0)
    }
}

impl MoveEvals<Valuation> {
    /// Returns the change of the mover's expected result, between −1 and 1, by the engine's own chances of a
    /// win, a draw and a loss. `None` if these chances are unknown before or after the move.
    pub fn wdl_gain(self) -> Option<f64> {
        self.change(|eval| eval.wdl.map(win_probability::of_wdl))
    }
}

/// Returns the part of `whole` that belongs to `color`: `white` for White, and the rest for Black.
#[inline]
pub fn part_of(color: Color, white: f64, whole: f64) -> f64 {
    color.fold_wb(white, whole - white)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::score::SignedScore;

    fn valuation(score: Score) -> Valuation {
        Valuation { score, wdl: None }
    }

    fn evals(before: Score, after: Score, mover: Color) -> MoveEvals<Valuation> {
        MoveEvals { mover, before: valuation(before), after: valuation(after) }
    }

    fn gain(before: Score, after: Score, mover: Color) -> Option<i32> {
        evals(before, after, mover).gain(&ExactScale::default())
    }

    #[test]
    fn a_gain_is_seen_by_the_side_that_moved() {
        assert_eq!(gain(Score::Cp(20), Score::Cp(35), Color::White), Some(15));
        assert_eq!(gain(Score::Cp(20), Score::Cp(35), Color::Black), Some(-15));
        let loss = |mover| evals(Score::Cp(20), Score::Cp(35), mover).centipawn_loss(&ExactScale::default());
        assert_eq!([loss(Color::White), loss(Color::Black)], [0, 15]);
    }

    #[test]
    fn hurrying_a_mate_is_no_gain_and_missing_one_costs_the_way_down_from_the_clip() {
        let mate = |n| Score::from_white_view(SignedScore::Mate(n), Color::White);
        assert_eq!(gain(mate(5), mate(4), Color::White), Some(0));
        assert_eq!(gain(mate(5), Score::Cp(300), Color::White), Some(-700));
        assert_eq!(gain(mate(-2), mate(3), Color::Black), Some(-2000));
    }

    #[test]
    fn a_pawn_lost_in_a_level_game_by_hand() {
        // W = 1/(1 + e^(0.368208)) = 0.408974. White keeps 0.408974/0.5 and loses 0.091026. For Black the move is
        // a gain, which keeps everything.
        let lost = |mover| evals(Score::Cp(0), Score::Cp(-100), mover);
        let scale = ExactScale { metric: Metric::WinProbability, ..ExactScale::default() };
        assert_eq!(lost(Color::White).gain(&scale), Some(-910));
        assert!((lost(Color::White).win_probability_gain(&scale) + 0.091_026).abs() < 1e-6);
        assert!((lost(Color::White).share_kept(&scale) - 0.817_948).abs() < 1e-6);
        assert_eq!(lost(Color::Black).share_kept(&scale), 1.0);
        assert_eq!(lost(Color::White).gain(&ExactScale { metric: Metric::Wdl, ..scale }), None);
    }

    #[test]
    fn metrics_are_read_as_they_are_written() {
        for metric in Metric::ALL {
            assert_eq!(metric.name().parse(), Ok(metric));
        }
        assert!("CP".parse::<Metric>().is_err());
    }

    proptest! {
        #[test]
        fn what_one_side_gains_the_other_would_lose(before in -3000i32..3000, after in -3000i32..3000) {
            let scores = (Score::Cp(before), Score::Cp(after));
            for metric in [Metric::Centipawns, Metric::WinProbability] {
                let scale = ExactScale { metric, ..ExactScale::default() };
                let [white, black] = [Color::White, Color::Black].map(|mover| evals(scores.0, scores.1, mover));
                prop_assert_eq!(white.gain(&scale).map(|gain| -gain), black.gain(&scale));
                prop_assert_eq!(white.win_probability_gain(&scale), -black.win_probability_gain(&scale));
                let losses = [white, black].map(|evals| evals.centipawn_loss(&scale));
                prop_assert!(losses.contains(&0));
                prop_assert!((0.0..=1.0).contains(&white.share_kept(&scale)));
            }
        }
    }
}
