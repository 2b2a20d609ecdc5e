//! Text of variations, rebuilt from their tokens, and the numbering of moves.

use shakmaty::{Chess, Color, Position, san::SanPlus, uci::UciMove};

use super::write::comment;

/// The number and the side of the first move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbering {
    pub first: u32,
    pub black_first: bool,
}

impl Numbering {
    pub fn of(start: &Chess) -> Numbering {
        Numbering { first: start.fullmoves().get(), black_first: start.turn() == Color::Black }
    }

    /// Returns the number of the move after `plies` plies.
    pub fn number(self, plies: usize) -> u32 {
        let later = u32::try_from((plies + usize::from(self.black_first)) / 2).unwrap_or(u32::MAX);
        self.first.saturating_add(later)
    }

    pub fn is_black(self, plies: usize) -> bool {
        (plies % 2 == 1) != self.black_first
    }
}

/// Formats a variation that begins in `position`, with move numbers. The text has at most the first `most` of
/// `moves`, and ends before the first illegal move.
pub fn variation(position: &Chess, moves: &[UciMove], most: usize) -> String {
    let mut position = position.clone();
    let numbering = Numbering::of(&position);
    let mut text = VariationText::default();
    text.open(1);
    for uci in moves.iter().take(most) {
        let Ok(m) = uci.to_move(&position) else { break };
        text.san(SanPlus::from_move_and_play_unchecked(&mut position, m), numbering);
    }
    text.close().unwrap_or_default()
}

/// The variation being read, and the variations nested in it.
///
/// The open variations are kept in a `Vec`, not by recursion, so ten thousand nested variations do no harm.
#[derive(Debug, Clone, Default)]
pub(super) struct VariationText {
    text: String,
    /// For each open variation, the number of plies before its next move.
    plies: Vec<usize>,
    interrupted: bool,
}

impl VariationText {
    pub fn is_open(&self) -> bool {
        !self.plies.is_empty()
    }

    /// Begins a variation. Its first move replaces the last move of the open variation. If none is open, it
    /// replaces the last of the first `plies` moves of the main line.
    pub fn open(&mut self, plies: usize) {
        let plies = self.plies.last().copied().unwrap_or(plies).saturating_sub(1);
        if self.is_open() {
            self.word("(");
        }
        self.plies.push(plies);
        self.interrupted = true;
    }

    /// Ends the innermost open variation. If it was the last open variation, returns the whole text without
    /// the outer parentheses; otherwise `None`.
    pub fn close(&mut self) -> Option<String> {
        self.plies.pop()?;
        self.interrupted = true;
        if self.is_open() {
            self.text.push(')');
            return None;
        }
        Some(std::mem::take(&mut self.text))
    }

    pub fn san(&mut self, san: SanPlus, numbering: Numbering) {
        let Some(plies) = self.plies.last_mut() else { return };
        let (number, black) = (numbering.number(*plies), numbering.is_black(*plies));
        *plies += 1;
        if !black {
            self.word(&format!("{number}."));
        } else if self.interrupted {
            self.word(&format!("{number}..."));
        }
        self.word(&san.to_string());
        self.interrupted = false;
    }

    pub fn nag(&mut self, nag: u8) {
        self.word(&format!("${nag}"));
        self.interrupted = true;
    }

    /// Adds a comment. `text` must not be empty.
    pub fn comment(&mut self, text: &str) {
        self.word(&comment(text));
        self.interrupted = true;
    }

    fn word(&mut self, word: &str) {
        if !self.text.is_empty() && !self.text.ends_with('(') {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_has_numbers_and_ends_where_a_move_is_not_legal() {
        let moves = ["e2e4", "c7c5", "g1f3", "d7d6"].map(|uci| uci.parse().expect("a move"));
        let start = Chess::default();
        assert_eq!(variation(&start, &moves, 3), "1. e4 c5 2. Nf3");
        let first = moves[0].to_move(&start).expect("legal");
        let after = start.play(first).expect("legal");
        assert_eq!(variation(&after, &moves[1..], 9), "1... c5 2. Nf3 d6");
        assert_eq!(variation(&after, &moves, 9), "");
    }
}
