//! Bounded pool of evaluators: assignment of segments, retries and failures.

use std::{
    collections::BTreeMap, collections::BTreeSet, collections::VecDeque, panic::resume_unwind, time::Duration,
};

use tokio::{sync::mpsc, sync::oneshot, task::JoinError, task::JoinSet};

use crate::base::{text::with_causes, work::ATTEMPTS, work::Stop};
use crate::chess::{Evaluator, Protocol, Segment, SegmentResult};

/// Pause before the first restart of an engine. The pause grows in proportion to the number of failed
/// attempts.
#[cfg(feature = "program")]
pub(crate) const PAUSE: Duration = Duration::from_millis(500);

/// Number of successive failed games after which the engine counts as broken. The other games are then not
/// tried, because each could cost [`ATTEMPTS`] attempts.
pub(crate) const HOPELESS: usize = 6;

/// A segment and its game.
#[derive(Debug, Clone)]
pub struct Task {
    /// Number of the game, as given by the caller.
    pub game: usize,
    /// The positions to search.
    pub segment: Segment,
}

impl AsRef<Segment> for Task {
    fn as_ref(&self) -> &Segment {
        &self.segment
    }
}

/// Events of the pool, and its questions to the caller.
#[derive(Debug)]
pub enum PoolEvent<'a> {
    /// A segment is about to be searched. The caller sets `is_known` if the evaluations of the segment have
    /// been stored meanwhile, by another run or by this run for an equal game.
    Begins {
        /// The segment with its game.
        task: &'a Task,
        /// Set by the caller if the segment is known.
        is_known: &'a mut bool,
    },
    /// A segment is finished. Its worker continues when the caller has handled this event.
    Done {
        /// The segment with its game.
        task: Task,
        /// The result of the segment.
        result: SegmentResult,
    },
    /// A segment failed and is tried again.
    Retried {
        /// The segment with its game.
        task: Task,
        /// Number of attempts so far.
        attempt: u32,
        /// The error of the last attempt.
        error: String,
    },
    /// A worker cannot continue; the other workers take over its segment.
    Retired {
        /// The error that stopped the worker.
        error: String,
    },
    /// A segment failed for the last time, or was not tried because the engine is broken. Its game cannot be
    /// evaluated, and the waiting segments of the game are not tried.
    Failed {
        /// The segment with its game.
        task: Task,
        /// The error of the last attempt, or the reason why the segment was not tried.
        error: String,
    },
}

/// Orders tasks so that all workers finish at about the same time. The shortest segments, four for each
/// worker, come last, so that no long segment runs alone at the end. All other segments keep the order of the
/// games.
pub fn order_for_short_tail(tasks: &mut Vec<Task>, workers: usize) {
    let mut lengths: Vec<(usize, usize)> =
        tasks.iter().enumerate().map(|(index, task)| (task.segment.searches().len(), index)).collect();
    lengths.sort_unstable();
    let held_back: BTreeMap<usize, usize> =
        lengths.iter().take(workers.max(1) * 4).map(|&(length, index)| (index, length)).collect();
    let mut indexed: Vec<(usize, Task)> = tasks.drain(..).enumerate().collect();
    // A stable sort: tasks that are not held back, then the held-back tasks, the longest first.
    indexed.sort_by_key(|(index, _)| held_back.get(index).map(|&length| usize::MAX - length));
    tasks.extend(indexed.into_iter().map(|(_, task)| task));
}

/// Works through `tasks` in order with one worker per evaluator, and passes each [`PoolEvent`] to `sink`.
/// Ends when all tasks are done or failed. After a request to `stop`, finishes only the tasks that have
/// begun. An error of the sink stops the pool at once and is returned.
pub async fn run<E: Evaluator + 'static, X>(
    evaluators: Vec<E>,
    tasks: Vec<Task>,
    protocol: Protocol,
    pause: Duration,
    stop: &Stop,
    sink: impl FnMut(PoolEvent<'_>) -> Result<(), X>,
) -> Result<(), X> {
    let (tasks, workers) = (tasks.into(), evaluators.len());
    let failed_in_a_row = BTreeSet::new();
    let mut list = TaskList { tasks, protocol, workers, at_work: 0, failed_in_a_row, stop, sink };
    serve(evaluators, &mut list, (pause, stop)).await
}

