//! Owns the work of many evaluators at once: who takes which segment, and what a failure costs.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};

use crate::{
    evaluation::Protocol,
    evaluator::{Evaluator, SegmentResult},
    segment::Segment,
    with_causes,
    work::{ATTEMPTS, Stop},
};

/// After the failure of so many games without a success between them the engine is taken to be
/// broken, and the rest is not tried: each game costs [`ATTEMPTS`] restarts.
const HOPELESS: usize = 6;

/// A segment and the game that it belongs to.
#[derive(Debug, Clone)]
pub struct Task {
    /// Which game, as the caller numbers them.
    pub game: usize,
    /// What to search.
    pub segment: Segment,
}

/// What the pool tells and asks while it works.
#[derive(Debug)]
pub enum PoolEvent {
    /// A segment is about to be searched, unless the answer is that it is known: another run may
    /// have stored it meanwhile, or this one with an equal game.
    Begins {
        /// The segment's place in the search.
        task: Task,
        /// Fires when the receiver knows.
        known: oneshot::Sender<()>,
    },
    /// A segment is finished. Its worker takes no other until `stored` is sent or dropped.
    Done {
        /// The segment's place in the search.
        task: Task,
        /// What was found.
        result: SegmentResult,
        /// Fires when the result is stored.
        stored: oneshot::Sender<()>,
    },
    /// A segment was not finished and is tried again.
    Retried {
        /// The segment's place in the search.
        task: Task,
        /// How many times it was tried.
        attempt: u32,
        /// What went wrong.
        error: String,
    },
    /// A worker cannot go on: the others take its segment.
    Retired {
        /// What went wrong.
        error: String,
    },
    /// A segment failed for good: its game cannot be evaluated, the rest of it is not tried.
    Failed {
        /// The segment's place in the search.
        task: Task,
        /// What went wrong.
        error: String,
    },
}

/// Orders tasks so that the work ends at the same time everywhere: in the order of the games, but
/// for the shortest segments, which come last, when one that is long would run alone.
pub fn order_for_short_tail(tasks: &mut Vec<Task>, workers: usize) {
    let mut lengths: Vec<(usize, usize)> =
        tasks.iter().enumerate().map(|(index, task)| (task.segment.searches().len(), index)).collect();
    lengths.sort_unstable();
    let held_back: BTreeMap<usize, usize> =
        lengths.iter().take(workers.max(1) * 4).map(|&(length, index)| (index, length)).collect();
    let mut indexed: Vec<(usize, Task)> = tasks.drain(..).enumerate().collect();
    // A stable sort: false before true, and the longest of those held back first.
    indexed.sort_by_key(|(index, _)| held_back.get(index).map(|&length| usize::MAX - length));
    tasks.extend(indexed.into_iter().map(|(_, task)| task));
}

/// Works off `tasks` in their order with one worker per evaluator, and hands each [`PoolEvent`] to
/// `sink` until everything is done, has failed, or was stopped. An error of the sink stops the
/// pool at once and is handed back.
pub async fn run<E, F, X>(
    evaluators: Vec<E>,
    tasks: Vec<Task>,
    protocol: Protocol,
    pause: Duration,
    stop: &Stop,
    mut sink: F,
) -> Result<(), X>
where
    E: Evaluator + 'static,
    F: FnMut(PoolEvent) -> Result<(), X>,
{
    let queue = Queue::new(tasks, evaluators.len(), stop.clone());
    let (events, mut inbox) = mpsc::channel(evaluators.len().max(1));
    let mut workers = JoinSet::new();
    for evaluator in evaluators {
        workers.spawn(work(evaluator, queue.clone(), protocol, pause, events.clone()));
    }
    drop(events);
    while let Some(event) = inbox.recv().await {
        sink(event)?;
    }
    while workers.join_next().await.is_some() {}
    Ok(())
}

