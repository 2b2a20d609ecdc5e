//! [`Cell`]: the units of the study, lines through them, and the jackknife.

use std::{array, collections::BTreeSet};

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::chess::Phase;
use crate::measure::calibration::{GamePlay, phase_means::PhaseMeans, statistic::jackknife_variance};
use crate::measure::{CalibrationPlay, CalibrationSample, RatingScale, Statistic};
use crate::numbers::stats::{bootstrap::below, multiple::student_p, newton::inverse};
use crate::numbers::{Estimate, Interval, IntervalMethod};

/// The places in [`Cell::values`]: share of top moves in percent, logarithm of the mean loss, mean loss of
/// winning chances, D, and the rating of play without the year minus the rating in the tags.
pub const T: usize = 0;
pub const L: usize = 1;
pub const W: usize = 2;
pub const D: usize = 3;
pub const R: usize = 4;

const STATISTICS: [Statistic; 3] = [Statistic::FirstChoice, Statistic::LogEvaluationLoss, Statistic::WinLoss];

/// An estimate by the jackknife over events or matches, which its `observations` count.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    pub estimate: Estimate,
    pub p: f64,
    /// The lowest and the highest estimate with one event or match left out.
    pub without: [f64; 2],
}

/// A unit of the study: an event, the part of it in a [`Selection`], or a match.
#[derive(Debug, Clone)]
pub struct Cell {
    pub name: String,
    pub rating: f64,
    pub year: f64,
    /// True if most moves were played after the reform of March 2024.
    pub is_new: bool,
    pub players: usize,
    pub values: [f64; 5],
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection {
    pub phases: &'static [Phase],
    /// The lowest rating, and the first rating above the selection.
    pub ratings: [f64; 2],
    pub scale: RatingScale,
}

pub const ALL: Selection =
    Selection { phases: &Phase::ALL, ratings: [0.0, f64::INFINITY], scale: RatingScale::Fide2024 };
pub const LATER: Selection = phases(&[Phase::Middlegame, Phase::Endgame]);
pub const TAGS: Selection = Selection { scale: RatingScale::Fide, ..ALL };

pub const fn phases(phases: &'static [Phase]) -> Selection {
    Selection { phases, ..ALL }
}

pub const fn band(low: f64, high: f64, of: Selection) -> Selection {
    Selection { ratings: [low, high], ..of }
}

/// Fewest moves of a part of an event in a band of ratings.
const LEAST_MOVES: u64 = 300;
/// Number of orders of the years, and their random seed.
const SHUFFLES: (usize, u64) = (9_999, 71);
/// The names of the periods and the year after each. The last two meet at the reform.
pub const PERIODS: [(&str, f64); 6] = [
    ("before 2000", 2000.0),
    ("2000 to 2009", 2010.0),
    ("2010 to 2014", 2015.0),
    ("2015 to 2019", 2020.0),
    ("2020 to February 2024", f64::INFINITY),
    ("from March 2024", f64::INFINITY),
];

impl Cell {
    /// Returns the place in [`PERIODS`].
    pub fn period(&self) -> usize {
        let by_year = PERIODS.iter().position(|(_, end)| self.year < *end).unwrap_or_default();
        by_year + usize::from(self.is_new)
    }

    /// Returns true for FIDE's own matches of 1993 to 1998, which are in no test.
    pub fn is_aside(&self) -> bool {
        self.name.starts_with("FIDE")
    }
}

pub fn values(usual: &[PhaseMeans], total: &GamePlay) -> Option<[f64; 5]> {
    let mut values = [f64::NAN; 5];
    for (at, (name, usual)) in STATISTICS.into_iter().zip(usual).enumerate() {
        values[at] = usual.adjusted(name, total)?;
    }
    Some(values)
}

impl Selection {
    pub fn usual(&self, sample: &CalibrationSample) -> Option<Vec<PhaseMeans>> {
        let rated = || sample.plays.iter().filter(|play| play.rating(self.scale).is_some());
        let sums = Phase::ALL.map(|phase| match self.phases.contains(&phase) {
            true => rated().map(|play| &play.phases[phase as usize]).sum(),
            false => GamePlay::default(),
        });
        STATISTICS.into_iter().map(|name| PhaseMeans::of(name, &sums)).collect()
    }

