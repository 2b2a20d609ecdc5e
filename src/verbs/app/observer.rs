//! Owns [`Observer`]: how a run tells what it does while it does it, and hears that the user wishes to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::{runtime::Runtime, sync::Notify};

use crate::chess::EvaluatedGame;
use crate::engine::{Stop, work};
use crate::measure::{ArchiveProgress, Calibration};
use crate::store::{SearchNotice, SearchProgress};
use crate::verbs::error::VerbError;

/// Hears what a run does. A run asks it too whether to stop: it knows of signals and users, the run does not.
/// Whoever shows no progress leaves the methods for it as they are.
pub trait Observer: Send {
    /// Hears a remark that nobody needs to act on.
    fn note(&self, text: &str);

    fn warn(&self, text: &str);

    /// Hears what the play of the games to come will be rated by.
    fn rate_by(&mut self, _calibration: &Calibration) {}

    fn begin_search(&mut self, _what: &'static str, _progress: SearchProgress) {}

    fn advance_search(&mut self, _progress: SearchProgress) {}

    /// Hears of a game that has all of its evaluations.
    fn complete(&mut self, _game: &EvaluatedGame) {}

    /// Hears how far the reading of an archive is; [`Observer::finish`] ends it.
    fn advance_reading(&mut self, _progress: ArchiveProgress) {}

    /// Hears that games begin to be played, with what has been scored so far.
    fn begin_games(&mut self, _games: Steps, _scores: &str) {}

    fn advance_games(&mut self, _games: Steps, _scores: &str) {}

    /// Hears how far the tree of a deep analysis is, and what is known of its root; [`Observer::finish`] ends it.
    fn advance_tree(&mut self, _searches: Steps, _told: &str) {}

    /// Hears that the search or the playing is over.
    fn finish(&mut self) {}

    /// Gives the way in which the user stops a search. `finishing` says what the first request to stop
    /// leaves to be done.
    fn interrupts(&self, finishing: &'static str) -> io::Result<Interrupts>;
}

impl dyn Observer + '_ {
    /// Hears what a search tells.
    pub fn hear(&mut self, notice: &SearchNotice<'_>) {
        match notice {
            SearchNotice::Advanced(progress) => self.advance_search(*progress),
            SearchNotice::Completed(game) => self.complete(game),
            SearchNotice::Retried { game, attempt, error } => self.warn(&format!(
                "{}: attempt {attempt} failed, and the engine is started again: {error}",
                game.title()
            )),
            SearchNotice::Retired { error } => {
                self.warn(&format!("an engine was given up, and the others take over its work: {error}"));
            }
            SearchNotice::Failed { game, error } => {
                self.warn(&format!("left out: {}: the engine failed on it: {error}", game.title()));
            }
        }
    }
}

/// How much is done of how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    pub done: u64,
    /// What there is to do, the done included.
    pub of: u64,
}

/// Two wishes to stop: the first ends a search after the segments in flight, the second at once. Whoever hears the
/// user makes them.
#[derive(Debug, Clone, Default)]
pub struct Interrupts {
    stop: Stop,
    twice: Arc<Notify>,
    searching: Arc<AtomicBool>,
}

impl Interrupts {
    /// Asks a search to end after the segments in flight.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Waits for the second wish.
    pub async fn twice(&self) {
        self.twice.notified().await;
    }

    /// Ends a search at once.
    pub fn stop_at_once(&self) {
        self.twice.notify_one();
    }

    /// Marks that a search is under way, which can end in good order.
    pub fn search_begins(&self) {
        self.searching.store(true, Ordering::Relaxed);
    }

    pub fn search_is_over(&self) {
        self.searching.store(false, Ordering::Relaxed);
    }

    pub fn is_searching(&self) -> bool {
        self.searching.load(Ordering::Relaxed)
    }
}

/// Returns the way in which a user stops the search that begins now.
pub fn listen(observer: &dyn Observer, finishing: &'static str) -> Result<Interrupts, VerbError> {
    let interrupts = observer.interrupts(finishing);
    let interrupts = interrupts.map_err(|error| VerbError::system("listen for Ctrl-C", error))?;
    interrupts.search_begins();
    Ok(interrupts)
}

/// Makes an event loop for engines on the thread that calls.
pub fn event_loop() -> Result<Runtime, VerbError> {
    work::event_loop().map_err(|error| VerbError::system("start the engines' event loop", error))
}
