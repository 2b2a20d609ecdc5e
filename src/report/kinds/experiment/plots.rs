//! The pictures of an experiment: fitted curves, Elo by depth, and the matches of neighboring depths.

use crate::base::text::rounded;
use crate::lab::{ColumnFit, Experiment, Fit, Match, Ratings, Side, papers::heinz};
use crate::numbers::{EloCurve, Estimate, MatchRecord, NormalCurve};

use crate::report::plots::{
    canvas::Drawing, chart::Axis, chart::Chart, chart::Dot, chart::Look, chart::borrowed, chart::dot,
    chart::ends, style::Ink, style::Type,
};

/// Draws the scores against one depth with the curves through them (Ferreira 2013, Fig. 1).
pub fn scores(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let fitted: Vec<&ColumnFit> = fits(experiment).filter(|fit| fit.lsq.is_ok()).collect();
    let fit = *fitted.get(fitted.len() / 2)?;
    let line = fit.lsq.ok()?;
    let column = experiment.table.place(fit.column)?;
    let points = experiment.scores.points(fit.side, column);
    let curves = [(Ink::Gain, "least squares"), (Ink::Pale, "likelihood (probit)")];
    let chart = Chart {
        title: "How does the score rise with depth?",
        subtitle: &format!(
            "Scores of all depths against depth {}, and fitted curves Φ((d − μ)/σ)",
            fit.column
        ),
        caption: &format!("{caption}; {}", curve_in_words(line)),
        x: Axis::of_depths("Depth d in plies", points.iter().map(|point| point.0 as u32)),
        y: Axis::of_scores("Score"),
        legend: if fit.probit.is_ok() { &curves } else { &curves[..1] },
        notes: "Bars: 95 % intervals for games with three outcomes, as if all games were independent. Against itself, the depth scores ½ by definition.",
    };
    Some(chart.drawn(|plot| {
        if let Ok(probit) = fit.probit {
            plot.curve(|depth| probit.score(depth), Ink::Pale);
        }
        plot.curve(|depth| line.score(depth), Ink::Gain);
        for (row, contender) in experiment.table.contenders().iter().enumerate() {
            let score = experiment.score(row, column).filter(|_| contender.side == fit.side);
            if let Some(around) = score.and_then(|score| score.interval) {
                plot.interval(f64::from(contender.depth), (around.low, around.high), 0, Ink::Zero);
            }
        }
        plot.dots(Look::of(Ink::Ink, 5), points.iter().map(|&(depth, score)| (depth, score, None)));
    }))
}

/// Returns the fits whose curves have depths of the same side as the first fit's: usually the engine's.
fn fits(experiment: &Experiment) -> impl Iterator<Item = &ColumnFit> {
    let first = experiment.fits.first().map(|fit| fit.side);
    experiment.fits.iter().filter(move |fit| Some(fit.side) == first)
}

fn curve_in_words(line: NormalCurve) -> String {
    let margin = line.sigma.interval.map_or(String::new(), |i| format!(" ± {}", rounded(i.half_width(), 3)));
    format!(
        "least squares: μ {}, σ {}{margin} plies, η {} Elo points a ply",
        rounded(line.mu.value, 2),
        rounded(line.sigma.value, 3),
        rounded(line.elo_per_ply().value, 1)
    )
}

/// Draws the curves of one side, each shifted to its own μ (Ferreira 2013, Fig. 3).
pub fn curves(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let curves: Vec<(&ColumnFit, NormalCurve)> =
        fits(experiment).filter_map(|fit| Some((fit, fit.lsq.ok()?))).collect();
    let reach = curves.iter().map(|(_, line)| 3.0 * line.sigma.value).fold(0.0, f64::max).clamp(3.0, 100.0);
    let (shallow, deep) = (curves.first()?, curves.last()?);
    let chart = Chart {
        title: "Is a ply worth the same at every depth?",
        subtitle: "The curves of all columns by least squares, each shifted to its own middle μ",
        caption,
        x: Axis::around("Plies from the middle, d − μ", [-reach, reach], 16),
        y: Axis::of_scores("Score"),
        legend: &[
            (Ink::Ink, &format!("against depth {}", shallow.0.column)),
            (Ink::Zero, "between"),
            (Ink::Gain, &format!("against depth {}", deep.0.column)),
        ],
        notes: "The flatter a curve, the less a ply is worth.",
    };
    Some(chart.drawn(|plot| {
        let all = curves.iter().map(|pair| (pair, Ink::Zero));
        for ((_, line), ink) in all.chain([(shallow, Ink::Ink), (deep, Ink::Gain)]) {
            plot.curve(|plies| line.score(line.mu.value + plies), ink);
        }
    }))
}

