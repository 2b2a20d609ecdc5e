//! Owns what the runs of several verbs share: how a run ends, and the reports and games that it makes.

pub mod engines;
pub mod events;
pub mod games;
pub mod live_ranking;
pub mod origin;
pub mod rated_file;
pub mod report_target;
pub mod reporting;
pub mod shard;
pub mod viewer;

use std::path::PathBuf;

pub use self::{live_ranking::LiveRanking, viewer::Viewer};
use crate::chess::text::first_named;
use crate::files::Published;
use crate::verbs::error::VerbError;

/// How a run ended that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnding {
    /// All went well.
    Complete,
    /// The engine failed on some games; the tables are of the rest, or games were forfeited.
    GamesFailed,
    /// Numbers that should agree do not.
    Disagrees,
    /// Interrupted by the user, after what was in flight had been kept.
    Interrupted,
}

/// What a run leaves to be shown at its end.
#[derive(Debug)]
pub struct Finished {
    /// Its tables, as the viewer's screen shows them.
    pub tables: String,
    /// How it ended.
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

    /// Returns a run in which all went well.
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
