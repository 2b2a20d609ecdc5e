//! Owns the part of a run that needs an engine: finding it, setting it up, searching, stopping.

mod apart;
mod engine_set;
mod forecast;
#[cfg(feature = "postgres")]
mod queued;
mod starting;
#[cfg(not(feature = "postgres"))]
mod unqueued;

use std::collections::BTreeSet;

#[cfg(feature = "postgres")]
use self::queued::QueuedRun;
#[cfg(not(feature = "postgres"))]
use self::unqueued::NoQueue as QueuedRun;
use self::{
    apart::Apart,
    engine_set::{EngineSet, show},
};
use super::{
    Interrupts, Observer, event_loop, fitness,
    plan::{EvaluationPlan, Reach},
    rated::NoRating,
};
use crate::chess::{EvaluatedGame, Game, Order, Protocol, text::counted};
use crate::engine::{Behaviour, EngineCommand, Purpose};
use crate::measure::Calibration;
use crate::store::{
    EngineStamp, EvaluationStore, Search, SearchCounts, SearchNotice, SearchProgress, SearchedGame,
};
use crate::verbs::error::VerbError;

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
    /// SHA-256 of each executable whose evaluations are used: the engine's, and those of builds that behave the same.
    pub programs: BTreeSet<String>,
    /// The games as the calibration of the engine wants them, or why there are none.
    pub rated: Result<RatedSearch, NoRating>,
    /// Whether the user stopped it.
    pub interrupted: bool,
}

/// The games of a run that are rated, and by what.
pub struct RatingTask<'a> {
    /// In their order; those that are searched are among them.
    pub games: Vec<Game>,
    /// The calibrations that there are; none where nobody is to be rated.
    pub calibrations: &'a [Calibration],
}

/// What came of the games that are rated.
pub struct RatedSearch {
    /// What their moves are worth.
    pub calibration: Calibration,
    /// In the order in which they were given; `None` for those that the engine failed on.
    pub games: Vec<Option<EvaluatedGame>>,
}

/// Evaluates `games` with the engine, as far as the store does not know them; those of `rating` first, as the calibration of
/// the engine wants them, if there is one.
///
/// # Errors
///
/// If the store or the engine cannot be used, if the engine does not know the rules of some games, or if what is
/// not to be searched is not stored.
pub fn run(
    games: Vec<Game>,
    rating: RatingTask<'_>,
    plan: &EvaluationPlan,
    observer: &mut dyn Observer,
) -> Result<Outcome, VerbError> {
    let store = plan.store.open()?;
    let command = plan.engine.command()?;
    event_loop()?.block_on(search(games, rating, plan, command, store, observer))
}

async fn search(
    games: Vec<Game>,
    rating: RatingTask<'_>,
    plan: &EvaluationPlan,
    command: EngineCommand,
    store: Option<Box<dyn EvaluationStore>>,
    observer: &mut dyn Observer,
) -> Result<Outcome, VerbError> {
    let engine = command.start().await?;
    plan.engine.say_who(observer);
    let digest = command.digest()?;
    let identity = engine.identity().clone();
    fitness::warn_of_threads([&identity], Purpose::Analysis, observer);
    fitness::check_variants(games.iter().map(|game| game.mode), [&identity], Purpose::Analysis)?;
    let options = identity.options.values().clone();
    let mut stamp = EngineStamp { name: identity.name, options, digest, behaviour: None };
    let mut engines = EngineSet::of(command, engine, plan, store);
    let behaviour = match engines.store().is_some() || !rating.calibrations.is_empty() {
        true => engines.behaviour(&stamp, observer).await?,
        false => None,
    };
    stamp.behaviour = behaviour.as_ref().map(|behaviour| behaviour.digest.clone());
    if !engines.is_stopped() {
        engines.queue(QueuedRun::open(plan, &stamp, &[&games, &rating.games], observer).await?);
    }
    let outcome = match engines.is_stopped() {
        true => Ok(Outcome::stopped(unfinished(games), stamp)),
        false => rate_and_search(games, rating, plan, (stamp, behaviour), &mut engines, observer).await,
    };
    let is_over = outcome.as_ref().is_ok_and(|outcome| !outcome.interrupted);
    engines.quit(is_over, observer).await?;
    outcome
}

