//! Owns the run that calibrates ratings of play: from the games of rated players to a file, a table and pictures.

use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use shakmaty::ByColor;

use super::{Finished, RunEnding, Viewer, shard};
use crate::chess::Game;
use crate::chess::text::{counted, shown_path, with_causes};
use crate::engine::Behaviour;
use crate::files::output::{check_writable, write_named_file};
use crate::files::{FileError, PictureFormat};
use crate::measure::{CalibratedEngine, Calibration, CalibrationData, CalibrationSample, RatingScale};
use crate::report::{ReportError, calibration::pictures::drawings, calibration::shown};
use crate::verbs::app::plan::{CalibratingPlan, CalibrationSource, EnginePlan, EvaluationPlan};
use crate::verbs::app::{evaluations, event_loop, reading};
use crate::verbs::error::VerbError;
use crate::verbs::{app::evaluations::Evaluated, app::reading::Input};

/// Calibrates as `plan` says.
///
/// # Errors
///
/// If the games cannot be read or evaluated, are too few, tell nothing, or a file cannot be written.
pub fn run(plan: &CalibratingPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    plan.keep_sums.iter().chain([&plan.output]).try_for_each(|path| check_writable(path))?;
    let (data, ending) = match &plan.source {
        CalibrationSource::Sums(path) => (Some(read_sums(path)?), RunEnding::Complete),
        CalibrationSource::Events { files, reading, evaluations } => {
            let inputs = reading::read(files, true, reading, viewer)?;
            reading::warn_of_bad_games(&inputs, viewer);
            let (events, moves) = rated(&inputs, plan.design.scale);
            plan.design.check_counts(events, moves)?;
            if let Some(part) = evaluations.shard {
                return shard::run(inputs, evaluations, part, viewer);
            }
            evaluated(inputs, evaluations, viewer)?
        }
    };
    let Some(data) = data else { return Ok(Finished::new(String::new(), ending)) };
    if let Some(path) = &plan.keep_sums {
        write_sums(path, &data)?;
    }
    let calibration = plan.design.calibrate(&data.sample, data.engine.clone(), data.protocol.clone())?;
    write_bytes(&plan.output, calibration.to_json().as_bytes())?;
    for (name, drawing) in drawings(&calibration) {
        for &format in &plan.pictures {
            let bytes = format.encode(&drawing).map_err(ReportError::from)?;
            write_bytes(&beside(&plan.output, name, format), &bytes)?;
        }
    }
    viewer.note(&told(&calibration, &plan.output));
    Ok(Finished::new(shown(&calibration, viewer.screen()), ending))
}

/// Returns how many events have rated players, and how many moves these made: too few are refused before the search.
fn rated(inputs: &[Input], scale: RatingScale) -> (usize, u64) {
    let moves_of = |game: &Game| -> u64 {
        let is_rated = ByColor::new_with(|color| scale.of_game(game, color).is_some());
        game.movers().filter(|mover| *is_rated.get(*mover)).count() as u64
    };
    let moves =
        inputs.iter().map(|input| input.games.iter().map(moves_of).sum::<u64>()).filter(|&moves| moves > 0);
    moves.fold((0, 0), |(events, all), moves| (events + 1, all + moves))
}

/// Evaluates events; no data where the user stopped it.
fn evaluated(
    inputs: Vec<Input>,
    plan: &EvaluationPlan,
    viewer: &mut dyn Viewer,
) -> Result<(Option<CalibrationData>, RunEnding), VerbError> {
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    let Evaluated { inputs, engine, interrupted, .. } = evaluations::evaluate(inputs, plan, viewer)?;
    let Some(engine) = engine.filter(|_| !interrupted) else {
        viewer.note("interrupted: the same command goes on, and no calibration is written before its end");
        return Ok((None, RunEnding::Interrupted));
    };
    let mut sample = CalibrationSample::default();
    for (name, games) in names.iter().zip(&inputs) {
        sample.add(name, &games.games);
    }
    let has_failed = inputs.iter().any(|games| games.engine_failed);
    let ending = if has_failed { RunEnding::GamesFailed } else { RunEnding::Complete };
    let engine = CalibratedEngine {
        name: engine.name,
        behaviour: behaviour(&plan.engine)?.digest,
        options: engine.options,
    };
    Ok((Some(CalibrationData { engine, protocol: plan.protocol.into(), sample }), ending))
}

/// Finds out how the engine of the plan behaves.
fn behaviour(plan: &EnginePlan) -> Result<Behaviour, VerbError> {
    let command = plan.command()?;
    event_loop()?.block_on(async {
        let mut engine = command.start().await?;
        let behaviour = Behaviour::of(&mut engine).await?;
        engine.quit().await;
        Ok(behaviour)
    })
}

fn told(calibration: &Calibration, path: &Path) -> String {
    let moves = calibration.events.iter().map(|event| event.moves).sum();
    format!(
        "{} of {}: see {}",
        counted(moves, "move"),
        counted(calibration.events.len() as u64, "event"),
        shown_path(path)
    )
}

/// Returns the name of a file beside the calibration's.
fn beside(output: &Path, name: &str, format: PictureFormat) -> PathBuf {
    let stem = output.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    output.with_file_name(format!("{stem}-{name}.{format}"))
}

/// Of zstd: smaller files take many times as long.
const LEVEL: i32 = 19;

fn write_sums(path: &Path, data: &CalibrationData) -> Result<(), VerbError> {
    let mut packed = Vec::new();
    let failed = |source| FileError::Write { path: path.to_owned(), source };
    let mut encoder = zstd::Encoder::new(&mut packed, LEVEL).map_err(failed)?;
    data.write(&mut encoder).and_then(|()| encoder.finish().map(drop)).map_err(failed)?;
    write_bytes(path, &packed)
}

/// Reads what [`write_sums`] writes, packed or not.
fn read_sums(path: &Path) -> Result<CalibrationData, VerbError> {
    let wrong = |why: String| VerbError::new(format!("{}: {why}", shown_path(path)));
    let text = text_of(path).map_err(|error| wrong(format!("it cannot be read: {}", with_causes(&error))))?;
    CalibrationData::parse(&text).map_err(|error| wrong(with_causes(&error)))
}

fn text_of(path: &Path) -> io::Result<String> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "zst") {
        zstd::Decoder::new(reader)?.read_to_string(&mut text)?;
    } else {
        reader.read_to_string(&mut text)?;
    }
    Ok(text)
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), VerbError> {
    let failed = |source| FileError::Write { path: path.to_owned(), source };
    Ok(write_named_file(path, |file| file.write_all(bytes).map_err(failed))?)
}
