//! Owns the study of sensitivity: from stored evaluations to how far each choice of method moves the tables.

use std::path::Path;

use super::{Finished, RunEnding, RunError, Viewer, other_run};
use crate::{
    app::{
        evaluations,
        plan::{EvaluationPlan, SensitivityPlan},
        players,
        reading::{self, Input},
    },
    evaluated_game::EvaluatedGame,
    output::{NoFacts, RunClock, RunKind},
    report::{self, tables},
    rerun::Common,
    text::printable,
    tournament::{
        Method, MoveSample,
        repeatability::{self, Repeatability},
        sensitivity::Sensitivity,
    },
};

/// Studies the tournament of `plan`.
///
/// # Errors
///
/// If the games cannot be read, nothing in them can count, evaluations are missing, or a file cannot be written.
pub fn run(plan: &SensitivityPlan, viewer: &mut dyn Viewer) -> Result<Finished, RunError> {
    let clock = RunClock::start();
    let input = reading::read_together(&plan.files, &plan.reading, viewer)?;
    reading::check_counted(std::slice::from_ref(&input), &plan.method.filter)?;
    reading::warn_of_bad_games([&input], viewer);
    let elo = players::ratings(&players::names(&input.games), &plan.elo)?;
    let folder = plan.tables.folder(|| input.folder());
    let names = report::sensitivity_file_names(&plan.tables.formats);
    let folder = plan.tables.claim(folder, RunKind::Sensitivity, names)?;
    let other = plan
        .other
        .as_deref()
        .map(|path| Ok::<_, RunError>((path, other_run::read(path, &plan.reading, viewer)?)));
    let other = other.transpose()?;
    let name = input.name.clone();
    let games = evaluated(input, &plan.evaluations, viewer)?;
    let method = &plan.method;
    let sample = MoveSample::of(&games);
    let found = Sensitivity::of(&sample, &elo, method);
    let repeated = other.map(|(path, theirs)| Repeated::of(&sample, Common::of(games, theirs), path, method));
    let repeated = repeated.transpose();
    // Where there is nothing to compare, the rest is told all the same.
    let (repeated, failure) = match repeated {
        Ok(repeated) => (repeated, None),
        Err(error) => (None, Some(error)),
    };
    let rows = repeated.as_ref().map(|repeated| (repeated.rows.as_slice(), repeated.games));
    let out = folder.publication()?;
    report::write_sensitivity(&out, &found, rows, &plan.tables.formats)?;
    out.finish(&clock.record(RunKind::Sensitivity, NoFacts::default()))?;
    viewer.note(&format!("{}: see {}", printable(&name), folder.path().display()));
    let screen = viewer.screen();
    let mut tables = tables::sensitivity(&found, screen);
    if let Some(Repeated { rows, held, .. }) = &repeated {
        tables += &format!("\n{}", tables::repeatability(rows, held, screen));
    }
    Ok(Finished { tables, ending: RunEnding::Complete, failure })
}

fn evaluated(
    input: Input,
    plan: &EvaluationPlan,
    viewer: &mut dyn Viewer,
) -> Result<Vec<EvaluatedGame>, RunError> {
    plan.check()?;
    let mut inputs = evaluations::evaluate(vec![input], plan, viewer)?.inputs;
    let input_games = inputs.pop().unwrap_or_default();
    if input_games.games.is_empty() { Err(input_games.nothing_left().into()) } else { Ok(input_games.games) }
}

/// The numbers of two runs beside each other.
struct Repeated {
    rows: Vec<Repeatability>,
    /// How many games they are of.
    games: usize,
    /// Which they are.
    held: String,
}

impl Repeated {
    /// The games that `common` has of those in `sample`.
    fn of(sample: &MoveSample, common: Common, path: &Path, method: &Method) -> Result<Repeated, RunError> {
        if common.ours.is_empty() {
            return Err(other_run::nothing_in_common(&common, path));
        }
        let fewer = (common.ours.len() < sample.games).then(|| MoveSample::of(&common.ours));
        let there = MoveSample::of(&common.theirs);
        Ok(Repeated {
            rows: repeatability::rows(fewer.as_ref().unwrap_or(sample), &there, method),
            games: common.ours.len(),
            held: other_run::held(&common, path),
        })
    }
}
