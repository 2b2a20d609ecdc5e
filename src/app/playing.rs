//! Owns the part of a run in which games are played: meeting the engines, playing, stopping.

use std::time::Duration;

use super::{AppError, Observer, Steps, event_loop, plan::SelfplayPlan, search};
use crate::{
    engine::Engine,
    selfplay::{
        GameRecord,
        contestants::{Contestants, KnownEngine},
        game_log::GameLog,
        game_pgn::{self, GameHeader},
        game_pool::{self, GamePoolEvent, GamesToPlay, PlayerFactory},
        play::PlayedGame,
        tally::RunningScores,
    },
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
pub struct Playing<'a, C> {
    /// What all games have in their tags.
    pub header: &'a GameHeader<C>,
    /// How progress names a contender.
    pub brief: &'a dyn Fn(&C) -> String,
    /// Where they are written.
    pub game_log: GameLog,
    /// The games that are over.
    pub records: Vec<GameRecord<C>>,
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

impl<C: Copy + Ord> Playing<'_, C> {
    /// Plays to the end, or until the user stops it.
    ///
    /// The first interrupt lets the games in play end, the second drops them.
    pub fn work_off<S: PlayerFactory<Player = Engine, Contender = C>>(
        &mut self,
        players: &S,
        work: GamesToPlay<'_, C>,
        observer: &mut dyn Observer,
    ) -> Result<Effort, AppError> {
        let interrupts = search::listen(observer, "the games in play are finished and kept")?;
        let mut scores: RunningScores<C> = self.records.iter().collect();
        observer.begin_games(self.steps(), &self.so_far(&scores));
        let (mut effort, mut trouble, mut forfeits) = (Effort::default(), None, 0);
        let played = game_pool::run(players, work, interrupts.stop(), interrupts.twice(), |event| {
            match event {
                GamePoolEvent::Finished { game, starting } => {
                    self.keep(&game, observer)?;
                    effort.count(&game, starting);
                    scores.add(&game.record());
                    observer.advance_games(self.steps(), &self.so_far(&scores));
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

    /// Returns what each contender has scored so far.
    fn so_far(&self, scores: &RunningScores<C>) -> String {
        let share = |(who, share): (C, f64)| format!("{} {:.0} %", (self.brief)(&who), 100.0 * share);
        let shares: Vec<String> = scores.shares().map(share).collect();
        if shares.is_empty() { "no scores yet".to_owned() } else { shares.join(", ") }
    }

    fn steps(&self) -> Steps {
        Steps { done: self.records.len() as u64, of: self.games }
    }

    fn keep(&mut self, game: &PlayedGame<C>, observer: &dyn Observer) -> Result<(), AppError> {
        self.game_log.append(&game_pgn::write(game, self.header))?;
        self.records.push(game.record());
        if let Some(fault) = &game.fault {
            let number = game.scheduled.game;
            let [white, black] =
                [game.scheduled.white, game.scheduled.black].map(|player| self.header.player(&player));
            let (words, result) = (game.ending.words(), game.result);
            observer
                .warn(&format!("game {number} ({white} – {black}) {result} by forfeit, {words}: {fault}"));
        }
        Ok(())
    }
}

fn hopeless<C>(game: &PlayedGame<C>) -> AppError {
    let fault = game.fault.as_deref().unwrap_or_default();
    AppError::Unfit(format!("{HOPELESS} games in a row were forfeited, the last one since {fault}"))
}

impl Effort {
    fn count<C>(&mut self, game: &PlayedGame<C>, starting: Duration) {
        self.games += 1;
        self.plies += game.moves.iter().filter(|ply| ply.thought.is_some()).count() as u64;
        self.playing += game.busy;
        self.starting += starting;
    }
}
