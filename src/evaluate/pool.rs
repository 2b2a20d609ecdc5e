//! Owns the work of many evaluators at once: who takes which segment, and what a failure costs.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    convert::Infallible,
    sync::Arc,
    time::Duration,
};

use tokio::{
    sync::{Mutex, mpsc, oneshot},
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

/// Where the tasks of a pool come from: a list of this process, or a queue that many machines take from.
///
/// It is asked by one worker at a time. A task that it has given out comes back by exactly one of `done`, `failed`
/// and `give_back`, unless the pool ends before.
pub trait TaskSource: Send {
    /// Why it cannot be asked: the worker that asks then ends, and the error is told as [`PoolEvent::Retired`].
    type Error: std::error::Error + Send;

    /// Gives out the next task; `None` where there is none any more for who asks.
    fn next(&mut self) -> impl Future<Output = Result<Option<Task>, Self::Error>> + Send;

    /// Hears that a task is finished, and its result kept.
    fn done(&mut self, task: &Task) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Hears that a task has failed for good: the others of its game are not worth a try.
    fn failed(&mut self, task: &Task) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Takes a task back that another worker should try.
    fn give_back(&mut self, task: Task) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// Tasks of this process in their order.
#[derive(Debug, Clone, Default)]
pub struct TaskList(VecDeque<Task>);

impl From<Vec<Task>> for TaskList {
    fn from(tasks: Vec<Task>) -> TaskList {
        TaskList(tasks.into())
    }
}

impl TaskSource for TaskList {
    type Error = Infallible;

    async fn next(&mut self) -> Result<Option<Task>, Infallible> {
        Ok(self.0.pop_front())
    }

    async fn done(&mut self, _: &Task) -> Result<(), Infallible> {
        Ok(())
    }

    async fn failed(&mut self, failed: &Task) -> Result<(), Infallible> {
        self.0.retain(|task| task.game != failed.game);
        Ok(())
    }

    async fn give_back(&mut self, task: Task) -> Result<(), Infallible> {
        self.0.push_front(task);
        Ok(())
    }
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

/// Works off the tasks of `source` with one worker per evaluator, and hands each [`PoolEvent`] to
/// `sink` until everything is done, has failed, or was stopped. An error of the sink stops the
/// pool at once and is handed back.
pub async fn run<E, S, F, X>(
    evaluators: Vec<E>,
    source: S,
    protocol: Protocol,
    pause: Duration,
    stop: &Stop,
    mut sink: F,
) -> Result<(), X>
where
    E: Evaluator + 'static,
    S: TaskSource + 'static,
    F: FnMut(PoolEvent) -> Result<(), X>,
{
    let queue = SharedQueue::new(source, evaluators.len(), stop.clone());
    let (events, mut inbox) = mpsc::channel(evaluators.len().max(1));
    let mut workers = JoinSet::new();
    for evaluator in evaluators {
        let queue = queue.clone();
        workers.spawn(Worker { evaluator, queue, protocol, pause, events: events.clone() }.work());
    }
    drop(events);
    while let Some(event) = inbox.recv().await {
        sink(event)?;
    }
    while workers.join_next().await.is_some() {}
    Ok(())
}

/// One of those who work, with its evaluator.
struct Worker<E, S> {
    evaluator: E,
    queue: SharedQueue<S>,
    protocol: Protocol,
    pause: Duration,
    events: mpsc::Sender<PoolEvent>,
}

/// Nobody listens any more.
struct Unheard;

/// Why the last try of a segment failed.
struct Failure {
    error: String,
    /// Whether it is the worker's fault alone.
    out_of_service: bool,
}

impl<E: Evaluator, S: TaskSource> Worker<E, S> {
    /// Takes task after task until there is none, or a source that fails has none for it.
    async fn work(mut self) {
        loop {
            let goes_on = match self.queue.next().await {
                Ok(Some(task)) => self.take(task).await,
                Ok(None) => return,
                Err(error) => Err(error),
            };
            match goes_on {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    self.queue.leave().await;
                    // The pool listens until its workers are done.
                    let _ = self.events.send(PoolEvent::Retired { error: with_causes(&error) }).await;
                    return;
                }
            }
        }
    }

    /// Deals with a task; tells whether the worker goes on.
    async fn take(&mut self, task: Task) -> Result<bool, S::Error> {
        match self.is_known(&task).await {
            Ok(true) => return self.queue.done(&task).await.map(|()| true),
            Ok(false) => {}
            Err(Unheard) => return Ok(false),
        }
        match self.attempt(&task).await {
            Ok(result) => {
                self.queue.succeeded().await;
                let (stored, is_stored) = oneshot::channel();
                let event = PoolEvent::Done { task: task.clone(), result, stored };
                if self.events.send(event).await.is_err() {
                    return Ok(false);
                }
                // Dropped or sent, the segment has been dealt with.
                let _ = is_stored.await;
                self.queue.done(&task).await.map(|()| true)
            }
            Err(Failure { error, out_of_service: true }) if self.queue.retire(&task).await? => {
                // The pool listens until its workers are done.
                let _ = self.events.send(PoolEvent::Retired { error }).await;
                Ok(false)
            }
            Err(Failure { error, .. }) => {
                self.queue.failed(&task).await?;
                Ok(self.events.send(PoolEvent::Failed { task, error }).await.is_ok())
            }
        }
    }

    /// Asks whether a task needs no search.
    async fn is_known(&mut self, task: &Task) -> Result<bool, Unheard> {
        let (known, is_known) = oneshot::channel();
        let begins = PoolEvent::Begins { task: task.clone(), known };
        self.events.send(begins).await.map_err(|_| Unheard)?;
        Ok(is_known.await.is_ok())
    }

    /// Tries a segment until it succeeds, with a longer pause before each further try.
    async fn attempt(&mut self, task: &Task) -> Result<SegmentResult, Failure> {
        if self.queue.is_hopeless().await {
            let error = format!("not tried: the engine had failed on {HOPELESS} games in a row");
            return Err(Failure { error, out_of_service: false });
        }
        let mut attempt = 1;
        loop {
            let failure = match self.evaluator.evaluate(&task.segment, &self.protocol).await {
                Ok(result) => return Ok(result),
                Err(error) => {
                    Failure { error: with_causes(&error), out_of_service: E::is_out_of_service(&error) }
                }
            };
            if attempt == ATTEMPTS || self.queue.stop.is_requested() {
                return Err(failure);
            }
            let error = failure.error;
            // The pool listens until its workers are done.
            let _ = self.events.send(PoolEvent::Retried { task: task.clone(), attempt, error }).await;
            tokio::time::sleep(self.pause * attempt).await;
            attempt += 1;
        }
    }
}

/// The workers of a pool, with the source that they share.
#[derive(Debug)]
struct SharedQueue<S> {
    /// Locked while the source is asked, so that who is the last worker is known.
    state: Arc<Mutex<State<S>>>,
    stop: Stop,
}

impl<S> Clone for SharedQueue<S> {
    fn clone(&self) -> SharedQueue<S> {
        SharedQueue { state: self.state.clone(), stop: self.stop.clone() }
    }
}

#[derive(Debug)]
struct State<S> {
    source: S,
    /// Workers that still take tasks.
    workers: usize,
    /// The games that have failed since the last success; the segments of one game, which fail
    /// together where several workers have it in hand, count once.
    failed_in_a_row: BTreeSet<usize>,
}

impl<S: TaskSource> SharedQueue<S> {
    fn new(source: S, workers: usize, stop: Stop) -> SharedQueue<S> {
        let state = State { source, workers, failed_in_a_row: BTreeSet::new() };
        SharedQueue { state: Arc::new(Mutex::new(state)), stop }
    }

    /// Returns the next task; a worker who gets none ends.
    async fn next(&self) -> Result<Option<Task>, S::Error> {
        let mut state = self.state.lock().await;
        let task = if self.stop.is_requested() { None } else { state.source.next().await? };
        if task.is_none() {
            state.workers -= 1;
        }
        Ok(task)
    }

    async fn done(&self, task: &Task) -> Result<(), S::Error> {
        self.state.lock().await.source.done(task).await
    }

    /// Gives a task up for good, and its game with it.
    async fn failed(&self, task: &Task) -> Result<(), S::Error> {
        let mut state = self.state.lock().await;
        state.failed_in_a_row.insert(task.game);
        state.source.failed(task).await
    }

    /// Puts back the task of a worker who cannot work any more and ends; refused to the last.
    async fn retire(&self, task: &Task) -> Result<bool, S::Error> {
        let mut state = self.state.lock().await;
        let others = state.workers > 1;
        if others {
            state.source.give_back(task.clone()).await?;
            state.workers -= 1;
        }
        Ok(others)
    }

    /// Counts a worker out that the source has failed.
    async fn leave(&self) {
        self.state.lock().await.workers -= 1;
    }

    async fn succeeded(&self) {
        self.state.lock().await.failed_in_a_row.clear();
    }

    async fn is_hopeless(&self) -> bool {
        self.state.lock().await.failed_in_a_row.len() >= HOPELESS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evaluation::{Evaluation, Limit, Order as SearchOrder},
        pgn::parse_games,
        score::Score,
        work::event_loop,
    };

    /// Returns a game of `plies` knight moves to and fro, cut into segments of `length`.
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
        work_off_from(evaluators, TaskList::from(tasks), patience)
    }

    fn work_off_from<S: TaskSource + 'static>(evaluators: Vec<Script>, source: S, patience: usize) -> Log {
        let runtime = event_loop().expect("a runtime");
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
            source,
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

    /// What a queue elsewhere has heard.
    #[derive(Debug, Default)]
    struct Heard {
        given: usize,
        done: BTreeSet<(usize, usize)>,
        failed: Vec<usize>,
        given_back: usize,
    }

    /// A queue elsewhere: it takes a while to answer, and breaks off after so many tasks.
    struct Elsewhere {
        tasks: TaskList,
        heard: Arc<std::sync::Mutex<Heard>>,
        breaks_after: usize,
    }

    #[derive(Debug, thiserror::Error)]
    #[error("the line is dead")]
    struct Dead;

    impl Elsewhere {
        fn of(tasks: Vec<Task>, breaks_after: usize) -> (Elsewhere, Arc<std::sync::Mutex<Heard>>) {
            let heard = Arc::<std::sync::Mutex<Heard>>::default();
            (Elsewhere { tasks: tasks.into(), heard: heard.clone(), breaks_after }, heard)
        }

        fn hear(&self, what: impl FnOnce(&mut Heard)) {
            what(&mut self.heard.lock().expect("no test panics with it in hand"));
        }
    }

    impl TaskSource for Elsewhere {
        type Error = Dead;

        async fn next(&mut self) -> Result<Option<Task>, Dead> {
            tokio::time::sleep(Duration::from_millis(1)).await;
            if self.breaks_after == 0 {
                return Err(Dead);
            }
            self.breaks_after -= 1;
            self.hear(|heard| heard.given += 1);
            Ok(self.tasks.next().await.unwrap_or_else(|never| match never {}))
        }

        async fn done(&mut self, task: &Task) -> Result<(), Dead> {
            self.hear(|heard| assert!(heard.done.insert((task.game, task.segment.first())), "told once"));
            Ok(())
        }

        async fn failed(&mut self, task: &Task) -> Result<(), Dead> {
            self.hear(|heard| heard.failed.push(task.game));
            self.tasks.failed(task).await.map_err(|never| match never {})
        }

        async fn give_back(&mut self, task: Task) -> Result<(), Dead> {
            self.hear(|heard| heard.given_back += 1);
            self.tasks.give_back(task).await.map_err(|never| match never {})
        }
    }

    #[test]
    fn a_queue_elsewhere_hears_what_became_of_every_task() {
        let games = [tasks(0, 20, 7), tasks(1, 40, 7), tasks(2, 9, 7)].concat();
        let (source, heard) = Elsewhere::of(games.clone(), usize::MAX);
        let broken = Script { broken: true, ..Script::failing(0) };
        let log = work_off_from(vec![broken, Script::failing(0), Script::failing(0)], source, usize::MAX);
        let heard = heard.lock().expect("nobody panicked");
        assert_eq!((log.done.len(), log.retired), (games.len(), 1));
        assert_eq!((&heard.done, heard.given_back, heard.failed.len()), (&log.done, 1, 0));
    }

    #[test]
    fn a_queue_elsewhere_hears_of_a_task_that_has_failed_for_good() {
        let (source, heard) = Elsewhere::of([tasks(0, 20, 7), tasks(1, 3, 7)].concat(), usize::MAX);
        let log = work_off_from(vec![Script::failing(3)], source, usize::MAX);
        let heard = heard.lock().expect("nobody panicked");
        assert_eq!((&heard.failed, &heard.done), (&vec![0], &log.done));
    }

    #[test]
    fn workers_whose_queue_breaks_off_end_and_say_why() {
        let (source, heard) = Elsewhere::of(tasks(0, 60, 7), 4);
        let log = work_off_from(sound(2), source, usize::MAX);
        let heard = heard.lock().expect("nobody panicked");
        assert_eq!((log.done.len(), log.retired, log.failed.len()), (4, 2, 0));
        assert_eq!((heard.given, heard.done.len()), (4, 4));
    }
}
