//! The dialogue: requests are answered at once or handed to the searching thread.

use std::{
    io, io::BufRead, io::ErrorKind, io::Write, ops::ControlFlow, sync::Arc, thread, thread::Scope,
    time::Instant,
};

use shakmaty::{CastlingMode, Chess};

use super::{
    OwnAnswer, Served, ServedTask, builtin::ServedBuiltin, listing, output::Output, request::OwnRequest,
    request::Request, request::set_up, worker::Control, worker::Running, worker::ServerThread,
};
use crate::chess::GameSoFar;
use crate::engine::uci::command::{Command, Go};
use crate::engine::{
    chess_engine::EngineWeights, uci::engine_line::EngineLine, uci::line::read_line_blocking,
};

/// Size limit of an input line, in bytes. No game needs a longer line.
const LINE_LIMIT: usize = 1 << 20;

/// Answers the commands of `input` on `output` until `quit` or the end of input, which end a running search.
/// The engine starts with `weights`.
///
/// # Errors
///
/// If a stream fails for other reasons than a closed reader, or if the system has no thread for a search.
pub fn serve<R: BufRead, W: Write + Send>(input: R, output: W, weights: EngineWeights) -> io::Result<()> {
    converse(input, output, ServedBuiltin::new(weights))
}

/// Answers commands for any [`Served`]; errors as in [`serve`].
pub(crate) fn converse<R: BufRead, W: Write + Send, S: Served>(
    mut input: R,
    output: W,
    served: S,
) -> io::Result<()> {
    let output = Output::new(output);
    thread::scope(|scope| {
        let game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        let mut server = Server { scope, output: &output, served, game, worker: None, running: None };
        let read = server.read_all(&mut input);
        // The work is ended even after an error; otherwise the scope would wait for an endless search.
        let rested = server.rest();
        match read.and(rested).and_then(|()| server.written()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            ended => ended,
        }
    })
}

/// A dialogue, which lasts for `'env`. Its searching thread lives in `'scope`.
struct Server<'scope, 'env, W, S> {
    scope: &'scope Scope<'scope, 'env>,
    output: &'env Output<W>,
    served: S,
    game: GameSoFar,
    /// The searching thread, started for the first search.
    worker: Option<ServerThread<'scope>>,
    running: Option<Running>,
}

impl<W: Write + Send, S: Served> Server<'_, '_, W, S> {
    fn read_all(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        while let Some(line) = read_line_blocking(input, LINE_LIMIT + 1)? {
            if line.len() > LINE_LIMIT {
                self.output.remark(&format!("ignored a line of more than {LINE_LIMIT} bytes"));
            } else if self.answer(&line)?.is_break() {
                break;
            }
            self.written()?;
        }
        Ok(())
    }

    /// Returns an error if an answer could not be written.
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
            Ok(Some(Request::Own(request))) => self.answer_own(request)?,
            Ok(Some(Request::Show)) => self.output.say(&listing::board(&self.game.position())),
            Ok(None) => {}
            Err(error) => self.output.remark(&error),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn answer_own(&mut self, request: OwnRequest) -> io::Result<()> {
        match self.served.own(request, &self.game) {
            Some(OwnAnswer::Text(text)) => self.output.say(&text),
            Some(OwnAnswer::Task(task)) => self.run(task)?,
            None => self.output.remark(&format!("{request} is not available here")),
        }
        Ok(())
    }

    fn obey(&mut self, command: Command<'_>) -> io::Result<()> {
        match command {
            Command::Uci => self.introduce(),
            // Answered at once, even during a search.
            Command::IsReady => {
                self.served.get_ready();
                self.output.say(&EngineLine::ReadyOk);
            }
            Command::NewGame => {
                self.rest()?;
                self.served.new_game();
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position { fen, moves } => match set_up(fen.as_deref(), &moves, self.served.mode()) {
                Ok((game, problem)) => {
                    self.game = game;
                    problem.iter().for_each(|problem| self.output.remark(problem));
                }
                Err(problem) => self.output.remark(&problem),
            },
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.with_control(Control::request_stop),
            Command::PonderHit => self.with_control(Control::ponder_hit),
            // Remarks are few, so `debug` does not turn them off. There is no copy protection. `quit` is
            // handled earlier.
            Command::Debug(_) | Command::Register | Command::Quit => {}
        }
        Ok(())
    }

    fn introduce(&self) {
        self.served.introduction().iter().for_each(|line| self.output.say(line));
        self.output.say(&EngineLine::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        let done = match self.served.set(name, value) {
            Ok(None) => Ok(()),
            Ok(Some(change)) => {
                self.rest()?;
                self.served.change(change)
            }
            Err(problem) => Err(problem),
        };
        done.unwrap_or_else(|problem| self.output.remark(&problem));
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let (task, remark) = self.served.search(go, &self.game, Instant::now());
        remark.iter().for_each(|remark| self.output.remark(remark));
        self.run(task)
    }

    /// Begins work on the searching thread, after ending the current work.
    fn run(&mut self, task: S::Task) -> io::Result<()> {
        self.rest()?;
        let output = self.output;
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => ServerThread::start(self.scope)?,
        };
        let work = move |control: &Arc<Control>| task.run(control, output);
        self.running = Some(self.worker.insert(worker).begin(work)?);
        Ok(())
    }

    /// Ends the current work.
    fn rest(&mut self) -> io::Result<()> {
        self.running.take().map_or(Ok(()), Running::end)
    }

    fn with_control(&self, tell: impl FnOnce(&Control)) {
        if let Some(running) = &self.running {
            tell(running.control());
        }
    }
}
