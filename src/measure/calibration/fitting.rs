//! [`Fitting`]: the fit of ratings to blocks of moves, and the errors of the fit in left-out events.

use std::collections::BTreeMap;

use super::{
    block::CalibrationBlock, design::CalibrationDesign, drift::Drift, drift::since, model::Direction,
    model::FittedStatistic, model::RatingModel, phase_means::PhaseMeans, play::GamePlay,
    sample::CalibrationSample, statistic::digits, statistic::jackknife_variance, trials::Trial,
    validation::Validation,
};
use crate::chess::Phase;
use crate::measure::tournament::statistics::Statistic;
use crate::numbers::{Interval, Observation, SignedRegression, VarianceByCount, stats::estimate::LEVEL};

/// Ridge penalty on the squared coefficients of the standardized statistics.
const RIDGE: f64 = 0.01;

/// The smallest value of τ ([`RatingModel::tau`]), in Elo points. No rating is assumed to be more exact.
const LEAST_TAU: f64 = 50.0;

/// The smallest value of τ for games from a server, in Elo points. A block of such games holds many players
/// with few games each, so their deviations cancel. But a single player deviates as much as players within
/// over-the-board events do; see [`super::WithinEvents::lasting`].
const LEAST_TAU_OF_PLAYERS: f64 = 100.0;

/// Smallest number of moves of a player, and smallest number of such players, for fitting the widths of
/// intervals to single players. With fewer players, the widths are fitted to blocks.
const LEAST_OWN: u64 = 100;
const LEAST_PLAYERS: usize = 100;

/// Lengths of the blocks, in moves, on which errors are measured.
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
    pub(super) design: &'a CalibrationDesign,
    /// True if the events are sets of players.
    are_sets: bool,
    /// The last year without drift; `None` if no drift is fitted.
    pub(super) drift_from: Option<u16>,
    /// Mean and standard deviation, over the blocks, of the number of years from `drift_from` to the games; 0
    /// years for earlier games. Games without a date are assumed to have this mean.
    pub(super) undated: (f64, f64),
    pub(super) blocks: Vec<CalibrationBlock>,
    /// For each of the [`LENGTHS`], the blocks of this length, for estimating errors.
    pub(super) lengths: Vec<(u64, Vec<CalibrationBlock>)>,
    /// The blocks of single players with at least [`LEAST_OWN`] moves. In an event, a player is one block. In a set
    /// of players, a player's consecutive games are cut into blocks of each of the [`Validation::PLAYER_MOVES`].
    players: Vec<CalibrationBlock>,
    /// The sums of each phase, for each event.
    phases: Vec<[GamePlay; Phase::ALL.len()]>,
}

