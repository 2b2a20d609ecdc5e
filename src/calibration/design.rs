//! Owns [`CalibrationDesign`]: how a calibration is made from the games of rated players.

use serde::{Deserialize, Serialize};

use super::{
    CalibratedEngine, CalibratedProtocol, Calibration,
    block::Block,
    model::{FittedStatistic, RatingModel},
    play::GamePlay,
    sample::CalibrationSample,
    scale::RatingScale,
    statistic::{MoveStatistic, PlayStatistic},
    usual::{UsualPlay, powers},
    validation::{Trial, Validation},
};
use crate::{
    phase::Phase,
    stats::{
        signed_regression::{Observation, SignedRegression},
        variance_by_count::VarianceByCount,
    },
    text::counted,
};

/// How a calibration is made.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationDesign {
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// What ratings are made from.
    pub statistics: Vec<PlayStatistic>,
    /// Which way a rating is read off the statistics.
    pub direction: Direction,
    /// Moves of a block that is fitted to.
    pub block: u64,
}

/// Which way a rating is read off the statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Direction {
    /// Elo regressed on the statistics: least squared error, and ratings drawn to the mean.
    #[cfg_attr(
        feature = "program",
        value(help = "Elo regressed on statistics: the least error, drawn to the mean")
    )]
    Regression,
    /// The statistics regressed on Elo, and that inverted: right on average at every rating.
    #[default]
    #[cfg_attr(
        feature = "program",
        value(help = "Statistics regressed on Elo, inverted: right on average at each rating")
    )]
    Classical,
}

/// Why no calibration can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// Too few games of rated players.
    #[error(
        "{found_events} with {found_moves} of rated players are too little for the scale {scale}, which needs {events} with \
         {moves} together",
        found_events = counted(*found_events as u64, "event"), found_moves = counted(*found_moves, "move"),
        events = counted(Calibration::LEAST_EVENTS as u64, "event"), moves = counted(Calibration::LEAST_MOVES, "move"),
    )]
    TooLittle {
        /// The scale.
        scale: RatingScale,
        /// Events with a block of moves.
        found_events: usize,
        /// Moves of players whose ratings are known.
        found_moves: u64,
    },
    /// All players play alike, or statistics say the same.
    #[error("the statistics tell nothing about the ratings of these players")]
    NoRelation,
}

/// Of the squares of coefficients of standardised statistics.
const RIDGE: f64 = 0.01;

/// What endless games leave is not taken to be less, in Elo points: nobody's rating is more exact.
const LEAST_TAU: f64 = 50.0;

/// Lengths in moves on which intervals are fitted and tried.
pub const LENGTHS: [u64; 4] = [144, 271, 526, 1015];

/// Before any error is known: the study that the model comes from.
const FIRST_GUESS: VarianceByCount = VarianceByCount { lasting: 109.0, spread: 3176.0 };

/// Fits and their errors in turn: weights hardly change after the first.
const ROUNDS: usize = 3;

impl Default for CalibrationDesign {
    fn default() -> CalibrationDesign {
        CalibrationDesign {
            scale: RatingScale::default(),
            statistics: vec![PlayStatistic::FirstChoice, PlayStatistic::CentipawnLoss],
            direction: Direction::default(),
            block: 500,
        }
    }
}

impl CalibrationDesign {
    /// Makes a calibration, and tries it on each event by the others.
    ///
    /// # Errors
    ///
    /// If there are too few games, or nothing can be told from them.
    pub fn calibrate(
        &self,
        sample: &CalibrationSample,
        engine: CalibratedEngine,
        protocol: CalibratedProtocol,
    ) -> Result<Calibration, DesignError> {
        self.check(sample)?;
        let fitting = Fitting::of(self, sample, None);
        let model = fitting.model().ok_or(DesignError::NoRelation)?;
        let phases = Phase::ALL
            .into_iter()
            .filter_map(|phase| Some((phase.to_string(), Fitting::of(self, sample, Some(phase)).model()?)));
        Ok(Calibration {
            calibration: Calibration::VERSION,
            made_by: format!("gainalyze {}", env!("CARGO_PKG_VERSION")),
            engine,
            protocol,
            filter: "all moves".to_owned(),
            scale: self.scale,
            direction: self.direction,
            block: self.block,
            model,
            phases: phases.collect(),
            usual: fitting.usual(),
            validation: self.validations(sample).ok_or(DesignError::NoRelation)?,
            events: sample.events.clone(),
        })
    }

    fn check(&self, sample: &CalibrationSample) -> Result<(), DesignError> {
        let rated = || sample.plays.iter().filter(|play| play.rating(self.scale).is_some());
        let mut events: Vec<u32> = rated().map(|play| play.event).collect();
        events.dedup();
        let found_moves = rated().map(|play| play.all().moves()).sum();
        let is_enough = events.len() >= Calibration::LEAST_EVENTS && found_moves >= Calibration::LEAST_MOVES;
        let too_little =
            DesignError::TooLittle { scale: self.scale, found_events: events.len(), found_moves };
        if is_enough { Ok(()) } else { Err(too_little) }
    }