/// The channel of an idle evaluator for its next task and protocol. Dropping it ends the evaluator.
pub(crate) type Idle<T> = oneshot::Sender<(T, Protocol)>;

/// The source of tasks and receiver of results: a list in this process, or a shared queue.
pub(crate) trait TaskSource {
    type Task: AsRef<Segment> + Clone + Send + Sync + 'static;
    type Error;

    /// Gives the available tasks to idle evaluators, and drops the evaluators that will get no more. Called
    /// at the start, after reports of evaluators, after [`TaskSource::wait`], and when all evaluators have
    /// ended.
    async fn give(&mut self, idle: &mut Vec<Idle<Self::Task>>) -> Result<(), Self::Error>;

    async fn done(&mut self, task: Self::Task, result: SegmentResult) -> Result<(), Self::Error>;

    /// Receives the report of a failed attempt, if the task will be tried again.
    async fn retried(&mut self, task: Self::Task, attempt: u32, error: String) -> Result<(), Self::Error>;

    /// Takes back a task that failed for the last time. Returns true if its evaluator continues.
    async fn failed(&mut self, task: Self::Task, failure: Failure) -> Result<bool, Self::Error>;

    /// Waits until there may be more tasks. The method must have no other effects, because it is canceled
    /// when an evaluator reports.
    async fn wait(&mut self) {
        std::future::pending().await
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub error: String,
    pub out_of_service: bool,
}

enum Report<T> {
    /// The evaluator is idle. The result belongs to its last task, if it had one.
    Idle(Option<(T, Result<SegmentResult, Failure>)>, Idle<T>),
    Retried(T, u32, String),
}

/// Lets evaluators search the tasks of `source` until all evaluators have ended. An error of the source stops
/// them at once.
pub(crate) async fn serve<E: Evaluator + 'static, S: TaskSource>(
    evaluators: Vec<E>,
    source: &mut S,
    (pause, stop): (Duration, &Stop),
) -> Result<(), S::Error> {
    let (reports, mut inbox) = mpsc::channel(evaluators.len().max(1));
    let mut workers = JoinSet::new();
    for evaluator in evaluators {
        workers.spawn(work(evaluator, reports.clone(), pause, stop.clone()));
    }
    drop(reports);
    let mut idle = Vec::new();
    loop {
        source.give(&mut idle).await?;
        let mut report = tokio::select! {
            report = inbox.recv() => match report {
                Some(report) => Ok(report),
                None => break,
            },
            () = source.wait() => continue,
            Some(ended) = workers.join_next() => {
                pass_on_panic(ended);
                continue;
            }
        };
        // Takes all reports that have arrived, so that their results are stored together.
        while let Ok(told) = report {
            idle.extend(hear(told, source).await?);
            report = inbox.try_recv();
        }
    }
    while let Some(ended) = workers.join_next().await {
        pass_on_panic(ended);
    }
    source.give(&mut idle).await
}

/// Panics if the task of an evaluator panicked. Otherwise its segment would be missing without an error, and
/// idle evaluators would wait for it.
fn pass_on_panic(ended: Result<(), JoinError>) {
    if let Err(Ok(panic)) = ended.map_err(JoinError::try_into_panic) {
        resume_unwind(panic);
    }
}

/// Handles a report. Returns the evaluator that sent it, if this evaluator is idle and continues.
async fn hear<S: TaskSource>(
    report: Report<S::Task>,
    source: &mut S,
) -> Result<Option<Idle<S::Task>>, S::Error> {
    let (last, idle) = match report {
        Report::Idle(last, idle) => (last, idle),
        Report::Retried(task, attempt, error) => {
            source.retried(task, attempt, error).await?;
            return Ok(None);
        }
    };
    let goes_on = match last {
        None => true,
        Some((task, Ok(result))) => {
            source.done(task, result).await?;
            true
        }
        Some((task, Err(failure))) => source.failed(task, failure).await?,
    };
    Ok(goes_on.then_some(idle))
}

