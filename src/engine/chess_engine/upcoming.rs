//! A table of piece moves by their change of a position's key, with which the search foresees repetitions.

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::zobrist;

/// Number of places of the table: more than twice the number of moves, and a power of 2.
const PLACES: usize = 1 << 13;

/// Each change of a key, with the two squares between which a piece moves in either direction. Each entry is
/// at the place of its lowest bits or at the next free place; a change of 0 marks a free place.
static MOVES: LazyLock<Vec<(u64, [Square; 2])>> = LazyLock::new(|| {
    let mut table = vec![(0, [Square::A1; 2]); PLACES];
    for piece in Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color))) {
        if piece.role == Role::Pawn {
            continue;
        }
        for from in Square::ALL {
            for to in attacks::attacks(from, piece, Bitboard::EMPTY).into_iter().filter(|&to| from < to) {
                let change = zobrist::piece(piece, from) ^ zobrist::piece(piece, to);
                let place = place(&table, change);
                table[place] = (change, [from, to]);
            }
        }
    }
    table
});

/// Returns the place of a change in the table, or the free place where it would be.
fn place(table: &[(u64, [Square; 2])], change: u64) -> usize {
    let mut place = change as usize % PLACES;
    while table[place].0 != change && table[place].0 != 0 {
        place = (place + 1) % PLACES;
    }
    place
}

/// Returns the two squares of the move that changes a key by `change`, not counting the change of the side to
/// move. Returns `None` if there is no such move. Pawn moves and castling are left out.
pub(super) fn move_between(change: u64) -> Option<[Square; 2]> {
    let (found, squares) = MOVES[place(&MOVES, change)];
    (found != 0).then_some(squares)
}
