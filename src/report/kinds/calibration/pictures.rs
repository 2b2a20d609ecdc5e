//! The pictures of a calibration: errors of the ratings of play, and usual values at each rating.

use crate::base::text::{counted, printable, rounded};
use crate::measure::{Calibration, Statistic, Validation};
use crate::numbers::Interval;
use crate::report::plots::{canvas::Drawing, chart::Axis, chart::Chart, chart::Look, style::Ink};

pub const NAMES: [&str; 4] = ["predicted", "errors", "first-choices", "accuracy"];

pub fn drawings(calibration: &Calibration) -> Vec<(&'static str, Drawing)> {
    let validation = || calibration.validation.first();
    let drawings = [
        validation().map(|validation| predicted(calibration, validation)),
        validation().map(|validation| errors(calibration, validation)),
        usual(calibration, Statistic::FirstChoice),
        usual(calibration, Statistic::Accuracy),
    ];
    NAMES.into_iter().zip(drawings).filter_map(|(name, drawing)| Some((name, drawing?))).collect()
}

pub(super) fn caption(calibration: &Calibration) -> String {
    let moves = calibration.events.iter().map(|event| event.moves).sum();
    format!(
        "{}; {} of {}",
        printable(&calibration.evaluations()),
        counted(moves, "move"),
        counted(calibration.events.len() as u64, calibration.scale.event())
    )
}

/// Draws the rating of play of each event against the mean rating of its players. The calibration for an
/// event uses the other events alone.
fn predicted(calibration: &Calibration, validation: &Validation) -> Drawing {
    let points = validation.events.iter().map(|row| {
        let around = Interval::normal(row.predicted, row.standard_error);
        (row.elo, row.predicted, (around.low, around.high))
    });
    let points: Vec<_> = points.collect();
    let values = points.iter().flat_map(|&(elo, _, (low, high))| [elo, low, high]);
    let chart = Chart {
        title: "Does the play predict the rating?",
        subtitle: "Each event is rated from the moves in the event, with a calibration from the other events",
        caption: &caption(calibration),
        x: Axis::around("Mean rating of the players", points.iter().map(|point| point.0), 10),
        y: Axis::around("Rating of play", values, 10),
        notes: "Bars: 95 % intervals. On the line, the rating of play equals the rating.",
        ..Chart::default()
    };
    chart.drawn(|plot| {
        plot.curve(|elo| elo, Ink::Zero);
        let look = Look { bar: Ink::Zero, ..Look::of(Ink::Ink, 5) };
        plot.dots(look, points.iter().map(|&(elo, found, ends)| (elo, found, Some(ends))));
    })
}

fn errors(calibration: &Calibration, validation: &Validation) -> Drawing {
    let model = &calibration.model;
    let standard = |moves: f64| (model.tau.powi(2) + model.s.powi(2) / moves).sqrt();
    let tested = validation.tested_errors();
    let moves = || tested.by_moves.iter().map(|(moves, _)| *moves);
    let most = moves().fold(0.0, f64::max);
    let errors = tested.by_moves.iter().map(|(_, error)| *error);
    let highest = errors.chain([standard(moves().fold(most, f64::min))]);
    let chart = Chart {
        title: "How far off is a rating of play?",
        subtitle: match tested.is_of_players {
            true => {
                "Root mean square error of single players' ratings in events left out, by the number of moves"
            }
            false => "Root mean square error of groups of similar players in events left out, by moves",
        },
        caption: &caption(calibration),
        x: Axis::around("Moves", [0.0, most], 12),
        y: Axis::around("Elo points", highest.chain([0.0]), 8),
        legend: &[
            (Ink::Gain, "standard error √(τ² + s²/n)"),
            (Ink::Loss, "part that remains with unlimited games, τ"),
        ],
        notes: &format!("τ = {}, s = {}.", rounded(model.tau, 0), rounded(model.s, 0)),
    };
    chart.drawn(|plot| {
        let high = plot.plane.y.1;
        plot.curve(|_| model.tau, Ink::Loss);
        plot.curve(|moves| standard(moves.max(1.0)).min(high), Ink::Gain);
        plot.dots(Look::of(Ink::Ink, 5), tested.by_moves.iter().map(|(moves, error)| (*moves, *error, None)));
    })
}

/// Agreement with the engine's top move in percent, by rating. K. W. Regan, "Intrinsic Ratings Compendium",
/// 2012: Rybka 3 at depth 13, positions within ±300 centipawns from move 9 on.
const REGAN: [(f64, f64); 2] = [(1600.0, 42.9), (2700.0, 56.3)];

/// Accuracy in percent in blitz: chess.com/blog/hissha/accuracy-and-ratings-on-chess-com.
const CHESS_COM: [(f64, f64); 5] =
    [(1000.0, 76.5), (1600.0, 78.8), (2000.0, 81.7), (2400.0, 85.9), (2800.0, 87.4)];

const MOVES: u64 = 400;

fn usual(calibration: &Calibration, statistic: Statistic) -> Option<Drawing> {
    let (title, axis, published, source, note) = match statistic {
        Statistic::FirstChoice => (
            "How often do players choose the engine's top move?",
            "Top moves in percent",
            &REGAN[..],
            "Regan 2012",
            "Regan: Rybka 3, depth 13, without the opening and decided positions; ratings from before 2024.",
        ),
        Statistic::Accuracy => (
            "How accurate are players?",
            "Accuracy in percent",
            &CHESS_COM[..],
            "chess.com, 3+0",
            "chess.com: its own formula, its own ratings, and games of three minutes.",
        ),
        // There are no published values of the other statistics.
        _ => return None,
    };
    let usual = calibration.usual.iter().find(|usual| usual.statistic == statistic)?;
    let [low, high] = calibration.model.elo_range;
    let at = |elo: f64| usual.expected(elo.clamp(low, high), MOVES, 0.0);
    let values = [low, high].map(at).into_iter().flat_map(|end| [end.low, end.high]);
    let chart = Chart {
        title,
        subtitle: &format!("Usual value at each rating, and the range of 95 % of players with {MOVES} moves"),
        caption: &caption(calibration),
        x: Axis::around("Rating", published.iter().map(|point| point.0).chain([low, high]), 10),
        y: Axis::around(axis, values.chain(published.iter().map(|point| point.1)), 10),
        legend: &[(Ink::Gain, "here"), (Ink::Loss, source)],
        notes: note,
    };
    Some(chart.drawn(|plot| {
        let range = (low, high);
        plot.curve_between(range, |elo| at(elo).low, Ink::Zero);
        plot.curve_between(range, |elo| at(elo).high, Ink::Zero);
        plot.curve_between(range, |elo| at(elo).mean, Ink::Gain);
        plot.dots(Look::of(Ink::Loss, 5), published.iter().map(|&(elo, value)| (elo, value, None)));
        plot.path(published.iter().copied(), Ink::Loss.stroke());
    }))
}
