//! Owns the thread that searches: one for the whole dialogue, since a busy system lets a new thread wait far longer than one
//! that is woken.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread::{Builder, Scope},
};

use super::control::Control;

/// Work that hears of what happens meanwhile.
type ControlledWork<'scope> = dyn FnOnce(&Arc<Control>) + Send + 'scope;

/// What the thread is to do, and how it hears of what happens meanwhile.
struct ThreadJob<'scope> {
    work: Box<ControlledWork<'scope>>,
    control: Arc<Control>,
    done: mpsc::Sender<()>,
}

/// The thread as seen by the one that reads; it ends when this is dropped.
pub(super) struct ServerThread<'scope> {
    jobs: mpsc::Sender<ThreadJob<'scope>>,
}

/// Work that has been begun.
pub(super) struct Running {
    control: Arc<Control>,
    done: mpsc::Receiver<()>,
}

impl<'scope> ServerThread<'scope> {
    /// Starts the thread; an error where the system has none.
    pub(super) fn start(scope: &'scope Scope<'scope, '_>) -> io::Result<ServerThread<'scope>> {
        let (jobs, received) = mpsc::channel::<ThreadJob<'scope>>();
        let search = move || {
            for ThreadJob { work, control, done } in received {
                // What fails is heard of as work that never says it is done. Nobody waits where the dialogue has ended.
                if catch_unwind(AssertUnwindSafe(|| work(&control))).is_ok() {
                    let _ = done.send(());
                }
            }
        };
        Builder::new().name("search".to_owned()).spawn_scoped(scope, search)?;
        Ok(ServerThread { jobs })
    }

    /// Gives the thread work; what it had before must have ended.
    pub(super) fn begin(&self, work: impl FnOnce(&Arc<Control>) + Send + 'scope) -> io::Result<Running> {
        let control = Arc::new(Control::default());
        let (done, ended) = mpsc::channel();
        let job = ThreadJob { work: Box::new(work), control: control.clone(), done };
        self.jobs.send(job).map_err(|_| failed())?;
        Ok(Running { control, done: ended })
    }
}

impl Running {
    /// Returns what the thread is told by.
    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    /// Stops the work and waits for its end; an error if it has failed.
    pub(super) fn end(self) -> io::Result<()> {
        self.control.request_stop();
        self.done.recv().map_err(|_| failed())
    }
}

fn failed() -> io::Error {
    io::Error::other("the search has failed")
}
