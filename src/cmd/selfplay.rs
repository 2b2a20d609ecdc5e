//! Owns the verb `selfplay`: an engine plays itself at fixed depths, and who scored what is told.

use std::{
    io::{self, Write},
    path::PathBuf,
    time::Instant,
};

use chrono::{SecondsFormat, Utc};
use serde::Serialize;

use super::{
    CmdError, Ending,
    analyze::command_line,
    input,
    playing::{self, Effort, Playing},
    print,
    progress::Display,
    screen,
};
use crate::{
    cli::{OpeningArgs, SelfplayArgs},
    engine::{options::CHESS960, session::Identity},
    pgn::read_source,
    report::{
        files::{FileError, FileNames, OutputDir},
        tables,
    },
    selfplay::{
        Outcome,
        crew::Work,
        entrants::Entrants,
        openings::{self, Opening, Openings},
        pairs::pairs,
        record::Header,
        results,
        resume::{Book, EXPERIMENT, Entrant, Experiment, Journal, RUN},
        schedule::{Fixture, Pair, openings_needed, schedule},
        tally,
    },
    text::counted,
};

/// More games than any machine plays.
const MOST_GAMES: u64 = 50_000_000;

/// Plays the experiment that `args` describe, or goes on with it.
pub fn run(args: &SelfplayArgs) -> Result<Ending, CmdError> {
    let mut display = Display::new(args.quiet);
    let pairs = pairs_of(args)?;
    let openings = read_openings(&args.openings, openings_needed(&pairs, args.games), &display)?;
    let entrants = playing::meet(&args.engines)?;
    check_variants(&openings, &entrants)?;
    warn_of_threads(&entrants, &display);
    let experiment = experiment(args, pairs, &openings, &entrants);
    let fixtures = fixtures(&experiment);
    let header = header(&experiment);
    let folder = args.output.clone().unwrap_or_else(|| default_folder(&experiment));
    let folder = claim(folder, &experiment)?;
    let (journal, found) = Journal::open(folder.path(), &header, &fixtures)?;
    if found.was_torn {
        display.note("a game that an earlier run had not finished was cut off, and is played again");
    }
    display.note(&plan(&experiment, found.outcomes.len(), &folder));
    let missing = missing(&fixtures, &found.outcomes);
    let mut playing =
        Playing { header: &header, journal, outcomes: found.outcomes, games: fixtures.len() as u64 };
    let work = Work {
        fixtures: &missing,
        openings: &openings,
        adjudication: experiment.adjudication,
        restart: experiment.restart,
        jobs: args.engines.jobs(),
    };
    let clock = Clock::start();
    let effort = match missing.is_empty() {
        true => Ok(Effort::default()),
        false => playing.work_off(&entrants, work, &mut display),
    };
    let mut outcomes = playing.outcomes;
    outcomes.sort_unstable_by_key(|outcome| outcome.game);
    write_results(&folder, &outcomes)?;
    let effort = effort?;
    if effort.games > 0 {
        write_run(&folder, &clock.run(effort, args.engines.jobs().min(missing.len())))?;
    }
    print(&tables::matches(&tally::by_pair(&outcomes), screen()))?;
    display.note(&format!("games and results are in {}", folder.path().display()));
    Ok(ending(&outcomes, &fixtures, &display))
}

