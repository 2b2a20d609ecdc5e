//! [`Archive`]: any number of artificial games in the form of lichess's monthly files.
//!
//! The moves are legal and drawn by the habits of the tournaments in `data/`. The evaluations are a random
//! walk whose steps are the gains recorded there, and the losses of bad moves. The clocks fit the time
//! control. The same seed gives the same bytes for any number of threads.

pub mod broadcasts;
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

/// Number of games that a thread makes at a time.
const CHUNK: u64 = 64;

/// Number of chunks made before they are written.
const AHEAD: u64 = 64;

/// An archive whose games are made while it is written.
pub struct Archive {
    seed: u64,
    /// Share of the games with evaluations, from 0 to 1.
    share: f64,
    sheets: Vec<ScoreSheet>,
    gains: Vec<i32>,
    players: Players,
}

impl Archive {
    /// Returns the games of `seed`. A `share` of the games has evaluations (about 0.09 on lichess). The moves
    /// of all games come from at most `sheets` different games. Among fewer than `sheets` ×
    /// [`Players::COUNT`] games, no two have the same players, day and moves.
    pub fn new(seed: u64, share: f64, sheets: u64) -> Archive {
        let habits = Habits::of_tournaments();
        let sheets = ScoreSheet::pool(&habits, seed, sheets);
        Archive { seed, share, sheets, gains: habits.gains, players: Players::new() }
    }

    /// Returns the first `count` games.
    pub fn games(&self, count: u64) -> String {
        String::from_utf8(self.chunk(0, count)).expect("games in UTF-8")
    }

    /// Writes games in steps of 64 until there are at least `bytes` bytes. Returns the number of games.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written.
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
