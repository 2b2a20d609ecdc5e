//! Owns the verb `report`: a report made again from its own folder, without an engine.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use clap::Parser;

use super::{
    CmdError, RunEnding,
    console::Console,
    print,
    reporting::{ReportInput, ReportTarget, claim},
    stored,
};
use crate::{
    app::{
        Observer,
        plan::{Plan, ReportPlan},
        players::{self, PlayerSelection},
        reading,
    },
    cli::{AnalyzeArgs, ChoiceArgs, Cli, OverrideArgs, RemakeArgs, Verb},
    formats::{
        facts::SearchFacts,
        restore::{self, Restored},
    },
    output::{RunRecord, command_line},
    text::{brief, path_text, printable},
};

/// Makes the report that `args` names again.
pub fn run(args: &RemakeArgs) -> Result<RunEnding, CmdError> {
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

fn from_folder(folder: &Path, changes: &OverrideArgs, console: &Console) -> Result<RunEnding, CmdError> {
    let restored = restore::report(folder)?;
    let recorded = recorded_plan(&restored.run, folder)?;
    let plan = Plan { report: changes.apply(&recorded.report).map_err(CmdError::Usage)?, ..recorded };
    check_drawn(&restored, &changes.game)?;
    let target = target(folder, changes.output.as_deref().unwrap_or(folder), &restored, &plan)?;
    let Restored { games, summary, run } = restored;
    let input = ReportInput {
        games: &games,
        source: summary.evaluations,
        facts: summary.games,
        positions: summary.positions,
        nodes: summary.nodes,
        command: run.command.clone(),
    };
    let remade = || RunRecord { remade: Some(command_line()), ..run };
    let (tables, _) = target.publish(input, remade, &plan, console)?;
    console.note(&format!("{}: see {}", printable(&target.name), target.folder().path().display()));
    print(&tables)?;
    Ok(RunEnding::Complete)
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

/// Where the report is made anew, by `plan`.
fn target(folder: &Path, output: &Path, restored: &Restored, plan: &Plan) -> Result<ReportTarget, CmdError> {
    let games = || restored.games.iter().map(|game| game.game());
    let names = players::names(games());
    let players = PlayerSelection::of_names(&names, &plan.report.players)?;
    check_nothing_is_lost(&players, folder, output)?;
    let elo = given_ratings(&names, plan)?;
    let output = claim(output.to_owned(), games(), &players, plan)?;
    Ok(ReportTarget::new(name(folder, plan), output, players, elo))
}

/// What the report was called when it was made. Of several made at once each has its name for a
/// folder.
fn name(folder: &Path, recorded: &Plan) -> String {
    if !recorded.separately && !recorded.files.is_empty() {
        return reading::name_together(&recorded.files);
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
        given.retain(|elo| !elo.name.all(names).is_empty());
    }
    Ok(players::ratings(names, &given)?)
}

/// The options of the run that `run` tells of.
fn recorded_plan(run: &RunRecord<SearchFacts>, folder: &Path) -> Result<Plan, CmdError> {
    let file = shown(&folder.join("run.json"));
    let cli = Cli::try_parse_from(&run.command).map_err(|error| {
        let error = error.to_string();
        let first = error.lines().next().unwrap_or_default().trim_start_matches("error: ");
        CmdError::Usage(format!("{file}: its command is not one of this version: {}", brief(first)))
    })?;
    let plan = match cli.verb {
        None => without_choice(cli.analyze).plan(),
        Some(Verb::Analyze(args)) => without_choice(args).plan(),
        Some(Verb::Report(args)) => {
            args.report.apply(&ReportPlan::default()).map(|report| Plan { report, ..Plan::default() })
        }
        Some(_) => Err("it is not one that makes a report".to_owned()),
    };
    plan.map_err(|problem| CmdError::Usage(format!("{file}: its command cannot be taken: {problem}")))
}

/// The options but for those that chose the games, which the folder holds: the file of aliases may be gone.
fn without_choice(args: AnalyzeArgs) -> AnalyzeArgs {
    AnalyzeArgs { choice: ChoiceArgs::default(), ..args }
}

fn shown(path: &Path) -> String {
    path_text(&path.to_string_lossy())
}
