//! Games are played simultaneously, each once, whatever happens to the players.

use std::{collections::BTreeMap, sync::atomic::AtomicU32};

use super::*;
use crate::chess::{Ending, Score};
use crate::lab::selfplay::contestants::seats;
use crate::lab::selfplay::play::script::{Script, ScriptFailure};
use crate::lab::selfplay::schedule::{Matchup, schedule};
use crate::lab::selfplay::{GameRecord, Side};

const MATE: &str = "f2f3 e7e5 g2g4 d8h4";

/// Scripted players that all play the same line. The players of the opponent's seat report other scores.
struct Scripts {
    line: &'static str,
    started: AtomicU32,
    /// The number of players that can be started.
    limit: u32,
}

impl Scripts {
    fn of(line: &'static str) -> Scripts {
        Scripts { line, started: AtomicU32::new(0), limit: u32::MAX }
    }
}

impl PlayerFactory for Scripts {
    type Player = Script;
    type Contender = Contender;

    fn seats(&self, scheduled: &ScheduledGame) -> ByColor<Seat> {
        seats(scheduled)
    }

    fn limit(&self, contender: Contender) -> MoveLimit {
        contender.limit()
    }

    async fn start(&self, seat: Seat) -> Result<Script, ScriptFailure> {
        if self.started.fetch_add(1, Ordering::Relaxed) >= self.limit {
            return Err(ScriptFailure("no player is left"));
        }
        let score = if seat == Seat(1) { -7 } else { 7 };
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

/// Plays `scheduled_games`, and requests a stop after `stop_after` games.
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
fn a_contender_plays_with_both_colors() {
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
    // Each worker has at most three games: one in play, one waiting to be reported, and one in the queue.
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
