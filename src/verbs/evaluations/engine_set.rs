//! The engines of a run: their successive searches, and the reports on these searches.

use std::time::Duration;

use tokio::task::JoinSet;

use crate::base::{text::with_causes, work::cores};
use crate::chess::{Protocol, Segment};
use crate::engine::{Behavior, Engine, EngineCommand, EngineIdentity, Restarting};
use crate::store::{EngineStamp, EvaluationStore, Search, SearchProgress};
#[cfg(feature = "postgres")]
use crate::verbs::evaluations::queued::QueuedRun;
use crate::verbs::{
    error::VerbError, evaluations::behavior::ProgramFiles, evaluations::behavior::ReportedUnused,
    forecast::Forecast, forecast::OtherLimit, forecast::Pace, observer::Interrupts, observer::Observer,
    observer::listen, plan::EvaluationPlan,
};

pub struct EngineSet {
    command: EngineCommand,
    identity: EngineIdentity,
    /// Engines that run already and are not yet used.
    idle: Vec<Engine>,
    jobs: usize,
    is_queued: bool,
    store: Option<Box<dyn EvaluationStore>>,
    /// The listener to the user's signals, from the beginning of the first search to the end of the last. A
    /// second listener would end the program at a signal that the first one takes as a request to stop.
    interrupts: Option<Interrupts>,
    reported: ReportedUnused,
    /// Time per position of the search that determines the engine's behavior.
    probe: Duration,
    /// The queue whose workers search instead of the engines, if the plan has one.
    #[cfg(feature = "postgres")]
    pub queued: Option<QueuedRun>,
}

/// Assumed value of `EngineSet::probe` until the engine's behavior is known.
const USUAL_PROBE: Duration = Duration::from_micros(300);

impl EngineSet {
    pub fn of(
        command: EngineCommand,
        first: Engine,
        plan: &EvaluationPlan,
        store: Option<Box<dyn EvaluationStore>>,
    ) -> EngineSet {
        let identity = first.identity().clone();
        EngineSet {
            command,
            identity,
            idle: vec![first],
            jobs: plan.engine.jobs,
            is_queued: plan.queue.is_some(),
            store,
            interrupts: None,
            reported: ReportedUnused::default(),
            probe: USUAL_PROBE,
            #[cfg(feature = "postgres")]
            queued: None,
        }
    }

    pub fn command(&self) -> &EngineCommand {
        &self.command
    }

    pub fn store(&self) -> Option<&dyn EvaluationStore> {
        self.store.as_deref()
    }

    /// Returns the engine's behavior, from the store or from the engine. An engine that fails is started
    /// again. Returns `None` if the engine fails twice, or if the user stops the run.
    pub async fn behavior(
        &mut self,
        stamp: &EngineStamp,
        observer: &dyn Observer,
    ) -> Result<Option<Behavior>, VerbError> {
        let files = ProgramFiles::of(&self.command, stamp);
        let mut behavior = files.known_behavior(stamp, self.store())?;
        if behavior.is_none() {
            behavior = self.find_behavior(observer).await;
            if let Some(found) = &behavior {
                files.keep_behavior(stamp, found, self.store.as_deref_mut())?;
            }
        }
        self.probe = behavior.as_ref().map_or(self.probe, |found| found.time_a_position);
        Ok(behavior)
    }

    async fn find_behavior(&mut self, observer: &dyn Observer) -> Option<Behavior> {
        let interrupts = self.listen(observer).ok()?;
        let mut engine = self.idle.pop()?;
        let work = async {
            match Behavior::of(&mut engine).await {
                Ok(behavior) => return Some((engine, behavior)),
                Err(error) => {
                    observer.warn(&format!("the engine failed and is restarted: {}", with_causes(&error)));
                }
            }
            let mut engine = self.command.start_as(&self.identity).await.ok()?;
            let behavior = Behavior::of(&mut engine).await.ok()?;
            Some((engine, behavior))
        };
        let found = tokio::select! {
            found = work => found,
            () = interrupts.twice() => None,
        };
        let (engine, behavior) = found?;
        self.idle.push(engine);
        Some(behavior)
    }

    pub fn report_unused(&mut self, search: &Search, engine: &EngineStamp, observer: &dyn Observer) {
        self.reported.report(search.unused(), &engine.name, observer);
    }

