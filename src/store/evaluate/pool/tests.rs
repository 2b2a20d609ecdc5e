//! Tasks are assigned, retried and put back, whatever happens to the evaluators.

use super::*;
use crate::base::work::event_loop;
use crate::chess::{Evaluation, Limit, Order as SearchOrder, Score, pgn::parse_games};

/// Returns the tasks of a game of `plies` knight moves to and fro. Each segment has at most `length`
/// positions.
fn tasks(game: usize, plies: usize, length: usize) -> Vec<Task> {
    let moves: Vec<&str> = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(plies).collect();
    let knights = parse_games(&format!("{} *", moves.join(" ")), "test").remove(0).expect("a game");
    let protocol = Protocol::new(Limit::Depth(1), SearchOrder::Backward, length);
    let segments = Segment::cut(&knights, &protocol);
    segments.into_iter().map(|segment| Task { game, segment }).collect()
}

/// An evaluator that fails `failures` times in a row, then answers.
struct Script {
    failures: u32,
    /// The number of positions of the segments on which the evaluator always fails.
    refuses: Option<usize>,
    /// True if the evaluator cannot be started.
    broken: bool,
    panics: bool,
}

impl Script {
    fn failing(failures: u32) -> Script {
        Script { failures, refuses: None, broken: false, panics: false }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("as the script says")]
struct Scripted {
    broken: bool,
}

impl Evaluator for Script {
    type Error = Scripted;

    fn is_out_of_service(error: &Scripted) -> bool {
        error.broken
    }

