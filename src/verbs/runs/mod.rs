//! Owns what a plan becomes: a run reads, asks the systems, writes its files, and gives back its tables as text.
//! Nothing here prints, or knows how a user writes what a plan asks for.

mod engines;
mod events;
mod experiment;
mod games;
mod live_ranking;
mod origin;
mod other_run;
mod played_game;
mod rated_file;
mod report_target;
mod reporting;
mod sparring_moves;
mod viewer;

pub mod archive;
pub mod board_game;
pub mod calibrate;
pub mod deep;
pub mod deep_store;
pub mod expect;
pub mod go_deep;
pub mod learn;
pub mod profile;
#[cfg(feature = "postgres")]
pub mod queue_status;
pub mod rate;
pub mod remade;
pub mod round_robin;
pub mod selfplay;
pub mod sensitivity;
pub mod shard;
pub mod sparring;
pub mod stored;
pub mod tournament;
pub mod upkeep;
pub mod watch;
#[cfg(feature = "postgres")]
pub mod work;

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
    fn new(tables: String, ending: RunEnding) -> Finished {
        Finished { tables, ending, failure: None, report: None }
    }
}

/// Says which files of earlier runs are gone because this one has none of their names: they may have been asked for.
fn say_removed(published: &Published, viewer: &dyn Viewer) {
    if !published.removed.is_empty() {
        let names = first_named(&published.removed, ", ");
        viewer.note(&format!("removed what an earlier run had written and this one does not: {names}"));
    }
}
