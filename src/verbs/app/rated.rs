//! [`RatedPlay`]: the games of a run, evaluated at a calibration's setting. [`NoRating`]: the reason why
//! there are no such games.

use std::{collections::BTreeMap, fmt, num::NonZeroU64, path::PathBuf, time::Duration};

use crate::chess::{
    EvaluatedGame, Game, Protocol, evaluated_game::JUDGE, evaluated_game::recorded_judge, input_file,
    text::counted, text::printable, text::shown_path, text::with_causes,
};
use crate::engine::{Behavior, builtin::is_builtin};
use crate::measure::{Calibration, calibration};
use crate::store::SearchedGame;
use crate::verbs::error::VerbError;

#[derive(Debug, Clone, PartialEq, Default)]
pub enum CalibrationPlan {
    /// The shipped calibrations.
    #[default]
    Shipped,
    /// The calibration of a file, or the shipped calibration of this name.
    File(PathBuf),
    /// This calibration; the requested search has its settings.
    Chosen(Box<Calibration>),
    /// No calibration, so no player gets a rating of play.
    Nowhere,
}

impl CalibrationPlan {
    /// Returns the calibrations for these games, in the order of [`Calibration::for_games`].
    pub fn load_for<'g>(&self, games: impl Iterator<Item = &'g Game>) -> Result<Vec<Calibration>, VerbError> {
        Ok(Calibration::for_games(self.load()?, games))
    }

    pub fn load(&self) -> Result<Vec<Calibration>, VerbError> {
        match self {
            CalibrationPlan::Shipped => Ok(Calibration::shipped()),
            CalibrationPlan::Chosen(calibration) => Ok(vec![Calibration::clone(calibration)]),
            CalibrationPlan::Nowhere => Ok(Vec::new()),
            CalibrationPlan::File(path) => {
                if let Some(shipped) = path.to_str().and_then(Calibration::shipped_as) {
                    return Ok(vec![shipped]);
                }
                let shown = shown_path(path);
                let text = input_file::read_text(path, input_file::SETTINGS).map_err(|error| {
                    VerbError::new(format!(
                        "calibration {shown}: {}; name a file, or a built-in calibration: {}",
                        with_causes(&error),
                        calibration::shipped_names().collect::<Vec<_>>().join(", ")
                    ))
                })?;
                let parsed = Calibration::parse(&text);
                let wrong = |error| VerbError::new(format!("{shown}: {}", with_causes(&error)));
                Ok(vec![parsed.map_err(wrong)?])
            }
        }
    }
}

/// The games of a run, with each position evaluated by the engine of a calibration at its setting.
#[derive(Debug, Clone)]
pub struct RatedPlay {
    pub calibration: Calibration,
    /// The games of each input, in their order. Games on which the engine failed are missing, and so are
    /// games of another scale if the input has games on the calibration's scale.
    pub inputs: Vec<Vec<EvaluatedGame>>,
}

impl RatedPlay {
    /// Returns each input's games on the scale of the calibration. If an input has none, all of its games
    /// count, because the user named the calibration or other inputs are on its scale.
    pub fn new(calibration: Calibration, mut inputs: Vec<Vec<EvaluatedGame>>) -> RatedPlay {
        let is_taken = |game: &EvaluatedGame| calibration.scale.takes(game.game());
        for games in inputs.iter_mut().filter(|games| games.iter().any(is_taken)) {
            games.retain(is_taken);
        }
        RatedPlay { calibration, inputs }
    }

    /// Returns the completely searched games of several inputs for a rating. Each game comes with the number
    /// of its input.
    pub fn of_search<'g>(
        calibration: Calibration,
        games: impl Iterator<Item = (usize, &'g SearchedGame)>,
        number_of_inputs: usize,
    ) -> RatedPlay {
        let mut inputs = vec![Vec::new(); number_of_inputs];
        for (input, game) in games {
            if let SearchedGame::Complete(game) = game {
                inputs[input].push(game.as_ref().clone());
            }
        }
        RatedPlay::new(calibration, inputs)
    }

    /// Returns the games of several inputs with their recorded evaluations, if these are of a calibration's
    /// kind; otherwise the reason why there is no rating.
    pub fn of_recorded<'g>(
        inputs: impl Iterator<Item = &'g Vec<EvaluatedGame>> + Clone,
        calibrations: &[Calibration],
    ) -> Result<RatedPlay, NoRating> {
        RatedPlay::of_kind(recorded_judge(inputs.clone().flatten()), inputs, calibrations)
    }

    /// Returns the games of several inputs, if the evaluations of `judge` are of a calibration's kind;
    /// otherwise the reason why there is no rating.
    pub fn of_kind<'g>(
        judge: Option<&str>,
        inputs: impl Iterator<Item = &'g Vec<EvaluatedGame>>,
        calibrations: &[Calibration],
    ) -> Result<RatedPlay, NoRating> {
        if calibrations.is_empty() {
            return Err(NoRating::NotWanted);
        }
        let found = calibrations.iter().find(|calibration| judge == Some(calibration.kind().as_str()));
        let calibration = found.cloned().ok_or_else(|| NoRating::of_judge(judge, calibrations))?;
        Ok(RatedPlay::new(calibration, inputs.cloned().collect()))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRating {
    /// Ratings are not wanted, or there is no calibration at all.
    NotWanted,
    /// The evaluations are not of a calibrated kind.
    OtherKind {
        /// The engine with its search limit, if both are known and equal for all games.
        judge: Option<String>,
        calibrated: Vec<String>,
        /// The engine that searches the games; `None` for recorded evaluations.
        engine: Option<Uncalibrated>,
    },
}

/// An engine that has no calibration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncalibrated {
    name: String,
    /// The options of a command line that select the engine with its settings.
    arguments: String,
    /// Minutes that a calibration of the engine takes; `None` if the engine's speed is unknown.
    minutes: Option<NonZeroU64>,
}

