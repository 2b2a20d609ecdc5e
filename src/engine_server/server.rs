//! Owns the dialogue: one request after the other, answered at once or handed to the thread that searches.

use std::{
    io::{self, BufRead, ErrorKind, Write},
    ops::ControlFlow,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, Scope},
    time::Instant,
};

use shakmaty::Chess;

use super::{
    bench::Bench,
    control::Control,
    listing,
    output::Output,
    request::Request,
    set_up::set_up,
    settings::{EngineChange, Settings},
    task::SearchTask,
    worker::{Running, Worker},
};
use crate::{
    chess_engine::{BENCH_DEPTH, ChessEngine, EngineWeights, Root},
    engine::{weights::read_weights, within},
    text::path_text,
    uci::{
        command::{Command, Go},
        engine_line::EngineLine,
        line::read_line_blocking,
    },
};

/// The longest line that is read; longer than any game.
const LINE_LIMIT: usize = 1 << 20;

/// Answers the commands of `input` on `output`, with an engine that begins with `weights`, until `quit` or the end, and ends a search that is then under way.
///
/// # Errors
///
/// If a stream fails otherwise than by its reader's going away, or if the system has no thread for a search.
pub fn serve<R: BufRead, W: Write + Send>(mut input: R, output: W, weights: EngineWeights) -> io::Result<()> {
    let output = Output::new(output);
    let engine = Mutex::new(None);
    thread::scope(|scope| {
        let mut server = Server {
            scope,
            output: &output,
            engine: &engine,
            settings: Settings::default(),
            weights: Arc::new(weights),
            root: Root::new(Chess::default()),
            worker: None,
            running: None,
        };
        let read = server.read_all(&mut input);
        // In any case, or the scope would wait for a search without end.
        let rested = server.rest();
        match read.and(rested).and_then(|()| server.written()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            ended => ended,
        }
    })
}

/// A dialogue, which lasts as long as `'env`; its searches live in `'scope`.
struct Server<'scope, 'env, W> {
    scope: &'scope Scope<'scope, 'env>,
    output: &'env Output<W>,
    /// Locked by whoever searches or changes it; made when it is first needed, with the table that it is to have by then.
    engine: &'env Mutex<Option<ChessEngine>>,
    settings: Settings,
    /// The engine's, for listings while it searches.
    weights: Arc<EngineWeights>,
    root: Root,
    /// Started for the first search.
    worker: Option<Worker<'scope>>,
    running: Option<Running>,
}

/// Returns the engine, a new one if there is none.
fn prepared<'a>(
    engine: &'a mut Option<ChessEngine>,
    megabytes: usize,
    weights: &EngineWeights,
) -> &'a mut ChessEngine {
    engine.get_or_insert_with(|| {
        let mut engine = ChessEngine::new(megabytes);
        engine.set_weights(weights.clone());
        engine
    })
}

impl<W: Write + Send> Server<'_, '_, W> {
    fn read_all(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        while let Some(line) = read_line_blocking(input, LINE_LIMIT + 1)? {
            if line.len() > LINE_LIMIT {
                self.output.remark(&format!("a line of more than {LINE_LIMIT} bytes is passed over"));
            } else if self.answer(&line)?.is_break() {
                break;
            }
            self.written()?;
        }
        Ok(())
    }

