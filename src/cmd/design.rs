//! Owns the way from the options of `selfplay` to what is played: pairs, openings, engines.

use super::{CmdError, console::Console, playing};
use crate::{
    app::Observer,
    cli::{OpeningArgs, SelfplayArgs},
    pgn::read_source,
    selfplay::{
        config::{ContestantConfig, ExperimentConfig, OpeningBook},
        contestants::Contestants,
        openings::{self, Opening, Openings},
        pairs::pairs,
        schedule::{Matchup, openings_needed},
    },
    text::counted,
    uci::{options::CHESS960, session::EngineIdentity},
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

/// Reads the openings and meets the engines that `args` name. Nothing is written.
pub fn design(args: &SelfplayArgs, console: &Console) -> Result<Designed, CmdError> {
    let pairs = pairs_of(args)?;
    let openings = read_openings(&args.openings, openings_needed(&pairs, args.games), console)?;
    let contestants = playing::identify(&args.engines)?;
    check_variants(&openings, &contestants)?;
    warn_of_threads(&contestants, console);
    let design = design_of(args, pairs, &openings, &contestants);
    Ok(Designed { design, openings, contestants })
}

fn pairs_of(args: &SelfplayArgs) -> Result<Vec<Matchup>, CmdError> {
    let depths = args.depths.as_slice();
    let opponent = args.engines.has_opponent().then(|| {
        let own = args.engines.opponent_depths.as_ref();
        own.unwrap_or(&args.depths).as_slice()
    });
    let pairs = pairs(&args.pairs, depths, opponent)
        .map_err(|error| CmdError::Usage(format!("{error}: see --depths and --pairs")))?;
    let games = pairs.len() as u64 * u64::from(args.games);
    match games {
        0 => Err(CmdError::Usage("no pair is left to play: see --depths and --pairs".to_owned())),
        1..=MOST_GAMES => Ok(pairs),
        _ => Err(CmdError::Usage(format!(
            "{} pairs of {} games are {games}, and at most {MOST_GAMES} can be played: see --games",
            pairs.len(),
            args.games
        ))),
    }
}

/// The openings that the user wants; none for the usual start.
fn read_openings(args: &OpeningArgs, needed: u32, console: &Console) -> Result<Vec<Opening>, CmdError> {
    let found = if let Some(path) = &args.openings {
        let name = path.display().to_string();
        let Openings { openings, skipped, repeated } =
            openings::read(&read_source(path)?, &name, args.opening_plies);
        skipped.iter().for_each(|skipped| console.warn(&format!("{skipped}: left out")));
        if repeated > 0 {
            console.note(&format!(
                "{} left out: the position reached is that of one before, and so would be the games",
                counted(repeated.into(), "opening")
            ));
        }
        if openings.is_empty() {
            return Err(CmdError::NoGames(format!("{name}: no opening in it can be played")));
        }
        openings
    } else if let Some(plies) = args.random_plies {
        openings::random(plies, needed, args.seed)
    } else {
        console.note(
            "every game begins at the usual start, where most engines play the same game again: \
             --openings FILE or --random-plies N make games differ",
        );
        return Ok(Vec::new());
    };
    if found.len() < needed as usize {
        console.note(&format!(
            "{} where {needed} would make every game of a pair begin in another way: they are used again",
            counted(found.len() as u64, "opening")
        ));
    }
    Ok(found)
}

fn check_variants(openings: &[Opening], contestants: &Contestants) -> Result<(), CmdError> {
    let is_shuffled = openings.iter().any(|opening| opening.mode.is_chess960());
    let lacks = |identity: &&EngineIdentity| is_shuffled && !identity.options.has_chess960();
    match identities(contestants).find(lacks) {
        Some(engine) => Err(CmdError::Usage(format!(
            "{} has no option {CHESS960}, which some of the openings need: choose another engine or other openings",
            engine.name
        ))),
        None => Ok(()),
    }
}

fn identities(contestants: &Contestants) -> impl Iterator<Item = &EngineIdentity> {
    std::iter::once(&contestants.engine).chain(&contestants.opponent).map(|known| &known.identity)
}

fn warn_of_threads(contestants: &Contestants, console: &Console) {
    if identities(contestants).any(|engine| engine.options.threads() > 1) {
        console.warn("with Threads above 1 the games no longer repeat; for speed, use --jobs");
    }
}

fn design_of(
    args: &SelfplayArgs,
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
        games: args.games,
        openings: (!openings.is_empty()).then(book),
        seed: args.openings.seed,
        adjudication: args.rules.adjudication(),
        restart: args.engines.restart,
    }
}