    /// Reports the time that `search` and `rating`, the search for ratings of play, will take together, and the
    /// time with the `other` limit. A short time is reported only if `other` is a deeper limit.
    pub async fn report_forecast(
        &mut self,
        search: &Search,
        rating: Option<&Search>,
        other: OtherLimit,
        observer: &dyn Observer,
    ) -> Result<(), VerbError> {
        let segments: Vec<&Segment> = search.missing().collect();
        let engines = self.jobs.min(segments.len()).min(cores().get()).max(1);
        let forecast = Forecast::of(search, rating, other, engines);
        if self.is_stopped() || self.is_queued || segments.is_empty() || !forecast.is_wanted(self.probe) {
            return Ok(());
        }
        let pace = self.pace(engines, &segments, &search.origin().protocol, observer).await?;
        pace.and_then(|pace| forecast.told(&pace)).iter().for_each(|told| observer.note(told));
        Ok(())
    }

    /// Measures the pace of `engines` engines on some of the `missing` segments. Returns `None` if an engine
    /// fails (the search itself will report that), or if the user stops the run.
    async fn pace(
        &mut self,
        engines: usize,
        missing: &[&Segment],
        protocol: &Protocol,
        observer: &dyn Observer,
    ) -> Result<Option<Pace>, VerbError> {
        let interrupts = self.listen(observer)?;
        let mut running = std::mem::take(&mut self.idle);
        let work = async {
            // All engines start at once. One after the other, they would take seconds on a machine with many
            // cores.
            let mut starting = JoinSet::new();
            for _ in running.len()..engines {
                let (command, identity) = (self.command.clone(), self.identity.clone());
                starting.spawn(async move { command.start_as(&identity).await.ok() });
            }
            for engine in starting.join_all().await {
                running.push(engine?);
            }
            Pace::of(running, missing, protocol).await.ok()
        };
        let measured = tokio::select! {
            measured = work => measured,
            () = interrupts.twice() => None,
        };
        Ok(measured.map(|(pace, engines)| {
            self.idle = engines;
            pace
        }))
    }

    pub fn is_stopped(&self) -> bool {
        self.interrupts.as_ref().is_some_and(|interrupts| interrupts.stop().is_requested())
    }

    fn listen(&mut self, observer: &dyn Observer) -> Result<Interrupts, VerbError> {
        let finishing = match (self.is_queued, &self.store) {
            (true, _) => "the queue stays as it is, and the workers continue",
            (false, Some(_)) => "the running searches will be finished and stored",
            (false, None) => "the running searches will be finished",
        };
        let interrupts = match self.interrupts.take() {
            Some(interrupts) => interrupts,
            None => listen(observer, finishing)?,
        };
        Ok(self.interrupts.insert(interrupts).clone())
    }

    /// Searches to the end, or until the user stops the search. Returns true if the stop left games
    /// incomplete.
    ///
    /// The first interrupt lets the segments in flight finish; the second ends the engines at once.
    pub async fn search(
        &mut self,
        search: &mut Search,
        what: &'static str,
        observer: &mut dyn Observer,
    ) -> Result<bool, VerbError> {
        if search.is_complete() {
            return Ok(false);
        }
        let interrupts = self.listen(observer)?;
        observer.begin_search(what, search.progress());
        #[cfg(feature = "postgres")]
        if let (Some(queued), Some(store)) = (&mut self.queued, &self.store) {
            let left = tokio::select! {
                left = queued.search(search, store.as_ref(), interrupts.stop(), observer) => left,
                () = interrupts.twice() => Ok(true),
            };
            observer.finish();
            return left;
        }
        let engines = Restarting::all(&self.command, &self.identity, self.idle.drain(..), self.jobs);
        let store = self.store.as_deref_mut();
        let work = search.run(engines, store, interrupts.stop(), |notice| observer.hear(&notice));
        let result = tokio::select! {
            result = work => result,
            () = interrupts.twice() => Ok(()),
        };
        observer.finish();
        result?;
        let SearchProgress { games, games_done, .. } = search.progress();
        Ok(interrupts.stop().is_requested() && games_done < games)
    }

    /// Quits the unused engines. From now on an interrupt ends the program.
    pub async fn quit(self) {
        if let Some(interrupts) = self.interrupts {
            interrupts.search_is_over();
        }
        for engine in self.idle {
            engine.quit().await;
        }
    }
}