/// A fitted line, with the means by which its statistics are adjusted.
struct Line {
    fit: SignedRegression,
    usual: Vec<PhaseMeans>,
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
        let mut players = match sample.counted.is_of_sets() {
            true => Validation::PLAYER_MOVES
                .into_iter()
                .flat_map(|least| CalibrationBlock::of_runs(sample, design.scale, phase, least))
                .collect(),
            false => CalibrationBlock::of_players(sample, design.scale, phase),
        };
        players.retain(|player| player.total.moves() >= LEAST_OWN);
        let mut phases = vec![[GamePlay::default(); Phase::ALL.len()]; sample.events.len()];
        for play in sample.plays.iter().filter(|play| play.rating(design.scale).is_some()) {
            let taken = Phase::ALL.into_iter().filter(|&of| phase.is_none_or(|phase| phase == of));
            taken.for_each(|of| phases[play.event as usize][of as usize] += play.of(Some(of)));
        }
        let are_sets = sample.counted.is_of_sets();
        Fitting { design, are_sets, drift_from, undated, blocks, lengths, players, phases }
    }

    pub fn model(&self) -> Option<RatingModel> {
        let variance = self.variance()?;
        let line = self.line(variance, None)?;
        let elos = self.blocks.iter().map(|block| block.elo);
        let lines = self.lines(variance)?;
        let widths = self.widths(&lines, None)?;
        let model = self.model_of(&line, widths, self.prior(None), self.jackknife(&lines));
        Some(RatingModel {
            intercept: digits(model.intercept),
            slopes: self.slopes(variance)?,
            tau: digits(model.tau),
            s: digits(model.s),
            scatter: digits(model.scatter),
            prior_mean: digits(model.prior_mean),
            prior_sd: digits(model.prior_sd),
            elo_range: range(elos).map(digits),
            ..model
        })
    }

    fn fitted(&self, Line { fit, usual }: &Line) -> Vec<FittedStatistic> {
        let statistic = |(at, (&name, usual)): (usize, (&Statistic, &PhaseMeans))| {
            let values = self.blocks.iter().filter_map(|block| usual.adjusted(name, &block.total));
            FittedStatistic {
                name,
                sign: name.facts().better,
                mean: digits(fit.means[at]),
                sd: digits(fit.sds[at]),
                coefficient: digits(fit.coefficients[at]),
                range: range(values).map(digits),
                usual: usual.clone(),
            }
        };
        self.design.statistics.iter().zip(usual).enumerate().map(statistic).collect()
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
    fn jackknife(&self, without: &[Line]) -> f64 {
        let coefficient = |line: &Line| line.fit.coefficients.get(self.design.statistics.len()).copied();
        jackknife_variance(&without.iter().filter_map(coefficient).collect::<Vec<f64>>()).sqrt()
    }

    /// Returns the mean, over the blocks with at least two games, of [`RatingModel::own_scatter`] × moves.
    pub(super) fn scatter(&self, model: &RatingModel) -> f64 {
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

    /// Returns the variance of the errors of blocks in left-out events as a function of the number of moves.
    pub fn variance(&self) -> Option<VarianceByCount> {
        let mut variance = FIRST_GUESS;
        for _ in 0..ROUNDS {
            variance = self.variance_of(&self.errors(&self.lines(variance)?, self.all_blocks(), None)?)?;
        }
        Some(variance)
    }

    fn all_blocks(&self) -> impl Iterator<Item = &CalibrationBlock> {
        self.lengths.iter().flat_map(|(_, blocks)| blocks)
    }

    /// Returns the variance of the errors of single players as a function of the number of moves. All events
    /// except `without` count. With fewer than [`LEAST_PLAYERS`] players, it is the variance of blocks. In sets of
    /// players, a few players deviate much more than others, so the variance is fitted to the deviations that 95 %
    /// of the blocks of each class of moves do not exceed.
    fn widths(&self, lines: &[Line], without: Option<u32>) -> Option<VarianceByCount> {
        let errors = self.errors(lines, self.players.iter(), without)?;
        match errors.len() {
            ..LEAST_PLAYERS => self.variance_of(&self.errors(lines, self.all_blocks(), without)?),
            _ if self.are_sets => VarianceByCount::fit(&usual_errors(errors), LEAST_TAU),
            _ => VarianceByCount::fit(&errors, LEAST_TAU),
        }
    }

    /// Returns the number of moves and the error of each block, except those of the event `without`. Each error
    /// is of the line in `lines` that leaves out the block's event.
    fn errors<'b>(
        &self,
        lines: &[Line],
        blocks: impl Iterator<Item = &'b CalibrationBlock>,
        without: Option<u32>,
    ) -> Option<Vec<(f64, f64)>> {
        let error = |block: &CalibrationBlock| {
            let line = &lines[block.event as usize];
            Some((block.moves(), line.fit.predicted(&self.features(block, &line.usual)?) - block.elo))
        };
        blocks.filter(|block| Some(block.event) != without).map(error).collect()
    }

    /// Returns one line for each event, fitted to the other events.
    fn lines(&self, variance: VarianceByCount) -> Option<Vec<Line>> {
        (0..self.phases.len() as u32).map(|event| self.line(variance, Some(event))).collect()
    }

    /// Returns one model for each event, fitted to the other events. It has no slopes.
    pub fn models(&self, variance: VarianceByCount) -> Option<Vec<RatingModel>> {
        let lines = self.lines(variance)?;
        let drift_error = self.jackknife(&lines);
        let model = |(event, line): (u32, &Line)| {
            let widths = self.widths(&lines, Some(event))?;
            let model = self.model_of(line, widths, self.prior(Some(event)), drift_error);
            Some(RatingModel { elo_range: range(self.kept(Some(event)).map(|block| block.elo)), ..model })
        };
        (0..).zip(&lines).map(model).collect()
    }

    /// Returns the predictions for every block of every length, and for whole events. `models` has one model
    /// for each event, which was fitted without the event.
    pub fn trials(&self, models: &[RatingModel]) -> Option<Vec<Trial>> {
        let whole = whole_events(&self.blocks);
        let lengths = self.lengths.iter().map(|(length, blocks)| (Some(*length), blocks));
        let lengths = lengths.chain([(None, &whole)]);
        lengths
            .flat_map(|(length, blocks)| blocks.iter().map(move |block| (length, block)))
            .map(|(length, block)| Trial::of(&models[block.event as usize], block, length))
            .collect()
    }

    /// Returns the predictions, as [`Fitting::trials`] does, for every player with at least [`LEAST_OWN`]
    /// moves. The length is the lower end of the player's class in [`Validation::PLAYER_MOVES`].
    pub fn player_trials(&self, models: &[RatingModel]) -> Option<Vec<Trial>> {
        let trial = |player: &CalibrationBlock| {
            Trial::of(&models[player.event as usize], player, Validation::class(player.total.moves()))
        };
        self.players.iter().map(trial).collect()
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

    /// Returns a model without slopes and range of ratings, which trials do not need.
    fn model_of(
        &self,
        line: &Line,
        widths: VarianceByCount,
        (prior_mean, prior_sd): (f64, f64),
        drift_error: f64,
    ) -> RatingModel {
        let mut model = RatingModel {
            statistics: self.fitted(line),
            intercept: line.fit.intercept,
            drift: self.drift_of(&line.fit, drift_error),
            slopes: Vec::new(),
            tau: widths.lasting,
            s: widths.spread,
            scatter: 0.0,
            prior_mean,
            prior_sd,
            elo_range: [0.0; 2],
        };
        model.scatter = self.scatter(&model);
        model
    }

    /// Fits the line to all events except `without`.
    fn line(&self, variance: VarianceByCount, without: Option<u32>) -> Option<Line> {
        let usual = self.usual_phases(without)?;
        let observations = self.observations(variance, without, &usual)?;
        let statistics = self.design.statistics.iter().map(|&name| Some(name));
        // The drift may have either sign.
        let features = statistics.chain(self.drift_from.map(|_| None));
        let signs: Vec<_> = features
            .map(|name| move |slope| name.is_none_or(|name: Statistic| name.facts().better.allows(slope)))
            .collect();
        let fit = SignedRegression::fit(&observations, &signs, RIDGE);
        let fit = match self.design.direction {
            Direction::Regression => fit,
            Direction::Classical => fit?.stretched(&observations, self.drift_from.is_some()),
        };
        Some(Line { fit: fit?, usual })
    }

    /// Returns the means of each statistic by phase, over all events except `without`.
    pub(super) fn usual_phases(&self, without: Option<u32>) -> Option<Vec<PhaseMeans>> {
        let kept = (0u32..).zip(&self.phases).filter(|(event, _)| Some(*event) != without);
        let mut sums = [GamePlay::default(); Phase::ALL.len()];
        kept.for_each(|(_, phases)| sums.iter_mut().zip(phases).for_each(|(sum, more)| *sum += *more));
        self.design.statistics.iter().map(|&name| PhaseMeans::of(name, &sums)).collect()
    }

    fn kept(&self, without: Option<u32>) -> impl Iterator<Item = &CalibrationBlock> {
        self.blocks.iter().filter(move |block| Some(block.event) != without)
    }

    fn observations(
        &self,
        variance: VarianceByCount,
        without: Option<u32>,
        usual: &[PhaseMeans],
    ) -> Option<Vec<Observation>> {
        self.kept(without)
            .map(|block| {
                let weight = variance.at(block.moves()).recip();
                Some(Observation {
                    features: self.features(block, usual)?,
                    value: block.elo,
                    weight,
                    cluster: block.event,
                })
            })
            .collect()
    }

    fn features(&self, block: &CalibrationBlock, usual: &[PhaseMeans]) -> Option<Vec<f64>> {
        let statistics = self.design.statistics.iter().zip(usual);
        let statistics = statistics.map(|(&name, usual)| usual.adjusted(name, &block.total));
        statistics.chain(self.years_since(block).map(Some)).collect()
    }

    /// Returns the number of years from the start of the drift to the mean year of a block's games; 0 for
    /// earlier games, and the mean of all blocks for games without a date. `None` without a drift.
    pub(super) fn years_since(&self, block: &CalibrationBlock) -> Option<f64> {
        let from = self.drift_from?;
        Some(block.total.year().map_or(self.undated.0, |year| since(year, from)))
    }
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

/// Returns, for each class of moves, the mean number of moves, and the standard deviation of a normal distribution
/// whose 95 % interval contains 95 % of the `errors`.
fn usual_errors(errors: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut classes: BTreeMap<Option<u64>, Vec<(f64, f64)>> = BTreeMap::new();
    for (moves, error) in errors {
        classes.entry(Validation::class(moves as u64)).or_default().push((moves, error.abs()));
    }
    let usual = |mut class: Vec<(f64, f64)>| {
        class.sort_by(|a, b| a.1.total_cmp(&b.1));
        let moves = class.iter().map(|(moves, _)| moves).sum::<f64>() / class.len() as f64;
        let place = (LEVEL * class.len() as f64) as usize;
        (moves, class[place.min(class.len() - 1)].1 / Interval::normal(0.0, 1.0).half_width())
    };
    classes.into_values().map(usual).collect()
}

fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
}

fn whole_events(blocks: &[CalibrationBlock]) -> Vec<CalibrationBlock> {
    blocks.chunk_by(|a, b| a.event == b.event).map(CalibrationBlock::joined).collect()
}
