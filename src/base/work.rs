//! Shared parts of long parallel work: the event loop, the number of attempts, thread limits, and the stop
//! flag.

#[cfg(feature = "native")]
use std::{io, thread, thread::JoinHandle};
use std::{num::NonZeroUsize, sync::Arc, sync::atomic::AtomicBool, sync::atomic::Ordering};
#[cfg(feature = "program")]
use std::{panic, panic::PanicHookInfo};

#[cfg(feature = "native")]
use tokio::runtime::{Builder, Runtime};

#[cfg(feature = "program")]
use crate::base::variable::{VariableError, number};

/// Number of attempts for a task.
pub const ATTEMPTS: u32 = 3;

/// Maximum number of threads or processes per core. The limit is high because processes mostly wait if their
/// engines run on other machines.
const FOR_EACH_CORE: usize = 16;

/// A number of threads or processes that is allowed on every machine.
const ALWAYS_ALLOWED: usize = 256;

/// Returns the number of cores of this machine.
pub fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Returns the largest number of threads or processes allowed on this machine.
pub fn most_jobs() -> usize {
    ALWAYS_ALLOWED.max(FOR_EACH_CORE.saturating_mul(cores().get()))
}

/// Limits rayon's threads to [`most_jobs`] if the environment variable `RAYON_NUM_THREADS` asks for more. An
/// error if the variable is not a number.
#[cfg(feature = "program")]
pub fn bound_threads() -> Result<(), VariableError> {
    if number("RAYON_NUM_THREADS", "threads")?.is_some_and(|asked| asked as usize > most_jobs()) {
        // This fails if threads have already been started, which is not the case so early in the program.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(most_jobs()).build_global();
    }
    Ok(())
}

/// The message that the system has no further thread.
#[cfg(feature = "native")]
const NO_THREAD: &str = "no further thread can be started: the memory (ulimit -v) or the number of processes (ulimit -u) is too small";

/// Starts a thread. The error says that the system has no further thread.
#[cfg(feature = "native")]
pub fn start<T: Send + 'static>(
    name: &str,
    body: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(body)
        .map_err(|error| io::Error::new(error.kind(), NO_THREAD))
}

/// Returns the message of a panic by which the standard library, rayon or tokio say that a limit of the system
/// is too small; `None` for other panics.
#[cfg(feature = "program")]
pub fn limit_of(panic: &PanicHookInfo<'_>) -> Option<&'static str> {
    const NO_FILE: &str = "too many files are open: the limit (ulimit -n) is too small";
    const WORDS: [(&str, &str); 5] = [
        ("failed to spawn thread", NO_THREAD),
        ("ThreadPoolBuildError", NO_THREAD),
        ("alternative stack", NO_THREAD),
        ("can't spawn worker thread", NO_THREAD),
        ("failed to create UnixStream", NO_FILE),
    ];
    let told = panic.to_string();
    WORDS.into_iter().find(|(words, _)| told.contains(words)).map(|(_, limit)| limit)
}

/// Ends the program with an error, which `tell` prints, instead of a panic, if a limit of the system is too small.
#[cfg(feature = "program")]
pub fn end_at_limits(tell: fn(&str)) {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if let Some(limit) = limit_of(panic) {
            tell(limit);
            std::process::exit(1);
        }
        usual(panic);
    }));
}

/// Makes the event loop in which one thread waits for many engines.
#[cfg(feature = "native")]
pub fn event_loop() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// A flag that asks workers to finish work in progress and to begin no more. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Requests the stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the stop was requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
