//! Rating of play: statistics of moves, calibrated on events of players with known ratings.
//!
//! A [`Calibration`] is made from games evaluated by one engine with one protocol, and applies only to
//! evaluations of that kind. It gives the values of top moves and losses in Elo points, the errors of such
//! ratings in other events, and the average of each statistic as a function of the rating.

#[cfg(feature = "program")]
mod averages;
#[cfg(feature = "program")]
mod block;
mod centipawns;
mod counted;
#[cfg(feature = "program")]
mod design;
mod drift;
#[cfg(feature = "program")]
mod equating;
#[cfg(feature = "program")]
mod events;
mod file;
#[cfg(feature = "program")]
mod fitting;
pub(crate) mod model;
pub(crate) mod phase_means;
mod play;
mod rated_play;
mod rating_of_play;
#[cfg(feature = "program")]
mod sample;
mod scale;
mod screen;
pub(crate) mod statistic;
#[cfg(feature = "program")]
mod sums;
#[cfg(feature = "program")]
mod trials;
mod usual;
mod validation;
mod within;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

#[cfg(feature = "program")]
use self::fitting::Fitting;
#[cfg(feature = "program")]
pub(crate) use self::{
    centipawns::CentipawnScale, design::CalibrationDesign, design::DesignError, equating::COMPARED,
    events::shipped_events, file::ANCHOR, file::anchor_sums, file::shipped_names, rated_play::NoRating,
    rated_play::Uncalibrated, rated_play::calibrated_kinds, sample::CalibrationPlay,
    sample::CalibrationSample, screen::ScreenLead, sums::CalibrationData, validation::BandRow,
    validation::LengthRow, validation::PeriodRow,
};
pub(crate) use self::{
    centipawns::usual_factor, rated_play::CalibratedGames, rated_play::RatedPlay, rated_play::calibrated,
    within::FieldRating, within::Other,
};
pub use self::{
    counted::CountedMoves, model::Direction, model::RatingModel, play::GamePlay,
    rating_of_play::RatingOfPlay, rating_of_play::RatingRefusal, scale::RatingScale, screen::Screen,
    usual::ExpectedPlay, usual::UsualPlay, validation::TestedErrors, validation::Validation,
    within::WithinEvents,
};
use crate::chess::{
    Game, Phase, Protocol, RatingSystem, TimeClass, evaluated_game::LICHESS, evaluated_game::is_same_judge,
    evaluated_game::judge_of,
};
use crate::measure::tournament::MoveSample;
#[cfg(feature = "program")]
use crate::measure::tournament::statistics::Statistic;

/// The conversion of moves to ratings, for evaluations by one engine with one protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The version of the file, [`Calibration::VERSION`].
    pub calibration: u32,
    /// The program that made the calibration.
    pub made_by: String,
    /// The engine of the evaluations.
    pub engine: CalibratedEngine,
    /// The protocol of the evaluations.
    pub protocol: Protocol,
    /// The moves that count.
    pub filter: CountedMoves,
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// The direction of the regression.
    pub direction: Direction,
    /// Number of moves that completes a block of the fit. The last block of an event may be shorter.
    pub block: u64,
    /// The model for ratings from all moves of games.
    pub model: RatingModel,
    /// The models for ratings from the moves of one phase, by the phase's name.
    pub phases: BTreeMap<String, RatingModel>,
    /// The scatter of players within an event; `None` if the events have too few rated players with enough
    /// moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<WithinEvents>,
    /// The scatter of play about ratings, for screening an event; `None` unless the calibration was fitted to events over
    /// the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<Screen>,
    /// The average of each statistic as a function of the rating, one entry per statistic.
    pub usual: Vec<UsualPlay>,
    /// The calibration's errors in left-out events, then the errors of the other directions of the
    /// regression.
    pub validation: Vec<Validation>,
    /// The events of the fit or, if the calibration is `equated`, of the comparison.
    pub events: Vec<CalibrationEvent>,
    /// The calibration with which this one was equated on a few events; `None` if this one was fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equated: Option<EquatedWith>,
}

