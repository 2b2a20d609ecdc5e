//! The parts of an experiment, made from its plan: pairs, openings and engines.

use crate::base::text::{NAMED, counted};
use crate::chess::pgn::read_source;
use crate::engine::{EngineCommand, EngineIdentity, Purpose};
use crate::lab::selfplay::{openings, pairs::pairs, schedule::openings_needed};
use crate::lab::{
    ContestantConfig, Contestants, Entrant, EntrantConfig, Entrants, EntrantsConfig, ExperimentConfig,
    KnownEngine, MoveMethod, Opening, OpeningBook, Openings, Terms,
};
use crate::numbers::Sprt;
use crate::verbs::{
    error::Result, error::VerbError, observer::Observer, observer::event_loop, plan::EnginePlan,
    plan::fitness, selfplay::args::EntrantsPlan, selfplay::args::OpeningArgs, selfplay::args::PlayingPlan,
    selfplay::args::SelfplayArgs, selfplay::entrant::EntrantPlan,
};

/// Largest number of games, more than any machine can play.
const MOST_GAMES: u64 = 50_000_000;

pub struct Designed<D, P> {
    /// The definition that determines the games.
    pub design: D,
    /// The openings of the games; empty for the initial position.
    pub openings: Vec<Opening>,
    pub players: P,
}

/// Reads the openings and starts each engine of the plan once. Nothing is written.
pub fn design(
    args: &SelfplayArgs,
    depths: &[u32],
    plan: &PlayingPlan,
    observer: &dyn Observer,
) -> Result<Designed<ExperimentConfig, Contestants>> {
    let (engine, opponent) = (args.engines.engine(), args.engines.opponent());
    let theirs = args.engines.opponent_depths.as_ref().map_or(depths, |depths| &depths.0);
    let pairs = pairs(&args.pairs, depths, opponent.as_ref().map(|_| theirs));
    let pairs = pairs.map_err(|error| no_pairs(&error.to_string()))?;
    check_games(pairs.len(), plan.games)?;
    let openings = read_openings(plan, openings_needed(&pairs, plan.games), observer)?;
    if let ([pair], true, games @ 2..) = (pairs.as_slice(), openings.is_empty(), plan.games)
        && pair.is_mirror()
    {
        observer.warn(&format!(
            "depth {} plays only itself, and most engines then play the same game {games} times: add --random-plies 8, \
             --openings FILE or another depth",
            pair.first.depth
        ));
    }
    let players = identify(&engine, opponent.as_ref())?;
    let identities =
        || std::iter::once(&players.engine).chain(&players.opponent).map(|known| &known.identity);
    fitness::check_variants(openings.iter().map(|opening| opening.mode), identities(), Purpose::Play)?;
    engine.note_engine(observer);
    fitness::warn_of_threads(identities(), Purpose::Play, observer);
    let design = ExperimentConfig {
        engine: contestant(&players.engine.identity),
        opponent: players.opponent.as_ref().map(|opponent| contestant(&opponent.identity)),
        pairs,
        terms: terms(plan, &openings),
    };
    Ok(Designed { design, openings, players })
}

fn check_games(pairs: usize, each: u32) -> Result<()> {
    match pairs as u64 * u64::from(each) {
        0 => Err(no_pairs("no pairs to play")),
        1..=MOST_GAMES => Ok(()),
        games => Err(VerbError::new(format!(
            "{games} games (pairs: {pairs}, games of each pair: {each}) are more than the limit of {MOST_GAMES}"
        ))
        .with_hint("; choose a smaller --games")),
    }
}

fn no_pairs(why: &str) -> VerbError {
    VerbError::new(why).with_hint("; change --depths or --pairs")
}

fn read_openings(plan: &PlayingPlan, needed: u32, observer: &dyn Observer) -> Result<Vec<Opening>> {
    let OpeningArgs { openings, opening_plies, random_plies, seed } = &plan.openings;
    let found = match (openings, random_plies) {
        (Some(path), _) => {
            let name = path.display().to_string();
            let Openings { openings, skipped, repeated } =
                openings::read(&read_source(path)?, &name, *opening_plies);
            let told = skipped.first().iter().take(NAMED).cloned();
            let rest = skipped.rest(NAMED, "opening");
            told.chain(rest).for_each(|skipped| observer.warn(&format!("left out: {skipped}")));
            if repeated > 0 {
                observer.note(&format!(
                    "left out: {} with the same position as an earlier opening, because games would be repeated",
                    counted(repeated.into(), "opening")
                ));
            }
            if openings.is_empty() {
                return Err(VerbError::no_games(format!("{name}: no playable opening")));
            }
            openings
        }
        (None, Some(plies)) => openings::random(*plies, needed, *seed),
        (None, None) => {
            observer.note(
                "every game starts from the initial position, so most engines repeat their games; vary the \
                 openings with --openings FILE or --random-plies N",
            );
            return Ok(Vec::new());
        }
    };
    if found.len() < needed as usize {
        observer.note(&format!(
            "only {} found, so openings are used again; {needed} would be enough for all games",
            counted(found.len() as u64, "opening")
        ));
    }
    Ok(found)
}

