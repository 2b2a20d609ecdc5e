//! [`Player`]: the interface of anything that chooses a move in a game.

use std::{fmt, future::Future, num::NonZeroU32, sync::Arc, time::Duration};

use shakmaty::{ByColor, CastlingMode, Chess, Color, Position, uci::UciMove};

use crate::chess::{evaluation::Limit, score::Score};

/// The moves of a game so far, from its start, so that a player can detect repetitions. Moves are only added
/// at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSoFar {
    /// Shared between copies of a game.
    start: Arc<GameStart>,
    moves: Vec<UciMove>,
}

#[derive(Debug, PartialEq, Eq)]
struct GameStart {
    position: Chess,
    mode: CastlingMode,
}

impl GameSoFar {
    /// Returns a game without moves, with castling by `mode`.
    pub fn new(start: Chess, mode: CastlingMode) -> GameSoFar {
        GameSoFar { start: Arc::new(GameStart { position: start, mode }), moves: Vec::new() }
    }

    /// Adds a legal move. Castling is written as the game's mode requires.
    pub fn push(&mut self, uci: UciMove) {
        self.moves.push(uci);
    }

    /// Returns the position before the first move.
    pub fn start(&self) -> &Chess {
        &self.start.position
    }

    /// Returns the rules of castling.
    pub fn mode(&self) -> CastlingMode {
        self.start.mode
    }

    /// Returns the moves from the start.
    pub fn moves(&self) -> &[UciMove] {
        &self.moves
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        let first = self.start.position.turn();
        if self.moves.len().is_multiple_of(2) { first } else { !first }
    }

    /// Returns the position at the end.
    ///
    /// # Panics
    ///
    /// If an illegal move was added.
    pub fn position(&self) -> Chess {
        let mut position = self.start().clone();
        for uci in &self.moves {
            position.play_unchecked(uci.to_move(&position).expect("a legal move"));
        }
        position
    }

    /// Returns whether this game equals `earlier`, or continues it with more moves. If so, an engine that
    /// knows `earlier` needs only the new moves. Two games that are not clones of one game never continue
    /// each other.
    pub fn continues(&self, earlier: &GameSoFar) -> bool {
        Arc::ptr_eq(&self.start, &earlier.start) && self.moves.starts_with(&earlier.moves)
    }
}

/// The limit of a player for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveLimit {
    /// A limit of the search, such as a depth.
    Search(Limit),
    /// A time for the move. The player should use almost all of it.
    Time(Duration),
    /// A clock, which the player manages itself.
    Clock(Clock),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    pub left: ByColor<Duration>,
    pub increment: ByColor<Duration>,
    /// Number of moves to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<NonZeroU32>,
}

impl From<Limit> for MoveLimit {
    fn from(limit: Limit) -> MoveLimit {
        MoveLimit::Search(limit)
    }
}

impl Clock {
    /// Returns a clock with `base` for each side for the rest of the game, and `increment` for each move.
    pub fn of(base: Duration, increment: Duration) -> Clock {
        let both = |time| ByColor { white: time, black: time };
        Clock { left: both(base), increment: both(increment), moves_to_go: None }
    }
}

impl fmt::Display for MoveLimit {
    /// Formats a search limit (`depth 8`), a time (`0.5 s a move`), or White's clock and increment in seconds
    /// (`tc=8+0.08`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveLimit::Search(limit) => limit.fmt(f),
            MoveLimit::Time(time) => write!(f, "{} s a move", time.as_secs_f64()),
            MoveLimit::Clock(Clock { left, increment, .. }) => {
                write!(f, "tc={}+{}", left.white.as_secs_f64(), increment.white.as_secs_f64())
            }
        }
    }
}

impl MoveLimit {
    /// Returns the longest time that `side` may use; `None` for a search limit.
    pub fn longest(&self, side: Color) -> Option<Duration> {
        match self {
            MoveLimit::Search(_) => None,
            MoveLimit::Time(time) => Some(*time),
            MoveLimit::Clock(clock) => Some(*clock.left.get(side)),
        }
    }
}

/// A player's move with its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenMove {
    /// The move as reported by the player, legal or not; `None` if it reports no move.
    pub best: Option<UciMove>,
    /// Score in White's view, if reported.
    pub score: Option<Score>,
    /// Depth of the search in plies, if reported.
    pub depth: Option<u32>,
    /// Number of positions searched, if the player reports it.
    pub nodes: Option<u64>,
    /// The time from request to answer.
    pub time: Duration,
}

/// Plays one side of a game. Players are engine processes, threads of this program, wrappers of other
/// players, and scripts in tests.
///
/// The caller does other work while it awaits the choice. So an implementation that keeps a core busy must be
/// wrapped in `Blocking`.
pub trait Player: Send {
    /// The reason for a failure.
    type Error: std::error::Error + Send + 'static;

    /// Prepares for a new game with these castling rules, and forgets the previous one.
    fn new_game(&mut self, mode: CastlingMode) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Chooses a move at the end of `game`.
    fn choose(
        &mut self,
        game: &GameSoFar,
        limit: MoveLimit,
    ) -> impl Future<Output = Result<ChosenMove, Self::Error>> + Send;

    /// Returns true if the player did not answer in time, and false for other failures, such as the end of
    /// the player's process.
    fn is_stall(error: &Self::Error) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> GameSoFar {
        let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        moves.split_whitespace().for_each(|uci| game.push(uci.parse().expect("a move")));
        game
    }

    #[test]
    fn the_side_to_move_follows_the_moves_from_the_start() {
        assert_eq!(game("").turn(), Color::White);
        assert_eq!(game("e2e4").turn(), Color::Black);
        let black: shakmaty::fen::Fen = "8/8/8/8/8/k7/p7/K7 b - - 0 1".parse().expect("a FEN");
        let start = black.into_position(CastlingMode::Standard).expect("a position");
        assert_eq!(GameSoFar::new(start, CastlingMode::Standard).turn(), Color::Black);
    }

    #[test]
    fn a_copy_with_more_moves_continues_a_game_and_no_other_does() {
        let earlier = game("e2e4 e7e5");
        let mut later = earlier.clone();
        later.push("g1f3".parse().expect("a move"));
        assert!(later.continues(&earlier) && later.continues(&later));
        assert!(!earlier.continues(&later), "it is shorter");
        assert!(!game("e2e4 e7e5 g1f3").continues(&earlier), "another game with the same moves");
        let mut other = earlier.clone();
        other.push("f1c4".parse().expect("a move"));
        assert!(!other.continues(&later), "it went another way");
    }

    #[test]
    fn a_clock_allows_what_the_side_to_move_has_left() {
        let left = ByColor { white: Duration::from_secs(9), black: Duration::from_secs(4) };
        let clock = Clock { left, increment: ByColor::default(), moves_to_go: None };
        assert_eq!(MoveLimit::Clock(clock).longest(Color::Black), Some(left.black));
        assert_eq!(MoveLimit::Search(Limit::Depth(9)).longest(Color::White), None);
    }
}
