//! Owns the pictures: gains, expected scores, performances and games, as PNG and SVG.

pub mod canvas;
pub mod field;
pub mod font;
pub mod format;
pub mod gains;
pub mod game;
pub mod histogram;
pub mod labels;
pub mod performance;
pub mod scores;

use crate::text::{counted, cut, printable};

/// What stands below the titles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caption {
    /// Who evaluated and how far: `Stockfish 15.1, depth 20`.
    pub engine: String,
    /// How many filters leave moves out; there is no room for their names.
    pub filters: usize,
}

impl Caption {
    /// The line below a player's name.
    fn line(&self, moves: u64) -> String {
        self.after(format!("Gain of each move, {}", counted(moves, "move")))
    }

    /// The line below a title of the whole field, which says when it is not whole.
    fn field(&self, shown: usize, players: usize) -> String {
        self.after(if shown == players {
            counted(players as u64, "player")
        } else {
            format!("the first {shown} of {players} players")
        })
    }

    /// The line of a picture that shows all moves, whatever the filters.
    fn of_all_moves(&self, text: String) -> String {
        Caption { filters: 0, ..self.clone() }.after(text)
    }

    fn after(&self, text: String) -> String {
        let filters = (self.filters > 0)
            .then(|| format!("{} (see the tables)", counted(self.filters as u64, "filter")));
        let engine = (!self.engine.is_empty()).then(|| cut(&printable(&self.engine), 60));
        [engine, filters].into_iter().flatten().fold(text, |text, more| format!("{text}, {more}"))
    }
}

/// A name as pictures show it: safe, and no longer than a title.
fn label(name: &str) -> String {
    cut(&printable(name), 48)
}

/// A share with one decimal, as in `29.3 %`.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
