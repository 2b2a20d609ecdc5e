//! Owns the work of many evaluators at once: who takes which segment, and what a failure costs.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};

use super::session::{Evaluator, SegmentResult};
use crate::{evaluation::Limit, segment::Segment, with_causes};

/// How often a segment is tried.
pub const ATTEMPTS: u32 = 3;

/// After so many segments in a row that no try could finish, the engine is taken to be broken,
/// and the rest is not tried: each costs [`ATTEMPTS`] restarts.
const HOPELESS: u32 = 6;

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
pub enum Event {
    /// A segment is about to be searched, unless the answer is that it is known: another run may
    /// have stored it meanwhile, or this one with an equal game.
    Begins { task: Task, known: oneshot::Sender<()> },
    /// A segment is finished. Its worker takes no other until `stored` is sent or dropped.
    Done { task: Task, result: SegmentResult, stored: oneshot::Sender<()> },
    /// A segment was not finished and is tried again.
    Retried { task: Task, attempt: u32, error: String },
    /// A segment failed for good: its game cannot be evaluated, the rest of it is not tried.
    Failed { task: Task, error: String },
}

/// Asks the pool to finish what is in flight and to begin nothing more. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Begins nothing more.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked for.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
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

/// Works off `tasks` in their order with one worker per evaluator, and hands each [`Event`] to
/// `sink` until everything is done, has failed, or was stopped. An error of the sink stops the
/// pool at once and is handed back.
pub async fn run<E, F, X>(
    evaluators: Vec<E>,
    tasks: Vec<Task>,
    limit: Limit,
    pause: Duration,
    stop: &Stop,
    mut sink: F,
) -> Result<(), X>
where
    E: Evaluator + 'static,
    F: FnMut(Event) -> Result<(), X>,
{
    let queue = Queue::new(tasks, stop.clone());
    let (events, mut inbox) = mpsc::channel(evaluators.len().max(1));
    let mut workers = JoinSet::new();
    for evaluator in evaluators {
        workers.spawn(work(evaluator, queue.clone(), limit, pause, events.clone()));
    }
    drop(events);
    while let Some(event) = inbox.recv().await {
        sink(event)?;
    }
    while workers.join_next().await.is_some() {}
    Ok(())
}

/// One worker's day.
async fn work<E: Evaluator>(
    mut evaluator: E,
    queue: Queue,
    limit: Limit,
    pause: Duration,
    events: mpsc::Sender<Event>,
) {
    while let Some(task) = queue.next() {
        let (known, is_known) = oneshot::channel();
        if events.send(Event::Begins { task: task.clone(), known }).await.is_err() {
            return;
        }
        if is_known.await.is_ok() {
            continue;
        }
        match attempt(&mut evaluator, &queue, &task, limit, pause, &events).await {
            Ok(result) => {
                queue.succeeded();
                let (stored, is_stored) = oneshot::channel();
                if events.send(Event::Done { task, result, stored }).await.is_err() {
                    return;
                }
                // Dropped or sent, the segment has been dealt with.
                let _ = is_stored.await;
            }
            Err(error) => {
                queue.give_up(task.game);
                if events.send(Event::Failed { task, error }).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Tries a segment until it succeeds, with a longer pause before each further try.
async fn attempt<E: Evaluator>(
    evaluator: &mut E,
    queue: &Queue,
    task: &Task,
    limit: Limit,
    pause: Duration,
    events: &mpsc::Sender<Event>,
) -> Result<SegmentResult, String> {
    if queue.is_hopeless() {
        return Err("not tried: the engine failed on every segment before".to_owned());
    }
    let mut attempt = 1;
    loop {
        let error = match evaluator.evaluate(&task.segment, limit).await {
            Ok(result) => return Ok(result),
            Err(error) => with_causes(&error),
        };
        if attempt == ATTEMPTS || queue.is_stopped() {
            return Err(error);
        }
        // The pool listens until its workers are done.
        let _ = events.send(Event::Retried { task: task.clone(), attempt, error }).await;
        tokio::time::sleep(pause * attempt).await;
        attempt += 1;
    }
}

/// The segments that nobody has taken yet.
#[derive(Debug, Clone)]
struct Queue {
    tasks: Arc<Mutex<VecDeque<Task>>>,
    failures_in_a_row: Arc<Mutex<u32>>,
    stop: Stop,
}

impl Queue {
    fn new(tasks: Vec<Task>, stop: Stop) -> Queue {
        Queue { tasks: Arc::new(Mutex::new(tasks.into())), failures_in_a_row: Arc::default(), stop }
    }

    fn next(&self) -> Option<Task> {
        if self.is_stopped() {
            return None;
        }
        self.tasks.lock().expect("no worker panics with the queue in hand").pop_front()
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_requested()
    }

    /// Forgets the other segments of a game that cannot be evaluated as a whole any more.
    fn give_up(&self, game: usize) {
        self.tasks.lock().expect("no worker panics with the queue in hand").retain(|task| task.game != game);
        *self.failures_in_a_row.lock().expect("no worker panics with the count in hand") += 1;
    }

    fn succeeded(&self) {
        *self.failures_in_a_row.lock().expect("no worker panics with the count in hand") = 0;
    }

    fn is_hopeless(&self) -> bool {
        *self.failures_in_a_row.lock().expect("no worker panics with the count in hand") >= HOPELESS
    }
}
