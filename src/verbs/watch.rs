//! The verb `watch`: reads files that are still being written, again and again, and makes a new report after
//! each change.

use std::{fs, mem, path::Path, path::PathBuf, thread, time::Duration, time::SystemTime};

use clap::{Arg, Args};

use crate::base::{output::RunClock, text::counted, text::full_path};
use crate::chess::{Game, GameResult, pgn};
use crate::verbs::{
    analyze, analyze::AnalyzeArgs, args::ReportArgs, error::ErrorKind, error::Result, error::VerbError,
    input, input::Input, plan::ReadingPlan, runs::Finished, runs::Plan, runs::RunEnding, runs::Viewer,
};

/// Options for experiments and for many machines. These options work here too, but the help does not show
/// them.
const NOT_HERE: [&str; 9] =
    ["bin", "tie", "elo-curve", "engine-histogram", "segment", "order", "shard", "queue", "priority"];

fn without_research(arg: Arg) -> Arg {
    match arg.get_long().is_some_and(|long| NOT_HERE.contains(&long)) {
        true => arg.hide(true),
        false => arg,
    }
}

#[derive(Debug, Clone, Args)]
#[command(mut_args(without_research))]
pub struct WatchArgs {
    /// Seconds between two checks of the files, and between reloads of the page.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub interval: u32,
    /// Stop when every game has a result.
    #[arg(long)]
    pub until_done: bool,
    #[command(flatten)]
    pub analyze: AnalyzeArgs,
}

const STANDARD_INPUT: &str = "standard input cannot be read again: watch a file or a folder";

impl WatchArgs {
    pub fn plan(&self) -> Result<Plan, String> {
        let plan = self.analyze.plan()?;
        if plan.files.iter().any(|path| path == Path::new("-")) {
            return Err(STANDARD_INPUT.to_owned());
        }
        self.analyze.tournament.source.engine.check_single("watch")?;
        let mut selection = plan.reading.selection.clone();
        selection.growing = true;
        Ok(Plan {
            reading: ReadingPlan { selection, ..plan.reading },
            report: ReportArgs { reload: Some(self.interval), ..plan.report },
            ..plan
        })
    }
}

pub fn run(args: &WatchArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let plan = args.plan()?;
    check_paths(&plan)?;
    let mut watched = Watched::default();
    loop {
        let found = FileState::of(&plan.files);
        if watched.files.as_ref() != Some(&found) {
            watched.files = Some(found);
            if let Some(finished) = watched.look(&plan, args.until_done, viewer)? {
                // The first report named the page.
                return Ok(Finished { report: None, ..finished });
            }
        }
        thread::sleep(Duration::from_secs(args.interval.into()));
    }
}

/// Checks that there are paths, and that each exists. Folders may be filled later, and files may grow.
fn check_paths(plan: &Plan) -> Result<()> {
    if plan.files.is_empty() {
        return Err(VerbError::no_input());
    }
    match plan.files.iter().find(|path| !path.exists()) {
        Some(path) => Err(VerbError::no_such_path(path)),
        None => Ok(()),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct FileState {
    path: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
    identity: FileIdentity,
}

/// Facts that change even if a program restores the length and time of a file: its inode number, and the time
/// of its last status change.
#[cfg(unix)]
type FileIdentity = (u64, i64, i64);

#[cfg(not(unix))]
type FileIdentity = ();

#[cfg(unix)]
fn identity(facts: &fs::Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    (facts.ino(), facts.ctime(), facts.ctime_nsec())
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> FileIdentity {}

impl FileState {
    /// Returns the state of each file in `paths`, and of each game file in the folders among them. The result
    /// is empty if a path is missing, or if a folder has no games. A file that is being replaced at that
    /// moment is left out.
    fn of(paths: &[PathBuf]) -> Vec<FileState> {
        let files = pgn::files(paths).map(|found| found.files).unwrap_or_default();
        let state = |path: PathBuf| {
            let found = fs::metadata(&path).ok()?;
            Some(FileState {
                length: found.len(),
                modified: found.modified().ok(),
                identity: identity(&found),
                path,
            })
        };
        files.into_iter().filter_map(state).collect()
    }
}

#[derive(Default)]
struct Watched {
    files: Option<Vec<FileState>>,
    games: Vec<Game>,
    is_page_named: bool,
}

impl Watched {
    /// Reads the files, and makes a report if their games have changed. Returns the finished run after the
    /// last report, or if the user has interrupted it.
    fn look(&mut self, plan: &Plan, until_done: bool, viewer: &mut dyn Viewer) -> Result<Option<Finished>> {
        let clock = RunClock::start();
        let inputs = match input::read(&plan.files, plan.separately, &plan.reading, viewer) {
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
        let open = games.iter().filter(|game| game.result == GameResult::Unknown).count() as u64;
        let is_done = until_done && open == 0 && !inputs.iter().any(|input| input.is_open);
        // The last words of a file may add nothing but its end.
        if games == self.games && !is_done {
            return Ok(None);
        }
        let plies = |games: &[Game]| games.iter().map(|game| game.moves.len() as u64).sum::<u64>();
        if plies(&games) == 0 {
            viewer.note("waiting for the first move");
            return Ok(None);
        }
        viewer.note(&format!(
            "{}, {} under way, {}",
            counted(games.len() as u64, "game"),
            if open == 0 { "none".to_owned() } else { open.to_string() },
            counted(plies(&games), "move")
        ));
        self.games = games;
        // The last page is not rewritten, so it must not reload itself.
        let reload = plan.report.reload.filter(|_| !is_done);
        let plan = Plan { report: ReportArgs { reload, ..plan.report.clone() }, ..plan.clone() };
        let finished = analyze::analyze(inputs, &plan, &clock, viewer)?;
        if let Some(page) = finished.report.as_ref().filter(|_| !mem::replace(&mut self.is_page_named, true))
        {
            viewer.note(&format!("the page: {}", full_path(page)));
        }
        Ok((is_done || finished.ending == RunEnding::Interrupted).then_some(finished))
    }
}

fn games(inputs: &[Input]) -> Vec<Game> {
    inputs.iter().flat_map(|input| input.games.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_change_that_keeps_length_and_time_is_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("live.pgn");
        let write = |text: &str| {
            fs::write(&path, text).expect("room");
            let file = fs::File::options().write(true).open(&path).expect("the file");
            file.set_modified(SystemTime::UNIX_EPOCH).expect("a time");
            FileState::of(std::slice::from_ref(&path))
        };
        let first = write("1. e4 *\n");
        assert_eq!(first, FileState::of(std::slice::from_ref(&path)));
        thread::sleep(Duration::from_millis(20));
        assert_ne!(first, write("1. d4 *\n"));
    }
}
