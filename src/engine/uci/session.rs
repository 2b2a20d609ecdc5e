//! One dialogue with a UCI engine, over any pair of streams.

mod answer_timer;
mod error;
mod findings;
mod rank;
mod setup;

use std::{num::NonZeroU32, time::Duration, time::Instant};

use shakmaty::{CastlingMode, uci::UciMove};
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt},
    task::coop::consume_budget,
    time::timeout,
};

use self::findings::{
    LineKeeper, Remarks, check_depth, evaluation, is_exact, is_possible, note_iteration, rank as rank_of,
};
pub use self::{
    answer_timer::{AnswerTimer, at_once},
    error::SessionError,
    setup::{EngineIdentity, Purpose, Setup},
};
use super::{
    command::Command, command::Go, command::PositionText, engine_line::EngineLine, engine_line::Info,
    line::read_line, options::CHESS960, options::MULTI_PV, options::OptionTable, options::Setting,
};
use crate::chess::{
    BestMoves, Evaluation, Evaluator, Protocol, RankedLine, Score, Segment, SegmentResult, game::legal_uci,
};

/// Time limit for `uciok`.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// Longest line kept, in bytes. The longest principal variation is far shorter. The limit bounds the memory
/// for an endless line.
const LINE_LIMIT: usize = 64 * 1024;

/// Largest output before `uciok`, in bytes. The engines with the most options write several thousand bytes.
const GREETING_LIMIT: usize = 1024 * 1024;

/// A dialogue after its handshake.
#[derive(Debug)]
pub struct Session<R, W> {
    reader: R,
    writer: W,
    identity: EngineIdentity,
    timeout: Duration,
    chess960: bool,
    /// The number of lines (`MultiPV`) set in the engine.
    lines: u32,
    /// The game last sent to the engine.
    pub(super) told: PositionText,
    /// Remarks during the current search.
    remarks: Remarks,
}

