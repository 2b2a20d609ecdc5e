//! Owns the run of a player's profile: from the games of one player to table, picture, page and positions to train on.

use std::path::{Path, PathBuf};

use super::{
    Finished, RunEnding, Viewer,
    origin::{judge, search_facts, source},
    report_target::calibrated,
    reporting::say_how_to_go_on,
};
use crate::chess::text::{counted, full_path, printable};
use crate::chess::{Refusal, Selection};
use crate::files::{FileNames, OutputFolder, RunClock, RunKind, output::command_line};
use crate::measure::Profile;
use crate::measure::players::{self, PlayerNameError};
use crate::report;
use crate::report::profile::{PROFILE, ProfileFacts};
use crate::report::{plots::Caption, tables, words};
use crate::verbs::app::evaluations::Evaluated;
use crate::verbs::app::plan::{Plan, ProfilePlan, ReadingPlan};
use crate::verbs::app::reading::{Input, REPORTS};
use crate::verbs::app::{evaluations, reading};
use crate::verbs::error::{ErrorKind, VerbError};

/// Moves that cost most which a profile keeps for its page.
const DEAREST: usize = 10;

/// Tells how the player of `plan` plays.
///
/// # Errors
///
/// If nobody or more than one player is meant, the games cannot be read or evaluated, or a file cannot be written.
pub fn run(plan: &ProfilePlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    let ProfilePlan { by, plan: shared, .. } = plan;
    shared.evaluations.check()?;
    let (input, player) = find(plan, viewer)?;
    reading::check_counted(std::slice::from_ref(&input), &shared.method.filter)?;
    reading::warn_of_bad_games([&input], viewer);
    let folder = claim(&player, shared)?;
    let evaluated = evaluations::evaluate(vec![input], &shared.evaluations, viewer)?;
    if evaluated.interrupted {
        say_how_to_go_on(shared, &evaluated, viewer);
        return Ok(Finished::new(String::new(), RunEnding::Interrupted));
    }
    let input = &evaluated.inputs[0];
    if input.games.is_empty() {
        return Err(input.nothing_left());
    }
    let rated = calibrated(&evaluated.rated, 0).ok();
    let profile = Profile::of(&input.games, &player, rated, by, &shared.method, DEAREST);
    let out = folder.publication()?;
    let formats = shared.report.formats();
    report::profile::write(&out, &profile, &input.games, &facts(&evaluated, shared), &formats)?;
    super::say_removed(
        &out.finish(&clock.record(RunKind::Profile, search_facts(&evaluated, shared)))?,
        viewer,
    );
    viewer.note(&format!("{}: see {}", printable(&player), full_path(folder.path())));
    let sentences = words::profile::sentences(&profile).join("\n");
    let tables = format!("{sentences}\n\n{}", tables::profile(&profile, viewer.screen()));
    let ending = if input.engine_failed { RunEnding::GamesFailed } else { RunEnding::Complete };
    Ok(Finished::new(tables, ending))
}

/// Reads the games of the player, and finds out who that is.
fn find(plan: &ProfilePlan, viewer: &dyn Viewer) -> Result<(Input, String), VerbError> {
    let reading = &plan.plan.reading;
    let mut wanted = reading.clone();
    wanted.selection.filter.games_of = vec![plan.player.clone()];
    let mut input = match reading::read_together(&plan.plan.files, &wanted, viewer) {
        Err(error) if *error.kind() == ErrorKind::NoneChosen(Refusal::GamesOf) => {
            return Err(nobody(plan, viewer)?.into());
        }
        read => read?,
    };
    let names = players::names(&input.games);
    let player = players::only(&names, &plan.player)?.to_owned();
    input.games.retain(|game| players::names([game]).contains(&player));
    Ok((input, player))
}

/// Returns the error that names who may have been meant, of all players that there are.
fn nobody(plan: &ProfilePlan, viewer: &dyn Viewer) -> Result<PlayerNameError, VerbError> {
    let reading = &plan.plan.reading;
    let selection = Selection { aliases: reading.selection.aliases.clone(), ..Selection::default() };
    let everybody = ReadingPlan { selection, ..reading.clone() };
    let input = reading::read_together(&plan.plan.files, &everybody, viewer)?;
    Ok(players::unknown(&players::names(&input.games), &plan.player))
}

/// Claims the folder of the player's report.
fn claim(player: &str, plan: &Plan) -> Result<OutputFolder, VerbError> {
    let name = format!("player-{}", FileNames::default().file_name_for(player));
    let path: PathBuf = plan.report.table.folder(|| Path::new(REPORTS).join(name));
    Ok(plan.report.table.claim(path, RunKind::Profile, PROFILE.file_names(&plan.report.formats(), []))?)
}

fn facts(evaluated: &Evaluated, plan: &Plan) -> ProfileFacts {
    let input = &evaluated.inputs[0];
    let engine = judge(&source(input, evaluated, plan), &input.games);
    let filters = plan.method.filter.names();
    let files: Vec<String> = plan.files.iter().map(|path| full_path(path)).collect();
    let mut making = vec![
        ("Evaluations".to_owned(), printable(&engine)),
        ("Games".to_owned(), counted(input.games.len() as u64, "game")),
        ("Files".to_owned(), files.join(", ")),
    ];
    if !filters.is_empty() {
        making.push(("Counted".to_owned(), filters.join("; ")));
    }
    making.extend(words::method::judge_warning(&engine).map(|warning| ("Judge".to_owned(), warning)));
    ProfileFacts {
        caption: Caption { engine, filters: filters.len() },
        making,
        command: command_line(),
        clip: plan.method.clip,
    }
}
