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
use tokio::{
    runtime::{self, Runtime},
    sync::{mpsc, watch},
};

use super::{
    adjudicate::Adjudication,
    openings::Opening,
    outcome::Side,
    play::{PlayedGame, play},
    schedule::Fixture,
};
use crate::engine::{
    play::Player,
    pool::{ATTEMPTS, Stop},
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
pub trait Stable: Sync {
    /// One of them.
    type Player: Player;

    /// A fresh player of that side.
    fn fetch(
        &self,
        side: Side,
    ) -> impl Future<Output = Result<Self::Player, <Self::Player as Player>::Error>> + Send;

    /// Sends a player home.
    fn dismiss(&self, player: Self::Player) -> impl Future<Output = ()> + Send;
}

/// What is to be played, and how.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    /// The games, in the order in which they are begun.
    pub fixtures: &'a [Fixture],
    /// The openings that the games refer to.
    pub openings: &'a [Opening],
    /// The rules beyond those of chess.
    pub adjudication: Adjudication,
    /// How long players are kept.
    pub restart: Restart,
    /// Games at a time.
    pub jobs: usize,
}

/// What the crew tells while it works.
#[derive(Debug)]
pub enum Event<E> {
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

/// Plays all games of `work`, `work.jobs` at a time, and hands each [`Event`] to `sink`, until
/// everything is played, `stop` is requested and the games in play are over, or `halt` is ready, which
/// drops them. An error of the sink does so too, and is handed back.
///
/// Each job has a thread of its own: at low depths one would be busy with two or three engines.
pub fn run<S: Stable, X: From<io::Error>>(
    stable: &S,
    work: Work<'_>,
    stop: &Stop,
    halt: impl Future<Output = ()>,
    mut sink: impl FnMut(Event<ErrorOf<S>>) -> Result<(), X>,
) -> Result<(), X> {
    let turns = turns(work.fixtures, work.restart);
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
            let worker = Worker { stable, work, turns: &turns, next: &next, stop, events };
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

/// The error of a stable's players.
pub type ErrorOf<S> = <<S as Stable>::Player as Player>::Error;

fn event_loop() -> io::Result<Runtime> {
    runtime::Builder::new_current_thread().enable_all().build()
}

/// The games that one worker plays one after the other.
fn turns(fixtures: &[Fixture], restart: Restart) -> Vec<&[Fixture]> {
    fixtures.chunk_by(|a, b| restart == Restart::Pair && a.turn == b.turn).collect()
}

/// One of those who play.
struct Worker<'a, S: Stable> {
    stable: &'a S,
    work: Work<'a>,
    turns: &'a [&'a [Fixture]],
    next: &'a AtomicUsize,
    stop: &'a Stop,
    events: mpsc::Sender<Event<ErrorOf<S>>>,
}

/// The players of a game: the first is of the engine that the experiment is about.
struct Seats<P> {
    first: P,
    second: P,
}

impl<P> Seats<P> {
    /// Who plays which colour. Where both are the same engine they exchange colours with each game,
    /// as the contenders do.
    fn colors(&mut self, fixture: &Fixture) -> ByColor<&mut P> {
        let first_is_white = match (fixture.white.side, fixture.black.side) {
            (Side::Engine, Side::Opponent) => true,
            (Side::Opponent, Side::Engine) => false,
            _ => fixture.game.is_multiple_of(2),
        };
        let (first, second) = (&mut self.first, &mut self.second);
        if first_is_white {
            ByColor { white: first, black: second }
        } else {
            ByColor { white: second, black: first }
        }
    }
}

