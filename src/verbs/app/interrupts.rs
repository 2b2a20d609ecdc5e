//! Owns the user's wish to stop, as a search sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::{runtime::Runtime, sync::Notify};

use crate::engine::{Stop, work};
use crate::verbs::error::VerbError;

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

    /// Marks that no search is under way any more.
    pub fn search_is_over(&self) {
        self.searching.store(false, Ordering::Relaxed);
    }

    /// Tells whether a search is under way.
    pub fn is_searching(&self) -> bool {
        self.searching.load(Ordering::Relaxed)
    }
}

/// Makes an event loop for engines on the thread that calls.
pub fn event_loop() -> Result<Runtime, VerbError> {
    work::event_loop().map_err(|error| VerbError::system("start the engines' event loop", error))
}
