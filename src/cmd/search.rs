//! Owns the part of a run that needs an engine: finding it, setting it up, searching, stopping.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use super::{CmdError, interrupt::Interrupts, progress::Display};
use crate::{
    cli::{EngineArgs, StoreArgs},
    engine::{
        locate::locate,
        options::CHESS960,
        process::{EngineCommand, Restarting},
    },
    evaluate::{Counts, Notice, Search, Searched},
    game::Game,
    store::{EngineStamp, Store},
    text::counted,
};

/// What came of a search.
pub struct Outcome {
    /// The games in the order in which they were given.
    pub games: Vec<Searched>,
    /// Where the evaluations came from.
    pub counts: Counts,
    /// Who searched.
    pub engine: EngineStamp,
    /// Whether the user stopped it.
    pub interrupted: bool,
}

/// The store that the user wants, opened and known to be good.
pub fn open_store(args: &StoreArgs) -> Result<Option<Store>, CmdError> {
    if args.no_store {
        return Ok(None);
    }
    let path = match &args.store {
        Some(path) => path.clone(),
        None => default_store()?,
    };
    Ok(Some(Store::open(&path)?))
}

fn default_store() -> Result<PathBuf, CmdError> {
    let strategy = etcetera::choose_base_strategy().map_err(|_| CmdError::NoCacheFolder)?;
    Ok(strategy.cache_dir().join("gainalyze").join("evaluations.sqlite"))
}

/// Evaluates `games` with the engine, as far as the store does not know them.
pub fn run(
    games: Vec<Game>,
    args: &EngineArgs,
    store: Option<Store>,
    display: &mut Display,
) -> Result<Outcome, CmdError> {
    let command = EngineCommand { path: locate(args.engine.as_deref())?, setup: args.setup() };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CmdError::System("start the engines' event loop", error))?;
    runtime.block_on(search(games, args, command, store, display))
}

async fn search(
    games: Vec<Game>,
    args: &EngineArgs,
    command: EngineCommand,
    mut store: Option<Store>,
    display: &mut Display,
) -> Result<Outcome, CmdError> {
    let engine = command.start().await?;
    let digest = command.digest()?;
    let identity = engine.identity().clone();
    let stamp = EngineStamp { name: identity.name, options: identity.options.values().clone(), digest };
    warn_of_setup(&stamp, display);
    if games.iter().any(|game| game.mode.is_chess960()) && identity.options.get(CHESS960).is_none() {
        return Err(CmdError::Usage(format!(
            "{} has no option {CHESS960}, which some of the games need: choose another engine with --engine",
            stamp.name
        )));
    }
    let mut search = Search::plan(games, stamp.clone(), args.protocol(), store.as_ref())?;
    display.note(&plan(&search, &stamp, args, store.as_ref()));
    if stamp.name.starts_with("Stockfish") {
        hint_at_a_faster_build(&command, &search, display);
    }
    let mut interrupted = false;
    if search.is_complete() {
        engine.quit().await;
    } else {
        let engines = engines(command, engine, args.jobs());
        interrupted = search_until_stopped(&mut search, engines, store.as_mut(), display).await?;
    }
    Ok(Outcome { counts: search.counts(), games: search.finish(), engine: stamp, interrupted })
}

fn warn_of_setup(engine: &EngineStamp, display: &Display) {
    let threads = engine.options.get("Threads").and_then(|threads| threads.parse::<u32>().ok());
    if threads.is_some_and(|threads| threads > 1) {
        display.warn(
            "with Threads above 1 the engine's results no longer repeat; \
             for speed, use --jobs: it runs several engines of one thread",
        );
    }
}

fn plan(search: &Search, engine: &EngineStamp, args: &EngineArgs, store: Option<&Store>) -> String {
    let progress = search.progress();
    let store =
        store.map_or("kept nowhere".to_owned(), |store| format!("kept in {}", store.path().display()));
    format!(
        "{}, {}: {} of {}, {} of them known; {store}",
        engine.name,
        args.limit(),
        counted(progress.positions, "position"),
        counted(progress.games as u64, "game"),
        progress.positions_done,
    )
}

/// Positions from which on a faster engine is worth the bother.
const LONG: u64 = 1000;

/// Debian builds Stockfish for the oldest processor it runs on.
fn hint_at_a_faster_build(command: &EngineCommand, search: &Search, display: &Display) {
    let progress = search.progress();
    let missing = progress.positions - progress.positions_done;
    if missing >= LONG && command.path.starts_with("/usr/games") {
        display.note(
            "hint: Stockfish as Debian builds it runs on any processor, and slowly: a build of the same version \
             for this one gives the same scores in about 0.6 of the time (--engine PATH)",
        );
    }
}

/// One engine for each job: the one that runs already, and others started when they are needed.
fn engines(command: EngineCommand, first: crate::engine::process::Engine, jobs: usize) -> Vec<Restarting> {
    let identity = first.identity().clone();
    let mut engines = vec![Restarting::with(command.clone(), first)];
    engines.resize_with(jobs.max(1), || Restarting::new(command.clone(), identity.clone()));
    engines
}

/// Searches to the end, or until the user stops it; tells which.
///
/// The first interrupt lets the segments in flight finish, the second ends the engines at once.
async fn search_until_stopped(
    search: &mut Search,
    engines: Vec<Restarting>,
    store: Option<&mut Store>,
    display: &mut Display,
) -> Result<bool, CmdError> {
    let interrupts = Interrupts::listen(store.is_some())?;
    display.start(search.progress());
    let work = search.run(engines, store, interrupts.stop(), |notice| show(&notice, display));
    let result = tokio::select! {
        result = work => result,
        () = interrupts.twice() => Ok(()),
    };
    let stopped = interrupts.stop().is_requested();
    interrupts.search_is_over();
    display.finish();
    result?;
    Ok(stopped && !search_is_settled(search))
}

fn search_is_settled(search: &Search) -> bool {
    let progress = search.progress();
    progress.games_done == progress.games
}

fn show(notice: &Notice<'_>, display: &mut Display) {
    match notice {
        Notice::Advanced(progress) => display.advance(*progress),
        Notice::Retried { game, attempt, error } => {
            display.warn(&format!(
                "{}: try {attempt} failed, the engine is started anew: {error}",
                game.title()
            ));
        }
        Notice::Retired { error } => {
            display.warn(&format!("one engine less, the others take its work: {error}"));
        }
        Notice::Failed { game, error } => {
            display.warn(&format!("{}: left out, the engine failed on it: {error}", game.title()));
        }
    }
}