    /// Returns the cell of each event with enough moves.
    pub fn cells(&self, sample: &CalibrationSample) -> Vec<Cell> {
        let usual = self.usual(sample).unwrap_or_default();
        let least = if self.ratings == ALL.ratings { 1 } else { LEAST_MOVES };
        let sums = |play: &CalibrationPlay| -> GamePlay {
            self.phases.iter().map(|&phase| &play.phases[phase as usize]).sum()
        };
        let cell = |plays: &[CalibrationPlay]| {
            let rated = plays.iter().filter_map(|play| Some((play, play.rating(self.scale)?, sums(play))));
            let [low, high] = self.ratings;
            let counted: Vec<_> =
                rated.filter(|(_, rating, sums)| (low..high).contains(rating) && sums.moves() > 0).collect();
            let total: GamePlay = counted.iter().map(|(.., sums)| sums).sum();
            let mean = |of: &dyn Fn(&CalibrationPlay, f64) -> f64| {
                let sum = counted.iter().map(|(play, rating, sums)| of(play, *rating) * sums.moves() as f64);
                sum.sum::<f64>() / total.moves() as f64
            };
            (total.moves() >= least).then_some(())?;
            Some(Cell {
                name: sample.events[plays[0].event as usize].name.clone(),
                rating: mean(&|_, rating| rating),
                year: total.year()?,
                is_new: mean(&|play, _| f64::from(u8::from(RatingScale::is_reformed(play.date)))) > 0.5,
                players: counted.iter().map(|(play, ..)| &play.player).collect::<BTreeSet<_>>().len(),
                values: values(&usual, &total)?,
            })
        };
        sample.plays.chunk_by(|one, next| one.event == next.event).filter_map(cell).collect()
    }
}

/// Returns the coefficients of the least-squares fit of `values` to `rows`; `None` if they are not determined.
fn least_squares<const N: usize>(rows: &[[f64; N]], values: &[f64]) -> Option<[f64; N]> {
    let product = |i: usize, j: usize| rows.iter().map(|row| row[i] * row[j]).sum();
    let matrix: Vec<Vec<f64>> = (0..N).map(|i| (0..N).map(|j| product(i, j)).collect()).collect();
    let sums: [f64; N] = array::from_fn(|i| rows.iter().zip(values).map(|(row, y)| row[i] * y).sum());
    let inverse = inverse(&matrix)?;
    Some(array::from_fn(|i| inverse[i].iter().zip(&sums).map(|(a, b)| a * b).sum()))
}

/// Returns the rating in hundreds from 2300, and the decades from 2015.
pub fn place(cell: &Cell) -> [f64; 2] {
    [(cell.rating - 2300.0) / 100.0, (cell.year - 2015.0) / 10.0]
}

/// Returns the constant of a statistic's line, its slopes per 100 Elo points and per decade, and that of `more`.
pub fn line(cells: &[&Cell], at: usize, more: Option<fn(&Cell) -> f64>) -> Option<[f64; 4]> {
    let values: Vec<f64> = cells.iter().map(|cell| cell.values[at]).collect();
    let row = |cell: &&Cell| {
        let [rating, decade] = place(cell);
        [1.0, rating, decade]
    };
    let rows: Vec<[f64; 3]> = cells.iter().map(row).collect();
    let Some(more) = more else {
        let [a, b, c] = least_squares(&rows, &values)?;
        return Some([a, b, c, 0.0]);
    };
    let rows = rows.into_iter().zip(cells).map(|([a, b, c], cell)| [a, b, c, more(cell)]);
    least_squares(&rows.collect::<Vec<_>>(), &values)
}

/// Returns D of a cell: the Elo points by which its play is above that of its rating in 2015, by the other
/// events of `base`.
pub fn level(cell: &Cell, base: &[&Cell], at: usize) -> Option<f64> {
    let others: Vec<&Cell> = base.iter().copied().filter(|other| other.name != cell.name).collect();
    let [constant, slope, ..] = line(&others, at, None)?;
    Some(100.0 * ((cell.values[at] - constant) / slope - place(cell)[0]))
}

pub fn slope(cells: &[&Cell], at: usize) -> Option<f64> {
    let rows: Vec<[f64; 2]> = cells.iter().map(|cell| [1.0, place(cell)[1]]).collect();
    Some(least_squares(&rows, &cells.iter().map(|cell| cell.values[at]).collect::<Vec<_>>())?[1])
}

pub fn trend(cells: &[Cell], at: usize) -> Option<Change> {
    let names: Vec<&str> = cells.iter().map(|cell| &*cell.name).collect();
    jackknife(&names, 2, |left| {
        slope(&cells.iter().filter(|cell| Some(&*cell.name) != left).collect::<Vec<_>>(), at)
    })
}

pub fn mean_over(statistics: &[usize], of: impl Fn(usize) -> Option<f64>) -> Option<f64> {
    let values: Option<Vec<f64>> = statistics.iter().map(|&at| of(at)).collect();
    Some(values?.iter().sum::<f64>() / statistics.len() as f64)
}

/// Estimates with each of `names` left out. The fit has `lost` coefficients.
pub fn jackknife(names: &[&str], lost: usize, of: impl Fn(Option<&str>) -> Option<f64>) -> Option<Change> {
    let value = of(None)?;
    let without: Vec<f64> = names.iter().map(|&name| of(Some(name))).collect::<Option<_>>()?;
    let freedom = names.len().checked_sub(lost).filter(|&freedom| freedom > 0)?;
    let error = jackknife_variance(&without).sqrt();
    let interval = Some(Interval::student(value, error, IntervalMethod::StudentT { freedom }));
    let estimate = Estimate { value, observations: names.len(), interval };
    Some(Change { estimate, p: student_p(value / error, freedom), without: span(without) })
}

pub fn span(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    let ends = [f64::INFINITY, f64::NEG_INFINITY];
    values.into_iter().fold(ends, |[low, high], value| [low.min(value), high.max(value)])
}

/// Returns the share of orders of the years, the true one included, whose estimate is at least as far from 0.
pub fn shuffled_p(cells: &[Cell], value: f64, of: impl Fn(&[&Cell]) -> Option<f64>) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(SHUFFLES.1);
    let mut cells = cells.to_vec();
    let mut as_far = 1;
    for _ in 0..SHUFFLES.0 {
        for last in (1..cells.len()).rev() {
            let other = below(&mut random, last + 1);
            (cells[last].year, cells[other].year) = (cells[other].year, cells[last].year);
        }
        let found = of(&cells.iter().collect::<Vec<_>>());
        as_far += usize::from(found.is_none_or(|found| found.abs() >= value.abs()));
    }
    as_far as f64 / (SHUFFLES.0 + 1) as f64
}
