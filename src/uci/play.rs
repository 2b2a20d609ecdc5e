//! Owns how an engine is asked for its moves in a game that it plays.

use std::{
    fmt::Write,
    future::Future,
    time::{Duration, Instant},
};

use sha2::{Digest, Sha256};
use shakmaty::{CastlingMode, Color, uci::UciMove};
use tokio::io::{AsyncBufRead, AsyncWrite};

use super::{
    command::Command,
    engine_line::EngineLine,
    session::{Session, SessionError, in_time, stalled},
};
use crate::{
    evaluation::Limit,
    score::{Score, SignedScore},
};

/// A game so far, as an engine is told of it: with all its moves, so that the engine knows of
/// repetitions. It grows at its end only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSoFar {
    /// The command `position`, without the end of its line.
    command: String,
    plies: usize,
    turn: Color,
}

impl GameSoFar {
    /// A game that begins where `turn` is to move, with the position of `fen` or the usual one.
    pub fn new(fen: Option<&str>, turn: Color) -> GameSoFar {
        GameSoFar { command: Command::Position { fen, moves: &[] }.to_string(), plies: 0, turn }
    }

    /// Adds a move, castling as the game's mode has it.
    pub fn push(&mut self, uci: UciMove) {
        let separator = if self.plies == 0 { " moves " } else { " " };
        write!(self.command, "{separator}{uci}").expect("a string takes any text");
        self.plies += 1;
        self.turn = !self.turn;
    }

    /// The command that tells an engine of it: the same for the same game only.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// A number that other starts or moves would not give, but for one chance in 2⁶⁴.
    pub fn digest(&self) -> u64 {
        let digest = Sha256::digest(&self.command);
        digest.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.turn
    }
}

/// What an engine wants to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenMove {
    /// The move as it was written, legal or not; `None` where the engine says that there is none.
    pub best: Option<UciMove>,
    /// White's view; `None` where the engine tells none.
    pub score: Option<Score>,
    /// Plies of the search, where the engine tells them.
    pub depth: Option<u32>,
    /// From the question to the answer.
    pub time: Duration,
}

/// Whoever can play one side of a game: an engine, or a script in a test.
pub trait Player: Send {
    /// Why it could not.
    type Error: std::error::Error + Send + 'static;

    /// Prepares for a game with those rules of castling, and forgets the one before it.
    fn new_game(&mut self, mode: CastlingMode) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Chooses a move at the end of `line`.
    fn choose(
        &mut self,
        line: &GameSoFar,
        limit: Limit,
    ) -> impl Future<Output = Result<ChosenMove, Self::Error>> + Send;

    /// Whether the error says that it did not answer in time; otherwise it is gone.
    fn is_stall(error: &Self::Error) -> bool;
}

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

    async fn choose(&mut self, line: &GameSoFar, limit: Limit) -> Result<ChosenMove, SessionError> {
        self.forget_remarks();
        let start = Instant::now();
        // Both at once: the engine wakes up once.
        self.send_lines(&format!("{}\n{}\n", line.command(), Command::Go(limit))).await?;
        let (told, best) = self.last_word().await?;
        Ok(ChosenMove {
            best,
            score: told.map(|told| Score::from_side_to_move(told.score, line.turn())),
            depth: told.and_then(|told| told.depth),
            time: start.elapsed(),
        })
    }

    fn is_stall(error: &SessionError) -> bool {
        matches!(error, SessionError::Stalled(_))
    }
}

impl<R, W> Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// The last exact score of the first variation, where there is one, and the move that ends the
    /// search. Only lines of the search that are not those before them put off the deadline.
    async fn last_word(&mut self) -> Result<(Option<ExactScore>, Option<UciMove>), SessionError> {
        let stalled = stalled(self.timeout());
        let (mut last, mut before) = (None, Vec::new());
        let mut deadline = Instant::now() + self.timeout();
        loop {
            let line = self.bytes_before(deadline, stalled).await?;
            let said = line.trim_ascii();
            if said.starts_with(b"bestmove") {
                if let EngineLine::BestMove(best) = EngineLine::from_bytes(said) {
                    return Ok((last, best));
                }
            } else if said.starts_with(b"info ") && !said.starts_with(b"info string") && line != before {
                deadline = Instant::now() + self.timeout();
                last = exact_score(said).or(last);
                before = line;
            } else {
                in_time(deadline, stalled)?;
            }
        }
    }
}

/// What an engine tells of a position beside its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ExactScore {
    /// In plies.
    depth: Option<u32>,
    /// In the view of the side to move.
    score: SignedScore,
}

/// What an `info` line tells, if that is an exact score of the first variation.
///
/// The parser of whole lines takes longer for one of them than a search to a low depth takes for a
/// move, and most of what it reads is of no use here.
fn exact_score(line: &[u8]) -> Option<ExactScore> {
    let mut words = std::str::from_utf8(line).ok()?.split_ascii_whitespace();
    let (mut depth, mut score) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "pv" | "string" => break,
            "depth" => depth = words.next()?.parse().ok(),
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
    // The least i32 has no opposite, and so no White's view.
    let number = number.parse::<i32>().ok().filter(|&number| number != i32::MIN)?;
    match kind {
        "cp" => Some(SignedScore::Cp(number)),
        "mate" => Some(SignedScore::Mate(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::engine_line::Info,
        super::session::{
            Purpose, Setup,
            tests::{converse, setup},
        },
        *,
    };

    #[test]
    fn a_line_tells_something_where_its_score_is_exact_and_of_the_first_variation() {
        let exact = |line: &str| exact_score(line.as_bytes()).map(|told| (told.depth, told.score));
        let line = "info depth 8 seldepth 9 multipv 1 score cp -31 wdl 1 2 3 nodes 7 pv e2e4 e7e5";
        assert_eq!(exact(line), Some((Some(8), SignedScore::Cp(-31))));
        assert_eq!(exact("info score mate -3"), Some((None, SignedScore::Mate(-3))));
        assert_eq!(exact("info depth many score mate 300"), Some((None, SignedScore::Mate(300))));
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

    #[test]
    fn a_line_is_told_as_uci_has_it() {
        let mut line = GameSoFar::new(None, Color::White);
        assert_eq!(line.command(), "position startpos");
        for uci in ["e2e4", "e7e5"] {
            line.push(uci.parse().expect("a move"));
        }
        assert_eq!(line.command(), "position startpos moves e2e4 e7e5");
        assert_eq!(line.turn(), Color::White);
        let mut other = GameSoFar::new(Some("8/8/8/8/8/k7/p7/K7 b - - 0 1"), Color::Black);
        other.push("a3b3".parse().expect("a move"));
        assert_eq!(other.command(), "position fen 8/8/8/8/8/k7/p7/K7 b - - 0 1 moves a3b3");
        assert_eq!(other.turn(), Color::White);
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
            let mut line = GameSoFar::new(None, Color::White);
            line.push("e2e4".parse().expect("a move"));
            let choice = session.choose(&line, Limit::Depth(3)).await.expect("a choice");
            assert_eq!(choice.best, Some("c7c5".parse().expect("a move")));
            assert_eq!((choice.score, choice.depth), (Some(Score::Cp(31)), Some(2)), "White's view");
            for uci in ["c7c5", "g1f3"] {
                line.push(uci.parse().expect("a move"));
            }
            let choice = session.choose(&line, Limit::Depth(3)).await.expect("a choice");
            assert_eq!((choice.best, choice.score), (None, None), "neither a move nor a score");
        });
    }
}
