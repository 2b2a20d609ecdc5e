//! [`Screen`]: how far the play of presumably honest players is above or below their ratings, relative to the other players
//! of their event.

use serde::{Deserialize, Serialize};

use super::model::RatingModel;
#[cfg(feature = "program")]
use super::{
    CalibrationDesign, CalibrationSample, fitting::Fitting, play::GamePlay, statistic::digits, within::Gap,
    within::Other, within::others,
};
#[cfg(feature = "program")]
use crate::measure::tournament::statistics::Statistic;
#[cfg(feature = "program")]
use crate::numbers::VarianceByCount;

/// The scatter of the leads of a calibration's players over the other players of their events.
///
/// Only moves from the 12th on count, because earlier ones tell of preparation. Let d be a player's rating of play by
/// `model` minus that of all other players of the event, and t the player's rating minus the mean rating of the others.
/// With n moves of the player and m of the others, the lead is d − slope·t − few·(1/n − 1/m), and its variance is
/// lasting² + spread²/n. A lead divided by its standard deviation is the player's z.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    /// The rating by top moves and the logarithm of lost winning chances.
    pub model: RatingModel,
    /// Elo points of play per Elo point of rating, within events.
    pub slope: f64,
    /// Elo points times moves: a logarithm of a mean of few moves is too small on average.
    pub few: f64,
    pub lasting: f64,
    pub spread: f64,
    /// Number of players with at least [`Screen::LEAST_OWN`] moves in the events.
    pub players: usize,
    /// The z of each of these players above [`Screen::LEAST_Z`], in descending order. Each is by a fit to the other
    /// events.
    pub highest: Vec<f64>,
}

/// A player's lead over the other players of an event.
#[cfg(feature = "program")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScreenLead {
    /// Number of the player's moves.
    pub moves: u64,
    /// Elo points.
    pub lead: f64,
    /// The standard deviation of honest players' leads, in Elo points.
    pub standard_error: f64,
}

#[cfg(feature = "program")]
impl ScreenLead {
    pub fn z(&self) -> f64 {
        self.lead / self.standard_error
    }
}

/// The event and the rating of a presumably honest player, and the lead by a fit to the other events.
#[cfg(feature = "program")]
pub(super) type ScreenTrial = (usize, f64, ScreenLead);

/// A lead before its fit.
#[cfg(feature = "program")]
struct Raw {
    own_rating: f64,
    moves: f64,
    play: f64,
    rating: f64,
    few: f64,
}

#[cfg(feature = "program")]
impl Raw {
    fn of(gap: &Gap, rating: f64) -> Raw {
        let moves = gap.moves as f64;
        Raw {
            own_rating: rating,
            moves,
            play: gap.own - gap.theirs,
            rating: rating - gap.mean,
            few: moves.recip() - (gap.their_moves as f64).recip(),
        }
    }
}

/// The numbers of [`Screen`] that are fitted to leads.
#[cfg(feature = "program")]
#[derive(Clone, Copy)]
struct Line {
    slope: f64,
    few: f64,
    variance: VarianceByCount,
}

#[cfg(feature = "program")]
impl Line {
    fn lead(&self, raw: &Raw) -> ScreenLead {
        ScreenLead {
            moves: raw.moves as u64,
            lead: raw.play - self.slope * raw.rating - self.few * raw.few,
            standard_error: self.variance.at(raw.moves).sqrt(),
        }
    }

    /// Fits slope and few by weighted least squares, and the variance to the errors; in rounds, because each needs the other.
    fn fit<'a>(raw: impl Iterator<Item = &'a Raw> + Clone) -> Option<Line> {
        const ROUNDS: usize = 3;
        let mut line =
            Line { slope: 1.0, few: 0.0, variance: VarianceByCount { lasting: 100.0, spread: 3000.0 } };
        for _ in 0..ROUNDS {
            let sum = |of: &dyn Fn(&Raw) -> f64| -> f64 {
                raw.clone().map(|one| of(one) / line.variance.at(one.moves)).sum()
            };
            let (rr, rf, ff) = (
                sum(&|one| one.rating.powi(2)),
                sum(&|one| one.rating * one.few),
                sum(&|one| one.few.powi(2)),
            );
            let (rp, fp) = (sum(&|one| one.rating * one.play), sum(&|one| one.few * one.play));
            let determinant = rr * ff - rf * rf;
            line.slope = (rp * ff - fp * rf) / determinant;
            line.few = (fp * rr - rp * rf) / determinant;
            let errors: Vec<(f64, f64)> = raw.clone().map(|one| (one.moves, line.lead(one).lead)).collect();
            line.variance = VarianceByCount::fit(&errors, LEAST_LASTING)?;
        }
        (line.slope.is_finite() && line.few.is_finite()).then_some(line)
    }
}

