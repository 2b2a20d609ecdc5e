//! Owns the options of `watch`.

use std::{path::Path, time::Duration};

use clap::Args;

use super::AnalyzeArgs;
use crate::verbs::app::plan::{Plan, ReadingPlan, WatchPlan};
use crate::verbs::args::ReportArgs;

/// Options of `watch`.
#[derive(Debug, Clone, Args)]
pub struct WatchArgs {
    /// Look at the files this often, and let the page reload itself as often.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub interval: u32,
    /// End once every game has a result.
    #[arg(long)]
    pub until_done: bool,
    /// What is done each time that the files have changed.
    #[command(flatten)]
    pub analyze: AnalyzeArgs,
}

const STANDARD_INPUT: &str = "standard input cannot be read again: watch a file or a folder";

const ONE_ENGINE: &str = "a page that is written again and again is by one judge: give --engine once";

impl WatchArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<WatchPlan, String> {
        let plan = self.analyze.plan()?;
        if plan.files.iter().any(|path| path == Path::new("-")) {
            return Err(STANDARD_INPUT.to_owned());
        }
        if plan.engines.len() > 1 {
            return Err(ONE_ENGINE.to_owned());
        }
        let mut selection = plan.reading.selection.clone();
        selection.growing = true;
        let plan = Plan {
            reading: ReadingPlan { selection, ..plan.reading },
            report: ReportArgs { reload: Some(self.interval), ..plan.report },
            ..plan
        };
        let interval = Duration::from_secs(self.interval.into());
        Ok(WatchPlan { plan, interval, until_done: self.until_done })
    }
}
