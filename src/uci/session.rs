//! Owns one dialogue with a UCI engine, over whatever pair of streams it is reached by.

mod error;
mod rank;
mod setup;

use std::{
    num::NonZeroU32,
    time::{Duration, Instant},
};

use shakmaty::{CastlingMode, uci::UciMove};
use tokio::{
    io::{AsyncBufRead, AsyncWrite, AsyncWriteExt},
    task::coop::consume_budget,
    time::{timeout, timeout_at},
};

pub use self::{
    error::SessionError,
    setup::{EngineIdentity, Purpose, Setup},
};
use super::{
    command::{Command, Go},
    engine_line::{EngineLine, Info, MAX_DEPTH},
    line::read_line,
    options::{CHESS960, MULTI_PV, OptionTable, Setting},
    play::PositionText,
};
use crate::{
    evaluation::{Evaluation, Protocol, RankedLine, Wdl},
    evaluator::{BestMoves, Evaluator, SegmentResult},
    game::legal_uci,
    score::Score,
    segment::Segment,
    text::{cut, printable},
};

/// How long an engine may take to say `uciok`.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// Longest line kept, in bytes: a principal variation of all plies an engine can search fits in
/// many times over, and an engine that never ends its line costs no more memory than this.
const LINE_LIMIT: usize = 64 * 1024;

/// Most lines of a search that are kept: no position has more moves.
const MOST_LINES: u32 = 256;

/// Longest free text kept, in columns.
const REMARKS: usize = 300;

/// A dialogue that has got past its handshake.
#[derive(Debug)]
pub struct Session<R, W> {
    reader: R,
    writer: W,
    identity: EngineIdentity,
    timeout: Duration,
    chess960: bool,
    /// Lines of a search that the engine is set to tell of.
    lines: u32,
    /// What the engine is told of the game that it plays.
    pub(super) told: PositionText,
    /// The `info string` lines of the search at hand, in which engines say why they give up.
    remarks: Vec<u8>,
}

