//! The picture of a player's losses over time, with a dot for each game and the mean of each span of time.

use crate::base::text::counted;
use crate::measure::{PlayTrend, Profile, Span};
use crate::report::{
    plots::Caption, plots::canvas::Drawing, plots::chart::Axis, plots::chart::Chart, plots::chart::Look,
    plots::chart::dot, plots::chart::range, plots::label, plots::style::Ink, plots::style::Type,
    words::profile::span_axis,
};

/// The share of games within the axis. Games with greater losses are drawn at its upper edge, so that the
/// means have room.
const SHOWN: f64 = 0.95;

/// Draws the spans of the trend from left to right; `None` if the profile has no trend.
pub fn draw(profile: &Profile, caption: &Caption) -> Option<Drawing> {
    let trend = profile.trend.as_ref()?;
    let top = trend.spans.iter().map(upper).fold(0.0, f64::max);
    let ends = trend.spans.iter().flat_map(|span| [0.0, upper(span)]);
    let mut games: Vec<f64> =
        trend.spans.iter().flat_map(|span| &span.games).map(|game| game.win_loss).collect();
    games.sort_by(f64::total_cmp);
    let shown = (SHOWN * games.len() as f64) as usize;
    let highest = games.get(shown.saturating_sub(1)).map_or(top, |game| game.max(top));
    let title = format!("{}: are the moves getting better?", label(&profile.player));
    let chart = Chart {
        title: &title,
        subtitle: "Loss of winning chances in percentage points per move, with 95 % intervals: lower is better",
        caption: &caption.after(counted(games.len() as u64, "game")),
        x: columns(trend),
        y: Axis::around("Percentage points lost per move", ends.chain([highest]), 8),
        legend: &[(Ink::Gain, "mean"), (Ink::Zero, "one game")],
        notes: "Hard positions cost every player more than simple ones. Games that lose more than the axis shows are drawn \
                at its upper edge.",
    };
    Some(chart.drawn(|plot| {
        for span in &trend.spans {
            let left = f64::from(span.place);
            let dots = span
                .games
                .iter()
                .map(|game| (left + game.time, game.win_loss.clamp(0.0, chart.y.ends.1), None));
            plot.dots(Look::of(Ink::Zero, 2), dots);
            plot.dots(Look::of(Ink::Gain, 6), [dot(left + 0.5, &span.win_loss)]);
        }
    }))
}

fn upper(span: &Span) -> f64 {
    let value = span.win_loss.value;
    // An interval from two games may be of any width.
    span.win_loss.interval.map_or(value, |interval| interval.high.min(3.0 * value))
}

/// Returns the axis of the spans, with as many names as fit.
fn columns(trend: &PlayTrend) -> Axis {
    let set = Type::of(15.0);
    let widest = trend.spans.iter().map(|span| set.width(&span.name)).max().unwrap_or_default() + 16;
    let (first, last) = range(trend.spans.iter().map(|span| f64::from(span.place)));
    let each = (last + 1.0 - first).max(1.0) / (860 / widest.max(1)).max(1) as f64;
    let mut named = f64::NEG_INFINITY;
    let mut name = |span: &Span| {
        let at = f64::from(span.place) + 0.5;
        let has_room = at - named >= each;
        named = if has_room { at } else { named };
        (at, if has_room { span.name.clone() } else { String::new() })
    };
    let lines = trend.spans.iter().map(&mut name).collect();
    Axis::of_lines(span_axis(trend.span), (first, last + 1.0), lines)
}
