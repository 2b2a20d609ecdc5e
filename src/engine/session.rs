//! Owns one dialogue with a UCI engine, over whatever pair of streams it is reached by.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use shakmaty::{CastlingMode, uci::UciMove};
use tokio::{
    io::{AsyncBufRead, AsyncWrite, AsyncWriteExt},
    time::timeout_at,
};

use super::{
    line::read_line,
    options::{CHESS960, OptionTable, Setting, SettingError},
    uci::{Command, EngineLine, Info},
};
use crate::{
    evaluation::{Evaluation, Limit, Wdl},
    score::Score,
    segment::{PlyEvaluation, Segment},
};

/// How long an engine may take to say `uciok`.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// Longest line kept, in bytes: a principal variation of all plies an engine can search fits in
/// many times over, and an engine that never ends its line costs no more memory than this.
const LINE_LIMIT: usize = 64 * 1024;

/// How an engine is to be set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Megabytes of hash table asked for by the user; `None` for [`Setup::HASH`] where the engine
    /// has the option.
    pub hash: Option<u32>,
    /// The user's settings, in their order.
    pub settings: Vec<Setting>,
    /// How long an engine may be silent while it searches.
    pub timeout: Duration,
}

impl Setup {
    /// Megabytes of hash table unless asked otherwise.
    pub const HASH: u32 = 64;
    /// Silence allowed unless asked otherwise.
    pub const TIMEOUT: Duration = Duration::from_secs(120);
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { hash: None, settings: Vec::new(), timeout: Setup::TIMEOUT }
    }
}

/// Who an engine says it is, and how it has been set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its `id name`.
    pub name: String,
    /// Its options with their values.
    pub options: OptionTable,
}

/// What went wrong in a dialogue.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No `uciok` in time.
    #[error("it did not say \"uciok\" within {} s: not a UCI engine", HANDSHAKE.as_secs())]
    NotUci,
    /// The streams ended.
    #[error("the engine stopped{0}")]
    Exited(String),
    /// Silence.
    #[error("the engine told nothing of its search for {} s", .0.as_secs())]
    Stalled(Duration),
    /// A `bestmove` before any exact score.
    #[error("the engine gave no score for the position after {ply} plies")]
    NoScore { ply: usize },
    /// A best move that the position does not have: the engine answers something else.
    #[error("the engine's move {best} is illegal in the position after {ply} plies")]
    IllegalMove { ply: usize, best: UciMove },
    /// A game that the engine cannot be told of.
    #[error("the engine has no option UCI_Chess960, which the game needs")]
    NoChess960,
    /// A setting that the engine would not take.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Reading or writing failed.
    #[error("the dialogue with the engine broke off")]
    Io(#[from] std::io::Error),
}

/// What came of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentResult {
    /// An evaluation for each of [`Segment::searches`], in that order.
    pub evaluations: Vec<PlyEvaluation>,
    /// How long the engine was searching.
    pub busy: Duration,
}

/// Whoever can evaluate the positions of a segment: an engine, or a script in a test.
pub trait Evaluator: Send {
    /// Why it could not.
    type Error: std::error::Error + Send + 'static;

    /// Evaluates each of [`Segment::searches`].
    fn evaluate(
        &mut self,
        segment: &Segment,
        limit: Limit,
    ) -> impl Future<Output = Result<SegmentResult, Self::Error>> + Send;
}

/// A dialogue that has got past its handshake.
#[derive(Debug)]
pub struct Session<R, W> {
    reader: R,
    writer: W,
    identity: Identity,
    timeout: Duration,
    chess960: bool,
}

