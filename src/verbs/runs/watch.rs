//! Owns the run that watches files which are still being written: it reads them again when they change, searches what is new
//! and writes the whole report anew.

use std::{fs, path::PathBuf, thread, time::SystemTime};

use super::{Finished, RunEnding, Viewer, tournament};
use crate::chess::text::counted;
use crate::chess::{Game, GameResult, pgn};
use crate::files::RunClock;
use crate::verbs::app::plan::{Plan, WatchPlan};
use crate::verbs::app::reading;
use crate::verbs::app::reading::Input;
use crate::verbs::args::ReportArgs;
use crate::verbs::error::{ErrorKind, VerbError};

/// Watches the files of `plan` until somebody stops it, or until all games have a result where that is wanted.
///
/// # Errors
///
/// If a path leads nowhere, the games cannot be evaluated, or a file cannot be written. What cannot be read is waited for.
pub fn run(plan: &WatchPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    check_paths(&plan.plan)?;
    let mut watched = Watched::default();
    loop {
        let found = FileState::of(&plan.plan.files);
        if watched.files.as_ref() != Some(&found) {
            watched.files = Some(found);
            if let Some(finished) = watched.look(plan, viewer)? {
                return Ok(finished);
            }
        }
        thread::sleep(plan.interval);
    }
}

/// Finds out whether the paths lead somewhere: a folder may fill later, and a file may.
fn check_paths(plan: &Plan) -> Result<(), VerbError> {
    if plan.files.is_empty() {
        return Err(VerbError::no_input());
    }
    match plan.files.iter().find(|path| !path.exists()) {
        Some(path) => Err(VerbError::no_such_path(path)),
        None => Ok(()),
    }
}

/// What tells whether a file has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileState {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    /// Returns the state of each file that the paths name; one that is just being replaced is none.
    fn of(paths: &[PathBuf]) -> Vec<FileState> {
        let files = pgn::files(paths).map(|found| found.files).unwrap_or_default();
        let state = |path: PathBuf| {
            let found = fs::metadata(&path).ok()?;
            Some(FileState { length: found.len(), modified: found.modified().ok(), path })
        };
        files.into_iter().filter_map(state).collect()
    }
}

/// What was seen last.
#[derive(Default)]
struct Watched {
    files: Option<Vec<FileState>>,
    games: Vec<Game>,
}

impl Watched {
    /// Reads the files and reports their games, if there are others than before. Gives back what is left to be shown where that is
    /// the end.
    fn look(&mut self, plan: &WatchPlan, viewer: &mut dyn Viewer) -> Result<Option<Finished>, VerbError> {
        let WatchPlan { plan, until_done, .. } = plan;
        let clock = RunClock::start();
        let inputs = match reading::read(&plan.files, plan.separately, &plan.reading, viewer) {
            Ok(inputs) => inputs,
            Err(error) => match error.kind() {
                ErrorKind::NoGames | ErrorKind::NoneChosen(_) | ErrorKind::NotFound(_) => {
                    viewer.note(&format!("waiting for games: {error}"));
                    return Ok(None);
                }
                _ => return Err(error),
            },
        };
        let games = games(&inputs);
        if games == self.games {
            return Ok(None);
        }
        let plies = |games: &[Game]| games.iter().map(|game| game.moves.len() as u64).sum::<u64>();
        if plies(&games) == 0 {
            viewer.note("waiting for the first move");
            return Ok(None);
        }
        let open = games.iter().filter(|game| game.result == GameResult::Unknown).count() as u64;
        viewer.note(&format!(
            "{}, {} under way, {}",
            counted(games.len() as u64, "game"),
            if open == 0 { "none".to_owned() } else { open.to_string() },
            counted(plies(&games), "move")
        ));
        let is_done = *until_done && open == 0 && !inputs.iter().any(|input| input.is_open);
        self.games = games;
        // A page that nobody writes anew has nothing to reload.
        let reload = plan.report.reload.filter(|_| !is_done);
        let plan = Plan { report: ReportArgs { reload, ..plan.report.clone() }, ..plan.clone() };
        let finished = tournament::analyse(inputs, &plan, &clock, viewer)?;
        Ok((is_done || finished.ending == RunEnding::Interrupted).then_some(finished))
    }
}

fn games(inputs: &[Input]) -> Vec<Game> {
    inputs.iter().flat_map(|input| input.games.iter().cloned()).collect()
}
