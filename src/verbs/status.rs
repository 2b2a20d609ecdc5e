//! The verb `status`: the status of a queue, once or repeatedly, and changes to its runs and segments.

use std::{io, io::IsTerminal, io::Write, path::PathBuf, time::Duration};

use clap::{Args, ValueHint};

use crate::base::output::{NamedFile, Overwrite, write_named_file};
use crate::base::text::{counted, full_path};
use crate::report::{ReportError, kinds::queue as shown, summary};
use crate::store::{queue::Queue, server::ServerAccess};
use crate::verbs::{
    args::ConsoleArgs, console::print, error::Result, error::VerbError, observer::event_loop, runs::Finished,
    runs::Viewer, work::ServerArg,
};

#[derive(Debug, Clone, Args)]
pub struct StatusArgs {
    #[command(flatten)]
    pub server: ServerArg,
    /// Repeat every SECONDS [default: 5] until Ctrl-C.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "5",
          value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub watch: Option<u32>,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
    /// Also write the status as a page; with --watch, keep it up to date.
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub page: Option<PathBuf>,
    /// Overwrite a file that is not a queue page.
    #[arg(long, requires = "page")]
    pub force: bool,
    /// Requeue segments that were set aside, of one run or of all runs.
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "all", value_parser = run_or_all)]
    pub retry: Option<RunOrAll>,
    /// Remove a run from the queue; its stored evaluations stay.
    #[arg(long, value_name = "RUN", conflicts_with = "retry")]
    pub cancel: Option<i64>,
    #[command(flatten)]
    pub console: ConsoleArgs,
}

/// One run, or all runs.
#[derive(Debug, Clone, Copy)]
pub struct RunOrAll(Option<i64>);

fn run_or_all(text: &str) -> Result<RunOrAll, String> {
    match text {
        "all" => Ok(RunOrAll(None)),
        number => number
            .parse()
            .map(|run| RunOrAll(Some(run)))
            .map_err(|_| "write the number of a run, or `all`".to_owned()),
    }
}

/// The escape sequence that clears a terminal and moves to its first line.
const CLEAR: &str = "\x1b[2J\x1b[H";

pub fn run(args: &StatusArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let head = if io::stdout().is_terminal() { CLEAR } else { "" };
    if let Some(path) = &args.page {
        let overwrite = Overwrite::forced(args.force);
        NamedFile { path, overwrite }.check("gainalyze status --page", shown::is_page)?;
    }
    event_loop()?.block_on(async {
        let access = if args.cancel.is_some() || args.retry.is_some() {
            ServerAccess::Work
        } else {
            ServerAccess::Read
        };
        let mut queue = Queue::connect(&args.server.address()?, access).await?;
        act(&mut queue, args, viewer).await?;
        if let Some(page) = &args.page {
            viewer.note(&format!("the queue as a page: {}", full_path(page)));
        }
        loop {
            let state = queue.state().await?;
            if let Some(page) = &args.page {
                let text = shown::page(&queue.describe(), &state).map_err(ReportError::from)?;
                write_named_file(page, |file| file.write_all(text.as_bytes()))?;
            }
            let told = if args.json {
                summary::to_json(&state).map_err(ReportError::from)?
            } else {
                shown::shown(&state, viewer.screen())
            };
            let Some(seconds) = args.watch else { return Ok(Finished::complete(told)) };
            // The reader may have gone. The next output then fails too.
            _ = print(&format!("{head}{told}"));
            tokio::time::sleep(Duration::from_secs(seconds.into())).await;
        }
    })
}

async fn act(queue: &mut Queue, args: &StatusArgs, viewer: &dyn Viewer) -> Result<()> {
    if let Some(RunOrAll(run)) = args.retry {
        let segments = queue.retry(run).await?;
        viewer.note(&format!("put back into the queue: {}", counted(segments, "segment")));
    }
    if let Some(run) = args.cancel {
        let segments = queue.cancel(run).await?;
        let none = || VerbError::new(format!("{}: the queue has no run {run}", queue.describe()));
        let segments = segments.ok_or_else(none)?;
        viewer.note(&format!(
            "run {run} was removed with {}; stored evaluations stay",
            counted(segments, "segment")
        ));
    }
    Ok(())
}
