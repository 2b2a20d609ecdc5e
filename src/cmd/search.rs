//! Owns the part of a run that needs an engine: finding it, setting it up, searching, stopping.

use std::path::PathBuf;

use etcetera::BaseStrategy;
use tokio::runtime::Runtime;

use super::{
    CmdError,
    console::Console,
    evaluations::{Reach, Wanted},
    interrupt::Interrupts,
};
use crate::{
    cli::{EngineArgs, StoreArgs},
    evaluate::{Search, SearchCounts, SearchNotice, SearchProgress, SearchedGame},
    evaluated_game::EvaluatedGame,
    evaluation::Protocol,
    game::Game,
    store::{EngineStamp, Store},
    text::counted,
    uci::{
        locate::locate,
        options::CHESS960,
        process::{Engine, EngineCommand, Restarting},
        session::EngineIdentity,
    },
};

/// What came of a search.
pub struct Outcome {
    /// The games in the order in which they were given.
    pub games: Vec<SearchedGame>,
    /// Where the evaluations came from.
    pub counts: SearchCounts,
    /// The part of them that is of the engine's own moves.
    pub own_moves: SearchCounts,
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
    wanted: &Wanted<'_>,
    store: Option<Store>,
    console: &mut Console,
) -> Result<Outcome, CmdError> {
    let command = command(wanted.engine)?;
    event_loop()?.block_on(search(games, wanted, command, store, console))
}

/// Starts the engine and sends it home again, to know before any search who it is and that it
/// takes its options.
pub fn meet(args: &EngineArgs) -> Result<EngineIdentity, CmdError> {
    let command = command(args)?;
    event_loop()?.block_on(async {
        let engine = command.start().await?;
        let identity = engine.identity().clone();
        engine.quit().await;
        Ok(identity)
    })
}

fn command(args: &EngineArgs) -> Result<EngineCommand, CmdError> {
    Ok(EngineCommand { path: locate(args.engine())?, setup: args.setup() })
}

pub fn event_loop() -> Result<Runtime, CmdError> {
    let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
    built.map_err(|error| CmdError::System("start the engines' event loop", error))
}

async fn search(
    games: Vec<Game>,
    wanted: &Wanted<'_>,
    command: EngineCommand,
    store: Option<Store>,
    console: &mut Console,
) -> Result<Outcome, CmdError> {
    let engine = command.start().await?;
    let digest = command.digest()?;
    let identity = engine.identity().clone();
    let stamp = EngineStamp { name: identity.name, options: identity.options.values().clone(), digest };
    warn_of_setup(&stamp, console);
    check_variants(&games, engine.identity())?;
    let mut engines = EngineSet::of(command, engine, wanted.engine.jobs(), store);
    let outcome = search_in_turn(games, wanted, stamp, &mut engines, console).await;
    engines.quit().await;
    outcome
}

/// Searches the positions of the games, and then, where the user wants the engine's own histogram,
/// those that its own moves lead to.
async fn search_in_turn(
    games: Vec<Game>,
    wanted: &Wanted<'_>,
    engine: EngineStamp,
    engines: &mut EngineSet,
    console: &mut Console,
) -> Result<Outcome, CmdError> {
    let protocol = wanted.engine.protocol();
    let mut search = Search::plan(games, engine.clone(), protocol, engines.store.as_ref())?;
    console.note(&plan(&search, &engine, &protocol, engines.store.as_ref()));
    if wanted.reach == Reach::Stored {
        check_stored(&search, "", &engine, &protocol, engines.store.as_ref())?;
    }
    if engine.name.starts_with("Stockfish") {
        hint_at_a_faster_build(&engines.command, &search, console);
    }
    let interrupted = engines.search(&mut search, "positions", console).await?;
    let counts = search.counts();
    let mut outcome =
        Outcome { games: search.finish(), counts, own_moves: SearchCounts::default(), engine, interrupted };
    if wanted.own_moves && !interrupted {
        outcome.search_choices(wanted, engines, console).await?;
    } else if wanted.reach == Reach::Stored {
        outcome.recall_choices(protocol, engines.store.as_ref(), console)?;
    }
    Ok(outcome)
}

