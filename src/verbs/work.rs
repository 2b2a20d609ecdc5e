//! Owns the verb `work`: one worker of those that search for a queue.

use std::{path::PathBuf, time::Duration};

use clap::Args;

use crate::chess::text::with_causes;
use crate::store::server::Address;
use crate::verbs::{
    app::plan::StorePlan, app::working, app::working::WorkPlan, args::ConsoleArgs, args::OneEngineArgs,
    error::VerbError, runs::Finished, runs::RunEnding, runs::Viewer,
};

#[derive(Debug, Clone, Args)]
pub struct WorkArgs {
    #[command(flatten)]
    pub server: ServerArg,
    #[command(flatten)]
    pub engine: OneEngineArgs,
    /// End when nothing is left to be done and nobody waits to put more, as jobs of a scheduler do.
    #[arg(long)]
    pub until_empty: bool,
    /// Seconds without a sign of life after which others take over what this worker has in work.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub lease: u32,
    #[command(flatten)]
    pub console: ConsoleArgs,
}

impl WorkArgs {
    pub fn plan(&self) -> WorkPlan {
        WorkPlan {
            store: self.server.plan(),
            engine: self.engine.plan(),
            lease: Duration::from_secs(self.lease.into()),
            until_empty: self.until_empty,
        }
    }
}

/// A server, by the address of its store.
#[derive(Debug, Clone, Args)]
pub struct ServerArg {
    /// The store in PostgreSQL that has the queue.
    #[arg(value_name = "postgres://HOST/DATABASE", value_parser = server)]
    pub server: PathBuf,
}

/// Reads an address; the message has no password.
fn server(text: &str) -> Result<PathBuf, String> {
    Address::parse(text).map(|_| text.into()).map_err(|error| with_causes(&error))
}

impl ServerArg {
    pub fn plan(&self) -> StorePlan {
        StorePlan::At(self.server.clone())
    }
}

pub fn run(args: &WorkArgs, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let done = working::work(&args.plan(), viewer)?;
    let ending = if done.interrupted { RunEnding::Interrupted } else { RunEnding::Complete };
    Ok(Finished::new(format!("{}.\n", done.in_words()), ending))
}