fn pairs_of(args: &SelfplayArgs) -> Result<Vec<Pair>, CmdError> {
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
fn read_openings(args: &OpeningArgs, needed: u32, display: &Display) -> Result<Vec<Opening>, CmdError> {
    let found = if let Some(path) = &args.openings {
        let name = path.display().to_string();
        let Openings { openings, skipped } = openings::read(&read_source(path)?, &name, args.opening_plies);
        skipped.iter().for_each(|skipped| display.warn(&format!("{skipped}: left out")));
        if openings.is_empty() {
            return Err(CmdError::NoGames(format!("{name}: no opening in it can be played")));
        }
        openings
    } else if let Some(plies) = args.random_plies {
        openings::random(plies, needed, args.seed)
    } else {
        display.note(
            "every game begins at the usual start, where most engines play the same game again: \
             --openings FILE or --random-plies N make games differ",
        );
        return Ok(Vec::new());
    };
    if found.len() < needed as usize {
        display.note(&format!(
            "{} where {needed} would make every game of a pair begin in another way: they are used again",
            counted(found.len() as u64, "opening")
        ));
    }
    Ok(found)
}

fn check_variants(openings: &[Opening], entrants: &Entrants) -> Result<(), CmdError> {
    let is_shuffled = openings.iter().any(|opening| opening.mode.is_chess960());
    let lacks = |identity: &&Identity| is_shuffled && identity.options.get(CHESS960).is_none();
    match identities(entrants).find(lacks) {
        Some(engine) => Err(CmdError::Usage(format!(
            "{} has no option {CHESS960}, which some of the openings need: choose another engine or other openings",
            engine.name
        ))),
        None => Ok(()),
    }
}

fn identities(entrants: &Entrants) -> impl Iterator<Item = &Identity> {
    std::iter::once(&entrants.engine).chain(&entrants.opponent).map(|known| &known.identity)
}

fn warn_of_threads(entrants: &Entrants, display: &Display) {
    let threads = |engine: &Identity| engine.options.values().get("Threads")?.parse::<u32>().ok();
    if identities(entrants).filter_map(threads).any(|threads| threads > 1) {
        display.warn("with Threads above 1 the games no longer repeat; for speed, use --jobs");
    }
}

fn experiment(
    args: &SelfplayArgs,
    pairs: Vec<Pair>,
    openings: &[Opening],
    entrants: &Entrants,
) -> Experiment {
    let entrant = |identity: &Identity| Entrant {
        name: identity.name.clone(),
        options: identity.options.values().clone(),
    };
    let book = || Book {
        count: u32::try_from(openings.len()).unwrap_or(u32::MAX),
        sha256: openings::digest(openings),
    };
    Experiment {
        engine: entrant(&entrants.engine.identity),
        opponent: entrants.opponent.as_ref().map(|opponent| entrant(&opponent.identity)),
        pairs,
        games: args.games,
        openings: (!openings.is_empty()).then(book),
        seed: args.openings.seed,
        adjudication: args.rules.adjudication(),
        restart: args.engines.restart.into(),
    }
}

fn fixtures(experiment: &Experiment) -> Vec<Fixture> {
    let openings = experiment.openings.as_ref().map_or(0, |book| book.count);
    schedule(&experiment.pairs, experiment.games, openings, experiment.seed)
}

fn header(experiment: &Experiment) -> Header {
    Header {
        engine: experiment.engine.name.clone(),
        opponent: experiment.opponent.as_ref().map(|opponent| opponent.name.clone()),
        adjudication: experiment.adjudication.to_string(),
        date: Utc::now().format("%Y.%m.%d").to_string(),
    }
}

fn default_folder(experiment: &Experiment) -> PathBuf {
    let mut names = FileNames::for_each("engine");
    let mut name = format!("selfplay-{}", names.file_name_for(&experiment.engine.name));
    if let Some(opponent) = &experiment.opponent {
        name += &format!("-{}", FileNames::for_each("opponent").file_name_for(&opponent.name));
    }
    PathBuf::from(input::REPORTS).join(name)
}

/// The folder, which holds this experiment or nothing that it would write over.
fn claim(folder: PathBuf, experiment: &Experiment) -> Result<OutputDir, CmdError> {
    let is_begun = experiment.is_begun(&folder)?;
    let folder = OutputDir::create(folder)?;
    if !is_begun {
        write_json(&folder, EXPERIMENT, experiment)?;
    }
    Ok(folder)
}

fn plan(experiment: &Experiment, done: usize, folder: &OutputDir) -> String {
    let Experiment { engine, opponent, pairs, games, adjudication, .. } = experiment;
    let against = opponent.as_ref().map_or(String::new(), |opponent| format!(" against {}", opponent.name));
    let rules = adjudication.to_string();
    let rules = if rules.is_empty() { rules } else { format!("; games end early by {rules}") };
    format!(
        "{}{against}: {} of {} each, {done} of them played already; in {}{rules}",
        engine.name,
        counted(pairs.len() as u64, "pair"),
        counted(u64::from(*games), "game"),
        folder.path().display(),
    )
}

/// The games that are not over yet, in the order of the schedule.
fn missing(fixtures: &[Fixture], outcomes: &[Outcome]) -> Vec<Fixture> {
    let mut is_over = vec![false; fixtures.len()];
    outcomes.iter().for_each(|outcome| is_over[outcome.game as usize] = true);
    fixtures.iter().filter(|fixture| !is_over[fixture.game as usize]).copied().collect()
}

fn write_results(folder: &OutputDir, outcomes: &[Outcome]) -> Result<(), CmdError> {
    let path = folder.path().join(results::FILE);
    let failed = |source| FileError::Write { path: path.clone(), source };
    folder.write(results::FILE, |file| results::write(outcomes, file).map_err(failed))?;
    Ok(())
}

fn write_run(folder: &OutputDir, run: &Run) -> Result<(), CmdError> {
    write_json(folder, RUN, run)
}

fn write_json(folder: &OutputDir, name: &str, value: &impl Serialize) -> Result<(), CmdError> {
    let path = folder.path().join(name);
    let failed = |source: io::Error| FileError::Write { path: path.clone(), source };
    folder.write(name, |file| {
        serde_json::to_writer_pretty(&mut *file, value).map_err(|error| failed(error.into()))?;
        writeln!(file).map_err(failed)
    })?;
    Ok(())
}

/// What `run.json` holds: how this run went, which another run of the same work does not repeat.
#[derive(Debug, Serialize)]
struct Run {
    version: &'static str,
    command: Vec<String>,
    /// UTC, RFC 3339.
    started: String,
    wall_seconds: f64,
    jobs: usize,
    games: u64,
    /// Half-moves that engines have chosen.
    plies: u64,
    plies_per_second: f64,
    /// Share of jobs × wall time in which an engine was asked for a move, or was starting.
    engine_busy_share: f64,
    /// The part of it in which engines were starting.
    engine_start_share: f64,
}

/// When the playing began.
struct Clock {
    started: String,
    begun: Instant,
}

impl Clock {
    fn start() -> Clock {
        Clock { started: Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true), begun: Instant::now() }
    }

    fn run(self, effort: Effort, jobs: usize) -> Run {
        let wall = self.begun.elapsed().as_secs_f64();
        let share = |time: std::time::Duration| time.as_secs_f64() / (jobs as f64 * wall);
        Run {
            version: env!("CARGO_PKG_VERSION"),
            command: command_line(),
            started: self.started,
            wall_seconds: wall,
            jobs,
            games: effort.games,
            plies: effort.plies,
            plies_per_second: effort.plies as f64 / wall,
            engine_busy_share: share(effort.playing + effort.starting),
            engine_start_share: share(effort.starting),
        }
    }
}

/// Interrupted where games are missing; otherwise whether any was forfeited.
fn ending(outcomes: &[Outcome], fixtures: &[Fixture], display: &Display) -> Ending {
    let forfeits = outcomes.iter().filter(|outcome| outcome.ending.is_forfeit()).count();
    if forfeits > 0 {
        display.warn(&format!("{} by forfeit", counted(forfeits as u64, "game") + " ended"));
    }
    match (outcomes.len() < fixtures.len(), forfeits) {
        (true, _) => {
            display.warn(&format!(
                "stopped after {} of {}: the same command goes on from there",
                outcomes.len(),
                counted(fixtures.len() as u64, "game")
            ));
            Ending::Interrupted
        }
        (false, 0) => Ending::Complete,
        (false, _) => Ending::GamesFailed,
    }
}