impl<R, W> Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// Shakes hands, sets the options and waits until the engine is ready.
    pub async fn start(reader: R, writer: W, setup: &Setup) -> Result<Session<R, W>, SessionError> {
        let identity = EngineIdentity { name: String::new(), options: OptionTable::default() };
        let (timeout, remarks) = (setup.timeout, Vec::new());
        let told = PositionText::default();
        let mut session =
            Session { reader, writer, identity, timeout, chess960: false, lines: 1, told, remarks };
        session.identity = session.shake_hands().await?;
        session.configure(setup).await?;
        session.lines = session.identity.options.lines();
        session.ready().await?;
        Ok(session)
    }

    /// Returns who the engine is, and how it has been set.
    pub fn identity(&self) -> &EngineIdentity {
        &self.identity
    }

    /// How long the engine may be silent while it searches.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Forgets what the engine said in free text, before a search begins.
    pub(super) fn forget_remarks(&mut self) {
        self.remarks.clear();
    }

    /// Returns what the engine said in free text since its last search began.
    pub fn remarks(&self) -> Option<String> {
        let remarks = printable(&String::from_utf8_lossy(&self.remarks));
        let remarks = cut(remarks.trim(), REMARKS);
        (!remarks.is_empty()).then_some(remarks)
    }

    async fn shake_hands(&mut self) -> Result<EngineIdentity, SessionError> {
        self.send(&Command::Uci).await?;
        let deadline = Instant::now() + HANDSHAKE;
        let mut name = String::from("unknown engine");
        let mut options = Vec::new();
        loop {
            match self.line_before(deadline, || SessionError::NotUci).await? {
                EngineLine::Name(id) => name = id,
                EngineLine::Option(option) => options.push(option),
                EngineLine::UciOk => return Ok(EngineIdentity { name, options: OptionTable::new(options) }),
                _ => {}
            }
            in_time(deadline, || SessionError::NotUci)?;
        }
    }

    /// Returns what the protocol wants where the engine offers it, then what the user wants.
    async fn configure(&mut self, setup: &Setup) -> Result<(), SessionError> {
        let asked = setup.asked();
        for setting in setup.purpose.settings() {
            let is_asked = asked.iter().any(|asked| asked.name.eq_ignore_ascii_case(&setting.name));
            let nearest = self.identity.options.nearest(&setting).filter(|_| !is_asked);
            if let Some(setting) = nearest {
                self.set(&setting).await?;
            }
        }
        for setting in &asked {
            self.set(setting).await?;
        }
        Ok(())
    }

    async fn set(&mut self, setting: &Setting) -> Result<(), SessionError> {
        let checked = self.identity.options.set(setting)?;
        self.send(&Command::set(&checked.name, checked.value.as_deref())).await
    }

    pub(super) async fn ready(&mut self) -> Result<(), SessionError> {
        self.send(&Command::IsReady).await?;
        let deadline = Instant::now() + self.timeout;
        let stalled = stalled(self.timeout);
        while self.line_before(deadline, stalled).await? != EngineLine::ReadyOk {
            in_time(deadline, stalled)?;
        }
        Ok(())
    }

    /// Tells the engine how castling is written, where that changes.
    pub(super) async fn set_mode(&mut self, mode: CastlingMode) -> Result<(), SessionError> {
        let chess960 = mode.is_chess960();
        if chess960 && self.identity.options.get(CHESS960).is_none() {
            return Err(SessionError::NoChess960);
        }
        if chess960 != self.chess960 {
            let value = chess960.to_string();
            self.send(&Command::set(CHESS960, Some(&value))).await?;
            self.chess960 = chess960;
        }
        Ok(())
    }

    /// Tells the engine how many lines of a search are wanted, where that changes.
    async fn set_lines(&mut self, asked: NonZeroU32) -> Result<(), SessionError> {
        let options = &self.identity.options;
        let lines = options.lines_for(asked);
        if lines == self.lines {
            return Ok(());
        }
        let most = options.most_lines();
        if most.is_none_or(|most| i64::from(lines) > most) {
            return Err(SessionError::TooManyLines { asked: lines, most });
        }
        self.send(&Command::set(MULTI_PV, Some(&lines.to_string()))).await?;
        self.lines = lines;
        Ok(())
    }

    /// Sets up the position after `ply` moves of a segment's game.
    async fn tell_position(&mut self, segment: &Segment, ply: usize) -> Result<(), SessionError> {
        let fen = segment.start_fen().map(Into::into);
        self.send(&Command::Position { fen, moves: segment.moves_to(ply).into() }).await
    }

    async fn search(
        &mut self,
        segment: &Segment,
        ply: usize,
        protocol: &Protocol,
    ) -> Result<(Evaluation, BestMoves), SessionError> {
        self.tell_position(segment, ply).await?;
        self.forget_remarks();
        let searchmoves = segment.root_moves().to_vec();
        self.send(&Command::Go(Go { searchmoves, ..protocol.limit.into() })).await?;
        let mut iterations = BestMoves::new();
        let (lines, best) = self.answer(|info| note_iteration(&mut iterations, info)).await?;
        Ok((self.judge(lines, best, segment, ply)?, iterations))
    }

    /// Returns the evaluation that the lines of a search stand for, with the move that ended it; an error where there is no
    /// score, or a move that the position or the question does not have.
    fn judge(
        &self,
        mut lines: Vec<Option<Info>>,
        best: Option<UciMove>,
        segment: &Segment,
        ply: usize,
    ) -> Result<Evaluation, SessionError> {
        let position = segment.position(ply);
        let legal = |best| {
            let legal = legal_uci(best, &position, segment.mode());
            let best = legal.ok_or(SessionError::IllegalMove { ply, best })?;
            let is_asked = segment.root_moves().is_empty() || segment.root_moves().contains(&best);
            if is_asked { Ok(best) } else { Err(SessionError::OtherMove { ply, best }) }
        };
        let first = lines.first_mut().and_then(Option::take).ok_or(SessionError::NoScore { ply })?;
        let best = best.map(legal).transpose()?;
        let mut evaluation =
            evaluation(first, best, segment.turn(ply)).ok_or(SessionError::NoScore { ply })?;
        for (rank, info) in (1..).zip(lines) {
            let Some((score, pv)) = info.and_then(|info| Some((info.score?, info.pv))) else { continue };
            let Some(&best) = pv.first() else { continue };
            let score = Score::from_side_to_move(score, segment.turn(ply));
            evaluation.alternatives.push(RankedLine { rank, best: legal(best)?, score, pv });
        }
        Ok(evaluation)
    }

    /// Returns the last exact line of each variation that was asked for, the first one's first, with the move
    /// that ends the search; those of the first are told to `exact`. Only lines that tell something new of a search put off
    /// the deadline, so that an engine that babbles or repeats itself is found out.
    async fn answer(
        &mut self,
        mut exact: impl FnMut(&Info),
    ) -> Result<(Vec<Option<Info>>, Option<UciMove>), SessionError> {
        let stalled = stalled(self.timeout);
        let mut lines = LineKeeper::new(self.lines);
        let mut deadline = Instant::now() + self.timeout;
        loop {
            match self.line_before(deadline, stalled).await? {
                EngineLine::BestMove { best, .. } => return Ok((lines.kept(), best)),
                EngineLine::Info(info) => match lines.take(info) {
                    Some(info) => {
                        deadline = Instant::now() + self.timeout;
                        if is_exact(info) && rank(info) == 1 {
                            exact(info);
                        }
                    }
                    None => in_time(deadline, stalled)?,
                },
                _ => in_time(deadline, stalled)?,
            }
        }
    }

    /// Ends the dialogue politely.
    pub async fn quit(mut self) -> Result<(), SessionError> {
        self.send(&Command::Quit).await
    }

    pub(super) async fn send(&mut self, command: &Command<'_>) -> Result<(), SessionError> {
        self.send_lines(&format!("{command}\n")).await
    }

    /// Sends whole lines at once.
    pub(super) async fn send_lines(&mut self, lines: &str) -> Result<(), SessionError> {
        let sent = async {
            self.writer.write_all(lines.as_bytes()).await?;
            self.writer.flush().await
        };
        // An engine that reads nothing blocks the pipe once it is full.
        let Ok(sent) = timeout(self.timeout, sent).await else {
            return Err(SessionError::Stalled(self.timeout));
        };
        match sent {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                Err(SessionError::Exited(String::new()))
            }
            other => Ok(other?),
        }
    }

    async fn line_before(
        &mut self,
        deadline: Instant,
        late: impl Fn() -> SessionError,
    ) -> Result<EngineLine, SessionError> {
        Ok(EngineLine::from_bytes(&self.bytes_before(deadline, late).await?))
    }

    /// The next line, if it is there before the deadline or has been waiting when this process
    /// woke up after it.
    pub(super) async fn bytes_before(
        &mut self,
        deadline: Instant,
        late: impl Fn() -> SessionError,
    ) -> Result<Vec<u8>, SessionError> {
        // Lines that are there already are read without a look at the other engines.
        consume_budget().await;
        let line = match timeout_at(deadline.into(), read_line(&mut self.reader, LINE_LIMIT)).await {
            Err(_) => return Err(late()),
            Ok(line) => line?.ok_or_else(|| SessionError::Exited(String::new()))?,
        };
        self.note_remark(&line);
        Ok(line)
    }

    /// Keeps what the engine says in free text.
    fn note_remark(&mut self, line: &[u8]) {
        if let Some(remark) = line.strip_prefix(b"info string ")
            && self.remarks.len() < REMARKS
        {
            self.remarks.extend_from_slice(remark);
            self.remarks.push(b' ');
        }
    }
}

