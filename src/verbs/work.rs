//! The verb `work`: a worker that searches for a queue until the user stops it, or until the queue is empty
//! (`--until-empty`).

mod queue_tasks;

use std::{path::PathBuf, time::Duration};

use clap::Args;

use self::queue_tasks::QueueTasks;
use crate::base::text::{counted, printable};
use crate::engine::{Engine, EngineCommand, Restarting};
use crate::store::{EngineStamp, queue::Queue, queue::WorkerCard, server::Address, server::ServerAccess};
use crate::verbs::{
    args::ConsoleArgs, args::OneEngineArgs, error::Result, error::VerbError,
    evaluations::behavior::ProgramFiles, observer::Observer, observer::event_loop, observer::listen,
    plan::EnginePlan, plan::StorePlan, runs::Finished, runs::RunEnding, runs::Viewer,
};

#[derive(Debug, Clone, Args)]
pub struct WorkArgs {
    #[command(flatten)]
    pub server: ServerArg,
    #[command(flatten)]
    pub engine: OneEngineArgs,
    /// Stop when the queue is empty and no run is waiting to add more (for jobs of a scheduler).
    #[arg(long)]
    pub until_empty: bool,
    /// Seconds without a heartbeat after which other workers take over this worker's segments.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub lease: u32,
    #[command(flatten)]
    pub console: ConsoleArgs,
}

/// A server, named by the address of its store.
#[derive(Debug, Clone, Args)]
pub struct ServerArg {
    /// PostgreSQL store with the queue.
    // Not parsed by clap, whose error messages repeat the refused value.
    #[arg(value_name = "postgres://HOST/DATABASE")]
    server: String,
}

impl ServerArg {
    pub fn address(&self) -> Result<Address> {
        Ok(Address::parse(&self.server)?)
    }
}

pub fn run(args: &WorkArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let done = work(args, viewer)?;
    Ok(Finished::new(format!("{}.\n", done.in_words()), RunEnding::of(done.interrupted, false)))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkDone {
    /// Segments searched and stored by this worker.
    pub segments: u64,
    pub positions: u64,
    /// Results that came after another worker had stored the same segment.
    pub too_late: u64,
    pub failed: u64,
    pub interrupted: bool,
}

fn work(args: &WorkArgs, observer: &mut dyn Observer) -> Result<WorkDone> {
    let (address, plan) = (args.server.address()?, args.engine.plan());
    let store = StorePlan::At(PathBuf::from(&args.server.server));
    let command = plan.command()?;
    event_loop()?.block_on(async {
        let (engine, stamp) = engine_of(&plan, &store, &command, observer).await?;
        let mut queue = Queue::connect(&address, ServerAccess::Work).await?;
        check_wanted(&mut queue, &stamp, observer).await?;
        let interrupts = listen(observer, "the running searches will be finished and stored")?;
        let identity = engine.identity().clone();
        let engines = Restarting::all(&command, &identity, [engine], plan.jobs);
        let lease = Duration::from_secs(args.lease.into());
        let card = WorkerCard { host: host(), jobs: engines.len(), engine: stamp, lease };
        let tasks = QueueTasks::open(queue, card, args.until_empty, interrupts.clone(), observer).await?;
        let done = tasks.serve(engines).await;
        interrupts.search_is_over();
        done
    })
}

/// Starts the engine, and determines its identity and behavior.
async fn engine_of(
    plan: &EnginePlan,
    store: &StorePlan,
    command: &EngineCommand,
    observer: &dyn Observer,
) -> Result<(Engine, EngineStamp)> {
    let (mut engine, mut stamp) = plan.start(command, [], observer).await?;
    let mut store = store.open()?;
    let files = ProgramFiles::of(command, &stamp);
    let behavior = files.behavior(&stamp, &mut engine, store.as_deref_mut()).await?;
    stamp.behavior = Some(behavior.digest);
    Ok((engine, stamp))
}

/// Refuses an engine that no run needs, before it takes any work. If nothing at all waits in the queue, the
/// worker may wait for new runs.
async fn check_wanted(queue: &mut Queue, engine: &EngineStamp, observer: &dyn Observer) -> Result<()> {
    let refusals: Vec<Option<String>> =
        queue.wanted().await?.iter().map(|wanted| wanted.refusal(engine)).collect();
    if refusals.is_empty() {
        observer.note(&format!("{}: the queue is empty", queue.describe()));
    }
    match refusals.iter().cloned().collect::<Option<Vec<String>>>() {
        Some(refusals) if !refusals.is_empty() => {
            let (queue, wanted) = (queue.describe(), refusals.join("; "));
            Err(VerbError::new(format!("{queue}: no run needs this engine: {wanted}")))
        }
        _ => Ok(()),
    }
}

/// Returns the name of this machine, or `unknown`. Workers on machines without a name are distinguished only
/// by their processes.
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
            told += &format!("; {} already stored by other workers", counted(self.too_late, "segment"));
        }
        if self.failed > 0 {
            told += &format!(
                "; {} returned to the queue because the engine failed",
                counted(self.failed, "segment")
            );
        }
        told
    }
}
