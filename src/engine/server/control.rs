//! [`Control`]: signals from the reading thread to the searching thread.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::engine::chess_engine::SearchHooks;

/// The signals that a search has received since it began.
#[derive(Default)]
pub(crate) struct Control {
    state: Mutex<ControlState>,
    changed: Condvar,
}

#[derive(Default)]
struct ControlState {
    is_stopped: bool,
    /// Time of the `ponderhit`.
    hit_at: Option<Instant>,
}

impl Control {
    /// Requests the end of the search, and ends every wait for a stop.
    pub(crate) fn request_stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }

    /// Signals that the pondered move has just been played.
    pub(crate) fn ponder_hit(&self) {
        self.state().hit_at.get_or_insert_with(Instant::now);
        self.changed.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.state().is_stopped
    }

    pub(crate) fn hit_at(&self) -> Option<Instant> {
        self.state().hit_at
    }

    /// Waits until a stop is requested. With `or_hit`, the `ponderhit` ends the wait too.
    pub(crate) fn wait_for_stop(&self, or_hit: bool) {
        let goes_on = |state: &mut ControlState| !(state.is_stopped || or_hit && state.hit_at.is_some());
        drop(self.changed.wait_while(self.state(), goes_on).unwrap_or_else(PoisonError::into_inner));
    }

    fn state(&self) -> MutexGuard<'_, ControlState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SearchHooks for &Control {
    fn should_stop(&mut self, _: u64) -> bool {
        self.is_stopped()
    }
}
