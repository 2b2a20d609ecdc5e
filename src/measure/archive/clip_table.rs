//! [`ClipTable`]: the precomputed value and winning probability of every evaluation within the clip.

use crate::chess::{Clip, EvalScale, ExactScale, Score, Valuation};

/// Two tables: the value in the metric's unit, and the winning probability, of each evaluation within the
/// clip, computed by `ExactScale`. For millions of moves a lookup is cheaper than an exponential.
#[derive(Debug)]
pub struct ClipTable {
    clip: Clip,
    /// The value of each evaluation in the metric's unit, from White's view, in ascending order of the
    /// evaluation. Empty if the metric needs the engine's own chances of a win, draw and loss.
    worth: Vec<i32>,
    chance: Vec<f64>,
}

impl ClipTable {
    /// Computes the tables of `scale`.
    pub fn new(scale: ExactScale) -> ClipTable {
        let within = -scale.clip.cp()..=scale.clip.cp();
        let valuations = within.map(|cp| Valuation { score: Score::Cp(cp), wdl: None });
        ClipTable {
            clip: scale.clip,
            worth: valuations.clone().filter_map(|valuation| scale.worth(valuation)).collect(),
            chance: valuations.map(|valuation| scale.win_probability(valuation)).collect(),
        }
    }

    /// Returns the key of `score` in the table: centipawns within the clip, from White's view.
    #[inline]
    pub fn clipped(&self, score: Score) -> i32 {
        score.clipped(self.clip)
    }

    fn place(&self, cp: i32) -> usize {
        (cp + self.clip.cp()) as usize
    }
}

/// Evaluations are centipawns within the clip, as returned by [`ClipTable::clipped`].
impl EvalScale<i32> for ClipTable {
    #[inline]
    fn centipawns(&self, cp: i32) -> i32 {
        cp
    }

    #[inline]
    fn worth(&self, cp: i32) -> Option<i32> {
        self.worth.get(self.place(cp)).copied()
    }

    #[inline]
    fn win_probability(&self, cp: i32) -> f64 {
        self.chance[self.place(cp)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::Color;

    use super::*;
    use crate::chess::{Metric, MoveEvals, SignedScore};

    fn scores() -> impl Strategy<Value = Score> {
        let mate = |moves| Score::from_white_view(SignedScore::Mate(moves), Color::White);
        let mates = prop_oneof![-30i32..0, 1i32..30].prop_map(mate);
        prop_oneof![4 => (-4000i32..4000).prop_map(Score::Cp), 1 => mates]
    }

    proptest! {
        #[test]
        fn what_is_looked_up_is_what_is_computed(
            before in scores(), after in scores(), white in any::<bool>(), clip in 1i32..3000,
            metric in prop::sample::select(Metric::ALL.to_vec()),
        ) {
            let clip = Clip::new(clip).expect("a bound");
            let scale = ExactScale { metric, clip };
            let table = ClipTable::new(scale);
            let mover = Color::from_white(white);
            let [a, b] = [before, after].map(|score| table.clipped(score));
            let looked_up = MoveEvals { mover, before: a, after: b };
            let [a, b] = [before, after].map(|score| Valuation { score, wdl: None });
            let computed = MoveEvals { mover, before: a, after: b };
            prop_assert_eq!(looked_up.gain(&table), computed.gain(&scale));
            prop_assert_eq!(looked_up.centipawn_loss(&table), computed.centipawn_loss(&scale));
            prop_assert_eq!(looked_up.share_kept(&table), computed.share_kept(&scale));
        }
    }
}
