//! The user's choices for the rating of play: the calibrations and the reference. Also finds the calibration of an
//! engine.

use std::{collections::BTreeMap, num::NonZeroU64, path::Path, path::PathBuf, time::Duration};

use crate::base::{input_file, text::counted, text::printable, text::shown_path, text::with_causes};
use crate::chess::{
    EvaluatedGame, Game, Protocol, evaluated_game::LICHESS, evaluated_game::judge_of,
    evaluated_game::judge_of_game, recorded_evaluations,
};
use crate::engine::{Behavior, builtin::is_builtin};
use crate::files::{Part, formats::part, formats::part::PartError};
use crate::measure::peers::{NoReference, Reference, ReferencePool};
use crate::measure::{
    Calibration, CentipawnScale, NoRating, Uncalibrated, calibration, calibration::calibrated_kinds,
};
use crate::verbs::error::{Result, VerbError};

#[derive(Debug, Clone, PartialEq, Default)]
pub enum CalibrationPlan {
    #[default]
    Shipped,
    /// The calibration of a file, or the shipped calibration of this name.
    File(PathBuf),
    /// This calibration, whose search settings the plan uses.
    Chosen(Box<Calibration>),
    /// No calibration, so no player gets a rating of play.
    Nowhere,
}

impl CalibrationPlan {
    /// Returns the calibrations for these games, in the order of [`Calibration::for_games`].
    pub fn load_for<'g>(&self, games: impl Iterator<Item = &'g Game>) -> Result<Vec<Calibration>> {
        Ok(Calibration::for_games(self.load()?, games))
    }

    pub fn load(&self) -> Result<Vec<Calibration>> {
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

/// The shipped references. data/reference/README.md says how they were made.
const OVER_THE_BOARD: &[u8] = include_bytes!("../../../data/reference/over-the-board.parquet");
const LICHESS_RAPID: &[u8] = include_bytes!("../../../data/reference/lichess-rapid.parquet");

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ReferencePlan {
    #[default]
    Shipped,
    File(PathBuf),
    /// No reference: games are not compared.
    Nowhere,
}

impl ReferencePlan {
    /// Returns the reference for these games. The shipped reference is of lichess's games if most of the games were
    /// played and analyzed there, and of over-the-board games otherwise.
    pub fn load_for<'g>(&self, games: impl Iterator<Item = &'g Game>) -> Result<Option<Reference>> {
        let (mut of_lichess, mut all) = (0, 0);
        for game in games {
            all += 1;
            let is_by_lichess = judge_of_game(game) == Some(LICHESS);
            of_lichess += usize::from(is_by_lichess && game.tags.rating_system().is_of_server());
        }
        self.load(if 2 * of_lichess > all { ReferencePool::Lichess } else { ReferencePool::OverTheBoard })
    }

    /// Returns the reference; the shipped one is of this pool.
    pub fn load(&self, pool: ReferencePool) -> Result<Option<Reference>> {
        match self {
            ReferencePlan::Nowhere => Ok(None),
            ReferencePlan::Shipped => {
                let bytes = if pool == ReferencePool::Lichess { LICHESS_RAPID } else { OVER_THE_BOARD };
                let part = part::read_bytes(Path::new("the built-in reference"), bytes);
                let read = reference_of(part)?.map_err(|error| VerbError::new(error.to_string()))?;
                Ok(Some(read.of_pool(pool)))
            }
            ReferencePlan::File(path) => {
                let no = |error: NoReference| {
                    VerbError::new(format!(
                        "{}: not a reference: {error}; write one with archive --by speed,elo-band --quantiles --partial FILE",
                        shown_path(path)
                    ))
                };
                Ok(Some(reference_of(part::read(path))?.map_err(no)?))
            }
        }
    }
}

fn reference_of(part: Result<Part, PartError>) -> Result<Result<Reference, NoReference>, PartError> {
    let Part { identity, tally, .. } = part?;
    let groups = tally.groups.into_iter().map(|(group, counts)| (group, counts.usual));
    Ok(Reference::new(identity.by, identity.quantiles, groups))
}

impl NoRating {
    /// Returns the hint that follows the reason. If an engine can be calibrated, the hint has the command,
    /// and the time that it takes on this machine if known.
    pub fn hint(&self) -> String {
        match self {
            NoRating::NotWanted => "; name one with --calibration FILE".to_owned(),
            NoRating::Centipawns(_) => ". To search with a calibrated engine, run gainalyze rate".to_owned(),
            NoRating::OtherKind { engine: Some(Uncalibrated { name, .. }), .. } if is_builtin(name) => {
                "; to use the built-in engine with its calibration, give --engine builtin without other \
                 engine or search options"
                    .to_owned()
            }
            NoRating::OtherKind { engine: Some(Uncalibrated { arguments, minutes, .. }), .. } => {
                let takes = minutes.map_or_else(String::new, |minutes| {
                    format!(" (about {})", counted(minutes.get(), "minute"))
                });
                format!(
                    "; to calibrate the engine{takes}, run gainalyze calibrate --quick {arguments}, then add --calibration \
                     calibration.json"
                )
            }
            NoRating::OtherKind { engine: None, .. } => {
                ". To search with a calibrated engine, run gainalyze rate".to_owned()
            }
        }
    }

    /// Returns the reason, with a list of the calibrated engines. For games that an engine searches, the reason
    /// is that this engine behaves like none of the calibrated engines.
    pub fn in_full(&self) -> String {
        let NoRating::OtherKind { engine: Some(Uncalibrated { name, .. }), calibrated, .. } = self else {
            return self.to_string();
        };
        format!("{} does not behave like any calibrated engine ({calibrated})", printable(name))
    }

