//! The common part of several verbs' runs: the viewer, the ending, and the resulting reports and games.

pub mod live_ranking;
pub mod panel;
mod plan;
pub mod rated_file;
pub mod report_folder;
pub mod report_target;
pub mod reporting;
pub mod shard;

use std::path::PathBuf;

pub use self::live_ranking::LiveRanking;
pub use self::plan::{JudgeChoice, Plan};
use crate::base::{output::Published, text::first_named};
use crate::report::table::Screen;
use crate::verbs::{error::VerbError, observer::Observer};

/// An [`Observer`] with a screen for tables.
pub trait Viewer: Observer {
    fn screen(&self) -> Screen;

    /// Shows the ranking that `make` creates, next to the progress of the searches to come. A viewer that
    /// shows no progress need not call `make`.
    fn rank(&mut self, make: &mut dyn FnMut() -> Option<LiveRanking>);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnding {
    Complete,
    /// The engine failed on some games, which the tables leave out, or games were forfeited.
    GamesFailed,
    /// Numbers that should agree do not, or stored evaluations are damaged.
    Disagrees,
    /// The user interrupted the run. Finished work was kept, except searches with `--no-store`.
    Interrupted,
}

impl RunEnding {
    pub fn of(interrupted: bool, has_failed: bool) -> RunEnding {
        match (interrupted, has_failed) {
            (true, _) => RunEnding::Interrupted,
            (false, true) => RunEnding::GamesFailed,
            (false, false) => RunEnding::Complete,
        }
    }
}

#[derive(Debug)]
pub struct Finished {
    /// The tables for the viewer's screen.
    pub tables: String,
    pub ending: RunEnding,
    /// The failure that is reported after the tables are shown.
    pub failure: Option<VerbError>,
    /// The place of the report to which the tables belong; `None` if there are several reports, or none.
    pub report: Option<PathBuf>,
}

impl Finished {
    /// Returns a finished run without a failure and without a report.
    pub fn new(tables: String, ending: RunEnding) -> Finished {
        Finished { tables, ending, failure: None, report: None }
    }

    pub fn complete(tables: String) -> Finished {
        Finished::new(tables, RunEnding::Complete)
    }
}

/// Reports files of earlier runs that were removed because this run does not write them. The user may have
/// asked for them earlier.
pub fn report_removed(published: &Published, viewer: &dyn Viewer) {
    if !published.removed.is_empty() {
        let names = first_named(&published.removed, ", ");
        viewer.note(&format!("removed files of an earlier run that this run does not write: {names}"));
    }
}

#[cfg(test)]
pub mod tests {
    use std::io;

    use super::*;
    use crate::verbs::observer::Interrupts;

    /// A viewer that shows nothing.
    pub struct Nobody;

    impl Observer for Nobody {
        fn note(&self, _: &str) {}
        fn warn(&self, _: &str) {}

        fn interrupts(&self, _: &'static str) -> io::Result<Interrupts> {
            Ok(Interrupts::default())
        }
    }

    impl Viewer for Nobody {
        fn screen(&self) -> Screen {
            Screen::default()
        }

        fn rank(&mut self, _: &mut dyn FnMut() -> Option<LiveRanking>) {}
    }
}
