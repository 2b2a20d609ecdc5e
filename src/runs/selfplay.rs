//! Owns the run of an experiment: an engine plays itself at fixed depths, and what follows from the games is told.

use std::{
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use chrono::Utc;
use serde::{Deserialize, Serialize};

use super::{Finished, RunEnding, RunError, Viewer, experiment};
use crate::{
    app::{
        design::{self, Designed},
        plan::SelfplayPlan,
        playing::{Effort, Playing},
        reading,
    },
    output::{
        FileError, FileNames, OutputFolder, Publication, RunClock, RunKind, RunRecord, command_line,
        read_record, write_file,
    },
    report::{
        experiment::{ExperimentOptions, Facts},
        table::Screen,
        tables,
    },
    selfplay::{
        Contender, GameRecord,
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

/// Plays the experiment of `plan`, or goes on with it.
///
/// # Errors
///
/// If an engine, an opening or the anchor cannot be used, the folder is that of another experiment, or a file cannot
/// be written.
pub fn run(plan: &SelfplayPlan, viewer: &mut dyn Viewer) -> Result<Finished, RunError> {
    let Designed { design, openings, contestants } = design::design(plan, viewer)?;
    let wanted = experiment::wanted(plan, &design.engine.name, viewer)?;
    wanted.choices.check(&design.contenders())?;
    let scheduled_games = scheduled_games(&design);
    let header = header(&design);
    let options = options(plan, &design, viewer.screen());
    let folder = claim(plan, &design, &options)?;
    let (game_log, found) = GameLog::open(folder.path(), &header, &scheduled_games)?;
    if found.was_torn {
        viewer.note("a game that an earlier run had not finished was cut off, and is played again");
    }
    viewer.note(&described(&design, found.records.len(), &folder));
    let missing = missing(&scheduled_games, &found.records);
    let mut playing = Playing {
        header: &header,
        brief: &|contender: &Contender| format!("depth {contender}"),
        game_log,
        records: found.records,
        games: scheduled_games.len() as u64,
    };
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
        false => playing.work_off(&contestants, work, viewer),
    };
    let mut records = playing.records;
    records.sort_unstable_by_key(|record| record.game);
    let out = folder.publication()?;
    write_results(&out, &records)?;
    // Of a part of the games the pairs would be of different sizes, and mislead.
    let is_complete = records.len() == scheduled_games.len();
    let report = is_complete.then(|| experiment::report(&records, &wanted, &out, options, viewer));
    let played = effort.as_ref().map_or_else(|_| Effort::default(), Clone::clone);
    out.finish(&record(&folder, &clock, played, plan.jobs.min(missing.len())))?;
    effort?;
    let mut tables = tables::matches(&tally::by_pair(&records), viewer.screen());
    let failure = match report.transpose() {
        Ok(report) => {
            tables.extend(report.map(|report| format!("\n{report}")));
            None
        }
        Err(error) => Some(error),
    };
    viewer.note(&format!("games and results are in {}", folder.path().display()));
    Ok(Finished { tables, ending: ending(&records, &scheduled_games, viewer), failure })
}

fn scheduled_games(design: &ExperimentConfig) -> Vec<ScheduledGame> {
    let openings = design.openings.as_ref().map_or(0, |book| book.count);
    schedule(&design.pairs, design.games, openings, design.seed)
}

fn header(design: &ExperimentConfig) -> GameHeader {
    let opponent = design.opponent.as_ref().map(|opponent| opponent.name.as_str());
    GameHeader {
        adjudication: design.adjudication.to_string(),
        date: Utc::now().format("%Y.%m.%d").to_string(),
        ..GameHeader::of_depths(&design.engine.name, opponent, design.contenders().into_iter().flatten())
    }
}

/// Returns what is written of the results, and what only the design tells of them.
fn options(plan: &SelfplayPlan, design: &ExperimentConfig, screen: Screen) -> ExperimentOptions {
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
        formats: plan.tables.formats.clone(),
        plots: plan.pictures.clone(),
        page: plan.page,
        screen,
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

/// Returns the folder, which holds this experiment or nothing that it would write over.
fn claim(
    plan: &SelfplayPlan,
    design: &ExperimentConfig,
    options: &ExperimentOptions,
) -> Result<OutputFolder, RunError> {
    let folder = plan.tables.folder(|| default_folder(design));
    let is_begun = design.is_begun(&folder)?;
    let names = options.file_names().into_iter().chain([results::FILE.to_owned()]);
    let folder = plan.tables.claim(folder, RunKind::Selfplay, names)?;
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

/// Returns the games that are not over yet, in the order of the schedule.
fn missing(scheduled_games: &[ScheduledGame], records: &[GameRecord]) -> Vec<ScheduledGame> {
    let mut is_over = vec![false; scheduled_games.len()];
    records.iter().for_each(|record| is_over[record.game as usize] = true);
    scheduled_games.iter().filter(|scheduled| !is_over[scheduled.game as usize]).copied().collect()
}

fn write_results(out: &Publication<'_>, records: &[GameRecord]) -> Result<(), RunError> {
    let failed = |source| FileError::Write { path: out.folder().join(results::FILE), source };
    Ok(out.write(results::FILE, |file| results::write(records, file).map_err(failed))?)
}

fn write_design(folder: &OutputFolder, design: &ExperimentConfig) -> Result<(), RunError> {
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

/// Returns the record of this run; where it played no game, that of the run that did.
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

/// Ends interrupted where games are missing; otherwise tells whether any was forfeited.
fn ending(records: &[GameRecord], scheduled_games: &[ScheduledGame], viewer: &dyn Viewer) -> RunEnding {
    let forfeits = records.iter().filter(|record| record.ending.is_forfeit()).count();
    if forfeits > 0 {
        viewer.warn(&format!("{} by forfeit", counted(forfeits as u64, "game") + " ended"));
    }
    match (records.len() < scheduled_games.len(), forfeits) {
        (true, _) => {
            viewer.warn(&format!(
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
