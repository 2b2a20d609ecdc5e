//! The function that finds the features of a position, shared by evaluation, training and listing.

use shakmaty::{Board, ByColor, Color, Role, Square};

use super::feature::Feature;

/// The count of a feature that occurs once. It is the usual value, in centipawns, of one side's knights,
/// bishops, rooks and queen in the initial position. Before the endgame, the count of a king's square is the
/// value of the opponent's remaining pieces: a fraction of [`ONE`], but a whole number.
pub const ONE: i32 = 3100;

/// A king is in the endgame if the opponent's pieces, pawns excluded, are worth at most this number of
/// centipawns.
const ENDGAME: i32 = 1200;

/// The rank in [`RearmostPawns`] of a file without pawns. It is greater than the rank of any pawn.
const NO_PAWN: usize = 7;

/// A receiver of features.
pub trait FeatureSink {
    /// Receives a feature of `color`: `count` is its number of occurrences times [`ONE`], and `at` its
    /// square, if it has one.
    fn add(&mut self, feature: Feature, color: Color, count: i32, at: Option<Square>);
}

/// Finds all features of a board and passes them to `sink`.
///
/// Features that depend on other pawns consider only the rearmost pawn of each file. A feature of a king's
/// square has the count [`ONE`] in the endgame. Before the endgame, its count is the value of the opponent's
/// pieces in centipawns, which is then above 1200.
pub fn emit_features(board: &Board, sink: &mut impl FeatureSink) {
    let rearmost = ByColor::new_with(|color| rearmost_pawns(board, color));
    for color in Color::ALL {
        emit_pieces(board, color, sink);
        let (own, enemy) = (rearmost.get(color), rearmost.get(!color));
        for pawn in board.by_color(color) & board.pawns() {
            emit_pawn(pawn, color, own, enemy, sink);
        }
        for rook in board.by_color(color) & board.rooks() {
            emit_rook(rook, color, own, enemy, sink);
        }
        emit_king(board, color, sink);
    }
}

/// The ranks of one side's rearmost pawns by file. Rank 0 is the side's back rank. The array begins and ends
/// with an additional file without pawns, so that every file has two neighbors.
type RearmostPawns = [usize; 10];

fn rearmost_pawns(board: &Board, color: Color) -> RearmostPawns {
    let mut ranks = [NO_PAWN; 10];
    for pawn in board.by_color(color) & board.pawns() {
        let rank = &mut ranks[place(pawn)];
        *rank = relative(pawn, color).rank().to_usize().min(*rank);
    }
    ranks
}

/// Returns the index of a square's file in [`RearmostPawns`].
fn place(square: Square) -> usize {
    square.file().to_usize() + 1
}

/// Returns a square as seen by `color`.
fn relative(square: Square, color: Color) -> Square {
    color.fold_wb(square, square.flip_vertical())
}

fn emit_pieces(board: &Board, color: Color, sink: &mut impl FeatureSink) {
    for role in Role::ALL {
        let Some(feature) = Feature::of_role(role) else { continue };
        for square in board.by_color(color) & board.by_role(role) {
            sink.add(feature, color, ONE, Some(square));
            // Rooks and queens have no square features.
            if let Some(table) =
                [Role::Pawn, Role::Knight, Role::Bishop].iter().position(|&other| other == role)
            {
                sink.add(Feature::on(table, relative(square, color)), color, ONE, Some(square));
            }
        }
    }
}

fn emit_pawn(
    pawn: Square,
    color: Color,
    own: &RearmostPawns,
    enemy: &RearmostPawns,
    sink: &mut impl FeatureSink,
) {
    let (file, rank) = (place(pawn), relative(pawn, color).rank().to_usize());
    let neighbors = [own[file - 1], own[file + 1]];
    if own[file] < rank {
        sink.add(Feature::DOUBLED, color, ONE, Some(pawn));
    }
    if neighbors == [NO_PAWN; 2] {
        sink.add(Feature::ISOLATED, color, ONE, Some(pawn));
    } else if neighbors.iter().all(|&other| other > rank) {
        sink.add(Feature::BACKWARD, color, ONE, Some(pawn));
    }
    // An enemy pawn next to the pawn or behind it does not stop the pawn.
    if enemy[file - 1..=file + 1].iter().all(|&other| 7 - other <= rank) {
        sink.add(Feature::PASSED, color, ONE * rank as i32, Some(pawn));
    }
}

fn emit_rook(
    rook: Square,
    color: Color,
    own: &RearmostPawns,
    enemy: &RearmostPawns,
    sink: &mut impl FeatureSink,
) {
    let file = place(rook);
    if own[file] == NO_PAWN {
        let feature = if enemy[file] == NO_PAWN { Feature::OPEN } else { Feature::HALF_OPEN };
        sink.add(feature, color, ONE, Some(rook));
    }
    if relative(rook, color).rank().to_usize() == 6 {
        sink.add(Feature::SEVENTH, color, ONE, Some(rook));
    }
}

fn emit_king(board: &Board, color: Color, sink: &mut impl FeatureSink) {
    let Some(king) = board.king_of(color) else { return };
    let pieces = pieces_value(board, !color);
    let (table, count) = match pieces <= ENDGAME {
        true => (Feature::ENDGAME_KING_BOARD, ONE),
        false => (Feature::KING_BOARD, pieces),
    };
    sink.add(Feature::on(table, relative(king, color)), color, count, Some(king));
}

/// Returns the value of a side's pieces, pawns excluded, in centipawns.
fn pieces_value(board: &Board, color: Color) -> i32 {
    let worth = |role| (board.by_color(color) & board.by_role(role)).count() as i32 * piece_value(role);
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().map(worth).sum()
}

/// Returns the usual value of a piece in centipawns; 0 for the king. This value measures the remaining
/// material independently of the weights.
pub(super) fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}
