//! Owns the verb `selfplay`: an engine plays itself at fixed depths, and who scored what is told.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::PathBuf,
    time::Instant,
};

use chrono::{SecondsFormat, Utc};
use serde::Serialize;

use super::{
    CmdError, Ending,
    console::Console,
    design::{self, Designed},
    experiment, input,
    playing::{Effort, Playing},
    print, screen,
};
use crate::{
    app::Observer,
    cli::SelfplayArgs,
    output::{FileError, FileNames, OutputDir, command_line},
    report::{
        experiment::{ExperimentOptions, Facts},
        plots::format::PictureFormat,
        tables,
    },
    selfplay::{
        GameRecord,
        config::{ExperimentConfig, FILE, RUN},
        game_log::GameLog,
        game_pgn::GameHeader,
        game_pool::GamesToPlay,
        results,
        schedule::{ScheduledGame, schedule},
        tally,
    },
    text::counted,
};

/// Plays the experiment that `args` describe, or goes on with it.
pub fn run(args: &SelfplayArgs) -> Result<Ending, CmdError> {
    let mut console = Console::new(args.quiet);
    let plots = args.report.pictures.pictures().map_err(CmdError::Usage)?;
    let Designed { design, openings, contestants } = design::design(args, &console)?;
    let wanted = experiment::wanted(&args.experiment, &design.engine.name, &console)?;
    wanted.choices.check(&design.contenders())?;
    let scheduled_games = scheduled_games(&design);
    let header = header(&design);
    let folder = args.output.clone().unwrap_or_else(|| default_folder(&design));
    let folder = claim(folder, &design)?;
    let (game_log, found) = GameLog::open(folder.path(), &header, &scheduled_games)?;
    if found.was_torn {
        console.note("a game that an earlier run had not finished was cut off, and is played again");
    }
    console.note(&plan(&design, found.records.len(), &folder));
    let missing = missing(&scheduled_games, &found.records);
    let mut playing =
        Playing { header: &header, game_log, records: found.records, games: scheduled_games.len() as u64 };
    let work = GamesToPlay {
        scheduled_games: &missing,
        openings: &openings,
        adjudication: design.adjudication,
        restart: design.restart,
        jobs: args.engines.jobs(),
    };
    let clock = Clock::start();
    let effort = match missing.is_empty() {
        true => Ok(Effort::default()),
        false => playing.work_off(&contestants, work, &mut console),
    };
    let mut records = playing.records;
    records.sort_unstable_by_key(|record| record.game);
    write_results(&folder, &records)?;
    let effort = effort?;
    if effort.games > 0 {
        write_run(&folder, &clock.run(effort, args.engines.jobs().min(missing.len())))?;
    }
    print(&tables::matches(&tally::by_pair(&records), screen()))?;
    // Of a part of the games the pairs would be of different sizes, and mislead.
    if records.len() == scheduled_games.len() {
        print("\n")?;
        experiment::report(&records, &wanted, &folder, options(args, &design, plots))?;
    }
    console.note(&format!("games and results are in {}", folder.path().display()));
    Ok(ending(&records, &scheduled_games, &console))
}

fn scheduled_games(design: &ExperimentConfig) -> Vec<ScheduledGame> {
    let openings = design.openings.as_ref().map_or(0, |book| book.count);
    schedule(&design.pairs, design.games, openings, design.seed)
}

fn header(design: &ExperimentConfig) -> GameHeader {
    GameHeader {
        engine: design.engine.name.clone(),
        opponent: design.opponent.as_ref().map(|opponent| opponent.name.clone()),
        adjudication: design.adjudication.to_string(),
        date: Utc::now().format("%Y.%m.%d").to_string(),
    }
}

/// What is written of the results, and what only the design tells of them.
fn options(
    args: &SelfplayArgs,
    design: &ExperimentConfig,
    plots: BTreeSet<PictureFormat>,
) -> ExperimentOptions {
    let depths = || design.contenders().into_iter().flatten().map(|contender| contender.depth);
    let (least, most) = (depths().min().unwrap_or_default(), depths().max().unwrap_or_default());
    let facts = Facts {
        title: format!("{}, depths {least} to {most}", design.engine.name),
        engine: design.engine.name.clone(),
        opponent: design.opponent.as_ref().map(|opponent| opponent.name.clone()),
        anchor: None,
        conditions: design.conditions(),
        command: command_line(),
    };
    ExperimentOptions {
        formats: args.report.format.iter().copied().collect(),
        plots,
        page: !args.report.no_html,
        screen: screen(),
        facts,
    }
}

fn default_folder(design: &ExperimentConfig) -> PathBuf {
    let mut names = FileNames::for_each("engine");
    let mut name = format!("selfplay-{}", names.file_name_for(&design.engine.name));
    if let Some(opponent) = &design.opponent {
        name += &format!("-{}", FileNames::for_each("opponent").file_name_for(&opponent.name));
    }
    PathBuf::from(input::REPORTS).join(name)
}

/// The folder, which holds this experiment or nothing that it would write over.
fn claim(folder: PathBuf, design: &ExperimentConfig) -> Result<OutputDir, CmdError> {
    let is_begun = design.is_begun(&folder)?;
    let folder = OutputDir::create(folder)?;
    if !is_begun {
        write_json(&folder, FILE, design)?;
    }
    Ok(folder)
}

fn plan(design: &ExperimentConfig, done: usize, folder: &OutputDir) -> String {
    let ExperimentConfig { engine, opponent, pairs, games, adjudication, .. } = design;
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
fn missing(scheduled_games: &[ScheduledGame], records: &[GameRecord]) -> Vec<ScheduledGame> {
    let mut is_over = vec![false; scheduled_games.len()];
    records.iter().for_each(|record| is_over[record.game as usize] = true);
    scheduled_games.iter().filter(|scheduled| !is_over[scheduled.game as usize]).copied().collect()
}

fn write_results(folder: &OutputDir, records: &[GameRecord]) -> Result<(), CmdError> {
    let path = folder.path().join(results::FILE);
    let failed = |source| FileError::Write { path: path.clone(), source };
    folder.write(results::FILE, |file| results::write(records, file).map_err(failed))?;
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
fn ending(records: &[GameRecord], scheduled_games: &[ScheduledGame], console: &Console) -> Ending {
    let forfeits = records.iter().filter(|record| record.ending.is_forfeit()).count();
    if forfeits > 0 {
        console.warn(&format!("{} by forfeit", counted(forfeits as u64, "game") + " ended"));
    }
    match (records.len() < scheduled_games.len(), forfeits) {
        (true, _) => {
            console.warn(&format!(
                "stopped after {} of {}: the same command goes on from there",
                records.len(),
                counted(scheduled_games.len() as u64, "game")
            ));
            Ending::Interrupted
        }
        (false, 0) => Ending::Complete,
        (false, _) => Ending::GamesFailed,
    }
}
