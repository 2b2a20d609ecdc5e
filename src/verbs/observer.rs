//! [`Observer`]: receives reports of a run's progress, and passes on the user's request to stop.

use std::{io, sync::Arc, sync::Mutex, sync::PoisonError, sync::atomic::AtomicBool, sync::atomic::Ordering};

use tokio::{runtime::Runtime, sync::Notify};

use crate::base::{work, work::Stop};
use crate::chess::EvaluatedGame;
use crate::measure::{ArchiveProgress, Calibration};
use crate::store::{SearchNotice, SearchProgress};
use crate::verbs::error::{Result, VerbError};

/// A receiver of a run's reports. It also passes on the user's request to stop, because the run knows neither
/// signals nor users. The methods for progress do nothing by default.
pub trait Observer: Send {
    /// Receives a remark that needs no action.
    fn note(&self, text: &str);

    fn warn(&self, text: &str);

    /// Receives the calibration that rates the play of the games to come.
    fn rate_by(&mut self, _calibration: &Calibration) {}

    fn begin_search(&mut self, _what: &'static str, _progress: SearchProgress) {}

    fn advance_search(&mut self, _progress: SearchProgress) {}

    fn complete(&mut self, _game: &EvaluatedGame) {}

    /// Receives the progress of an archive's reading; [`Observer::finish`] ends it.
    fn advance_reading(&mut self, _progress: ArchiveProgress) {}

    /// Receives the beginning of play, with the scores so far.
    fn begin_games(&mut self, _games: Steps, _scores: &str) {}

    fn advance_games(&mut self, _games: Steps, _scores: &str) {}

    /// Receives the progress of a deep analysis and the findings at its root; [`Observer::finish`] ends it.
    fn advance_tree(&mut self, _searches: Steps, _told: &str) {}

    /// Receives the end of the work whose progress was reported.
    fn finish(&mut self) {}

    /// Returns the user's means to stop a search. `finishing` describes the work that remains after the first
    /// request.
    fn interrupts(&self, finishing: &'static str) -> io::Result<Interrupts>;
}

impl dyn Observer + '_ {
    /// Passes a notice of a search to the method that receives it.
    pub fn hear(&mut self, notice: &SearchNotice<'_>) {
        match notice {
            SearchNotice::Advanced(progress) => self.advance_search(*progress),
            SearchNotice::Completed(game) => self.complete(game),
            SearchNotice::Retried { game, attempt, error } => self.warn(&format!(
                "{}: the search failed (attempt {attempt}), so the engine is restarted: {error}",
                game.title()
            )),
            SearchNotice::Retired { error } => {
                self.warn(&format!(
                    "one engine process keeps failing, so the others take over its work: {error}"
                ));
            }
            SearchNotice::Failed { game, error } => {
                self.warn(&format!("left out: {}: the engine failed on this game: {error}", game.title()));
            }
        }
    }
}

/// Number of finished steps, and number of all steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    pub done: u64,
    /// Number of all steps, finished ones included.
    pub of: u64,
}

/// Two requests to stop, from the listener of the user's signals. The first ends a search after the segments
/// in flight, the second at once.
#[derive(Debug, Clone, Default)]
pub struct Interrupts {
    stop: Stop,
    twice: Arc<Notify>,
    searching: Arc<AtomicBool>,
    farewell: Arc<Mutex<Option<String>>>,
}

impl Interrupts {
    /// Returns the request to end after the segments in flight.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    pub async fn twice(&self) {
        self.twice.notified().await;
    }

    pub fn stop_at_once(&self) {
        self.twice.notify_one();
    }

    /// Sets the line that is shown when an interrupt ends the program.
    pub fn set_farewell(&self, line: String) {
        *self.farewell.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
    }

    pub fn farewell(&self) -> Option<String> {
        self.farewell.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Marks the beginning of a search that can be stopped without loss.
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

/// Returns the user's means to stop the search that begins now.
pub fn listen(observer: &dyn Observer, finishing: &'static str) -> Result<Interrupts> {
    let interrupts = observer.interrupts(finishing);
    let interrupts = interrupts.map_err(|error| VerbError::system("listen for Ctrl-C", error))?;
    interrupts.search_begins();
    Ok(interrupts)
}

pub fn event_loop() -> Result<Runtime> {
    work::event_loop().map_err(|error| VerbError::system("start the engines' event loop", error))
}
