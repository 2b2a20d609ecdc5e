//! Owns the playing of many games at once: who plays which, and how long a player is kept.

use std::{
    future::Future,
    io,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use shakmaty::ByColor;
use tokio::sync::{mpsc, watch};

use super::{
    adjudicate::Adjudication,
    game_record::Side,
    openings::Opening,
    play::{PlayedGame, play},
    schedule::ScheduledGame,
};
use crate::{
    player::Player,
    work::{ATTEMPTS, Stop, event_loop},
};

/// Time between two tries to have a player, the longer the more there were.
const PAUSE: Duration = Duration::from_millis(200);

/// How long the players of a game are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Restart {
    /// For one game.
    #[default]
    #[cfg_attr(feature = "program", value(help = "For every game"))]
    Game,
    /// For the two games that a pair plays with colours exchanged.
    #[cfg_attr(feature = "program", value(help = "For every pair of games with exchanged colours"))]
    Pair,
    /// For all games, until one is forfeited.
    #[cfg_attr(feature = "program", value(help = "Never again"))]
    Never,
}

/// Where players come from.
pub trait PlayerFactory: Sync {
    /// One of them.
    type Player: Player;

    /// Returns a fresh player of that side.
    fn start(
        &self,
        side: Side,
    ) -> impl Future<Output = Result<Self::Player, <Self::Player as Player>::Error>> + Send;

    /// Stops a player.
    fn stop(&self, player: Self::Player) -> impl Future<Output = ()> + Send;
}

/// What is to be played, and how.
#[derive(Debug, Clone, Copy)]
pub struct GamesToPlay<'a> {
    /// The games, in the order in which they are begun.
    pub scheduled_games: &'a [ScheduledGame],
    /// The openings that the games refer to.
    pub openings: &'a [Opening],
    /// The rules beyond those of chess.
    pub adjudication: Adjudication,
    /// How long players are kept.
    pub restart: Restart,
    /// Games at a time.
    pub jobs: usize,
}

/// What the pool tells while it works.
#[derive(Debug)]
pub enum GamePoolEvent<E> {
    /// A game is over.
    Finished {
        /// The game.
        game: Box<PlayedGame>,
        /// How long its players took to come.
        starting: Duration,
    },
    /// A player could not be had: the games in play are finished, and no other is begun.
    NoPlayer(E),
}

/// Plays all games of `work`, `work.jobs` at a time, and hands each [`GamePoolEvent`] to `sink`, until
/// everything is played, `stop` is requested and the games in play are over, or `halt` is ready, which
/// drops them. An error of the sink does so too, and is handed back.
///
/// Each job has a thread of its own: at low depths one would be busy with two or three engines.
pub fn run<S: PlayerFactory, X: From<io::Error>>(
    factory: &S,
    work: GamesToPlay<'_>,
    stop: &Stop,
    halt: impl Future<Output = ()>,
    mut sink: impl FnMut(GamePoolEvent<ErrorOf<S>>) -> Result<(), X>,
) -> Result<(), X> {
    let turns = turns(work.scheduled_games, work.restart);
    let (events, mut inbox) = mpsc::channel(work.jobs.max(1));
    let (halted, is_halted) = watch::channel(false);
    let next = AtomicUsize::new(0);
    let mut runtimes = Vec::new();
    for _ in 0..work.jobs.clamp(1, turns.len().max(1)) {
        runtimes.push(event_loop()?);
    }
    let listener = event_loop()?;
    thread::scope(|scope| {
        for runtime in runtimes {
            let (events, mut is_halted) = (events.clone(), is_halted.clone());
            let worker = Worker { factory, work, turns: &turns, next: &next, stop, events };
            scope.spawn(move || {
                runtime.block_on(async {
                    tokio::select! {
                        () = worker.work() => {}
                        _ = is_halted.wait_for(|&halted| halted) => {}
                    }
                });
            });
        }
        drop(events);
        let listened = listener.block_on(async {
            let mut halt = std::pin::pin!(halt);
            loop {
                tokio::select! {
                    event = inbox.recv() => match event {
                        Some(event) => sink(event)?,
                        None => return Ok(()),
                    },
                    () = &mut halt => return Ok(()),
                }
            }
        });
        // Nobody listens any more where nobody works any more.
        let _ = halted.send(true);
        listened
    })
}

