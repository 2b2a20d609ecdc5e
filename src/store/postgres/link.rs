//! [`Link`]: a store's connection on its own thread. It keeps results while the connection is lost.

use std::{
    collections::VecDeque, sync::mpsc, sync::mpsc::Receiver, sync::mpsc::RecvTimeoutError,
    sync::mpsc::Sender, thread, thread::JoinHandle, time::Duration, time::Instant,
};
#[cfg(feature = "program")]
use std::{ffi::OsStr, fs, path::Path};

use tokio::runtime::Runtime;
use tokio_postgres::Client;

use super::{
    super::{EvaluationStore, Origin, StoreError, sealed::StoredSegment, sqlite::SqliteStore},
    writing,
};
#[cfg(feature = "program")]
use crate::base::text::shown_path;
use crate::base::{text::counted, text::with_causes, variable::number, work, work::start};
use crate::chess::{PlyEvaluation, Segment};
use crate::store::server::{Address, Connection, PostgresError, Result, ServerAccess};
use crate::store::{waiting, waiting::Pause};

/// Time to wait for a server that cannot be reached, unless a variable of [`TIMEOUT_VARIABLES`] is set.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The environment variables that replace [`TIMEOUT`], in seconds: the current name, then the older name.
const TIMEOUT_VARIABLES: [&str; 2] = ["GAINALYZE_SERVER_TIMEOUT", "GAINALYZE_SERVER_PATIENCE"];

/// The beginning of the names of files with unsent evaluations, which are in the current folder.
const HEAD: &str = "unsent-evaluations-";
const TAIL: &str = ".sqlite";

#[derive(Debug, Clone)]
pub(super) struct FinishedSegment {
    pub origin: Origin,
    pub segment: Segment,
    pub evaluations: Vec<PlyEvaluation>,
}

/// Work on a connection. It may be repeated on another connection.
pub(super) trait Work<T>: AsyncFn(&mut Client) -> Result<T, tokio_postgres::Error> {}

impl<T, W: AsyncFn(&mut Client) -> Result<T, tokio_postgres::Error>> Work<T> for W {}

type Job = Box<dyn FnOnce(&mut Link) + Send>;

/// A thread with a connection and its event loop. The connection needs its own thread, because the program's
/// event loop cannot wait for another event loop on the same thread.
#[derive(Debug)]
pub(super) struct LinkThread {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl LinkThread {
    pub fn start(address: Address, access: ServerAccess) -> Result<LinkThread, StoreError> {
        let (jobs, heard) = mpsc::channel::<Job>();
        let (tell, told) = mpsc::channel();
        let name = address.to_string();
        let body = move || match Link::open(address, access) {
            Ok(link) => {
                _ = tell.send(Ok(()));
                link.serve(&heard);
            }
            Err(error) => _ = tell.send(Err(error)),
        };
        let thread = start("postgres", body).map_err(|source| unusable(name.clone(), source))?;
        match told.recv() {
            Ok(opened) => opened.map(|()| LinkThread { jobs: Some(jobs), thread: Some(thread) }),
            Err(_) => Err(StoreError::Ended(name)),
        }
    }

    pub fn call<T: Send + 'static>(
        &self,
        store: &str,
        job: impl FnOnce(&mut Link) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (tell, told) = mpsc::channel();
        let job: Job = Box::new(move |link| _ = tell.send(job(link)));
        let ended = || StoreError::Ended(store.to_owned());
        self.jobs.as_ref().ok_or_else(ended)?.send(job).map_err(|_| ended())?;
        told.recv().map_err(|_| ended())?
    }
}

impl Drop for LinkThread {
    fn drop(&mut self) {
        drop(self.jobs.take());
        // Waits until all results are stored on the server or kept in a file.
        _ = self.thread.take().map(JoinHandle::join);
    }
}

