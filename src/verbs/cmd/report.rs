//! Owns the verb `report`: a report made again from its own folder, or from a store, without an engine.

use std::path::Path;

use clap::Parser;

use super::{console::Console, show_report};
use crate::chess::text::{brief, shown_path};
use crate::files::{RunRecord, SearchFacts, formats::restore};
use crate::verbs::app::plan::{Plan, RemakePlan};
use crate::verbs::cli::{
    AnalyzeArgs, Cli, GamesArgs, OverrideArgs, RateArgs, RemakeArgs, ReportArgs, TournamentArgs, Verb,
};
use crate::verbs::error::VerbError;
use crate::verbs::runs;
use crate::verbs::runs::RunEnding;

/// Makes the report that `args` names again.
pub fn run(args: &RemakeArgs) -> Result<RunEnding, VerbError> {
    let console = Console::of(&args.console);
    match args.source.as_path() {
        folder if folder.is_dir() && args.pgn.is_empty() => from_folder(folder, &args.report, &console),
        folder if folder.is_dir() => Err(VerbError::new(format!(
            "{}: the folder of a report holds its games, so leave out the PGN, or name a store in its place",
            shown_path(folder)
        ))),
        _ => show_report(runs::stored::run(&args.stored()?, &console)?, &console),
    }
}

fn from_folder(folder: &Path, changes: &OverrideArgs, console: &Console) -> Result<RunEnding, VerbError> {
    let restored = restore::report(folder).map_err(VerbError::from)?;
    let mut plan = recorded_plan(&restored.run, folder)?;
    plan.report = changes.apply(&plan.report)?;
    plan.report.table.output.clone_from(&changes.output);
    let plan = RemakePlan { folder: folder.to_owned(), drawn: changes.shown.game.clone(), plan };
    show_report(runs::remade::run(restored, &plan, console)?, console)
}

/// Reads the options of the run that `run` tells of.
fn recorded_plan(run: &RunRecord<SearchFacts>, folder: &Path) -> Result<Plan, VerbError> {
    let file = shown_path(&folder.join("run.json"));
    let cli = Cli::try_parse_from(&run.command).map_err(|error| {
        let error = error.to_string();
        let first = error.lines().next().unwrap_or_default().trim_start_matches("error: ");
        VerbError::new(format!("{file}: its command is not one of this version: {}", brief(first)))
    })?;
    let plan = match cli.verb {
        None => without_choice(cli.analyze).plan(),
        Some(Verb::Analyze(args)) => without_choice(args).plan(),
        Some(Verb::Rate(args)) => {
            RateArgs { taken: GamesArgs::default(), ..*args }.plan().map(|rate| rate.plan)
        }
        Some(Verb::Report(args)) => {
            args.report.apply(&ReportArgs::default()).map(|report| Plan { report, ..Plan::default() })
        }
        Some(_) => Err("it is not one that makes a report".to_owned()),
    };
    plan.map_err(|problem| VerbError::new(format!("{file}: its command cannot be taken: {problem}")))
}

/// Takes away the options that chose the games, which the folder holds: the file of aliases may be gone.
fn without_choice(args: AnalyzeArgs) -> AnalyzeArgs {
    let tournament = TournamentArgs { taken: GamesArgs::default(), ..args.tournament };
    AnalyzeArgs { tournament, ..args }
}
