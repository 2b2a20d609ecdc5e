//! Owns [`Blocking`]: work that keeps a core busy, on a thread of its own, awaited like that of a process.

use std::{
    fmt, io,
    sync::mpsc::{Sender, channel},
    thread,
};

use shakmaty::CastlingMode;
use tokio::sync::oneshot;

use crate::chess::{
    ChosenMove, Evaluation, Evaluator, GameSoFar, MoveLimit, Player, Protocol, Ranker, RankingLimits,
    Segment, SegmentResult,
};
use crate::engine::work::Stop;

/// Evaluates the positions of a segment without ever waiting for anything.
pub trait BlockingEvaluator: Send + 'static {
    /// Why it could not.
    type Error: std::error::Error + Send + 'static;

    /// Evaluates as [`Evaluator::evaluate`] does. Once `stop` is requested nobody waits for the result any more.
    fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
        stop: &Stop,
    ) -> Result<SegmentResult, Self::Error>;
}

/// Plays one side of a game without ever waiting for anything.
pub trait BlockingPlayer: Send + 'static {
    /// Why it could not.
    type Error: std::error::Error + Send + 'static;

    /// Prepares for a game as [`Player::new_game`] does.
    fn new_game(&mut self, mode: CastlingMode) -> Result<(), Self::Error>;

    /// Chooses a move as [`Player::choose`] does. Once `stop` is requested nobody waits for it any more.
    fn choose(&mut self, game: &GameSoFar, limit: MoveLimit, stop: &Stop) -> Result<ChosenMove, Self::Error>;
}

/// Ranks the moves of a position without ever waiting for anything.
pub trait BlockingRanker: Send + 'static {
    /// Why it could not.
    type Error: std::error::Error + Send + 'static;

    /// Ranks as [`Ranker::rank`] does. Once `stop` is requested nobody waits for the result any more.
    fn rank(
        &mut self,
        segment: &Segment,
        limits: &RankingLimits,
        stop: &Stop,
    ) -> Result<Evaluation, Self::Error>;
}

/// Why work on a thread of its own came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum BlockingError<E: std::error::Error + 'static> {
    #[error(transparent)]
    Failed(E),
    /// The thread has ended before its work, which only a panic makes it do.
    #[error("the thread that searches has ended")]
    Gone,
}

/// A `T` that lives on a thread of its own, which takes one job after the other.
///
/// Not a task of tokio's pool of blocking threads: a runtime waits for those when it ends, and a second Ctrl-C
/// must not wait for a search. The thread ends when this is dropped, and the process does not wait for it.
pub struct Blocking<T> {
    jobs: Sender<BlockingJob<T>>,
}

impl<T> fmt::Debug for Blocking<T> {
    /// Nobody knows what the thread does with it at the moment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocking").finish_non_exhaustive()
    }
}

type BlockingJob<T> = Box<dyn FnOnce(&mut T) + Send>;

/// Asks the job to stop when nobody waits for it any more.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.request();
    }
}

impl<T: Send + 'static> Blocking<T> {
    /// Moves `inner` to a new thread; an error where the system has none.
    pub fn new(mut inner: T) -> io::Result<Blocking<T>> {
        let (jobs, inbox) = channel::<BlockingJob<T>>();
        thread::Builder::new().name("search".to_owned()).spawn(move || {
            for job in inbox {
                job(&mut inner);
            }
        })?;
        Ok(Blocking { jobs })
    }

    /// Does `work` on the thread, after what it was given before; `None` where the thread has ended.
    ///
    /// Dropped before the work is done, it requests the stop that the work was given.
    async fn run<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut T, &Stop) -> R + Send + 'static,
    ) -> Option<R> {
        let (answer, answered) = oneshot::channel();
        let stop = Stop::default();
        let waiting = StopOnDrop(stop.clone());
        let job: BlockingJob<T> = Box::new(move |inner| {
            // Nobody may wait any more.
            let _ = answer.send(work(inner, &stop));
        });
        self.jobs.send(job).ok()?;
        let result = answered.await.ok();
        drop(waiting);
        result
    }
}

