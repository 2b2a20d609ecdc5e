//! Owns the verb `selfplay`: an engine plays itself at fixed depths, and who scored what is told.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use chrono::Utc;
use serde::{Deserialize, Serialize};

use super::{CmdError, RunEnding, console::Console, experiment, print, screen};
use crate::{
    app::{
        Observer,
        design::{self, Designed},
        playing::{Effort, Playing},
        reading,
    },
    cli::SelfplayArgs,
    output::{
        FileError, FileNames, OutputFolder, Overwrite, Publication, RunClock, RunKind, RunRecord,
        command_line, read_record, write_file,
    },
    report::{
        experiment::{ExperimentOptions, Facts},
        plots::format::PictureFormat,
        tables,
    },
    selfplay::{
        GameRecord,
        config::{ExperimentConfig, FILE},
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
pub fn run(args: &SelfplayArgs) -> Result<RunEnding, CmdError> {
    let mut console = Console::new(args.quiet);
    let plots = args.report.pictures.pictures().map_err(CmdError::Usage)?;
    let plan = args.plan();
    let Designed { design, openings, contestants } = design::design(&plan, &console)?;
    let wanted = experiment::wanted(&args.experiment, &design.engine.name, &console)?;
    wanted.choices.check(&design.contenders())?;
    let scheduled_games = scheduled_games(&design);
    let header = header(&design);
    let folder = args.output.clone().unwrap_or_else(|| default_folder(&design));
    let options = options(args, &design, plots);
    let folder = claim(folder, &design, &options, Overwrite::forced(args.force))?;
    let (game_log, found) = GameLog::open(folder.path(), &header, &scheduled_games)?;
    if found.was_torn {
        console.note("a game that an earlier run had not finished was cut off, and is played again");
    }
    console.note(&described(&design, found.records.len(), &folder));
    let missing = missing(&scheduled_games, &found.records);
    let mut playing =
        Playing { header: &header, game_log, records: found.records, games: scheduled_games.len() as u64 };
    let work = GamesToPlay {
        scheduled_games: &missing,
        openings: &openings,
        adjudication: design.adjudication,
        restart: design.restart,
        jobs: plan.jobs,
    };
    let clock = RunClock::start();
    let effort = match missing.is_empty() {
        true => Ok(Effort::default()),
        false => playing.work_off(&contestants, work, &mut console),
    };
    let mut records = playing.records;
    records.sort_unstable_by_key(|record| record.game);
    let out = folder.publication()?;
    write_results(&out, &records)?;
    // Of a part of the games the pairs would be of different sizes, and mislead.
    let is_complete = records.len() == scheduled_games.len();
    let report = is_complete.then(|| experiment::report(&records, &wanted, &out, options));
    let played = effort.as_ref().map_or_else(|_| Effort::default(), Clone::clone);
    out.finish(&record(&folder, &clock, played, plan.jobs.min(missing.len())))?;
    effort?;
    print(&tables::matches(&tally::by_pair(&records), screen()))?;
    if let Some(tables) = report.transpose()? {
        print(&format!("\n{tables}"))?;
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
    PathBuf::from(reading::REPORTS).join(name)
}

/// The folder, which holds this experiment or nothing that it would write over.
fn claim(
    folder: PathBuf,
    design: &ExperimentConfig,
    options: &ExperimentOptions,
    overwrite: Overwrite,
) -> Result<OutputFolder, CmdError> {
    let is_begun = design.is_begun(&folder)?;
    let names = options.file_names().into_iter().chain([results::FILE.to_owned()]);
    let folder = OutputFolder::claim(folder, RunKind::Selfplay, overwrite, names)?;
    if !is_begun {
        write_design(&folder, design)?;
    }
    Ok(folder)
}

fn described(design: &ExperimentConfig, done: usize, folder: &OutputFolder) -> String {
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

fn write_results(out: &Publication<'_>, records: &[GameRecord]) -> Result<(), CmdError> {
    let failed = |source| FileError::Write { path: out.folder().join(results::FILE), source };
    Ok(out.write(results::FILE, |file| results::write(records, file).map_err(failed))?)
}

fn write_design(folder: &OutputFolder, design: &ExperimentConfig) -> Result<(), CmdError> {
    let path = folder.path().join(FILE);
    let failed = |source: io::Error| FileError::Write { path: path.clone(), source };
    Ok(write_file(&path, |file| {
        serde_json::to_writer_pretty(&mut *file, design).map_err(|error| failed(error.into()))?;
        writeln!(file).map_err(failed)
    })?)
}

/// What `run.json` tells of the playing.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct PlayFacts {
    jobs: usize,
    games: u64,
    /// Half-moves that engines have chosen.
    plies: u64,
    /// Null where nothing was played, like the next two.
    plies_per_second: Option<f64>,
    /// Share of jobs × wall time in which an engine was asked for a move, or was starting.
    engine_busy_share: Option<f64>,
    /// The part of it in which engines were starting.
    engine_start_share: Option<f64>,
}

/// The record of this run; where it played no game, that of the run that did.
fn record(folder: &OutputFolder, clock: &RunClock, effort: Effort, jobs: usize) -> RunRecord<PlayFacts> {
    let mut record = clock.record(RunKind::Selfplay, PlayFacts::default());
    if effort.games == 0 {
        let earlier = read_record(folder.path(), RunKind::Selfplay);
        let remade = |earlier| RunRecord { remade: Some(command_line()), ..earlier };
        return earlier.map_or(record, remade);
    }
    let wall = record.wall_seconds;
    let share = |time: Duration| Some(time.as_secs_f64() / (jobs as f64 * wall));
    record.facts = PlayFacts {
        jobs,
        games: effort.games,
        plies: effort.plies,
        plies_per_second: Some(effort.plies as f64 / wall),
        engine_busy_share: share(effort.playing + effort.starting),
        engine_start_share: share(effort.starting),
    };
    record
}

/// Interrupted where games are missing; otherwise whether any was forfeited.
fn ending(records: &[GameRecord], scheduled_games: &[ScheduledGame], console: &Console) -> RunEnding {
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
            RunEnding::Interrupted
        }
        (false, 0) => RunEnding::Complete,
        (false, _) => RunEnding::GamesFailed,
    }
}
