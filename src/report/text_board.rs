//! The board in a terminal: pieces in Unicode or as letters, with or without colors.

use shakmaty::{Board, Color, File, Rank, Square, uci::UciMove};

use super::html::board::glyph;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextBoard {
    /// True to draw pieces as letters (capitals for White) instead of Unicode symbols.
    pub ascii: bool,
    pub colors: bool,
    /// True to draw the board from Black's side.
    pub flipped: bool,
}

/// Colors of squares, as numbers of the 256 terminal colors: light and dark squares, then light and dark
/// squares of the last move.
const SQUARES: [[u8; 2]; 2] = [[180, 137], [186, 142]];

/// Colors of White's and of Black's pieces, as numbers of the 256 terminal colors.
const PIECES: [u8; 2] = [231, 16];

impl TextBoard {
    /// Returns the board in nine lines. The squares of the `last` move have another color; without colors,
    /// they are in brackets.
    pub fn drawn(self, board: &Board, last: Option<UciMove>) -> String {
        let marked = match last {
            Some(UciMove::Normal { from, to, .. }) => vec![from, to],
            _ => Vec::new(),
        };
        let mut text = String::new();
        for rank in self.order(Rank::ALL).into_iter().rev() {
            text.push_str(&format!(" {} ", rank.char()));
            for file in self.order(File::ALL) {
                let square = Square::from_coords(file, rank);
                text.push_str(&self.square(board, square, marked.contains(&square)));
            }
            text.push('\n');
        }
        let files = self.order(File::ALL).map(|file| format!(" {} ", file.char()));
        text.push_str(&format!("   {}\n", files.concat().trim_end()));
        text
    }

    /// Reverses files or ranks if the board is drawn from Black's side.
    fn order<T, const N: usize>(self, mut all: [T; N]) -> [T; N] {
        if self.flipped {
            all.reverse();
        }
        all
    }

    fn square(self, board: &Board, square: Square, is_marked: bool) -> String {
        let piece = board.piece_at(square);
        if self.colors {
            let ground = SQUARES[usize::from(is_marked)][usize::from(square.is_dark())];
            let (ink, shape) = match piece {
                // Both sides have the filled shapes, because their color distinguishes them.
                Some(piece) if self.ascii => (PIECES[piece.color.fold_wb(0, 1)], piece.char()),
                Some(piece) => (PIECES[piece.color.fold_wb(0, 1)], glyph(piece.role.of(Color::Black))),
                None => (PIECES[1], ' '),
            };
            return format!("\u{1b}[48;5;{ground};38;5;{ink}m {shape} \u{1b}[0m");
        }
        let shape = match piece {
            Some(piece) if self.ascii => piece.char(),
            Some(piece) => glyph(piece),
            None if self.ascii => '.',
            None => '·',
        };
        if is_marked { format!("[{shape}]") } else { format!(" {shape} ") }.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_show_the_board_from_either_side_with_the_last_move() {
        let e4 = "e2e4".parse::<UciMove>().expect("a move");
        let board =
            Board::from_ascii_board_fen(b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR").expect("a board");
        let ascii = TextBoard { ascii: true, ..TextBoard::default() };
        assert_eq!(
            ascii.drawn(&board, Some(e4)),
            " 8  r  n  b  q  k  b  n  r \n 7  p  p  p  p  p  p  p  p \n 6  .  .  .  .  .  .  .  . \n \
             5  .  .  .  .  .  .  .  . \n 4  .  .  .  . [P] .  .  . \n 3  .  .  .  .  .  .  .  . \n \
             2  P  P  P  P [.] P  P  P \n 1  R  N  B  Q  K  B  N  R \n    a  b  c  d  e  f  g  h\n"
        );
        let black = TextBoard { flipped: true, ..ascii }.drawn(&board, None);
        assert!(
            black.starts_with(" 1  R  N  B  K  Q  B  N  R \n")
                && black.ends_with(" h  g  f  e  d  c  b  a\n"),
            "{black}"
        );
    }

    #[test]
    fn pieces_of_unicode_are_outlined_or_filled_and_with_colors_all_are_filled() {
        let board = Board::from_ascii_board_fen(b"7k/8/8/8/8/8/8/K7").expect("a board");
        let plain = TextBoard::default().drawn(&board, None);
        assert!(
            plain.contains('♔') && plain.contains('♚') && plain.contains('·') && !plain.contains('\u{1b}')
        );
        let colored = TextBoard { colors: true, ..TextBoard::default() }.drawn(&board, None);
        assert!(
            !colored.contains('♔') && colored.contains("\u{1b}[48;5;137;38;5;231m ♚ \u{1b}[0m"),
            "{colored}"
        );
        assert_eq!(colored.matches("\u{1b}[0m").count(), 64);
    }
}
