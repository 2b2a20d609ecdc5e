//! Pool of simultaneous games: assignment of players, and their reuse.

use std::{
    collections::BTreeMap, future::Future, io, sync::atomic::AtomicUsize, sync::atomic::Ordering, thread,
    time::Duration, time::Instant,
};

use serde::{Deserialize, Serialize};
use shakmaty::ByColor;
use tokio::sync::{mpsc, watch};

use super::{
    adjudicate::Adjudication, game_record::Contender, openings::Opening, play::PlayedGame, play::play,
    schedule::ScheduledGame,
};
use crate::base::work::{ATTEMPTS, Stop, event_loop};
use crate::chess::{MoveLimit, Player};

/// Pause before a player is started again, multiplied by the number of attempts.
const PAUSE: Duration = Duration::from_millis(200);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(clap::ValueEnum)]
pub enum Restart {
    #[value(help = "For every game")]
    Game,
    #[value(help = "For every pair of games with exchanged colors")]
    Pair,
    #[default]
    #[value(help = "Never")]
    Never,
}

/// A worker's place for one player at a time. The player is kept from game to game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seat(pub u32);

pub trait PlayerFactory: Sync {
    type Player: Player;
    type Contender: Copy + Send + Sync;

    /// Returns the seats of a game's players. The two seats always differ.
    fn seats(&self, scheduled: &ScheduledGame<Self::Contender>) -> ByColor<Seat>;

    fn limit(&self, contender: Self::Contender) -> MoveLimit;

    fn start(
        &self,
        seat: Seat,
    ) -> impl Future<Output = Result<Self::Player, <Self::Player as Player>::Error>> + Send;

    fn stop(&self, player: Self::Player) -> impl Future<Output = ()> + Send;
}

#[derive(Debug, Clone, Copy)]
pub struct GamesToPlay<'a, C = Contender> {
    /// The games, in the order in which they start.
    pub scheduled_games: &'a [ScheduledGame<C>],
    pub openings: &'a [Opening],
    pub adjudication: Adjudication,
    pub restart: Restart,
    pub jobs: usize,
}

#[derive(Debug)]
pub enum GamePoolEvent<E, C = Contender> {
    Finished {
        game: Box<PlayedGame<C>>,
        starting: Duration,
    },
    /// A player could not be started. Running games are finished, and no other game begins.
    NoPlayer(E),
}

/// Plays all games of `work`, `work.jobs` at a time, and passes each [`GamePoolEvent`] to `sink`. The
/// function ends when everything is played, or when `stop` is requested and the running games are over. If
/// `halt` is ready, or the sink returns an error, running games are dropped. The sink's error is returned.
///
/// Each job has its own thread: at low depths one thread would be busy with two or three engines.
pub fn run<S: PlayerFactory, X: From<io::Error>>(
    factory: &S,
    work: GamesToPlay<'_, S::Contender>,
    stop: &Stop,
    halt: impl Future<Output = ()>,
    mut sink: impl FnMut(EventOf<S>) -> Result<(), X>,
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
            let worker = GameWorker { factory, work, turns: &turns, next: &next, stop, events };
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
        // Sending fails if no worker is left. That is no error.
        let _ = halted.send(true);
        listened
    })
}

pub type ErrorOf<S> = <<S as PlayerFactory>::Player as Player>::Error;

pub type EventOf<S> = GamePoolEvent<ErrorOf<S>, <S as PlayerFactory>::Contender>;

/// Splits the games into turns: single games, or with [`Restart::Pair`] the games of a scheduled turn. One
/// worker plays the games of a turn in succession.
fn turns<C>(scheduled_games: &[ScheduledGame<C>], restart: Restart) -> Vec<&[ScheduledGame<C>]> {
    scheduled_games.chunk_by(|a, b| restart == Restart::Pair && a.turn == b.turn).collect()
}

