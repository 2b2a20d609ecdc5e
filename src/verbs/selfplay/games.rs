//! The common part of all runs that play games. It reads the finished games, plays the others and records the
//! effort.

use std::{collections::BTreeMap, io, io::Write, path::Path, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use crate::base::output::{
    FileError, OutputFolder, RunClock, RunKind, RunRecord, command_line, read_record, write_file,
};
use crate::base::text::{brief, counted, full_path, shown_path};
use crate::lab::selfplay::config::{FILE, is_begun};
use crate::lab::selfplay::{game_log, game_pgn, game_pool, results, schedule::schedule};
use crate::lab::{
    Contender, EntrantNumber, ErrorOf, GameHeader, GameLog, GamePoolEvent, GameRecord, GamesToPlay, Matchup,
    Opening, PlayedGame, PlayerFactory, RunningScores, ScheduledGame, SequentialMatch, Terms,
};
use crate::verbs::{
    args::TableArgs, error::Result, error::VerbError, observer::Steps, observer::listen, plan::RunShare,
    runs::RunEnding, runs::Viewer, selfplay::args::PlayingPlan,
};

/// Number of games forfeited in a row after which the run ends with an error.
const HOPELESS: u32 = 10;

pub struct GamesSession<'a, C> {
    pub folder: OutputFolder,
    header: GameHeader<C>,
    pub scheduled_games: Vec<ScheduledGame<C>>,
    openings: &'a [Opening],
    terms: &'a Terms,
    /// The number of simultaneous games, and the share of games played here.
    plan: &'a PlayingPlan,
}

/// The games of this run and of earlier runs, and the effort of this run.
pub struct PlayedGames<C> {
    /// Finished games, in the order of the schedule.
    pub records: Vec<GameRecord<C>>,
    pub effort: Result<Effort>,
    pub clock: RunClock,
    pub jobs: usize,
}

/// Claims `folder` for the games that `design` determines, and for other files with these `names`. The folder
/// must hold games of this design, or no files that the run would overwrite (unless `--force` allows it). A
/// new folder gets the design as a file.
pub fn claim(
    folder: PathBuf,
    names: Vec<String>,
    design: &impl Serialize,
    playing: &PlayingPlan,
    tables: &TableArgs,
) -> Result<OutputFolder> {
    check_folders(&playing.share, design)?;
    let is_begun = is_begun(design, &folder)?;
    let names = names.into_iter().chain([results::FILE.to_owned()]);
    let folder = tables.claim(folder, RunKind::Selfplay, names)?;
    if !is_begun {
        write_design(folder.path(), design)?;
    }
    Ok(folder)
}

