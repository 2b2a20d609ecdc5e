//! [`ScoreSheet`]: the moves of an artificial game, as PGN writes them.

use std::fmt::Write;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome, Position, san::SanPlus};

use super::{dice::Dice, habits::Habits, openings::Opening};

pub struct ScoreSheet {
    /// Each move with its number: `1. e4`, `1... c5`.
    text: String,
    /// The end of each move in the text, in bytes.
    ends: Vec<usize>,
    pub end: End,
    pub opening: Opening,
    /// Number of plies after which the game may end: enough that the sheet differs from all other sheets of
    /// its pool, and at least [`SHORTEST`] if the sheet is that long.
    pub settled: usize,
}

/// The end of a score sheet's moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    Checkmate(Color),
    /// A draw by the rules: stalemate or insufficient material.
    Draw,
    /// No end by the rules: a player resigns or runs out of time, or the evaluation decides.
    Open,
}

/// First of the random streams for score sheets. Games have the streams from 0 on.
const STREAMS: u64 = 1 << 63;

/// Minimum number of plies before a player resigns or loses on time.
const SHORTEST: usize = 20;

impl ScoreSheet {
    /// Returns up to `count` different games by `habits`. No game is the beginning of another.
    pub fn pool(habits: &Habits, seed: u64, count: u64) -> Vec<ScoreSheet> {
        let draw = |number| ScoreSheet::of(&moves(habits, &mut Dice::new(seed, STREAMS + number)));
        let mut sheets: Vec<(u64, ScoreSheet)> =
            (0..count).into_par_iter().map(|number| (number, draw(number))).collect();
        // Sheets that begin alike become neighbors, the shorter one first.
        sheets.sort_by(|(_, a), (_, b)| a.text.cmp(&b.text));
        sheets.dedup_by(|(_, later), (_, sheet)| sheet.shared(later) == sheet.len());
        for later in 1..sheets.len() {
            let shared = sheets[later - 1].1.shared(&sheets[later].1);
            for (_, sheet) in &mut sheets[later - 1..=later] {
                sheet.settled = sheet.settled.max(shared + 1);
            }
        }
        sheets.sort_by_key(|(number, _)| *number);
        sheets.into_iter().map(|(_, sheet)| sheet).collect()
    }

    fn of(moves: &[Move]) -> ScoreSheet {
        let mut position = Chess::default();
        let san = |&m: &Move| SanPlus::from_move_and_play_unchecked(&mut position, m).to_string();
        let sans: Vec<String> = moves.iter().map(san).collect();
        let (mut text, mut ends) = (String::new(), Vec::new());
        for (ply, san) in sans.iter().enumerate() {
            let dots = if ply % 2 == 0 { "." } else { "..." };
            write!(text, "{}{dots} {san}", ply / 2 + 1).expect("room for a move");
            ends.push(text.len());
        }
        let end = match position.outcome() {
            Outcome::Known(KnownOutcome::Decisive { winner }) => End::Checkmate(winner),
            Outcome::Known(KnownOutcome::Draw) => End::Draw,
            Outcome::Unknown => End::Open,
        };
        ScoreSheet { opening: Opening::of(&sans), text, settled: SHORTEST.min(ends.len()), ends, end }
    }

    /// Returns the number of plies.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the move at `ply`, from 0, with its number.
    pub fn written(&self, ply: usize) -> &str {
        let start = ply.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[ply]]
    }

    /// Returns the number of plies at the start that `self` and `other` have in common.
    fn shared(&self, other: &ScoreSheet) -> usize {
        let plies = 0..self.len().min(other.len());
        plies.take_while(|&ply| self.written(ply) == other.written(ply)).count()
    }
}

/// Returns a game from the initial position. It follows the games of the book as long as possible. Further
/// moves are drawn by the habits.
fn moves(habits: &Habits, dice: &mut Dice) -> Vec<Move> {
    let (mut position, mut moves, mut book) = (Chess::default(), Vec::new(), habits.book());
    let length = habits.length(dice);
    while moves.len() < length && !position.is_game_over() {
        let next = book.draw(moves.len(), dice);
        let m = next.unwrap_or_else(|| habits.draw(&position, moves.last().copied(), dice));
        position.play_unchecked(m);
        moves.push(m);
    }
    moves
}