/// Takes task after task from the queue until there is none.
async fn work<E: Evaluator>(
    mut evaluator: E,
    queue: Queue,
    protocol: Protocol,
    pause: Duration,
    events: mpsc::Sender<PoolEvent>,
) {
    while let Some(task) = queue.next() {
        let (known, is_known) = oneshot::channel();
        if events.send(PoolEvent::Begins { task: task.clone(), known }).await.is_err() {
            return;
        }
        if is_known.await.is_ok() {
            continue;
        }
        match attempt(&mut evaluator, &queue, &task, protocol, pause, &events).await {
            Ok(result) => {
                queue.succeeded();
                let (stored, is_stored) = oneshot::channel();
                if events.send(PoolEvent::Done { task, result, stored }).await.is_err() {
                    return;
                }
                // Dropped or sent, the segment has been dealt with.
                let _ = is_stored.await;
            }
            Err(Failure { error, out_of_service: true }) if queue.retire(&task) => {
                // The pool listens until its workers are done.
                let _ = events.send(PoolEvent::Retired { error }).await;
                return;
            }
            Err(Failure { error, .. }) => {
                queue.give_up(task.game);
                if events.send(PoolEvent::Failed { task, error }).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Why the last try of a segment failed.
struct Failure {
    error: String,
    /// Whether it is the worker's fault alone.
    out_of_service: bool,
}

/// Tries a segment until it succeeds, with a longer pause before each further try.
async fn attempt<E: Evaluator>(
    evaluator: &mut E,
    queue: &Queue,
    task: &Task,
    protocol: Protocol,
    pause: Duration,
    events: &mpsc::Sender<PoolEvent>,
) -> Result<SegmentResult, Failure> {
    if queue.is_hopeless() {
        let error = format!("not tried: the engine had failed on {HOPELESS} games in a row");
        return Err(Failure { error, out_of_service: false });
    }
    let mut attempt = 1;
    loop {
        let failure = match evaluator.evaluate(&task.segment, &protocol).await {
            Ok(result) => return Ok(result),
            Err(error) => {
                Failure { error: with_causes(&error), out_of_service: E::is_out_of_service(&error) }
            }
        };
        if attempt == ATTEMPTS || queue.is_stopped() {
            return Err(failure);
        }
        let error = failure.error;
        // The pool listens until its workers are done.
        let _ = events.send(PoolEvent::Retried { task: task.clone(), attempt, error }).await;
        tokio::time::sleep(pause * attempt).await;
        attempt += 1;
    }
}

/// The segments that nobody has taken yet, and those who take them.
#[derive(Debug, Clone)]
struct Queue {
    state: Arc<Mutex<State>>,
    stop: Stop,
}

#[derive(Debug)]
struct State {
    tasks: VecDeque<Task>,
    /// Workers that still take tasks.
    workers: usize,
    /// The games that have failed since the last success; the segments of one game, which fail
    /// together where several workers have it in hand, count once.
    failed_in_a_row: BTreeSet<usize>,
}

impl Queue {
    fn new(tasks: Vec<Task>, workers: usize, stop: Stop) -> Queue {
        let state = State { tasks: tasks.into(), workers, failed_in_a_row: BTreeSet::new() };
        Queue { state: Arc::new(Mutex::new(state)), stop }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no worker panics with the queue in hand")
    }

    /// The next task; a worker who gets none ends.
    fn next(&self) -> Option<Task> {
        let mut state = self.state();
        let task = if self.is_stopped() { None } else { state.tasks.pop_front() };
        if task.is_none() {
            state.workers -= 1;
        }
        task
    }

    /// Puts back the task of a worker who cannot work any more and ends; refused to the last.
    fn retire(&self, task: &Task) -> bool {
        let mut state = self.state();
        let others = state.workers > 1;
        if others {
            state.workers -= 1;
            state.tasks.push_front(task.clone());
        }
        others
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_requested()
    }

    /// Forgets the other segments of a game that cannot be evaluated as a whole any more.
    fn give_up(&self, game: usize) {
        let mut state = self.state();
        state.tasks.retain(|task| task.game != game);
        state.failed_in_a_row.insert(game);
    }

    fn succeeded(&self) {
        self.state().failed_in_a_row.clear();
    }

    fn is_hopeless(&self) -> bool {
        self.state().failed_in_a_row.len() >= HOPELESS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evaluation::{Evaluation, Limit, Order as SearchOrder},
        pgn::parse_games,
        score::Score,
    };

    /// A game of `plies` knight moves to and fro, cut into segments of `length`.
    fn tasks(game: usize, plies: usize, length: usize) -> Vec<Task> {
        let moves: Vec<&str> = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(plies).collect();
        let knights = parse_games(&format!("{} *", moves.join(" ")), "test").remove(0).expect("a game");
        let protocol = Protocol::new(Limit::Depth(1), SearchOrder::Backward, length);
        let segments = Segment::cut(&knights, &protocol);
        segments.into_iter().map(|segment| Task { game, segment }).collect()
    }

    /// Fails as often in a row as it is told, then answers.
    struct Script {
        failures: u32,
        /// Fails always on segments of this many positions.
        refuses: Option<usize>,
        /// Cannot be started.
        broken: bool,
    }

    impl Script {
        fn failing(failures: u32) -> Script {
            Script { failures, refuses: None, broken: false }
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
            if self.broken || self.refuses == Some(segment.searches().len()) {
                return Err(Scripted { broken: self.broken });
            }
            if self.failures > 0 {
                self.failures -= 1;
                return Err(Scripted { broken: false });
            }
            // A search takes longer than a start that fails.
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

    /// Works off `tasks`; stops after `patience` finished segments.
    fn work_off(evaluators: Vec<Script>, tasks: Vec<Task>, patience: usize) -> Log {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let (stop, mut log) = (Stop::default(), Log::default());
        let sink = |event| -> Result<(), std::convert::Infallible> {
            match event {
                PoolEvent::Begins { .. } => {}
                PoolEvent::Done { task, .. } => {
                    assert!(log.done.insert((task.game, task.segment.first())), "searched twice: {task:?}");
                    if log.done.len() == patience {
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
        // Game 0 has more segments than it takes games to give an engine up.
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
}
