//! Owns the weights of the evaluation: one vector, numbered by [`Term`].

use std::ops::{Add, Mul};

use shakmaty::{Role, Square};

use super::{
    emit::distance_from_centre,
    terms::{
        self, BACKWARD, BARE_KING_NEAR_KING, BARE_KING_OFF_CENTRE, BISHOP_PAIR, BLOCKED_PASSED, DEFENDED,
        DOUBLED, ENEMY_KING_TO_PASSED, Group, HANGING, ISOLATED, KING_ATTACK, MATERIAL, MINOR_THREAT,
        OUTPOST, OWN_KING_TO_PASSED, PASSED, PAWN_THREAT, PHALANX, PIECE_SQUARE, ROOK_ON_HALF_OPEN_FILE,
        ROOK_ON_OPEN_FILE, ROOK_ON_SEVENTH, ROOK_THREAT, SHELTER, STORM, TEMPO, Term,
    },
};

/// A score that changes from the middlegame to the endgame, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered {
    /// With all pieces on the board.
    pub middlegame: i32,
    /// With none but pawns.
    pub endgame: i32,
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn add(self, other: Tapered) -> Tapered {
        Tapered { middlegame: self.middlegame + other.middlegame, endgame: self.endgame + other.endgame }
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline(always)]
    fn mul(self, count: i32) -> Tapered {
        Tapered { middlegame: self.middlegame * count, endgame: self.endgame * count }
    }
}

/// What each term weighs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights(Box<[Tapered; Term::COUNT]>);

impl Weights {
    /// The largest weight that a term may have, in centipawns: sums of many stay within 32 bits.
    pub const MAX: i32 = 10_000;

    /// Makes weights that are all 0.
    pub fn zero() -> Weights {
        Weights(Box::new([Tapered::default(); Term::COUNT]))
    }

    /// Returns the weight of a term.
    #[inline(always)]
    pub fn get(&self, term: Term) -> Tapered {
        self.0[term.index()]
    }

    /// Sets the weight of a term, each part clamped to ±[`Weights::MAX`].
    pub fn set(&mut self, term: Term, weight: Tapered) {
        let bounded = |part: i32| part.clamp(-Weights::MAX, Weights::MAX);
        self.0[term.index()] =
            Tapered { middlegame: bounded(weight.middlegame), endgame: bounded(weight.endgame) };
    }

    /// Lists all weights in the order of their terms.
    pub fn iter(&self) -> impl Iterator<Item = (Term, Tapered)> {
        self.0.iter().enumerate().filter_map(|(index, &weight)| Some((Term::from_index(index)?, weight)))
    }

    fn put(&mut self, term: Term, middlegame: i32, endgame: i32) {
        self.set(term, Tapered { middlegame, endgame });
    }

    /// Sets the weights of a group by a rule of the place in it.
    fn rule(&mut self, group: &Group, rule: impl Fn(i32) -> (i32, i32)) {
        for place in 0..group.len {
            let (middlegame, endgame) = rule(place as i32);
            self.put(group.at(place), middlegame, endgame);
        }
    }

    fn put_material(&mut self) {
        let values = [
            (Role::Pawn, 85, 105),
            (Role::Knight, 320, 300),
            (Role::Bishop, 335, 315),
            (Role::Rook, 470, 530),
            (Role::Queen, 970, 990),
        ];
        for (role, middlegame, endgame) in values {
            self.put(MATERIAL.of(role), middlegame, endgame);
        }
        self.put(BISHOP_PAIR.at(0), 25, 45);
    }

    fn put_piece_squares(&mut self) {
        for role in Role::ALL {
            for square in Square::ALL {
                let (middlegame, endgame) = piece_on_square(role, square);
                self.put(PIECE_SQUARE.on(role, square), middlegame, endgame);
            }
        }
    }

