//! [`EngineProcess`]: an engine as a child process. Only this file starts engine processes.

use std::{
    path::Path, path::PathBuf, process::Stdio, sync::Arc, sync::Mutex, sync::OnceLock, time::Duration,
};

use shakmaty::CastlingMode;
use tokio::{
    io::BufReader, process::Child, process::ChildStderr, process::ChildStdin, process::ChildStdout,
    process::Command, sync::Semaphore, task::JoinHandle, time::timeout,
};

use super::{
    line::read_line,
    locate::is_node_script,
    session::{EngineIdentity, Session, SessionError, Setup},
};
use crate::base::{digest::file_digest, text::full_path, text::has_words, text::with_causes, work::cores};
use crate::chess::{
    ChosenMove, Evaluation, Evaluator, GameSoFar, MoveLimit, Player, Protocol, Ranker, RankingLimits,
    Segment, SegmentResult,
};

/// Time limit for an engine to exit after `quit`.
const FAREWELL: Duration = Duration::from_secs(2);

/// The reason why an engine process cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    #[error("engine {} cannot be started: {problem}", full_path(path))]
    Start { path: PathBuf, problem: String },
    #[error("engine {}{}", full_path(path), last_words(words))]
    Dialogue {
        path: PathBuf,
        source: SessionError,
        /// The engine's last line on standard error. If there is no such line and the engine exited, its last
        /// remarks (`info string`).
        words: Option<String>,
    },
    /// The engine or its options changed since the beginning of the run.
    #[error(
        "engine {} changed during the run: it was {was:?} and is now {now:?}, or its options changed",
        full_path(path)
    )]
    Changed {
        path: PathBuf,
        /// The engine's name at the beginning of the run.
        was: String,
        /// The engine's name now.
        now: String,
    },
    #[error("engine {} cannot be read", full_path(path))]
    Read { path: PathBuf, source: std::io::Error },
}

fn start_problem(path: &Path, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound if path.file_name() == Some(path.as_os_str()) => {
            "no program of this name is on PATH or in this folder; install the engine, or give the path of the engine".to_owned()
        }
        std::io::ErrorKind::NotFound if is_node_script(path) && path.is_file() => {
            "it is a script for node, which is not on PATH; install Node.js".to_owned()
        }
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => {
            "it is not an executable file (on Linux and macOS, chmod +x makes it one)".to_owned()
        }
        _ => with_causes(error),
    }
}

fn last_words(words: &Option<String>) -> String {
    words.as_ref().map(|words| format!(" (last output: {words:?})")).unwrap_or_default()
}

/// An engine that can be started any number of times.
#[derive(Debug, Clone)]
pub struct ProcessCommand {
    /// The executable.
    pub path: PathBuf,
    /// The engine's options and time limits.
    pub setup: Setup,
}

impl ProcessCommand {
    /// Starts a process, completes the handshake and sets the options.
    pub async fn start(&self) -> Result<EngineProcess, ProcessError> {
        // Held until the engine is ready: if a hundred engines loaded their networks at once, all would be
        // too late.
        let _turn = starting().acquire().await;
        let start_error = |problem| ProcessError::Start { path: self.path.clone(), problem };
        let mut child = spawn(&self.path).map_err(|error| start_error(start_problem(&self.path, &error)))?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(start_error("the system gave no access to the engine's input and output".to_owned()));
        };
        let guard = Guard::over(&child);
        let mut words = LastErrorLine::listen(stderr);
        match Session::start(BufReader::new(stdout), stdin, &self.setup).await {
            Ok(session) => {
                Ok(EngineProcess { path: self.path.clone(), session, child, words, _guard: guard })
            }
            Err(source) => Err(dialogue_error(&self.path, source, &mut child, &mut words).await),
        }
    }

    /// Starts a process, and checks that its name and options equal `identity`, which is from the beginning
    /// of the run. A package may be upgraded during a long run.
    pub async fn start_as(&self, identity: &EngineIdentity) -> Result<EngineProcess, ProcessError> {
        let engine = self.start().await?;
        let now = engine.identity();
        if now != identity {
            let (was, now) = (identity.name.clone(), now.name.clone());
            return Err(ProcessError::Changed { path: self.path.clone(), was, now });
        }
        Ok(engine)
    }

    /// Returns the SHA-256 of the executable, in hexadecimal.
    pub fn digest(&self) -> Result<String, ProcessError> {
        file_digest(&self.path).map_err(|source| ProcessError::Read { path: self.path.clone(), source })
    }
}

