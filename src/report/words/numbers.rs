//! Numbers, intervals and lists as text.

use crate::base::text::rounded;
use crate::measure::{BoundSide, Measured};
use crate::numbers::{Interval, stats::estimate::LEVEL};

pub const MISSING: &str = "–";

/// Returns `text` with the minus sign of the pictures (−) before numbers below 0.
pub fn minus(text: &str) -> String {
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    let mut said = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        let is_sign = letter == '-'
            && (before.is_whitespace() || before == '(')
            && letters.peek().is_some_and(char::is_ascii_digit);
        said.push(if is_sign { '−' } else { letter });
        before = letter;
    }
    said
}

pub fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or(MISSING.to_owned(), |value| rounded(value, decimals))
}

/// Returns the ends of an interval, with `<` and `>` before open ends.
pub fn range(measured: Measured, decimals: usize) -> String {
    let Some(interval) = measured.intervals.cluster else { return MISSING.to_owned() };
    let below = if measured.open[0] { mark(Some(BoundSide::Below)) } else { "" };
    let above = if measured.open[1] { mark(Some(BoundSide::Above)) } else { "" };
    format!("{below}{} to {above}{}", rounded(interval.low, decimals), rounded(interval.high, decimals))
}

/// Returns a number with its margin, or with both ends if the interval is not symmetric.
pub fn with_margin(number: impl Into<Measured>, decimals: usize) -> String {
    let number = number.into();
    let value = bounded(number, decimals);
    match number.intervals.cluster {
        Some(interval) if is_around(interval, number.value) => {
            format!("{value} ± {}", rounded(interval.half_width(), decimals))
        }
        Some(_) => format!("{value} ({})", range(number, decimals)),
        None => value,
    }
}

/// Splits the text of [`with_margin`] into the number and the margin with its sign, which may be empty.
pub fn number_and_margin(text: String) -> (String, String) {
    match text.split_once(" ± ") {
        Some((value, margin)) => (value.to_owned(), format!("± {margin}")),
        None => (text, String::new()),
    }
}

/// Returns true if `value` is in the middle of its interval. In an interval cut at 0 or 1, the value is
/// elsewhere.
fn is_around(interval: Interval, value: f64) -> bool {
    (interval.high + interval.low - 2.0 * value).abs() <= 1e-6 * interval.half_width()
}

/// Returns a number, with `>` or `<` before it if it is a bound.
pub fn bounded(points: Measured, decimals: usize) -> String {
    format!("{}{}", mark(points.bound), rounded(points.value, decimals))
}

pub fn mark(bound: Option<BoundSide>) -> &'static str {
    match bound {
        Some(BoundSide::Above) => "> ",
        Some(BoundSide::Below) => "< ",
        None => "",
    }
}

/// Returns `head` followed by the `items` and a period; `None` without items.
pub fn listed(head: &str, items: impl Iterator<Item = String>, separator: &str) -> Option<String> {
    let items: Vec<_> = items.collect();
    (!items.is_empty()).then(|| format!("{head}{}.", items.join(separator)))
}

/// Returns the mover's chances of winning before a move and after it: `59 → 15 %`.
pub fn chances([before, after]: [f64; 2]) -> String {
    format!("{:.0} → {:.0} %", 100.0 * before, 100.0 * after)
}

/// Returns a place in words up to tenth, then in figures.
pub fn ordinal(place: usize) -> String {
    let words =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    words.get(place.wrapping_sub(1)).map_or_else(|| format!("{place}th"), |word| (*word).to_owned())
}

pub const SIGNIFICANT: f64 = 1.0 - LEVEL;

pub const LEAST_P: f64 = 0.001;

pub fn p_value(p: f64) -> String {
    if p < LEAST_P { "< 0.001".to_owned() } else { rounded(p, 3) }
}

pub fn p_equals(p: f64) -> String {
    if p < LEAST_P { format!("p {}", p_value(p)) } else { format!("p = {}", p_value(p)) }
}

/// Largest width of a name in a table, in columns of the terminal.
pub const NAME: usize = 32;

#[cfg(test)]
mod tests {
    use super::minus;

    #[test]
    fn a_minus_stands_before_numbers_alone() {
        assert_eq!(
            minus("-3 (-1.5 to 2), 2022-01, fixed-4, x - 1"),
            "−3 (−1.5 to 2), 2022-01, fixed-4, x - 1"
        );
    }
}