impl<S: Stable> Worker<'_, S> {
    async fn work(self) {
        let mut seats = None;
        while let Some(turn) = self.turns.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            for fixture in *turn {
                if self.stop.is_requested() || self.play(fixture, &mut seats).await.is_err() {
                    return self.dismiss(seats.take()).await;
                }
            }
            if self.work.restart != Restart::Never {
                self.dismiss(seats.take()).await;
            }
        }
        self.dismiss(seats.take()).await;
    }

    /// Plays a game and tells of it; an error where no further one can be played.
    async fn play(&self, fixture: &Fixture, kept: &mut Option<Seats<S::Player>>) -> Result<(), ()> {
        let begun = Instant::now();
        let mut seats = match kept.take() {
            Some(seats) => seats,
            None => match self.seats(fixture).await {
                Ok(seats) => seats,
                Err(error) => {
                    self.stop.request();
                    // The crew listens until its workers are done, unless it is halted.
                    let _ = self.events.send(Event::NoPlayer(error)).await;
                    return Err(());
                }
            },
        };
        let starting = begun.elapsed();
        let usual = Opening::default();
        let opening = fixture.opening.map_or(&usual, |place| &self.work.openings[place as usize]);
        let game = play(seats.colors(fixture), *fixture, opening, &self.work.adjudication).await;
        if game.ending.is_forfeit() {
            self.dismiss(Some(seats)).await;
        } else {
            *kept = Some(seats);
        }
        self.events.send(Event::Finished { game: Box::new(game), starting }).await.map_err(|_| ())
    }

    /// Two fresh players. A machine that is busy for a moment is no reason to end a long run.
    async fn seats(&self, fixture: &Fixture) -> Result<Seats<S::Player>, ErrorOf<S>> {
        let has_opponent = [fixture.white.side, fixture.black.side].contains(&Side::Opponent);
        let second = if has_opponent { Side::Opponent } else { Side::Engine };
        let mut attempt = 1;
        loop {
            match tokio::try_join!(self.stable.fetch(Side::Engine), self.stable.fetch(second)) {
                Ok((first, second)) => return Ok(Seats { first, second }),
                Err(error) if attempt == ATTEMPTS => return Err(error),
                Err(_) => tokio::time::sleep(PAUSE * attempt).await,
            }
            attempt += 1;
        }
    }

    async fn dismiss(&self, seats: Option<Seats<S::Player>>) {
        if let Some(Seats { first, second }) = seats {
            tokio::join!(self.stable.dismiss(first), self.stable.dismiss(second));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, sync::atomic::AtomicU32};

    use super::*;
    use crate::{
        score::Score,
        selfplay::{
            Contender, Ending, Outcome,
            play::script::{Failure, Script},
            schedule::{Pair, schedule},
        },
    };

    const MATE: &str = "f2f3 e7e5 g2g4 d8h4";

    /// Scripts that all know the same line; the opponent's sees other scores.
    struct Scripts {
        line: &'static str,
        fetched: AtomicU32,
        /// After so many there are none.
        limit: u32,
    }

    impl Scripts {
        fn of(line: &'static str) -> Scripts {
            Scripts { line, fetched: AtomicU32::new(0), limit: u32::MAX }
        }
    }

    impl Stable for Scripts {
        type Player = Script;

        async fn fetch(&self, side: Side) -> Result<Script, Failure> {
            if self.fetched.fetch_add(1, Ordering::Relaxed) >= self.limit {
                return Err(Failure("nobody is left"));
            }
            let score = if side == Side::Opponent { -7 } else { 7 };
            Ok(Script { lines: vec![self.line], score, ..Script::default() })
        }

        async fn dismiss(&self, _: Script) {}
    }

    fn fixtures(opponent: Side, games: u32) -> Vec<Fixture> {
        let contender = |side, depth| Contender { side, depth };
        let pair = Pair { first: contender(Side::Engine, 1), second: contender(opponent, 2) };
        schedule(&[pair], games, 0, 1)
    }

    #[derive(Default)]
    struct Log {
        games: BTreeMap<u32, PlayedGame>,
        troubles: u32,
    }

    /// Plays `fixtures`, asking for a stop after so many games.
    fn played(
        stable: &Scripts,
        fixtures: &[Fixture],
        restart: Restart,
        jobs: usize,
        stop_after: usize,
    ) -> Log {
        let adjudication = Adjudication::default();
        let work = Work { fixtures, openings: &[], adjudication, restart, jobs };
        let (stop, mut log) = (Stop::default(), Log::default());
        let done = run(stable, work, &stop, std::future::pending(), |event| {
            match event {
                Event::Finished { game, .. } => {
                    let twice = log.games.insert(game.fixture.game, *game);
                    assert_eq!(twice, None, "each game once");
                }
                Event::NoPlayer(_) => log.troubles += 1,
            }
            if log.games.len() == stop_after {
                stop.request();
            }
            Ok::<(), io::Error>(())
        });
        done.expect("threads");
        log
    }

    #[test]
    fn the_games_are_the_same_whatever_the_jobs() {
        let fixtures = fixtures(Side::Engine, 30);
        let outcomes = |jobs| -> Vec<Outcome> {
            let log = played(&Scripts::of(MATE), &fixtures, Restart::Game, jobs, usize::MAX);
            log.games.values().map(PlayedGame::outcome).collect()
        };
        assert_eq!(outcomes(1).len(), 30);
        assert_eq!(outcomes(1), outcomes(4));
        assert!(outcomes(2).iter().all(|game| game.ending == Ending::Checkmate));
    }

    #[test]
    fn players_are_kept_as_long_as_is_asked() {
        let fetched = |line, restart| {
            let stable = Scripts::of(line);
            played(&stable, &fixtures(Side::Engine, 6), restart, 1, usize::MAX);
            stable.fetched.into_inner()
        };
        assert_eq!(fetched(MATE, Restart::Game), 12);
        assert_eq!(fetched(MATE, Restart::Pair), 6);
        assert_eq!(fetched(MATE, Restart::Never), 2);
        assert_eq!(fetched("e2e4", Restart::Never), 12, "nobody is kept who has forfeited, nor the other");
    }

    #[test]
    fn a_contender_plays_with_both_colours() {
        for restart in [Restart::Game, Restart::Pair, Restart::Never] {
            let log = played(&Scripts::of(MATE), &fixtures(Side::Opponent, 4), restart, 1, usize::MAX);
            for game in log.games.values() {
                let first = game.moves[0].thought.expect("a thought");
                let expected = if game.fixture.white.side == Side::Opponent { -7 } else { 7 };
                assert_eq!(
                    (first.score, first.depth),
                    (Some(Score::Cp(expected)), Some(game.fixture.white.depth))
                );
            }
            assert_eq!(log.games.len(), 4);
        }
    }

    #[test]
    fn after_a_stop_only_the_games_in_play_are_finished() {
        let log = played(&Scripts::of(MATE), &fixtures(Side::Engine, 500), Restart::Never, 2, 3);
        // One in play and one waiting to be told of for each worker, and one in the box for each.
        assert!((3..=9).contains(&log.games.len()), "{}", log.games.len());
    }

    #[test]
    fn games_that_are_played_stay_where_no_player_is_left() {
        let stable = Scripts { limit: 8, ..Scripts::of(MATE) };
        let log = played(&stable, &fixtures(Side::Engine, 50), Restart::Game, 1, usize::MAX);
        assert_eq!((log.games.len(), log.troubles), (4, 1));
    }

    #[test]
    fn a_halt_drops_what_is_in_play() {
        let fixtures = fixtures(Side::Engine, 50);
        let stable = Scripts { limit: 0, ..Scripts::of(MATE) };
        let adjudication = Adjudication::default();
        let work = Work { fixtures: &fixtures, openings: &[], adjudication, restart: Restart::Game, jobs: 2 };
        let mut told = 0;
        let begun = Instant::now();
        let halted = run(&stable, work, &Stop::default(), std::future::ready(()), |_| {
            told += 1;
            Ok::<(), io::Error>(())
        });
        assert!(halted.is_ok() && told == 0 && begun.elapsed() < PAUSE, "nobody waits for the next try");
    }
}