/// A connection that is restored when lost, and the results that wait for it.
pub(super) struct Link {
    runtime: Runtime,
    address: Address,
    access: ServerAccess,
    connection: Option<Connection>,
    unsent: VecDeque<FinishedSegment>,
    /// A file with the unsent results, until they are stored.
    kept: Option<SqliteStore>,
    /// True if the file `kept` cannot be written, so that unsent results are only in memory.
    is_unkept: bool,
    pause: Pause,
    due: Instant,
    timeout: Duration,
}

impl Link {
    fn open(address: Address, access: ServerAccess) -> Result<Link, StoreError> {
        let timeout = server_timeout()?;
        let runtime = work::event_loop().map_err(|source| unusable(address.to_string(), source))?;
        let connection = Some(runtime.block_on(Connection::open(&address, access))?);
        let (unsent, kept, is_unkept) = (VecDeque::new(), None, false);
        let (pause, due) = (Pause::default(), Instant::now());
        Ok(Link { runtime, address, access, connection, unsent, kept, is_unkept, pause, due, timeout })
    }

    /// Does jobs in order. Between jobs, it stores results that could not be stored before. After the last
    /// job, it tries to store the remaining results, up to the time limit.
    fn serve(mut self, jobs: &Receiver<Job>) {
        loop {
            let next = match self.unsent.is_empty() {
                true => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                false => jobs.recv_timeout(self.due.saturating_duration_since(Instant::now())),
            };
            match next {
                Ok(job) => job(&mut self),
                Err(RecvTimeoutError::Timeout) => self.try_to_send(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let deadline = Instant::now() + self.timeout;
        while !self.unsent.is_empty() && Instant::now() < deadline {
            thread::sleep(self.due.min(deadline).saturating_duration_since(Instant::now()));
            self.try_to_send();
        }
        if !self.unsent.is_empty() {
            self.report_kept();
        }
    }

    /// Runs `work` on a connection. If the connection is lost, `work` is repeated on a new one after
    /// increasing pauses, up to the time limit.
    pub fn ask<T>(&mut self, work: &impl Work<T>) -> Result<T, StoreError> {
        let deadline = Instant::now() + self.timeout;
        loop {
            match self.attempt(work) {
                Err(error) if error.is_transient() && Instant::now() < deadline => {
                    let pause = self.lose(&error);
                    thread::sleep(pause);
                }
                other => return Ok(other?),
            }
        }
    }

    /// Runs `work` once. Returns `None` if the connection is lost, or if the pause before the next attempt to
    /// connect is not over.
    pub fn ask_if_there<T>(&mut self, work: &impl Work<T>) -> Result<Option<T>, StoreError> {
        if self.connection.is_none() && Instant::now() < self.due {
            return Ok(None);
        }
        match self.attempt(work) {
            Err(error) if error.is_transient() => {
                self.lose(&error);
                Ok(None)
            }
            other => Ok(Some(other?)),
        }
    }

    /// Runs `work` once, on the open connection or, if none is open, on a new one.
    pub fn attempt<T>(&mut self, work: &impl Work<T>) -> Result<T> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.runtime.block_on(Connection::open(&self.address, self.access))?,
        };
        let done = self.runtime.block_on(work(&mut connection.client));
        match done {
            Ok(value) => {
                self.connection = Some(connection);
                if self.pause.tries() > 0 {
                    waiting::tell(&format!("{}: connected again", self.address));
                    self.pause = Pause::default();
                }
                Ok(value)
            }
            Err(error) => {
                let error = PostgresError::of_query(&self.address.to_string(), &error);
                if !error.is_transient() {
                    self.connection = Some(connection);
                }
                Err(error)
            }
        }
    }

    /// Reports the loss of the connection, and returns the pause before the next attempt.
    fn lose(&mut self, error: &PostgresError) -> Duration {
        let pause = self.pause.lengthen();
        self.due = Instant::now() + pause;
        waiting::tell(&format!("{error}; trying again in {:.1} s", pause.as_secs_f64()));
        pause
    }

    /// Stores a finished segment, or keeps it until the connection is restored.
    pub fn store(&mut self, finished: FinishedSegment) -> Result<(), StoreError> {
        if !self.unsent.is_empty() {
            self.keep(finished);
            if Instant::now() >= self.due {
                self.try_to_send();
            }
            return Ok(());
        }
        match self.attempt(&writing(&finished)) {
            Err(error) if error.is_transient() => {
                self.lose(&error);
                self.keep(finished);
                Ok(())
            }
            other => Ok(other?),
        }
    }

    /// Keeps a segment in memory and, if possible, in a file. If this run is killed, the file can be merged.
    fn keep(&mut self, finished: FinishedSegment) {
        if let Err(error) = self.keep_in_file(&finished) {
            waiting::tell(&format!(
                "{}; results stay in memory until the server answers",
                with_causes(&error)
            ));
            self.is_unkept = true;
        }
        self.unsent.push_back(finished);
    }

    fn keep_in_file(&mut self, finished: &FinishedSegment) -> Result<(), StoreError> {
        if self.is_unkept {
            return Ok(());
        }
        let kept = match self.kept.take() {
            Some(kept) => kept,
            None => new_file()?,
        };
        self.kept.insert(kept).put(&finished.origin, &finished.segment, &finished.evaluations)
    }

    /// Tries to store the kept results, until all are stored or an attempt fails.
    fn try_to_send(&mut self) {
        while let Some(finished) = self.unsent.front() {
            match self.attempt(&writing(finished)) {
                Ok(()) => _ = self.unsent.pop_front(),
                Err(error) => {
                    self.lose(&error);
                    return;
                }
            }
        }
        if let Some(kept) = self.kept.take() {
            kept.remove();
        }
    }

    fn report_kept(&self) {
        let (segments, server) = (counted(self.unsent.len() as u64, "segment"), &self.address);
        waiting::tell(&match &self.kept {
            Some(kept) if !self.is_unkept => {
                let file = kept.describe();
                format!(
                    "{server}: {segments} of evaluations could not be stored. They are in {file}; {}",
                    adding(&file)
                )
            }
            _ => format!(
                "{server}: {segments} of evaluations could not be stored; the next run searches them again"
            ),
        });
    }
}

fn unusable(store: String, source: std::io::Error) -> StoreError {
    StoreError::Unusable(store, source.into())
}

fn server_timeout() -> Result<Duration> {
    let told = TIMEOUT_VARIABLES.into_iter().find_map(|name| number(name, "seconds").transpose());
    Ok(told.transpose()?.map_or(TIMEOUT, |seconds| Duration::from_secs(seconds.into())))
}

fn writing(finished: &FinishedSegment) -> impl Work<()> + use<> {
    let segment = StoredSegment::of(&finished.origin, &finished.segment, &finished.evaluations);
    async move |client: &mut Client| writing::write(client, &segment).await
}

/// Creates a new file with a random name. A process number in the name would not be unique: in containers it
/// is often 1.
fn new_file() -> Result<SqliteStore, StoreError> {
    let named = tempfile::Builder::new().prefix(HEAD).suffix(TAIL).rand_bytes(12).tempfile_in(".");
    let made = named.and_then(|file| file.into_temp_path().keep().map_err(|error| error.error));
    SqliteStore::open(&made.map_err(|source| unusable(format!("{HEAD}…{TAIL}"), source))?)
}

/// Returns the instruction for adding a file's evaluations to a server.
fn adding(file: &str) -> String {
    format!("`gainalyze store merge ADDRESS {file}` adds them")
}

/// Returns a message on the files that earlier runs left in the current folder, with the command that sends
/// them; `None` if there are none.
#[cfg(feature = "program")]
pub(crate) fn offer() -> Option<String> {
    let is_one =
        |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with(HEAD) && name.ends_with(TAIL));
    let entries = fs::read_dir(".").ok()?.flatten().map(|entry| entry.file_name());
    let mut files: Vec<String> =
        entries.filter(|name| is_one(name)).map(|name| shown_path(Path::new(&name))).collect();
    files.sort();
    let files = Some(files.join(" ")).filter(|files| !files.is_empty())?;
    Some(format!(
        "an earlier run could not store some of its evaluations; {}. Then remove the files",
        adding(&files)
    ))
}