/// Draws the Elo curve, and the score of each pair at its rating difference (Ferreira 2013, Fig. 2).
pub fn elo_curve(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let ratings = experiment.ratings_by_fit.iter().find(|ratings| ratings.fit == Fit::Pairwise)?;
    let ratings = ratings.differences.as_ref().ok()?;
    let difference = |row: usize, column: usize| Some(ratings[row]?.value - ratings[column]?.value);
    let pairs = (0..ratings.len()).flat_map(|row| (0..ratings.len()).map(move |column| (row, column)));
    let points: Vec<Dot> = pairs
        .filter(|(row, column)| row != column)
        .filter_map(|(row, column)| {
            Some((difference(row, column)?, experiment.scores.score(row, column)?, None))
        })
        .collect();
    points.first()?;
    let reach = points.iter().map(|point| point.0.abs()).fold(100.0, f64::max);
    let chart = Chart {
        title: "Does one rating for each depth explain the scores?",
        subtitle: "Score of every pair of depths against the difference of their ratings",
        caption,
        x: Axis::around("Difference in Elo points", [-reach, reach], 12),
        y: Axis::of_scores("Score"),
        legend: &[(Ink::Gain, "Φ(Δ/200√2), Elo's curve"), (Ink::Ink, "a pair")],
        notes: "Ratings by maximum likelihood from the games of all pairs; each pair appears twice, once from either side.",
    };
    Some(chart.drawn(|plot| {
        plot.curve(|difference| EloCurve::Normal.expected_score(difference), Ink::Gain);
        plot.dots(Look::of(Ink::Ink, 3), points.iter().copied());
    }))
}

/// Draws the Elo of the depths by each fit, only for the side of the reference, usually the engine.
pub fn elo_by_depth(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let looks = [(Ink::Pale, -8), (Ink::Ink, 0), (Ink::Gain, 8)];
    let fits = || experiment.ratings_by_fit.iter().zip(looks);
    let series: Vec<_> = fits().map(|(ratings, look)| (look, points(experiment, ratings))).collect();
    let all = || series.iter().flat_map(|(_, points)| points);
    all().next()?;
    let (subtitle, label) = match experiment.anchor {
        Some(anchor) => (
            format!("Strength of each depth by three fits, given the strength of depth {}", anchor.depth),
            "Elo",
        ),
        None => {
            let reference = experiment.reference();
            (format!("Elo points of each depth above depth {reference}, by three fits"), "Elo points")
        }
    };
    let names: Vec<(Ink, String)> = fits()
        .map(|(ratings, (ink, _))| {
            let chosen = if ratings.fit == experiment.fit { " (chosen)" } else { "" };
            (ink, format!("{}{chosen}", ratings.fit))
        })
        .collect();
    let chart = Chart {
        title: "How strong is each depth?",
        subtitle: &subtitle,
        caption,
        x: Axis::of_depths("Depth in plies", all().map(|(depth, _)| *depth as u32)),
        y: Axis::around(label, all().flat_map(|(_, elo)| ends(elo)), 10),
        legend: &borrowed(&names),
        notes: "Bars: 95 % intervals. lsq and probit follow the curve of one column; pairwise rates every depth by all of its games.",
    };
    Some(chart.drawn(|plot| {
        for ((ink, aside), points) in &series {
            let look = Look { aside: *aside, ..Look::of(*ink, 4) };
            plot.dots(look, points.iter().map(|(depth, elo)| dot(*depth, elo)));
        }
    }))
}

fn points(experiment: &Experiment, ratings: &Ratings) -> Vec<(f64, Estimate)> {
    let side = experiment.reference().side;
    let estimates = match experiment.anchor {
        Some(anchor) => ratings.strengths(anchor.elo),
        None => ratings.differences.clone().unwrap_or_default(),
    };
    let contenders = experiment.table.contenders().iter().zip(estimates);
    let own = contenders.filter(|(contender, _)| contender.side == side);
    own.filter_map(|(contender, estimate)| Some((f64::from(contender.depth), estimate?))).collect()
}

fn neighbors(experiment: &Experiment) -> Vec<&Match> {
    let own = |m: &&Match| m.first.side == Side::Engine && m.second.side == Side::Engine;
    experiment.matches.iter().filter(own).collect()
}

