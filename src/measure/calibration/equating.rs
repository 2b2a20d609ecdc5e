//! Equating: the calibration of an engine from a few events, by comparison with an engine that is calibrated
//! on all events.

use super::{
    Calibration, CalibrationData, CalibrationDesign, DesignError, EquatedWith, WithinEvents,
    block::CalibrationBlock, fitting::Fitting, model::RatingModel, phase_means::PhaseMeans,
    sample::CalibrationSample, statistic::digits, statistic::jackknife_variance, trials::Trial,
    usual::UsualPlay, validation::Validation,
};
use crate::chess::Phase;
use crate::measure::tournament::statistics::Statistic;
use crate::numbers::{Interval, VarianceByCount};

/// The events on which engines are compared, in ascending order of their mean ratings. A rule chose them, so that
/// the year's uncertain effect plays no part and the players differ widely: the events before 2020 are sorted by
/// mean rating and cut into five groups, and from each group comes the event with the largest standard deviation
/// of its players' ratings, among those with at most 7,000 moves.
pub const COMPARED: [&str; 5] = [
    "hong-kong-open-2014",
    "new-zealand-ch-2017",
    "yugoslavia-women-2000",
    "poland-ch-2015",
    "wijk-aan-zee-1999",
];

/// Smallest number of moves of a player whose statistics by the two engines are compared.
const LEAST_OWN: u64 = 60;

/// Smallest correlation, over the players, of each statistic by the two engines.
const LEAST_CORRELATION: f64 = 0.8;

impl CalibrationSample {
    /// Returns the places of [`COMPARED`] among the events; `None` if one is missing.
    pub(super) fn compared(&self) -> Option<Vec<usize>> {
        let place = |name: &&str| self.events.iter().position(|event| event.name == *name);
        COMPARED.iter().map(place).collect()
    }

    /// Returns the sample of these events only.
    pub(super) fn of_events(&self, events: &[usize]) -> CalibrationSample {
        let plays = events.iter().enumerate().flat_map(|(place, &event)| {
            let of_event = self.plays.iter().filter(move |play| play.event as usize == event);
            of_event.map(move |play| super::sample::CalibrationPlay { event: place as u32, ..play.clone() })
        });
        CalibrationSample {
            counted: self.counted,
            events: events.iter().map(|&event| self.events[event].clone()).collect(),
            plays: plays.collect(),
        }
    }
}

/// The sums of one phase, or of whole games, by both engines.
pub(super) struct Equating<'a> {
    /// All events, by the engine that is calibrated on them.
    anchor: Fitting<'a>,
    /// The compared events, by the same engine.
    there: Fitting<'a>,
    /// The compared events, by the new engine, with the same blocks as in `there`.
    here: Fitting<'a>,
    /// The players with at least [`LEAST_OWN`] moves in the compared events, by both engines.
    players: Vec<[CalibrationBlock; 2]>,
    /// The place of each compared event among the events of `anchor`.
    places: &'a [usize],
}

/// Predictions of both engines in the compared events.
struct Tried {
    here: Vec<Trial>,
    there: Vec<Trial>,
    /// The new engine's predictions of single players.
    players: Vec<Trial>,
    /// The root mean square error of the calibrated engine's predictions in all events.
    of_all: f64,
}

impl Tried {
    /// Returns the expected error in other events; see [`EquatedWith::error`].
    fn error(&self) -> f64 {
        self.of_all * self.ratio(|_| true)
    }

    /// Returns the 95 % interval of the expected error, from leaving out one event at a time (jackknife of the
    /// ratio's logarithm).
    fn error_range(&self) -> [f64; 2] {
        let without = |event| self.ratio(|trial| trial.event != event).ln();
        let found: Vec<f64> = (0..COMPARED.len()).map(without).collect();
        let margin = Interval::normal(0.0, jackknife_variance(&found).sqrt()).half_width();
        [-margin, margin].map(|shift| self.error() * shift.exp())
    }

    fn ratio(&self, is_kept: impl Fn(&Trial) -> bool) -> f64 {
        rmse(&self.here, &is_kept) / rmse(&self.there, &is_kept)
    }
}

