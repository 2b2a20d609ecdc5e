//! The fits of the usual play at a rating: averages of statistics as functions of rating and year.

use super::{
    block::CalibrationBlock, fitting::Fitting, model::Slopes, statistic::SUMMED, statistic::digits,
    usual::CENTER, usual::UsualPlay, usual::is_log, usual::powers,
};
use crate::measure::tournament::statistics::Statistic;
use crate::numbers::{Observation, SignedRegression, VarianceByCount};

impl Fitting<'_> {
    /// Fits the expected value of each statistic as a linear function of rating and year.
    pub fn slopes(&self, variance: VarianceByCount) -> Option<Vec<Slopes>> {
        let of = |&name: &Statistic| {
            let rows: Vec<Observation> = self
                .blocks
                .iter()
                .filter_map(|block| {
                    let mut features = vec![(block.elo - CENTER) / 100.0];
                    features.extend(self.years_since(block));
                    let weight = variance.at(block.moves()).recip();
                    Some(Observation {
                        features,
                        value: name.of_play(&block.total)?,
                        weight,
                        cluster: block.event,
                    })
                })
                .collect();
            let free = vec![|_: f64| true; 1 + usize::from(self.drift_from.is_some())];
            let line = SignedRegression::fit(&rows, &free, 0.0)?;
            let covariance = line.covariance(&rows)?;
            Some(Slopes {
                name,
                constant: digits(line.intercept),
                elo: digits(line.coefficients[0]),
                elo_se: digits(covariance[1][1].sqrt()),
                year: line.coefficients.get(1).copied().map(digits),
                year_se: covariance.get(2).map(|row| digits(row[2].sqrt())),
            })
        };
        self.design.statistics.iter().map(of).collect()
    }

    /// Fits the averages of the statistics in [`SUMMED`] and of accuracy as functions of the rating.
    /// Statistics whose fit fails are left out.
    pub fn usual(&self) -> Vec<UsualPlay> {
        SUMMED
            .into_iter()
            .chain([Statistic::Accuracy])
            .filter_map(|statistic| self.usual_of(statistic))
            .collect()
    }

    fn usual_of(&self, statistic: Statistic) -> Option<UsualPlay> {
        let value = |block: &CalibrationBlock| block.usual(statistic);
        let covariates = |block: &CalibrationBlock| {
            let [_, u, squared] = powers(block.elo);
            let late = self.years_since(block).map(|late| late - self.undated.0);
            [u, squared].into_iter().chain(late).collect::<Vec<f64>>()
        };
        let rows: Vec<Observation> = self
            .blocks
            .iter()
            .filter_map(|block| {
                let (features, weight) = (covariates(block), block.moves());
                Some(Observation { features, value: value(block)?, weight, cluster: block.event })
            })
            .collect();
        let free = vec![|_: f64| true; 2 + usize::from(self.drift_from.is_some())];
        let line = SignedRegression::fit(&rows, &free, 0.0)?;
        let rest = |block: &CalibrationBlock| {
            Some((block.moves(), value(block)? - line.predicted(&covariates(block))))
        };
        let rests: Vec<(f64, f64)> =
            self.lengths.iter().flat_map(|(_, blocks)| blocks.iter().filter_map(rest)).collect();
        let variance = VarianceByCount::fit(&rests, 0.0)?;
        Some(UsualPlay {
            statistic,
            is_log: is_log(statistic),
            coefficients: [line.intercept, line.coefficients[0], line.coefficients[1]].map(digits),
            year: line.coefficients.get(2).copied().map(digits),
            lasting: digits(variance.lasting),
            spread: digits(variance.spread),
        })
    }
}
