//! The function that finds the features of a position, shared by evaluation, training and listing.

use shakmaty::{Board, ByColor, Color, Role, Square};

use super::feature::Feature;

/// The count of a feature that occurs once: the beginners' value in centipawns of one side's pieces at the
/// start. In this unit a king's square, scaled by the opponent's remaining pieces, has a whole count too.
pub const ONE: i32 = 3100;

/// The endgame threshold for a king: the opponent's pieces without pawns, in centipawns.
const ENDGAME: i32 = 1200;

/// The rank of the rearmost pawn of a file without pawns, beyond all real ranks, which count from 0.
const NO_PAWN: usize = 7;

/// A receiver of features.
pub trait FeatureSink {
    /// Receives a feature that `color` has, `count` times in units of 1 / [`ONE`], with its square if it has
    /// one.
    fn add(&mut self, feature: Feature, color: Color, count: i32, at: Option<Square>);
}

/// Finds all features of a board and passes them to `sink`.
///
/// Features that depend on other pawns use only the rearmost pawn of each file. The king's square counts with
/// the opponent's pieces over 3100 while those are more than 1200.
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

/// The rank of the rearmost pawn of each file, as its side counts ranks from 0. A file beyond each edge has
/// none.
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

/// Returns a square as seen by its side.
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
    let neighbours = [own[file - 1], own[file + 1]];
    if own[file] < rank {
        sink.add(Feature::DOUBLED, color, ONE, Some(pawn));
    }
    if neighbours == [NO_PAWN; 2] {
        sink.add(Feature::ISOLATED, color, ONE, Some(pawn));
    } else if neighbours.iter().all(|&other| other > rank) {
        sink.add(Feature::BACKWARD, color, ONE, Some(pawn));
    }
    // An enemy pawn next to it or behind it does not stop it.
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

/// Returns the value of a side's pieces without pawns, in centipawns.
fn pieces_value(board: &Board, color: Color) -> i32 {
    let worth = |role| (board.by_color(color) & board.by_role(role)).count() as i32 * piece_value(role);
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().map(worth).sum()
}

/// Returns the beginners' value of a piece. It measures the remaining material independently of the weights.
pub(super) fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}