/// Searches the games for their rating, if the engine has a calibration, and then as the plan wants it. Where both are
/// the same, once.
async fn rate_and_search(
    games: Vec<Game>,
    rating: RatingTask<'_>,
    plan: &EvaluationPlan,
    (engine, behaviour): (EngineStamp, Option<Behaviour>),
    engines: &mut EngineSet,
    observer: &mut dyn Observer,
) -> Result<Outcome, VerbError> {
    let is_all = rating.games.len() == games.len();
    let found =
        engines.calibration(rating.calibrations, &engine, behaviour.as_ref(), plan.protocol, observer);
    let calibration = match found {
        Ok(calibration) => calibration,
        Err(none) => {
            let search = announced(games, plan, &engine, engines, observer).await?;
            let outcome = search_in_turn(search, plan, engine, engines, observer).await?;
            return Ok(Outcome { rated: Err(none), ..outcome });
        }
    };
    observer.rate_by(&calibration);
    // What takes longest is told first, while nothing has been waited for.
    let search = announced(games, plan, &engine, engines, observer).await?;
    if is_all && calibration.protocol() == plan.protocol {
        let outcome = search_in_turn(search, plan, engine, engines, observer).await?;
        let rated = RatedSearch { calibration, games: outcome.games.iter().map(complete).collect() };
        return Ok(Outcome { rated: Ok(rated), ..outcome });
    }
    let (rated, stopped) =
        engines.search_for_rating(rating.games, calibration, &engine, plan.reach, observer).await?;
    if let Some(counts) = stopped {
        return Ok(Outcome { counts, ..Outcome::stopped(search.finish(), engine) });
    }
    let outcome = search_in_turn(search, plan, engine, engines, &mut Apart(observer)).await?;
    Ok(Outcome { rated: Ok(rated), ..outcome })
}

/// Returns games that nothing is known of.
fn unfinished(games: Vec<Game>) -> Vec<SearchedGame> {
    games.into_iter().map(|game| SearchedGame::Unfinished { game: Box::new(game) }).collect()
}

/// Returns a copy of a game that has all of its evaluations.
fn complete(searched: &SearchedGame) -> Option<EvaluatedGame> {
    match searched {
        SearchedGame::Complete(game) => Some(game.as_ref().clone()),
        SearchedGame::Failed { .. } | SearchedGame::Unfinished { .. } => None,
    }
}

/// Returns the search of the games, and tells what there is to do and how long that will take.
async fn announced(
    games: Vec<Game>,
    plan: &EvaluationPlan,
    engine: &EngineStamp,
    engines: &mut EngineSet,
    observer: &dyn Observer,
) -> Result<Search, VerbError> {
    let search = Search::plan(games, engine.clone(), plan.protocol, engines.store())?;
    observer.note(&described(&search, engine, &plan.protocol, engines.store()));
    engines.tell_unused(&search, engine, observer);
    if plan.reach == Reach::Search {
        engines.foretell(&search, true, observer).await?;
    }
    Ok(search)
}

/// Searches the positions of the games, and then, where the user wants the engine's own histogram,
/// those that its own moves lead to.
async fn search_in_turn(
    mut search: Search,
    plan: &EvaluationPlan,
    engine: EngineStamp,
    engines: &mut EngineSet,
    observer: &mut dyn Observer,
) -> Result<Outcome, VerbError> {
    let protocol = plan.protocol;
    check_stored(&search, plan.reach, false, &engine, engines.store())?;
    if engine.name.starts_with("Stockfish") {
        hint_at_a_faster_build(engines.command(), &search, observer);
    }
    let interrupted = engines.search(&mut search, "positions", observer).await?;
    let counts = search.counts();
    let own_moves = SearchCounts::default();
    let rated = Err(NoRating::NotWanted);
    let programs = search.programs().clone();
    let mut outcome =
        Outcome { games: search.finish(), counts, own_moves, engine, programs, rated, interrupted };
    if plan.own_moves && !interrupted {
        outcome.search_choices(plan, engines, observer).await?;
    } else if plan.reach == Reach::StoredWithChoices {
        outcome.recall_choices(protocol, engines.store(), observer)?;
    }
    Ok(outcome)
}

impl Outcome {
    /// Returns what is left of a search that the user has stopped before it began.
    fn stopped(games: Vec<SearchedGame>, engine: EngineStamp) -> Outcome {
        Outcome {
            games,
            counts: SearchCounts::default(),
            own_moves: SearchCounts::default(),
            engine,
            programs: BTreeSet::new(),
            rated: Err(NoRating::NotWanted),
            interrupted: true,
        }
    }