/// A comparison with another calibration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EquatedWith {
    /// The name of the shipped calibration.
    pub calibration: String,
    /// For each statistic, the correlation between the values by the two engines, over the players.
    pub correlations: BTreeMap<String, f64>,
    /// The error that is expected in other events, as in [`Calibration::error`]: the other calibration's error
    /// there, times the ratio of both errors in the compared events.
    pub error: f64,
    /// The 95 % interval of `error`.
    pub error_range: [f64; 2],
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibratedEngine {
    pub name: String,
    /// A digest of the engine's behavior: scores, nodes and best moves of a few positions. Builds of one
    /// version for different processors have the same digest.
    #[serde(rename = "behaviour")]
    pub behavior: String,
    pub options: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationEvent {
    pub name: String,
    pub games: usize,
    /// Number of counted moves of rated players.
    pub moves: u64,
    /// SHA-256 of the games' players, ratings, start positions and moves, in hexadecimal.
    pub digest: String,
}

#[cfg(feature = "program")]
impl CalibrationEvent {
    /// Returns an event without games.
    pub fn named(name: String) -> CalibrationEvent {
        CalibrationEvent { name, games: 0, moves: 0, digest: String::new() }
    }
}

#[cfg(feature = "program")]
impl CalibratedEngine {
    /// Returns an engine whose behavior and options are unknown.
    pub fn named(name: &str) -> CalibratedEngine {
        CalibratedEngine { name: name.to_owned(), behavior: String::new(), options: BTreeMap::new() }
    }
}

impl Calibration {
    /// The version of the file that this program reads and writes.
    pub const VERSION: u32 = 4;

    /// Smallest number of events. With fewer, the error of a rating in another event is unknown.
    pub const LEAST_EVENTS: usize = 5;

    /// Smallest number of moves of rated players. With fewer moves, the standard error of a slope may exceed a
    /// tenth of the slope. With the 27,867 moves of lichess-rapid, it is 0.08 of the slope.
    pub const LEAST_MOVES: u64 = 15_000;

    /// Options that do not affect a search to a fixed depth: options of the clock, of the output and of the
    /// placement of threads. Stockfish ignores `UCI_AnalyseMode`.
    const IDLE_OPTIONS: [&str; 9] = [
        "Debug Log File",
        "Minimum Thinking Time",
        "Move Overhead",
        "NumaPolicy",
        "Ponder",
        "Slow Mover",
        "UCI_AnalyseMode",
        "UCI_ShowWDL",
        "nodestime",
    ];

    /// The option for the folder of endgame tables. Without one, the other options of this prefix have no effect.
    const TABLES: [&str; 2] = ["SyzygyPath", "Syzygy"];

    /// Checks that a calibration applies to evaluations by an engine with this behavior, these options and
    /// this protocol.
    pub fn check(
        &self,
        behavior: &str,
        options: &BTreeMap<String, String>,
        protocol: &Protocol,
    ) -> Result<(), RatingRefusal> {
        if behavior != self.engine.behavior {
            return Err(RatingRefusal::OtherEngine { calibrated: self.engine.name.clone() });
        }
        let other = |calibrated: String, found: String| RatingRefusal::OtherSetting { calibrated, found };
        if *protocol != self.protocol {
            return Err(other(self.protocol.to_string(), protocol.to_string()));
        }
        let ours = &self.engine.options;
        let names = ours.keys().chain(options.keys());
        let [path, prefix] = Calibration::TABLES;
        let has_tables =
            |options: &BTreeMap<String, String>| options.get(path).is_some_and(|at| !at.is_empty());
        let are_tables_used = has_tables(ours) || has_tables(options);
        let is_idle = |name: &str| {
            Calibration::IDLE_OPTIONS.contains(&name) || name.starts_with(prefix) && !are_tables_used
        };
        let differs = |name: &&String| ours.get(*name) != options.get(*name) && !is_idle(name);
        match names.into_iter().find(differs) {
            None => Ok(()),
            Some(name) => {
                let told = |options: &BTreeMap<String, String>| match options.get(name) {
                    Some(value) => format!("{name} = {value}"),
                    None => format!("no option {name}"),
                };
                Err(other(told(ours), told(options)))
            }
        }
    }

    /// Returns the calibrations for `games`: for each kind of evaluations, the first calibration in the
    /// following order. First come calibrations on the scale of most games or, if no game is on a calibrated
    /// scale, on the scale nearest to most games. For games from a server, calibrations on other scales of
    /// lichess follow, then calibrations on the over-the-board scales. For over-the-board games, only
    /// calibrations on over-the-board scales are used. A single calibration in `all` applies to all games,
    /// because the user may have named it.
    pub fn for_games<'g>(all: Vec<Calibration>, games: impl Iterator<Item = &'g Game>) -> Vec<Calibration> {
        if all.len() < 2 {
            return all;
        }
        let systems = games.map(|game| (game.tags.rating_system(), game.tags.time_class(), 1));
        Calibration::for_systems(all, &systems.collect::<Vec<_>>())
    }

    /// Returns the calibrations for games like [`Calibration::for_games`]. `systems` has rating systems with
    /// the class of the time control, if known, and the number of the games.
    pub fn for_systems(
        mut all: Vec<Calibration>,
        systems: &[(RatingSystem, Option<TimeClass>, u64)],
    ) -> Vec<Calibration> {
        if all.len() < 2 {
            return all;
        }
        let is_of_server = systems.iter().any(|(system, ..)| system.is_of_server());
        let is_calibrated = |scale: &RatingScale| all.iter().any(|calibration| calibration.scale == *scale);
        let most = |scale_of: fn(RatingSystem, Option<TimeClass>) -> Option<RatingScale>| {
            let mut counts: BTreeMap<RatingScale, u64> = BTreeMap::new();
            for &(system, class, games) in systems {
                if let Some(scale) = scale_of(system, class).filter(is_calibrated) {
                    *counts.entry(scale).or_default() += games;
                }
            }
            counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(scale, _)| scale)
        };
        let own = most(|system, _| RatingScale::of_system(system)).or_else(|| most(RatingScale::nearest));
        let is_over_the_board = own.map_or(!is_of_server, RatingScale::is_over_the_board);
        let place = |calibration: &Calibration| match calibration.scale {
            scale if Some(scale) == own => 0,
            scale => 1 + usize::from(scale.is_over_the_board()),
        };
        // Without a search, no other calibration is better.
        let is_of_pool =
            |calibration: &Calibration| Some(calibration.scale) == own || !calibration.is_of_lichess();
        all.retain(|calibration| {
            is_of_pool(calibration) && (!is_over_the_board || calibration.scale.is_over_the_board())
        });
        all.sort_by_key(place);
        let mut kinds = BTreeSet::new();
        all.retain(|calibration| kinds.insert(calibration.kind()));
        all
    }

    /// Returns the root mean square error, in Elo points, of blocks of `Validation::BAND_LENGTH` moves in
    /// left-out events; infinite if it was not measured.
    pub fn error(&self) -> f64 {
        let measured = || Some(self.validation.first()?.error());
        self.equated.as_ref().map(|equated| equated.error).or_else(measured).unwrap_or(f64::INFINITY)
    }

    /// Returns the errors in left-out events. If the calibration is `equated`, its errors in the compared events are
    /// multiplied by the ratio of the expected error, [`Calibration::error`], to them.
    pub fn tested_errors(&self) -> TestedErrors {
        let Some(validation) = self.validation.first() else { return TestedErrors::default() };
        let tested = validation.tested_errors();
        if self.equated.is_none() {
            return tested;
        }
        let ratio = self.error() / validation.error();
        let by_moves = tested.by_moves.into_iter().map(|(moves, error)| (moves, ratio * error));
        TestedErrors { is_expected: true, by_moves: by_moves.collect(), ..tested }
    }

    /// Returns the kind of the calibration's evaluations, as a tag of recorded evaluations names it.
    pub fn kind(&self) -> String {
        match self.is_of_lichess() {
            true => LICHESS.to_owned(),
            false => judge_of(&self.engine.name, &self.protocol.brief()),
        }
    }

    /// Returns the kind of the evaluations with all settings of the search, if they are known.
    pub fn evaluations(&self) -> String {
        match self.is_of_lichess() {
            true => self.kind(),
            false => format!("{}, {}", self.engine.name, self.protocol),
        }
    }

    /// Returns whether the evaluations are lichess's.
    pub fn is_of_lichess(&self) -> bool {
        self.engine.name == LICHESS
    }

    /// Returns whether evaluations with this tag are of the calibration's kind.
    pub fn is_of_judge(&self, judge: &str) -> bool {
        is_same_judge(judge, &self.kind())
    }

    /// Rates the moves of one phase, from the phase's sums in each game. Each phase has its own model,
    /// because the averages of openings differ from the averages of endgames. Without a model of the phase,
    /// the rating is refused.
    pub fn rate_phase(&self, phase: Phase, games: &[GamePlay]) -> RatingOfPlay {
        match self.phases.get(&phase.to_string()) {
            Some(model) => model.rate(games),
            None => RatingOfPlay {
                outright: None,
                refusal: Some(RatingRefusal::NoModel { of: format!("the {phase}") }),
                ..self.model.rate(&[])
            },
        }
    }

    /// Rates a player of `sample` by the moves of whole games, or of one phase. If a rating in `sample` is on
    /// another scale, the calibration's mean does not apply to the players, and the rating is not shrunk to it.
    pub fn rate_of(&self, sample: &MoveSample, phase: Option<Phase>, games: &[GamePlay]) -> RatingOfPlay {
        let rating = match phase {
            Some(phase) => self.rate_phase(phase, games),
            None => self.model.rate(games),
        };
        if self.is_of(sample) { rating } else { rating.of_another_pool() }
    }

    /// Returns whether all ratings in the tags of `sample` belong to the pool of the calibration's scale.
    pub fn is_of(&self, sample: &MoveSample) -> bool {
        sample.rating_systems.iter().all(|system| self.scale.is_of(*system))
    }

    /// Returns the expected play of a player of this rating in this year, over `moves` moves. The statistics
    /// are in the order of [`Calibration::usual`]. Without a year, the mean year of the calibration is
    /// assumed. `None` if the rating is outside the model's range.
    pub fn expected(&self, elo: f64, moves: u64, year: Option<u16>) -> Option<Vec<ExpectedPlay>> {
        let [low, high] = self.model.elo_range;
        let drift = self.model.drift.as_ref().zip(year);
        let years = drift.map_or(0.0, |(drift, year)| drift.years_since(f64::from(year)) - drift.mean);
        (low..=high)
            .contains(&elo)
            .then(|| self.usual.iter().map(|usual| usual.expected(elo, moves, years)).collect())
    }
}