    pub fn of_engine(engine: Uncalibrated, protocol: &Protocol, calibrations: &[Calibration]) -> NoRating {
        if calibrations.is_empty() {
            return NoRating::NotWanted;
        }
        NoRating::OtherKind {
            judge: Some(judge_of(&engine.name, &protocol.brief())),
            calibrated: calibrated_kinds(calibrations),
            engine: Some(engine),
        }
    }
}

/// Returns whether there are games, and all of them record evaluations of one calibration's kind on a known scale.
pub fn is_recorded<'g>(games: impl Iterator<Item = &'g Game> + Clone, calibrations: &[Calibration]) -> bool {
    let evaluated =
        |game: &Game| Some(EvaluatedGame::new(game.clone(), recorded_evaluations(game, None).ok()?));
    let has_scale = || CentipawnScale::of(&games.clone().filter_map(evaluated).collect::<Vec<_>>()).is_ok();
    let is_of = |calibration: &Calibration| {
        games.clone().all(|game| judge_of_game(game).is_some_and(|judge| calibration.is_of_judge(judge)))
            && (!calibration.is_of_lichess() || has_scale())
    };
    games.clone().next().is_some() && calibrations.iter().any(is_of)
}

/// Number of positions that `calibrate --quick` searches.
const POSITIONS: f64 = 31_000.0;

/// Time of a calibration search, as a multiple of the time of a [`Behavior`] search, which is four plies
/// shallower.
const LONGER: f64 = 8.0;

pub fn minutes(time_a_position: Duration, jobs: usize) -> Option<NonZeroU64> {
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::measure::{
        CalibrationData, Statistic, group::SpeedAndElo, peers::GamePart, peers::PlayCounts,
        peers::PlayMeasure, peers::length_class,
    };
    use crate::report::table::write_frame;

    /// The events of the calibrations from 2022 on that the reference counts; it counts all earlier events.
    const SINCE_2022: [&str; 8] = [
        "bucharest-2022",
        "china-ch-2025",
        "china-women-2025",
        "lebanon-ch-2025",
        "russia-hl-2025",
        "russia-women-hl-2025",
        "vojvodina-open-2025",
        "wijk-aan-zee-2023",
    ];

    fn is_counted(event: &str) -> bool {
        let is_earlier = ["2022", "2023", "2024", "2025"].iter().all(|year| !event.contains(year));
        is_earlier || SINCE_2022.contains(&event)
    }

    fn shipped() -> Part {
        part::read_bytes(Path::new("the built-in reference"), OVER_THE_BOARD).expect("a reference")
    }

    /// Returns the counts of accuracy and top moves by length, for each group, from the sums of the calibration.
    fn counts_by_length(kind: &str) -> BTreeMap<String, PlayCounts> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("data/calibration/sums-stockfish-15.1-depth-10.csv.zst");
        let text = zstd::decode_all(fs::read(path).expect("sums").as_slice()).expect("zstd");
        let data = CalibrationData::parse(&String::from_utf8(text).expect("utf-8")).expect("sums");
        assert!(kind.starts_with(&data.engine.name));
        let mut groups: BTreeMap<String, PlayCounts> = BTreeMap::new();
        for play in &data.sample.plays {
            let total = play.all();
            let length = length_class(total.moves() as usize);
            let event = &data.sample.events[play.event as usize].name;
            let Some(class) = length.filter(|_| is_counted(event)) else { continue };
            let counts = groups.entry(SpeedAndElo::of(None, Some(play.elo), 100).key()).or_default();
            let top_moves = total.mean(Statistic::FirstChoice);
            for (measure, value) in
                [(PlayMeasure::Accuracy, play.accuracy), (PlayMeasure::FirstChoice, top_moves)]
            {
                let tenths = (value.expect("a value") / PlayMeasure::STEP).round() as u32;
                counts.add(measure, GamePart::Length(class), tenths, 1).expect("a percentage");
            }
        }
        groups
    }

    #[test]
    fn the_reference_over_the_board_has_the_calibrations_games_by_length() {
        let kind = "Stockfish 15.1, depth 10, forward";
        let expected = counts_by_length(kind);
        let mut part = shipped();
        if std::env::var_os("UPDATE_DATA").is_some() {
            for (group, counts) in &expected {
                *part.tally.groups.get_mut(group).expect("a group").usual(kind) += counts;
            }
            let mut parquet = Vec::new();
            let frame = part::frame(&part.tally, &part.identity, &part.inputs).expect("a table");
            write_frame(frame, &mut parquet).expect("written");
            fs::write("data/reference/over-the-board.parquet", part::sealed(&parquet)).expect("written");
            return;
        }
        for (group, counts) in &mut part.tally.groups {
            let (found, expected) = (counts.usual(kind), &expected[group]);
            for measure in [PlayMeasure::Accuracy, PlayMeasure::FirstChoice] {
                let classes = GamePart::all().filter(|part| matches!(part, GamePart::Length(_)));
                for class in classes {
                    assert_eq!(found.of(measure, class), expected.of(measure, class), "{group}, {class}");
                }
                let whole = found.of(measure, GamePart::Whole).total();
                let lengths = (0..5).map(|class| found.of(measure, GamePart::Length(class)).total());
                assert_eq!(whole, lengths.sum::<u64>(), "{group}");
            }
        }
    }
}
