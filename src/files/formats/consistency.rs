//! Comparison of a stored table with a table that is made again from its contents. This also checks cells
//! that no code reads.

use std::io::Cursor;

use polars::prelude::StringChunked;

use super::moves::{RereadError, StoredTable, texts};
use crate::base::text::{brief, unescape_formula};
use crate::chess::Date;

impl StoredTable {
    /// Compares the rows from index `from` with `remade`, the bytes of a table of the same format with the
    /// expected rows. Returns the number of rows of `remade`, or an error at the first difference. Columns in
    /// only one of the tables are not compared.
    pub fn check_rows(&self, from: usize, remade: Vec<u8>) -> Result<usize, RereadError> {
        let remade = texts(&self.path, self.format, Cursor::new(remade))?;
        for column in remade.columns() {
            let (Some(expected), Ok(found)) = (column.try_str(), self.frame.column(column.name())) else {
                continue;
            };
            let Some(found) = found.try_str() else { continue };
            for row in 0..expected.len() {
                let [found, expected] = [cell(found, from + row), cell(expected, row)];
                let agree =
                    is_same(found, expected) || column.name() == DATE && is_same_date(found, expected);
                if !agree {
                    let [found, expected] = [found, expected].map(|text| match text {
                        "" => "empty".to_owned(),
                        text => format!("{:?}", brief(text)),
                    });
                    let (path, column) = (self.path.clone(), column.name().to_string());
                    return Err(RereadError::Contradiction {
                        path,
                        row: from + row + 1,
                        column,
                        found,
                        expected,
                    });
                }
            }
        }
        Ok(remade.height())
    }
}

/// Returns a cell without the apostrophe that our CSV files put before a text like a formula. A missing cell
/// is an empty text.
fn cell(column: &StringChunked, row: usize) -> &str {
    unescape_formula(column.get(row).unwrap_or_default())
}

/// The column of dates. Older reports write dates as in PGN tags.
const DATE: &str = "date";

fn is_same_date(one: &str, other: &str) -> bool {
    Date::of_tag(one).is_some_and(|date| Date::of_tag(other) == Some(date))
}

/// Returns whether two cells are equal. Fractions may differ in the last digit, because machines may round
/// them differently.
fn is_same(one: &str, other: &str) -> bool {
    let is_fraction = |text: &str| text.contains(['.', 'e']);
    if one == other || !(is_fraction(one) || is_fraction(other)) {
        return one == other;
    }
    let (Ok(a), Ok(b)) = (one.parse::<f64>(), other.parse::<f64>()) else { return false };
    let places = |text: &str| text.rsplit_once('.').map_or(0, |(_, places)| places.len());
    let unit = 10f64.powi(-(places(one).max(places(other)).min(15) as i32)).max(1e-9 * a.abs());
    (a - b).abs() <= 1.5 * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_the_same_in_the_spelling_of_games_and_of_tables() {
        assert!(is_same_date("2013.03.15", "2013-03-15") && is_same_date("2013.??.??", "2013"));
        assert!(!is_same_date("2013.03.15", "2013-03-16") && !is_same_date("", ""));
    }

    #[test]
    fn fractions_may_differ_in_their_last_place_and_nothing_else_may() {
        for (one, other) in
            [("a", "a"), ("", ""), ("1.25", "1.26"), ("0.30000000000000004", "0.3"), ("3.0", "3")]
        {
            assert!(is_same(one, other), "{one} and {other}");
        }
        for (one, other) in
            [("a", "b"), ("1", "2"), ("1.25", "1.27"), ("0.31", "0.3000000001"), ("1.0", ""), ("", "1")]
        {
            assert!(!is_same(one, other), "{one} and {other}");
        }
    }
}