/// Searches tasks until there are no more. Each task is tried up to [`ATTEMPTS`] times, with increasing
/// pauses. After a request to `stop`, a failed task is not tried again.
async fn work<E: Evaluator, T: AsRef<Segment> + Clone>(
    mut evaluator: E,
    reports: mpsc::Sender<Report<T>>,
    pause: Duration,
    stop: Stop,
) {
    let mut last = None;
    loop {
        let (give, given) = oneshot::channel();
        if reports.send(Report::Idle(last, give)).await.is_err() {
            return;
        }
        let Ok((task, protocol)) = given.await else { return };
        let mut attempt = 1;
        let found = loop {
            let failure = match evaluator.evaluate(task.as_ref(), &protocol).await {
                Ok(result) => break Ok(result),
                Err(error) => {
                    Failure { error: with_causes(&error), out_of_service: E::is_out_of_service(&error) }
                }
            };
            if attempt == ATTEMPTS || stop.is_requested() {
                break Err(failure);
            }
            // The receiver exists until all evaluators have ended.
            _ = reports.send(Report::Retried(task.clone(), attempt, failure.error)).await;
            tokio::time::sleep(pause * attempt).await;
            attempt += 1;
        };
        last = Some((task, found));
    }
}

struct TaskList<'s, F> {
    tasks: VecDeque<Task>,
    protocol: Protocol,
    workers: usize,
    /// Number of tasks that evaluators search at present. Each task may return to the list.
    at_work: usize,
    /// The games that failed since the last success. A game counts once, even if several workers fail on its
    /// segments at the same time.
    failed_in_a_row: BTreeSet<usize>,
    stop: &'s Stop,
    sink: F,
}

impl<X, F: FnMut(PoolEvent<'_>) -> Result<(), X>> TaskList<'_, F> {
    fn next(&mut self) -> Result<Option<Task>, X> {
        while let Some(task) = self.tasks.pop_front().filter(|_| !self.stop.is_requested()) {
            let mut is_known = false;
            (self.sink)(PoolEvent::Begins { task: &task, is_known: &mut is_known })?;
            if is_known {
                continue;
            }
            if self.failed_in_a_row.len() < HOPELESS {
                return Ok(Some(task));
            }
            self.give_up(task, format!("not tried: the engine had failed on {HOPELESS} games in a row"))?;
        }
        Ok(None)
    }

    fn give_up(&mut self, task: Task, error: String) -> Result<(), X> {
        self.failed_in_a_row.insert(task.game);
        self.tasks.retain(|other| other.game != task.game);
        (self.sink)(PoolEvent::Failed { task, error })
    }
}

impl<X, F: FnMut(PoolEvent<'_>) -> Result<(), X>> TaskSource for TaskList<'_, F> {
    type Task = Task;
    type Error = X;

    /// Keeps idle evaluators without a task until no evaluator is at work, because they may have to take over
    /// the task of a broken engine.
    async fn give(&mut self, idle: &mut Vec<Idle<Task>>) -> Result<(), X> {
        while !idle.is_empty() {
            let Some(task) = self.next()? else { break };
            // An idle evaluator always listens.
            _ = idle.remove(0).send((task, self.protocol));
            self.at_work += 1;
        }
        if self.at_work == 0 {
            idle.clear();
        }
        Ok(())
    }

    async fn done(&mut self, task: Task, result: SegmentResult) -> Result<(), X> {
        self.at_work -= 1;
        self.failed_in_a_row.clear();
        (self.sink)(PoolEvent::Done { task, result })
    }

    async fn retried(&mut self, task: Task, attempt: u32, error: String) -> Result<(), X> {
        (self.sink)(PoolEvent::Retried { task, attempt, error })
    }

    /// If the evaluator can no longer work and other evaluators remain, puts the task back and ends the
    /// evaluator. Otherwise gives up the game of the task, and the evaluator continues.
    async fn failed(&mut self, task: Task, Failure { error, out_of_service }: Failure) -> Result<bool, X> {
        self.at_work -= 1;
        if !out_of_service || self.workers <= 1 {
            self.give_up(task, error)?;
            return Ok(true);
        }
        self.tasks.push_front(task);
        self.workers -= 1;
        (self.sink)(PoolEvent::Retired { error })?;
        Ok(false)
    }
}

#[cfg(test)]
mod tests;
