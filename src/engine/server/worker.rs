//! The searching thread, one for the whole dialogue. A thread per search would be slower: on a busy system, a
//! new thread waits far longer than a thread that is woken.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, mpsc},
    thread::{Builder, Scope},
};

use super::control::Control;

/// Work that watches its control.
type ControlledWork<'scope> = dyn FnOnce(&Arc<Control>) + Send + 'scope;

/// A job of the thread, with its control.
struct ThreadJob<'scope> {
    work: Box<ControlledWork<'scope>>,
    control: Arc<Control>,
    done: mpsc::Sender<()>,
}

/// The reading thread's handle to the searching thread, which ends when the handle is dropped.
pub(super) struct ServerThread<'scope> {
    jobs: mpsc::Sender<ThreadJob<'scope>>,
}

/// Work in progress.
pub(super) struct Running {
    control: Arc<Control>,
    done: mpsc::Receiver<()>,
}

impl<'scope> ServerThread<'scope> {
    /// Starts the thread. Fails if the system has no thread left.
    pub(super) fn start(scope: &'scope Scope<'scope, '_>) -> io::Result<ServerThread<'scope>> {
        let (jobs, received) = mpsc::channel::<ThreadJob<'scope>>();
        let search = move || {
            for ThreadJob { work, control, done } in received {
                // A panic shows as work that never reports its end. After the dialogue, nothing waits for it.
                if catch_unwind(AssertUnwindSafe(|| work(&control))).is_ok() {
                    let _ = done.send(());
                }
            }
        };
        Builder::new().name("search".to_owned()).spawn_scoped(scope, search)?;
        Ok(ServerThread { jobs })
    }

    /// Gives the thread work; earlier work must have ended.
    pub(super) fn begin(&self, work: impl FnOnce(&Arc<Control>) + Send + 'scope) -> io::Result<Running> {
        let control = Arc::new(Control::default());
        let (done, ended) = mpsc::channel();
        let job = ThreadJob { work: Box::new(work), control: control.clone(), done };
        self.jobs.send(job).map_err(|_| failed())?;
        Ok(Running { control, done: ended })
    }
}

impl Running {
    /// Returns the control of the work.
    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    /// Stops the work and waits for its end. Returns an error if the work has failed.
    pub(super) fn end(self) -> io::Result<()> {
        self.control.request_stop();
        self.done.recv().map_err(|_| failed())
    }
}

fn failed() -> io::Error {
    io::Error::other("the search has failed")
}
