//! [`Chances`]: conversion of scores to win, draw and loss chances.

use shakmaty::Chess;

use super::{material::Blend, weights::Tapered};
use crate::chess::SignedScore;

/// Win, draw and loss chances as a function of score and material.
///
/// A side that is `x` centipawns ahead wins with probability P(x) = 1/(1 + e^((half − x)/spread)), loses with
/// probability P(−x), and draws otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chances {
    /// Centipawns at which half of the games are won.
    pub half: Tapered,
    /// The increase of the score, in centipawns, that multiplies the odds of a win by e. Values below 1 count
    /// as 1.
    pub spread: Tapered,
}

impl Chances {
    /// The default if the chances are unknown: an advantage of two pawns wins half of the games.
    pub const UNKNOWN: Chances = Chances {
        half: Tapered { middlegame: 200, endgame: 200 },
        spread: Tapered { middlegame: 100, endgame: 100 },
    };

    /// Returns the win, draw and loss chances of the side in whose view `score` is. They are per mille and
    /// sum to 1000.
    pub fn of(&self, chess: &Chess, score: SignedScore) -> [u16; 3] {
        match score {
            SignedScore::Mate(moves) if moves > 0 => [1000, 0, 0],
            SignedScore::Mate(_) => [0, 0, 1000],
            SignedScore::Cp(centipawns) => {
                let chance = |x: f64| (1000.0 * self.win(chess, x)).round() as u16;
                let (win, loss) = (chance(f64::from(centipawns)), chance(-f64::from(centipawns)));
                [win, 1000u16.saturating_sub(win + loss), loss]
            }
        }
    }

    fn win(&self, chess: &Chess, x: f64) -> f64 {
        let middlegame = f64::from(Blend::of(chess).phase) / f64::from(Blend::MIDDLEGAME);
        let at = |tapered: Tapered| {
            f64::from(tapered.middlegame) * middlegame + f64::from(tapered.endgame) * (1.0 - middlegame)
        };
        1.0 / (1.0 + exponential((at(self.half) - x) / at(self.spread).max(1.0)))
    }
}

/// Computes eˣ with basic arithmetic only, which gives the same result on every machine. The last digit of
/// [`f64::exp`] may differ between machines. `x` is limited to ±40.
fn exponential(x: f64) -> f64 {
    const HALVINGS: i32 = 10;
    let small = x.clamp(-40.0, 40.0) / f64::from(1 << HALVINGS);
    let series = 1.0 + small * (1.0 + small / 2.0 * (1.0 + small / 3.0 * (1.0 + small / 4.0)));
    (0..HALVINGS).fold(series, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANCES: Chances = Chances {
        half: Tapered { middlegame: 100, endgame: 60 },
        spread: Tapered { middlegame: 50, endgame: 20 },
    };

    fn of(score: SignedScore) -> [u16; 3] {
        CHANCES.of(&Chess::default(), score)
    }

    #[test]
    fn chances_are_those_of_the_formula() {
        // 1/(1 + e²) = 0.1192; 1/(1 + e⁴) = 0.0180.
        assert_eq!(of(SignedScore::Cp(0)), [119, 762, 119]);
        assert_eq!(of(SignedScore::Cp(100)), [500, 482, 18]);
        assert_eq!(of(SignedScore::Cp(-100)), [18, 482, 500]);
        assert_eq!(of(SignedScore::Cp(31_000)), [1000, 0, 0]);
        assert_eq!([SignedScore::Mate(3), SignedScore::Mate(0)].map(of), [[1000, 0, 0], [0, 0, 1000]]);
    }

    #[test]
    fn chances_make_up_a_whole_and_grow_with_the_score() {
        let mut last = 0;
        for centipawns in -2000..=2000 {
            let chances = of(SignedScore::Cp(centipawns));
            assert_eq!(chances.iter().sum::<u16>(), 1000);
            assert!(chances[0] >= last);
            last = chances[0];
        }
    }

    #[test]
    fn the_exponential_is_that_of_the_system() {
        for tenth in -300..=300 {
            let x = f64::from(tenth) / 10.0;
            assert!((exponential(x) / x.exp() - 1.0).abs() < 1e-6, "{x}");
        }
    }
}
