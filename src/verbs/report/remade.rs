//! Rewriting of a report from its own folder, without the games' files and without an engine.

use std::{collections::BTreeMap, collections::BTreeSet, path::Path};

use crate::base::{output::RunRecord, output::command_line, text::shown_path};
use crate::chess::Spellings;
use crate::files::{Restored, StoredTable};
use crate::measure::{MoveSample, PlayerSelection, calibrated, players};
use crate::report::{ReportError, table::Table, tables};
use crate::verbs::{
    error::Result, error::VerbError, input, runs::Finished, runs::Plan, runs::RunEnding, runs::Viewer,
    runs::rated_file, runs::report_target::ReportInput, runs::report_target::ReportTarget,
    runs::report_target::claim,
};

/// Writes a restored report again, by `plan`. The report was read from `folder`. Fails if a game in `drawn`,
/// which should get a picture, is not in the report.
pub fn run(
    restored: Restored,
    (folder, plan): (&Path, &Plan),
    drawn: &[usize],
    viewer: &dyn Viewer,
) -> Result<Finished> {
    check_tables(&restored, plan)?;
    check_drawn(&restored, drawn)?;
    let output = plan.report.table.output.as_deref().unwrap_or(folder);
    let target = target(folder, output, &restored, plan)?;
    let Restored { games, summary, run, .. } = restored;
    let rated = rated_file::read(folder, &games, &summary.evaluations, plan, viewer);
    let input = ReportInput {
        games: &games,
        facts: summary,
        command: run.command.clone(),
        rated: calibrated(&rated, 0),
        outside: None,
    };
    let remade = || RunRecord { remade: Some(command_line()), ..run };
    let (tables, _) = target.publish(input, remade, plan, viewer)?;
    Ok(Finished { report: Some(target.page(plan)), ..Finished::new(tables, RunEnding::Complete) })
}

/// Refuses tables that contradict the data read from them, or have changed since they were written.
fn check_tables(restored: &Restored, plan: &Plan) -> Result<()> {
    let Restored { games, moves, headings, .. } = restored;
    let (sample, all) = (MoveSample::of(games), PlayerSelection::All);
    let mut row = 0;
    for part in tables::moves::moves(games, &sample, &plan.method, &all) {
        row += moves.check_rows(row, written(&part, moves)?)?;
    }
    let again = tables::games::games(games, &sample, &plan.method, &all);
    headings.check_rows(0, written(&again, headings)?)?;
    [moves, headings].into_iter().try_for_each(StoredTable::check_is_as_written)?;
    Ok(())
}

/// Returns the bytes of `table` as a file, in the format of the stored table `like`.
fn written(table: &Table, like: &StoredTable) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let failed = |source| ReportError::Export { path: like.path.clone(), source };
    table.write(like.format, &mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// Fails if a game in `wanted`, which should get a picture, is not in the report.
fn check_drawn(restored: &Restored, wanted: &[usize]) -> Result<()> {
    let numbers: BTreeSet<usize> = restored.games.iter().map(|game| game.game().source.ordinal).collect();
    let Some(&game) = wanted.iter().find(|number| !numbers.contains(number)) else { return Ok(()) };
    let [first, last] = [numbers.first(), numbers.last()].map(|number| number.copied().unwrap_or_default());
    let why = format!("the report lacks it; the numbers of its games are from {first} to {last}");
    Err(VerbError::not_drawn(game, &why))
}

fn target(folder: &Path, output: &Path, restored: &Restored, plan: &Plan) -> Result<ReportTarget> {
    let games = || restored.games.iter().map(|game| game.game());
    let names = players::spellings(games());
    let players = PlayerSelection::of_names(&names, &plan.report.shown.player)?;
    check_nothing_is_lost(&players, folder, output)?;
    let elo = given_ratings(&names, plan)?;
    let output = claim(output.to_owned(), games(), &players, plan)?;
    Ok(ReportTarget { name: name(folder, plan), folder: output, players, elo })
}

/// Returns the original name of the report. If several reports were made at once, or if no files are
/// recorded, returns the name of the folder.
fn name(folder: &Path, recorded: &Plan) -> String {
    if !recorded.separately && !recorded.files.is_empty() {
        return input::name_together(&recorded.files);
    }
    let name =
        folder.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    name.unwrap_or_else(|| "report".to_owned())
}

/// Refuses to write a report of selected players over the report from which it is made, because the moves of
/// the other players would be lost.
fn check_nothing_is_lost(players: &PlayerSelection, folder: &Path, output: &Path) -> Result<()> {
    let same = match (folder.canonicalize(), output.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => folder == output,
    };
    if *players == PlayerSelection::All || !same {
        return Ok(());
    }
    Err(VerbError::new(format!(
        "{}: the moves of the players who are not shown would be lost",
        shown_path(folder)
    ))
    .with_hint(": name another folder with --output, or leave out --player"))
}

/// Returns the ratings given on the recorded command line. If several reports were made at once, ratings of
/// players who are not in this report are left out.
fn given_ratings(names: &Spellings, recorded: &Plan) -> Result<BTreeMap<String, f64>> {
    let mut given = recorded.elo.clone();
    if recorded.separately {
        given.retain(|elo| !elo.name.all(names).is_empty());
    }
    Ok(players::ratings(names, &given)?)
}