/// Returns the semaphore that limits engine starts to two at a time for each core.
fn starting() -> &'static Semaphore {
    static TURNS: OnceLock<Semaphore> = OnceLock::new();
    TURNS.get_or_init(|| Semaphore::new(2 * cores().get()))
}

/// Removes the password of a PostgreSQL server from the engine's environment.
fn without_secrets(mut command: Command) -> Command {
    command.env_remove("PGPASSWORD");
    command
}

/// Returns the command that runs an engine: node with its script, or the program itself.
fn starter(path: &Path) -> std::io::Result<Command> {
    if !is_node_script(path) {
        return Ok(Command::new(path));
    }
    // Without this check, node would start and report a missing file with a stack trace.
    path.metadata()?;
    let mut node = Command::new("node");
    node.arg(path);
    Ok(node)
}

fn spawn(path: &Path) -> std::io::Result<Child> {
    let mut command = without_secrets(starter(path)?);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    // Ctrl-C in a terminal reaches the whole process group. In its own group, an engine can finish its
    // segment.
    #[cfg(unix)]
    command.process_group(0);
    // The same on Windows: CREATE_NEW_PROCESS_GROUP.
    #[cfg(windows)]
    command.creation_flags(0x200);
    command.spawn()
}

impl ProcessError {
    /// Returns the error. If the engine exited without a line on standard error, `remarks` become its last
    /// words.
    fn or_last_error_line(self, remarks: Option<String>) -> ProcessError {
        match self {
            ProcessError::Dialogue { path, source: source @ SessionError::Exited(_), words: None } => {
                ProcessError::Dialogue { path, source, words: remarks }
            }
            other => other,
        }
    }
}

/// A dialogue through the pipes of a process.
type Talk = Session<BufReader<ChildStdout>, ChildStdin>;

/// A running engine, killed when dropped.
#[derive(Debug)]
pub struct EngineProcess {
    path: PathBuf,
    session: Talk,
    child: Child,
    words: LastErrorLine,
    _guard: Option<Guard>,
}

impl EngineProcess {
    /// Returns the engine's name and options.
    pub fn identity(&self) -> &EngineIdentity {
        self.session.identity()
    }

    /// Returns the result of the dialogue. Facts about the process are added to an error.
    async fn told<T>(&mut self, done: Result<T, SessionError>) -> Result<T, ProcessError> {
        let source = match done {
            Ok(value) => return Ok(value),
            Err(source) => source,
        };
        let error = dialogue_error(&self.path, source, &mut self.child, &mut self.words).await;
        Err(error.or_last_error_line(self.session.remarks()))
    }

    /// Asks the engine to quit, and kills it if it does not quit.
    pub async fn quit(mut self) {
        // An engine that cannot be asked is killed below.
        let _ = self.session.quit().await;
        if timeout(FAREWELL, self.child.wait()).await.is_err() {
            let _ = self.child.kill().await;
        }
    }
}

impl Evaluator for EngineProcess {
    type Error = ProcessError;

    async fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> Result<SegmentResult, ProcessError> {
        let done = self.session.evaluate(segment, protocol).await;
        self.told(done).await
    }
}

impl Ranker for EngineProcess {
    type Error = ProcessError;

    async fn rank(&mut self, segment: &Segment, limits: &RankingLimits) -> Result<Evaluation, ProcessError> {
        let done = self.session.rank(segment, limits).await;
        self.told(done).await
    }
}