    /// Tells whether what was said could be written.
    fn written(&self) -> io::Result<()> {
        match self.output.broken() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn answer(&mut self, line: &[u8]) -> io::Result<ControlFlow<()>> {
        match Request::read(line) {
            Ok(Some(Request::Uci(Command::Quit))) => return Ok(ControlFlow::Break(())),
            Ok(Some(Request::Uci(command))) => self.obey(command)?,
            Ok(Some(Request::Eval)) => {
                self.output.say(&listing::evaluation(self.root.position().chess(), &self.weights));
            }
            Ok(Some(Request::Show)) => self.output.say(&listing::board(self.root.position().chess())),
            Ok(Some(Request::Bench(depth))) => self.bench(depth.unwrap_or(BENCH_DEPTH))?,
            Ok(None) => {}
            Err(error) => self.output.remark(&error),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn obey(&mut self, command: Command<'_>) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.get_ready(),
            Command::NewGame => self.forget()?,
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position { fen, moves } => match set_up(fen.as_deref(), &moves, self.settings.mode) {
                Ok((root, problem)) => {
                    self.root = root;
                    problem.iter().for_each(|problem| self.output.remark(problem));
                }
                Err(problem) => self.output.remark(&problem),
            },
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.with_control(Control::request_stop),
            Command::PonderHit => self.with_control(Control::ponder_hit),
            // Remarks are few and always made; nothing is protected; the end is seen before.
            Command::Debug(_) | Command::Register | Command::Quit => {}
        }
        Ok(())
    }

    fn introduce(&self) {
        self.output.say(&EngineLine::Name(within::NAME.to_owned()));
        self.output.say(&EngineLine::Author("the authors of gainalyze".to_owned()));
        Settings::options().into_iter().for_each(|option| self.output.say(&option));
        self.output.say(&EngineLine::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match self.settings.set(name, value) {
            Ok(None) => {}
            Ok(Some(EngineChange::Clear)) => self.forget()?,
            // Gone before the next one comes, so that there is room for its table.
            Ok(Some(EngineChange::Table)) => *self.engine()? = None,
            Ok(Some(EngineChange::Weights(path))) => self.weigh_by(&path)?,
            Err(problem) => self.output.remark(&problem),
        }
        Ok(())
    }

    /// Evaluates by the weights of a file from now on.
    fn weigh_by(&mut self, path: &str) -> io::Result<()> {
        match read_weights(path) {
            Ok(weights) => {
                self.weights = Arc::new(weights.clone());
                self.engine()?.iter_mut().for_each(|engine| engine.set_weights(weights.clone()));
            }
            Err(problem) => {
                self.output.remark(&format!("setoption: Weights {}: {problem}", path_text(path)));
            }
        }
        Ok(())
    }

    /// Answers at once while a search goes on; otherwise when the engine is there, so that no clock waits for its table.
    fn get_ready(&self) {
        if let Ok(mut engine) = self.engine.try_lock() {
            prepared(&mut engine, self.settings.hash, &self.weights);
        }
        self.output.say(&EngineLine::ReadyOk);
    }

    /// Empties what the engine remembers.
    fn forget(&mut self) -> io::Result<()> {
        self.engine()?.iter_mut().for_each(ChessEngine::clear);
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let task =
            SearchTask::new(go, self.root.clone(), &self.settings, self.weights.chances(), Instant::now());
        if task.has_no_move_asked_for(go) {
            self.output.remark(&"go: none of searchmoves is legal here: all moves are searched");
        }
        let (engine, output) = (self.engine, self.output);
        let (megabytes, weights) = (self.settings.hash, self.weights.clone());
        self.run(move |control| {
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            task.run(prepared(&mut engine, megabytes, &weights), control, output);
        })
    }

    fn bench(&mut self, depth: u32) -> io::Result<()> {
        let (weights, output) = (self.weights.clone(), self.output);
        self.run(move |control| output.say(&Bench::of(&weights, depth, control)))
    }
}

impl<'scope, W: Write + Send> Server<'scope, '_, W> {
    /// Begins work on the thread that searches, after what is under way there has ended.
    fn run(&mut self, work: impl FnOnce(&Control) + Send + 'scope) -> io::Result<()> {
        self.rest()?;
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(self.scope)?,
        };
        self.running = Some(self.worker.insert(worker).begin(work)?);
        Ok(())
    }

    /// Ends what is under way.
    fn rest(&mut self) -> io::Result<()> {
        self.running.take().map_or(Ok(()), Running::end)
    }

    /// Returns the engine, at rest, if it has been needed yet.
    fn engine(&mut self) -> io::Result<MutexGuard<'_, Option<ChessEngine>>> {
        self.rest()?;
        Ok(self.engine.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn with_control(&self, tell: impl FnOnce(&Control)) {
        if let Some(running) = &self.running {
            tell(running.control());
        }
    }
}
