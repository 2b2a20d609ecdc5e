//! Conversion of evaluations to White's expected result: 1 for a win, ½ for a draw, 0 for a loss.

use crate::chess::{evaluation::Wdl, score::Clip, score::Score};

/// Steepness of the curve per centipawn: lichess's fit to rapid games of its 2300-rated players
/// (<https://lichess.org/page/accuracy>).
pub const STEEPNESS: f64 = 0.00368208;

/// Returns the expected result at `cp` centipawns, both in White's view: 1/(1 + e^(−[`STEEPNESS`]·cp)),
/// between 0 and 1.
pub fn of_centipawns(cp: f64) -> f64 {
    1.0 / (1.0 + (-STEEPNESS * cp).exp())
}

/// Returns the expected result of White at `score`, which is clamped to `±clip` first. A mate counts as
/// `±clip`.
pub fn of_score(score: Score, clip: Clip) -> f64 {
    of_centipawns(f64::from(score.clipped(clip)))
}

/// Returns White's expected result according to the engine's own chances: (win + draw/2)/(win + draw + loss),
/// between 0 and 1. If all chances are 0, it is ½.
pub fn of_wdl(wdl: Wdl) -> f64 {
    let [win, draw, loss] = [wdl.win, wdl.draw, wdl.loss].map(f64::from);
    let all = win + draw + loss;
    if all == 0.0 { 0.5 } else { (win + draw / 2.0) / all }
}

/// Returns `p` in basis points, 1/10000 of a win, rounded. Gains in expected result have this unit.
pub fn basis_points(p: f64) -> i32 {
    (p * 10_000.0).round() as i32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::Color;

    use super::*;

    fn wdl(win: u16, draw: u16, loss: u16) -> Wdl {
        Wdl { win, draw, loss }
    }

    #[test]
    fn ten_pawns_are_a_win_in_all_but_a_few_games() {
        // python: 1/(1 + math.exp(-0.00368208*100)), and the same for 1000 and -15.
        assert_eq!(of_centipawns(0.0), 0.5);
        assert!((of_centipawns(100.0) - 0.591_025_897_191_612_8).abs() < 1e-15);
        assert_eq!(basis_points(of_centipawns(1000.0)), 9754);
        assert_eq!(basis_points(of_centipawns(-15.0)), 4862);
    }

    #[test]
    fn a_mate_is_worth_as_much_as_the_clip() {
        let clip = Clip::new(1000).expect("a bound");
        let black_mates = Score::checkmate(Color::White);
        assert_eq!(of_score(black_mates, clip), of_centipawns(-1000.0));
        assert_eq!(of_score(Score::Cp(4321), clip), of_centipawns(1000.0));
        assert_eq!(of_score(Score::Cp(-17), clip), of_centipawns(-17.0));
    }

    #[test]
    fn a_draw_counts_half_and_no_chances_at_all_count_as_a_draw() {
        assert_eq!(of_wdl(wdl(100, 700, 200)), 0.45);
        assert_eq!(of_wdl(wdl(u16::MAX, 0, 0)), 1.0);
        assert_eq!(of_wdl(wdl(0, 0, 0)), 0.5);
    }

    proptest! {
        #[test]
        fn the_chances_of_both_sides_add_up_to_one(cp in -100_000i32..100_000, w: u16, d: u16, l: u16) {
            let cp = f64::from(cp);
            prop_assert!((of_centipawns(cp) + of_centipawns(-cp) - 1.0).abs() < 1e-12);
            prop_assert!((of_wdl(wdl(w, d, l)) + of_wdl(wdl(l, d, w)) - 1.0).abs() < 1e-12);
        }

        #[test]
        fn more_centipawns_are_never_a_smaller_chance(a in -2000i32..2000, b in -2000i32..2000) {
            let [low, high] = [a.min(b), a.max(b)].map(|cp| of_centipawns(f64::from(cp)));
            prop_assert!((0.0..=1.0).contains(&low) && low <= high);
        }
    }
}