impl<R, W> Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// Completes the handshake, sets the options and waits until the engine is ready.
    pub async fn start(reader: R, writer: W, setup: &Setup) -> Result<Session<R, W>, SessionError> {
        let identity = EngineIdentity { name: String::new(), options: OptionTable::default() };
        let (timeout, remarks) = (setup.timeout, Remarks::default());
        let told = PositionText::default();
        let mut session =
            Session { reader, writer, identity, timeout, chess960: false, lines: 1, told, remarks };
        session.identity = session.shake_hands().await?;
        session.configure(setup).await?;
        session.lines = session.identity.options.lines();
        session.ready().await?;
        Ok(session)
    }

    /// Returns the engine's name and options.
    pub fn identity(&self) -> &EngineIdentity {
        &self.identity
    }

    /// Returns the time limit between two depths of a search, and for each other answer.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Forgets the engine's remarks. It is called before a search begins.
    pub(super) fn forget_remarks(&mut self) {
        self.remarks = Remarks::default();
    }

    /// Returns the engine's remarks since its last search began; `None` if there are none.
    pub fn remarks(&self) -> Option<String> {
        self.remarks.text()
    }

    async fn shake_hands(&mut self) -> Result<EngineIdentity, SessionError> {
        self.send(&Command::Uci).await?;
        let mut timer = AnswerTimer::of_greeting(HANDSHAKE);
        let mut name = String::from("unknown engine");
        let mut options = Vec::new();
        let mut said = 0;
        while said <= GREETING_LIMIT {
            let line = self.next_line(&mut timer).await?;
            said += line.len();
            match EngineLine::from_bytes(&line) {
                EngineLine::Name(id) => name = id,
                EngineLine::Option(option) => options.push(option),
                EngineLine::UciOk => return Ok(EngineIdentity { name, options: OptionTable::new(options) }),
                _ => {}
            }
        }
        Err(SessionError::Flood(GREETING_LIMIT))
    }

    /// Sets the default options for the purpose, then the user's options. A default is left out if the engine
    /// lacks the option or the user sets it.
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
        self.readiness().await
    }

    /// Waits for `readyok`. A `bestmove` before it is an error, because every expected `bestmove` was already
    /// read.
    async fn readiness(&mut self) -> Result<(), SessionError> {
        let mut timer = AnswerTimer::of_readiness(self.timeout);
        loop {
            match EngineLine::from_bytes(&self.next_line(&mut timer).await?) {
                EngineLine::ReadyOk => return Ok(()),
                EngineLine::BestMove { .. } | EngineLine::NoMove(_) => {
                    return Err(SessionError::SecondAnswer);
                }
                _ => {}
            }
        }
    }

    /// Sets the engine's option `UCI_Chess960` for `mode`, if its value changes. It is an error if Chess960
    /// is needed and the engine lacks the option.
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

    /// Sets the number of lines if it changes. It is an error if the engine cannot report that many.
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

    /// Sets up the position after `ply` moves of a segment's game and starts a search. `isready` is sent
    /// first, in the same write. So all output after `readyok` belongs to this search.
    async fn begin_search(&mut self, segment: &Segment, ply: usize, go: Go) -> Result<(), SessionError> {
        self.forget_remarks();
        let fen = segment.start_fen().map(Into::into);
        let position = Command::Position { fen, moves: segment.moves_to(ply).into() };
        let go = Command::Go(Go { searchmoves: segment.root_moves().to_vec(), ..go });
        self.send_lines(&format!("{}\n{position}\n{go}\n", Command::IsReady)).await?;
        self.readiness().await
    }

    async fn search(
        &mut self,
        segment: &Segment,
        ply: usize,
        protocol: &Protocol,
    ) -> Result<SearchedPosition, SessionError> {
        self.begin_search(segment, ply, protocol.limit.into()).await?;
        let start = Instant::now();
        let mut best_moves = BestMoves::new();
        let (lines, best) = self.answer(|info| note_iteration(&mut best_moves, info)).await?;
        let busy = start.elapsed();
        let evaluation = self.judge(lines, best, segment, ply)?;
        check_depth(&evaluation, protocol.limit, segment, ply)?;
        Ok(SearchedPosition { evaluation, best_moves, busy })
    }

    /// Returns the evaluation from the lines of a search and its best move. Returns an error for a missing or
    /// impossible score, and for a move that is illegal or not among the moves to search. A missing best move
    /// is an error if the first line has moves.
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
        let score_of = |info: &Info| match info.score.ok_or(SessionError::NoScore { ply })? {
            score if is_possible(score) => Ok(Score::from_side_to_move(score, segment.turn(ply))),
            score => Err(SessionError::ImpossibleScore { ply, score }),
        };
        let first = lines.first_mut().and_then(Option::take).ok_or(SessionError::NoScore { ply })?;
        // An engine that names no moves, neither as best move nor in its lines, is accepted.
        if best.is_none() && !first.pv.is_empty() {
            return Err(SessionError::NoMove { ply });
        }
        let best = best.map(legal).transpose()?;
        let mut evaluation = evaluation(score_of(&first)?, first, best, segment.turn(ply));
        for (rank, info) in (1..).zip(lines) {
            let Some(info) = info else { continue };
            let Some(&best) = info.pv.first() else { continue };
            let (best, score) = (legal(best)?, score_of(&info)?);
            evaluation.alternatives.push(RankedLine { rank, best, score, pv: info.pv });
        }
        Ok(evaluation)
    }

    /// Returns the last exact line of each requested variation, in order of rank, and the best move. Exact
    /// lines of the first variation are passed to `exact`.
    async fn answer(
        &mut self,
        mut exact: impl FnMut(&Info),
    ) -> Result<(Vec<Option<Info>>, Option<UciMove>), SessionError> {
        let mut lines = LineKeeper::new(self.lines);
        let mut timer = AnswerTimer::of(self.timeout);
        loop {
            let line = self.next_line(&mut timer).await?;
            match EngineLine::from_bytes(&line) {
                EngineLine::BestMove { best, .. } => return Ok((lines.kept(), best)),
                EngineLine::NoMove(text) => return Err(SessionError::Nonsense(text)),
                EngineLine::NoDepth(text) => return Err(SessionError::ImpossibleDepth(text)),
                EngineLine::Info(info) => {
                    timer.reached(info.depth);
                    if is_exact(&info) && rank_of(&info) == 1 {
                        exact(&info);
                    }
                    lines.take(info);
                }
                _ => {}
            }
        }
    }

    /// Ends the dialogue with `quit`.
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
        // An engine that does not read blocks the pipe once it is full.
        let sent = AnswerTimer::of_readiness(self.timeout).wait(sent).await?;
        match sent {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                Err(SessionError::Exited(String::new()))
            }
            other => Ok(other?),
        }
    }

    /// Waits for the next line.
    pub(super) async fn next_line(&mut self, timer: &mut AnswerTimer) -> Result<Vec<u8>, SessionError> {
        // Available lines are read without yielding to the other engines.
        consume_budget().await;
        timer.check()?;
        let line = timer.wait(read_line(&mut self.reader, LINE_LIMIT)).await??;
        let line = line.ok_or_else(|| SessionError::Exited(String::new()))?;
        self.remarks.hear(&line);
        Ok(line)
    }

    /// Returns the next line if it begins within `time`, otherwise `None`.
    async fn line_within(
        &mut self,
        time: Duration,
        timer: &mut AnswerTimer,
    ) -> Result<Option<Vec<u8>>, SessionError> {
        // A line that has begun is read to its end: a cancelled wait must not have consumed input.
        match timeout(time, self.reader.fill_buf()).await {
            Err(_) => timer.check().map(|()| None),
            Ok(_) => self.next_line(timer).await.map(Some),
        }
    }

    /// Returns whether unread output is available, or the engine has ended.
    pub(super) async fn has_more(&mut self) -> bool {
        at_once(self.reader.fill_buf()).await.is_some()
    }
}

impl<R, W> Evaluator for Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    type Error = SessionError;

    /// Evaluates a segment on one engine, starting with an empty transposition table.
    async fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> Result<SegmentResult, SessionError> {
        self.set_mode(segment.mode()).await?;
        self.set_lines(protocol.lines).await?;
        self.send(&Command::NewGame).await?;
        let mut result = SegmentResult::default();
        for &ply in segment.searches() {
            let found = self.search(segment, ply, protocol).await?;
            result.evaluations.push((ply, found.evaluation));
            result.iterations.push(found.best_moves);
            result.busy += found.busy;
        }
        Ok(result)
    }
}

struct SearchedPosition {
    evaluation: Evaluation,
    best_moves: BestMoves,
    busy: Duration,
}

#[cfg(test)]
pub(super) mod tests;
