//! Owns what every run that plays games does: it opens the games that are there, plays the rest and records how that went.

use std::path::{Path, PathBuf};
use std::{collections::BTreeMap, io, io::Write, time::Duration};

use serde::{Deserialize, Serialize};

use super::{RunEnding, Viewer};
use crate::chess::text::{counted, shown_path};
use crate::files::{
    FileError, OutputFolder, RunClock, RunKind, RunRecord, output::command_line, output::read_record,
    output::write_file,
};
use crate::lab::{
    ErrorOf, GameHeader, GameLog, GameRecord, GamesToPlay, Opening, PlayerFactory, ScheduledGame, Terms,
    selfplay::config::FILE, selfplay::config::is_begun, selfplay::game_log, selfplay::results,
};
use crate::verbs::{
    app::plan::PlayingPlan, app::plan::RunShare, app::playing::Effort, app::playing::Playing,
    app::playing::Scoreboard, args::TableArgs, error::VerbError,
};

/// Games that are to be played into a folder.
pub struct GamesSession<'a, C> {
    pub folder: &'a OutputFolder,
    pub header: &'a GameHeader<C>,
    pub scheduled_games: &'a [ScheduledGame<C>],
    pub openings: &'a [Opening],
    pub terms: &'a Terms,
    /// How many of them at a time, and which are played here.
    pub plan: &'a PlayingPlan,
}

/// Games that were played, or were there already.
pub struct PlayedGames<C> {
    /// Those that are over, in the order of the schedule.
    pub records: Vec<GameRecord<C>>,
    /// How the playing went.
    pub effort: Result<Effort, VerbError>,
    /// When it began.
    pub clock: RunClock,
    /// Games that were played at a time.
    pub jobs: usize,
}

/// Returns the folder of the games that `design` determines, whose other files have these `names`. It holds such games, or
/// nothing that they would be written over.
pub fn claim(
    folder: PathBuf,
    names: Vec<String>,
    design: &impl Serialize,
    playing: &PlayingPlan,
    tables: &TableArgs,
) -> Result<OutputFolder, VerbError> {
    check_folders(&playing.share, design)?;
    let is_begun = is_begun(design, &folder)?;
    let names = names.into_iter().chain([results::FILE.to_owned()]);
    let folder = tables.claim(folder, RunKind::Selfplay, names)?;
    if !is_begun {
        write_design(folder.path(), design)?;
    }
    Ok(folder)
}

impl<C: Copy + Ord> GamesSession<'_, C> {
    /// Opens the games that are there, in the order in which they ended, and gathers those that other folders have.
    pub fn open(&self, viewer: &dyn Viewer) -> Result<(GameLog, Vec<GameRecord<C>>), VerbError> {
        let (mut game_log, found) = GameLog::open(self.folder.path(), self.header, self.scheduled_games)?;
        if found.was_torn {
            viewer.note("a game that an earlier run had not finished was cut off, and is played again");
        }
        let mut records = found.records;
        if let RunShare::Gathered(folders) = &self.plan.share {
            self.gather(folders, &mut game_log, &mut records)?;
            check_gathered(self.missing(&records).iter().map(|scheduled| scheduled.game))?;
        }
        Ok((game_log, records))
    }

    /// Adds the games of other folders to those that are there.
    fn gather(
        &self,
        folders: &[PathBuf],
        game_log: &mut GameLog,
        records: &mut Vec<GameRecord<C>>,
    ) -> Result<(), VerbError> {
        let mut known: BTreeMap<u32, GameRecord<C>> =
            records.iter().map(|record| (record.game, *record)).collect();
        for folder in folders {
            for (record, text) in game_log::read(folder, self.header, self.scheduled_games)? {
                match known.insert(record.game, record) {
                    Some(earlier) if earlier != record => {
                        return Err(VerbError::new(format!(
                            "{}: game {} is another one than that of the folders before, so one of them has played \
                             with other programs",
                            shown_path(folder),
                            record.game
                        )));
                    }
                    Some(_) => {}
                    None => {
                        game_log.append(&text)?;
                        records.push(record);
                    }
                }
            }
        }
        Ok(game_log.sync()?)
    }

    /// Plays those of `missing`, unless there are none, and adds them to the `records` in the log.
    pub fn play<S: PlayerFactory<Contender = C>>(
        &self,
        players: &S,
        (game_log, records): (GameLog, Vec<GameRecord<C>>),
        missing: &[ScheduledGame<C>],
        scores: &mut dyn Scoreboard<C>,
        viewer: &mut dyn Viewer,
    ) -> PlayedGames<C>
    where
        VerbError: From<ErrorOf<S>>,
    {
        let games = self.scheduled_games.len() as u64;
        let mut playing = Playing { header: self.header, scores, game_log, records, games };
        let work = GamesToPlay {
            scheduled_games: missing,
            openings: self.openings,
            adjudication: self.terms.adjudication,
            restart: self.terms.restart,
            jobs: self.plan.jobs,
        };
        let clock = RunClock::start();
        let effort = match missing.is_empty() {
            true => Ok(Effort::default()),
            false => playing.work_off(players, work, viewer),
        };
        let mut records = playing.records;
        records.sort_unstable_by_key(|record| record.game);
        PlayedGames { records, effort, clock, jobs: self.plan.jobs.min(missing.len()) }
    }

    /// Returns the games of this share that are not over yet, in the order of the schedule.
    pub fn missing(&self, records: &[GameRecord<C>]) -> Vec<ScheduledGame<C>> {
        let mut is_over = vec![false; self.scheduled_games.len()];
        records.iter().for_each(|record| is_over[record.game as usize] = true);
        self.shared().filter(|scheduled| !is_over[scheduled.game as usize]).copied().collect()
    }

    /// Returns how many games there are in this share.
    pub fn wanted(&self) -> usize {
        self.shared().count()
    }

    fn shared(&self) -> impl Iterator<Item = &ScheduledGame<C>> {
        self.scheduled_games.iter().filter(|scheduled| match &self.plan.share {
            RunShare::Part(part) => part.has_turn(scheduled.turn),
            RunShare::All | RunShare::Gathered(_) => true,
        })
    }
}