    fn put_mobility(&mut self) {
        self.rule(&terms::KNIGHT_MOBILITY, |n| (5 * (n - 4), 5 * (n - 4)));
        self.rule(&terms::BISHOP_MOBILITY, |n| (5 * (n - 6), 5 * (n - 6)));
        self.rule(&terms::ROOK_MOBILITY, |n| (2 * (n - 6), 4 * (n - 7)));
        self.rule(&terms::QUEEN_MOBILITY, |n| (n - 13, 2 * (n - 13)));
    }

    fn put_pawns(&mut self) {
        self.put(DOUBLED.at(0), -8, -18);
        self.put(ISOLATED.at(0), -10, -12);
        self.put(BACKWARD.at(0), -8, -8);
        self.rule(&PHALANX, |rank| (2 + rank * rank, rank * rank));
        self.rule(&DEFENDED, |rank| (6 + 2 * rank, 4 + 2 * rank));
        self.rule(&PASSED, |rank| (rank * rank * 2, rank * rank * 4));
        self.rule(&BLOCKED_PASSED, |rank| (-rank * rank / 2, -rank * rank * 2));
        self.rule(&OWN_KING_TO_PASSED, |distance| (0, 6 * (3 - distance)));
        self.rule(&ENEMY_KING_TO_PASSED, |distance| (0, 10 * (distance - 3)));
    }

    fn put_pieces(&mut self) {
        self.put(ROOK_ON_OPEN_FILE.at(0), 24, 8);
        self.put(ROOK_ON_HALF_OPEN_FILE.at(0), 10, 6);
        self.put(ROOK_ON_SEVENTH.at(0), 6, 20);
        self.put(OUTPOST.of(Role::Knight), 24, 14);
        self.put(OUTPOST.of(Role::Bishop), 18, 8);
        for (role, worth) in [(Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 6)] {
            self.put(PAWN_THREAT.of(role), 12 * worth, 8 * worth);
            self.put(MINOR_THREAT.of(role), 7 * worth, 5 * worth);
            self.put(HANGING.of(role), 7 * worth, 6 * worth);
        }
        self.put(ROOK_THREAT.of(Role::Queen), 35, 30);
        self.put(HANGING.of(Role::Pawn), 8, 15);
    }

    fn put_kings(&mut self) {
        // The rank of the pawn before the king: none is worst, the nearest best.
        self.rule(&SHELTER, |distance| if distance == 0 { (-22, 0) } else { (18 - 6 * distance, 0) });
        self.rule(&STORM, |distance| if distance == 0 { (0, 0) } else { (-24 / distance, 0) });
        self.rule(&KING_ATTACK, |units| (units * units * 2 / 3, units));
        self.put(BARE_KING_OFF_CENTRE.at(0), 10, 10);
        self.put(BARE_KING_NEAR_KING.at(0), 5, 5);
    }
}

impl Default for Weights {
    /// Plain material, and rules of thumb for the rest: the centre is good for pieces and bad for a king in the
    /// middlegame, passed pawns grow with the square of their rank, an attack on a king with the square of its force.
    fn default() -> Weights {
        let mut weights = Weights::zero();
        weights.put_material();
        weights.put_piece_squares();
        weights.put_mobility();
        weights.put_pawns();
        weights.put_pieces();
        weights.put_kings();
        weights.put(TEMPO.at(0), 15, 10);
        weights
    }
}

/// Values a square for a piece beside its mobility, with the own king on the files e to h.
fn piece_on_square(role: Role, square: Square) -> (i32, i32) {
    let centre = 3 - distance_from_centre(square);
    let rank = square.rank().to_usize() as i32;
    let file = square.file().to_usize() as i32;
    let central_file = 3 - (2 * file - 7).abs() / 2;
    match role {
        Role::Pawn => (central_file * rank + 2 * (rank - 1), 5 * (rank - 1)),
        Role::Knight => (5 * centre, 4 * centre),
        Role::Bishop => (3 * centre - if rank == 0 { 8 } else { 0 }, 2 * centre),
        Role::Rook => (3 * central_file, 0),
        Role::Queen => (centre, 4 * centre),
        Role::King => (-16 * rank + if file >= 6 { 20 } else { 0 }, 9 * centre),
    }
}