    async fn evaluate(&mut self, segment: &Segment, _: &Protocol) -> Result<SegmentResult, Scripted> {
        assert!(!self.panics, "a fault of the evaluator");
        if self.broken || self.refuses == Some(segment.searches().len()) {
            return Err(Scripted { broken: self.broken });
        }
        if self.failures > 0 {
            self.failures -= 1;
            return Err(Scripted { broken: false });
        }
        // A search takes longer than a failing start.
        tokio::time::sleep(Duration::from_millis(2)).await;
        let draw = |&ply: &usize| (ply, Evaluation::of_score(Score::DRAW));
        let evaluations = segment.searches().iter().map(draw).collect();
        Ok(SegmentResult { evaluations, iterations: Vec::new(), busy: Duration::ZERO })
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Log {
    done: BTreeSet<(usize, usize)>,
    retried: u32,
    retired: u32,
    failed: Vec<usize>,
}

/// Works through `tasks`, and requests a stop after `most` finished segments. Returns the log of the events.
fn work_off(evaluators: Vec<Script>, tasks: Vec<Task>, most: usize) -> Log {
    let runtime = event_loop().expect("a runtime");
    let (stop, mut log) = (Stop::default(), Log::default());
    let sink = |event: PoolEvent<'_>| -> Result<(), std::convert::Infallible> {
        match event {
            PoolEvent::Begins { .. } => {}
            PoolEvent::Done { task, .. } => {
                assert!(log.done.insert((task.game, task.segment.first())), "searched twice: {task:?}");
                if log.done.len() == most {
                    stop.request();
                }
            }
            PoolEvent::Retried { .. } => log.retried += 1,
            PoolEvent::Retired { .. } => log.retired += 1,
            PoolEvent::Failed { task, .. } => log.failed.push(task.game),
        }
        Ok(())
    };
    let work = run(
        evaluators,
        tasks,
        Protocol::new(Limit::Depth(1), SearchOrder::Backward, 16),
        Duration::from_millis(1),
        &stop,
        sink,
    );
    runtime.block_on(work).expect("a sink without errors");
    log
}

fn sound(workers: usize) -> Vec<Script> {
    (0..workers).map(|_| Script::failing(0)).collect()
}

#[test]
fn every_segment_is_searched_once_by_any_number_of_workers() {
    let all: Vec<Task> = [tasks(0, 40, 7), tasks(1, 25, 7)].concat();
    let logs = [1, 2, 9].map(|workers| work_off(sound(workers), all.clone(), usize::MAX));
    assert_eq!(logs[0].done.len(), all.len());
    assert!(logs.iter().all(|log| *log == logs[0]));
}

#[test]
fn two_failures_are_forgiven_and_the_third_ends_the_game() {
    let forgiven = work_off(vec![Script::failing(2)], tasks(0, 20, 7), usize::MAX);
    assert_eq!((forgiven.retried, forgiven.done.len()), (2, 3));
    let games = [tasks(0, 20, 7), tasks(1, 3, 7)].concat();
    let ended = work_off(vec![Script::failing(3)], games, usize::MAX);
    assert_eq!((ended.failed, ended.done.len()), (vec![0], 1), "the rest of game 0 is not tried");
}

#[test]
fn an_engine_that_never_succeeds_is_given_up() {
    let games: Vec<Task> = (0..20).flat_map(|game| tasks(game, 5, 7)).collect();
    let log = work_off(vec![Script::failing(u32::MAX)], games, usize::MAX);
    assert_eq!(log.failed.len(), 20);
    assert_eq!(log.retried, HOPELESS as u32 * (ATTEMPTS - 1), "later games are not tried");
}

#[test]
fn one_game_that_fails_in_many_hands_is_one_game() {
    // Game 0 has more segments than the number of games after which an engine counts as broken.
    let games: Vec<Task> = [tasks(0, 60, 7), tasks(1, 5, 7), tasks(2, 5, 7)].concat();
    let evaluators = (0..8).map(|_| Script { refuses: Some(7), ..Script::failing(0) }).collect();
    let log = work_off(evaluators, games, usize::MAX);
    assert_eq!(log.failed.iter().collect::<BTreeSet<_>>(), BTreeSet::from([&0]));
    assert_eq!(log.done.iter().filter(|(game, _)| *game > 0).count(), 2);
}

#[test]
fn workers_without_an_engine_leave_the_work_to_the_others() {
    let games: Vec<Task> = (0..20).flat_map(|game| tasks(game, 9, 7)).collect();
    let broken = || Script { broken: true, ..Script::failing(0) };
    let log = work_off(vec![broken(), Script::failing(0), broken()], games.clone(), usize::MAX);
    assert_eq!((log.done.len(), log.retired, log.failed.len()), (games.len(), 2, 0));
    let none = work_off(vec![broken(), broken()], games, usize::MAX);
    assert_eq!((none.retired, none.failed.len()), (1, 20), "the last one has nobody to leave it to");
}

#[test]
fn an_engine_that_breaks_at_the_end_leaves_its_game_to_an_idle_one() {
    // The broken evaluator ends its service after three attempts. By then, the sound evaluator has no more
    // tasks.
    let broken = Script { broken: true, ..Script::failing(0) };
    let log = work_off(vec![broken, Script::failing(0)], tasks(0, 5, 7), usize::MAX);
    assert_eq!((log.done.len(), log.retired, log.failed.len()), (1, 1, 0));
}

#[test]
#[should_panic(expected = "a fault of the evaluator")]
fn a_panic_of_an_evaluator_is_not_swallowed() {
    let faulty = Script { panics: true, ..Script::failing(0) };
    work_off(vec![faulty, Script::failing(0)], tasks(0, 20, 7), usize::MAX);
}

#[test]
fn after_a_stop_nothing_more_is_begun() {
    let log = work_off(sound(2), tasks(0, 200, 5), 3);
    assert!((3..=5).contains(&log.done.len()), "{log:?}");
}

#[test]
fn the_shortest_segments_come_last_and_the_others_in_the_order_of_the_games() {
    let mut all: Vec<Task> = (0..9).flat_map(|game| tasks(game, 9 + game, 8)).collect();
    order_for_short_tail(&mut all, 1);
    let lengths: Vec<usize> = all.iter().map(|task| task.segment.searches().len()).collect();
    assert_eq!(lengths[lengths.len() - 4..], [3, 2, 2, 1]);
    let games: Vec<usize> = all[..all.len() - 4].iter().map(|task| task.game).collect();
    assert!(games.is_sorted(), "{games:?}");
}
