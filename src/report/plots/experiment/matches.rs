//! Owns the pictures of matches: the score of neighbouring depths, how their games end, and the Elo of entrants.

use crate::chess::text::rounded;
use crate::lab::{Experiment, Match, RoundRobin, Side, papers::heinz};
use crate::numbers::{Estimate, MatchRecord};
use crate::report::{
    plots::canvas::Drawing, plots::chart::Axis, plots::chart::Chart, plots::chart::Look, plots::chart::NAMES,
    plots::chart::ends, plots::chart::names, plots::experiment::elo_dot, plots::style::Ink,
    plots::style::Type, words::round_robin::name,
};

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
    let ends = scores.iter().flat_map(|(_, score)| ends(score));
    let ends = ends.chain(heinz.iter().map(|(_, record)| record.score())).chain([0.5]);
    let depths = matches.iter().map(|m| m.first.depth).chain(heinz.iter().map(|(depth, _)| *depth));
    let chart = Chart {
        title: "Do returns diminish?",
        subtitle: "Score of each depth against the next shallower one",
        caption,
        x: Axis::of_depths("Depth of the deeper side in plies", depths),
        y: Axis::around("Score", ends, 10),
        legend: &[(Ink::Gain, "this experiment"), (Ink::Loss, "Fritz 6 (Heinz 2000)")],
        notes: &[
            "Bars: 95 % intervals, by game pairs where all games are in pairs, else of games of three outcomes.",
        ],
    };
    Some(chart.drawn(|plot| {
        let theirs = heinz.iter().map(|(depth, record)| (f64::from(*depth), record.score(), None));
        plot.dots(Look::joined(Ink::Loss, 5, 0), theirs);
        for (depth, score) in &scores {
            score.interval.iter().for_each(|ends| plot.interval(*depth, *ends, Ink::Zero));
        }
        plot.dots(
            Look::joined(Ink::Gain, 5, 0),
            scores.iter().map(|(depth, score)| (*depth, score.value, None)),
        );
    }))
}

/// Draws shares of wins, draws and losses of each depth against the next shallower one; `None` without such a
/// match.
pub fn rates(experiment: &Experiment, caption: &str) -> Option<Drawing> {
    let matches = own(experiment);
    matches.first()?;
    let chart = Chart {
        title: "How do the games end?",
        subtitle: "Wins, draws and losses of each depth against the next shallower one",
        caption,
        x: Axis::of_depths("Depth of the deeper side in plies", matches.iter().map(|m| m.first.depth)),
        y: Axis::stepped("Percent of the games", (0.0, 100.0), 10.0, 0),
        legend: &[(Ink::Gain, "wins"), (Ink::Zero, "draws"), (Ink::Loss, "losses")],
        ..Chart::default()
    };
    Some(chart.drawn(|plot| {
        let plane = plot.plane;
        let pitch = plane.column(plane.x.0 + 1.0) - plane.columns.0;
        let half = (pitch * 3 / 10).clamp(1, 40);
        let reach = f64::from(half) / f64::from(pitch);
        for m in matches {
            let depth = f64::from(m.first.depth);
            let mut below = 0.0;
            for (share, ink) in m.record.shares().into_iter().zip([Ink::Gain, Ink::Zero, Ink::Loss]) {
                plot.bar((depth - reach, depth + reach), (below, below + 100.0 * share), ink);
                let (low, high) = (plane.row(below), plane.row(below + 100.0 * share));
                if low - high > 18 && half >= 20 {
                    let set = Type::of(14.0).color(Ink::Paper).centred();
                    plot.canvas.text(
                        &rounded(100.0 * share, 0),
                        (plane.column(depth), (low + high) / 2 + 5),
                        set,
                    );
                }
                below += 100.0 * share;
            }
        }
    }))
}

/// Draws the Elo points of every rated entrant, the strongest first; `None` where nobody is rated, and of more entrants
/// than have room.
pub fn elo_by_entrant(found: &RoundRobin, caption: &str) -> Option<Drawing> {
    let standing = found.standing().into_iter();
    let rated: Vec<(usize, Estimate)> =
        standing.filter_map(|place| Some((place, found.elo(place)?))).collect();
    if rated.is_empty() || rated.len() > NAMES {
        return None;
    }
    let chart = Chart {
        title: "How strong is each entrant?",
        subtitle: "Elo points by the games of all pairs together",
        caption,
        x: names("Entrant", rated.iter().map(|(place, _)| name(found, *place))),
        y: Axis::around("Elo points", rated.iter().flat_map(|(_, elo)| ends(elo)), 10),
        notes: &["Bars: 95 % intervals by pairs of games of one opening."],
        ..Chart::default()
    };
    let dots = (1..).zip(&rated).map(|(rank, (_, elo))| elo_dot(f64::from(rank), elo));
    Some(chart.drawn(|plot| plot.dots(Look::of(Ink::Gain, 4), dots)))
}