impl<R, W> Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// Shakes hands, sets the options and waits until the engine is ready.
    pub async fn start(reader: R, writer: W, setup: &Setup) -> Result<Session<R, W>, SessionError> {
        let identity = Identity { name: String::new(), options: OptionTable::default() };
        let mut session = Session { reader, writer, identity, timeout: setup.timeout, chess960: false };
        session.identity = session.shake_hands().await?;
        session.configure(setup).await?;
        session.ready().await?;
        Ok(session)
    }

    /// Who the engine is, and how it has been set.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    async fn shake_hands(&mut self) -> Result<Identity, SessionError> {
        self.send(&Command::Uci).await?;
        let deadline = Instant::now() + HANDSHAKE;
        let mut name = String::from("unknown engine");
        let mut options = Vec::new();
        loop {
            match self.line_before(deadline, SessionError::NotUci).await? {
                EngineLine::Name(id) => name = id,
                EngineLine::Option(option) => options.push(option),
                EngineLine::UciOk => return Ok(Identity { name, options: OptionTable::new(options) }),
                _ => {}
            }
        }
    }

    /// What the protocol wants where the engine offers it, then what the user wants.
    async fn configure(&mut self, setup: &Setup) -> Result<(), SessionError> {
        let hash = Setting::new("Hash", setup.hash.unwrap_or(Setup::HASH));
        let wanted = [
            Setting::new("Threads", 1),
            hash.clone(),
            Setting::new("UCI_AnalyseMode", true),
            Setting::new("UCI_ShowWDL", true),
        ];
        for setting in wanted {
            if self.identity.options.get(&setting.name).is_some() {
                self.set(&setting).await?;
            }
        }
        if setup.hash.is_some() {
            self.set(&hash).await?;
        }
        for setting in &setup.settings {
            self.set(setting).await?;
        }
        Ok(())
    }

    async fn set(&mut self, setting: &Setting) -> Result<(), SessionError> {
        let checked = self.identity.options.set(setting)?;
        self.send(&Command::SetOption { name: &checked.name, value: checked.value.as_deref() }).await
    }

    async fn ready(&mut self) -> Result<(), SessionError> {
        self.send(&Command::IsReady).await?;
        let deadline = Instant::now() + self.timeout;
        while self.line_before(deadline, SessionError::Stalled(self.timeout)).await? != EngineLine::ReadyOk {}
        Ok(())
    }

    /// Tells the engine how castling is written, where that changes.
    async fn set_mode(&mut self, mode: CastlingMode) -> Result<(), SessionError> {
        let chess960 = mode.is_chess960();
        if chess960 && self.identity.options.get(CHESS960).is_none() {
            return Err(SessionError::NoChess960);
        }
        if chess960 != self.chess960 {
            let value = chess960.to_string();
            self.send(&Command::SetOption { name: CHESS960, value: Some(&value) }).await?;
            self.chess960 = chess960;
        }
        Ok(())
    }

    async fn search(
        &mut self,
        segment: &Segment,
        ply: usize,
        limit: Limit,
    ) -> Result<Evaluation, SessionError> {
        let fen = segment.start_fen();
        self.send(&Command::Position { fen: fen.as_deref(), moves: segment.moves_to(ply) }).await?;
        self.send(&Command::Go(limit)).await?;
        let (info, best) = self.answer(ply).await?;
        let position = segment.position(ply);
        if let Some(best) = best.filter(|best| best.to_move(&position).is_err()) {
            return Err(SessionError::IllegalMove { ply, best });
        }
        evaluation(info, best, segment.turn(ply)).ok_or(SessionError::NoScore { ply })
    }

    /// The last exact line of the first variation, with the move that ends the search. Only lines
    /// that tell of a search put off the deadline, so that an engine that babbles is found out.
    async fn answer(&mut self, ply: usize) -> Result<(Info, Option<UciMove>), SessionError> {
        let mut last = None;
        let mut deadline = Instant::now() + self.timeout;
        loop {
            match self.line_before(deadline, SessionError::Stalled(self.timeout)).await? {
                EngineLine::BestMove(best) => {
                    return last.map(|info| (info, best)).ok_or(SessionError::NoScore { ply });
                }
                EngineLine::Info(info) if info != Info::default() => {
                    deadline = Instant::now() + self.timeout;
                    let exact = info.score.is_some() && info.bound.is_none();
                    if exact && info.multipv.unwrap_or(1) == 1 {
                        last = Some(info);
                    }
                }
                _ => {}
            }
        }
    }

    /// Ends the dialogue politely.
    pub async fn quit(mut self) -> Result<(), SessionError> {
        self.send(&Command::Quit).await
    }

    async fn send(&mut self, command: &Command<'_>) -> Result<(), SessionError> {
        let line = format!("{command}\n");
        let sent = async {
            self.writer.write_all(line.as_bytes()).await?;
            self.writer.flush().await
        };
        match sent.await {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                Err(SessionError::Exited(String::new()))
            }
            other => Ok(other?),
        }
    }

    async fn line_before(
        &mut self,
        deadline: Instant,
        late: SessionError,
    ) -> Result<EngineLine, SessionError> {
        match timeout_at(deadline.into(), read_line(&mut self.reader, LINE_LIMIT)).await {
            Err(_) => Err(late),
            Ok(line) => match line? {
                Some(line) => Ok(EngineLine::from_bytes(&line)),
                None => Err(SessionError::Exited(String::new())),
            },
        }
    }
}

impl<R, W> Evaluator for Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    type Error = SessionError;

    /// One engine takes the whole segment with a hash table that starts empty.
    async fn evaluate(&mut self, segment: &Segment, limit: Limit) -> Result<SegmentResult, SessionError> {
        self.set_mode(segment.mode()).await?;
        self.send(&Command::NewGame).await?;
        self.ready().await?;
        let start = Instant::now();
        let mut evaluations = Vec::with_capacity(segment.searches().len());
        for &ply in segment.searches() {
            evaluations.push((ply, self.search(segment, ply, limit).await?));
        }
        Ok(SegmentResult { evaluations, busy: start.elapsed() })
    }
}

/// The evaluation that an engine's last line stands for, seen from White.
fn evaluation(info: Info, best: Option<UciMove>, turn: shakmaty::Color) -> Option<Evaluation> {
    let wdl = info
        .wdl
        .map(|[win, draw, loss]| turn.fold_wb(Wdl { win, draw, loss }, Wdl { win: loss, draw, loss: win }));
    Some(Evaluation {
        score: Score::from_side_to_move(info.score?, turn),
        depth: info.depth,
        seldepth: info.seldepth,
        nodes: info.nodes,
        time_ms: info.time_ms,
        best,
        pv: info.pv,
        wdl,
    })
}