fn contestant(identity: &EngineIdentity) -> ContestantConfig {
    ContestantConfig { name: identity.name.clone(), options: identity.options.values().clone() }
}

fn terms(plan: &PlayingPlan, openings: &[Opening]) -> Terms {
    let book = || OpeningBook {
        count: u32::try_from(openings.len()).unwrap_or(u32::MAX),
        sha256: openings::digest(openings),
    };
    Terms {
        games: plan.games,
        openings: (!openings.is_empty()).then(book),
        seed: plan.openings.seed,
        adjudication: plan.adjudication,
        restart: plan.restart,
    }
}

/// Starts each engine once, to learn its identity and to check its options.
fn identify(engine: &EnginePlan, opponent: Option<&EnginePlan>) -> Result<Contestants> {
    let engine = engine.command()?;
    let opponent = opponent.map(EnginePlan::command);
    event_loop()?.block_on(async {
        Ok(Contestants {
            engine: KnownEngine::identify(engine).await?,
            opponent: match opponent.transpose()? {
                Some(opponent) => Some(KnownEngine::identify(opponent).await?),
                None => None,
            },
        })
    })
}

/// Starts the engine of each entrant once, to learn its identity and to check its options.
fn identify_entrants(plans: &[EntrantPlan]) -> Result<Vec<Entrant>> {
    let identify = async |plan: &EntrantPlan| {
        let (choice, setup) = plan.resolved()?;
        let limit = plan.limit.unwrap_or_else(|| plan.way.usual_limit().into());
        let command = EngineCommand::new(&choice, &setup)?;
        let engine = match plan.way {
            MoveMethod::Search | MoveMethod::Spar(..) => KnownEngine::identify(command).await?,
            MoveMethod::Tree(_) => identify_for_trees(command).await?,
        };
        Ok(Entrant { name: plan.name.clone(), engine, limit, way: plan.way })
    };
    event_loop()?.block_on(async {
        let mut entrants = Vec::with_capacity(plans.len());
        for plan in plans {
            let found: Result<Entrant> = identify(plan).await;
            entrants.push(found.map_err(|error| VerbError::new(format!("entrant {}: {error}", plan.name)))?);
        }
        Ok(entrants)
    })
}

/// Starts an engine and stops it again, to learn its identity and to check that it can search single moves.
async fn identify_for_trees(command: EngineCommand) -> Result<KnownEngine> {
    let mut engine = command.start().await?;
    let identity = engine.identity().clone();
    fitness::check_searchmoves(&mut engine).await?;
    engine.quit().await;
    Ok(KnownEngine { command, identity })
}

/// Reads the openings and starts the engine of each entrant once. Nothing is written.
pub fn design_entrants(
    plan: &EntrantsPlan,
    observer: &dyn Observer,
) -> Result<Designed<EntrantsConfig, Entrants>> {
    check_entrants(plan)?;
    let count = u32::try_from(plan.entrants.len()).unwrap_or(u32::MAX);
    let pairs = plan.meetings.pairs(count);
    let games = plan.playing.games;
    check_games(pairs.len(), games)?;
    let openings = read_openings(&plan.playing, openings_needed(&pairs, games), observer)?;
    let players = Entrants(identify_entrants(&plan.entrants)?);
    let identities = || players.0.iter().map(|entrant| &entrant.engine.identity);
    fitness::check_variants(openings.iter().map(|opening| opening.mode), identities(), Purpose::Play)?;
    fitness::warn_of_threads(identities(), Purpose::Play, observer);
    let config = |entrant: &Entrant| EntrantConfig {
        name: entrant.name.clone(),
        engine: contestant(&entrant.engine.identity),
        limit: entrant.effort(),
    };
    let design = EntrantsConfig {
        entrants: players.0.iter().map(config).collect(),
        pairs,
        terms: terms(&plan.playing, &openings),
        sprt: plan.sprt,
    };
    Ok(Designed { design, openings, players })
}

fn check_entrants(plan: &EntrantsPlan) -> Result<()> {
    let entrants = &plan.entrants;
    if entrants.len() < 2 {
        return Err(VerbError::new("a single entrant has no opponent: name at least two entrants"));
    }
    let is_double = |place: usize, entrant: &EntrantPlan| {
        entrants[..place].iter().any(|earlier| earlier.name == entrant.name)
    };
    if let Some((_, double)) = entrants.iter().enumerate().find(|(place, entrant)| is_double(*place, entrant))
    {
        let name = &double.name;
        return Err(VerbError::new(format!("two entrants have the name {name:?}: give each its own name")));
    }
    check_sprt(plan.sprt, entrants.len())
}

pub fn check_sprt(sprt: Option<Sprt>, entrants: usize) -> Result<()> {
    match sprt {
        Some(_) if entrants != 2 => Err(VerbError::new(format!(
            "--sprt needs exactly two entrants, not {entrants}: name two, or leave out --sprt"
        ))),
        _ => Ok(()),
    }
}
