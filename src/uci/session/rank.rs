//! Owns how an engine is asked for the best moves of a position, and stopped when the time is over.

use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite},
    task::coop::consume_budget,
    time::timeout,
};

use super::{LINE_LIMIT, LineKeeper, Session, SessionError, in_time, stalled};
use crate::{
    evaluation::Evaluation,
    ranking::{Ranker, RankingLimits},
    segment::Segment,
    uci::{
        command::{Command, Go},
        engine_line::{EngineLine, MAX_DEPTH},
        line::read_line,
    },
};

/// How often it is asked whether the time is over.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(4);

impl<R, W> Ranker for Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    type Error = SessionError;

    async fn rank(&mut self, segment: &Segment, limits: &RankingLimits) -> Result<Evaluation, SessionError> {
        self.set_mode(segment.mode()).await?;
        self.set_lines(limits.lines).await?;
        let ply = segment.moves().len();
        self.tell_position(segment, ply).await?;
        self.forget_remarks();
        let go = Go {
            depth: Some(limits.depth.min(MAX_DEPTH)),
            nodes: limits.nodes,
            searchmoves: segment.root_moves().to_vec(),
            ..Go::default()
        };
        self.send(&Command::Go(go)).await?;
        let (lines, best) = self.answer_until(limits).await?;
        self.judge(lines.kept(), best, segment, ply)
    }
}

impl<R, W> Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// Returns what is told up to the end of the search, which is asked for once the time is over.
    async fn answer_until(
        &mut self,
        limits: &RankingLimits,
    ) -> Result<(LineKeeper, Option<UciMove>), SessionError> {
        let mut lines = LineKeeper::new(self.lines);
        let mut is_stopped = false;
        let mut deadline = Instant::now() + self.timeout;
        loop {
            if !is_stopped && (limits.is_over)() {
                is_stopped = true;
                self.send(&Command::Stop).await?;
            }
            in_time(deadline, stalled(self.timeout))?;
            let Some(line) = self.line_soon().await? else { continue };
            self.note_remark(&line);
            let told = match EngineLine::from_bytes(&line) {
                EngineLine::BestMove { best, .. } => return Ok((lines, best)),
                EngineLine::Info(info) => lines.take(info).is_some(),
                _ => false,
            };
            if told {
                deadline = Instant::now() + self.timeout;
            }
        }
    }

    /// Returns the next line, if it begins before it is asked again whether the time is over.
    async fn line_soon(&mut self) -> Result<Option<Vec<u8>>, SessionError> {
        // Lines that are there already are read without a look at anything else.
        consume_budget().await;
        let is_there = {
            let filled = self.reader.fill_buf();
            timeout(BETWEEN_QUESTIONS, filled).await.map(|bytes| bytes.map(|_| ()))
        };
        match is_there {
            Err(_) => Ok(None),
            Ok(filled) => {
                filled?;
                let line = read_line(&mut self.reader, LINE_LIMIT).await?;
                line.map(Some).ok_or_else(|| SessionError::Exited(String::new()))
            }
        }
    }
}
