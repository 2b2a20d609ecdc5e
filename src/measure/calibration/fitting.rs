//! [`Fitting`]: the fit of ratings to blocks of moves, and the errors of the fit in left-out events.

use std::collections::BTreeMap;

use super::{
    block::CalibrationBlock, design::CalibrationDesign, drift::Drift, drift::since, model::Direction,
    model::FittedStatistic, model::RatingModel, model::Slopes, model::digits, play::influences,
    sample::CalibrationSample, statistic::SUMMED, trials::Trial, usual::CENTER, usual::UsualPlay,
    usual::powers,
};
use crate::chess::Phase;
use crate::measure::tournament::statistics::Statistic;
use crate::numbers::{Observation, SignedRegression, VarianceByCount};

/// Ridge penalty on the squared coefficients of the standardized statistics.
const RIDGE: f64 = 0.01;

/// The smallest value of τ ([`RatingModel::tau`]), in Elo points. No rating is assumed to be more exact.
const LEAST_TAU: f64 = 50.0;

/// The smallest value of τ for games from a server, in Elo points. A block of such games holds many players
/// with few games each, so their deviations cancel. But a single player deviates as much as players within
/// over-the-board events do; see [`super::WithinEvents::lasting`].
const LEAST_TAU_OF_PLAYERS: f64 = 100.0;

/// Lengths of the blocks, in moves, on which the widths of intervals are fitted and tested.
const LENGTHS: [u64; 4] = [144, 271, 526, 1015];

/// The variance of errors that is assumed before the first fit.
const FIRST_GUESS: VarianceByCount = VarianceByCount { lasting: 109.0, spread: 3176.0 };

/// Number of rounds. Each round fits the line and then the errors. The weights hardly change after the first
/// round.
const ROUNDS: usize = 3;

/// A drift is fitted only if at least this number of events has more years of drift than the mean of all
/// events, and at least this number has fewer years. Otherwise a drift cannot be distinguished from the
/// differences between single events.
const LEAST_DRIFTING: usize = 4;

pub(super) struct Fitting<'a> {
    design: &'a CalibrationDesign,
    /// The last year without drift; `None` if no drift is fitted.
    drift_from: Option<u16>,
    /// Mean and standard deviation, over the blocks, of the number of years from `drift_from` to the games; 0
    /// years for earlier games. Games without a date are assumed to have this mean.
    undated: (f64, f64),
    blocks: Vec<CalibrationBlock>,
    /// For each of the [`LENGTHS`], the blocks of this length, for estimating errors.
    lengths: Vec<(u64, Vec<CalibrationBlock>)>,
    events: u32,
}