/// The error of a factory's players.
pub type ErrorOf<S> = <<S as PlayerFactory>::Player as Player>::Error;

/// Returns the games that one worker plays one after the other.
fn turns(scheduled_games: &[ScheduledGame], restart: Restart) -> Vec<&[ScheduledGame]> {
    scheduled_games.chunk_by(|a, b| restart == Restart::Pair && a.turn == b.turn).collect()
}

/// One of those who play.
struct Worker<'a, S: PlayerFactory> {
    factory: &'a S,
    work: GamesToPlay<'a>,
    turns: &'a [&'a [ScheduledGame]],
    next: &'a AtomicUsize,
    stop: &'a Stop,
    events: mpsc::Sender<GamePoolEvent<ErrorOf<S>>>,
}

/// The players of a game: the first is of the engine that the experiment is about.
struct Players<P> {
    first: P,
    second: P,
}

impl<P> Players<P> {
    /// Returns who plays which colour. Where both are the same engine they exchange colours with each game,
    /// as the contenders do.
    fn colors(&mut self, scheduled: &ScheduledGame) -> ByColor<&mut P> {
        let first_is_white = match (scheduled.white.side, scheduled.black.side) {
            (Side::Engine, Side::Opponent) => true,
            (Side::Opponent, Side::Engine) => false,
            _ => scheduled.game.is_multiple_of(2),
        };
        let (first, second) = (&mut self.first, &mut self.second);
        if first_is_white {
            ByColor { white: first, black: second }
        } else {
            ByColor { white: second, black: first }
        }
    }
}

impl<S: PlayerFactory> Worker<'_, S> {
    async fn work(self) {
        let mut players = None;
        while let Some(turn) = self.turns.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            for scheduled in *turn {
                if self.stop.is_requested() || self.play(scheduled, &mut players).await.is_err() {
                    return self.stop_players(players.take()).await;
                }
            }
            if self.work.restart != Restart::Never {
                self.stop_players(players.take()).await;
            }
        }
        self.stop_players(players.take()).await;
    }

    /// Plays a game and tells of it; an error where no further one can be played.
    async fn play(&self, scheduled: &ScheduledGame, kept: &mut Option<Players<S::Player>>) -> Result<(), ()> {
        let begun = Instant::now();
        let mut players = match kept.take() {
            Some(players) => players,
            None => match self.players(scheduled).await {
                Ok(players) => players,
                Err(error) => {
                    self.stop.request();
                    // The pool listens until its workers are done, unless it is halted.
                    let _ = self.events.send(GamePoolEvent::NoPlayer(error)).await;
                    return Err(());
                }
            },
        };
        let starting = begun.elapsed();
        let usual = Opening::default();
        let opening = scheduled.opening.map_or(&usual, |place| &self.work.openings[place as usize]);
        let game = play(players.colors(scheduled), *scheduled, opening, &self.work.adjudication).await;
        if game.ending.is_forfeit() {
            self.stop_players(Some(players)).await;
        } else {
            *kept = Some(players);
        }
        self.events.send(GamePoolEvent::Finished { game: Box::new(game), starting }).await.map_err(|_| ())
    }

    /// Two fresh players. A machine that is busy for a moment is no reason to end a long run.
    async fn players(&self, scheduled: &ScheduledGame) -> Result<Players<S::Player>, ErrorOf<S>> {
        let has_opponent = [scheduled.white.side, scheduled.black.side].contains(&Side::Opponent);
        let second = if has_opponent { Side::Opponent } else { Side::Engine };
        let mut attempt = 1;
        loop {
            match tokio::try_join!(self.factory.start(Side::Engine), self.factory.start(second)) {
                Ok((first, second)) => return Ok(Players { first, second }),
                Err(error) if attempt == ATTEMPTS => return Err(error),
                Err(_) => tokio::time::sleep(PAUSE * attempt).await,
            }
            attempt += 1;
        }
    }

    async fn stop_players(&self, players: Option<Players<S::Player>>) {
        if let Some(Players { first, second }) = players {
            tokio::join!(self.factory.stop(first), self.factory.stop(second));
        }
    }
}

#[cfg(test)]
mod tests;
