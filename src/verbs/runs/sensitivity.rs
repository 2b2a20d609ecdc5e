//! Owns the study of sensitivity: from stored evaluations to how far each choice of method moves the tables.

use std::path::Path;

use super::{Finished, RunEnding, Viewer, other_run, report_target::say_unrated};
use crate::chess::EvaluatedGame;
use crate::chess::text::{full_path, printable};
use crate::files::{Common, NoFacts, RunClock, RunKind};
use crate::measure::players;
use crate::measure::{JudgeAgreement, Method, MoveSample, Sensitivity, tournament::repeatability};
use crate::report::sensitivity::{RunComparison, SENSITIVITY, report};
use crate::report::{ReportError, publish::publish, tables};
use crate::verbs::app::plan::{EvaluationPlan, SensitivityPlan};
use crate::verbs::app::reading::Input;
use crate::verbs::app::{evaluations, reading};
use crate::verbs::error::VerbError;

/// Studies the tournament of `plan`.
///
/// # Errors
///
/// If the games cannot be read, nothing in them can count, evaluations are missing, or a file cannot be written.
pub fn run(plan: &SensitivityPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    let input = reading::read_together(&plan.files, &plan.reading, viewer)?;
    reading::check_counted(std::slice::from_ref(&input), &plan.method.filter)?;
    reading::warn_of_bad_games([&input], viewer);
    let elo = players::ratings(&players::names(&input.games), &plan.elo)?;
    let folder = plan.tables.folder(|| input.folder());
    let formats = plan.tables.formats();
    let folder = plan.tables.claim(folder, RunKind::Sensitivity, SENSITIVITY.file_names(&formats, []))?;
    let other = plan
        .other
        .as_deref()
        .map(|path| Ok::<_, VerbError>((path, other_run::read(path, &plan.reading, viewer)?)));
    let other = other.transpose()?;
    let name = input.name.clone();
    let games = evaluated(input, &plan.evaluations, viewer)?;
    let method = &plan.method;
    let sample = MoveSample::of(&games);
    let found = Sensitivity::of(&sample, &elo, method);
    let repeated = other.map(|(path, theirs)| compared(&sample, Common::of(games, theirs), path, method));
    let repeated = repeated.transpose();
    // Where there is nothing to compare, the rest is told all the same.
    let (repeated, failure) = match repeated {
        Ok(repeated) => (repeated, None),
        Err(error) => (None, Some(error)),
    };
    if found.lacks_engine_strength() {
        say_unrated(viewer);
    }
    let said = serde_json::to_string(method).map_err(ReportError::Json)?;
    let out = folder.publication()?.saying("method", said);
    publish(&report(&found, repeated.as_ref().map(|(compared, _)| compared)), &out, &formats)?;
    super::say_removed(&out.finish(&clock.record(RunKind::Sensitivity, NoFacts::default()))?, viewer);
    viewer.note(&format!("{}: see {}", printable(&name), full_path(folder.path())));
    let screen = viewer.screen();
    let mut tables = tables::sensitivity(&found, screen);
    if let Some((RunComparison { repeatability, judges, .. }, held)) = &repeated {
        tables += &format!("\n{}", tables::repeatability(repeatability, held, screen));
        tables += &format!("\n{}", tables::judges(judges, method, screen));
    }
    Ok(Finished { tables, ending: RunEnding::Complete, failure, report: None })
}

fn evaluated(
    input: Input,
    plan: &EvaluationPlan,
    viewer: &mut dyn Viewer,
) -> Result<Vec<EvaluatedGame>, VerbError> {
    plan.check()?;
    let mut inputs = evaluations::evaluate(vec![input], plan, viewer)?.inputs;
    let input_games = inputs.pop().unwrap_or_default();
    if input_games.games.is_empty() { Err(input_games.nothing_left()) } else { Ok(input_games.games) }
}

/// Returns the numbers of two runs beside each other, for the games that `common` has of those in `sample`; and
/// which games these are, in words.
fn compared(
    sample: &MoveSample,
    common: Common,
    path: &Path,
    method: &Method,
) -> Result<(RunComparison, String), VerbError> {
    if common.ours.is_empty() {
        return Err(other_run::nothing_in_common(&common, path));
    }
    let fewer = (common.ours.len() < sample.games).then(|| MoveSample::of(&common.ours));
    let (here, there) = (fewer.as_ref().unwrap_or(sample), MoveSample::of(&common.theirs));
    let comparison = RunComparison {
        repeatability: repeatability::rows(here, &there, method),
        games: common.ours.len(),
        judges: JudgeAgreement::of(here, &there, method),
        method: method.clone(),
    };
    Ok((comparison, other_run::held(&common, path)))
}