impl Player for EngineProcess {
    type Error = ProcessError;

    async fn new_game(&mut self, mode: CastlingMode) -> Result<(), ProcessError> {
        let done = self.session.new_game(mode).await;
        self.told(done).await
    }

    async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, ProcessError> {
        let done = self.session.choose(game, limit).await;
        self.told(done).await
    }

    fn is_stall(error: &ProcessError) -> bool {
        matches!(error, ProcessError::Dialogue { source, .. } if Talk::is_stall(source))
    }
}

/// A guard that kills all processes of an engine's process group when the guard is dropped, or when this
/// process ends in any way.
///
/// The guard is a shell that waits for the end of its input, which the system closes when this process ends.
#[derive(Debug)]
struct Guard {
    /// The input of the shell. It stays open, and nothing is written to it.
    _input: ChildStdin,
}

impl Guard {
    /// The shell script, which gets the engine's process group as argument. The shell runs in another group,
    /// so that it survives a Ctrl-C.
    #[cfg(unix)]
    const SCRIPT: &str = "trap '' HUP INT TERM; read -r _; kill -s KILL -- \"-$1\"";

    /// Guards an engine that leads its own process group; `None` if the system has no shell or no process
    /// groups.
    #[cfg(unix)]
    fn over(engine: &Child) -> Option<Guard> {
        let group = engine.id()?.to_string();
        let mut shell = without_secrets(Command::new("/bin/sh"));
        shell.args(["-c", Guard::SCRIPT, "guard", &group]).process_group(0);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let input = shell.spawn().ok()?.stdin.take()?;
        Some(Guard { _input: input })
    }

    #[cfg(not(unix))]
    fn over(_: &Child) -> Option<Guard> {
        None
    }
}

/// Adds facts about the engine's process to an error of the dialogue with the engine.
async fn dialogue_error(
    path: &Path,
    source: SessionError,
    child: &mut Child,
    words: &mut LastErrorLine,
) -> ProcessError {
    let source = match source {
        SessionError::Exited(_) => SessionError::Exited(exit_status(child).await),
        other => other,
    };
    ProcessError::Dialogue { path: path.to_owned(), source, words: words.get().await }
}

/// Returns the end of the message "the engine stopped": the exit status, or " responding" if the process does
/// not exit within a second.
async fn exit_status(child: &mut Child) -> String {
    match timeout(Duration::from_secs(1), child.wait()).await {
        Ok(Ok(status)) => format!(" ({status})"),
        _ => " responding".to_owned(),
    }
}

/// The last line that the engine wrote to standard error.
#[derive(Debug)]
struct LastErrorLine {
    line: Arc<Mutex<Option<String>>>,
    listener: JoinHandle<()>,
}

impl LastErrorLine {
    /// Longest line kept, in bytes.
    const LIMIT: usize = 200;
    /// Time limit for the remaining output.
    const DRAIN_LIMIT: Duration = Duration::from_millis(200);

    fn listen(stderr: ChildStderr) -> LastErrorLine {
        let line = Arc::new(Mutex::new(None));
        let heard = line.clone();
        let listener = tokio::spawn(async move {
            let mut reader = BufReader::new(stderr);
            while let Ok(Some(line)) = read_line(&mut reader, LastErrorLine::LIMIT).await {
                let line = String::from_utf8_lossy(&line).trim().to_owned();
                if let (true, Ok(mut last)) = (has_words(&line), heard.lock()) {
                    *last = Some(line);
                }
            }
        });
        LastErrorLine { line, listener }
    }

    /// Waits a short time for unread output, and returns the last line.
    async fn get(&mut self) -> Option<String> {
        // A running engine, or a child it left behind, keeps its standard error open.
        if !self.listener.is_finished() {
            let _ = timeout(LastErrorLine::DRAIN_LIMIT, &mut self.listener).await;
        }
        self.line.lock().ok().and_then(|line| line.clone())
    }
}