/// The smallest value of [`Screen::lasting`], in Elo points.
#[cfg(feature = "program")]
const LEAST_LASTING: f64 = 50.0;

impl Screen {
    pub(super) fn fault(&self) -> Option<String> {
        let sizes = [self.lasting, self.spread, self.slope];
        let is_sound = sizes.iter().all(|size| size.is_finite() && *size > 0.0)
            && self.few.is_finite()
            && self.highest.len() <= self.players
            && self.highest.iter().all(|z| z.is_finite())
            && self.highest.is_sorted_by(|a, b| a >= b);
        let wrong =
            || "the numbers of the screen should be above 0, and its z in descending order".to_owned();
        self.model.fault().or_else(|| (!is_sound).then(wrong))
    }
}

#[cfg(feature = "program")]
impl Screen {
    /// Smallest number of moves from the 12th on of a player whose lead counts for the scatter.
    pub const LEAST_OWN: u64 = 100;

    /// Smallest z that is stored.
    pub const LEAST_Z: f64 = 1.0;

    /// Fits the scatter to the players of all events of `sample`, and tests it in each event by a fit to the others.
    /// Also returns the tests. `None` if the events are too few.
    pub(super) fn fit(
        design: &CalibrationDesign,
        sample: &CalibrationSample,
    ) -> Option<(Screen, Vec<ScreenTrial>)> {
        let statistics = vec![Statistic::FirstChoice, Statistic::LogWinLoss];
        let design = CalibrationDesign { statistics, ..design.clone() };
        let sample = sample.after_opening();
        let fitting = Fitting::of(&design, &sample, None);
        let model = fitting.model()?;
        let models = fitting.models(fitting.variance()?)?;
        let events = sample.players(design.scale);
        let leads = |event: usize, model: &RatingModel| -> Vec<Raw> {
            let players = events[event].iter().enumerate();
            let gap = players.filter_map(|(place, (rating, games))| {
                Some(Raw::of(&Gap::of(model, games, others(&events[event], place))?, *rating))
            });
            gap.filter(|raw| raw.moves >= Screen::LEAST_OWN as f64).collect()
        };
        let all: Vec<Raw> = (0..events.len()).flat_map(|event| leads(event, &model)).collect();
        let Line { slope, few, variance } = Line::fit(all.iter())?;
        let left_out: Vec<Vec<Raw>> =
            models.iter().enumerate().map(|(event, model)| leads(event, model)).collect();
        let mut trials = Vec::new();
        for (event, raw) in left_out.iter().enumerate() {
            let of_others = left_out.iter().enumerate().filter(|(other, _)| *other != event);
            let line = Line::fit(of_others.flat_map(|(_, raw)| raw))?;
            let trial = |one: &Raw| (event, one.own_rating, line.lead(one));
            trials.extend(raw.iter().map(trial));
        }
        let mut highest: Vec<f64> = trials
            .iter()
            .map(|(.., lead): &ScreenTrial| lead.z())
            .filter(|z| *z >= Screen::LEAST_Z)
            .collect();
        highest.sort_by(|a, b| b.total_cmp(a));
        let screen = Screen {
            model,
            slope: digits(slope),
            few: digits(few),
            lasting: digits(variance.lasting),
            spread: digits(variance.spread),
            players: all.len(),
            highest: highest.into_iter().map(|z| (z * 1e3).round() / 1e3).collect(),
        };
        Some((screen, trials))
    }

    /// Returns the lead of a player of this `rating` over the `others` of the event. All sums are over moves from the
    /// 12th on. `None` if the others or their moves are too few, or if the player has no moves.
    pub fn lead(
        &self,
        rating: f64,
        own: &[GamePlay],
        others: impl IntoIterator<Item = Other>,
    ) -> Option<ScreenLead> {
        let gap = Gap::of(&self.model, own, others).filter(|gap| gap.moves > 0)?;
        let variance = VarianceByCount { lasting: self.lasting, spread: self.spread };
        Some(Line { slope: self.slope, few: self.few, variance }.lead(&Raw::of(&gap, rating)))
    }

    /// Returns the number of honest players whose z was at least `z`; `None` below [`Screen::LEAST_Z`].
    pub fn as_high(&self, z: f64) -> Option<usize> {
        (z >= Screen::LEAST_Z).then(|| self.highest.iter().take_while(|&&known| known >= z).count())
    }

    /// Returns the z above which p, the counted share (k + 1)/(n + 1) of honest players, is below `level`.
    pub fn needed(&self, level: f64) -> f64 {
        let above = (level * (self.players + 1) as f64).ceil() as usize;
        self.highest.get(above.saturating_sub(2)).copied().unwrap_or(Screen::LEAST_Z)
    }
}
