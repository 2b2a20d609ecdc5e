//! Owns the options of `status`.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueHint};

use super::work::ServerArg;
use crate::verbs::args::ConsoleArgs;
use crate::verbs::runs::queue_status::{QueueAction, StatusPlan};

/// Options of `status`.
#[derive(Debug, Clone, Args)]
pub struct StatusArgs {
    /// Whose queue.
    #[command(flatten)]
    pub server: ServerArg,
    /// Tell it again and again, every so many seconds [default: 5], until Ctrl-C.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "5",
          value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub watch: Option<u32>,
    /// Tell it as JSON.
    #[arg(long)]
    pub json: bool,
    /// Write it as a page too; with --watch again and again.
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub page: Option<PathBuf>,
    /// Let segments wait again that were set aside, of one run or of all.
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "all", value_parser = run_or_all)]
    pub retry: Option<RunOrAll>,
    /// Take a run out of the queue with all that waits of it; what is stored stays.
    #[arg(long, value_name = "RUN", conflicts_with = "retry")]
    pub cancel: Option<i64>,
    /// What is told.
    #[command(flatten)]
    pub console: ConsoleArgs,
}

/// One run, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOrAll(Option<i64>);

fn run_or_all(text: &str) -> Result<RunOrAll, String> {
    match text {
        "all" => Ok(RunOrAll(None)),
        number => {
            number.parse().map(|run| RunOrAll(Some(run))).map_err(|_| "a number of a run, or all".to_owned())
        }
    }
}

impl StatusArgs {
    /// Returns what is to be told and done.
    pub fn plan(&self) -> StatusPlan {
        let retry = self.retry.map(|RunOrAll(run)| QueueAction::Retry(run));
        StatusPlan {
            store: self.server.plan(),
            action: self.cancel.map(QueueAction::Cancel).or(retry),
            is_json: self.json,
            page: self.page.clone(),
            every: self.watch.map(|seconds| Duration::from_secs(seconds.into())),
        }
    }
}
