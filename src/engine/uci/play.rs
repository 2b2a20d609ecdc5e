//! The dialogue for an engine's moves in a game.

use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, uci::UciMove};
use tokio::io::{AsyncBufRead, AsyncWrite};

use super::{
    command::Command,
    engine_line::{EngineLine, plies},
    session::{AnswerTimer, Session, SessionError},
};
use crate::chess::{ChosenMove, GameSoFar, MoveLimit, Player, Score, SignedScore};

impl<R, W> Player for Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    type Error = SessionError;

    async fn new_game(&mut self, mode: CastlingMode) -> Result<(), SessionError> {
        self.set_mode(mode).await?;
        self.send(&Command::NewGame).await?;
        self.ready().await
    }

    async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, SessionError> {
        self.forget_remarks();
        self.skip_late_output().await?;
        let start = Instant::now();
        // Both lines in one write, so that the engine wakes up once.
        let lines = self.told.lines(game, limit);
        self.send_lines(&lines).await?;
        let timeout = self.timeout() + limit.longest(game.turn()).unwrap_or_default();
        let (told, best) = self.best_move(timeout).await?;
        Ok(ChosenMove {
            best,
            score: told.map(|told| Score::from_side_to_move(told.score, game.turn())),
            depth: told.and_then(|told| told.depth),
            nodes: None,
            time: start.elapsed(),
        })
    }

    fn is_stall(error: &SessionError) -> bool {
        matches!(error, SessionError::NotReady(_) | SessionError::Stalled(_) | SessionError::Endless(_))
    }
}

impl<R, W> Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// Reads and drops output that came during the opponent's thinking time. A `bestmove` in this output is
    /// an error, because the expected `bestmove` was already read.
    async fn skip_late_output(&mut self) -> Result<(), SessionError> {
        let mut timer = AnswerTimer::of(self.timeout());
        while self.has_more().await {
            if self.next_line(&mut timer).await?.trim_ascii().starts_with(b"bestmove") {
                return Err(SessionError::SecondAnswer);
            }
        }
        Ok(())
    }

    /// Reads the engine's output until `bestmove`. Returns the last exact score of the first variation, if
    /// any, and the best move; `None` if the engine gives no move.
    async fn best_move(
        &mut self,
        timeout: Duration,
    ) -> Result<(Option<ExactScore>, Option<UciMove>), SessionError> {
        let mut timer = AnswerTimer::of(timeout);
        let mut last = None;
        loop {
            let line = self.next_line(&mut timer).await?;
            let said = line.trim_ascii();
            if said.starts_with(b"bestmove") {
                match EngineLine::from_bytes(said) {
                    EngineLine::BestMove { best, .. } => return Ok((last, best)),
                    EngineLine::NoMove(_) => return Ok((last, None)),
                    _ => {}
                }
            } else if said.starts_with(b"info ")
                && !said.starts_with(b"info string")
                && let Some(told) = exact_score(said)
            {
                timer.reached(told.depth);
                last = Some(told);
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ExactScore {
    /// Depth in plies.
    depth: Option<u32>,
    /// The score from the view of the side to move.
    score: SignedScore,
}

/// Parses an `info` line if it has an exact score of the first variation.
///
/// The parser of whole lines takes longer for one line than a search to a low depth takes for a move. Most of
/// the parser's output is not needed here.
fn exact_score(line: &[u8]) -> Option<ExactScore> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    let (mut depth, mut score) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "pv" | "string" => break,
            "depth" => depth = plies(words.next()?),
            "score" => score = signed_score(words.next()?, words.next()?),
            "multipv" => {
                words.next().filter(|&number| number == "1")?;
            }
            "lowerbound" | "upperbound" => return None,
            _ => {}
        }
    }
    score.map(|score| ExactScore { depth, score })
}