impl<T: BlockingEvaluator> Evaluator for Blocking<T> {
    type Error = BlockingError<T::Error>;

    fn is_out_of_service(error: &Self::Error) -> bool {
        matches!(error, BlockingError::Gone)
    }

    async fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> Result<SegmentResult, Self::Error> {
        let (segment, protocol) = (segment.clone(), *protocol);
        let result = self.run(move |inner, stop| inner.evaluate(&segment, &protocol, stop)).await;
        result.ok_or(BlockingError::Gone)?.map_err(BlockingError::Failed)
    }
}

impl<T: BlockingRanker> Ranker for Blocking<T> {
    type Error = BlockingError<T::Error>;

    async fn rank(&mut self, segment: &Segment, limits: &RankingLimits) -> Result<Evaluation, Self::Error> {
        let (segment, limits) = (segment.clone(), limits.clone());
        let result = self.run(move |inner, stop| inner.rank(&segment, &limits, stop)).await;
        result.ok_or(BlockingError::Gone)?.map_err(BlockingError::Failed)
    }
}

impl<T: BlockingPlayer> Player for Blocking<T> {
    type Error = BlockingError<T::Error>;

    async fn new_game(&mut self, mode: CastlingMode) -> Result<(), Self::Error> {
        let result = self.run(move |inner, _| inner.new_game(mode)).await;
        result.ok_or(BlockingError::Gone)?.map_err(BlockingError::Failed)
    }

    async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, Self::Error> {
        let game = game.clone();
        let result = self.run(move |inner, stop| inner.choose(&game, limit, stop)).await;
        result.ok_or(BlockingError::Gone)?.map_err(BlockingError::Failed)
    }

