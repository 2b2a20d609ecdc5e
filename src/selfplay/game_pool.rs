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
mod tests {
    use std::{collections::BTreeMap, sync::atomic::AtomicU32};

    use super::*;
    use crate::{
        score::Score,
        selfplay::{
            Contender, Ending, GameRecord,
            play::script::{Failure, Script},
            schedule::{Matchup, schedule},
        },
    };

    const MATE: &str = "f2f3 e7e5 g2g4 d8h4";

    /// Scripts that all know the same line; the opponent's sees other scores.
    struct Scripts {
        line: &'static str,
        started: AtomicU32,
        /// After so many there are none.
        limit: u32,
    }

    impl Scripts {
        fn of(line: &'static str) -> Scripts {
            Scripts { line, started: AtomicU32::new(0), limit: u32::MAX }
        }
    }

    impl PlayerFactory for Scripts {
        type Player = Script;

        async fn start(&self, side: Side) -> Result<Script, Failure> {
            if self.started.fetch_add(1, Ordering::Relaxed) >= self.limit {
                return Err(Failure("nobody is left"));
            }
            let score = if side == Side::Opponent { -7 } else { 7 };
            Ok(Script { lines: vec![self.line], score, ..Script::default() })
        }

        async fn stop(&self, _: Script) {}
    }

    fn scheduled_games(opponent: Side, games: u32) -> Vec<ScheduledGame> {
        let contender = |side, depth| Contender { side, depth };
        let pair = Matchup { first: contender(Side::Engine, 1), second: contender(opponent, 2) };
        schedule(&[pair], games, 0, 1)
    }

    #[derive(Default)]
    struct Log {
        games: BTreeMap<u32, PlayedGame>,
        troubles: u32,
    }

    /// Plays `scheduled_games`, asking for a stop after so many games.
    fn played(
        factory: &Scripts,
        scheduled_games: &[ScheduledGame],
        restart: Restart,
        jobs: usize,
        stop_after: usize,
    ) -> Log {
        let adjudication = Adjudication::default();
        let work = GamesToPlay { scheduled_games, openings: &[], adjudication, restart, jobs };
        let (stop, mut log) = (Stop::default(), Log::default());
        let done = run(factory, work, &stop, std::future::pending(), |event| {
            match event {
                GamePoolEvent::Finished { game, .. } => {
                    let twice = log.games.insert(game.scheduled.game, *game);
                    assert_eq!(twice, None, "each game once");
                }
                GamePoolEvent::NoPlayer(_) => log.troubles += 1,
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
        let scheduled_games = scheduled_games(Side::Engine, 30);
        let records = |jobs| -> Vec<GameRecord> {
            let log = played(&Scripts::of(MATE), &scheduled_games, Restart::Game, jobs, usize::MAX);
            log.games.values().map(PlayedGame::record).collect()
        };
        assert_eq!(records(1).len(), 30);
        assert_eq!(records(1), records(4));
        assert!(records(2).iter().all(|game| game.ending == Ending::Checkmate));
    }

    #[test]
    fn players_are_kept_as_long_as_is_asked() {
        let started = |line, restart| {
            let factory = Scripts::of(line);
            played(&factory, &scheduled_games(Side::Engine, 6), restart, 1, usize::MAX);
            factory.started.into_inner()
        };
        assert_eq!(started(MATE, Restart::Game), 12);
        assert_eq!(started(MATE, Restart::Pair), 6);
        assert_eq!(started(MATE, Restart::Never), 2);
        assert_eq!(started("e2e4", Restart::Never), 12, "nobody is kept who has forfeited, nor the other");
    }

    #[test]
    fn a_contender_plays_with_both_colours() {
        for restart in [Restart::Game, Restart::Pair, Restart::Never] {
            let log = played(&Scripts::of(MATE), &scheduled_games(Side::Opponent, 4), restart, 1, usize::MAX);
            for game in log.games.values() {
                let first = game.moves[0].thought.expect("a thought");
                let expected = if game.scheduled.white.side == Side::Opponent { -7 } else { 7 };
                assert_eq!(
                    (first.score, first.depth),
                    (Some(Score::Cp(expected)), Some(game.scheduled.white.depth))
                );
            }
            assert_eq!(log.games.len(), 4);
        }
    }

    #[test]
    fn after_a_stop_only_the_games_in_play_are_finished() {
        let log = played(&Scripts::of(MATE), &scheduled_games(Side::Engine, 500), Restart::Never, 2, 3);
        // One in play and one waiting to be told of for each worker, and one in the box for each.
        assert!((3..=9).contains(&log.games.len()), "{}", log.games.len());
    }

    #[test]
    fn games_that_are_played_stay_where_no_player_is_left() {
        let factory = Scripts { limit: 8, ..Scripts::of(MATE) };
        let log = played(&factory, &scheduled_games(Side::Engine, 50), Restart::Game, 1, usize::MAX);
        assert_eq!((log.games.len(), log.troubles), (4, 1));
    }

    #[test]
    fn a_halt_drops_what_is_in_play() {
        let scheduled_games = scheduled_games(Side::Engine, 50);
        let factory = Scripts { limit: 0, ..Scripts::of(MATE) };
        let adjudication = Adjudication::default();
        let work = GamesToPlay {
            scheduled_games: &scheduled_games,
            openings: &[],
            adjudication,
            restart: Restart::Game,
            jobs: 2,
        };
        let mut told = 0;
        let begun = Instant::now();
        let halted = run(&factory, work, &Stop::default(), std::future::ready(()), |_| {
            told += 1;
            Ok::<(), io::Error>(())
        });
        assert!(halted.is_ok() && told == 0 && begun.elapsed() < PAUSE, "nobody waits for the next try");
    }
}
