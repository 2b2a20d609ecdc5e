//! Owns the rule of the weights that nobody learned: the paper's Table 1, and squares of our own.

use shakmaty::{Rank, Square};

use super::{feature::Feature, weights::RawWeights};
use crate::engine::chess_engine::evaluation::distance_from_centre;

/// The twelve numbers of Table 1 of the paper, in the order of the features, in centipawns.
const TABLE_1: [i32; Feature::FIRST_SQUARE] = [100, 300, 300, 500, 900, -10, -20, -8, 20, 10, 15, 20];

/// Makes the weights by their rule, in centipawns.
///
/// A pawn on the files d and e gets 6 for each rank beyond its first, on c and f 3, elsewhere 1. A knight gets 12 − 6·d and a
/// bishop 8 − 4·d, where d are the steps by rank and file from the four squares in the centre (0 to 6). A king with enough
/// enemy pieces on the board loses 20 for each rank that it has gone (60 at most), and on its first rank gets 20 on the files
/// a, b, g and h and loses 10 on c to f; in the endgame it gets 24 − 12·d.
pub(super) fn raw() -> RawWeights {
    std::array::from_fn(|index| {
        let square = Feature::from_index(index).and_then(Feature::board_and_square);
        f64::from(square.map_or_else(|| TABLE_1[index], |(board, square)| square_value(board, square)))
    })
}

fn square_value(board: usize, square: Square) -> i32 {
    let (rank, distance) = (square.rank().to_usize() as i32, distance_from_centre(square));
    if !Feature::can_stand(board, square) {
        return 0;
    }
    match board {
        0 => (rank - 1) * [1, 1, 3, 6, 6, 3, 1, 1][square.file().to_usize()],
        1 => 12 - 6 * distance,
        2 => 8 - 4 * distance,
        Feature::KING_BOARD if square.rank() == Rank::First => {
            [20, 20, -10, -10, -10, -10, 20, 20][square.file().to_usize()]
        }
        Feature::KING_BOARD => -20 * rank.min(3),
        _ => 24 - 12 * distance,
    }
}
