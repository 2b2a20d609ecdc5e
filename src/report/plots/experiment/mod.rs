//! Owns the pictures of an experiment: fitted curves, Elo points, neighbouring depths, best moves.

pub mod best_moves;
pub mod curves;
pub mod elo;
pub mod entrants;
pub mod matches;
pub mod outcomes;
pub mod sparring_moves;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{best_moves, curves, elo, matches};
    use crate::lab::{
        Choices, Experiment, GameRecord, Iteration, RatingAnchor, experiment::testing::games_of,
    };
    use crate::numbers::{Estimate, Interval, stats::estimate::LEVEL};
    use crate::report::plots::canvas::Drawing;

    fn assert_texts_are_apart(drawing: &Drawing) -> Result<(), TestCaseError> {
        let (texts, paper) = (drawing.texts(), drawing.paper());
        for (index, (text, frame)) in texts.iter().enumerate() {
            prop_assert!(text.is_empty() || frame.is_within(paper), "{text} {frame:?} {paper:?}");
            for (other, place) in texts[..index].iter().filter(|(other, _)| !other.is_empty()) {
                prop_assert!(
                    text.is_empty() || !frame.meets(*place),
                    "{text} {frame:?} and {other} {place:?}"
                );
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn no_text_leaves_a_picture_or_covers_another(
            first in 1u32..200, depths in 2u32..26,
            records in prop::collection::vec((0u32..40, 0u32..40, 0u32..40), 325), elo in 1.0f64..9000.0,
        ) {
            let pairs = (first..first + depths).flat_map(|deep| (first..deep).map(move |shallow| [deep, shallow]));
            let games: Vec<GameRecord> =
                pairs.zip(records).flat_map(|(pair, (w, d, l))| games_of(pair, (w + 1, d, l))).collect();
            let elo = Estimate { value: elo, observations: 1, interval: Some(Interval::of_margin(elo, 300.0, LEVEL)) };
            for anchor in [None, Some(RatingAnchor { depth: first, elo })] {
                let experiment = Experiment::of(&games, &Choices { anchor, ..Choices::default() }).expect("games");
                let caption = "Stockfish 15.1 against itself, 100000 games";
                let drawn = [curves::one, elo::curve_of_scores, curves::all, matches::returns, elo::by_depth, matches::rates];
                for drawing in drawn.iter().filter_map(|draw| draw(&experiment, caption)) {
                    assert_texts_are_apart(&drawing)?;
                }
            }
        }

        #[test]
        fn the_same_of_best_moves(depth in 2u32..246, changed in prop::collection::vec(0u64..500, 245)) {
            let one = |(depth, changed): (u32, u64)| {
                let fresh = changed / 2;
                Iteration { depth, positions: 500, changed, fresh, two_ago: changed / 3, three_ago: 0 }
            };
            let iterations: Vec<Iteration> = (2..=depth).zip(changed).map(one).collect();
            let drawing = best_moves::draw(&iterations, &"W".repeat(200), 500).expect("positions");
            assert_texts_are_apart(&drawing)?;
        }
    }

    #[test]
    fn without_numbers_there_is_no_picture() {
        assert!(best_moves::draw(&[], "E", 0).is_none());
        let games = games_of([2, 1], (3, 0, 0));
        let experiment = Experiment::of(&games, &Choices::default()).expect("games");
        for draw in [curves::one, curves::all, elo::curve_of_scores, elo::by_depth] {
            assert!(draw(&experiment, "").is_none(), "two depths have no fit");
        }
        assert!(matches::rates(&experiment, "").is_some());
    }
}
