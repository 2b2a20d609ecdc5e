//! [`ScoreMatrix`]: half-points and games of each contender against each other contender, the input of all
//! fits.

use crate::lab::selfplay::{Contender, Side};
use crate::numbers::rating::fit::{lsq, probit};
use crate::numbers::{DepthGames, FitError, NormalCurve, PairwiseScore};

/// The scores of several contenders against each other, with both colors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreMatrix {
    contenders: Vec<Contender>,
    /// Half-points of the row's contender and number of games, row by row.
    cells: Vec<(u32, u32)>,
}

/// The two curves that are fitted to the scores of one engine's depths against one contender.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnFit {
    pub column: Contender,
    pub side: Side,
    /// The curve by unweighted least squares, with a score of ½ for the depth against itself (Ferreira 2013,
    /// Table 4).
    pub lsq: Result<NormalCurve, FitError>,
    /// The curve by maximum likelihood of the games.
    pub probit: Result<NormalCurve, FitError>,
}

impl ScoreMatrix {
    /// Makes a matrix. `of` returns half-points and games of a row against a column. `of` is not called for a
    /// contender against itself.
    pub fn new(contenders: Vec<Contender>, of: impl Fn(usize, usize) -> (u32, u32)) -> ScoreMatrix {
        let n = contenders.len();
        let cell = |row, column| if row == column { (0, 0) } else { of(row, column) };
        let cells = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
        ScoreMatrix { cells: cells.map(|(row, column)| cell(row, column)).collect(), contenders }
    }

    pub fn contenders(&self) -> &[Contender] {
        &self.contenders
    }

    /// Returns the score of `row` against `column`, between 0 and 1: ½ if they are the same contender, `None`
    /// if the two contenders did not meet.
    pub fn score(&self, row: usize, column: usize) -> Option<f64> {
        let (half_points, games) = self.cell(row, column);
        match () {
            () if row == column => Some(0.5),
            () if games == 0 => None,
            () => Some(f64::from(half_points) / f64::from(2 * games)),
        }
    }

    fn cell(&self, row: usize, column: usize) -> (u32, u32) {
        self.cells[row * self.contenders.len() + column]
    }

    fn of_side(&self, side: Side) -> impl Iterator<Item = usize> {
        (0..self.contenders.len()).filter(move |&place| self.contenders[place].side == side)
    }

    /// Returns depth and score of each of a side's contenders against `column`, including the column itself.
    pub fn points(&self, side: Side, column: usize) -> Vec<(f64, f64)> {
        let point = |row: usize| Some((f64::from(self.contenders[row].depth), self.score(row, column)?));
        self.of_side(side).filter_map(point).collect()
    }

    /// Returns the curves of every side's depths against every contender that met at least one of these
    /// depths.
    pub fn fits(&self) -> Vec<ColumnFit> {
        let columns = 0..self.contenders.len();
        let met = |side, column| self.of_side(side).any(|row| self.cell(row, column).1 > 0);
        let fits = columns.flat_map(|column| {
            let sides = [Side::Engine, Side::Opponent].into_iter().filter(move |&side| met(side, column));
            sides.map(move |side| self.fit(side, column))
        });
        fits.collect()
    }

    /// Returns the curves of a side's depths against the contender at `column`.
    pub fn fit(&self, side: Side, column: usize) -> ColumnFit {
        let games = |row: usize| {
            let (half_points, games) = self.cell(row, column);
            DepthGames { depth: f64::from(self.contenders[row].depth), half_points, games }
        };
        let others = self.of_side(side).filter(|&row| row != column);
        ColumnFit {
            column: self.contenders[column],
            side,
            lsq: lsq::fit(&self.points(side, column)),
            probit: probit::fit(&others.map(games).collect::<Vec<_>>()),
        }
    }

    /// Returns the games of all pairs of the contenders at `places`. The sides of a pair are indices in
    /// `places`.
    pub fn pairings(&self, places: &[usize]) -> Vec<PairwiseScore> {
        let pairs = (0..places.len()).flat_map(|first| (0..first).map(move |second| [first, second]));
        let pairing = |sides: [usize; 2]| {
            let (half_points, games) = self.cell(places[sides[0]], places[sides[1]]);
            PairwiseScore { sides, half_points, games }
        };
        pairs.map(pairing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::testing::{ferreira, half_width, one_loser};

    #[test]
    fn ferreiras_columns_have_the_curves_of_table_4() {
        let scores = ferreira();
        let fits = scores.fits();
        assert_eq!(fits.len(), 15);
        // Section 3: σ(13) is 3.2683 ± 0.3399; Table 8 has 14·η(20) = 928.
        let sigma = fits[7].lsq.expect("a curve").sigma;
        assert_eq!([sigma.value, half_width(sigma)].map(|x| (x * 1e4).round()), [32683.0, 3399.0]);
        let [lsq, probit] =
            [fits[14].lsq, fits[14].probit].map(|curve| curve.expect("a curve").elo_per_ply());
        assert_eq!([lsq, probit].map(|eta| (14.0 * eta.value).round()), [928.0, 952.0]);
    }

    #[test]
    fn a_column_of_certain_scores_has_no_curve_and_the_others_stand() {
        // Depth 1 loses every game: its column is all 1, and it is the only 0 in the other columns.
        let scores = one_loser();
        let fits = scores.fits();
        assert_eq!(fits[0].lsq, Err(FitError::NoFiniteSpread));
        assert_eq!(fits[0].probit, Err(FitError::NoFiniteSpread));
        assert!(fits[1..].iter().all(|fit| fit.lsq.is_ok()), "{fits:?}");
    }

    #[test]
    fn two_engines_have_a_curve_of_each_against_each_depth_of_the_other() {
        let [engine, opponent] = [Side::Engine, Side::Opponent];
        let contenders: Vec<Contender> = [engine, opponent]
            .into_iter()
            .flat_map(|side| (3..7).map(move |depth| Contender { side, depth }))
            .collect();
        let of = contenders.clone();
        let scores = ScoreMatrix::new(contenders, move |row, column| {
            let met = of[row].side != of[column].side;
            (if met { 20 + 4 * of[row].depth - 4 * of[column].depth } else { 0 }, 20 * u32::from(met))
        });
        let fits = scores.fits();
        assert_eq!(fits.len(), 8);
        assert!(fits.iter().all(|fit| fit.side != fit.column.side && fit.lsq.is_ok()), "{fits:?}");
        let mu = fits[1].lsq.expect("a curve").mu;
        assert!((mu.value - 4.0).abs() < 0.2, "as strong as the engine's depth 4: {mu:?}");
    }
}
