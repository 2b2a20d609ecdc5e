//! Owns the way from the plan of an experiment to what is played: pairs, openings, engines.

use super::{
    Advice, AppError, Observer, fitness,
    plan::{OpeningPlan, SelfplayPlan},
    playing,
};
use crate::{
    pgn::read_source,
    selfplay::{
        config::{ContestantConfig, ExperimentConfig, OpeningBook},
        contestants::Contestants,
        openings::{self, Opening, Openings},
        pairs::pairs,
        schedule::{Matchup, openings_needed},
    },
    text::counted,
    uci::session::{EngineIdentity, Purpose},
};

/// More games than any machine plays.
const MOST_GAMES: u64 = 50_000_000;

/// What an experiment is, and what it is played with.
pub struct Designed {
    /// What determines the games.
    pub design: ExperimentConfig,
    /// Where they begin; empty for the usual start.
    pub openings: Vec<Opening>,
    /// Who plays.
    pub contestants: Contestants,
}

/// Reads the openings and starts each engine of the plan once. Nothing is written.
///
/// # Errors
///
/// If nobody meets anybody, if no opening can be played, or if an engine cannot be used or does not know the rules
/// of an opening.
pub fn design(plan: &SelfplayPlan, observer: &dyn Observer) -> Result<Designed, AppError> {
    let pairs = pairs_of(plan)?;
    let openings = read_openings(plan, openings_needed(&pairs, plan.games), observer)?;
    let contestants = playing::identify(plan)?;
    let modes = openings.iter().map(|opening| opening.mode);
    fitness::check_variants(modes, identities(&contestants), Purpose::Play)?;
    plan.engine.say_who(observer);
    fitness::warn_of_threads(identities(&contestants), Purpose::Play, observer);
    let design = design_of(plan, pairs, &openings, &contestants);
    Ok(Designed { design, openings, contestants })
}

fn pairs_of(plan: &SelfplayPlan) -> Result<Vec<Matchup>, AppError> {
    let opponent = plan.opponent.as_ref().map(|opponent| opponent.depths.as_slice());
    let pairs = pairs(&plan.pairings, &plan.depths, opponent)
        .map_err(|error| AppError::NoPairs(error.to_string()))?;
    let games = pairs.len() as u64 * u64::from(plan.games);
    match games {
        0 => Err(AppError::NoPairs("no pair is left to play".to_owned())),
        1..=MOST_GAMES => Ok(pairs),
        _ => Err(AppError::TooManyGames { pairs: pairs.len(), each: plan.games, games, most: MOST_GAMES }),
    }
}

/// Returns the openings that are wanted; none for the usual start.
fn read_openings(
    plan: &SelfplayPlan,
    needed: u32,
    observer: &dyn Observer,
) -> Result<Vec<Opening>, AppError> {
    let found = match &plan.openings {
        OpeningPlan::File { path, plies } => {
            let name = path.display().to_string();
            let Openings { openings, skipped, repeated } = openings::read(&read_source(path)?, &name, *plies);
            skipped.iter().for_each(|skipped| observer.warn(&format!("left out: {skipped}")));
            if repeated > 0 {
                observer.note(&format!(
                    "left out: {} reaching the same position as an earlier one, so that the games would be the same",
                    counted(repeated.into(), "opening")
                ));
            }
            if openings.is_empty() {
                return Err(AppError::NoGames(format!("{name}: no opening in it can be played")));
            }
            openings
        }
        OpeningPlan::Random(plies) => openings::random(*plies, needed, plan.seed),
        OpeningPlan::Usual => {
            observer.note_with(
                "every game begins at the usual start, where most engines play the same game again",
                Advice::NameOpenings,
            );
            return Ok(Vec::new());
        }
    };
    if found.len() < needed as usize {
        observer.note(&format!(
            "there are {}, and with {needed} every game of a pair would begin differently: openings are used again",
            counted(found.len() as u64, "opening")
        ));
    }
    Ok(found)
}

fn identities(contestants: &Contestants) -> impl Iterator<Item = &EngineIdentity> {
    std::iter::once(&contestants.engine).chain(&contestants.opponent).map(|known| &known.identity)
}

fn design_of(
    plan: &SelfplayPlan,
    pairs: Vec<Matchup>,
    openings: &[Opening],
    contestants: &Contestants,
) -> ExperimentConfig {
    let contestant = |identity: &EngineIdentity| ContestantConfig {
        name: identity.name.clone(),
        options: identity.options.values().clone(),
    };
    let book = || OpeningBook {
        count: u32::try_from(openings.len()).unwrap_or(u32::MAX),
        sha256: openings::digest(openings),
    };
    ExperimentConfig {
        engine: contestant(&contestants.engine.identity),
        opponent: contestants.opponent.as_ref().map(|opponent| contestant(&opponent.identity)),
        pairs,
        games: plan.games,
        openings: (!openings.is_empty()).then(book),
        seed: plan.seed,
        adjudication: plan.adjudication,
        restart: plan.restart,
    }
}
