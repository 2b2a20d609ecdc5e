//! [`Trial`]: the rating of a block, predicted from the other events only. The module also summarizes trials.

use super::{
    block::CalibrationBlock,
    model::{Direction, RatingModel},
    statistic::digits,
    validation::{BandRow, EventRow, LengthRow, Validation},
};
use crate::numbers::Interval;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trial {
    pub event: usize,
    pub length: Option<u64>,
    pub moves: u64,
    pub year: Option<f64>,
    pub elo: f64,
    pub predicted: f64,
    /// The standard error of the prediction.
    pub error: f64,
    pub shrunken: f64,
}

/// The width of a band in Elo points, and the lower end of the first band.
const BAND: (f64, f64) = (400.0, 400.0);

impl Validation {
    /// Summarizes trials of blocks of all lengths, and of single players.
    pub(super) fn of(direction: Direction, trials: &[Trial], players: &[Trial]) -> Validation {
        let of_length = |length: Option<u64>| trials.iter().filter(move |trial| trial.length == length);
        let whole = of_length(None).map(|trial| EventRow {
            event: trial.event,
            year: trial.year.map(digits),
            moves: trial.moves,
            elo: digits(trial.elo),
            predicted: digits(trial.predicted),
            standard_error: digits(trial.error),
        });
        let bands = (0..7).map(|band| BAND.1 + BAND.0 * f64::from(band)).filter_map(|from| {
            let within = |trial: &&Trial| trial.elo >= from && trial.elo < from + BAND.0;
            BandRow::of(
                from,
                &of_length(Some(Validation::BAND_LENGTH)).filter(within).copied().collect::<Vec<_>>(),
            )
        });
        Validation {
            direction,
            lengths: rows(trials),
            players: rows(players),
            bands: bands.collect(),
            events: whole.collect(),
        }
    }
}

/// Returns the errors of each length, in ascending order.
fn rows(trials: &[Trial]) -> Vec<LengthRow> {
    let mut lengths: Vec<Option<u64>> = trials.iter().map(|trial| trial.length).collect();
    lengths.sort_by_key(|length| length.unwrap_or(u64::MAX));
    lengths.dedup();
    let row = |&length: &Option<u64>| {
        let of_length = trials.iter().filter(|trial| trial.length == length);
        LengthRow::of(length, &of_length.copied().collect::<Vec<_>>())
    };
    lengths.iter().map(row).collect()
}

impl Trial {
    /// Predicts a block by a model that was fitted without the block's event.
    pub fn of(model: &RatingModel, block: &CalibrationBlock, length: Option<u64>) -> Option<Trial> {
        Some(Trial {
            event: block.event as usize,
            length,
            moves: block.total.moves(),
            year: block.total.year(),
            elo: block.elo,
            predicted: model.elo(&block.total, std::slice::from_ref(&block.total))?,
            error: model.variance(&block.games).sqrt(),
            shrunken: model.rate(&block.games).shrunken.value,
        })
    }

    fn off(&self) -> f64 {
        self.predicted - self.elo
    }

    fn is_covered(&self) -> bool {
        let interval = Interval::normal(self.predicted, self.error);
        (interval.low..=interval.high).contains(&self.elo)
    }
}

fn mean(trials: &[Trial], of: impl Fn(&Trial) -> f64) -> f64 {
    trials.iter().map(of).sum::<f64>() / trials.len() as f64
}

fn coverage(trials: &[Trial]) -> f64 {
    digits(mean(trials, |trial| if trial.is_covered() { 1.0 } else { 0.0 }))
}

impl LengthRow {
    fn of(length: Option<u64>, trials: &[Trial]) -> LengthRow {
        LengthRow {
            length,
            blocks: trials.len(),
            moves: digits(mean(trials, |trial| trial.moves as f64)),
            rmse: digits(mean(trials, |trial| trial.off().powi(2)).sqrt()),
            mae: digits(mean(trials, |trial| trial.off().abs())),
            shrunken_rmse: digits(mean(trials, |trial| (trial.shrunken - trial.elo).powi(2)).sqrt()),
            bias: digits(mean(trials, Trial::off)),
            coverage: coverage(trials),
        }
    }
}

impl BandRow {
    fn of(from: f64, trials: &[Trial]) -> Option<BandRow> {
        (!trials.is_empty()).then(|| BandRow {
            from,
            to: from + BAND.0,
            blocks: trials.len(),
            elo: digits(mean(trials, |trial| trial.elo)),
            bias: digits(mean(trials, Trial::off)),
            rmse: digits(mean(trials, |trial| trial.off().powi(2)).sqrt()),
            coverage: coverage(trials),
        })
    }
}
