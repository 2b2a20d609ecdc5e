//! Owns what Ctrl-C does, and a polite request to end.

use std::{
    process,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use tokio::sync::Notify;

use super::{CmdError, say};
use crate::work::Stop;

/// How long the engines have to be ended after a second interrupt, before the process is.
const GRACE: Duration = Duration::from_secs(2);

/// The exit code that a shell gives to a program that Ctrl-C ended: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// Listens for interrupts on a thread of its own, so that they are heard whatever the program is
/// doing. The first ends a search after the segments in flight, the second at once; outside of a
/// search the first ends the program, which leaves no file half written.
#[derive(Debug, Clone, Default)]
pub struct Interrupts {
    stop: Stop,
    twice: Arc<Notify>,
    searching: Arc<AtomicBool>,
}

/// The one listener of the program: a second would end it at the signal that the first takes for a
/// polite one.
static LISTENER: OnceLock<Interrupts> = OnceLock::new();

impl Interrupts {
    /// Listens from the start of a search; `finishing` says what the first interrupt leaves to be
    /// done, here and in every later search of the program.
    pub fn listen(finishing: &'static str) -> Result<Interrupts, CmdError> {
        let interrupts = match LISTENER.get() {
            Some(interrupts) => interrupts.clone(),
            None => {
                let begun = Interrupts::begin(finishing)?;
                LISTENER.get_or_init(|| begun).clone()
            }
        };
        interrupts.searching.store(true, Ordering::Relaxed);
        Ok(interrupts)
    }

    fn begin(finishing: &'static str) -> Result<Interrupts, CmdError> {
        let interrupts = Interrupts::default();
        let listener = interrupts.clone();
        let failed = |error| CmdError::System("listen for Ctrl-C", error);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        thread::Builder::new()
            .name("interrupts".to_owned())
            .spawn(move || runtime.block_on(listener.hear(finishing)))
            .map_err(failed)?;
        Ok(interrupts)
    }

    /// Asks the search to end after the segments in flight.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Waits for the second interrupt.
    pub async fn twice(&self) {
        self.twice.notified().await;
    }

    /// From now on an interrupt ends the program.
    pub fn search_is_over(&self) {
        self.searching.store(false, Ordering::Relaxed);
    }

    async fn hear(self, finishing: &str) {
        interrupt().await;
        if self.searching.load(Ordering::Relaxed) {
            self.stop.request();
            say(&format!("\nstopping: {finishing} (once more to stop at once)"));
            interrupt().await;
            self.twice.notify_one();
            thread::sleep(GRACE);
        }
        process::exit(INTERRUPTED);
    }
}

/// Waits for Ctrl-C, or for a polite request to end.
async fn interrupt() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        // No signal can be listened for: nobody will ever interrupt.
        std::future::pending::<()>().await;
    }
}