#[cfg(feature = "program")]
impl CalibrationDesign {
    /// Makes a calibration and tests it. In the test, each event is predicted by a fit to the other events.
    pub fn calibrate(&self, data: &CalibrationData) -> Result<Calibration, DesignError> {
        if !data.sample.counted.needs_best_moves() && self.statistics.contains(&Statistic::FirstChoice) {
            let mut without = self.clone();
            without.statistics.retain(|statistic| *statistic != Statistic::FirstChoice);
            return without.calibrate(data);
        }
        let sample = &data.sample;
        self.check(sample)?;
        let fitting = Fitting::of(self, sample, None);
        let model = fitting.model().ok_or(DesignError::NoRelation)?;
        let of_phase = |phase: Phase| {
            let model = Fitting::of(self, sample, Some(phase)).model()?;
            model.fault().is_none().then(|| (phase.to_string(), model))
        };
        let calibration = Calibration {
            within: (!sample.counted.is_of_sets())
                .then(|| WithinEvents::fit(&model, &sample.players(self.scale)))
                .flatten(),
            screen: (self.scale.is_over_the_board() && !sample.counted.is_of_sets())
                .then(|| Screen::fit(self, sample))
                .flatten()
                .map(|(screen, _)| screen),
            phases: Phase::ALL.into_iter().filter_map(of_phase).collect(),
            usual: fitting.usual(),
            validation: self.validations(sample).ok_or(DesignError::NoRelation)?,
            ..self.calibration(model, data)
        };
        calibration.fault().map_or(Ok(calibration), |fault| Err(DesignError::Fault(fault)))
    }

