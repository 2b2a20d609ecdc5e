//! Owns the work of many evaluators at once: who takes which segment, and what a failure costs.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Duration,
};

use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};

use crate::chess::{Evaluator, Protocol, Segment, SegmentResult, text::with_causes};
use crate::engine::{Stop, work::ATTEMPTS};

/// Pause before an engine is started anew, times the number of tries.
#[cfg(feature = "program")]
pub(crate) const PAUSE: Duration = Duration::from_millis(500);

/// After the failure of so many games without a success between them the engine is taken to be
/// broken, and the rest is not tried: each game costs [`ATTEMPTS`] restarts.
pub(crate) const HOPELESS: usize = 6;

/// A segment and the game that it belongs to.
#[derive(Debug, Clone)]
pub struct Task {
    /// Its game, as the caller numbers them.
    pub game: usize,
    /// The positions to search.
    pub segment: Segment,
}

impl AsRef<Segment> for Task {
    fn as_ref(&self) -> &Segment {
        &self.segment
    }
}

/// What the pool tells and asks while it works.
#[derive(Debug)]
pub enum PoolEvent<'a> {
    /// A segment is about to be searched, unless it is known: another run may have stored it
    /// meanwhile, or this one with an equal game.
    Begins {
        /// The segment's place in the search.
        task: &'a Task,
        /// Set by who knows it.
        is_known: &'a mut bool,
    },
    /// A segment is finished. Its worker takes no other until this is dealt with.
    Done {
        /// The segment's place in the search.
        task: Task,
        /// What was found.
        result: SegmentResult,
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
pub async fn run<E: Evaluator + 'static, X>(
    evaluators: Vec<E>,
    tasks: Vec<Task>,
    protocol: Protocol,
    pause: Duration,
    stop: &Stop,
    sink: impl FnMut(PoolEvent<'_>) -> Result<(), X>,
) -> Result<(), X> {
    let (tasks, workers) = (tasks.into(), evaluators.len());
    let mut list = TaskList { tasks, protocol, workers, failed_in_a_row: BTreeSet::new(), stop, sink };
    serve(evaluators, &mut list, (pause, stop)).await
}

/// An evaluator that has nothing to do: where its next task goes, and how that is searched. Dropped, it ends.
pub(crate) type Idle<T> = oneshot::Sender<(T, Protocol)>;

/// Where the tasks of evaluators come from, and where their results go: a list of this process, or a queue of many.
pub(crate) trait TaskSource {
    type Task: AsRef<Segment> + Clone + Send + Sync + 'static;
    type Error;

    /// Gives idle evaluators tasks, as far as there are any, and drops those that will get none. Asked again whenever an
    /// evaluator has told something, or [`TaskSource::wait`] is over, and once more when all have ended.
    async fn give(&mut self, idle: &mut Vec<Idle<Self::Task>>) -> Result<(), Self::Error>;

    async fn done(&mut self, task: Self::Task, result: SegmentResult) -> Result<(), Self::Error>;

    /// Hears that a try failed which is not the last.
    async fn retried(&mut self, task: Self::Task, attempt: u32, error: String) -> Result<(), Self::Error>;

    /// Takes back a task that failed for good; tells whether its evaluator goes on.
    async fn failed(&mut self, task: Self::Task, failure: Failure) -> Result<bool, Self::Error>;

    /// Waits until there may be more to give, and does nothing else: it is dropped when an evaluator tells something.
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
    /// It has nothing to do, after its last task, if there was one, came to this.
    Idle(Option<(T, Result<SegmentResult, Failure>)>, Idle<T>),
    Retried(T, u32, String),
}

/// Has evaluators search the tasks of `source` until they all have ended. An error of the source stops them at once.
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
        };
        // All that have come meanwhile, so that their results are stored together.
        while let Ok(told) = report {
            idle.extend(hear(told, source).await?);
            report = inbox.try_recv();
        }
    }
    while workers.join_next().await.is_some() {}
    source.give(&mut idle).await
}

/// Passes a report on; returns its evaluator where that has nothing to do and goes on.
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

/// Searches one task after the other until there is none: each until it succeeds, [`ATTEMPTS`] times at most, with a longer
/// pause before each further try.
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
            // Who gives out tasks listens until all have ended.
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
    /// The games that have failed since the last success; the segments of one game, which fail
    /// together where several workers have it in hand, count once.
    failed_in_a_row: BTreeSet<usize>,
    stop: &'s Stop,
    sink: F,
}

impl<X, F: FnMut(PoolEvent<'_>) -> Result<(), X>> TaskList<'_, F> {
    /// Returns the next task that is to be searched.
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

    async fn give(&mut self, idle: &mut Vec<Idle<Task>>) -> Result<(), X> {
        for evaluator in idle.drain(..) {
            match self.next()? {
                // An evaluator that has nothing to do waits for nothing else.
                Some(task) => _ = evaluator.send((task, self.protocol)),
                None => self.workers -= 1,
            }
        }
        Ok(())
    }

    async fn done(&mut self, task: Task, result: SegmentResult) -> Result<(), X> {
        self.failed_in_a_row.clear();
        (self.sink)(PoolEvent::Done { task, result })
    }

    async fn retried(&mut self, task: Task, attempt: u32, error: String) -> Result<(), X> {
        (self.sink)(PoolEvent::Retried { task, attempt, error })
    }

    /// Puts back the task of an evaluator that cannot work any more and ends, but of the last one.
    async fn failed(&mut self, task: Task, Failure { error, out_of_service }: Failure) -> Result<bool, X> {
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
