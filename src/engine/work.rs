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

/// Threads or processes for each core that are the most to be asked for: engines on other machines wait more than they work.
const FOR_EACH_CORE: usize = 16;

/// As many may be asked for on every machine.
const ALWAYS_ALLOWED: usize = 256;

/// Returns the cores of this machine.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the most threads or processes at a time that this machine can be asked for.
pub fn most_jobs() -> usize {
    ALWAYS_ALLOWED.max(FOR_EACH_CORE.saturating_mul(cores()))
}

/// Keeps the variable by which rayon is told its number of threads from asking for more than that.
pub fn bound_threads() {
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|asked| asked.trim().parse::<usize>().ok());
    if let Some(asked) = asked.filter(|&asked| asked > most_jobs()) {
        // It fails where threads have been started already, which is not so late in the program's life.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(asked.min(most_jobs())).build_global();
    }
}

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