/// What a search has told so far: the last exact line of each variation that was asked for.
struct LineKeeper {
    lines: u32,
    last: Vec<Option<Info>>,
    before: Info,
}

impl LineKeeper {
    /// Keeps so many lines at most.
    fn new(lines: u32) -> LineKeeper {
        LineKeeper { lines: lines.min(MOST_LINES), last: Vec::new(), before: Info::default() }
    }

    /// Takes what an engine tells; `None` where that is nothing, or what it told just before.
    fn take(&mut self, info: Info) -> Option<&Info> {
        if info == self.before || info == Info::default() {
            return None;
        }
        if is_exact(&info) && (1..=self.lines).contains(&rank(&info)) {
            let place = rank(&info) as usize - 1;
            self.last.resize(self.last.len().max(place + 1), None);
            self.last[place] = Some(info.clone());
        }
        self.before = info;
        Some(&self.before)
    }

    /// Returns the last exact line of each variation, the first one's first.
    fn kept(self) -> Vec<Option<Info>> {
        self.last
    }
}

/// Tells whether a line has a score that is no bound.
fn is_exact(info: &Info) -> bool {
    info.score.is_some() && info.bound.is_none()
}

/// Returns which of several variations a line is of, from 1.
fn rank(info: &Info) -> u32 {
    info.multipv.unwrap_or(1)
}