    /// Never: whoever answers late on a thread of ours answers.
    fn is_stall(_: &Self::Error) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
        },
        time::{Duration, Instant},
    };

    use shakmaty::Chess;

    use super::*;
    use crate::chess::{Evaluation, Limit, Order, Score, pgn::parse_games};

    /// Keeps a core busy, and notes whether it was asked to stop.
    #[derive(Debug, Clone)]
    struct Busy {
        time: Duration,
        stopped: Arc<AtomicBool>,
    }

    impl Busy {
        fn for_ms(ms: u64) -> Busy {
            Busy { time: Duration::from_millis(ms), stopped: Arc::default() }
        }

        fn spin(&self, stop: &Stop) {
            let start = Instant::now();
            while start.elapsed() < self.time {
                if stop.is_requested() {
                    return self.stopped.store(true, Ordering::Relaxed);
                }
                std::hint::spin_loop();
            }
        }

        fn result(&self, segment: &Segment, stop: &Stop) -> SegmentResult {
            self.spin(stop);
            let draw = |&ply: &usize| (ply, Evaluation::of_score(Score::DRAW));
            let evaluations = segment.searches().iter().map(draw).collect();
            SegmentResult { evaluations, iterations: Vec::new(), busy: self.time }
        }
    }

    #[derive(Debug, thiserror::Error)]
    #[error("as the script says")]
    struct Scripted;

    impl BlockingEvaluator for Busy {
        type Error = Scripted;

        fn evaluate(
            &mut self,
            segment: &Segment,
            _: &Protocol,
            stop: &Stop,
        ) -> Result<SegmentResult, Scripted> {
            assert!(self.time > Duration::ZERO, "a fault of its own");
            Ok(self.result(segment, stop))
        }
    }

    /// Spins where it is polled, as an evaluator must not.
    impl Evaluator for Busy {
        type Error = Scripted;

        async fn evaluate(&mut self, segment: &Segment, _: &Protocol) -> Result<SegmentResult, Scripted> {
            Ok(self.result(segment, &Stop::default()))
        }
    }

    impl BlockingPlayer for Busy {
        type Error = Scripted;

        fn new_game(&mut self, mode: CastlingMode) -> Result<(), Scripted> {
            if mode.is_chess960() { Err(Scripted) } else { Ok(()) }
        }

        fn choose(&mut self, game: &GameSoFar, _: MoveLimit, stop: &Stop) -> Result<ChosenMove, Scripted> {
            self.spin(stop);
            let best = if game.moves().is_empty() { "e2e4" } else { "e7e5" };
            Ok(ChosenMove { best: best.parse().ok(), score: None, depth: None, nodes: None, time: self.time })
        }
    }

    fn protocol() -> Protocol {
        Protocol::new(Limit::Depth(1), Order::Backward, 16)
    }

    fn segment() -> Segment {
        let game = parse_games("1. e4 e5 *", "test").remove(0).expect("a game");
        Segment::cut(&game, &protocol()).remove(0)
    }

    fn block_on<F: Future>(work: F) -> F::Output {
        crate::engine::work::event_loop().expect("a runtime").block_on(work)
    }

    /// Returns how often a clock ticks on the same event loop until the evaluator has answered.
    fn ticks_beside<E: Evaluator>(mut evaluator: E) -> u32 {
        block_on(async {
            let (mut ticks, mut clock) = (0, tokio::time::interval(Duration::from_millis(2)));
            let (segment, protocol) = (segment(), protocol());
            let mut search = std::pin::pin!(evaluator.evaluate(&segment, &protocol));
            loop {
                tokio::select! {
                    biased;
                    result = &mut search => {
                        assert_eq!(result.expect("an answer").evaluations.len(), 3);
                        return ticks;
                    }
                    _ = clock.tick() => ticks += 1,
                }
            }
        })
    }

    #[test]
    fn a_busy_evaluator_does_not_stop_the_clock_of_its_event_loop() {
        assert_eq!(ticks_beside(Busy::for_ms(200)), 0, "polled there, it stops all else");
        let blocking = Blocking::new(Busy::for_ms(200)).expect("a thread");
        assert!(ticks_beside(blocking) >= 10, "on a thread of its own it does not");
    }

    #[test]
    fn two_busy_evaluators_work_at_the_same_time() {
        let [mut one, mut other] = [0, 1].map(|_| Blocking::new(Busy::for_ms(5)).expect("a thread"));
        let (segment, protocol) = (segment(), protocol());
        let both = block_on(async {
            tokio::join!(one.evaluate(&segment, &protocol), other.evaluate(&segment, &protocol))
        });
        assert_eq!(both.0.expect("an answer"), both.1.expect("an answer"));
    }

    #[test]
    fn work_that_nobody_waits_for_is_asked_to_stop() {
        let busy = Busy::for_ms(60_000);
        let stopped = busy.stopped.clone();
        let mut blocking = Blocking::new(busy).expect("a thread");
        block_on(async {
            let (segment, protocol) = (segment(), protocol());
            let search = blocking.evaluate(&segment, &protocol);
            assert!(tokio::time::timeout(Duration::from_millis(20), search).await.is_err());
            let deadline = Instant::now() + Duration::from_secs(20);
            while !stopped.load(Ordering::Relaxed) {
                assert!(Instant::now() < deadline, "it searches on");
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
    }

    #[test]
    fn a_thread_that_has_ended_is_out_of_service() {
        let mut blocking = Blocking::new(Busy::for_ms(0)).expect("a thread");
        for _ in 0..2 {
            let error = block_on(blocking.evaluate(&segment(), &protocol())).expect_err("a panic");
            assert!(<Blocking<Busy> as Evaluator>::is_out_of_service(&error));
            assert_eq!(error.to_string(), "the thread that searches has ended");
        }
    }

    #[test]
    fn a_player_on_a_thread_of_its_own_chooses_and_fails_as_itself() {
        let mut blocking = Blocking::new(Busy::for_ms(1)).expect("a thread");
        let game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        let limit = MoveLimit::Time(Duration::from_millis(1));
        block_on(blocking.new_game(CastlingMode::Standard)).expect("a player");
        let chosen = block_on(blocking.choose(&game, limit)).expect("a move");
        assert_eq!(chosen.best, "e2e4".parse().ok());
        let error = block_on(blocking.new_game(CastlingMode::Chess960)).expect_err("a refusal");
        assert_eq!(error.to_string(), "as the script says");
        assert!(!<Blocking<Busy> as Player>::is_stall(&error));
    }
}
