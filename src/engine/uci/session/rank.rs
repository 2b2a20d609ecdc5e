//! Ranking of a position's best moves by an engine, stopped when the time is over.

use std::time::Duration;

use shakmaty::uci::UciMove;
use tokio::io::{AsyncBufRead, AsyncWrite};

use super::{AnswerTimer, Session, SessionError, findings::LineKeeper};
use crate::chess::{Evaluation, Ranker, RankingLimits, Segment};
use crate::engine::uci::command::{Command, Go};
use crate::engine::uci::engine_line::{EngineLine, MAX_DEPTH};

/// Interval between checks whether the time is over.
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
        let go = Go { depth: Some(limits.depth.min(MAX_DEPTH)), nodes: limits.nodes, ..Go::default() };
        self.begin_search(segment, ply, go).await?;
        let (lines, best) = self.answer_until(limits).await?;
        self.judge(lines.kept(), best, segment, ply)
    }
}

impl<R, W> Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// Returns the engine's lines and its best move. The search is stopped when the time is over.
    async fn answer_until(
        &mut self,
        limits: &RankingLimits,
    ) -> Result<(LineKeeper, Option<UciMove>), SessionError> {
        let mut lines = LineKeeper::new(self.lines);
        let mut timer = AnswerTimer::of(self.timeout);
        let mut is_stopped = false;
        loop {
            if !is_stopped && (limits.is_over)() {
                is_stopped = true;
                self.send(&Command::Stop).await?;
            }
            let Some(line) = self.line_within(BETWEEN_QUESTIONS, &mut timer).await? else { continue };
            match EngineLine::from_bytes(&line) {
                EngineLine::BestMove { best, .. } => return Ok((lines, best)),
                EngineLine::NoMove(text) => return Err(SessionError::Nonsense(text)),
                EngineLine::NoDepth(text) => return Err(SessionError::ImpossibleDepth(text)),
                EngineLine::Info(info) => {
                    timer.reached(info.depth);
                    lines.take(info);
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroU32, sync::Arc, sync::atomic::AtomicU32, sync::atomic::Ordering};

    use shakmaty::{CastlingMode, Chess};

    use super::*;
    use crate::chess::{GameSoFar, Score};
    use crate::engine::uci::session::tests::{converse, setup};

    const GREETING: &str = "
        > uci
        < option name MultiPV type spin default 1 min 1 max 9
        < uciok
        > isready
        < readyok
    ";

    fn after_e4() -> Segment {
        let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        game.push("e2e4".parse().expect("a move"));
        Segment::end_of(&game).expect("a position")
    }

    fn limits(lines: u32) -> RankingLimits {
        RankingLimits::depth(NonZeroU32::new(lines).expect("some"), 4)
    }

    #[test]
    fn moves_are_ranked_with_what_was_exact_last() {
        let transcript = format!(
            "{GREETING}
            > setoption name MultiPV value 2
            > isready
            < readyok
            > position startpos moves e2e4
            > go depth 4
            < info depth 1 multipv 1 score cp 5 pv a7a6
            < info depth 2 multipv 1 score cp -20 pv e7e5 g1f3
            < info depth 2 multipv 2 score cp -35 pv c7c5
            < info depth 3 multipv 2 score cp 99 lowerbound pv d7d5
            < bestmove e7e5"
        );
        converse(&transcript, setup(), async |session| {
            let mut session = session.expect("a session");
            let found = session.rank(&after_e4(), &limits(2)).await.expect("a ranking");
            let lines: Vec<(String, Score)> =
                found.lines().map(|line| (line.best.to_string(), line.score)).collect();
            assert_eq!(lines, [("e7e5".to_owned(), Score::Cp(20)), ("c7c5".to_owned(), Score::Cp(35))]);
        });
    }

    #[test]
    fn a_search_is_stopped_once_when_its_time_is_over_and_what_it_told_counts() {
        let transcript = format!(
            "{GREETING}
            > isready
            < readyok
            > position startpos moves e2e4
            > go depth 4 nodes 7
            < info depth 1 score cp -20 pv e7e5
            > stop
            < info depth 2 score cp -21 pv c7c5
            < bestmove c7c5"
        );
        converse(&transcript, setup(), async |session| {
            let mut session = session.expect("a session");
            let asked = Arc::new(AtomicU32::new(0));
            // False at the first call, true afterwards.
            let is_over = Arc::new(move || asked.fetch_add(1, Ordering::Relaxed) > 0);
            let limits = RankingLimits { nodes: Some(7), is_over, ..limits(1) };
            let found = session.rank(&after_e4(), &limits).await.expect("a ranking");
            assert_eq!((found.best, found.score), ("c7c5".parse().ok(), Score::Cp(21)));
        });
    }

    #[test]
    fn an_engine_that_leaves_in_its_search_is_an_error() {
        let transcript = format!(
            "{GREETING}
            > isready
            < readyok
            > position startpos moves e2e4
            > go depth 4
            < info string I wonder"
        );
        converse(&transcript, setup(), async |session| {
            let mut session = session.expect("a session");
            let error = session.rank(&after_e4(), &limits(1)).await.expect_err("no answer");
            assert!(matches!(error, SessionError::Exited(_)), "{error}");
        });
    }

    #[test]
    fn more_lines_than_there_are_is_an_error_that_says_how_many() {
        converse(GREETING, setup(), async |session| {
            let mut session = session.expect("a session");
            let error = session.rank(&after_e4(), &limits(10)).await.expect_err("too many").to_string();
            assert_eq!(error, "the engine cannot report 10 lines of a position: its MultiPV is 9 at most");
        });
    }
}
