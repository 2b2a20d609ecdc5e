//! Piece terms: mobility, outposts, rooks on files, and threats.

use shakmaty::{Bitboard, ByColor, Color, Rank, Role, Square, attacks};

use super::{
    terms::BISHOP_MOBILITY, terms::HANGING, terms::KNIGHT_MOBILITY, terms::MINOR_THREAT, terms::OUTPOST,
    terms::PAWN_PUSH_THREAT, terms::PAWN_THREAT, terms::QUEEN_MOBILITY, terms::ROOK_MOBILITY,
    terms::ROOK_ON_HALF_OPEN_FILE, terms::ROOK_ON_OPEN_FILE, terms::ROOK_ON_SEVENTH, terms::ROOK_THREAT,
    terms::Term, view::Attacks, view::Sink, view::View, view::attacked_by_pawns, view::in_front_of,
    view::king_zone, view::piece_attacks, view::relative_rank, view::widened,
};

/// Finds the terms for the mobility of a side's pieces, for outposts and for rooks on files. Returns the
/// squares that the side attacks.
#[inline(always)]
pub(super) fn emit_mobility(view: &View<'_>, color: Color, sink: &mut impl Sink) -> Attacks {
    let king = *view.kings.get(color);
    let own_pawns = *view.pawns.get(color);
    let area = !(own_pawns | Bitboard::from_square(king) | *view.pawn_attacks.get(!color));
    let zone = king_zone(*view.kings.get(!color), !color);
    let by_pawns = *view.pawn_attacks.get(color);
    let mut found = Attacks {
        all: by_pawns,
        twice: Bitboard::EMPTY,
        without_king: Bitboard::EMPTY,
        knights: Bitboard::EMPTY,
        bishops: Bitboard::EMPTY,
        rooks: Bitboard::EMPTY,
        queens: Bitboard::EMPTY,
        on_king: 0,
    };
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for square in view.of_role(color, role) {
            let attacked = piece_attacks(role, square, view.occupied);
            sink.add(mobility(role, (attacked & area).count()), color, 1, Some(square));
            found.twice |= found.all & attacked;
            found.all |= attacked;
            match role {
                Role::Knight => {
                    found.knights |= attacked;
                    emit_outpost(view, color, role, square, sink);
                }
                Role::Bishop => {
                    found.bishops |= attacked;
                    emit_outpost(view, color, role, square, sink);
                }
                Role::Rook => {
                    found.rooks |= attacked;
                    emit_rook(view, color, square, sink);
                }
                _ => found.queens |= attacked,
            }
            let near_king = attacked & zone;
            if near_king.any() {
                found.on_king += attack_units(role) + near_king.count();
            }
        }
    }
    let by_king = attacks::king_attacks(king);
    found.without_king = found.all;
    found.twice |= found.all & by_king;
    found.all |= by_king;
    found
}

#[inline(always)]
fn mobility(role: Role, squares: usize) -> Term {
    match role {
        Role::Knight => KNIGHT_MOBILITY.at(squares),
        Role::Bishop => BISHOP_MOBILITY.at(squares),
        Role::Rook => ROOK_MOBILITY.at(squares),
        _ => QUEEN_MOBILITY.at(squares),
    }
}

/// Returns the fixed part of a piece's contribution to the attack on the enemy king. The variable part is the
/// number of squares near the king that the piece attacks. A piece that attacks no square near the king
/// contributes nothing.
#[inline(always)]
fn attack_units(role: Role) -> usize {
    match role {
        Role::Queen => 4,
        Role::Rook => 2,
        _ => 1,
    }
}

#[inline(always)]
fn emit_rook(view: &View<'_>, color: Color, square: Square, sink: &mut impl Sink) {
    let file = Bitboard::from_file(square.file());
    if (file & view.board.pawns()).is_empty() {
        sink.add(ROOK_ON_OPEN_FILE.at(0), color, 1, Some(square));
    } else if (file & *view.pawns.get(color)).is_empty() {
        sink.add(ROOK_ON_HALF_OPEN_FILE.at(0), color, 1, Some(square));
    }
    if relative_rank(square, color) == 6 {
        sink.add(ROOK_ON_SEVENTH.at(0), color, 1, Some(square));
    }
}

/// Adds an outpost term for the minor piece on `square` if it is on one of the `outpost_ranks`, and a pawn
/// defends it. No enemy pawn may be ahead of it on an adjacent file.
#[inline(always)]
fn emit_outpost(view: &View<'_>, color: Color, role: Role, square: Square, sink: &mut impl Sink) {
    let here = Bitboard::from_square(square);
    let drivers = in_front_of(widened(here) & !here, color) & *view.pawns.get(!color);
    if outpost_ranks(color).contains(square)
        && view.pawn_attacks.get(color).contains(square)
        && drivers.is_empty()
    {
        sink.add(OUTPOST.of(role), color, 1, Some(square));
    }
}

/// Returns the ranks on which a piece of `color` can have an outpost.
#[inline(always)]
fn outpost_ranks(color: Color) -> Bitboard {
    let ranks =
        color.fold_wb([Rank::Fourth, Rank::Fifth, Rank::Sixth], [Rank::Fifth, Rank::Fourth, Rank::Third]);
    ranks.into_iter().fold(Bitboard::EMPTY, |all, rank| all | Bitboard::from_rank(rank))
}

/// Finds the threats to the enemy: attacks on pieces by pawns or less valuable pieces, and attacks on
/// undefended pieces and pawns. Pawn steps that would attack a piece are threats too.
#[inline(always)]
pub(super) fn emit_threats(view: &View<'_>, color: Color, attacks: &ByColor<Attacks>, sink: &mut impl Sink) {
    let own = attacks.get(color);
    let pawn_attacks = *view.pawn_attacks.get(color);
    let pushes = pawn_pushes(view, color, attacks.get(!color));
    let undefended = own.all & !attacks.get(!color).all;
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let enemy = view.of_role(!color, role);
        add_all(PAWN_THREAT.of(role), color, enemy & pawn_attacks, sink);
        if role > Role::Bishop {
            add_all(MINOR_THREAT.of(role), color, enemy & (own.knights | own.bishops), sink);
        }
        if role == Role::Queen {
            add_all(ROOK_THREAT.of(role), color, enemy & own.rooks, sink);
        }
        add_all(HANGING.of(role), color, enemy & undefended, sink);
        add_all(PAWN_PUSH_THREAT.of(role), color, enemy & pushes & !pawn_attacks, sink);
    }
    add_all(HANGING.of(Role::Pawn), color, *view.pawns.get(!color) & undefended, sink);
}

/// Returns the squares that pawns would attack after a single or double step to a safe square.
#[inline(always)]
fn pawn_pushes(view: &View<'_>, color: Color, enemy: &Attacks) -> Bitboard {
    let forward = color.fold_wb(8, -8);
    let free = !view.occupied & !*view.pawn_attacks.get(!color);
    let steps = view.pawns.get(color).shift(forward) & free;
    let third = Bitboard::from_rank(color.fold_wb(Rank::Third, Rank::Sixth));
    let steps = steps | (steps & third).shift(forward) & free;
    attacked_by_pawns(steps & (!enemy.all | *view.pawn_attacks.get(color)), color)
}

#[inline(always)]
fn add_all(term: Term, color: Color, squares: Bitboard, sink: &mut impl Sink) {
    for square in squares {
        sink.add(term, color, 1, Some(square));
    }
}