impl Outcome {
    /// Goes on with the games that are complete, to the engine's own move in each position.
    async fn search_choices(
        &mut self,
        wanted: &Wanted<'_>,
        engines: &mut EngineSet,
        console: &mut Console,
    ) -> Result<(), CmdError> {
        let protocol = wanted.engine.protocol();
        let (places, complete) = set_aside(std::mem::take(&mut self.games));
        let mut search =
            Search::plan_choices(complete, self.engine.clone(), protocol, engines.store.as_ref())?;
        console.note(&plan_of_choices(&search));
        if wanted.reach == Reach::Stored {
            let option = " --engine-histogram self";
            check_stored(&search, option, &self.engine, &protocol, engines.store.as_ref())?;
        }
        for (game, error) in search.failures() {
            show(&SearchNotice::Failed { game, error }, console);
        }
        self.interrupted = engines.search(&mut search, "own moves", console).await?;
        self.own_moves = search.counts();
        self.counts += self.own_moves;
        let mut complete = search.finish().into_iter();
        let outcome = |place: Option<SearchedGame>| place.or_else(|| complete.next());
        self.games = places.into_iter().filter_map(outcome).collect();
        Ok(())
    }

    /// Adds what the engine's own moves lead to, which nobody needs, where the store has all of it.
    fn recall_choices(
        &mut self,
        protocol: Protocol,
        store: Option<&Store>,
        console: &Console,
    ) -> Result<(), CmdError> {
        let mut games = Vec::new();
        for game in &self.games {
            let SearchedGame::Complete(game) = game else { return Ok(()) };
            let game = game.as_ref().clone();
            let search = Search::plan_choices(vec![game], self.engine.clone(), protocol, store)?;
            if !search.is_complete() || search.failures().next().is_some() {
                console.note(NO_CHOICES);
                return Ok(());
            }
            self.own_moves += search.counts();
            games.extend(search.finish());
        }
        self.games = games;
        Ok(())
    }
}

const NO_CHOICES: &str = "the engine's own moves are not all in the store, so its own histogram is none of the choices \
    (gainalyze with --engine-histogram self searches them)";

/// Refuses a search of which anything is missing, and says which command, with `option`, has it.
fn check_stored(
    search: &Search,
    option: &str,
    engine: &EngineStamp,
    protocol: &Protocol,
    store: Option<&Store>,
) -> Result<(), CmdError> {
    if search.is_complete() {
        return Ok(());
    }
    let (SearchProgress { positions, positions_done, games, games_done }, limit) =
        (search.progress(), protocol.limit);
    let missing = format!(
        "{} of {} have no stored evaluation by {}, {limit}",
        counted(positions - positions_done, "position"),
        counted((games - games_done) as u64, "game"),
        engine.name,
    );
    Err(CmdError::NotStored(match store {
        None => format!("{missing}: there is no store (--no-store), and nothing is searched here"),
        Some(_) => format!(
            "{missing}: nothing is searched here; gainalyze PGN --{limit}{option} searches them (with the same \
             options of engine and store, if any)"
        ),
    }))
}

/// The games that are complete, and the others in their places.
fn set_aside(games: Vec<SearchedGame>) -> (Vec<Option<SearchedGame>>, Vec<EvaluatedGame>) {
    let mut complete = Vec::new();
    let places = games.into_iter().map(|game| match game {
        SearchedGame::Complete(game) => {
            complete.push(*game);
            None
        }
        other => Some(other),
    });
    (places.collect(), complete)
}

/// Whether the engine knows the rules of all games.
pub fn check_variants<'a>(
    games: impl IntoIterator<Item = &'a Game>,
    engine: &EngineIdentity,
) -> Result<(), CmdError> {
    let mut games = games.into_iter();
    if games.any(|game| game.mode.is_chess960()) && engine.options.get(CHESS960).is_none() {
        return Err(CmdError::Usage(format!(
            "{} has no option {CHESS960}, which some of the games need: choose another engine with --engine",
            engine.name
        )));
    }
    Ok(())
}

fn warn_of_setup(engine: &EngineStamp, console: &Console) {
    let threads = engine.options.get("Threads").and_then(|threads| threads.parse::<u32>().ok());
    if threads.is_some_and(|threads| threads > 1) {
        console.warn(
            "with Threads above 1 the engine's results no longer repeat; \
             for speed, use --jobs: it runs several engines of one thread",
        );
    }
}

fn plan(search: &Search, engine: &EngineStamp, protocol: &Protocol, store: Option<&Store>) -> String {
    let progress = search.progress();
    let store =
        store.map_or("kept nowhere".to_owned(), |store| format!("kept in {}", store.path().display()));
    format!(
        "{}, {}: {} of {}, {} of them known; {store}",
        engine.name,
        protocol.limit,
        counted(progress.positions, "position"),
        counted(progress.games as u64, "game"),
        progress.positions_done,
    )
}