impl Uncalibrated {
    /// Returns the engine `name` in `jobs` processes; `arguments` select it on a command line.
    pub fn new(name: &str, arguments: String, jobs: usize, behavior: Option<&Behavior>) -> Uncalibrated {
        let minutes = behavior.and_then(|found| minutes(found.time_a_position, jobs));
        Uncalibrated { name: name.to_owned(), arguments, minutes }
    }
}

impl NoRating {
    /// Returns the hint that follows the reason. If an engine can be calibrated, the hint has the command,
    /// and the time that it takes on this machine if known.
    pub fn hint(&self) -> String {
        match self {
            NoRating::NotWanted => "; name one with --calibration FILE".to_owned(),
            NoRating::OtherKind { engine: Some(Uncalibrated { name, .. }), .. } if is_builtin(name) => {
                "; --engine builtin runs the built-in engine as calibrated".to_owned()
            }
            NoRating::OtherKind { engine: Some(Uncalibrated { arguments, minutes, .. }), .. } => {
                let takes = minutes.map_or_else(String::new, |minutes| {
                    format!(" (about {})", counted(minutes.get(), "minute"))
                });
                format!(
                    "; to calibrate the engine{takes}, run gainalyze calibrate {arguments}, then add --calibration \
                     calibration.json"
                )
            }
            NoRating::OtherKind { engine: None, .. } => {
                ". To search with a calibrated engine, run gainalyze rate".to_owned()
            }
        }
    }

    /// Returns the reason, with a list of the calibrated engines. If an engine searches the games, the reason is
    /// that it behaves like none of them.
    pub fn in_full(&self) -> String {
        let NoRating::OtherKind { engine: Some(Uncalibrated { name, .. }), calibrated, .. } = self else {
            return self.to_string();
        };
        let (engine, calibrated) = (printable(name), calibrated.join("; "));
        format!("{engine} does not behave like any calibrated engine ({calibrated})")
    }

    pub fn of_judge(judge: Option<&str>, calibrations: &[Calibration]) -> NoRating {
        let calibrated = calibrations.iter().map(Calibration::kind).collect();
        NoRating::OtherKind { judge: judge.map(str::to_owned), calibrated, engine: None }
    }

    /// Returns the reason for an engine without calibration.
    pub fn of_engine(engine: Uncalibrated, protocol: &Protocol, calibrations: &[Calibration]) -> NoRating {
        if calibrations.is_empty() {
            return NoRating::NotWanted;
        }
        NoRating::OtherKind {
            judge: Some(format!("{}, {}", engine.name, protocol.brief())),
            calibrated: calibrations.iter().map(Calibration::kind).collect(),
            engine: Some(engine),
        }
    }
}

impl fmt::Display for NoRating {
    /// Writes the reason without the parts that depend on the machine, so that searched and stored
    /// evaluations give the same text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoRating::OtherKind { judge, calibrated, .. } = self else {
            return f.write_str("no calibration is available");
        };
        let judge = judge.as_deref().map_or_else(|| "an unnamed engine".to_owned(), printable);
        write!(f, "the evaluations are by {judge}, but calibrations exist only for {}", calibrated.join("; "))
    }
}

/// Returns whether there are games, and all of them record evaluations of one calibration's kind.
pub fn is_recorded<'g>(games: impl Iterator<Item = &'g Game> + Clone, calibrations: &[Calibration]) -> bool {
    let is_of = |calibration: &Calibration| {
        let kind = calibration.kind();
        games.clone().all(|game| game.tags.get(JUDGE) == Some(kind.as_str()))
    };
    games.clone().next().is_some() && calibrations.iter().any(is_of)
}

/// Number of positions that a calibration searches.
const POSITIONS: f64 = 344_000.0;

/// Time of a calibration search, as a multiple of the time of a [`Behavior`] search, which is four plies
/// shallower.
const LONGER: f64 = 8.0;

/// Returns the time of a calibration, in minutes.
fn minutes(time_a_position: Duration, jobs: usize) -> Option<NonZeroU64> {
    let seconds = LONGER * time_a_position.as_secs_f64() * POSITIONS / jobs.max(1) as f64;
    NonZeroU64::new((seconds / 60.0).ceil() as u64)
}

/// Finds the calibration of an engine with this behavior and these options. Only calibrations on the scale of
/// the first fitting calibration count. The calibration with `protocol` is preferred, so that nothing is
/// searched twice; otherwise the first fitting calibration is taken.
pub fn of_engine<'c>(
    calibrations: &'c [Calibration],
    behavior: &Behavior,
    options: &BTreeMap<String, String>,
    protocol: &Protocol,
) -> Option<&'c Calibration> {
    let fits = |calibration: &&Calibration| {
        calibration.check(&behavior.digest, options, &calibration.protocol).is_ok()
    };
    let mut fitting = calibrations.iter().filter(fits).peekable();
    let first = fitting.peek().copied();
    let is_on_its_scale =
        |calibration: &Calibration| first.is_some_and(|first| first.scale == calibration.scale);
    fitting.find(|calibration| calibration.protocol == *protocol && is_on_its_scale(calibration)).or(first)
}
