//! The reason why a move is illegal, for the person who tried it.

use shakmaty::{
    Bitboard, CastlingSide, Chess, Piece, Position, Role, Square, attacks, san::San, uci::UciMove,
};

/// The reason why a piece cannot go to a square. Later variants are closer to a legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Obstacle {
    /// The piece does not move like that.
    Reach,
    /// A pawn moves diagonally only to capture.
    NothingToCapture,
    /// A piece is on the way, or on the square ahead of a pawn.
    Blocked(Square),
    OwnPiece,
    /// The king would move to an attacked square.
    Attacked,
    Check,
    /// The king would come into check.
    Pinned,
    /// A pawn on the last rank must promote.
    Promotion,
    /// Only a pawn on the last rank promotes, and neither to a pawn nor to a king.
    NoPromotion,
}

/// Returns the reason why a move in UCI notation is illegal.
pub(super) fn of_uci(position: &Chess, uci: UciMove) -> String {
    let UciMove::Normal { from, to, promotion } = uci else { return "there is no such move in chess".into() };
    match position.board().piece_at(from) {
        None => format!("there is no piece on {from}"),
        Some(piece) if piece.color != position.turn() => {
            format!("the {} on {from} is your opponent's", name(piece.role))
        }
        Some(piece) if piece.role == Role::King && from.distance(to) == 2 && from.rank() == to.rank() => {
            of_castling(position, if to > from { CastlingSide::KingSide } else { CastlingSide::QueenSide })
        }
        Some(piece) => worded(piece.role, from, to, obstacle(position, piece, from, to, promotion)),
    }
}

/// Returns the reason why a move in SAN is illegal.
pub(super) fn of_san(position: &Chess, san: &San) -> String {
    match san {
        San::Normal { role, capture: true, to, .. }
            if *role != Role::Pawn && position.board().piece_at(*to).is_none() =>
        {
            format!("there is nothing to capture on {to}")
        }
        San::Normal { role, file, rank, to, promotion, .. } => {
            let own = position.board().by_piece(role.of(position.turn()));
            let on_file = file.map_or(Bitboard::FULL, Bitboard::from_file);
            let on_rank = rank.map_or(Bitboard::FULL, Bitboard::from_rank);
            // A pawn that does not capture stays on its file.
            let ahead = match (role, file) {
                (Role::Pawn, None) => Bitboard::from_file(to.file()),
                _ => Bitboard::FULL,
            };
            let pieces = own & on_file & on_rank & ahead;
            let piece = role.of(position.turn());
            let nearest = pieces
                .into_iter()
                .map(|from| (obstacle(position, piece, from, *to, *promotion), from))
                .max_by_key(|(obstacle, _)| *obstacle);
            match nearest {
                None if !own.is_empty() => format!("you have no {} there", name(*role)),
                None => format!("you have no {}", name(*role)),
                Some((Obstacle::Reach, _)) if pieces.count() > 1 => {
                    format!("none of your {}s can go to {to}", name(*role))
                }
                Some((obstacle, from)) => worded(*role, from, *to, obstacle),
            }
        }
        San::Castle(side) => of_castling(position, *side),
        San::Put { .. } | San::Null => "there is no such move in chess".to_owned(),
    }
}

fn of_castling(position: &Chess, side: CastlingSide) -> String {
    let (turn, castles, board) = (position.turn(), position.castles(), position.board());
    let king = board.king_of(turn);
    let (Some(_), Some(king)) = (castles.rook(turn, side), king) else {
        return "you may not castle on that side: the king or the rook has moved".to_owned();
    };
    if let Some(between) = (castles.path(turn, side) & board.occupied()).first() {
        return format!("the piece on {between} blocks castling");
    }
    if position.is_check() {
        return "the king may not castle out of check".to_owned();
    }
    let to = side.king_to(turn);
    let way = attacks::between(king, to).with(to);
    let attacked = way.into_iter().find(|&square| is_attacked(position, square));
    let attacked = attacked.map_or("that square".to_owned(), |square| square.to_string());
    format!("{attacked} is attacked: a castling king may not cross it or land on it")
}

fn is_attacked(position: &Chess, square: Square) -> bool {
    let occupied = position.board().occupied();
    !position.board().attacks_to(square, !position.turn(), occupied).is_empty()
}

fn obstacle(position: &Chess, piece: Piece, from: Square, to: Square, promotion: Option<Role>) -> Obstacle {
    let board = position.board();
    if piece.role == Role::Pawn && from.file() == to.file() {
        let steps = piece.color.fold_wb(1, -1) * (i32::from(to.rank()) - i32::from(from.rank()));
        let is_home = piece.color.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh) == from.rank();
        if steps != 1 && !(steps == 2 && is_home) {
            return Obstacle::Reach;
        }
        let ahead = attacks::between(from, to).with(to);
        if let Some(square) = (ahead & board.occupied()).first() {
            return Obstacle::Blocked(square);
        }
    } else {
        if !attacks::attacks(from, piece, Bitboard::EMPTY).contains(to) {
            return Obstacle::Reach;
        }
        if let Some(square) = (attacks::between(from, to) & board.occupied()).first() {
            return Obstacle::Blocked(square);
        }
        if board.by_color(piece.color).contains(to) {
            return Obstacle::OwnPiece;
        }
        if piece.role == Role::Pawn && board.piece_at(to).is_none() {
            return Obstacle::NothingToCapture;
        }
    }
    let promotes = piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
    let is_promotion = |to: Role| promotes && !matches!(to, Role::Pawn | Role::King);
    match piece.role {
        _ if promotion.is_some_and(|to| !is_promotion(to)) => Obstacle::NoPromotion,
        Role::King => Obstacle::Attacked,
        _ if promotes && promotion.is_none() => Obstacle::Promotion,
        _ if position.is_check() => Obstacle::Check,
        _ => Obstacle::Pinned,
    }
}

fn worded(role: Role, from: Square, to: Square, obstacle: Obstacle) -> String {
    let name = name(role);
    match obstacle {
        Obstacle::Reach => format!("the {name} on {from} cannot go to {to}"),
        Obstacle::NothingToCapture => format!("there is nothing to capture on {to}"),
        Obstacle::Blocked(square) => format!("the piece on {square} blocks the {name} on {from}"),
        Obstacle::OwnPiece => format!("your own piece is on {to}"),
        Obstacle::Attacked => format!("your king would be in check on {to}"),
        Obstacle::Check => "your king is in check and would stay in check".to_owned(),
        Obstacle::Pinned => format!("the {name} on {from} is pinned: your king would be in check"),
        Obstacle::NoPromotion => "there is no such promotion".to_owned(),
        Obstacle::Promotion => format!("the pawn promotes on {to}: add a piece, such as q for a queen"),
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
