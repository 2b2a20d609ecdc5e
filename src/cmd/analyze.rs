//! Owns the default verb: from PGN files to the tables, files and plots of a tournament.

use std::path::PathBuf;

use super::{
    CmdError, RunEnding,
    console::Console,
    engines, print,
    reporting::{ReportTargets, report},
};
use crate::{
    app::{
        plan::Plan,
        reading::{self, Input},
    },
    cli::AnalyzeArgs,
    output::{self, RunClock},
    pgn,
};

/// Analyses the files that `args` names.
pub fn run(args: &AnalyzeArgs) -> Result<RunEnding, CmdError> {
    let clock = RunClock::start();
    let mut console = Console::new(args.quiet);
    let plan = args.plan().map_err(CmdError::Usage)?;
    plan.evaluations.check()?;
    let inputs = reading::read(&plan.files, plan.separately, &plan.reading, &console)?;
    reading::check_counted(&inputs, &plan.method.filter)?;
    check_drawn(&inputs, &plan.report.games)?;
    reading::warn_of_bad_games(&inputs, &console);
    if plan.engines.len() > 1 {
        return engines::run(&inputs, &plan, &clock, &mut console);
    }
    let targets = ReportTargets::prepare(&inputs, &plan)?;
    check_annotated(&plan)?;
    let reports = report(inputs, &targets, &plan, &clock, &mut console)?;
    // At last, since files do not depend on a terminal that may be gone.
    print(&reports.tables)?;
    reports.empty.map_or(Ok(reports.ending), Err)
}

/// Finds out before the long work whether the annotated games can be written. An input is not
/// overwritten: games that are left out would be lost.
fn check_annotated(plan: &Plan) -> Result<(), CmdError> {
    let Some(path) = &plan.report.annotated else { return Ok(()) };
    let same =
        |input: &PathBuf| matches!((input.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if pgn::files(&plan.files)?.files.iter().any(same) {
        return Err(CmdError::Usage(format!(
            "--annotate {} would overwrite the games that are read: choose another name",
            path.display()
        )));
    }
    Ok(output::check_writable(path)?)
}

/// Finds out before the long work whether the games to be drawn are there.
fn check_drawn(inputs: &[Input], wanted: &[usize]) -> Result<(), CmdError> {
    // Reports that are made separately count their games separately.
    let read = inputs.iter().map(|input| input.read).max().unwrap_or_default();
    let is_read = |number: usize| {
        inputs.iter().flat_map(|input| &input.games).any(|game| game.source.ordinal == number)
    };
    let is_bad =
        |number: usize| inputs.iter().flat_map(|input| &input.bad).any(|bad| bad.source.ordinal == number);
    match wanted.iter().find(|&&number| !is_read(number)) {
        None => Ok(()),
        Some(number) if (1..=read).contains(number) && !is_bad(*number) => Err(CmdError::Usage(format!(
            "--game {number} cannot be drawn, since that game is not among those chosen"
        ))),
        Some(number) if (1..=read).contains(number) => Err(CmdError::Usage(format!(
            "--game {number} cannot be drawn, since that game cannot be read; there are games from 1 to {read}"
        ))),
        Some(number) => Err(CmdError::Usage(format!(
            "--game {number} is none of the games that were read: write a number from 1 to {read}"
        ))),
    }
}
