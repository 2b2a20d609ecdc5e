//! Owns the verb `report`: a report made again from its own folder, without an engine.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use clap::Parser;

use super::{
    CmdError, Ending,
    console::Console,
    input, print,
    reporting::{ReportInput, ReportTarget},
    stored,
};
use crate::{
    app::{
        Observer,
        plan::{Plan, ReportPlan},
        players::{self, PlayerSelection},
    },
    cli::{Cli, OverrideArgs, RemakeArgs, Verb},
    formats::{
        facts::{GamesRead, RunInfo},
        restore::{self, Restored},
    },
    output::{OutputDir, command_line},
    report,
    text::{brief, counted, path_text, printable},
};

/// Makes the report that `args` names again.
pub fn run(args: &RemakeArgs) -> Result<Ending, CmdError> {
    let console = Console::new(args.quiet);
    match args.source.as_path() {
        folder if folder.is_dir() && args.pgn.is_empty() => from_folder(folder, &args.report, &console),
        folder if folder.is_dir() => Err(CmdError::Usage(format!(
            "{}: the folder of a report holds its games, so leave out the PGN, or name a store in its place",
            shown(folder)
        ))),
        store => stored::run(store, args, &console),
    }
}

fn from_folder(folder: &Path, changes: &OverrideArgs, console: &Console) -> Result<Ending, CmdError> {
    let restored = restore::report(folder)?;
    let recorded = recorded_plan(restored.run.as_ref(), folder, console)?;
    check_drawn(&restored, &changes.game)?;
    if !restored.has_games {
        warn_of_missing_games(&restored, folder, console);
    }
    let target = target(folder, &restored, &recorded, changes)?;
    let plan = Plan { report: changes.apply(&recorded.report).map_err(CmdError::Usage)?, ..recorded };
    let Restored { games, summary, run, .. } = restored;
    let input = ReportInput {
        games: &games,
        source: summary.evaluations,
        // Of an older report games without a move are missing.
        facts: GamesRead { analysed: games.len() as u64, ..summary.games },
        positions: summary.positions,
        nodes: summary.nodes,
        command: run.as_ref().map_or_else(command_line, |run| run.command.clone()),
    };
    let (tables, _) = target.publish(input, &plan, console)?;
    if let Some(run) = run {
        report::write_run(target.folder(), &RunInfo { remade: Some(command_line()), ..run })?;
    }
    console.note(&format!("{}: see {}", printable(&target.name), target.folder().path().display()));
    print(&tables)?;
    Ok(Ending::Complete)
}

/// A game that is to be drawn is one of the report.
fn check_drawn(restored: &Restored, wanted: &[usize]) -> Result<(), CmdError> {
    let numbers: BTreeSet<usize> = restored.games.iter().map(|game| game.game().source.ordinal).collect();
    match wanted.iter().find(|number| !numbers.contains(number)) {
        None => Ok(()),
        Some(number) => {
            let [first, last] = [numbers.first(), numbers.last()].map(|n| n.copied().unwrap_or_default());
            Err(CmdError::Usage(format!(
                "--game {number} is none of the games of the report: write one of its numbers, from {first} to {last}"
            )))
        }
    }
}

/// Where the report is made anew.
fn target(
    folder: &Path,
    restored: &Restored,
    recorded: &Plan,
    changes: &OverrideArgs,
) -> Result<ReportTarget, CmdError> {
    let names = players::names(restored.games.iter().map(|game| game.game()));
    let players = PlayerSelection::of_names(&names, &changes.player)?;
    let output = changes.output.as_deref().unwrap_or(folder);
    check_nothing_is_lost(&players, folder, output)?;
    let mut elo = restored.elo.clone();
    elo.extend(given_ratings(&names, recorded)?);
    Ok(ReportTarget::new(name(folder, recorded), OutputDir::create(output)?, players, elo))
}

/// What the report was called when it was made. Of several made at once each has its name for a
/// folder.
fn name(folder: &Path, recorded: &Plan) -> String {
    if !recorded.separately && !recorded.files.is_empty() {
        return input::name_together(&recorded.files);
    }
    let name =
        folder.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    name.unwrap_or_else(|| "report".to_owned())
}

/// A table of the moves of some players cannot be undone.
fn check_nothing_is_lost(players: &PlayerSelection, folder: &Path, output: &Path) -> Result<(), CmdError> {
    let same = match (folder.canonicalize(), output.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => folder == output,
    };
    if *players == PlayerSelection::All || !same {
        return Ok(());
    }
    Err(CmdError::Usage(format!(
        "--player would leave in {} the moves of those players only, and the report could not be made again: name \
         another folder with --output",
        shown(folder)
    )))
}

/// The ratings of the recorded command line. Of several reports made at once, one need not have the
/// players of another.
fn given_ratings(names: &BTreeSet<String>, recorded: &Plan) -> Result<BTreeMap<String, f64>, CmdError> {
    let mut given = recorded.elo.clone();
    if recorded.separately {
        given.retain(|elo| players::matching(names, &elo.name).is_ok());
    }
    Ok(players::ratings(names, &given)?)
}

/// The options of the run that `run` tells of, else the defaults.
fn recorded_plan(run: Option<&RunInfo>, folder: &Path, console: &Console) -> Result<Plan, CmdError> {
    let Some(run) = run else {
        console.warn(&format!(
            "{}: there is no run.json, so the method, filters and splits are the defaults",
            shown(folder)
        ));
        return Ok(Plan::default());
    };
    let file = shown(&folder.join("run.json"));
    let cli = Cli::try_parse_from(&run.command).map_err(|error| {
        let error = error.to_string();
        let first = error.lines().next().unwrap_or_default().trim_start_matches("error: ");
        CmdError::Usage(format!(
            "{file}: its command is not one of this version: {}; without that file the defaults are taken",
            brief(first)
        ))
    })?;
    let plan = match cli.verb {
        None => cli.analyze.plan(),
        Some(Verb::Analyze(args)) => args.plan(),
        Some(Verb::Report(args)) => {
            args.report.apply(&ReportPlan::default()).map(|report| Plan { report, ..Plan::default() })
        }
        Some(_) => Err("it is not one that makes a report".to_owned()),
    };
    plan.map_err(|problem| CmdError::Usage(format!("{file}: its command cannot be taken: {problem}")))
}

fn warn_of_missing_games(restored: &Restored, folder: &Path, console: &Console) {
    let missing = restored.summary.games.analysed.saturating_sub(restored.games.len() as u64);
    let games = match missing {
        0 => String::new(),
        missing => format!("; what had no move is missing: {}", counted(missing, "game")),
    };
    console.warn(&format!(
        "{}: there is no table of games (an older version made it): ratings are those of summary.json, player by \
         player{games}",
        shown(folder)
    ));
}

fn shown(path: &Path) -> String {
    path_text(&path.to_string_lossy())
}