fn signed_score(kind: &str, number: &str) -> Option<SignedScore> {
    // The smallest i32 has no positive counterpart, so White's view of it cannot be computed.
    let number = number.parse::<i32>().ok().filter(|&number| number != i32::MIN)?;
    match kind {
        "cp" => Some(SignedScore::Cp(number)),
        "mate" => Some(SignedScore::Mate(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::VecDeque, io, pin::Pin, sync::Arc, sync::Mutex, task::Context, task::Poll};

    use proptest::prelude::*;
    use shakmaty::{Chess, fen::Fen};
    use tokio::io::{AsyncRead, BufReader, ReadBuf};

    use super::{
        super::command::PositionText, super::engine_line::Info, super::session::Purpose,
        super::session::Setup, super::session::tests::converse, super::session::tests::setup, *,
    };
    use crate::chess::Limit;

    #[test]
    fn a_line_tells_something_where_its_score_is_exact_and_of_the_first_variation() {
        let exact = |line: &str| exact_score(line.as_bytes()).map(|told| (told.depth, told.score));
        let line = "info depth 8 seldepth 9 multipv 1 score cp -31 wdl 1 2 3 nodes 7 pv e2e4 e7e5";
        assert_eq!(exact(line), Some((Some(8), SignedScore::Cp(-31))));
        assert_eq!(exact("info score mate -3"), Some((None, SignedScore::Mate(-3))));
        for depth in ["many", "-5", "20001", "4294967296"] {
            let line = format!("info depth {depth} score mate 300");
            assert_eq!(exact(&line), Some((None, SignedScore::Mate(300))), "{line}");
        }
        for other in [
            "info depth 8 score cp 31 lowerbound nodes 7 pv e2e4",
            "info depth 8 score cp 31 nodes 7 upperbound",
            "info depth 8 multipv 2 score cp 31 pv e2e4",
            "info depth 8 currmove e2e4 currmovenumber 1",
            "info depth 8 pv e2e4 score cp 3",
            "info depth 8 score cp -2147483648",
            "info depth 8 score cp",
            "info depth 8 multipv",
        ] {
            assert_eq!(exact(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn a_line_tells_what_the_parser_of_whole_lines_reads(
            depth in 0u32..400, cp in -3000i32..3000, multipv in prop::option::of(1u32..3), bound in any::<bool>(),
        ) {
            let bound = if bound { " lowerbound" } else { "" };
            let multipv = multipv.map_or(String::new(), |number| format!(" multipv {number}"));
            let line = format!("info depth {depth}{multipv} score cp {cp}{bound} nodes 12 pv e2e4");
            let info: Info = line.parse().expect("an info line");
            let exact = info.bound.is_none() && info.multipv.unwrap_or(1) == 1;
            let whole = info.score.filter(|_| exact).map(|score| ExactScore { depth: info.depth, score });
            prop_assert_eq!(exact_score(line.as_bytes()), whole);
        }
    }

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
    }

    #[test]
    fn a_game_is_told_as_uci_has_it_and_the_next_move_is_added() {
        let mut told = PositionText::default();
        let mut text = |game: &GameSoFar| {
            told.follow(game);
            assert_eq!(told.text, Command::position(game).to_string());
            told.text.clone()
        };
        let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        assert_eq!(text(&game), "position startpos");
        for uci in ["e2e4", "e7e5"] {
            game.push(uci.parse().expect("a move"));
        }
        assert_eq!(text(&game), "position startpos moves e2e4 e7e5");
        // The move counters are part of the start, although positions are equal without them.
        let start = position("8/8/8/8/8/k7/p7/K7 b - - 7 9");
        let mut other = GameSoFar::new(start, CastlingMode::Standard);
        other.push("a3b3".parse().expect("a move"));
        assert_eq!(text(&other), "position fen 8/8/8/8/8/k7/p7/K7 b - - 7 9 moves a3b3");
        assert_eq!(text(&game), "position startpos moves e2e4 e7e5", "the first game again");
    }

    proptest! {
        #[test]
        fn what_is_told_is_the_game_at_hand_whatever_was_told_before(
            steps in prop::collection::vec((0usize..3, 0usize..4), 1..40),
        ) {
            let moves = ["e2e4", "g1f3", "a7a8q", "e1h1"].map(|uci| uci.parse::<UciMove>().expect("a move"));
            let first = GameSoFar::new(Chess::default(), CastlingMode::Standard);
            // A copy of the first game diverges from the same start.
            let mut games = [first.clone(), first, GameSoFar::new(position("8/8/8/8/8/k7/p7/K7 b - - 0 1"), CastlingMode::Standard)];
            let mut told = PositionText::default();
            for (game, played) in steps {
                games[game].push(moves[played]);
                told.follow(&games[game]);
                prop_assert_eq!(&told.text, &Command::position(&games[game]).to_string());
            }
        }
    }

    #[test]
    fn an_answer_that_nobody_waits_for_is_not_taken_for_the_next_move() {
        let transcript = "
            > uci
            < uciok
            > isready
            < readyok
            > position startpos
            > go depth 1
            < bestmove e2e4
            < bestmove d2d4
        ";
        converse(transcript, setup(), async |session| {
            let mut session = session.expect("a session");
            let mut line = GameSoFar::new(Chess::default(), CastlingMode::Standard);
            let limit = MoveLimit::Search(Limit::Depth(1));
            let first = session.choose(&line, limit).await.expect("a move");
            assert_eq!(first.best, Some("e2e4".parse().expect("a move")));
            for uci in ["e2e4", "e7e5"] {
                line.push(uci.parse().expect("a move"));
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
            let error = session.choose(&line, limit).await.expect_err("a fault").to_string();
            assert_eq!(error, "the engine answered one search twice");
        });
    }

    /// An engine in memory that answers as soon as it is asked.
    #[derive(Clone, Default)]
    struct AtOnce(Arc<Mutex<VecDeque<u8>>>);

    impl AsyncRead for AtOnce {
        fn poll_read(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            let mut said = self.0.lock().expect("a thread that did not panic");
            let bytes: Vec<u8> = said.drain(..).collect();
            buffer.put_slice(&bytes);
            if bytes.is_empty() { Poll::Pending } else { Poll::Ready(Ok(())) }
        }
    }

    impl AsyncWrite for AtOnce {
        fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
            let answers =
                String::from_utf8_lossy(bytes).lines().fold(String::new(), |said, line| match line {
                    "uci" => said + "uciok\n",
                    "isready" => said + "readyok\n",
                    "go depth 1" => said + "info depth 1 score cp 3\nbestmove e2e4\n",
                    _ => said,
                });
            self.0.lock().expect("a thread that did not panic").extend(answers.bytes());
            Poll::Ready(Ok(bytes.len()))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn a_move_that_is_there_needs_no_timer() {
        // In an event loop without timers, even creating a timer panics.
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let engine = AtOnce::default();
            let session = Session::start(BufReader::new(engine.clone()), engine, &setup()).await;
            let mut session = session.expect("a session");
            session.new_game(CastlingMode::Standard).await.expect("a ready engine");
            let game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
            for _ in 0..1_000 {
                let choice = session.choose(&game, MoveLimit::Search(Limit::Depth(1))).await.expect("a move");
                assert_eq!((choice.best, choice.depth), (Some("e2e4".parse().expect("a move")), Some(1)));
            }
        });
    }

    #[test]
    fn a_game_is_played_without_book_and_without_pondering() {
        let transcript = "
            > uci
            < id name Engine 1.0
            < option name OwnBook type check default true
            < option name Ponder type check default true
            < option name UCI_AnalyseMode type check default false
            < option name Hash type spin default 16 min 1 max 1024
            < uciok
            > setoption name Hash value 64
            > setoption name OwnBook value false
            > setoption name Ponder value false
            > isready
            < readyok
            > ucinewgame
            > isready
            < readyok
            > position startpos moves e2e4
            > go depth 3
            < info depth 1 score cp 10 nodes 20 pv e7e5
            < info depth 2 score cp -31 nodes 70 pv c7c5 g1f3
            < info depth 2 multipv 2 score cp -400 nodes 71 pv a7a6
            < info depth 3 score cp 999 lowerbound nodes 80 pv e7e6
            < info string what an engine may say
            < bestmove c7c5 ponder g1f3
            > position startpos moves e2e4 c7c5 g1f3
            > go depth 3
            < bestmove (none)
        ";
        converse(transcript, Setup { purpose: Purpose::Play, ..setup() }, async |session| {
            let mut session = session.expect("a session");
            session.new_game(CastlingMode::Standard).await.expect("a ready engine");
            let mut line = GameSoFar::new(Chess::default(), CastlingMode::Standard);
            line.push("e2e4".parse().expect("a move"));
            let choice = session.choose(&line, MoveLimit::Search(Limit::Depth(3))).await.expect("a choice");
            assert_eq!(choice.best, Some("c7c5".parse().expect("a move")));
            assert_eq!((choice.score, choice.depth), (Some(Score::Cp(31)), Some(2)), "White's view");
            for uci in ["c7c5", "g1f3"] {
                line.push(uci.parse().expect("a move"));
            }
            let choice = session.choose(&line, MoveLimit::Search(Limit::Depth(3))).await.expect("a choice");
            assert_eq!((choice.best, choice.score), (None, None), "neither a move nor a score");
        });
    }
}
