//! [`Blocking`]: CPU-bound work on a thread of its own, awaited like the work of a process.

use std::{fmt, io, sync::mpsc::Sender, sync::mpsc::channel};

use tokio::sync::oneshot;

use crate::base::work::{Stop, start};

/// The reason why work on a thread failed.
#[derive(Debug, thiserror::Error)]
pub enum BlockingError<E: std::error::Error + 'static> {
    #[error(transparent)]
    Failed(E),
    /// The thread ended before the work was done. Only a panic causes that.
    #[error("the search thread ended before the search was done")]
    Gone,
}

/// A `T` on a thread of its own, which does one job after the other.
///
/// The thread is not one of tokio's blocking threads. At its end, a runtime waits for its blocking threads,
/// but a second Ctrl-C must not wait for a search. When the `Blocking` is dropped, the thread ends after the
/// jobs that it already has; the process does not wait for it.
pub struct Blocking<T> {
    jobs: Sender<BlockingJob<T>>,
}

impl<T> fmt::Debug for Blocking<T> {
    /// Formats no content, because the value is on the other thread.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocking").finish_non_exhaustive()
    }
}

type BlockingJob<T> = Box<dyn FnOnce(&mut T) + Send>;

/// Requests the stop of a job when its result is no longer awaited.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.request();
    }
}

impl<T: Send + 'static> Blocking<T> {
    /// Moves `inner` to a new thread; an error if the system has no thread left.
    pub fn new(mut inner: T) -> io::Result<Blocking<T>> {
        let (jobs, inbox) = channel::<BlockingJob<T>>();
        start("search", move || {
            for job in inbox {
                job(&mut inner);
            }
        })?;
        Ok(Blocking { jobs })
    }

    /// Runs `work` on the thread, after earlier work.
    ///
    /// If the caller drops the future, the result is no longer needed, and the stop flag of the work is set.
    pub(crate) async fn run<R: Send + 'static, E: std::error::Error + Send + 'static>(
        &self,
        work: impl FnOnce(&mut T, &Stop) -> Result<R, E> + Send + 'static,
    ) -> Result<R, BlockingError<E>> {
        let (answer, answered) = oneshot::channel();
        let stop = Stop::default();
        let waiting = StopOnDrop(stop.clone());
        let job: BlockingJob<T> = Box::new(move |inner| {
            // Sending fails if the result is no longer awaited.
            let _ = answer.send(work(inner, &stop));
        });
        self.jobs.send(job).map_err(|_| BlockingError::Gone)?;
        let result = answered.await.map_err(|_| BlockingError::Gone)?;
        drop(waiting);
        result.map_err(BlockingError::Failed)
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, sync::atomic::AtomicBool, sync::atomic::Ordering, time::Duration, time::Instant};

    use super::*;

    /// A job that keeps a core busy, and records whether it was asked to stop.
    #[derive(Debug, Clone)]
    struct Busy {
        time: Duration,
        stopped: Arc<AtomicBool>,
    }

    impl Busy {
        fn for_ms(ms: u64) -> Busy {
            Busy { time: Duration::from_millis(ms), stopped: Arc::default() }
        }

        fn spin(&mut self, stop: &Stop) -> Result<u32, Scripted> {
            assert!(self.time > Duration::ZERO, "a fault of its own");
            let start = Instant::now();
            while start.elapsed() < self.time {
                if stop.is_requested() {
                    self.stopped.store(true, Ordering::Relaxed);
                    return Err(Scripted);
                }
                std::hint::spin_loop();
            }
            Ok(42)
        }
    }

    #[derive(Debug, thiserror::Error)]
    #[error("as the script says")]
    struct Scripted;

    fn block_on<F: Future>(work: F) -> F::Output {
        crate::base::work::event_loop().expect("a runtime").block_on(work)
    }

    /// Returns the number of clock ticks on the same event loop until the work has an answer.
    fn ticks_beside<E: std::error::Error>(work: impl Future<Output = Result<u32, E>>) -> u32 {
        block_on(async {
            let (mut ticks, mut clock) = (0, tokio::time::interval(Duration::from_millis(2)));
            let mut work = std::pin::pin!(work);
            loop {
                tokio::select! {
                    biased;
                    result = &mut work => {
                        assert_eq!(result.expect("an answer"), 42);
                        return ticks;
                    }
                    _ = clock.tick() => ticks += 1,
                }
            }
        })
    }

    #[test]
    fn busy_work_does_not_stop_the_clock_of_its_event_loop() {
        let polled = async { Busy::for_ms(200).spin(&Stop::default()) };
        assert_eq!(ticks_beside(polled), 0, "polled there, it stops all else");
        let blocking = Blocking::new(Busy::for_ms(200)).expect("a thread");
        assert!(ticks_beside(blocking.run(Busy::spin)) >= 10, "on a thread of its own it does not");
    }

    #[test]
    fn two_threads_work_at_the_same_time() {
        let [one, other] = [0, 1].map(|_| Blocking::new(Busy::for_ms(5)).expect("a thread"));
        let both = block_on(async { tokio::join!(one.run(Busy::spin), other.run(Busy::spin)) });
        assert_eq!(both.0.expect("an answer"), both.1.expect("an answer"));
    }

    #[test]
    fn work_that_nobody_waits_for_is_asked_to_stop() {
        let busy = Busy::for_ms(60_000);
        let stopped = busy.stopped.clone();
        let blocking = Blocking::new(busy).expect("a thread");
        block_on(async {
            let work = blocking.run(Busy::spin);
            assert!(tokio::time::timeout(Duration::from_millis(20), work).await.is_err());
            let deadline = Instant::now() + Duration::from_secs(20);
            while !stopped.load(Ordering::Relaxed) {
                assert!(Instant::now() < deadline, "it searches on");
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
    }

    #[test]
    fn a_thread_that_has_ended_says_so() {
        let blocking = Blocking::new(Busy::for_ms(0)).expect("a thread");
        for _ in 0..2 {
            let error = block_on(blocking.run(Busy::spin)).expect_err("a panic");
            assert!(matches!(error, BlockingError::Gone));
            assert_eq!(error.to_string(), "the search thread ended before the search was done");
        }
    }

    #[test]
    fn work_on_a_thread_of_its_own_answers_and_fails_as_itself() {
        let blocking = Blocking::new(Busy::for_ms(1)).expect("a thread");
        assert_eq!(block_on(blocking.run(Busy::spin)).expect("an answer"), 42);
        let error = block_on(blocking.run(|_, _| Err::<u32, Scripted>(Scripted))).expect_err("a refusal");
        assert_eq!(error.to_string(), "as the script says");
    }
}