    /// Goes on with the games that are complete, to the engine's own move in each position.
    async fn search_choices(
        &mut self,
        plan: &EvaluationPlan,
        engines: &mut EngineSet,
        observer: &mut dyn Observer,
    ) -> Result<(), VerbError> {
        let protocol = plan.protocol;
        let (places, complete) = set_aside(std::mem::take(&mut self.games));
        let mut search = Search::plan_choices(complete, self.engine.clone(), protocol, engines.store())?;
        observer.note(&plan_of_choices(&search));
        engines.tell_unused(&search, &self.engine, observer);
        check_stored(&search, plan.reach, true, &self.engine, engines.store())?;
        engines.foretell(&search, false, observer).await?;
        for (game, error) in search.failures() {
            show(&SearchNotice::Failed { game, error }, observer);
        }
        self.interrupted = engines.search(&mut search, "own moves", observer).await?;
        self.own_moves = search.counts();
        self.programs.extend(search.programs().iter().cloned());
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
        store: Option<&dyn EvaluationStore>,
        observer: &dyn Observer,
    ) -> Result<(), VerbError> {
        let mut games = Vec::new();
        for game in &self.games {
            let SearchedGame::Complete(game) = game else { return Ok(()) };
            let game = game.as_ref().clone();
            let search = Search::plan_choices(vec![game], self.engine.clone(), protocol, store)?;
            if !search.is_complete() || search.failures().next().is_some() {
                observer.note(NO_CHOICES);
                return Ok(());
            }
            self.own_moves += search.counts();
            self.programs.extend(search.programs().iter().cloned());
            games.extend(search.finish());
        }
        self.games = games;
        Ok(())
    }
}

const NO_CHOICES: &str = "not all of the engine's own moves are in the store, so the choice of its own histogram is \
    left out (gainalyze with --engine-histogram self searches them)";

/// Refuses a search of which anything is missing, where nothing is to be searched.
fn check_stored(
    search: &Search,
    reach: Reach,
    own_moves: bool,
    engine: &EngineStamp,
    store: Option<&dyn EvaluationStore>,
) -> Result<(), VerbError> {
    if reach == Reach::Search || search.is_complete() {
        return Ok(());
    }
    let SearchProgress { positions, positions_done, games, games_done } = search.progress();
    let missing = format!(
        "{} of {} have no stored evaluation by {}, {}: nothing is searched here",
        counted(positions - positions_done, "position"),
        counted((games - games_done) as u64, "game"),
        engine.name,
        search.protocol(),
    );
    Err(match (store, reach) {
        (None, _) => VerbError::new(format!("{missing}, and there is no store")).with_hint(" (--no-store)"),
        (Some(_), Reach::Stored) => VerbError::new(missing).with_hint(
            "; the same command without --no-search searches them, and with --shard K/N it tells whether a part is whole",
        ),
        (Some(_), _) => VerbError::new(missing).with_hint(how_to_search(&search.protocol(), own_moves)),
    })
}

/// Returns the hint to search by this protocol, and the engine's own moves too where they are wanted.
fn how_to_search(protocol: &Protocol, own_moves: bool) -> String {
    let mut options = format!("--{}", protocol.limit);
    if protocol.order != Order::default() {
        options += &format!(" --order {}", protocol.order);
    }
    if protocol.segment != Protocol::SEGMENT {
        options += &format!(" --segment {}", protocol.segment);
    }
    if own_moves {
        options += " --engine-histogram self";
    }
    format!("; gainalyze PGN {options} searches them (with the same options of engine and store, if any)")
}

/// Returns the games that are complete, and the others in their places.
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

fn described(
    search: &Search,
    engine: &EngineStamp,
    protocol: &Protocol,
    store: Option<&dyn EvaluationStore>,
) -> String {
    let progress = search.progress();
    let store = store.map_or("kept nowhere".to_owned(), |store| format!("kept in {}", store.describe()));
    format!(
        "{}, {protocol}: {} of {}, {} of them known; {store}",
        engine.name,
        counted(progress.positions, "position"),
        counted(progress.games as u64, "game"),
        progress.positions_done,
    )
}

fn plan_of_choices(search: &Search) -> String {
    let progress = search.progress();
    format!(
        "for the engine's own moves, where others were played: {} more, {} of them known",
        counted(progress.positions, "position"),
        progress.positions_done,
    )
}

/// Positions from which on a faster engine is worth the bother.
const LONG: u64 = 1000;

/// Says that a faster build is worth the bother: Debian builds Stockfish for the oldest processor it runs on.
fn hint_at_a_faster_build(command: &EngineCommand, search: &Search, observer: &dyn Observer) {
    let progress = search.progress();
    let missing = progress.positions - progress.positions_done;
    if missing >= LONG && command.program().is_some_and(|path| path.starts_with("/usr/games")) {
        observer.note(
            "hint: Stockfish as Debian builds it runs on any processor, and slowly: a build of the same version \
             for this one gives the same scores in about 0.6 of the time (--engine PATH)",
        );
    }
}

/// Returns the way in which a user stops what begins now.
pub fn listen(observer: &dyn Observer, finishing: &'static str) -> Result<Interrupts, VerbError> {
    let interrupts = observer.interrupts(finishing);
    let interrupts = interrupts.map_err(|error| VerbError::system("listen for Ctrl-C", error))?;
    interrupts.search_begins();
    Ok(interrupts)
}

#[cfg(test)]
mod tests;
