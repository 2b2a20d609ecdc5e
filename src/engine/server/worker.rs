//! The searching thread, one for the whole dialogue, and [`Control`], its signals from the reading thread. A
//! thread per search would be slower: on a busy system, a new thread waits far longer than a thread that is
//! woken.

use std::{
    io, panic::AssertUnwindSafe, panic::catch_unwind, sync::Arc, sync::Condvar, sync::Mutex,
    sync::MutexGuard, sync::PoisonError, sync::mpsc, thread::Builder, thread::Scope, time::Instant,
};

use crate::engine::chess_engine::SearchHooks;

type ControlledWork<'scope> = dyn FnOnce(&Arc<Control>) + Send + 'scope;

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
