//! Owns what the runs of several verbs share: who is shown a run, how it ends, and the reports and games that it makes.

pub mod games;
pub mod live_ranking;
pub mod panel;
pub mod rated_file;
pub mod report_folder;
pub mod report_target;
pub mod reporting;
pub mod shard;

use std::path::PathBuf;

pub use self::live_ranking::LiveRanking;
use crate::chess::text::first_named;
use crate::files::Published;
use crate::report::table::Screen;
use crate::verbs::{app::Observer, error::VerbError};

/// An [`Observer`] who is shown tables too.
pub trait Viewer: Observer {
    /// Returns what the tables at the end are shown on.
    fn screen(&self) -> Screen;

    /// Shows the ranking that `make` begins beside the progress of the searches to come. A viewer who sees no
    /// progress need not ask for it.
    fn rank(&mut self, make: &mut dyn FnMut() -> Option<LiveRanking>);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnding {
    Complete,
    /// The engine failed on some games; the tables are of the rest, or games were forfeited.
    GamesFailed,
    /// Numbers that should agree do not.
    Disagrees,
    /// Interrupted by the user, after what was in flight had been kept.
    Interrupted,
}

#[derive(Debug)]
pub struct Finished {
    /// Its tables, as the viewer's screen shows them.
    pub tables: String,
    pub ending: RunEnding,
    /// What could not be made beside the tables.
    pub failure: Option<VerbError>,
    /// Where the one report is of which the tables are a part; `None` where there are several, or none.
    pub report: Option<PathBuf>,
}

impl Finished {
    /// Returns a run in which nothing failed that is told at the end.
    pub fn new(tables: String, ending: RunEnding) -> Finished {
        Finished { tables, ending, failure: None, report: None }
    }

    pub fn complete(tables: String) -> Finished {
        Finished::new(tables, RunEnding::Complete)
    }
}

/// Says which files of earlier runs are gone because this one has none of their names: they may have been asked for.
pub fn say_removed(published: &Published, viewer: &dyn Viewer) {
    if !published.removed.is_empty() {
        let names = first_named(&published.removed, ", ");
        viewer.note(&format!("removed what an earlier run had written and this one does not: {names}"));
    }
}

#[cfg(test)]
pub mod tests {
    use std::io;

    use super::*;
    use crate::verbs::app::Interrupts;

    /// A viewer who looks away.
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
