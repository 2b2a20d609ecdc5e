//! Owns the run of a tournament: from PGN files to its tables, files and pictures.

use std::path::PathBuf;

use super::{
    Finished, Viewer, engines,
    reporting::{ReportTargets, report},
    shard,
};
use crate::chess::{pgn, text::full_path};
use crate::files::RunClock;
use crate::verbs::error::VerbError;
use crate::verbs::{app::plan::Plan, app::reading, app::reading::Input};

/// Analyses the games of `plan` as one tournament, or each file as its own.
///
/// # Errors
///
/// If the games cannot be read, nothing in them can count, they cannot be evaluated, or a file cannot be written.
pub fn run(plan: &Plan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    plan.evaluations.check()?;
    let inputs = reading::read(&plan.files, plan.separately, &plan.reading, viewer)?;
    analyse(inputs, plan, &clock, viewer)
}

/// Analyses games that are read already.
pub fn analyse(
    inputs: Vec<Input>,
    plan: &Plan,
    clock: &RunClock,
    viewer: &mut dyn Viewer,
) -> Result<Finished, VerbError> {
    reading::check_counted(&inputs, &plan.method.filter)?;
    check_drawn(&inputs, &plan.report.shown.game)?;
    reading::warn_of_bad_games(&inputs, viewer);
    if let Some(shard) = plan.evaluations.shard {
        return shard::run(inputs, &plan.evaluations, shard, viewer);
    }
    if plan.engines.len() > 1 {
        return engines::run(&inputs, plan, clock, viewer);
    }
    let targets = ReportTargets::prepare(&inputs, plan)?;
    check_annotated(plan, &targets)?;
    let reports = report(inputs, &targets, plan, clock, viewer)?;
    Ok(reports.into())
}

/// Finds out before the long work whether the annotated games can be written. An input is not
/// overwritten: games that are left out would be lost.
fn check_annotated(plan: &Plan, targets: &ReportTargets) -> Result<(), VerbError> {
    let Some(path) = &plan.report.annotate else { return Ok(()) };
    let same =
        |input: &PathBuf| matches!((input.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if pgn::files(&plan.files)?.files.iter().any(same) {
        let told = format!(
            "{} is one of the files that are read, and the games left out would be lost",
            full_path(path)
        );
        return Err(VerbError::new(told).with_hint(": choose another name for --annotate"));
    }
    match targets.each.first() {
        Some(target) => Ok(target.folder().check_beside(path)?),
        None => Ok(()),
    }
}

/// Finds out before the long work whether the games to be drawn are there.
fn check_drawn(inputs: &[Input], wanted: &[usize]) -> Result<(), VerbError> {
    // Reports that are made separately count their games separately.
    let read = inputs.iter().map(|input| input.read).max().unwrap_or_default();
    let is_read = |number: usize| {
        inputs.iter().flat_map(|input| &input.games).any(|game| game.source.ordinal == number)
    };
    let is_bad = |number: usize| {
        inputs.iter().flat_map(|input| input.bad.first()).any(|bad| bad.source.ordinal == number)
    };
    let Some(&game) = wanted.iter().find(|&&number| !is_read(number)) else { return Ok(()) };
    let why = match (1..=read).contains(&game) {
        true if is_bad(game) => "it cannot be read".to_owned(),
        true => "it is not among those chosen".to_owned(),
        false => format!("the games read have numbers from 1 to {read}"),
    };
    Err(VerbError::not_drawn(game, &why))
}