    /// Returns a calibration with this model, and without errors, phases and averages.
    fn calibration(&self, model: RatingModel, data: &CalibrationData) -> Calibration {
        Calibration {
            calibration: Calibration::VERSION,
            made_by: format!("gainalyze {}", env!("CARGO_PKG_VERSION")),
            engine: data.engine.clone(),
            protocol: data.protocol,
            filter: data.sample.counted,
            scale: self.scale,
            direction: self.direction,
            block: self.block,
            model,
            within: None,
            screen: None,
            phases: BTreeMap::new(),
            usual: Vec::new(),
            validation: Vec::new(),
            events: data.sample.events.clone(),
            equated: None,
        }
    }

    /// Returns the errors in left-out events for each direction of the regression, with the chosen direction
    /// first. `None` if the chosen direction is unusable because of noise; other unusable directions are left
    /// out.
    fn validations(&self, sample: &CalibrationSample) -> Option<Vec<Validation>> {
        let others = Direction::ALL.into_iter().filter(|direction| *direction != self.direction);
        let of = |direction| {
            let design = CalibrationDesign { direction, ..self.clone() };
            let fitting = Fitting::of(&design, sample, None);
            let models = fitting.models(fitting.variance()?)?;
            Some(Validation::of(direction, &fitting.trials(&models)?, &fitting.player_trials(&models)?))
        };
        Some(std::iter::once(of(self.direction)?).chain(others.filter_map(of)).collect())
    }
}

#[cfg(test)]
mod tests;
