//! Move generation for the quiescence search: captures and promotions only.

use shakmaty::{Bitboard, Board, Chess, Color, File, Move, MoveList, Position, Role, Square, attacks};

use super::position::KeyedPosition;

/// Lists the legal captures and promotions of the side to move, in the same order as `legal_moves`. The side
/// must not be in check.
pub(super) fn captures_and_promotions(chess: &Chess) -> MoveList {
    let mut moves =
        if chess.maybe_ep_square().is_some() { chess.en_passant_moves() } else { MoveList::new() };
    let Some(king) = chess.board().king_of(chess.turn()) else { return moves };
    let unpassing = moves.len();
    push_pawn_moves(chess, &mut moves);
    push_piece_captures(chess, &mut moves);
    let pinned = blockers(chess.board(), chess.them(), king);
    if pinned.any() {
        let mut index = 0;
        moves.retain(|m| {
            index += 1;
            index <= unpassing
                || m.from().is_none_or(|from| !pinned.contains(from) || attacks::aligned(from, m.to(), king))
        });
    }
    push_king_captures(chess, king, &mut moves);
    moves
}

/// Returns whether the side to move has a legal move. The side must not be in check.
pub(super) fn has_a_move(position: &KeyedPosition) -> bool {
    let chess = position.chess();
    let pawns = chess.our(Role::Pawn);
    let Some(king) = chess.board().king_of(chess.turn()) else { return false };
    // Nearly always an unpinned pawn can step forward, which is found at once.
    let steps = (pawns & !blockers(chess.board(), chess.them(), king)).shift(forward(chess.turn()))
        & !chess.board().occupied();
    steps.any() || !chess.legal_moves().is_empty()
}

fn forward(turn: Color) -> i32 {
    turn.fold_wb(8, -8)
}

fn push_pawn_moves(chess: &Chess, moves: &mut MoveList) {
    let (pawns, board) = (chess.our(Role::Pawn), chess.board());
    let ahead = forward(chess.turn());
    let wings = [
        (pawns & !Bitboard::from_file(File::A), ahead - 1),
        (pawns & !Bitboard::from_file(File::H), ahead + 1),
    ];
    for (pawns, offset) in wings {
        let targets = pawns.shift(offset) & chess.them();
        for to in targets & !Bitboard::BACKRANKS {
            if let Some(from) = to.offset(-offset) {
                let capture = board.role_at(to);
                moves.push(Move::Normal { role: Role::Pawn, from, capture, to, promotion: None });
            }
        }
        push_promotions(board, targets, offset, moves);
    }
    push_promotions(board, pawns.shift(ahead) & !board.occupied(), ahead, moves);
}

fn push_promotions(board: &Board, targets: Bitboard, offset: i32, moves: &mut MoveList) {
    for to in targets & Bitboard::BACKRANKS {
        let Some(from) = to.offset(-offset) else { continue };
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            moves.push(Move::Normal {
                role: Role::Pawn,
                from,
                capture: board.role_at(to),
                to,
                promotion: Some(role),
            });
        }
    }
}

fn push_piece_captures(chess: &Chess, moves: &mut MoveList) {
    let board = chess.board();
    let (them, occupied) = (chess.them(), board.occupied());
    for from in chess.our(Role::Knight) {
        push_captures(board, Role::Knight, from, attacks::knight_attacks(from) & them, moves);
    }
    for from in chess.our(Role::Bishop) {
        push_captures(board, Role::Bishop, from, attacks::bishop_attacks(from, occupied) & them, moves);
    }
    for from in chess.our(Role::Rook) {
        push_captures(board, Role::Rook, from, attacks::rook_attacks(from, occupied) & them, moves);
    }
    for from in chess.our(Role::Queen) {
        push_captures(board, Role::Queen, from, attacks::queen_attacks(from, occupied) & them, moves);
    }
}

fn push_king_captures(chess: &Chess, king: Square, moves: &mut MoveList) {
    let board = chess.board();
    for to in attacks::king_attacks(king) & chess.them() {
        if board.attacks_to(to, !chess.turn(), board.occupied()).is_empty() {
            push_captures(board, Role::King, king, Bitboard::from_square(to), moves);
        }
    }
}

#[inline(always)]
fn push_captures(board: &Board, role: Role, from: Square, targets: Bitboard, moves: &mut MoveList) {
    for to in targets {
        moves.push(Move::Normal { role, from, capture: board.role_at(to), to, promotion: None });
    }
}

/// Returns the pieces of either side that are alone between a king and an enemy queen, rook or bishop.
fn blockers(board: &Board, enemy: Bitboard, king: Square) -> Bitboard {
    let snipers = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()
        | attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let between =
        (snipers & enemy).into_iter().map(|sniper| attacks::between(king, sniper) & board.occupied());
    between.filter(|pieces| !pieces.more_than_one()).fold(Bitboard::EMPTY, |all, one| all | one)
}
