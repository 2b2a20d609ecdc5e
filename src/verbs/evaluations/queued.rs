//! Searches of a run by other machines: the missing evaluations are queued, and the run waits for them. Requests to
//! an unreachable server are repeated.

use std::{path::Path, time::Duration, time::Instant};

use sha2::{Digest, Sha256};
use tokio::time::sleep;

use crate::base::text::{counted, printable, rounded, with_causes};
use crate::chess::{Game, Protocol, game};
use crate::engine::Stop;
use crate::store::{
    EngineStamp, EvaluationStore, Search, SearchProgress, queue::Progress, queue::Queue, queue::RunOrder,
    server::PostgresError, server::ServerAccess, waiting::Pause,
};
use crate::verbs::{error::VerbError, observer::Observer, plan::EvaluationPlan};

/// Time between two queries of the queue's progress.
const LOOK: Duration = Duration::from_secs(1);

/// Time between two checks for the user's request to stop.
const TICK: Duration = Duration::from_millis(100);

/// If no worker offers the engine for this time, a note says so.
const WITHOUT_WORKERS: Duration = Duration::from_secs(10);

/// Pauses between attempts at a request.
#[derive(Debug, Default)]
pub struct Retry(Pause);

impl Retry {
    /// Reconnects to an unreachable server after a pause that grows each time, and reports each attempt.
    /// `kept` is the number of results that wait to be stored. Returns any other error at once.
    pub async fn reconnect(
        &mut self,
        queue: &mut Queue,
        error: PostgresError,
        kept: usize,
        observer: &dyn Observer,
    ) -> Result<(), VerbError> {
        let mut error = error;
        loop {
            if !error.is_transient() {
                return Err(error.into());
            }
            let pause = self.0.lengthen();
            let kept = match kept {
                0 => String::new(),
                _ => format!("; results waiting to be stored: {kept}"),
            };
            observer.warn(&format!(
                "{}; trying again in {} s{kept}",
                with_causes(&error),
                rounded(pause.as_secs_f64(), 1)
            ));
            sleep(pause).await;
            match queue.reconnect().await {
                Ok(()) => return Ok(()),
                Err(again) => error = again,
            }
        }
    }
}

/// Repeats a request to a queue until the server answers. The request is an expression, evaluated at each
/// attempt.
macro_rules! retrying {
    ($queue:expr, $kept:expr, $observer:expr, $request:expr) => {{
        let mut retry = $crate::verbs::evaluations::queued::Retry::default();
        loop {
            match $request.await {
                Ok(answer) => break answer,
                Err(error) => retry.reconnect(&mut $queue, error, $kept, $observer).await?,
            }
        }
    }};
}
pub(crate) use retrying;

pub struct QueuedRun {
    queue: Queue,
    order: RunOrder,
    run: i64,
}

impl QueuedRun {
    /// Registers the run in the queue of the plan's store, if the plan uses a queue.
    pub async fn open(
        plan: &EvaluationPlan,
        engine: &EngineStamp,
        games: &[&[Game]],
        observer: &dyn Observer,
    ) -> Result<Option<QueuedRun>, VerbError> {
        let Some(priority) = plan.queue else { return Ok(None) };
        if engine.behavior.is_none() {
            return Err(VerbError::engine(format!(
                "{} fails on the fixed positions by which workers identify an engine, so nothing was queued",
                printable(&engine.name)
            )));
        }
        let mut queue = Queue::connect(&plan.store.server()?, ServerAccess::Work).await?;
        let order = RunOrder {
            digest: digest(plan, engine, games),
            name: name(games),
            priority,
            engine: engine.clone(),
        };
        let run = retrying!(queue, 0, observer, queue.open_run(&order));
        observer.note(&format!("queue: run {run}, priority {priority}"));
        Ok(Some(QueuedRun { queue, order, run }))
    }

    /// Lets workers search all missing evaluations. Returns whether the user stopped waiting before the end.
    pub async fn search(
        &mut self,
        search: &mut Search,
        store: &dyn EvaluationStore,
        stop: &Stop,
        observer: &mut dyn Observer,
    ) -> Result<bool, VerbError> {
        let begun = Instant::now();
        search.report_complete(|notice| observer.hear(&notice));
        let mut missing = search.missing().count();
        while missing > 0 {
            let segments: Vec<_> = search.missing().collect();
            retrying!(self.queue, 0, observer, self.queue.put(self.run, search.origin(), &segments));
            drop(segments);
            if !self.wait(search.progress(), stop, observer).await? {
                return Ok(true);
            }
            search.recall_missing(store, |notice| observer.hear(&notice))?;
            self.give_up_failed(search, observer).await?;
            let left = search.missing().count();
            if left >= missing {
                return Err(VerbError::new(format!(
                    "the store {} lacks {} that workers finished; another process may have removed the evaluations",
                    store.describe(),
                    counted(left as u64, "segment")
                ))
                .of_the_system());
            }
            missing = left;
        }
        search.took(begun.elapsed());
        Ok(false)
    }

