//! Owns [`RatedPlay`]: the games of a run as a calibration wants them evaluated, or why there are none.

use std::{collections::BTreeMap, fmt, num::NonZeroU64, path::PathBuf, time::Duration};

use crate::chess::{
    EvaluatedGame, Game, Protocol, evaluated_game::JUDGE, evaluated_game::recorded_judge, input_file,
    text::counted, text::printable, text::shown_path, text::with_causes,
};
use crate::engine::{Behaviour, within::is_within};
use crate::measure::{Calibration, calibration};
use crate::store::SearchedGame;
use crate::verbs::error::VerbError;

#[derive(Debug, Clone, PartialEq, Default)]
pub enum CalibrationPlan {
    /// Those that are part of the program.
    #[default]
    Shipped,
    /// That of a file, or the one of those within the program that has this name.
    File(PathBuf),
    /// This one, which the search that is asked for is of the kind of.
    Chosen(Box<Calibration>),
    /// None: nobody is rated by his play.
    Nowhere,
}

impl CalibrationPlan {
    /// Returns the calibrations for these games, as [`Calibration::for_games`] has them.
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
                        "calibration {shown}: it is no file that can be read, and none of those within the program, \
                         {}: {error}",
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

/// The games of a run, each position evaluated by the engine of a calibration at its setting.
#[derive(Debug, Clone)]
pub struct RatedPlay {
    pub calibration: Calibration,
    /// The games of each input, in their order; those that the engine failed on are left out, and those of another scale.
    pub inputs: Vec<Vec<EvaluatedGame>>,
}

impl RatedPlay {
    /// Returns of each input the games on the scale of the calibration. Where none is, all of them count: the user has named the
    /// calibration, or other inputs are on its scale.
    pub fn new(calibration: Calibration, mut inputs: Vec<Vec<EvaluatedGame>>) -> RatedPlay {
        let is_taken = |game: &EvaluatedGame| calibration.scale.takes(game.game());
        for games in inputs.iter_mut().filter(|games| games.iter().any(is_taken)) {
            games.retain(is_taken);
        }
        RatedPlay { calibration, inputs }
    }

    /// Returns what was searched for a rating of games of several inputs, each with the number of its input.
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

    /// Returns the games of several inputs as they are, if their recorded evaluations are of the kind of a calibration.
    pub fn of_recorded<'g>(
        inputs: impl Iterator<Item = &'g Vec<EvaluatedGame>> + Clone,
        calibrations: &[Calibration],
    ) -> Result<RatedPlay, NoRating> {
        RatedPlay::of_kind(recorded_judge(inputs.clone().flatten()), inputs, calibrations)
    }

    /// Returns the games of several inputs as they are, if the evaluations of `judge` are of the kind of a calibration.
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
    /// Nobody wants it, or there is no calibration at all.
    NotWanted,
    /// The evaluations are not of a calibrated kind.
    OtherKind {
        /// Their engine with how it is asked, where that is known and the same for all.
        judge: Option<String>,
        calibrated: Vec<String>,
        /// The engine that searches them; `None` of recorded ones.
        engine: Option<Uncalibrated>,
    },
}

/// An engine that has no calibration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncalibrated {
    name: String,
    /// The options of a command line that mean it, set as it is.
    arguments: String,
    /// How long a calibration of it takes, where it told how fast it is.
    minutes: Option<NonZeroU64>,
}

impl Uncalibrated {
    /// Returns an engine of this name that works in so many processes, which `arguments` mean.
    pub fn new(name: &str, arguments: String, jobs: usize, behaviour: Option<&Behaviour>) -> Uncalibrated {
        let minutes = behaviour.and_then(|found| minutes(found.time_a_position, jobs));
        Uncalibrated { name: name.to_owned(), arguments, minutes }
    }
}

