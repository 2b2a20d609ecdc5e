//! [`QueueTasks`]: the only part of a worker that communicates with the queue, for all of its engines.

use std::{collections::BTreeSet, time::Duration, time::Instant};

use tokio::time::{Interval, MissedTickBehavior, interval, sleep, timeout};

use super::WorkDone;
use crate::base::text::{counted, printable};
use crate::chess::SegmentResult;
use crate::engine::Restarting;
use crate::store::{
    evaluate::pool, evaluate::pool::Failure, evaluate::pool::HOPELESS, evaluate::pool::Idle,
    evaluate::pool::PAUSE, evaluate::pool::TaskSource, queue::Finish, queue::Lease, queue::Queue,
    queue::QueuedSegment, queue::WorkerCard, server::PostgresError,
};
use crate::verbs::{
    error::Result, error::VerbError, evaluations::queued::retrying, observer::Interrupts, observer::Observer,
};

/// The longest time between two queries of the queue if no notification of new segments comes.
const LOOK: Duration = Duration::from_secs(5);

/// Time between two checks for the user's request to stop.
const TICK: Duration = Duration::from_millis(200);

/// Time between two lines on the worker's progress.
const LINE_EVERY: Duration = Duration::from_secs(300);

/// Time limit for a worker to sign off when it ends.
const GOODBYE: Duration = Duration::from_millis(1500);

pub struct QueueTasks<'o> {
    queue: Queue,
    card: WorkerCard,
    worker: i64,
    until_empty: bool,
    interrupts: Interrupts,
    observer: &'o mut dyn Observer,
    unsaved: Vec<Finish>,
    /// Number of segments that engines are searching.
    in_work: usize,
    /// True if segments that this worker has not seen may be waiting.
    may_wait: bool,
    /// The run of the last segment taken.
    last_run: i64,
    /// The segments that have failed since the last success.
    failed_in_a_row: BTreeSet<Vec<u8>>,
    /// True if no work is left, and no new work is awaited.
    is_over: bool,
    broken: Option<String>,
    done: WorkDone,
    last_line: Instant,
    last_sign: Instant,
    checks: Interval,
    is_due: bool,
}

impl<'o> QueueTasks<'o> {
    pub async fn open(
        mut queue: Queue,
        card: WorkerCard,
        until_empty: bool,
        interrupts: Interrupts,
        observer: &'o mut dyn Observer,
    ) -> Result<QueueTasks<'o>> {
        let worker = queue.register(&card).await?;
        observer.note(&format!(
            "worker {worker} of {} searches {} of successive positions at a time with {}",
            queue.describe(),
            counted(card.jobs as u64, "segment"),
            printable(&card.engine.name),
        ));
        let mut checks = interval(LOOK.min(card.lease / 4));
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(QueueTasks {
            queue,
            card,
            worker,
            until_empty,
            interrupts,
            observer,
            unsaved: Vec::new(),
            in_work: 0,
            may_wait: true,
            last_run: 0,
            failed_in_a_row: BTreeSet::new(),
            is_over: false,
            broken: None,
            done: WorkDone::default(),
            last_line: Instant::now(),
            last_sign: Instant::now(),
            checks,
            is_due: false,
        })
    }

    /// Serves engines until the user stops the worker, the engines fail, or, with `until_empty`, no work is
    /// left.
    pub async fn serve(mut self, engines: Vec<Restarting>) -> Result<WorkDone> {
        let interrupts = self.interrupts.clone();
        let served = tokio::select! {
            served = pool::serve(engines, &mut self, (PAUSE, interrupts.stop())) => served,
            () = interrupts.twice() => Ok(()),
        };
        self.done.interrupted = self.interrupts.stop().is_requested();
        // If a worker cannot sign off, its lease ends later.
        let left = timeout(GOODBYE, self.queue.leave(self.worker)).await;
        served?;
        if !self.done.interrupted {
            left.unwrap_or(Ok(()))?;
        }
        match self.broken {
            Some(why) => Err(VerbError::engine(why)),
            None => Ok(self.done),
        }
    }

    fn is_ending(&self) -> bool {
        self.interrupts.stop().is_requested() || self.is_over || self.broken.is_some()
    }

    /// Stores the engines' results. If the server is unreachable, tries again until it answers.
    async fn save(&mut self) -> Result<()> {
        if self.unsaved.is_empty() {
            return Ok(());
        }
        let unsaved = std::mem::take(&mut self.unsaved);
        let is_first = retrying!(
            self.queue,
            unsaved.len(),
            self.observer,
            self.queue.finish(self.worker, &self.card.engine, &unsaved)
        );
        for (Finish { task, .. }, is_first) in unsaved.iter().zip(is_first) {
            if is_first {
                self.done.segments += 1;
                self.done.positions += task.segment.searches().len() as u64;
            } else {
                self.done.too_late += 1;
            }
        }
        if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            self.observer.note(&self.done.in_words());
        }
        Ok(())
    }

    async fn hand_out(&mut self, idle: &mut Vec<Idle<QueuedSegment>>) -> Result<()> {
        while self.may_wait && !idle.is_empty() {
            let most = idle.len();
            let (taken, faulty) = retrying!(
                self.queue,
                0,
                self.observer,
                self.queue.take(self.worker, &self.card.engine, self.last_run, most)
            );
            self.may_wait = !taken.is_empty() || !faulty.is_empty();
            for row in &faulty {
                retrying!(self.queue, 0, self.observer, self.queue.fail_faulty(row));
            }
            for task in taken {
                self.last_run = task.run;
                if task.is_known {
                    self.unsaved.push(Finish { task, result: None });
                } else if let Some(engine) = idle.pop() {
                    self.in_work += 1;
                    let protocol = task.protocol;
                    // The idle engine waits for nothing else.
                    let _ = engine.send((task, protocol));
                }
            }
            self.save().await?;
        }
        Ok(())
    }

    /// Checks for remaining work. About four times per lease, also sends the worker's heartbeat and frees the
    /// segments of lost workers.
    async fn check_work(&mut self, idle: &mut Vec<Idle<QueuedSegment>>) -> Result<()> {
        if self.last_sign.elapsed() + LOOK / 2 >= self.card.lease / 4 {
            retrying!(self.queue, 0, self.observer, self.show_and_free());
            self.last_sign = Instant::now();
        }
        self.may_wait = true;
        if self.until_empty && self.in_work == 0 {
            self.hand_out(idle).await?;
            self.is_over = self.in_work == 0
                && retrying!(self.queue, 0, self.observer, self.queue.is_over(&self.card.engine));
        }
        Ok(())
    }

    async fn show_and_free(&mut self) -> Result<(), PostgresError> {
        if self.queue.sign_of_life(self.worker).await? == Lease::Lost {
            let lost = self.worker;
            self.worker = self.queue.register(&self.card).await?;
            self.observer.warn(&format!(
                "worker {lost} was counted as lost after {} s without a heartbeat; it continues as worker \
                 {}. Segments that other workers finished meanwhile are not stored again",
                self.card.lease.as_secs(),
                self.worker
            ));
        }
        self.queue.reclaim().await?;
        if self.in_work == 0 {
            self.queue.sweep().await?;
        }
        Ok(())
    }
}