impl<'a> Fitting<'a> {
    pub fn of(
        design: &'a CalibrationDesign,
        sample: &CalibrationSample,
        phase: Option<Phase>,
    ) -> Fitting<'a> {
        let cut = |least| CalibrationBlock::cut(sample, design.scale, phase, least);
        let lengths = LENGTHS.into_iter().map(|length| (length, cut(length))).collect();
        let blocks = cut(design.block);
        let years = blocks.iter().filter_map(|block| block.total.year());
        let first = years.fold(f64::INFINITY, f64::min).round() as u16;
        let drift_from = design.drift_from.map(|from| from.max(first)).filter(|&from| drifts(&blocks, from));
        let since_then = |block: &CalibrationBlock| Some(since(block.total.year()?, drift_from?));
        let late: Vec<f64> = blocks.iter().filter_map(since_then).collect();
        let mean_of = |of: &dyn Fn(f64) -> f64| {
            late.iter().map(|&late| of(late)).sum::<f64>() / late.len().max(1) as f64
        };
        let mean = mean_of(&|late| late);
        let undated = (mean, mean_of(&|late| (late - mean).powi(2)).sqrt());
        Fitting { design, drift_from, undated, blocks, lengths, events: sample.events.len() as u32 }
    }

    pub fn model(&self) -> Option<RatingModel> {
        let variance = self.variance()?;
        let (line, observations) = (self.line(variance, None)?, self.observations(variance, None));
        let covariance = line.covariance(&observations)?;
        let elos = self.blocks.iter().map(|block| block.elo);
        let model = self.model_of(&line, variance, self.prior(None), self.jackknife(variance)?);
        Some(RatingModel {
            intercept: digits(model.intercept),
            slopes: self.slopes(variance)?,
            covariance: covariance.into_iter().map(|row| row.into_iter().map(digits).collect()).collect(),
            tau: digits(model.tau),
            s: digits(model.s),
            scatter: digits(model.scatter),
            prior_mean: digits(model.prior_mean),
            prior_sd: digits(model.prior_sd),
            elo_range: range(elos).map(digits),
            ..model
        })
    }

    fn fitted(&self, line: &SignedRegression) -> Vec<FittedStatistic> {
        let statistic = |(at, &name): (usize, &Statistic)| {
            let values = self.blocks.iter().filter_map(|block| name.of_play(&block.total));
            FittedStatistic {
                name,
                sign: name.facts().better,
                mean: digits(line.means[at]),
                sd: digits(line.sds[at]),
                coefficient: digits(line.coefficients[at]),
                range: range(values).map(digits),
            }
        };
        self.design.statistics.iter().enumerate().map(statistic).collect()
    }

    /// Returns the drift, whose coefficient is the last coefficient of `line`; `None` if no drift is fitted.
    fn drift_of(&self, line: &SignedRegression, standard_error: f64) -> Option<Drift> {
        let from = self.drift_from?;
        let years = self.blocks.iter().filter_map(|block| block.total.year());
        let at = self.design.statistics.len();
        Some(Drift {
            from,
            coefficient: digits(line.coefficients[at]),
            standard_error: digits(standard_error),
            mean: digits(self.undated.0),
            sd: digits(self.undated.1),
            years: range(years).map(|year| year.round() as u16),
        })
    }

    /// Returns the standard error of the drift's coefficient: √((n − 1)/n·Σ(γᵢ − γ̄)²), where γᵢ is the
    /// coefficient without event i (jackknife). It is 0 without a drift.
    fn jackknife(&self, variance: VarianceByCount) -> Option<f64> {
        if self.drift_from.is_none() {
            return Some(0.0);
        }
        let at = self.design.statistics.len();
        let without = |event| Some(self.line(variance, Some(event))?.coefficients[at]);
        let found: Vec<f64> = (0..self.events).map(without).collect::<Option<_>>()?;
        let n = found.len() as f64;
        let mean = found.iter().sum::<f64>() / n;
        Some(((n - 1.0) / n * found.iter().map(|one| (one - mean).powi(2)).sum::<f64>()).sqrt())
    }

    /// Fits the expected value of each statistic as a linear function of rating and year.
    fn slopes(&self, variance: VarianceByCount) -> Option<Vec<Slopes>> {
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
            let line = SignedRegression::fit(&rows, &free, 0.0, None)?;
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

    /// Returns the mean, over the blocks with at least two games, of [`RatingModel::own_scatter`] × moves.
    fn scatter(&self, model: &RatingModel) -> f64 {
        let scatter = |block: &CalibrationBlock| Some(model.own_scatter(&block.games)? * block.moves());
        let scatters: Vec<f64> = self.blocks.iter().filter_map(scatter).collect();
        scatters.iter().sum::<f64>() / scatters.len().max(1) as f64
    }

    /// Fits the variance of errors as a function of the number of moves. τ is at least [`LEAST_TAU`], or
    /// [`LEAST_TAU_OF_PLAYERS`] for games from a server.
    fn variance_of(&self, errors: &[(f64, f64)]) -> Option<VarianceByCount> {
        let found = VarianceByCount::fit(errors, LEAST_TAU)?;
        let least = if self.design.scale.is_over_the_board() { LEAST_TAU } else { LEAST_TAU_OF_PLAYERS };
        Some(VarianceByCount { lasting: found.lasting.max(least), ..found })
    }

    /// Returns the variance of the errors in left-out events as a function of the number of moves.
    pub fn variance(&self) -> Option<VarianceByCount> {
        let mut variance = FIRST_GUESS;
        for _ in 0..ROUNDS {
            let errors = self.errors(variance)?;
            let pairs: Vec<(f64, f64)> = errors.iter().map(|error| (error.moves, error.error)).collect();
            variance = self.variance_of(&pairs)?;
        }
        Some(variance)
    }

    /// Returns the errors for blocks of every length. Each error comes from a fit that leaves out the block's
    /// event.
    fn errors(&self, variance: VarianceByCount) -> Option<Vec<LeftOutError>> {
        let mut errors = Vec::new();
        for event in 0..self.events {
            let line = self.line(variance, Some(event))?;
            for (_, blocks) in &self.lengths {
                for block in blocks.iter().filter(|block| block.event == event) {
                    let predicted = line.predicted(&self.features(block)?);
                    errors.push(LeftOutError { event, moves: block.moves(), error: predicted - block.elo });
                }
            }
        }
        Some(errors)
    }

    /// Returns one model for each event, fitted to the other events. It has no slopes and no covariance.
    pub fn models(&self, variance: VarianceByCount) -> Option<Vec<RatingModel>> {
        let errors = self.errors(variance)?;
        let drift_error = self.jackknife(variance)?;
        let model = |event| {
            let others = errors.iter().filter(|error| error.event != event);
            let others: Vec<(f64, f64)> = others.map(|error| (error.moves, error.error)).collect();
            let line = self.line(variance, Some(event))?;
            let model =
                self.model_of(&line, self.variance_of(&others)?, self.prior(Some(event)), drift_error);
            Some(RatingModel { elo_range: range(self.kept(Some(event)).map(|block| block.elo)), ..model })
        };
        (0..self.events).map(model).collect()
    }

    /// Returns the predictions for every block of every length, and for whole events. Each prediction comes
    /// from a fit that leaves out the event.
    pub fn trials(&self, variance: VarianceByCount) -> Option<Vec<Trial>> {
        let whole = whole_events(&self.blocks);
        let lengths = self.lengths.iter().map(|(length, blocks)| (Some(*length), blocks));
        let lengths: Vec<(Option<u64>, &Vec<CalibrationBlock>)> = lengths.chain([(None, &whole)]).collect();
        let mut trials = Vec::new();
        for (event, model) in (0u32..).zip(self.models(variance)?) {
            for (length, blocks) in &lengths {
                for block in blocks.iter().filter(|block| block.event == event) {
                    trials.push(Trial {
                        event: event as usize,
                        length: *length,
                        moves: block.total.moves(),
                        year: block.total.year(),
                        elo: block.elo,
                        predicted: model.elo(&block.total, std::slice::from_ref(&block.total))?,
                        error: model.variance(&block.games).sqrt(),
                        shrunken: model.rate(&block.games).shrunken.value,
                    });
                }
            }
        }
        Some(trials)
    }

    /// Returns the mean and the standard deviation of the blocks' ratings, weighted by moves. The blocks of
    /// the event `without` are left out.
    fn prior(&self, without: Option<u32>) -> (f64, f64) {
        let mean_of = |of: &dyn Fn(&CalibrationBlock) -> f64| {
            let moves: f64 = self.kept(without).map(CalibrationBlock::moves).sum();
            self.kept(without).map(|block| block.moves() * of(block)).sum::<f64>() / moves
        };
        let mean = mean_of(&|block| block.elo);
        (mean, mean_of(&|block| (block.elo - mean).powi(2)).sqrt())
    }

    /// Returns a model without slopes, covariance and range of ratings, which trials do not need.
    fn model_of(
        &self,
        line: &SignedRegression,
        variance: VarianceByCount,
        (prior_mean, prior_sd): (f64, f64),
        drift_error: f64,
    ) -> RatingModel {
        let mut model = RatingModel {
            statistics: self.fitted(line),
            intercept: line.intercept,
            drift: self.drift_of(line, drift_error),
            slopes: Vec::new(),
            covariance: Vec::new(),
            tau: variance.lasting,
            s: variance.spread,
            scatter: 0.0,
            prior_mean,
            prior_sd,
            elo_range: [0.0; 2],
        };
        model.scatter = self.scatter(&model);
        model
    }

    /// Fits the line to all events except `without`.
    fn line(&self, variance: VarianceByCount, without: Option<u32>) -> Option<SignedRegression> {
        let observations = self.observations(variance, without);
        let statistics = self.design.statistics.iter().map(|&name| Some(name));
        // The drift may have either sign.
        let features = statistics.chain(self.drift_from.map(|_| None));
        let signs: Vec<_> = features
            .map(|name| move |slope| name.is_none_or(|name: Statistic| name.facts().better.allows(slope)))
            .collect();
        let fit = |noise: Option<&[Vec<f64>]>| SignedRegression::fit(&observations, &signs, RIDGE, noise);
        match self.design.direction {
            Direction::Regression => fit(None),
            Direction::Corrected => fit(Some(&self.noise(variance, without)?)),
            Direction::Classical => fit(None)?.stretched(&observations, self.drift_from.is_some()),
        }
    }

    /// Returns the covariance matrix of the sampling errors in a block's statistics, averaged over the
    /// blocks. It is estimated from the differences between the games of each block.
    fn noise(&self, variance: VarianceByCount, without: Option<u32>) -> Option<Vec<Vec<f64>>> {
        let size = self.design.statistics.len();
        // Years are known exactly.
        let all = size + usize::from(self.drift_from.is_some());
        let (mut sum, mut weights) = (vec![vec![0.0; all]; all], 0.0);
        for block in self.kept(without) {
            let weight = variance.at(block.moves()).recip();
            let shifts: Vec<Vec<f64>> = self
                .design
                .statistics
                .iter()
                .map(|&name| influences(&block.games, name))
                .collect::<Option<_>>()?;
            for (i, row) in sum.iter_mut().take(size).enumerate() {
                for (j, entry) in row.iter_mut().take(size).enumerate() {
                    *entry += weight * shifts[i].iter().zip(&shifts[j]).map(|(a, b)| a * b).sum::<f64>();
                }
            }
            weights += weight;
        }
        sum.iter_mut().flatten().for_each(|entry| *entry /= weights);
        Some(sum)
    }

    fn kept(&self, without: Option<u32>) -> impl Iterator<Item = &CalibrationBlock> {
        self.blocks.iter().filter(move |block| Some(block.event) != without)
    }

    fn observations(&self, variance: VarianceByCount, without: Option<u32>) -> Vec<Observation> {
        self.kept(without)
            .filter_map(|block| {
                let weight = variance.at(block.moves()).recip();
                Some(Observation {
                    features: self.features(block)?,
                    value: block.elo,
                    weight,
                    cluster: block.event,
                })
            })
            .collect()
    }

    fn features(&self, block: &CalibrationBlock) -> Option<Vec<f64>> {
        let statistics = self.design.statistics.iter().map(|&name| name.of_play(&block.total));
        statistics.chain(self.years_since(block).map(Some)).collect()
    }

    /// Returns the number of years from the start of the drift to the mean year of a block's games; 0 for
    /// earlier games, and the mean of all blocks for games without a date. `None` without a drift.
    fn years_since(&self, block: &CalibrationBlock) -> Option<f64> {
        let from = self.drift_from?;
        Some(block.total.year().map_or(self.undated.0, |year| since(year, from)))
    }

    /// Fits the averages of the statistics in [`SUMMED`] and of accuracy as functions of the rating.
    /// Statistics whose fit fails are left out.
    pub fn usual(&self) -> Vec<UsualPlay> {
        let of_moves = SUMMED.into_iter().filter_map(|statistic| {
            let is_log = statistic != Statistic::FirstChoice;
            self.usual_of(statistic, is_log, &|block| block.total.mean(statistic))
        });
        let accuracy = self.usual_of(Statistic::Accuracy, false, &|block| block.accuracy);
        of_moves.chain(accuracy).collect()
    }

    fn usual_of(
        &self,
        statistic: Statistic,
        is_log: bool,
        of: &dyn Fn(&CalibrationBlock) -> Option<f64>,
    ) -> Option<UsualPlay> {
        let value = |block: &CalibrationBlock| {
            let value = of(block)?;
            if is_log { (value > 0.0).then(|| value.ln()) } else { Some(value) }
        };
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
        let line = SignedRegression::fit(&rows, &free, 0.0, None)?;
        let rest = |block: &CalibrationBlock| {
            Some((block.moves(), value(block)? - line.predicted(&covariates(block))))
        };
        let rests: Vec<(f64, f64)> =
            self.lengths.iter().flat_map(|(_, blocks)| blocks.iter().filter_map(rest)).collect();
        let variance = VarianceByCount::fit(&rests, 0.0)?;
        Some(UsualPlay {
            statistic,
            is_log,
            coefficients: [line.intercept, line.coefficients[0], line.coefficients[1]].map(digits),
            year: line.coefficients.get(2).copied().map(digits),
            lasting: digits(variance.lasting),
            spread: digits(variance.spread),
        })
    }
}

struct LeftOutError {
    event: u32,
    moves: f64,
    error: f64,
}

/// Returns whether enough events have more years of drift than the mean of all events, and enough events have
/// fewer; see [`LEAST_DRIFTING`].
fn drifts(blocks: &[CalibrationBlock], from: u16) -> bool {
    let years = |block: &CalibrationBlock| Some((block.event, since(block.total.year()?, from)));
    let events: BTreeMap<u32, f64> = blocks.iter().filter_map(years).collect();
    let mean = events.values().sum::<f64>() / events.len() as f64;
    let count = |keeps: &dyn Fn(f64) -> bool| events.values().filter(|year| keeps(**year)).count();
    count(&|year| year > mean) >= LEAST_DRIFTING && count(&|year| year < mean) >= LEAST_DRIFTING
}

fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
}

fn whole_events(blocks: &[CalibrationBlock]) -> Vec<CalibrationBlock> {
    blocks.chunk_by(|a, b| a.event == b.event).map(CalibrationBlock::joined).collect()
}
