//! Owns the work of one machine for the queue: engines that search what it gives out, until there is nothing or somebody says so.

mod desk;

use std::time::Duration;

use self::desk::Desk;
use super::{Observer, behaviour::ProgramFiles, event_loop, listen, plan::EnginePlan, plan::StorePlan};
use crate::chess::text::{counted, printable};
use crate::engine::{Engine, EngineCommand, Restarting};
use crate::store::{EngineStamp, queue::Queue, queue::WorkerCard, server::ServerAccess};
use crate::verbs::error::VerbError;

#[derive(Debug, Clone, PartialEq)]
pub struct WorkPlan {
    pub store: StorePlan,
    pub engine: EnginePlan,
    /// How long after its last sign of life the worker is taken for lost.
    pub lease: Duration,
    /// Whether it ends when nothing is left to be done.
    pub until_empty: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkDone {
    /// Segments that it searched and stored.
    pub segments: u64,
    pub positions: u64,
    /// Results that came when somebody else had stored the same.
    pub too_late: u64,
    pub failed: u64,
    pub interrupted: bool,
}

pub fn work(plan: &WorkPlan, observer: &mut dyn Observer) -> Result<WorkDone, VerbError> {
    let command = plan.engine.command()?;
    event_loop()?.block_on(async {
        let (engine, stamp) = engine_of(plan, &command, observer).await?;
        let mut queue = Queue::connect(&plan.store.server()?, ServerAccess::Work).await?;
        check_wanted(&mut queue, &stamp, observer).await?;
        let interrupts = listen(observer, "the segments in flight are finished and stored")?;
        let identity = engine.identity().clone();
        let engines = Restarting::all(&command, &identity, [engine], plan.engine.jobs);
        let card = WorkerCard { host: host(), jobs: engines.len(), engine: stamp, lease: plan.lease };
        let desk = Desk::open(queue, card, plan.until_empty, interrupts.clone(), observer).await?;
        let done = desk.serve(engines).await;
        interrupts.search_is_over();
        done
    })
}

/// Starts the engine, and finds out who it is and how it behaves.
async fn engine_of(
    plan: &WorkPlan,
    command: &EngineCommand,
    observer: &dyn Observer,
) -> Result<(Engine, EngineStamp), VerbError> {
    let (mut engine, mut stamp) = plan.engine.start(command, observer).await?;
    let mut store = plan.store.open()?;
    let files = ProgramFiles::of(command, &stamp);
    let behaviour = files.behaviour(&stamp, &mut engine, store.as_deref_mut()).await?;
    stamp.behaviour = Some(behaviour.digest);
    Ok((engine, stamp))
}

/// Refuses an engine that no run is for, before it takes anything. Where nothing waits at all it may wait for what comes.
async fn check_wanted(
    queue: &mut Queue,
    engine: &EngineStamp,
    observer: &dyn Observer,
) -> Result<(), VerbError> {
    let refusals: Vec<Option<String>> =
        queue.wanted().await?.iter().map(|wanted| wanted.refusal(engine)).collect();
    if refusals.is_empty() {
        observer.note(&format!("{}: the queue is empty", queue.describe()));
    }
    match refusals.iter().cloned().collect::<Option<Vec<String>>>() {
        Some(refusals) if !refusals.is_empty() => {
            let (queue, wanted) = (queue.describe(), refusals.join("; "));
            Err(VerbError::new(format!("{queue}: no run is for this engine: {wanted}")))
        }
        _ => Ok(()),
    }
}

/// Returns what this machine is called; the process alone tells workers apart where it has no name.
fn host() -> String {
    let names = [
        std::env::var("HOSTNAME").ok(),
        std::fs::read_to_string("/etc/hostname").ok(),
        std::env::var("COMPUTERNAME").ok(),
    ];
    let named = names.into_iter().flatten().map(|name| name.trim().to_owned()).find(|name| !name.is_empty());
    named.map_or_else(|| "unknown".to_owned(), |name| printable(&name))
}

impl WorkDone {
    pub fn in_words(&self) -> String {
        let mut told = format!(
            "{} of {} stored",
            counted(self.positions, "position"),
            counted(self.segments, "segment")
        );
        if self.too_late > 0 {
            told += &format!(", {} that others had stored before", self.too_late);
        }
        if self.failed > 0 {
            told += &format!(", {} given back on which the engine failed", counted(self.failed, "segment"));
        }
        told
    }
}
