//! The texts of a column's cells. Numbers are rounded as the column's quantity requires.

use super::{Cells, ColumnPart, ShownColumn, TableColumn, Values};
use crate::base::text::{printable, rounded};
use crate::measure::Measured;
use crate::numbers::Interval;
use crate::report::words::numbers::{MISSING, bounded, number, range, with_margin};

impl TableColumn {
    /// Returns the text of each cell, as readers see it.
    pub(super) fn words(&self, shown: &ShownColumn) -> Vec<String> {
        let percent = |share: f64| rounded(100.0 * share, shown.decimals.unwrap_or(1));
        match (shown.part.as_ref().unwrap_or(&ColumnPart::Margin), &self.cells) {
            (ColumnPart::Said(said) | ColumnPart::Labels(said), _) => said.clone(),
            (ColumnPart::Percent, cells) => or_missing(&cells.numbers(), |share| percent(*share)),
            (ColumnPart::PercentSign, cells) => or_missing(&cells.numbers(), |share| percent(*share) + " %"),
            (_, Cells::Values(values)) => values.words(shown.decimals),
            (part, Cells::Estimate(quantity, _, cells)) => or_missing(cells, |&cell| {
                part.words(cell, shown.decimals.unwrap_or(quantity.decimals.shown(cell.value)))
            }),
        }
    }
}

impl Cells {
    /// Returns the cells as numbers: estimates, counts or quantities. Empty for other types.
    pub(super) fn numbers(&self) -> Vec<Option<f64>> {
        match self {
            Cells::Values(Values::Number(_, cells)) => cells.clone(),
            Cells::Values(Values::Count(cells)) => {
                cells.iter().map(|cell| cell.map(|count| count as f64)).collect()
            }
            Cells::Values(_) => Vec::new(),
            Cells::Estimate(_, _, cells) => cells.iter().map(|cell| cell.map(|cell| cell.value)).collect(),
        }
    }
}

impl ColumnPart {
    /// Returns this part of an estimate as text.
    pub(super) fn words(&self, measured: Measured, decimals: usize) -> String {
        let interval = measured.intervals.cluster;
        let end = |of: fn(Interval) -> f64| number(interval.map(of), decimals);
        match self {
            ColumnPart::Margin => with_margin(measured, decimals),
            ColumnPart::Range => range(measured, decimals),
            ColumnPart::Low => end(|interval| interval.low),
            ColumnPart::High => end(|interval| interval.high),
            ColumnPart::HalfWidth => end(|interval| interval.half_width()),
            ColumnPart::PlusMinus => interval.map_or(MISSING.to_owned(), |interval| {
                format!("± {}", rounded(interval.half_width(), decimals))
            }),
            ColumnPart::Error => end(|interval| interval.standard_error),
            _ => bounded(measured, decimals),
        }
    }
}

impl Values {
    /// Returns the values as texts for readers. If `decimals` is `None`, numbers have their quantity's
    /// decimals.
    pub(super) fn words(&self, decimals: Option<usize>) -> Vec<String> {
        match self {
            Values::Text(cells) => or_missing(cells, |text| printable(text)),
            Values::Flag(cells) => or_missing(cells, ToString::to_string),
            Values::Count(cells) => or_missing(cells, ToString::to_string),
            Values::Whole(cells) => or_missing(cells, ToString::to_string),
            Values::Whole32(cells) => or_missing(cells, ToString::to_string),
            Values::Number(quantity, cells) => {
                or_missing(cells, |&value| rounded(value, decimals.unwrap_or(quantity.decimals.shown(value))))
            }
        }
    }
}

fn or_missing<T>(cells: &[Option<T>], word: impl Fn(&T) -> String) -> Vec<String> {
    cells.iter().map(|cell| cell.as_ref().map_or(MISSING.to_owned(), &word)).collect()
}