    /// Waits until no segment of the run is waiting or in work. Returns false if the user stopped waiting.
    async fn wait(
        &mut self,
        begun: SearchProgress,
        stop: &Stop,
        observer: &mut dyn Observer,
    ) -> Result<bool, VerbError> {
        let (mut first, mut without_workers_since) = (None, Some(Instant::now()));
        loop {
            let Progress { positions_done, in_work, is_drained, .. } =
                retrying!(self.queue, 0, observer, self.queue.progress(self.run));
            let done = positions_done.saturating_sub(*first.get_or_insert(positions_done));
            let positions_done = begun.positions_done.saturating_add(done).min(begun.positions);
            observer.advance_search(SearchProgress { positions_done, ..begun });
            if is_drained {
                return Ok(true);
            }
            let fleet = retrying!(self.queue, 0, observer, self.queue.fleet(&self.order.engine));
            if fleet.workers > 0 || in_work > 0 {
                without_workers_since = Some(Instant::now());
            } else if without_workers_since.is_some_and(|since| since.elapsed() >= WITHOUT_WORKERS) {
                without_workers_since = None;
                observer.note(
                    "no worker offers this engine; start one with gainalyze work postgres://HOST/DATABASE and \
                     the same engine and options",
                );
            }
            let looked = Instant::now();
            while looked.elapsed() < LOOK {
                if stop.is_requested() {
                    return Ok(false);
                }
                sleep(TICK).await;
            }
        }
    }

    /// Leaves out the games with a segment that was set aside.
    async fn give_up_failed(
        &mut self,
        search: &mut Search,
        observer: &mut dyn Observer,
    ) -> Result<(), VerbError> {
        let (run, origin) = (self.run, search.origin());
        let mut failed = Vec::new();
        for (place, segment) in search.missing().enumerate() {
            let words = retrying!(self.queue, 0, observer, self.queue.last_error(run, origin, segment));
            failed.extend(words.map(|words| (place, words)));
        }
        search.give_up(failed, |notice| observer.hear(&notice));
        Ok(())
    }

    pub async fn finish(mut self, observer: &dyn Observer) -> Result<(), VerbError> {
        retrying!(self.queue, 0, observer, self.queue.finish_run(self.run));
        Ok(())
    }
}

/// Returns the identifier of a run: a digest of engine, search settings and games.
fn digest(plan: &EvaluationPlan, engine: &EngineStamp, games: &[&[Game]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    let behavior = engine.behavior.as_deref().unwrap_or_default();
    let Protocol { limit, order, segment, lines } = plan.protocol;
    let (options, own_moves) = (engine.options_json(), plan.own_moves);
    // The parts have the form in which stores keep them, which does not change with the program.
    hasher.update(format!(
        "{}\0{options}\0{behavior}\0{limit}\0{order}\0{segment}\0{lines}\0{own_moves}\0",
        engine.name
    ));
    for game in games.iter().copied().flatten() {
        let start = game::start_fen(&game.start).unwrap_or_default();
        hasher.update(format!("{} {start}", game.mode.is_chess960()));
        game.moves.iter().for_each(|played| hasher.update(format!(" {}", played.uci)));
        hasher.update("\n");
    }
    hasher.finalize().into()
}

/// Returns a readable name for the games: the file of the first game, and the number of games.
fn name(games: &[&[Game]]) -> String {
    let count = games.iter().map(|games| games.len() as u64).max().unwrap_or_default();
    let file = games.iter().copied().flatten().next().map_or("games", |game| game.source.file.as_str());
    let file =
        Path::new(file).file_name().map_or(file.to_owned(), |file| file.to_string_lossy().into_owned());
    format!("{file}, {}", counted(count, "game"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::base::digest::hex;
    use crate::chess::{Limit, Order, pgn::parse_games};

    #[test]
    fn a_run_has_the_same_identity_in_every_build() {
        let game = parse_games("[White \"A\"]\n\n1. e4 e5 *\n", "test").remove(0).expect("a game");
        let engine = EngineStamp {
            name: "Engine 1".to_owned(),
            options: BTreeMap::from([("Hash".to_owned(), "16".to_owned())]),
            digest: "00".to_owned(),
            behavior: Some("aa".to_owned()),
        };
        let protocol = Protocol::new(Limit::Depth(10), Order::Forward, 16);
        let plan = EvaluationPlan { protocol, ..EvaluationPlan::default() };
        // printf 'Engine 1\0{"Hash":"16"}\0aa\0depth 10\0forward\x0016\x001\0false\0false  e2e4 e7e5\n' | sha256sum
        assert_eq!(
            hex(&digest(&plan, &engine, &[&[game]])),
            "cf671d8ea7ea67f3b98b1062ce0b5b1261a1081969e35e894b3f017b2e54dff1"
        );
    }
}
