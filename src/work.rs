//! Owns what the long work of many workers has in common: how often a task is tried, and how all of them are
//! asked to end.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// How often a task is tried.
pub const ATTEMPTS: u32 = 3;

/// Asks workers to finish what is in flight and to begin nothing more. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Begins nothing more.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Tells whether it was asked for.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