/// Draws the score against the next shallower depth, with Heinz's scores (Ferreira 2013, Fig. 6).
pub fn returns(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let matches = neighbors(experiment);
    let scores: Vec<(f64, Estimate)> =
        matches.iter().filter_map(|m| Some((f64::from(m.first.depth), m.score()?))).collect();
    scores.first()?;
    let heinz: Vec<(u32, MatchRecord)> = heinz::matches();
    let ends = scores.iter().flat_map(|(_, score)| ends(score));
    let ends = ends.chain(heinz.iter().map(|(_, record)| record.score())).chain([0.5]);
    let depths = matches.iter().map(|m| m.first.depth).chain(heinz.iter().map(|(depth, _)| *depth));
    let chart = Chart {
        title: "Do returns diminish?",
        subtitle: "Score of each depth against the next shallower one",
        caption,
        x: Axis::of_depths("Depth of the deeper side in plies", depths),
        y: Axis::of_chances("Score", ends, (10, 0.005), 0.3),
        legend: &[(Ink::Gain, "this experiment"), (Ink::Pale, "Fritz 6 (Heinz 2000)")],
        notes: "Bars: 95 % intervals by game pairs if all games are in pairs, else by games with three outcomes.",
    };
    Some(chart.drawn(|plot| {
        let theirs = heinz.iter().map(|(depth, record)| (f64::from(*depth), record.score(), None));
        plot.dots(Look::joined(Ink::Pale, 5, 0), theirs);
        let look = Look { bar: Ink::Zero, ..Look::joined(Ink::Gain, 5, 0) };
        plot.dots(look, scores.iter().map(|(depth, score)| dot(*depth, score)));
    }))
}

pub fn rates(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let matches = neighbors(experiment);
    matches.first()?;
    let chart = Chart {
        title: "How do the games end?",
        subtitle: "Wins, draws and losses of each depth against the next shallower one",
        caption,
        x: Axis::of_depths("Depth of the deeper side in plies", matches.iter().map(|m| m.first.depth)),
        y: Axis::stepped("Percent of the games", (0.0, 100.0), 10.0, 0),
        legend: &[(Ink::Gain, "wins"), (Ink::Zero, "draws"), (Ink::Pale, "losses")],
        ..Chart::default()
    };
    Some(chart.drawn(|plot| {
        let plane = plot.plane;
        let pitch = plane.column(plane.x.0 + 1.0) - plane.columns.0;
        let half = (pitch * 3 / 10).clamp(1, 40);
        let reach = f64::from(half) / f64::from(pitch);
        for m in &matches {
            let depth = f64::from(m.first.depth);
            let mut below = 0.0;
            for (share, ink) in m.record.shares().into_iter().zip([Ink::Gain, Ink::Zero, Ink::Pale]) {
                plot.bar((depth - reach, depth + reach), (below, below + 100.0 * share), ink);
                let (low, high) = (plane.row(below), plane.row(below + 100.0 * share));
                if low - high > 18 && half >= 20 {
                    let (text, middle) =
                        (rounded(100.0 * share, 0), (plane.column(depth), (low + high) / 2 + 5));
                    plot.canvas.text(&text, middle, Type::of(14.0).color(Ink::Paper).centered());
                }
                below += 100.0 * share;
            }
        }
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{curves, elo_by_depth, elo_curve, rates, returns, scores};
    use crate::lab::{
        Choices, Experiment, GameRecord, Iteration, RatingAnchor, experiment::testing::games_of,
    };
    use crate::numbers::{Estimate, Interval};
    use crate::report::{kinds::go_deep, plots::canvas::Drawing};

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
            let elo = Estimate { value: elo, observations: 1, interval: Some(Interval::of_margin(elo, 300.0)) };
            for anchor in [None, Some(RatingAnchor { depth: first, elo })] {
                let experiment = Experiment::of(&games, &Choices { anchor, ..Choices::default() }).expect("games");
                let caption = "Stockfish 15.1 against itself, 100000 games";
                let drawn = [scores, elo_curve, curves, returns, elo_by_depth, rates];
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
            let drawing = go_deep::best_moves(&iterations, &"W".repeat(200), 500).expect("positions");
            assert_texts_are_apart(&drawing)?;
        }
    }

    #[test]
    fn without_numbers_there_is_no_picture() {
        assert!(go_deep::best_moves(&[], "E", 0).is_none());
        let games = games_of([2, 1], (3, 0, 0));
        let experiment = Experiment::of(&games, &Choices::default()).expect("games");
        for draw in [scores, curves, elo_curve, elo_by_depth] {
            assert!(draw(&experiment, "").is_none(), "two depths have no fit");
        }
        assert!(rates(&experiment, "").is_some());
    }
}
