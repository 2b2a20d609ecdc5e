//! Owns the part of a run in which games are played: meeting the engines, playing, stopping.

use std::time::Duration;

use super::{AppError, Observer, Steps, event_loop, plan::SelfplayPlan, search};
use crate::selfplay::{
    Contender, GameRecord,
    contestants::{Contestants, KnownEngine},
    game_log::GameLog,
    game_pgn::{self, GameHeader},
    game_pool::{self, GamePoolEvent, GamesToPlay},
    play::PlayedGame,
    tally::RunningScores,
};

/// After the forfeit of so many games one after the other an engine is taken to be broken.
const HOPELESS: u32 = 10;

/// Starts each engine once, to know who it is and that it takes its options.
///
/// # Errors
///
/// If one cannot be found, started or set up.
pub fn identify(plan: &SelfplayPlan) -> Result<Contestants, AppError> {
    let engine = plan.engine.command()?;
    let opponent = plan.opponent.as_ref().map(|opponent| opponent.engine.command());
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

/// Games that are being played, with what is kept of them.
pub struct Playing<'a> {
    /// What all games have in their tags.
    pub header: &'a GameHeader,
    /// Where they are written.
    pub game_log: GameLog,
    /// The games that are over.
    pub records: Vec<GameRecord>,
    /// Games of the whole experiment.
    pub games: u64,
}

/// How the playing went, which another run does not repeat.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effort {
    /// Games played in this run.
    pub games: u64,
    /// Half-moves of engines in them.
    pub plies: u64,
    /// How long engines prepared and thought.
    pub playing: Duration,
    /// How long engines took to start, where two start at once counted once.
    pub starting: Duration,
}

impl Playing<'_> {
    /// Plays to the end, or until the user stops it.
    ///
    /// The first interrupt lets the games in play end, the second drops them.
    pub fn work_off(
        &mut self,
        contestants: &Contestants,
        work: GamesToPlay<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Effort, AppError> {
        let interrupts = search::listen(observer, "the games in play are finished and kept")?;
        let mut scores: RunningScores = self.records.iter().collect();
        observer.begin_games(self.steps(), &scores_so_far(&scores));
        let (mut effort, mut trouble, mut forfeits) = (Effort::default(), None, 0);
        let played = game_pool::run(contestants, work, interrupts.stop(), interrupts.twice(), |event| {
            match event {
                GamePoolEvent::Finished { game, starting } => {
                    self.keep(&game, observer)?;
                    effort.count(&game, starting);
                    scores.add(&game.record());
                    observer.advance_games(self.steps(), &scores_so_far(&scores));
                    forfeits = if game.ending.is_forfeit() { forfeits + 1 } else { 0 };
                    if forfeits >= HOPELESS {
                        trouble.get_or_insert_with(|| hopeless(&game));
                        interrupts.stop().request();
                    }
                }
                GamePoolEvent::NoPlayer(error) => {
                    observer.warn(
                        "an engine no longer starts: the games in play are finished, and no others begun",
                    );
                    trouble.get_or_insert(error.into());
                }
            }
            Ok::<(), AppError>(())
        });
        observer.finish();
        interrupts.search_is_over();
        played?;
        trouble.map_or(Ok(effort), Err)
    }

    fn steps(&self) -> Steps {
        Steps { done: self.records.len() as u64, of: self.games }
    }

    fn keep(&mut self, game: &PlayedGame, observer: &dyn Observer) -> Result<(), AppError> {
        self.game_log.append(&game_pgn::write(game, self.header))?;
        self.records.push(game.record());
        if let Some(fault) = &game.fault {
            let number = game.scheduled.game;
            let [white, black] =
                [game.scheduled.white, game.scheduled.black].map(|player| self.header.player(player));
            let (words, result) = (game.ending.words(), game.result);
            observer
                .warn(&format!("game {number} ({white} – {black}) {result} by forfeit, {words}: {fault}"));
        }
        Ok(())
    }
}

fn hopeless(game: &PlayedGame) -> AppError {
    let fault = game.fault.as_deref().unwrap_or_default();
    AppError::Unfit(format!("{HOPELESS} games in a row were forfeited, the last one since {fault}"))
}

/// Returns what each contender has scored so far.
fn scores_so_far(scores: &RunningScores) -> String {
    let share = |(who, share): (Contender, f64)| format!("depth {who} {:.0} %", 100.0 * share);
    let shares: Vec<String> = scores.shares().map(share).collect();
    if shares.is_empty() { "no scores yet".to_owned() } else { shares.join(", ") }
}

impl Effort {
    fn count(&mut self, game: &PlayedGame, starting: Duration) {
        self.games += 1;
        self.plies += game.moves.iter().filter(|ply| ply.thought.is_some()).count() as u64;
        self.playing += game.busy;
        self.starting += starting;
    }
}
