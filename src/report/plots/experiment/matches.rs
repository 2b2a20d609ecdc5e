//! Owns the pictures of neighbouring depths: the score of the deeper one, and how its games end.

use crate::chess::text::rounded;
use crate::lab::{Experiment, Match, Side, papers::heinz};
use crate::numbers::{Estimate, MatchRecord};
use crate::report::plots::canvas::{Canvas, Drawing, Plane};
use crate::report::plots::chart::{Axis, Chart, interval};
use crate::report::plots::style::{Ink, Type};

/// Returns the matches of the engine's neighbouring depths.
fn own(experiment: &Experiment) -> Vec<&Match> {
    let own = |m: &&Match| m.first.side == Side::Engine && m.second.side == Side::Engine;
    experiment.matches.iter().filter(own).collect()
}

/// Draws the score of each depth against the next shallower one, with Heinz's (Ferreira 2013, Fig. 6); `None`
/// without such a match.
pub fn returns(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let matches = own(experiment);
    let scores: Vec<(f64, Estimate)> =
        matches.iter().map(|m| (f64::from(m.first.depth), m.score())).collect();
    scores.first()?;
    let heinz: Vec<(u32, MatchRecord)> = heinz::matches();
    let ends = scores.iter().flat_map(|(_, score)| {
        score.interval.map_or([score.value; 2], |interval| [interval.low, interval.high])
    });
    let ends = ends.chain(heinz.iter().map(|(_, record)| record.score())).chain([0.5]);
    let depths = matches.iter().map(|m| m.first.depth).chain(heinz.iter().map(|(depth, _)| *depth));
    let chart = Chart {
        title: "Do returns diminish?",
        subtitle: "Score of each depth against the next shallower one".to_owned(),
        caption: caption.to_owned(),
        x: Axis::of_depths("Depth of the deeper side in plies", depths),
        y: Axis::around("Score", ends, 10),
        legend: vec![
            (Ink::Gain, "this experiment".to_owned()),
            (Ink::Loss, "Fritz 6 (Heinz 2000)".to_owned()),
        ],
        notes: vec![
            "Bars: 95 % intervals, by game pairs where all games are in pairs, else of games of three outcomes."
                .to_owned(),
        ],
    };
    Some(chart.drawn(|canvas, plane| {
        let theirs: Vec<(f64, f64)> =
            heinz.iter().map(|(depth, record)| (f64::from(*depth), record.score())).collect();
        let ours: Vec<(f64, f64)> = scores.iter().map(|(depth, score)| (*depth, score.value)).collect();
        line(canvas, plane, &theirs, Ink::Loss);
        for (depth, score) in &scores {
            if let Some(around) = score.interval {
                interval(canvas, plane, plane.column(*depth), (around.low, around.high), Ink::Zero);
            }
        }
        line(canvas, plane, &ours, Ink::Gain);
    }))
}

/// Draws dots, each joined to the next.
fn line(canvas: &mut Canvas, plane: Plane, points: &[(f64, f64)], ink: Ink) {
    let places: Vec<_> = points.iter().map(|&(x, y)| (plane.column(x), plane.row(y))).collect();
    if places.len() > 1 {
        canvas.path(places.clone(), ink);
    }
    places.into_iter().for_each(|place| canvas.dot(place, 5, ink));
}

/// Draws shares of wins, draws and losses of each depth against the next shallower one; `None` without such a
/// match.
pub fn rates(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let matches = own(experiment);
    matches.first()?;
    let chart = Chart {
        title: "How do the games end?",
        subtitle: "Wins, draws and losses of each depth against the next shallower one".to_owned(),
        caption: caption.to_owned(),
        x: Axis::of_depths("Depth of the deeper side in plies", matches.iter().map(|m| m.first.depth)),
        y: Axis::stepped("Percent of the games", (0.0, 100.0), 10.0, 0),
        legend: [(Ink::Gain, "wins"), (Ink::Zero, "draws"), (Ink::Loss, "losses")]
            .map(|(ink, word)| (ink, word.to_owned()))
            .to_vec(),
        notes: Vec::new(),
    };
    Some(chart.drawn(|canvas, plane| {
        let pitch = plane.column(plane.x.0 + 1.0) - plane.columns.0;
        let half = (pitch * 3 / 10).clamp(1, 40);
        for m in matches {
            let column = plane.column(f64::from(m.first.depth));
            let mut below = 0.0;
            for (share, ink) in m.record.shares().into_iter().zip([Ink::Gain, Ink::Zero, Ink::Loss]) {
                let (low, high) = (plane.row(below), plane.row(below + 100.0 * share));
                canvas.rectangle((column - half, high), (column + half, low), ink);
                if low - high > 18 && half >= 20 {
                    let set = Type::of(14.0).color(Ink::Paper).centred();
                    canvas.text(&rounded(100.0 * share, 0), (column, (low + high) / 2 + 5), set);
                }
                below += 100.0 * share;
            }
        }
    }))
}