/// The error of an engine that has told nothing new for so long.
pub(super) fn stalled(timeout: Duration) -> impl Fn() -> SessionError + Copy {
    move || SessionError::Stalled(timeout)
}

/// Asked after each line that was not waited for: where there is always another one to read, no
/// wait for it ever runs out.
pub(super) fn in_time(deadline: Instant, late: impl Fn() -> SessionError) -> Result<(), SessionError> {
    if Instant::now() < deadline { Ok(()) } else { Err(late()) }
}

impl<R, W> Evaluator for Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    type Error = SessionError;

    /// Evaluates a segment: one engine takes all of it with a hash table that starts empty.
    async fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> Result<SegmentResult, SessionError> {
        self.set_mode(segment.mode()).await?;
        self.set_lines(protocol.lines).await?;
        self.send(&Command::NewGame).await?;
        self.ready().await?;
        let start = Instant::now();
        let mut evaluations = Vec::with_capacity(segment.searches().len());
        let mut iterations = Vec::with_capacity(segment.searches().len());
        for &ply in segment.searches() {
            let (evaluation, best_moves) = self.search(segment, ply, protocol).await?;
            evaluations.push((ply, evaluation));
            iterations.push(best_moves);
        }
        Ok(SegmentResult { evaluations, iterations, busy: start.elapsed() })
    }
}

/// Keeps the move that the exact line of an iteration begins with: of several lines of one depth, the
/// last.
fn note_iteration(iterations: &mut BestMoves, info: &Info) {
    let depth = info.depth.filter(|depth| (1..=MAX_DEPTH).contains(depth));
    if let (Some(depth), Some(&best)) = (depth, info.pv.first()) {
        let place = depth as usize - 1;
        iterations.resize(iterations.len().max(place + 1), None);
        iterations[place] = Some(best);
    }
}

/// Returns the evaluation that an engine's last line stands for, seen from White.
fn evaluation(info: Info, best: Option<UciMove>, turn: shakmaty::Color) -> Option<Evaluation> {
    let wdl = info.wdl.and_then(|[own, draw, other]| {
        let (white, black) = turn.fold_wb((own, other), (other, own));
        Wdl::new(white, draw, black)
    });
    Some(Evaluation {
        score: Score::from_side_to_move(info.score?, turn),
        depth: info.depth,
        seldepth: info.seldepth,
        nodes: info.nodes,
        time_ms: info.time_ms,
        best,
        pv: info.pv,
        wdl,
        alternatives: Vec::new(),
    })
}

#[cfg(test)]
pub(super) mod tests;
