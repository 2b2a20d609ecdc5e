//! The verb `go-deep`: changes of an engine's best move with depth, in positions of games.

use std::{collections::BTreeSet, num::NonZeroUsize, path::PathBuf};

use clap::{Args, ValueHint};

use crate::base::output::{NoFacts, RunClock, RunKind};
use crate::base::text::{counted, full_path, printable};
use crate::chess::Selection;
use crate::engine::{EngineCommand, Restarting, uci::engine_line::MAX_DEPTH};
use crate::files::EngineFacts;
use crate::lab::{GoDeepNotice, GoDeepSearches, PositionFilter, Positions, go_deep};
use crate::report::writing::publish;
use crate::report::{
    kinds::go_deep::GO_DEEP, kinds::go_deep::GoDeepSummary, kinds::go_deep::go_deep, kinds::go_deep::report,
};
use crate::store::SearchProgress;
use crate::verbs::{
    args::ConsoleArgs, args::OneEngineArgs, args::PictureArgs, args::ReadingArgs, args::TableArgs,
    error::Result, error::VerbError, input, input::Input, observer::event_loop, observer::listen,
    plan::EnginePlan, runs, runs::Finished, runs::RunEnding, runs::Viewer,
};

#[derive(Debug, Clone, Args)]
pub struct GoDeepArgs {
    /// PGN files, compressed or not, and folders of them; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Search depth, in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_DEPTH)))]
    pub depth: u32,
    /// Skip the first N moves of each side (the opening).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip_moves: u32,
    /// Search every K-th position only.
    #[arg(long, value_name = "K", default_value = "1")]
    pub every: NonZeroUsize,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub engine: OneEngineArgs,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub pictures: PictureArgs,
}

pub fn run(args: &GoDeepArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    args.pictures.check()?;
    let engine = args.engine.plan();
    let clock = RunClock::start();
    let input = input::read_together(&args.pgn, &args.reading.plan(Selection::default()), viewer)?;
    input::warn_of_bad_games([&input], viewer);
    let positions =
        Positions::of(&input.games, PositionFilter { skip_moves: args.skip_moves, every: args.every });
    if positions.chosen.is_empty() {
        return Err(nothing_to_search(args, &positions));
    }
    let folder = args.table.folder(|| input.folder_of("go-deep"));
    let formats = args.table.with(&args.pictures, false);
    let folder = args.table.claim(folder, RunKind::GoDeep, GO_DEEP.file_names(&formats, []))?;
    let command = engine.command()?;
    let work = work((&command, &engine), positions.clone(), &input, args.depth, viewer);
    let (engine, searched, interrupted) = event_loop()?.block_on(work)?;
    if searched.best_moves.is_empty() {
        return Err(VerbError::none_searched());
    }
    let summary = GoDeepSummary {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engine,
        depth: args.depth,
        games: input.games.len(),
        positions: searched.best_moves.len(),
        failed: searched.failed,
        forced: positions.forced,
        repeated: positions.repeated,
        iterations: go_deep::iterations(&searched.best_moves, args.depth),
    };
    let out = folder.publication()?;
    publish(&report(&summary), &out, &formats)?;
    runs::report_removed(&out.finish(&clock.record(RunKind::GoDeep, NoFacts::default()))?, viewer);
    viewer.note(&format!("{}: see {}", printable(&input.name), full_path(folder.path())));
    let tables = go_deep(&summary.iterations, notes(&summary, args, interrupted), viewer.screen());
    Ok(Finished::new(tables, RunEnding::of(interrupted, searched.failed > 0)))
}

fn nothing_to_search(args: &GoDeepArgs, positions: &Positions) -> VerbError {
    let (after, hint) = match args.skip_moves {
        0 => (String::new(), ""),
        moves => (format!(" after move {moves} of each side"), "; skip fewer moves with --skip-moves"),
    };
    let forced = positions.forced;
    VerbError::new(format!(
        "nothing to search: no position{after} has two or more legal moves (positions with only one: {forced})"
    ))
    .with_hint(hint)
}

/// Searches all positions, unless the user interrupts the search. The last value of the result is true if an
/// interrupt left positions unsearched.
async fn work(
    (command, plan): (&EngineCommand, &EnginePlan),
    positions: Positions,
    input: &Input,
    depth: u32,
    viewer: &mut dyn Viewer,
) -> Result<(EngineFacts, GoDeepSearches, bool)> {
    let (first, stamp) = plan.start(command, input.games.iter().map(|game| game.mode), viewer).await?;
    let (total, ends) = (positions.chosen.len(), positions.ends);
    viewer.note(&format!("{}, depth {depth}: {}", stamp.name, counted(total as u64, "position")));
    let identity = first.identity().clone();
    let engines = Restarting::all(command, &identity, [first], plan.jobs.min(total));
    let interrupts = listen(viewer, "the running searches will be finished")?;
    let mut searched = GoDeepSearches::default();
    viewer.begin_search("positions", progress(0, &ends));
    let work =
        go_deep::search(positions.chosen, depth, engines, interrupts.stop(), &mut searched, |notice| {
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
    Ok((EngineFacts::of(&stamp.name, &stamp.digest, &stamp.options, &BTreeSet::new()), searched, interrupted))
}

/// Returns the progress after the first `done` positions. For each game, `ends` has the number of positions
/// in this game and all earlier ones.
fn progress(done: usize, ends: &[usize]) -> SearchProgress {
    SearchProgress {
        positions: ends.last().copied().unwrap_or_default() as u64,
        positions_done: done as u64,
        games: ends.len(),
        games_done: ends.partition_point(|&end| end <= done),
    }
}

/// Returns notes on the contents of the table, and on positions that are missing from it.
fn notes(summary: &GoDeepSummary, args: &GoDeepArgs, interrupted: bool) -> Vec<String> {
    let mut notes = vec![format!(
        "{}, depth {}: {} of {}, each searched once with an empty hash table.",
        printable(&summary.engine.name),
        summary.depth,
        counted(summary.positions as u64, "position"),
        counted(summary.games as u64, "game"),
    )];
    let left_out = [
        (summary.forced, "with one legal move"),
        (summary.repeated, "already searched"),
        (summary.failed, "on which the engine failed"),
    ];
    let left_out: Vec<String> = left_out
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, why)| format!("{count} {why}"))
        .collect();
    if !left_out.is_empty() {
        notes.push(format!("Positions left out: {}.", left_out.join(", ")));
    }
    if args.skip_moves > 0 {
        notes.push(format!("The search begins after move {} of each side.", args.skip_moves));
    }
    if args.every.get() > 1 {
        notes.push(format!("Only one of every {} positions is searched.", args.every));
    }
    if interrupted {
        notes.push("Interrupted: not all positions have been searched.".to_owned());
    }
    notes
}
