//! Owns the pictures of Elo points: the curve from differences to scores, and the points by depth.

use crate::lab::{Experiment, Fit, Ratings};
use crate::numbers::{EloCurve, Estimate};
use crate::report::plots::chart::{Axis, Chart, curve, interval};
use crate::report::{plots::canvas::Drawing, plots::style::Ink};

/// Draws the Elo curve with the score of each pair at the difference that one rating for each depth gives it
/// (Ferreira 2013, Fig. 2); `None` where no pair has both.
pub fn curve_of_scores(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let ratings = experiment.ratings_by_fit.iter().find(|ratings| ratings.fit == Fit::Pairwise)?;
    let ratings = ratings.differences.as_ref().ok()?;
    let rating = |place: usize| ratings[place].map(|rating| rating.value);
    let n = ratings.len();
    let pairs =
        (0..n).flat_map(|row| (0..n).map(move |column| (row, column))).filter(|(row, column)| row != column);
    let points: Vec<(f64, f64)> = pairs
        .filter_map(|(row, column)| {
            Some((rating(row)? - rating(column)?, experiment.scores.score(row, column)?))
        })
        .collect();
    if points.is_empty() {
        return None;
    }
    let reach = points.iter().map(|point| point.0.abs()).fold(100.0, f64::max);
    let chart = Chart {
        title: "Does one rating for each depth explain the scores?",
        subtitle: "Score of every pair of depths against the difference of their ratings".to_owned(),
        caption: caption.to_owned(),
        x: Axis::around("Difference in Elo points", [-reach, reach], 12),
        y: Axis::of_scores("Score"),
        legend: vec![
            (Ink::Gain, "Φ(Δ/200√2), Elo's curve".to_owned()),
            (Ink::Ink, "a pair".to_owned()),
        ],
        notes: vec!["Ratings by maximum likelihood from the games of all pairs; each pair stands twice, seen from either side.".to_owned()],
    };
    Some(chart.drawn(|canvas, plane| {
        curve(canvas, plane, |difference| EloCurve::Normal.expected_score(difference), Ink::Gain);
        for (difference, score) in points {
            canvas.dot((plane.column(difference), plane.row(score)), 3, Ink::Ink);
        }
    }))
}

/// A fit's points by depth, with where its dots stand beside the depth, in pixels.
struct Series {
    ink: Ink,
    aside: i32,
    points: Vec<(f64, Estimate)>,
}

/// Draws Elo points by depth and by each fit, with 95 % intervals: strengths where the anchor is known, else
/// differences; of the engine's depths. `None` where no fit has any.
pub fn by_depth(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let looks = [(Ink::Gain, -8), (Ink::Loss, 0), (Ink::Ink, 8)];
    let series: Vec<Series> = experiment
        .ratings_by_fit
        .iter()
        .zip(looks)
        .map(|(ratings, (ink, aside))| Series { ink, aside, points: points(experiment, ratings) })
        .collect();
    let all = || series.iter().flat_map(|series| &series.points);
    all().next()?;
    let depths: Vec<u32> = all().map(|(depth, _)| *depth as u32).collect();
    let ends = all().flat_map(|(_, estimate)| {
        let interval = estimate.interval.map(|interval| [interval.low, interval.high]);
        interval.into_iter().flatten().chain([estimate.value])
    });
    let reference = experiment.reference();
    let (subtitle, label) = match experiment.anchor {
        Some(anchor) => {
            (format!("Strength of each depth, depth {} being known, by three fits", anchor.depth), "Elo")
        }
        None => (format!("Elo points of each depth above depth {reference}, by three fits"), "Elo points"),
    };
    let legend = experiment.ratings_by_fit.iter().zip(looks).map(|(ratings, (ink, _))| {
        let chosen = if ratings.fit == experiment.fit { " (chosen)" } else { "" };
        (ink, format!("{}{chosen}", ratings.fit))
    });
    let chart = Chart {
        title: "How strong is each depth?",
        subtitle,
        caption: caption.to_owned(),
        x: Axis::of_depths("Depth in plies", depths),
        y: Axis::around(label, ends, 10),
        legend: legend.collect(),
        notes: vec![
            "Bars: 95 % intervals. lsq and probit follow the curve of one column; pairwise rates every depth by all of its games."
                .to_owned(),
        ],
    };
    Some(chart.drawn(|canvas, plane| {
        for Series { ink, aside, points } in &series {
            for (depth, estimate) in points {
                let x = plane.column(*depth) + aside;
                if let Some(around) = estimate.interval.filter(|around| around.low < around.high) {
                    interval(canvas, plane, x, (around.low, around.high), *ink);
                }
                canvas.dot((x, plane.row(estimate.value)), 4, *ink);
            }
        }
    }))
}

/// Returns depth and Elo of those that the drawing is of.
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
