//! Handling of Ctrl-C and of requests to terminate.

use std::{io, process, sync::OnceLock, thread, time::Duration};

use tokio::time::timeout;

use crate::base::work::start;
use crate::verbs::{console::say, observer::Interrupts};

/// Time that the program waits for the segments in flight after the first interrupt. It is limited, because
/// an engine may never end its search and a scheduler may send its signal only once.
const FIRST_GRACE: Duration = Duration::from_secs(5);

/// Time for the engines to end before the process exits, after a second interrupt or after [`FIRST_GRACE`].
const GRACE: Duration = Duration::from_secs(2);

/// The shell's exit code of a program ended by Ctrl-C: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// The only listener of the program. A second listener would end the program at a signal that the first
/// listener takes as a request to stop.
static LISTENER: OnceLock<Interrupts> = OnceLock::new();

/// Listens for interrupts on a separate thread, so that no other work delays them.
///
/// During a search, the first interrupt lets the segments in flight finish, but waits for them at most
/// [`FIRST_GRACE`]. The second interrupt ends the search at once. Outside of a search, the first interrupt
/// ends the program; no file is left half written.
///
/// `finishing` describes the work that remains after the first interrupt. Later calls use the text of the
/// first call.
pub fn interrupts(finishing: &'static str) -> io::Result<Interrupts> {
    match LISTENER.get() {
        Some(interrupts) => Ok(interrupts.clone()),
        None => {
            let begun = listen(finishing)?;
            Ok(LISTENER.get_or_init(|| begun).clone())
        }
    }
}

fn listen(finishing: &'static str) -> io::Result<Interrupts> {
    let interrupts = Interrupts::default();
    let heard = interrupts.clone();
    let runtime = crate::base::work::event_loop()?;
    start("interrupts", move || runtime.block_on(hear(heard, finishing)))?;
    Ok(interrupts)
}

async fn hear(interrupts: Interrupts, finishing: &str) {
    interrupt().await;
    if interrupts.is_searching() {
        interrupts.stop().request();
        let seconds = FIRST_GRACE.as_secs();
        say(&format!(
            "\nstopping: {finishing}; the program ends within about {seconds} s (press Ctrl-C again to stop at once)"
        ));
        // Waits for the timeout or for a second interrupt.
        let _ = timeout(FIRST_GRACE, interrupt()).await;
        interrupts.stop_at_once();
        thread::sleep(GRACE);
    }
    if let Some(line) = interrupts.farewell() {
        say(&format!("\n{line}"));
    }
    process::exit(INTERRUPTED);
}

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
        // The system gives no signals, so no interrupt ever comes.
        std::future::pending::<()>().await;
    }
}