impl<'a, C: Copy + Ord> GamesSession<'a, C> {
    /// Returns the session of the games between `pairs`, by the terms and openings of their design.
    pub fn of(
        folder: OutputFolder,
        header: GameHeader<C>,
        pairs: &[Matchup<C>],
        (terms, openings): (&'a Terms, &'a [Opening]),
        plan: &'a PlayingPlan,
    ) -> GamesSession<'a, C> {
        let count = terms.openings.as_ref().map_or(0, |book| book.count);
        let scheduled_games = schedule(pairs, terms.games, count, terms.seed);
        GamesSession { folder, header, scheduled_games, openings, terms, plan }
    }

    /// Returns a description of the games between `who`: their number, the number of games already played, the
    /// folder, and the rules that may end games early. `test` is the rule that may end the whole match.
    pub fn described(&self, who: &str, pairs: usize, test: &str, done: usize) -> String {
        let rules = self.terms.adjudication.to_string();
        let rules = if rules.is_empty() { rules } else { format!("; rules that end games early: {rules}") };
        format!(
            "{who}: {} with {} each{test}; already played: {done}; folder: {}{rules}",
            counted(pairs as u64, "pair"),
            counted(self.terms.games.into(), "game"),
            full_path(self.folder.path()),
        )
    }

    /// Reads the finished games in the order in which they ended, and adds the games of gathered folders.
    /// Fails if games are missing from the gathered folders.
    pub fn open(&self, viewer: &dyn Viewer) -> Result<(GameLog, Vec<GameRecord<C>>)> {
        let (mut game_log, found) = GameLog::open(self.folder.path(), &self.header, &self.scheduled_games)?;
        if found.was_torn {
            viewer.note("the unfinished game of an earlier run is removed and played again");
        }
        let mut records = found.records;
        if let RunShare::Gathered(folders) = &self.plan.share {
            self.gather(folders, &mut game_log, &mut records)?;
            check_gathered(self.missing(&records).iter().map(|scheduled| scheduled.game))?;
        }
        Ok((game_log, records))
    }

    fn gather(
        &self,
        folders: &[PathBuf],
        game_log: &mut GameLog,
        records: &mut Vec<GameRecord<C>>,
    ) -> Result<()> {
        let mut known: BTreeMap<u32, GameRecord<C>> =
            records.iter().map(|record| (record.game, *record)).collect();
        for folder in folders {
            for (record, text) in game_log::read(folder, &self.header, &self.scheduled_games)? {
                match known.insert(record.game, record) {
                    Some(earlier) if earlier != record => {
                        return Err(VerbError::new(format!(
                            "{}: game {} differs from the same game in a folder named before this one: one of the \
                             two was played with other programs",
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

    /// Plays the games in `missing`, if any, and adds them to the log and to `records`.
    pub fn play<S: PlayerFactory<Contender = C>>(
        &self,
        players: &S,
        (mut game_log, mut records): (GameLog, Vec<GameRecord<C>>),
        missing: &[ScheduledGame<C>],
        scores: &mut dyn Scoreboard<C>,
        viewer: &mut dyn Viewer,
    ) -> PlayedGames<C>
    where
        VerbError: From<ErrorOf<S>>,
    {
        let clock = RunClock::start();
        let effort = match missing.is_empty() {
            true => Ok(Effort::default()),
            false => self.work_off(players, (&mut game_log, &mut records), missing, scores, viewer),
        };
        records.sort_unstable_by_key(|record| record.game);
        PlayedGames { records, effort, clock, jobs: self.plan.jobs.min(missing.len()) }
    }

    /// Plays the `missing` games until all are finished, the scores decide, an engine no longer works, or the
    /// user interrupts. The first interrupt lets the current games end; the second abandons them.
    fn work_off<S: PlayerFactory<Contender = C>>(
        &self,
        players: &S,
        (game_log, records): (&mut GameLog, &mut Vec<GameRecord<C>>),
        missing: &[ScheduledGame<C>],
        scores: &mut dyn Scoreboard<C>,
        viewer: &mut dyn Viewer,
    ) -> Result<Effort>
    where
        VerbError: From<ErrorOf<S>>,
    {
        let work = GamesToPlay {
            scheduled_games: missing,
            openings: self.openings,
            adjudication: self.terms.adjudication,
            restart: self.terms.restart,
            jobs: self.plan.jobs,
        };
        let steps =
            |done: &[GameRecord<C>]| Steps { done: done.len() as u64, of: self.scheduled_games.len() as u64 };
        let interrupts = listen(viewer, "the running games will be finished and recorded")?;
        viewer.begin_games(steps(records), &scores.so_far());
        let (mut effort, mut trouble, mut forfeits) = (Effort::default(), None, 0);
        let played = game_pool::run(players, work, interrupts.stop(), interrupts.twice(), |event| {
            match event {
                GamePoolEvent::Finished { game, starting } => {
                    game_log.append(&game_pgn::write(&game, &self.header))?;
                    records.push(game.record());
                    self.report_forfeit(&game, viewer);
                    effort.count(&game, starting);
                    if scores.add(&game.record()) {
                        interrupts.stop().request();
                    }
                    viewer.advance_games(steps(records), &scores.so_far());
                    forfeits = if game.ending.is_forfeit() { forfeits + 1 } else { 0 };
                    if forfeits >= HOPELESS {
                        trouble.get_or_insert_with(|| hopeless(&game));
                        interrupts.stop().request();
                    }
                }
                GamePoolEvent::NoPlayer(error) => {
                    viewer.warn(
                        "an engine no longer starts: the running games will be finished, and no new game begins",
                    );
                    trouble.get_or_insert(error.into());
                }
            }
            Ok::<(), VerbError>(())
        });
        viewer.finish();
        interrupts.search_is_over();
        played?;
        game_log.sync()?;
        trouble.map_or(Ok(effort), Err)
    }

    fn report_forfeit(&self, game: &PlayedGame<C>, viewer: &dyn Viewer) {
        let Some(fault) = &game.fault else { return };
        let [white, black] =
            [game.scheduled.white, game.scheduled.black].map(|player| self.header.player(&player));
        let (number, words, result) = (game.scheduled.game, game.ending.words(), game.result);
        viewer.warn(&format!("game {number} ({white} – {black}): {result} by forfeit, {words}: {fault}"));
    }

    /// Returns the games of this run's share that are not in `records`, in the order of the schedule.
    pub fn missing(&self, records: &[GameRecord<C>]) -> Vec<ScheduledGame<C>> {
        let mut is_over = vec![false; self.scheduled_games.len()];
        records.iter().for_each(|record| is_over[record.game as usize] = true);
        self.shared().filter(|scheduled| !is_over[scheduled.game as usize]).copied().collect()
    }

    /// Returns the number of games in this run's share.
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

pub trait Scoreboard<C> {
    /// Adds a finished game. Returns true if the remaining games need not be played.
    fn add(&mut self, record: &GameRecord<C>) -> bool;

    fn so_far(&self) -> String;
}

impl Scoreboard<Contender> for RunningScores {
    fn add(&mut self, record: &GameRecord) -> bool {
        RunningScores::add(self, record);
        false
    }

    fn so_far(&self) -> String {
        said(self.shares().map(|(who, share)| (format!("depth {who}"), share)))
    }
}

#[derive(Debug)]
pub struct EntrantScores {
    pub scores: RunningScores<EntrantNumber>,
    pub test: Option<SequentialMatch>,
    pub names: Vec<String>,
}

impl EntrantScores {
    /// Returns the number of games after which the test decided; `None` if there is no test, or no decision
    /// yet. Later games do not count.
    pub fn decided_after(&self) -> Option<u32> {
        self.test.as_ref().and_then(SequentialMatch::decided_after)
    }
}

impl Scoreboard<EntrantNumber> for EntrantScores {
    fn add(&mut self, record: &GameRecord<EntrantNumber>) -> bool {
        self.scores.add(record);
        if let Some(test) = &mut self.test {
            test.add(record);
        }
        self.decided_after().is_some()
    }

    fn so_far(&self) -> String {
        let scores = said(self.scores.shares().map(|(who, share)| (brief(&self.names[who.place()]), share)));
        match &self.test {
            Some(test) => format!("{scores}, LLR {:.2}", test.log_likelihood_ratio()),
            None => scores,
        }
    }
}

fn said(shares: impl Iterator<Item = (String, f64)>) -> String {
    let shares: Vec<String> = shares.map(|(who, share)| format!("{who}: {:.0} %", 100.0 * share)).collect();
    if shares.is_empty() { "no scores yet".to_owned() } else { shares.join(", ") }
}

/// The effort of playing games. It differs from run to run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effort {
    pub games: u64,
    /// Plies that engines chose in these games.
    pub plies: u64,
    /// Time in which engines prepared for games and chose moves, summed over games.
    pub playing: Duration,
    /// Time in which engines started; simultaneous starts count once.
    pub starting: Duration,
}

fn hopeless<C>(game: &PlayedGame<C>) -> VerbError {
    let fault = game.fault.as_deref().unwrap_or_default();
    VerbError::engine(format!("{HOPELESS} games in a row were forfeited; the last fault: {fault}"))
}

impl Effort {
    fn count<C>(&mut self, game: &PlayedGame<C>, starting: Duration) {
        self.games += 1;
        self.plies += game.moves.iter().filter(|ply| ply.thought.is_some()).count() as u64;
        self.playing += game.busy;
        self.starting += starting;
    }
}

fn check_folders(share: &RunShare, design: &impl Serialize) -> Result<()> {
    let RunShare::Gathered(folders) = share else { return Ok(()) };
    folders.iter().try_for_each(|folder| match is_begun(design, folder)? {
        true => Ok(()),
        false => Err(VerbError::new(format!("{}: no games from `gainalyze selfplay`", shown_path(folder)))),
    })
}

fn check_gathered(mut missing: impl Iterator<Item = u32>) -> Result<()> {
    match missing.next() {
        Some(first) => {
            let games = 1 + missing.count() as u64;
            let (games, are) = (counted(games, "game"), if games == 1 { "is" } else { "are" });
            Err(VerbError::new(format!("{games} {are} missing from all folders; the first is game {first}")))
        }
        None => Ok(()),
    }
}

fn write_design(folder: &Path, design: &impl Serialize) -> Result<()> {
    let path = folder.join(FILE);
    let failed = |source: io::Error| FileError::Write(path.clone(), source);
    Ok(write_file(&path, |file| {
        serde_json::to_writer_pretty(&mut *file, design).map_err(|error| failed(error.into()))?;
        writeln!(file).map_err(failed)
    })?)
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PlayFacts {
    jobs: usize,
    games: u64,
    plies: u64,
    /// Null if nothing was played, like the next two fields.
    plies_per_second: Option<f64>,
    /// Share of jobs × wall time in which an engine was asked for a move, or was starting.
    engine_busy_share: Option<f64>,
    /// The part of that share in which engines were starting.
    engine_start_share: Option<f64>,
}

impl<C> PlayedGames<C> {
    /// Returns the record of this run. If this run played no games, returns the record in `folder` of the run
    /// that played them, if there is one.
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

/// Returns `Interrupted` if fewer than `wanted` games are finished, else `GamesFailed` if a game was
/// forfeited, else `Complete`. Warns of missing and forfeited games.
pub fn ending<C>(records: &[GameRecord<C>], wanted: usize, viewer: &dyn Viewer) -> RunEnding {
    let forfeits = records.iter().filter(|record| record.ending.is_forfeit()).count();
    if forfeits > 0 {
        viewer.warn(&format!("{} by forfeit", counted(forfeits as u64, "game") + " ended"));
    }
    match (records.len() < wanted, forfeits) {
        (true, _) => {
            viewer.warn(&format!(
                "stopped after {} of {}; the same command resumes",
                records.len(),
                counted(wanted as u64, "game")
            ));
            RunEnding::Interrupted
        }
        (false, 0) => RunEnding::Complete,
        (false, _) => RunEnding::GamesFailed,
    }
}
