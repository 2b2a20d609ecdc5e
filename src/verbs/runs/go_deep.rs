//! Owns the run that counts how often an engine's best move changes with depth: from positions of games to its
//! tables, files and pictures.

use super::{Finished, RunEnding, Viewer};
use crate::chess::text::{counted, full_path, printable};
use crate::engine::{EngineCommand, EngineIdentity, Purpose, Restarting};
use crate::files::{EngineFacts, NoFacts, RunClock, RunKind};
use crate::lab::{GoDeepNotice, GoDeepSearches, Positions, go_deep};
use crate::report::go_deep::{GO_DEEP, GoDeepSummary, report};
use crate::report::{publish::publish, tables};
use crate::store::SearchProgress;
use crate::verbs::app::{event_loop, fitness, reading, search};
use crate::verbs::error::VerbError;
use crate::verbs::{app::plan::GoDeepPlan, app::reading::Input};

/// Searches the positions of `plan`.
///
/// # Errors
///
/// If the games cannot be read or have no position to search, the engine cannot be used, or a file cannot be
/// written.
pub fn run(plan: &GoDeepPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    let input = reading::read_together(&plan.files, &plan.reading, viewer)?;
    reading::warn_of_bad_games([&input], viewer);
    let positions = Positions::of(&input.games, plan.positions);
    if positions.chosen.is_empty() {
        return Err(nothing_to_search(plan, &positions));
    }
    let folder = plan.tables.folder(|| input.folder_of("go-deep"));
    let formats = plan.tables.with(&plan.pictures, false);
    let folder = plan.tables.claim(folder, RunKind::GoDeep, GO_DEEP.file_names(&formats, []))?;
    let command = plan.engine.command()?;
    let found = event_loop()?.block_on(work(&command, positions.clone(), &input, plan, viewer))?;
    let SearchedPositions { engine, searched, interrupted } = found;
    if searched.best_moves.is_empty() {
        return Err(VerbError::none_searched());
    }
    let summary = GoDeepSummary {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engine,
        depth: plan.depth,
        games: input.games.len(),
        positions: searched.best_moves.len(),
        failed: searched.failed,
        forced: positions.forced,
        repeated: positions.repeated,
        iterations: go_deep::iterations(&searched.best_moves, plan.depth),
    };
    let out = folder.publication()?;
    publish(&report(&summary), &out, &formats)?;
    super::say_removed(&out.finish(&clock.record(RunKind::GoDeep, NoFacts::default()))?, viewer);
    viewer.note(&format!("{}: see {}", printable(&input.name), full_path(folder.path())));
    let tables = tables::go_deep(&summary.iterations, notes(&summary, plan, interrupted), viewer.screen());
    let ending = match (interrupted, searched.failed) {
        (true, _) => RunEnding::Interrupted,
        (false, 0) => RunEnding::Complete,
        (false, _) => RunEnding::GamesFailed,
    };
    Ok(Finished::new(tables, ending))
}

fn nothing_to_search(plan: &GoDeepPlan, positions: &Positions) -> VerbError {
    let (after, hint) = match plan.positions.skip_moves {
        0 => (String::new(), ""),
        moves => (format!(" after move {moves} of each side"), " (--skip-moves)"),
    };
    let forced = positions.forced;
    VerbError::new(format!(
        "no position{after} has a choice of moves ({forced} with one legal move), so there is nothing to search"
    ))
    .with_hint(hint)
}

/// What came of the searches.
struct SearchedPositions {
    engine: EngineFacts,
    searched: GoDeepSearches,
    interrupted: bool,
}

async fn work(
    command: &EngineCommand,
    positions: Positions,
    input: &Input,
    plan: &GoDeepPlan,
    viewer: &mut dyn Viewer,
) -> Result<SearchedPositions, VerbError> {
    let first = command.start().await?;
    plan.engine.say_who(viewer);
    let digest = command.digest()?;
    let EngineIdentity { name, options } = first.identity().clone();
    fitness::check_variants(input.games.iter().map(|game| game.mode), [first.identity()], Purpose::Analysis)?;
    fitness::warn_of_threads([first.identity()], Purpose::Analysis, viewer);
    let (total, ends) = (positions.chosen.len(), positions.ends);
    viewer.note(&format!("{name}, depth {}: {}", plan.depth, counted(total as u64, "position")));
    let identity = first.identity().clone();
    let mut engines = vec![Restarting::with(command.clone(), first)];
    let another = || Restarting::new(command.clone(), identity.clone());
    engines.resize_with(plan.engine.jobs.min(total), another);
    let interrupts = search::listen(viewer, "the positions in flight are finished")?;
    let mut searched = GoDeepSearches::default();
    viewer.begin_search("positions", progress(0, &ends));
    let work =
        go_deep::search(positions.chosen, plan.depth, engines, interrupts.stop(), &mut searched, |notice| {
            match notice {
                GoDeepNotice::Advanced(done) => viewer.advance_search(progress(done, &ends)),
                GoDeepNotice::Trouble(error) => viewer.warn(error),
            }
        });
    tokio::select! {
        () = work => {}
        () = interrupts.twice() => {}
    }
    viewer.finish();
    interrupts.search_is_over();
    let interrupted = interrupts.stop().is_requested() && searched.best_moves.len() + searched.failed < total;
    let engine = EngineFacts {
        name,
        options: options.values().clone(),
        digest: Some(digest),
        other_digests: Vec::new(),
    };
    Ok(SearchedPositions { engine, searched, interrupted })
}

/// Returns the progress after so many positions in their order, and the games that end among them.
fn progress(done: usize, ends: &[usize]) -> SearchProgress {
    SearchProgress {
        positions: ends.last().copied().unwrap_or_default() as u64,
        positions_done: done as u64,
        games: ends.len(),
        games_done: ends.partition_point(|&end| end <= done),
    }
}

/// Returns what the table is of, and what is not in it.
fn notes(summary: &GoDeepSummary, plan: &GoDeepPlan, interrupted: bool) -> Vec<String> {
    let mut notes = vec![format!(
        "{}, depth {}: {} of {}, each searched once with an empty hash table.",
        printable(&summary.engine.name),
        summary.depth,
        counted(summary.positions as u64, "position"),
        counted(summary.games as u64, "game"),
    )];
    let left_out = [
        (summary.forced, "with one legal move"),
        (summary.repeated, "met before"),
        (summary.failed, "that the engine failed on"),
    ];
    let left_out: Vec<String> = left_out
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| format!("{count} {why}"))
        .collect();
    if !left_out.is_empty() {
        notes.push(format!("Left out: {}.", left_out.join(", ")));
    }
    if plan.positions.skip_moves > 0 {
        notes.push(format!("Moves 1 to {} of each side are left out.", plan.positions.skip_moves));
    }
    if plan.positions.every.get() > 1 {
        notes.push(format!("One of {} positions is taken.", plan.positions.every));
    }
    if interrupted {
        notes.push("Interrupted: not all positions have been searched.".to_owned());
    }
    notes
}