impl TaskSource for QueueTasks<'_> {
    type Task = QueuedSegment;
    type Error = VerbError;

    async fn give(&mut self, idle: &mut Vec<Idle<QueuedSegment>>) -> Result<()> {
        self.save().await?;
        idle.retain(|engine| !engine.is_closed());
        if std::mem::take(&mut self.is_due) {
            self.check_work(idle).await?;
        }
        if self.is_ending() {
            idle.clear();
            return Ok(());
        }
        self.hand_out(idle).await
    }

    async fn done(&mut self, task: QueuedSegment, result: SegmentResult) -> Result<()> {
        self.in_work -= 1;
        self.failed_in_a_row.clear();
        self.unsaved.push(Finish { task, result: Some(result) });
        Ok(())
    }

    async fn retried(&mut self, _: QueuedSegment, attempt: u32, error: String) -> Result<()> {
        self.observer
            .warn(&format!("a search failed (attempt {attempt}), so the engine is restarted: {error}"));
        Ok(())
    }

    async fn failed(
        &mut self,
        task: QueuedSegment,
        Failure { error, out_of_service }: Failure,
    ) -> Result<bool> {
        self.in_work -= 1;
        if out_of_service {
            self.card.jobs -= 1;
            self.observer.warn(&format!(
                "one engine process keeps failing, so the others take over its work: {error}"
            ));
            retrying!(self.queue, 0, self.observer, self.queue.give_back(&task));
            if self.card.jobs == 0 {
                self.broken = Some(format!("no engine is left: {error}"));
            }
            return Ok(false);
        }
        // An interrupted segment has not failed.
        if self.interrupts.stop().is_requested() {
            retrying!(self.queue, 0, self.observer, self.queue.give_back(&task));
            return Ok(true);
        }
        self.done.failed += 1;
        self.failed_in_a_row.insert(task.key.clone());
        self.observer
            .warn(&format!("a segment returns to the queue because the engine failed on it: {error}"));
        retrying!(self.queue, 0, self.observer, self.queue.fail(&task, &error));
        if self.failed_in_a_row.len() == HOPELESS {
            self.broken =
                Some(format!("the engine failed on {HOPELESS} segments in a row; the last error: {error}"));
        }
        Ok(true)
    }

    async fn wait(&mut self) {
        tokio::select! {
            () = self.queue.announced() => self.may_wait = true,
            _ = self.checks.tick() => self.is_due = true,
            () = sleep(TICK) => {}
        }
    }
}
