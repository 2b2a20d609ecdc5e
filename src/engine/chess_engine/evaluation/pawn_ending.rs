//! King and pawn against king: a table of all won positions.

use std::sync::LazyLock;

use shakmaty::{Bitboard, Board, Chess, Color, Position, Square, attacks};

/// Number of sides that can be to move: the side with the pawn, or the side with the bare king.
const SIDES: usize = 2;

/// Number of pawn squares in the table: ranks 2 to 7 of the files a to d. Positions with the pawn on another
/// file are mirrored.
const PAWN_SQUARES: usize = 24;

/// The squares of the bare king in won positions, by side to move, pawn square and square of the pawn's king.
struct WonPositions([[[Bitboard; 64]; PAWN_SQUARES]; SIDES]);

const PAWN_SIDE: usize = 0;
const BARE_SIDE: usize = 1;

/// Returns whether a position has only king and pawn against king, and is drawn with best play.
pub(super) fn is_drawn(chess: &Chess) -> bool {
    static WON: LazyLock<WonPositions> = LazyLock::new(WonPositions::find);
    let board = chess.board();
    if board.occupied().count() != 3 {
        return false;
    }
    let Some(pawn) = board.pawns().single_square() else { return false };
    let strong = if board.white().contains(pawn) { Color::White } else { Color::Black };
    kings(board, strong).is_some_and(|(own, bare)| {
        // Squares are seen from the pawn's side and mirrored so that the pawn is on the files a to d.
        let seen = |square: Square| {
            let square = strong.fold_wb(square, square.flip_vertical());
            if pawn.file().to_u32() < 4 { square } else { square.flip_horizontal() }
        };
        let side = if chess.turn() == strong { PAWN_SIDE } else { BARE_SIDE };
        !WON.of(side, seen(pawn), seen(own)).contains(seen(bare))
    })
}

fn kings(board: &Board, strong: Color) -> Option<(Square, Square)> {
    board.king_of(strong).zip(board.king_of(!strong))
}

impl WonPositions {
    /// Finds all won positions, from the pawn squares on rank 7 back to those on rank 2. For each pawn
    /// square, it adds positions with a safe promotion and positions that lead to known wins, until it finds
    /// no more.
    fn find() -> WonPositions {
        let mut won = WonPositions([[[Bitboard::EMPTY; 64]; PAWN_SQUARES]; SIDES]);
        // Squares further ahead come first, because the pawn's steps lead to them.
        for pawn in pawn_squares().rev() {
            let mut grows = true;
            while grows {
                grows = false;
                for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                    let to_move =
                        [won.with_the_pawn_to_move(pawn, king), won.with_the_bare_king_to_move(pawn, king)];
                    for (side, found) in to_move.into_iter().enumerate() {
                        let known = &mut won.0[side][number(pawn)][king.to_usize()];
                        grows |= found != *known;
                        *known = found;
                    }
                }
            }
        }
        won
    }

    fn of(&self, side: usize, pawn: Square, king: Square) -> Bitboard {
        self.0[side][number(pawn)][king.to_usize()]
    }

    /// Returns the squares on which the bare king loses if the side with the pawn is to move, by the wins
    /// known so far.
    fn with_the_pawn_to_move(&self, pawn: Square, king: Square) -> Bitboard {
        let possible = !(taken(king, pawn) | attacks::pawn_attacks(Color::White, pawn));
        let by_king = attacks::king_attacks(king)
            .into_iter()
            .filter(|&to| to != pawn)
            .fold(Bitboard::EMPTY, |all, to| all | self.of(BARE_SIDE, pawn, to));
        possible & (by_king | self.by_step(pawn, king))
    }

    fn by_step(&self, pawn: Square, king: Square) -> Bitboard {
        let Some(step) = pawn.offset(8).filter(|&step| step != king) else { return Bitboard::EMPTY };
        let free = !Bitboard::from(step);
        let Some(second) = step.offset(8) else {
            // The promotion is safe if the bare king cannot take the new queen.
            let defended = attacks::king_attacks(king).contains(step);
            return if defended { free } else { free & !attacks::king_attacks(step) };
        };
        let won = free & self.of(BARE_SIDE, step, king);
        let is_free = pawn.rank() == shakmaty::Rank::Second && second != king;
        if is_free { won | free & !Bitboard::from(second) & self.of(BARE_SIDE, second, king) } else { won }
    }

    /// Returns the squares on which the bare king is to move and loses. It has a move there, and all its
    /// moves lead to wins known so far.
    fn with_the_bare_king_to_move(&self, pawn: Square, king: Square) -> Bitboard {
        let possible = !taken(king, pawn);
        let defended = attacks::king_attacks(king).contains(pawn);
        let pawns = if defended { Bitboard::from(pawn) } else { Bitboard::EMPTY };
        let targets =
            !(attacks::king_attacks(king) | king | pawns | attacks::pawn_attacks(Color::White, pawn));
        possible & next_to(targets) & !next_to(targets & !self.of(PAWN_SIDE, pawn, king))
    }
}

fn pawn_squares() -> impl DoubleEndedIterator<Item = Square> {
    Square::ALL
        .into_iter()
        .filter(|square| square.file().to_u32() < 4 && !Bitboard::BACKRANKS.contains(*square))
}

/// Returns the index of a pawn square in the table. The squares are numbered rank by rank.
fn number(pawn: Square) -> usize {
    4 * (pawn.rank().to_usize() - 1) + pawn.file().to_usize()
}

/// Returns the squares where the bare king cannot be, regardless of the side to move.
fn taken(king: Square, pawn: Square) -> Bitboard {
    attacks::king_attacks(king) | king | pawn
}

/// Returns the squares from which a king reaches one of `squares` in one move.
fn next_to(squares: Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks::king_attacks(square))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_positions_are_won_as_in_published_tables() {
        // The counts are by side to move and for all eight files, as in the statistics of Syzygy's KPvK
        // table.
        let won = WonPositions::find();
        let count = |side: usize| -> usize {
            2 * won.0[side].iter().flatten().map(|squares| squares.count()).sum::<usize>()
        };
        assert_eq!([PAWN_SIDE, BARE_SIDE].map(count), [124_960, 97_604]);
    }
}