    /// Returns what both directions do in events that they were not made from, the chosen one first.
    fn validations(&self, sample: &CalibrationSample) -> Option<Vec<Validation>> {
        let other = match self.direction {
            Direction::Regression => Direction::Classical,
            Direction::Classical => Direction::Regression,
        };
        let of = |direction| {
            let design = CalibrationDesign { direction, ..self.clone() };
            let fitting = Fitting::of(&design, sample, None);
            let variance = fitting.variance()?;
            Some(Validation::of(direction, &fitting.trials(variance)?))
        };
        [self.direction, other].into_iter().map(of).collect()
    }
}

/// The blocks of a calibration under way.
pub(super) struct Fitting<'a> {
    design: &'a CalibrationDesign,
    /// Those that are fitted to.
    blocks: Vec<Block>,
    /// Those of other lengths that errors are taken from.
    lengths: Vec<(u64, Vec<Block>)>,
    events: u32,
}

impl<'a> Fitting<'a> {
    /// Cuts the moves of a phase, or of whole games.
    pub fn of(
        design: &'a CalibrationDesign,
        sample: &CalibrationSample,
        phase: Option<Phase>,
    ) -> Fitting<'a> {
        let cut = |least| Block::cut(sample, design.scale, phase, least);
        let lengths = LENGTHS.into_iter().map(|length| (length, cut(length))).collect();
        Fitting { design, blocks: cut(design.block), lengths, events: sample.events.len() as u32 }
    }

    /// Returns the model of all events; `None` where nothing can be told.
    pub fn model(&self) -> Option<RatingModel> {
        let variance = self.variance()?;
        let observations = self.observations(variance, None);
        let line = self.line(&observations)?;
        let covariance = line.covariance(&observations)?;
        let elos = || self.blocks.iter().map(|block| block.elo);
        let weight: f64 = self.blocks.iter().map(Block::moves).sum();
        let mean = self.blocks.iter().map(|block| block.moves() * block.elo).sum::<f64>() / weight;
        let spread =
            self.blocks.iter().map(|block| block.moves() * (block.elo - mean).powi(2)).sum::<f64>() / weight;
        let mut model = RatingModel {
            statistics: self.fitted(&line),
            intercept: digits(line.intercept),
            covariance: covariance.into_iter().map(|row| row.into_iter().map(digits).collect()).collect(),
            tau: digits(variance.lasting),
            s: digits(variance.spread),
            scatter: 0.0,
            prior_mean: digits(mean),
            prior_sd: digits(spread.sqrt()),
            elo_range: [elos().fold(f64::INFINITY, f64::min), elos().fold(f64::NEG_INFINITY, f64::max)]
                .map(digits),
        };
        model.scatter = digits(self.scatter(&model));
        Some(model)
    }

    fn fitted(&self, line: &SignedRegression) -> Vec<FittedStatistic> {
        let statistic = |(at, &name): (usize, &PlayStatistic)| {
            let values = || self.blocks.iter().filter_map(|block| value(name, &block.total));
            FittedStatistic {
                name,
                sign: name.sign(),
                mean: digits(line.means[at]),
                sd: digits(line.sds[at]),
                coefficient: digits(line.coefficients[at]),
                range: [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)]
                    .map(digits),
            }
        };
        self.design.statistics.iter().enumerate().map(statistic).collect()
    }

    /// Returns the mean variance by the scatter of games, times moves.
    fn scatter(&self, model: &RatingModel) -> f64 {
        let scatter = |block: &Block| Some(model.own_scatter(&block.games)? * block.moves());
        let scatters: Vec<f64> = self.blocks.iter().filter_map(scatter).collect();
        scatters.iter().sum::<f64>() / scatters.len().max(1) as f64
    }

    /// Returns how errors in events that were left out fall with the number of moves.
    pub fn variance(&self) -> Option<VarianceByCount> {
        let mut variance = FIRST_GUESS;
        for _ in 0..ROUNDS {
            let errors = self.errors(variance)?;
            let pairs: Vec<(f64, f64)> = errors.iter().map(|error| (error.moves, error.error)).collect();
            variance = VarianceByCount::fit(&pairs, LEAST_TAU)?;
        }
        Some(variance)
    }

    /// Returns the errors of every length, each in an event that was left out.
    fn errors(&self, variance: VarianceByCount) -> Option<Vec<LeftOutError>> {
        let mut errors = Vec::new();
        for event in 0..self.events {
            let line = self.line_without(event, variance)?;
            for (_, blocks) in &self.lengths {
                for block in blocks.iter().filter(|block| block.event == event) {
                    let predicted = line.predicted(&self.features(block)?);
                    errors.push(LeftOutError { event, moves: block.moves(), error: predicted - block.elo });
                }
            }
        }
        Some(errors)
    }

    /// Returns what is predicted of every block of every length, and of whole events, by the other events alone: the line
    /// and the interval.
    pub fn trials(&self, variance: VarianceByCount) -> Option<Vec<Trial>> {
        let errors = self.errors(variance)?;
        let whole = whole_events(&self.blocks);
        let lengths = self.lengths.iter().map(|(length, blocks)| (Some(*length), blocks));
        let lengths: Vec<(Option<u64>, &Vec<Block>)> = lengths.chain([(None, &whole)]).collect();
        let mut trials = Vec::new();
        for event in 0..self.events {
            let line = self.line_without(event, variance)?;
            let others: Vec<(f64, f64)> = errors
                .iter()
                .filter(|error| error.event != event)
                .map(|error| (error.moves, error.error))
                .collect();
            let model = self.model_of(&line, VarianceByCount::fit(&others, LEAST_TAU)?);
            for (length, blocks) in &lengths {
                for block in blocks.iter().filter(|block| block.event == event) {
                    trials.push(Trial {
                        event: event as usize,
                        length: *length,
                        moves: block.total.moves(),
                        elo: block.elo,
                        predicted: model.elo(&block.total)?,
                        error: model.variance(&block.games).sqrt(),
                    });
                }
            }
        }
        Some(trials)
    }

    /// Returns a model for trials, which needs no range and no prior.
    fn model_of(&self, line: &SignedRegression, variance: VarianceByCount) -> RatingModel {
        let mut model = RatingModel {
            statistics: self.fitted(line),
            intercept: line.intercept,
            covariance: Vec::new(),
            tau: variance.lasting,
            s: variance.spread,
            scatter: 0.0,
            prior_mean: line.mean,
            prior_sd: 0.0,
            elo_range: [0.0; 2],
        };
        model.scatter = self.scatter(&model);
        model
    }

    fn line_without(&self, event: u32, variance: VarianceByCount) -> Option<SignedRegression> {
        self.line(&self.observations(variance, Some(event)))
    }

    fn line(&self, observations: &[Observation]) -> Option<SignedRegression> {
        let signs: Vec<_> =
            self.design.statistics.iter().map(|name| move |slope| name.sign().allows(slope)).collect();
        let line = SignedRegression::fit(observations, &signs, RIDGE)?;
        match self.design.direction {
            Direction::Regression => Some(line),
            Direction::Classical => line.stretched(observations),
        }
    }

    fn observations(&self, variance: VarianceByCount, without: Option<u32>) -> Vec<Observation> {
        let blocks = self.blocks.iter().filter(|block| Some(block.event) != without);
        blocks
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

    fn features(&self, block: &Block) -> Option<Vec<f64>> {
        self.design.statistics.iter().map(|&name| value(name, &block.total)).collect()
    }

    /// Returns what is usual at each rating of every statistic, and of accuracy.
    pub fn usual(&self) -> Vec<UsualPlay> {
        let of_moves = MoveStatistic::ALL.into_iter().filter_map(|statistic| {
            let is_log = statistic != MoveStatistic::FirstChoice;
            self.usual_of(statistic.name(), is_log, &|block| block.total.mean(statistic))
        });
        let accuracy = self.usual_of("accuracy_percent", false, &|block| block.accuracy);
        of_moves.chain(accuracy).collect()
    }

    fn usual_of(&self, name: &str, is_log: bool, of: &dyn Fn(&Block) -> Option<f64>) -> Option<UsualPlay> {
        let value = |block: &Block| {
            let value = of(block)?;
            if is_log { (value > 0.0).then(|| value.ln()) } else { Some(value) }
        };
        let rows: Vec<Observation> = self
            .blocks
            .iter()
            .filter_map(|block| {
                let [_, u, squared] = powers(block.elo);
                let (features, weight) = (vec![u, squared], block.moves());
                Some(Observation { features, value: value(block)?, weight, cluster: block.event })
            })
            .collect();
        let line = SignedRegression::fit(&rows, &[|_: f64| true; 2], 0.0)?;
        let rest = |block: &Block| {
            let [_, u, squared] = powers(block.elo);
            Some((block.moves(), value(block)? - line.predicted(&[u, squared])))
        };
        let rests: Vec<(f64, f64)> =
            self.lengths.iter().flat_map(|(_, blocks)| blocks.iter().filter_map(rest)).collect();
        let variance = VarianceByCount::fit(&rests, 0.0)?;
        Some(UsualPlay {
            statistic: name.to_owned(),
            is_log,
            coefficients: [line.intercept, line.coefficients[0], line.coefficients[1]].map(digits),
            lasting: digits(variance.lasting),
            spread: digits(variance.spread),
        })
    }
}

/// An error in an event that was left out.
struct LeftOutError {
    event: u32,
    moves: f64,
    error: f64,
}

fn value(name: PlayStatistic, total: &GamePlay) -> Option<f64> {
    Some(name.at(total.mean(name.of())?))
}

/// Returns the blocks of each event as one.
fn whole_events(blocks: &[Block]) -> Vec<Block> {
    blocks.chunk_by(|a, b| a.event == b.event).map(Block::joined).collect()
}

/// Rounds to nine significant digits, so that a number is the same on every machine that makes it.
pub(super) fn digits(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}
