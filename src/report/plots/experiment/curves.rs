//! Owns the pictures of fitted curves: one with its scores, and all of them centred.

use crate::chess::text::rounded;
use crate::lab::{ColumnFit, Experiment};
use crate::numbers::NormalCurve;
use crate::report::plots::canvas::{Drawing, Plane};
use crate::report::plots::chart::{Axis, Chart, curve, interval};
use crate::report::plots::style::Ink;

/// Draws the scores against one depth, with their 95 % intervals and the curves through them: against the middle
/// one of the engine's depths that have a curve (Ferreira 2013, Fig. 1). `None` without one.
pub fn one(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let fitted: Vec<&ColumnFit> = own(experiment).filter(|fit| fit.lsq.is_ok()).collect();
    let fit = *fitted.get(fitted.len() / 2)?;
    let line = fit.lsq.ok()?;
    let column = experiment.table.place(fit.column)?;
    let points = experiment.scores.points(fit.side, column);
    let depths = points.iter().map(|point| point.0 as u32);
    let chart = Chart {
        title: "How does the score rise with depth?",
        subtitle: format!("Scores of all depths against depth {}, and Φ((d − μ)/σ) through them", fit.column),
        caption: format!("{caption}; {}", curve_in_words(line)),
        x: Axis::of_depths("Depth d in plies", depths),
        y: Axis::of_scores("Score"),
        legend: vec![(Ink::Gain, "least squares".to_owned()), (Ink::Loss, "likelihood (probit)".to_owned())],
        notes: vec![
            "Bars: 95 % intervals of games of three outcomes, as if all games were independent. The depth itself stands at ½."
                .to_owned(),
        ],
    };
    Some(chart.drawn(|canvas, plane| {
        if let Ok(probit) = fit.probit {
            curve(canvas, plane, |depth| probit.score(depth), Ink::Loss);
        }
        curve(canvas, plane, |depth| line.score(depth), Ink::Gain);
        for (row, contender) in experiment.table.contenders().iter().enumerate() {
            let score = experiment.score(row, column).filter(|_| contender.side == fit.side);
            if let Some(around) = score.and_then(|score| score.interval) {
                let x = plane.column(f64::from(contender.depth));
                interval(canvas, plane, x, (around.low, around.high), Ink::Zero);
            }
        }
        for &(depth, score) in &points {
            canvas.dot((plane.column(depth), plane.row(score)), 5, Ink::Ink);
        }
    }))
}

/// Returns the curves of the engine's depths against its own depths.
fn own(experiment: &Experiment) -> impl Iterator<Item = &ColumnFit> {
    let first = experiment.fits.first().map(|fit| fit.side);
    experiment.fits.iter().filter(move |fit| Some(fit.side) == first)
}

fn curve_in_words(line: NormalCurve) -> String {
    let eta = line.elo_per_ply();
    let margin = line.sigma.interval.map_or(String::new(), |i| format!(" ± {}", rounded(i.half_width(), 3)));
    format!(
        "least squares: μ {}, σ {}{margin} plies, η {} Elo points a ply",
        rounded(line.mu.value, 2),
        rounded(line.sigma.value, 3),
        rounded(eta.value, 1)
    )
}

/// Draws all fitted curves shifted to their own μ (Ferreira 2013, Fig. 3); `None` without any.
pub fn all(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let curves: Vec<(&ColumnFit, NormalCurve)> =
        own(experiment).filter_map(|fit| Some((fit, fit.lsq.ok()?))).collect();
    let reach = |pair: &(&ColumnFit, NormalCurve)| 3.0 * pair.1.sigma.value;
    let reach = curves.iter().map(reach).fold(0.0, f64::max).clamp(3.0, 100.0);
    let (shallow, deep) = (curves.first()?, curves.last()?);
    let chart = Chart {
        title: "Is a ply worth the same at every depth?",
        subtitle: "The curves of all columns by least squares, each shifted to its own middle μ".to_owned(),
        caption: format!("{caption}; the flatter a curve, the less a ply is worth"),
        x: Axis::around("Plies from the middle, d − μ", [-reach, reach], 16),
        y: Axis::of_scores("Score"),
        legend: vec![
            (Ink::Loss, format!("against depth {}", shallow.0.column)),
            (Ink::Zero, "between".to_owned()),
            (Ink::Gain, format!("against depth {}", deep.0.column)),
        ],
        notes: Vec::new(),
    };
    Some(chart.drawn(|canvas, plane: Plane| {
        let last = curves.len() - 1;
        let draw = |canvas: &mut _, (_, line): &(&ColumnFit, NormalCurve), ink| {
            curve(canvas, plane, |plies| line.score(line.mu.value + plies), ink);
        };
        curves.iter().for_each(|pair| draw(canvas, pair, Ink::Zero));
        draw(canvas, &curves[0], Ink::Loss);
        draw(canvas, &curves[last], Ink::Gain);
    }))
}
