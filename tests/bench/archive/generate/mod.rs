//! Owns [`Archive`]: made-up games in the form of lichess's monthly files, as many as are asked for.
//!
//! Moves are legal and drawn by the habits of the tournaments in `data/`, evaluations are a random walk
//! whose steps are the gains recorded there, and clocks fit the time control. The same seed makes the
//! same bytes, whatever the number of threads.

mod clocks;
mod course;
mod dice;
mod habits;
mod judge;
mod openings;
mod players;
mod score_sheet;
mod tags;

use std::io::{self, Write};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use self::{course::Course, dice::Dice, habits::Habits, players::Players, score_sheet::ScoreSheet};

/// Games that a thread makes at a time.
const CHUNK: u64 = 64;

/// Chunks that are made before they are written.
const AHEAD: u64 = 64;

/// A file of games that is made as it is written.
pub struct Archive {
    seed: u64,
    /// Share of the games with evaluations, from 0 to 1.
    share: f64,
    sheets: Vec<ScoreSheet>,
    gains: Vec<i32>,
    players: Players,
}

impl Archive {
    /// Returns the games of `seed`, of which `share` have evaluations (all of them with 1, some 0.09 on lichess).
    /// Their moves are those of up to `sheets` different games; no two games have the same players, day
    /// and moves as long as there are fewer than `sheets` times [`Players::COUNT`].
    pub fn new(seed: u64, share: f64, sheets: u64) -> Archive {
        let habits = Habits::of_tournaments();
        let sheets = ScoreSheet::pool(&habits, seed, sheets);
        Archive { seed, share, sheets, gains: habits.gains, players: Players::new() }
    }

    /// Returns the first `count` games.
    pub fn games(&self, count: u64) -> String {
        String::from_utf8(self.chunk(0, count)).expect("games in UTF-8")
    }

    /// Writes games up to the first 64 with which there are at least `bytes` bytes; gives the number of
    /// games.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write(&self, bytes: u64, out: &mut impl Write) -> io::Result<u64> {
        let (mut written, mut chunks) = (0, 0);
        loop {
            let ahead = (chunks..chunks + AHEAD).into_par_iter();
            let made: Vec<Vec<u8>> = ahead.map(|chunk| self.chunk(chunk * CHUNK, CHUNK)).collect();
            for chunk in made {
                if written >= bytes {
                    return Ok(chunks * CHUNK);
                }
                out.write_all(&chunk)?;
                written += chunk.len() as u64;
                chunks += 1;
            }
        }
    }

    fn chunk(&self, first: u64, count: u64) -> Vec<u8> {
        let mut text = Vec::new();
        for number in first..first + count {
            self.game(number, &mut text);
        }
        text
    }

    fn game(&self, number: u64, text: &mut Vec<u8>) {
        let mut dice = Dice::new(self.seed, number);
        let (round, sheet) = (number / self.sheets.len() as u64, number % self.sheets.len() as u64);
        let sheet = &self.sheets[sheet as usize];
        let pairing = self.players.pairing(round, &mut dice);
        let with_evals = dice.chance(self.share);
        let course = Course::of(sheet, &pairing, &self.gains, with_evals, &mut dice);
        tags::write_game(text, number, sheet, &pairing, &course, &mut dice).expect("room for a game");
    }
}