struct GameWorker<'a, S: PlayerFactory> {
    factory: &'a S,
    work: GamesToPlay<'a, S::Contender>,
    turns: &'a [&'a [ScheduledGame<S::Contender>]],
    next: &'a AtomicUsize,
    stop: &'a Stop,
    events: mpsc::Sender<EventOf<S>>,
}

/// The players that a worker keeps, by seat.
type Seated<S> = BTreeMap<Seat, <S as PlayerFactory>::Player>;

impl<S: PlayerFactory> GameWorker<'_, S> {
    async fn work(self) {
        let mut seated = Seated::<S>::new();
        while let Some(turn) = self.turns.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            for scheduled in *turn {
                if self.stop.is_requested() || self.play(scheduled, &mut seated).await.is_err() {
                    return self.stop_players(seated).await;
                }
            }
            if self.work.restart != Restart::Never {
                self.stop_players(std::mem::take(&mut seated)).await;
            }
        }
        self.stop_players(seated).await;
    }

    /// Plays a game and reports it; an error if no further game can be played.
    async fn play(&self, scheduled: &ScheduledGame<S::Contender>, seated: &mut Seated<S>) -> Result<(), ()> {
        let begun = Instant::now();
        let seats = self.factory.seats(scheduled);
        let mut players = match self.players(seats, seated).await {
            Ok(players) => players,
            Err(error) => {
                self.stop.request();
                // The pool receives until its workers are done, unless it was halted.
                let _ = self.events.send(GamePoolEvent::NoPlayer(error)).await;
                return Err(());
            }
        };
        let starting = begun.elapsed();
        let usual = Opening::default();
        let opening = scheduled.opening.map_or(&usual, |place| &self.work.openings[place as usize]);
        let limits = ByColor { white: scheduled.white, black: scheduled.black }
            .map(|contender| self.factory.limit(contender));
        let game = play(players.as_mut(), limits, *scheduled, opening, &self.work.adjudication).await;
        let both = [(seats.white, players.white), (seats.black, players.black)];
        if game.ending.is_forfeit() {
            self.stop_players(both.into()).await;
        } else {
            seated.extend(both);
        }
        self.events.send(GamePoolEvent::Finished { game: Box::new(game), starting }).await.map_err(|_| ())
    }

    /// Returns the players of two seats, and starts missing ones. Retries a start, because a long run should
    /// not end when the machine is busy for a moment.
    async fn players(
        &self,
        seats: ByColor<Seat>,
        seated: &mut Seated<S>,
    ) -> Result<ByColor<S::Player>, ErrorOf<S>> {
        let kept = seats.map(|seat| seated.remove(&seat));
        let is_kept = kept.as_ref().map(Option::is_some);
        let mut attempt = 1;
        loop {
            let fresh = tokio::try_join!(
                self.unless(is_kept.white, seats.white),
                self.unless(is_kept.black, seats.black)
            );
            match fresh {
                Ok((white, black)) => {
                    let fresh = ByColor { white, black };
                    let player =
                        |(kept, fresh): (Option<_>, _)| kept.or(fresh).expect("a player, kept or fresh");
                    return Ok(kept.zip(fresh).map(player));
                }
                Err(error) if attempt == ATTEMPTS => return Err(error),
                Err(_) => tokio::time::sleep(PAUSE * attempt).await,
            }
            attempt += 1;
        }
    }

    async fn unless(&self, is_kept: bool, seat: Seat) -> Result<Option<S::Player>, ErrorOf<S>> {
        if is_kept { Ok(None) } else { self.factory.start(seat).await.map(Some) }
    }

    async fn stop_players(&self, players: Seated<S>) {
        let mut players = players.into_values();
        while let Some(player) = players.next() {
            match players.next() {
                Some(other) => {
                    tokio::join!(self.factory.stop(player), self.factory.stop(other));
                }
                None => self.factory.stop(player).await,
            }
        }
    }
}

#[cfg(test)]
mod tests;
