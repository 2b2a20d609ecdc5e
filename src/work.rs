//! Owns what the long work of many workers has in common: the loop that they wait in, how often a task is
//! tried, and how all of them are asked to end.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::runtime::{Builder, Runtime};

/// How often a task is tried.
pub const ATTEMPTS: u32 = 3;

/// Makes the loop in which one thread waits for many engines.
pub fn event_loop() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

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
