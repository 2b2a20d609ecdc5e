//! Owns the picture of a player's losses over time: each game a dot, each span of time its mean.

use crate::chess::text::counted;
use crate::measure::{PlayTrend, Profile, Span};
use crate::report::{
    plots::Caption, plots::canvas::Drawing, plots::chart::Axis, plots::chart::Chart, plots::chart::Look,
    plots::chart::dot, plots::label, plots::style::Ink, plots::style::Type, words::profile::span_axis,
};

/// A game that loses more stands at the upper edge, so that the means have room.
const MOST: f64 = 4.0;

/// Draws the spans from left to right; `None` where there are fewer than two.
pub fn draw(profile: &Profile, caption: &Caption) -> Option<Drawing> {
    let trend = profile.trend.as_ref()?;
    let top = trend.spans.iter().map(upper).fold(0.0, f64::max);
    let ends = trend.spans.iter().flat_map(|span| [0.0, upper(span)]);
    let games: usize = trend.spans.iter().map(|span| span.games.len()).sum();
    let highest = trend
        .spans
        .iter()
        .flat_map(|span| &span.games)
        .map(|game| game.win_loss.min(MOST * top))
        .fold(top, f64::max);
    let title = format!("{}: are the moves getting better?", label(&profile.player));
    let chart = Chart {
        title: &title,
        subtitle: "Loss of winning chances in percentage points a move, with 95 % intervals: lower is better",
        caption: &caption.after(counted(games as u64, "game")),
        x: columns(trend),
        y: Axis::around("Points lost a move", ends.chain([highest]), 8),
        legend: &[(Ink::Gain, "mean"), (Ink::Zero, "one game")],
        notes: "Hard positions cost every player more than simple ones.",
    };
    Some(chart.drawn(|plot| {
        for (left, span) in (0..).map(f64::from).zip(&trend.spans) {
            let games = (0..).map(f64::from).zip(&span.games);
            let dots = games.map(|(number, game)| {
                let at = left + (number + 0.5) / span.games.len() as f64;
                (at, game.win_loss.clamp(0.0, chart.y.ends.1), None)
            });
            plot.dots(Look::of(Ink::Zero, 2), dots);
            plot.dots(Look::of(Ink::Gain, 6), [dot(left + 0.5, &span.win_loss)]);
        }
    }))
}

/// Returns the highest value of a span that the picture must have room for.
fn upper(span: &Span) -> f64 {
    let value = span.win_loss.value;
    // An interval of two games reaches everywhere.
    span.win_loss.interval.map_or(value, |interval| interval.high.min(3.0 * value))
}

/// Returns the axis of the spans, with as many names as have room.
fn columns(trend: &PlayTrend) -> Axis {
    let set = Type::of(15.0);
    let widest = trend.spans.iter().map(|span| set.width(&span.name)).max().unwrap_or_default() + 16;
    let each = trend.spans.len().div_ceil((860 / widest.max(1)).max(1) as usize);
    let name = |(place, span): (usize, &Span)| {
        let text = if place % each == 0 { span.name.clone() } else { String::new() };
        (place as f64 + 0.5, text)
    };
    let lines = trend.spans.iter().enumerate().map(name).collect();
    Axis::of_lines(span_axis(trend.span), (0.0, trend.spans.len() as f64), lines)
}