/// Refuses folders that hold no games of this experiment.
fn check_folders(share: &RunShare, design: &impl Serialize) -> Result<(), VerbError> {
    let RunShare::Gathered(folders) = share else { return Ok(()) };
    folders.iter().try_for_each(|folder| match is_begun(design, folder)? {
        true => Ok(()),
        false => {
            Err(VerbError::new(format!("{} holds no games that selfplay has played", shown_path(folder))))
        }
    })
}

/// Refuses games of which some are missing.
fn check_gathered(mut missing: impl Iterator<Item = u32>) -> Result<(), VerbError> {
    match missing.next() {
        Some(first) => {
            let games = 1 + missing.count() as u64;
            let (games, are) = (counted(games, "game"), if games == 1 { "is" } else { "are" });
            Err(VerbError::new(format!(
                "{games} {are} in none of the folders, the first of them being game {first}"
            )))
        }
        None => Ok(()),
    }
}

/// Writes what determines the games.
fn write_design(folder: &Path, design: &impl Serialize) -> Result<(), VerbError> {
    let path = folder.join(FILE);
    let failed = |source: io::Error| FileError::Write(path.clone(), source);
    Ok(write_file(&path, |file| {
        serde_json::to_writer_pretty(&mut *file, design).map_err(|error| failed(error.into()))?;
        writeln!(file).map_err(failed)
    })?)
}

/// What `run.json` tells of the playing.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PlayFacts {
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

impl<C> PlayedGames<C> {
    /// Returns the record of this run; where it played no game, that of the run that did.
    pub fn record(&self, folder: &OutputFolder) -> RunRecord<PlayFacts> {
        let mut record = self.clock.record(RunKind::Selfplay, PlayFacts::default());
        let effort = self.effort.as_ref().map_or_else(|_| Effort::default(), Clone::clone);
        if effort.games == 0 {
            let earlier = read_record(folder.path(), RunKind::Selfplay);
            let remade = |earlier| RunRecord { remade: Some(command_line()), ..earlier };
            return earlier.map_or(record, remade);
        }
        let wall = record.wall_seconds;
        let share = |time: Duration| Some(time.as_secs_f64() / (self.jobs as f64 * wall));
        record.facts = PlayFacts {
            jobs: self.jobs,
            games: effort.games,
            plies: effort.plies,
            plies_per_second: Some(effort.plies as f64 / wall),
            engine_busy_share: share(effort.playing + effort.starting),
            engine_start_share: share(effort.starting),
        };
        record
    }
}

/// Ends interrupted where games of the `wanted` ones are missing; otherwise tells whether any was forfeited.
pub fn ending<C>(records: &[GameRecord<C>], wanted: usize, viewer: &dyn Viewer) -> RunEnding {
    let forfeits = records.iter().filter(|record| record.ending.is_forfeit()).count();
    if forfeits > 0 {
        viewer.warn(&format!("{} by forfeit", counted(forfeits as u64, "game") + " ended"));
    }
    match (records.len() < wanted, forfeits) {
        (true, _) => {
            viewer.warn(&format!(
                "stopped after {} of {}: the same command goes on from there",
                records.len(),
                counted(wanted as u64, "game")
            ));
            RunEnding::Interrupted
        }
        (false, 0) => RunEnding::Complete,
        (false, _) => RunEnding::GamesFailed,
    }
}
