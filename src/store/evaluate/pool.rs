//! Owns the work of many evaluators at once: who takes which segment, and what a failure costs.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use tokio::{
    sync::{Mutex, mpsc, oneshot},
    task::JoinSet,
};

use crate::chess::{Evaluator, Protocol, Segment, SegmentResult, text::with_causes};
use crate::engine::{Stop, work::ATTEMPTS};

/// After the failure of so many games without a success between them the engine is taken to be
/// broken, and the rest is not tried: each game costs [`ATTEMPTS`] restarts.
pub const HOPELESS: usize = 6;

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
    let queue = SharedQueue::new(tasks, evaluators.len(), stop.clone());
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
struct Worker<E> {
    evaluator: E,
    queue: SharedQueue,
    protocol: Protocol,
    pause: Duration,
    events: mpsc::Sender<PoolEvent>,
}

/// Nobody listens any more.
struct Unheard;

/// Why the last try of a segment failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub error: String,
    /// Whether it is the worker's fault alone.
    pub out_of_service: bool,
}

impl<E: Evaluator> Worker<E> {
    /// Takes task after task until there is none.
    async fn work(mut self) {
        while let Some(task) = self.queue.next().await {
            if !self.take(task).await {
                return;
            }
        }
    }

    /// Deals with a task; tells whether the worker goes on.
    async fn take(&mut self, task: Task) -> bool {
        match self.is_known(&task).await {
            Ok(true) => return true,
            Ok(false) => {}
            Err(Unheard) => return false,
        }
        match self.attempt(&task).await {
            Ok(result) => {
                self.queue.succeeded().await;
                let (stored, is_stored) = oneshot::channel();
                if self.events.send(PoolEvent::Done { task, result, stored }).await.is_err() {
                    return false;
                }
                // Dropped or sent, the segment has been dealt with.
                let _ = is_stored.await;
                true
            }
            Err(Failure { error, out_of_service: true }) if self.queue.retire(&task).await => {
                // The pool listens until its workers are done.
                let _ = self.events.send(PoolEvent::Retired { error }).await;
                false
            }
            Err(Failure { error, .. }) => {
                self.queue.failed(task.game).await;
                self.events.send(PoolEvent::Failed { task, error }).await.is_ok()
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

    /// Tries a segment, unless the engine is taken to be broken.
    async fn attempt(&mut self, task: &Task) -> Result<SegmentResult, Failure> {
        if self.queue.is_hopeless().await {
            let error = format!("not tried: the engine had failed on {HOPELESS} games in a row");
            return Err(Failure { error, out_of_service: false });
        }
        let retried = |attempt, error| {
            let event = PoolEvent::Retried { task: task.clone(), attempt, error };
            let events = self.events.clone();
            // The pool listens until its workers are done.
            async move { _ = events.send(event).await }
        };
        let (protocol, pause) = (&self.protocol, self.pause);
        attempt(&mut self.evaluator, &task.segment, protocol, pause, &self.queue.stop, retried).await
    }
}

/// Tries a segment until it succeeds, [`ATTEMPTS`] times at most, with a longer pause before each further try. `retried` hears of
/// each failure but the last, with its number.
pub async fn attempt<E: Evaluator, F: Future<Output = ()> + Send>(
    evaluator: &mut E,
    segment: &Segment,
    protocol: &Protocol,
    pause: Duration,
    stop: &Stop,
    mut retried: impl FnMut(u32, String) -> F,
) -> Result<SegmentResult, Failure> {
    let mut attempt = 1;
    loop {
        let failure = match evaluator.evaluate(segment, protocol).await {
            Ok(result) => return Ok(result),
            Err(error) => {
                Failure { error: with_causes(&error), out_of_service: E::is_out_of_service(&error) }
            }
        };
        if attempt == ATTEMPTS || stop.is_requested() {
            return Err(failure);
        }
        retried(attempt, failure.error).await;
        tokio::time::sleep(pause * attempt).await;
        attempt += 1;
    }
}

/// What the workers of a pool share.
#[derive(Debug, Clone)]
struct SharedQueue {
    state: Arc<Mutex<State>>,
    stop: Stop,
}

#[derive(Debug)]
struct State {
    /// Tasks that nobody has in hand.
    tasks: VecDeque<Task>,
    /// Workers that still take tasks.
    workers: usize,
    /// The games that have failed since the last success; the segments of one game, which fail
    /// together where several workers have it in hand, count once.
    failed_in_a_row: BTreeSet<usize>,
}

impl SharedQueue {
    fn new(tasks: Vec<Task>, workers: usize, stop: Stop) -> SharedQueue {
        let state = State { tasks: tasks.into(), workers, failed_in_a_row: BTreeSet::new() };
        SharedQueue { state: Arc::new(Mutex::new(state)), stop }
    }

    /// Returns the next task; a worker who gets none ends.
    async fn next(&self) -> Option<Task> {
        let mut state = self.state.lock().await;
        let task = if self.stop.is_requested() { None } else { state.tasks.pop_front() };
        if task.is_none() {
            state.workers -= 1;
        }
        task
    }

    /// Gives a game up: its other tasks are not worth a try.
    async fn failed(&self, game: usize) {
        let mut state = self.state.lock().await;
        state.failed_in_a_row.insert(game);
        state.tasks.retain(|task| task.game != game);
    }

    /// Puts back the task of a worker who cannot work any more and ends; refused to the last.
    async fn retire(&self, task: &Task) -> bool {
        let mut state = self.state.lock().await;
        let others = state.workers > 1;
        if others {
            state.tasks.push_front(task.clone());
            state.workers -= 1;
        }
        others
    }

    async fn succeeded(&self) {
        self.state.lock().await.failed_in_a_row.clear();
    }

    async fn is_hopeless(&self) -> bool {
        self.state.lock().await.failed_in_a_row.len() >= HOPELESS
    }
}

#[cfg(test)]
mod tests;
