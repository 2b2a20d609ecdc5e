//! Owns what Ctrl-C does, and a polite request to end.

use std::{io, process, sync::OnceLock, thread, time::Duration};

use tokio::time::timeout;

use crate::verbs::{app::Interrupts, console::say};

/// How long the first interrupt waits for what is in flight: an engine may never end its search, and who asks politely may
/// not ask twice.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long the engines have to be ended after a second interrupt, before the process is.
const GRACE: Duration = Duration::from_secs(2);

/// The exit code that a shell gives to a program that Ctrl-C ended: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// The one listener of the program: a second would end it at the signal that the first takes for a
/// polite one.
static LISTENER: OnceLock<Interrupts> = OnceLock::new();

/// Listens for interrupts on a thread of its own, so that they are heard whatever the program is
/// doing. The first ends a search after the segments in flight or after [`PATIENCE`], the second at once; outside of a
/// search the first ends the program, which leaves no file half written.
///
/// `finishing` says what the first interrupt leaves to be done, here and in every later search of the program.
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
    let runtime = crate::engine::work::event_loop()?;
    thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(move || runtime.block_on(hear(heard, finishing)))?;
    Ok(interrupts)
}

async fn hear(interrupts: Interrupts, finishing: &str) {
    interrupt().await;
    if interrupts.is_searching() {
        interrupts.stop().request();
        let seconds = PATIENCE.as_secs();
        say(&format!("\nstopping: {finishing}, within {seconds} s (press Ctrl-C again to stop at once)"));
        // Whichever comes first.
        let _ = timeout(PATIENCE, interrupt()).await;
        interrupts.stop_at_once();
        thread::sleep(GRACE);
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
        // No signal can be listened for: nobody will ever interrupt.
        std::future::pending::<()>().await;
    }
}