/// Returns the root mean square error of blocks of [`Validation::BAND_LENGTH`] moves.
fn rmse(trials: &[Trial], is_kept: impl Fn(&Trial) -> bool) -> f64 {
    let kept = trials.iter().filter(|trial| trial.length == Some(Validation::BAND_LENGTH) && is_kept(trial));
    let squares: Vec<f64> = kept.map(|trial| (trial.predicted - trial.elo).powi(2)).collect();
    (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
}

/// The line that converts a statistic by the new engine to the statistic by the calibrated one. Both have the
/// same mean and the same standard deviation over the players, weighted by moves.
struct Link {
    /// The mean by the new engine.
    here: f64,
    /// The mean by the calibrated engine.
    there: f64,
    /// The ratio of the standard deviations.
    scale: f64,
    correlation: f64,
}

impl Link {
    /// Fits the line to weights and values by the calibrated and the new engine. `None` if the values do not
    /// vary.
    fn of(values: &[(f64, [f64; 2])]) -> Option<Link> {
        let all: f64 = values.iter().map(|(weight, _)| weight).sum();
        let mean_of = |of: &dyn Fn([f64; 2]) -> f64| {
            values.iter().map(|(weight, both)| weight * of(*both)).sum::<f64>() / all
        };
        let (there, here) = (mean_of(&|[there, _]| there), mean_of(&|[_, here]| here));
        let sd_there = mean_of(&|both| (both[0] - there).powi(2)).sqrt();
        let sd_here = mean_of(&|both| (both[1] - here).powi(2)).sqrt();
        let correlation = mean_of(&|both| (both[0] - there) * (both[1] - here)) / (sd_there * sd_here);
        (correlation > 0.0).then_some(Link { here, there, scale: sd_there / sd_here, correlation })
    }

    /// Converts a value by the calibrated engine to the value by the new engine.
    fn back(&self, value: f64) -> f64 {
        self.here + (value - self.there) / self.scale
    }
}

impl<'a> Equating<'a> {
    pub fn of(
        design: &'a CalibrationDesign,
        [anchor, there, here]: [&'a CalibrationSample; 3],
        places: &'a [usize],
        phase: Option<Phase>,
    ) -> Equating<'a> {
        let [of_there, of_here] =
            [there, here].map(|sample| CalibrationBlock::of_players(sample, design.scale, phase));
        let players = of_there.into_iter().zip(of_here).map(|(there, here)| [there, here]);
        Equating {
            anchor: Fitting::of(design, anchor, phase),
            there: Fitting::of(design, there, phase),
            here: Fitting::of(design, here, phase),
            players: players.filter(|[there, _]| there.total.moves() >= LEAST_OWN).collect(),
            places,
        }
    }

    fn link(&self, statistic: Statistic, usual: [&PhaseMeans; 2], without: Option<u32>) -> Option<Link> {
        let kept = self.players.iter().filter(|[there, _]| Some(there.event) != without);
        let values = kept.map(|both| {
            let [there, here] = [0, 1].map(|by| usual[by].adjusted(statistic, &both[by].total));
            Some((both[0].moves(), [there?, here?]))
        });
        Link::of(&values.collect::<Option<Vec<_>>>()?)
    }

    /// Converts a model of the calibrated engine to the new engine, from all compared events except `without`.
    fn model(&self, of_anchor: &RatingModel, without: Option<u32>) -> Option<RatingModel> {
        let mut model = RatingModel { slopes: Vec::new(), ..of_anchor.clone() };
        let [here, there] = [&self.here, &self.there].map(|by| by.usual_phases(without));
        for (fitted, (here, there)) in model.statistics.iter_mut().zip(here?.iter().zip(&there?)) {
            let usual = fitted.usual.converted(here, there);
            let link = self.link(fitted.name, [&fitted.usual, &usual], without)?;
            model.intercept += fitted.coefficient * (link.there - link.scale * link.here);
            fitted.coefficient = digits(fitted.coefficient * link.scale);
            fitted.mean = digits(link.back(fitted.mean));
            fitted.sd = digits(fitted.sd / link.scale);
            fitted.range = fitted.range.map(|value| digits(link.back(value)));
            fitted.usual = usual;
        }
        model.intercept = digits(model.intercept);
        model.scatter = digits(self.here.scatter(&model));
        model.s = digits(of_anchor.s * (model.scatter / self.there.scatter(of_anchor)).sqrt());
        Some(model)
    }

    /// Returns the variance of a rating, averaged over the compared moves, that comes from the choice of the
    /// compared events (jackknife).
    fn variance(&self, of_anchor: &RatingModel) -> Option<f64> {
        let events = 0..self.places.len() as u32;
        let models = events.map(|event| self.model(of_anchor, Some(event))).collect::<Option<Vec<_>>>()?;
        let of_block = |block: &CalibrationBlock| {
            let found =
                models.iter().map(|model| model.elo(&block.total, std::slice::from_ref(&block.total)));
            Some(jackknife_variance(&found.collect::<Option<Vec<f64>>>()?))
        };
        let of_blocks = self.here.blocks.iter().map(of_block).collect::<Option<Vec<f64>>>()?;
        Some(of_blocks.iter().sum::<f64>() / of_blocks.len() as f64)
    }

    /// Returns the model from all compared events. Its τ includes the error of the comparison.
    fn finished(&self) -> Option<RatingModel> {
        let of_anchor = self.anchor.model()?;
        let tau = of_anchor.tau.hypot(self.variance(&of_anchor)?.sqrt());
        Some(RatingModel { tau: digits(tau), ..self.model(&of_anchor, None)? })
    }

    /// Returns one model for each event of the anchor, from the anchor's other events, converted by the compared
    /// events except this one.
    pub(super) fn models(&self, variance: VarianceByCount) -> Option<Vec<RatingModel>> {
        let compared = |event| self.places.iter().position(|&place| place == event).map(|place| place as u32);
        let model = |(event, of_anchor)| self.model(of_anchor, compared(event));
        self.anchor.models(variance)?.iter().enumerate().map(model).collect()
    }

    /// Returns the errors in the compared events, by both engines. For each event, the calibrated engine's model
    /// is from all other events, and is converted by the other compared events.
    fn tried(&self, variance: VarianceByCount) -> Option<Tried> {
        let compared = |models: Vec<RatingModel>| -> Vec<RatingModel> {
            self.places.iter().map(|&place| models[place].clone()).collect()
        };
        let models = compared(self.models(variance)?);
        let anchor = self.anchor.models(variance)?;
        let of_all = self.anchor.trials(&anchor)?;
        Some(Tried {
            players: self.here.player_trials(&models)?,
            here: self.here.trials(&models)?,
            there: self.there.trials(&compared(anchor))?,
            of_all: rmse(&of_all, |_| true),
        })
    }

    /// Converts the averages of statistics by the calibrated engine.
    fn usual(&self) -> Vec<UsualPlay> {
        let converted = |usual: UsualPlay| {
            let both = self.there.blocks.iter().zip(&self.here.blocks);
            let values = both.map(|(there, here)| {
                Some((there.moves(), [there.usual(usual.statistic)?, here.usual(usual.statistic)?]))
            });
            let link = Link::of(&values.collect::<Option<Vec<_>>>()?)?;
            let [center, slope, bend] = usual.coefficients;
            Some(UsualPlay {
                coefficients: [link.back(center), slope / link.scale, bend / link.scale].map(digits),
                year: usual.year.map(|year| digits(year / link.scale)),
                lasting: digits(usual.lasting / link.scale),
                spread: digits(usual.spread / link.scale),
                ..usual
            })
        };
        self.anchor.usual().into_iter().filter_map(converted).collect()
    }
}

impl CalibrationData {
    /// Makes a calibration of the engine of `self` from the sums of a few events, by comparison with the sums
    /// of these events in `anchor`: mean and standard deviation of each statistic over the players become those
    /// of the anchor (linear equating; M. J. Kolen and R. L. Brennan, "Test Equating, Scaling, and Linking",
    /// 2014, Section 2.2). The coefficients and the year's term are the anchor's.
    ///
    /// # Errors
    /// If the games of an event are not those of the anchor, or if a statistic by the two engines correlates
    /// too weakly.
    pub fn equated(self, anchor: &CalibrationData, name: &str) -> Result<Calibration, DesignError> {
        let design = CalibrationDesign::default();
        let other_games = || DesignError::OtherGames { anchor: name.to_owned() };
        let places = anchor.sample.compared().ok_or_else(other_games)?;
        let there = anchor.sample.of_events(&places);
        let place = |event| self.sample.events.iter().position(|known| known == event);
        let found = there.events.iter().map(place).collect::<Option<Vec<usize>>>();
        let found = found.ok_or_else(other_games)?;
        let data = CalibrationData { sample: self.sample.of_events(&found), ..self };
        let of = |phase| Equating::of(&design, [&anchor.sample, &there, &data.sample], &places, phase);
        let whole = of(None);
        let made = || {
            let model = whole.finished()?;
            let variance = whole.anchor.variance()?;
            let of_anchor = whole.anchor.model()?;
            let within = WithinEvents::fit(&of_anchor, &anchor.sample.players(design.scale));
            let within = within.map(|within| WithinEvents {
                spread: digits(within.spread * model.s / of_anchor.s),
                ..within
            });
            Some((model, within, whole.tried(variance)?, of_anchor))
        };
        let (model, within, tried, of_anchor) = made().ok_or(DesignError::NoRelation)?;
        let correlations = model.statistics.iter().zip(&of_anchor.statistics).filter_map(|(here, there)| {
            let link = whole.link(here.name, [&there.usual, &here.usual], None)?;
            Some((here.name, link.correlation))
        });
        let equated = EquatedWith {
            calibration: name.to_owned(),
            correlations: correlations.map(|(name, value)| (name.to_string(), digits(value))).collect(),
            error: digits(tried.error()),
            error_range: tried.error_range().map(digits),
        };
        if let Some((statistic, &correlation)) =
            equated.correlations.iter().find(|(_, r)| **r < LEAST_CORRELATION)
        {
            return Err(DesignError::Unlike {
                statistic: statistic.clone(),
                percent: (100.0 * correlation).round() as i32,
                anchor: name.to_owned(),
            });
        }
        let of_phase = |phase: Phase| {
            let model = of(Some(phase)).finished()?;
            model.fault().is_none().then(|| (phase.to_string(), model))
        };
        let calibration = Calibration {
            phases: Phase::ALL.into_iter().filter_map(of_phase).collect(),
            within,
            usual: whole.usual(),
            validation: vec![Validation::of(design.direction, &tried.here, &tried.players)],
            equated: Some(equated),
            ..design.calibration(model, &data)
        };
        calibration.fault().map_or(Ok(calibration), |fault| Err(DesignError::Fault(fault)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_between_two_engines_by_hand() {
        // Equal weights: means 30 and 20, standard deviations 10 and 5, and the same order.
        let link = Link::of(&[(2.0, [20.0, 15.0]), (2.0, [40.0, 25.0])]).expect("values that vary");
        assert_eq!((link.there, link.here, link.scale, link.correlation), (30.0, 20.0, 2.0, 1.0));
        assert_eq!(link.back(50.0), 30.0);
        // A weight of 3 counts as three players.
        let [one, three] = [(1.0, [20.0, 15.0]), (3.0, [40.0, 25.0])];
        let thrice = [one, (1.0, three.1), (1.0, three.1), (1.0, three.1)];
        let [weighted, thrice] =
            [Link::of(&[one, three]), Link::of(&thrice)].map(|link| link.expect("values"));
        assert!(
            (weighted.there - thrice.there).abs() < 1e-12 && (weighted.scale - thrice.scale).abs() < 1e-12
        );
        assert!(Link::of(&[(1.0, [20.0, 25.0]), (1.0, [40.0, 15.0])]).is_none(), "they move apart");
        assert!(Link::of(&[(1.0, [20.0, 25.0])]).is_none());
    }
}
