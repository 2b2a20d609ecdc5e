//! Ferreira's Table 4: the curve of each column of Table 3.

use super::depths;
use crate::lab::papers::cell::{Explanation, PaperCell, PaperColumn, PaperTable};
use crate::lab::papers::printed_table::{PaperData, PrintedTable};
use crate::numbers::{Estimate, FitError, NormalCurve, rating::fit::lsq};

pub(super) struct Fits {
    pub curves: Vec<Result<NormalCurve, FitError>>,
}

/// σ, η, and the ends of η's interval, in the order of Table 4; NaN without a fit.
type Table4Row = [f64; 4];

/// Indices into a [`Table4Row`].
const FIELDS: [usize; 4] = [0, 1, 2, 3];

/// The columns of Table 4: the name shown, and the name in data/papers.
const FITTED: [(&str, &str); 4] =
    [("σ", "sigma"), ("η", "eta"), ("95 %\nfrom", "eta_lo"), ("\nto", "eta_hi")];

impl Fits {
    pub fn of(depths: &[f64], columns: &[Vec<f64>]) -> Fits {
        Fits { curves: columns.iter().map(|scores| fit(depths, scores)).collect() }
    }

    pub fn rows(&self) -> Vec<Table4Row> {
        self.curves.iter().copied().map(row).collect()
    }
}

/// Fits all points of a column, including the score of the depth against itself (Table 4).
pub(super) fn fit(depths: &[f64], scores: &[f64]) -> Result<NormalCurve, FitError> {
    let points: Vec<(f64, f64)> = depths.iter().copied().zip(scores.iter().copied()).collect();
    lsq::fit(&points)
}

pub(super) fn row(curve: Result<NormalCurve, FitError>) -> Table4Row {
    let Ok(curve) = curve else { return [f64::NAN; 4] };
    let eta = curve.elo_per_ply();
    let (low, high) = ends(eta);
    [curve.sigma.value, eta.value, low, high]
}

pub(super) fn ends(estimate: Estimate) -> (f64, f64) {
    estimate.interval.map_or((f64::NAN, f64::NAN), |interval| (interval.low, interval.high))
}

/// Returns the allowed error of each number of a row, to first order, when each score is rounded to two
/// decimals. The allowed error is three standard deviations of the number, for independent uniform rounding
/// errors within half a unit. The sum of the largest possible errors would be nearly twice as large, which
/// would make a weak test.
fn tolerance(depths: &[f64], scores: &[f64]) -> Table4Row {
    let here = row(fit(depths, scores));
    let moved = |place: usize, by: f64| {
        let mut scores = scores.to_vec();
        scores[place] = (scores[place] + by).clamp(0.0, 1.0);
        let there = row(fit(depths, &scores));
        FIELDS.map(|i| (there[i] - here[i]).abs())
    };
    // The score of a depth against itself is ½ by definition.
    let rounded = (0..scores.len()).filter(|&place| scores[place] != 0.5);
    let most = rounded.map(|place| {
        let (up, down) = (moved(place, 0.005), moved(place, -0.005));
        FIELDS.map(|i| up[i].max(down[i]))
    });
    let squares = most.fold([0.0; 4], |sum, most| FIELDS.map(|i| sum[i] + most[i].powi(2)));
    squares.map(|squares: f64| 3.0 * (squares / 3.0).sqrt())
}

fn fits(
    title: &'static str,
    printed: &PrintedTable,
    cell: impl Fn(usize, usize, &str) -> PaperCell,
    note: String,
) -> PaperTable {
    let columns = FITTED.iter().enumerate().map(|(i, &(name, key))| {
        let printed = printed.column(key).into_iter().enumerate();
        PaperColumn::of_cells(name, printed.map(|(place, printed)| cell(place, i, &printed)).collect())
    });
    PaperTable::new(title, "Depth", columns.collect(), printed.names()).noted(note)
}

pub(super) fn printed_fits(data: &PaperData) -> PaperTable {
    let (depths, columns) = (depths(data), data["table3_scores"].matrix());
    let rows = Fits::of(&depths, &columns).rows();
    let reaches: Vec<Table4Row> = columns.iter().map(|scores| tolerance(&depths, scores)).collect();
    let cell = |place: usize, i: usize, printed: &str| PaperCell {
        tolerance: reaches[place][i],
        ..PaperCell::of(rows[place][i], printed)
    };
    let most = |i: usize| reaches.iter().map(|tolerance| tolerance[i]).fold(0.0, f64::max);
    let note = format!(
        "Least squares of Φ((d − μ)/σ) over all 15 points of a column, including the depth against itself; η \
             = 200√2/σ, intervals by Student's t with 13 degrees of freedom. The printed scores have two \
             decimals. A number agrees if it differs by at most three standard deviations of its rounding \
             error (up to {:.3} for σ and {:.1} for η).",
        most(0),
        most(1)
    );
    fits("Table 4 from Table 3 as printed", &data["table4_fit"], cell, note)
}

/// The cells of Table 4 whose computed value differs from the printed value by one unit in the last digit.
/// Each cell is given by its depth and its index in the row.
const ONE_OFF: [(&str, usize); 4] = [("7", 0), ("11", 0), ("8", 2), ("9", 2)];

pub(super) fn exact_fits(data: &PaperData, exact: &Fits) -> PaperTable {
    let (names, rows) = (data["table4_fit"].names(), exact.rows());
    let cell = |place: usize, i: usize, printed: &str| {
        let computed = rows[place][i];
        let unit = if i == 0 { 1e-4 } else { 0.1 };
        let is_known = ONE_OFF.contains(&(names[place].as_str(), i));
        let explanation = is_known.then_some(Explanation { value: Some(computed), tolerance: unit });
        PaperCell { explanation, ..PaperCell::of(computed, printed) }
    };
    let note = "Known roundings: σ at depths 7 and 11, and the lower end of η's interval at depths 8 and 9, \
         differ by one unit in the last digit."
        .to_owned();
    fits("Table 4 from Table 3 at full precision", &data["table4_fit"], cell, note)
}