impl NoRating {
    /// Returns what could be asked for otherwise, as it follows the reason.
    pub fn hint(&self) -> String {
        match self {
            NoRating::NotWanted => " (--calibration FILE)".to_owned(),
            NoRating::OtherKind { engine: Some(Uncalibrated { name, .. }), .. } if is_within(name) => {
                " (it is this program's own: --engine builtin runs it as it is calibrated)".to_owned()
            }
            NoRating::OtherKind { engine: Some(Uncalibrated { arguments, .. }), .. } => {
                format!(" (gainalyze calibrate {arguments}, and then --calibration calibration.json)")
            }
            NoRating::OtherKind { engine: None, .. } => " (gainalyze rate searches so)".to_owned(),
        }
    }

    /// Writes the same for who can do something about it, with the time that it takes on this machine.
    pub fn in_full(&self) -> String {
        let NoRating::OtherKind { engine: Some(Uncalibrated { name, minutes, .. }), calibrated, .. } = self
        else {
            return self.to_string();
        };
        let (engine, calibrated) = (printable(name), calibrated.join("; "));
        let minutes = minutes.filter(|_| !is_within(name));
        let takes = minutes.map_or_else(String::new, |minutes| {
            format!("; calibrating it takes some {}", counted(minutes.get(), "minute"))
        });
        format!("{engine} behaves like no engine that is calibrated ({calibrated}){takes}")
    }

    pub fn of_judge(judge: Option<&str>, calibrations: &[Calibration]) -> NoRating {
        let calibrated = calibrations.iter().map(Calibration::kind).collect();
        NoRating::OtherKind { judge: judge.map(str::to_owned), calibrated, engine: None }
    }

    /// Returns the reason for an engine of no calibration.
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
    /// Writes what is the same on every machine, of evaluations that are searched and of those that are read back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoRating::OtherKind { judge, calibrated, .. } = self else {
            return f.write_str("no calibration is at hand");
        };
        let judge = judge.as_deref().map_or_else(|| "an engine not named".to_owned(), printable);
        write!(f, "the evaluations are by {judge}, and what is calibrated is {}", calibrated.join("; "))
    }
}

/// Tells whether all of the games say that their evaluations are of the kind of one calibration.
pub fn is_recorded<'g>(games: impl Iterator<Item = &'g Game> + Clone, calibrations: &[Calibration]) -> bool {
    let is_of = |calibration: &Calibration| {
        let kind = calibration.kind();
        games.clone().all(|game| game.tags.get(JUDGE) == Some(kind.as_str()))
    };
    games.clone().next().is_some() && calibrations.iter().any(is_of)
}

/// Positions of the events that a calibration is made from.
const POSITIONS: f64 = 344_000.0;

/// Time of a search for a calibration in times of one of [`Behaviour`], which is four plies less deep.
const LONGER: f64 = 8.0;

/// Returns how long a calibration takes, in minutes.
fn minutes(time_a_position: Duration, jobs: usize) -> Option<NonZeroU64> {
    let seconds = LONGER * time_a_position.as_secs_f64() * POSITIONS / jobs.max(1) as f64;
    NonZeroU64::new((seconds / 60.0).ceil() as u64)
}

/// Finds the calibration of an engine that behaves so and has these options: on the scale of the first, that of `protocol`, so that
/// nothing is searched twice, else the first.
pub fn of_engine<'c>(
    calibrations: &'c [Calibration],
    behaviour: &Behaviour,
    options: &BTreeMap<String, String>,
    protocol: &Protocol,
) -> Option<&'c Calibration> {
    let fits = |calibration: &&Calibration| {
        calibration.check(&behaviour.digest, options, &calibration.protocol).is_ok()
    };
    let mut fitting = calibrations.iter().filter(fits).peekable();
    let first = fitting.peek().copied();
    let is_on_its_scale =
        |calibration: &Calibration| first.is_some_and(|first| first.scale == calibration.scale);
    fitting.find(|calibration| calibration.protocol == *protocol && is_on_its_scale(calibration)).or(first)
}