fn plan_of_choices(search: &Search) -> String {
    let progress = search.progress();
    format!(
        "the engine's own moves where others were played: {} more, {} of them known",
        counted(progress.positions, "position"),
        progress.positions_done,
    )
}

/// Positions from which on a faster engine is worth the bother.
const LONG: u64 = 1000;

/// Debian builds Stockfish for the oldest processor it runs on.
fn hint_at_a_faster_build(command: &EngineCommand, search: &Search, console: &Console) {
    let progress = search.progress();
    let missing = progress.positions - progress.positions_done;
    if missing >= LONG && command.path.starts_with("/usr/games") {
        console.note(
            "hint: Stockfish as Debian builds it runs on any processor, and slowly: a build of the same version \
             for this one gives the same scores in about 0.6 of the time (--engine PATH)",
        );
    }
}

/// The engines of a run, with what they share.
struct EngineSet {
    command: EngineCommand,
    identity: EngineIdentity,
    /// The one that runs already, until it is put to work.
    idle: Option<Engine>,
    jobs: usize,
    store: Option<Store>,
    /// From the first search to the last one's end: a second listener would end the program at
    /// the signal that the first takes for a polite one.
    interrupts: Option<Interrupts>,
}

impl EngineSet {
    fn of(command: EngineCommand, first: Engine, jobs: usize, store: Option<Store>) -> EngineSet {
        let identity = first.identity().clone();
        EngineSet { command, identity, idle: Some(first), jobs, store, interrupts: None }
    }

    /// One engine for each job: the one that runs already, and others started when they are needed.
    fn restarting(&mut self) -> Vec<Restarting> {
        let first = self.idle.take().map(|engine| Restarting::with(self.command.clone(), engine));
        let mut engines: Vec<Restarting> = first.into_iter().collect();
        let another = || Restarting::new(self.command.clone(), self.identity.clone());
        engines.resize_with(self.jobs.max(1), another);
        engines
    }

    fn listen(&mut self) -> Result<Interrupts, CmdError> {
        let interrupts = match self.interrupts.take() {
            Some(interrupts) => interrupts,
            None => Interrupts::listen(match self.store {
                Some(_) => "the segments in flight are finished and kept",
                None => "the segments in flight are finished",
            })?,
        };
        Ok(self.interrupts.insert(interrupts).clone())
    }

    /// Searches to the end, or until the user stops it; tells which.
    ///
    /// The first interrupt lets the segments in flight finish, the second ends the engines at once.
    async fn search(
        &mut self,
        search: &mut Search,
        what: &'static str,
        console: &mut Console,
    ) -> Result<bool, CmdError> {
        if search.is_complete() {
            return Ok(false);
        }
        let interrupts = self.listen()?;
        let engines = self.restarting();
        console.start(what, search.progress());
        let store = self.store.as_mut();
        let work = search.run(engines, store, interrupts.stop(), |notice| show(&notice, console));
        let result = tokio::select! {
            result = work => result,
            () = interrupts.twice() => Ok(()),
        };
        console.finish();
        result?;
        Ok(interrupts.stop().is_requested() && !search_is_settled(search))
    }

    /// Sends the engine home that nobody needed. From now on an interrupt ends the program.
    async fn quit(self) {
        if let Some(interrupts) = self.interrupts {
            interrupts.search_is_over();
        }
        if let Some(engine) = self.idle {
            engine.quit().await;
        }
    }
}

fn search_is_settled(search: &Search) -> bool {
    let progress = search.progress();
    progress.games_done == progress.games
}

fn show(notice: &SearchNotice<'_>, console: &mut Console) {
    match notice {
        SearchNotice::Advanced(progress) => console.advance(*progress),
        SearchNotice::Completed(game) => console.complete(game),
        SearchNotice::Retried { game, attempt, error } => {
            console.warn(&format!(
                "{}: try {attempt} failed, the engine is started anew: {error}",
                game.title()
            ));
        }
        SearchNotice::Retired { error } => {
            console.warn(&format!("one engine less, the others take its work: {error}"));
        }
        SearchNotice::Failed { game, error } => {
            console.warn(&format!("{}: left out, the engine failed on it: {error}", game.title()));
        }
    }
}
