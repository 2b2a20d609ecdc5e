//! Names and numbers of the evaluation's terms.

use std::{collections::HashMap, fmt, str::FromStr, sync::LazyLock};

use shakmaty::{Role, Square};

/// A term of the evaluation, represented by the index of its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u16);

impl Term {
    /// Number of terms.
    pub const COUNT: usize = LAST.start + LAST.len;

    /// Returns the term with this index; `None` if `index` is [`Term::COUNT`] or more.
    pub fn from_index(index: usize) -> Option<Term> {
        (index < Term::COUNT).then_some(Term(index as u16))
    }

    /// Returns the term's index, below [`Term::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns whether the term's weight is fitted. The weights of the terms for bare kings are constants,
    /// because hardly any training position has a bare king.
    pub fn is_fitted(self) -> bool {
        self.index() < BARE_KING_OFF_CENTER.start
    }

    /// Returns the term's group and its place in the group.
    pub(super) fn group(self) -> (&'static Group, usize) {
        let group = GROUPS.iter().rev().find(|group| group.start <= self.index()).unwrap_or(&LAST);
        (group, self.index() - group.start)
    }
}

impl fmt::Display for Term {
    /// Formats the group's name, then the role, square, rank or number, for example `piece-square knight e4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (group, place) = self.group();
        f.write_str(group.name)?;
        match group.shape {
            Shape::Single => Ok(()),
            Shape::Number => write!(f, " {place}"),
            Shape::Rank => write!(f, " rank {}", place + 1),
            Shape::Role => write!(f, " {}", role_name(place)),
            Shape::RoleAndSquare => {
                write!(f, " {} {}", role_name(place / 64), Square::new((place % 64) as u32))
            }
        }
    }
}

/// A text that is not the name of a term, cut to 60 characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a term of the evaluation, such as \"material queen\" or \"piece-square knight e4\"")]
pub struct UnknownTerm(String);

impl FromStr for Term {
    type Err = UnknownTerm;

    /// Parses the output of [`Display`](fmt::Display).
    fn from_str(name: &str) -> Result<Term, UnknownTerm> {
        static NAMES: LazyLock<HashMap<String, Term>> = LazyLock::new(|| {
            (0..).map_while(Term::from_index).map(|term| (term.to_string(), term)).collect()
        });
        NAMES.get(name).copied().ok_or_else(|| UnknownTerm(name.chars().take(60).collect()))
    }
}

pub(super) fn role_name(index: usize) -> &'static str {
    ["pawn", "knight", "bishop", "rook", "queen", "king"][index.min(5)]
}

/// The meaning of a term's index in its group, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Single,
    Number,
    Rank,
    Role,
    RoleAndSquare,
}

/// Adjacent terms of one kind.
pub(super) struct Group {
    name: &'static str,
    shape: Shape,
    start: usize,
    pub(super) len: usize,
}

impl Group {
    const fn first(name: &'static str, shape: Shape, len: usize) -> Group {
        Group { name, shape, start: 0, len }
    }

    const fn then(&self, name: &'static str, shape: Shape, len: usize) -> Group {
        Group { name, shape, start: self.start + self.len, len }
    }

    /// Returns the term at a place of the group. Places beyond the last are clamped.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> Term {
        Term((self.start + if place < self.len { place } else { self.len - 1 }) as u16)
    }

    /// Returns the term of a role.
    #[inline(always)]
    pub(super) fn of(&self, role: Role) -> Term {
        self.at(role as usize - 1)
    }

    /// Returns the term of a role on a square.
    #[inline(always)]
    pub(super) fn on(&self, role: Role, square: Square) -> Term {
        self.at((role as usize - 1) * 64 + square.to_usize())
    }
}

macro_rules! groups {
    (up to $last:ident:
     $first:ident = $first_name:literal $first_shape:ident $first_len:literal;
     $($group:ident after $previous:ident = $name:literal $shape:ident $len:literal;)*) => {
        pub(super) const $first: Group = Group::first($first_name, Shape::$first_shape, $first_len);
        $(pub(super) const $group: Group = $previous.then($name, Shape::$shape, $len);)*
        const LAST: &Group = &$last;
        static GROUPS: &[&Group] = &[&$first, $(&$group),*];
    };
}

groups! {
    up to BARE_KING_NEAR_KING:
    MATERIAL = "material" Role 5;
    // Squares are seen from the piece's side and mirrored so that its own king is on the files e to h.
    PIECE_SQUARE after MATERIAL = "piece-square" RoleAndSquare 384;
    // As for `PIECE_SQUARE`, but mirrored so that the enemy king is on the files e to h.
    FACING_SQUARE after PIECE_SQUARE = "piece-square facing the king" RoleAndSquare 384;
    KNIGHT_MOBILITY after FACING_SQUARE = "mobility of a knight" Number 9;
    BISHOP_MOBILITY after KNIGHT_MOBILITY = "mobility of a bishop" Number 14;
    ROOK_MOBILITY after BISHOP_MOBILITY = "mobility of a rook" Number 15;
    QUEEN_MOBILITY after ROOK_MOBILITY = "mobility of a queen" Number 28;
    DOUBLED after QUEEN_MOBILITY = "doubled pawn" Single 1;
    ISOLATED after DOUBLED = "isolated pawn" Single 1;
    BACKWARD after ISOLATED = "backward pawn" Single 1;
    PHALANX after BACKWARD = "pawn beside a pawn" Rank 8;
    DEFENDED after PHALANX = "pawn defended by a pawn" Rank 8;
    PASSED after DEFENDED = "passed pawn" Rank 8;
    BLOCKED_PASSED after PASSED = "blocked passed pawn" Rank 8;
    OWN_KING_TO_PASSED after BLOCKED_PASSED = "own king's distance from a passed pawn" Number 8;
    ENEMY_KING_TO_PASSED after OWN_KING_TO_PASSED = "enemy king's distance from a passed pawn" Number 8;
    SAFE_STEP after ENEMY_KING_TO_PASSED = "passed pawn with a safe step" Rank 8;
    ROOK_BEHIND_PASSED after SAFE_STEP = "rook behind a passed pawn" Rank 8;
    ROOK_ON_OPEN_FILE after ROOK_BEHIND_PASSED = "rook on an open file" Single 1;
    ROOK_ON_HALF_OPEN_FILE after ROOK_ON_OPEN_FILE = "rook on a half-open file" Single 1;
    ROOK_ON_SEVENTH after ROOK_ON_HALF_OPEN_FILE = "rook on the seventh rank" Single 1;
    BISHOP_PAIR after ROOK_ON_SEVENTH = "bishop pair" Single 1;
    OUTPOST after BISHOP_PAIR = "outpost" Role 5;
    PAWN_THREAT after OUTPOST = "pawn's threat to a" Role 5;
    MINOR_THREAT after PAWN_THREAT = "minor piece's threat to a" Role 5;
    ROOK_THREAT after MINOR_THREAT = "rook's threat to a" Role 5;
    HANGING after ROOK_THREAT = "attack on an undefended" Role 5;
    PAWN_PUSH_THREAT after HANGING = "threat of a pawn's step against a" Role 5;
    SAFE_CHECK after PAWN_PUSH_THREAT = "safe check by a" Role 5;
    WEAK_ZONE after SAFE_CHECK = "weak squares around the king" Number 10;
    // Number 0 stands for a file without such a pawn.
    SHELTER after WEAK_ZONE = "own pawn's distance before the king" Number 8;
    STORM after SHELTER = "enemy pawn's distance before the king" Number 8;
    KING_ATTACK after STORM = "attack on the king" Number 20;
    TEMPO after KING_ATTACK = "tempo" Single 1;
    BARE_KING_OFF_CENTER after TEMPO = "bare king's distance from the centre" Single 1;
    BARE_KING_NEAR_KING after BARE_KING_OFF_CENTER = "nearness of the kings, one of them bare" Single 1;
}
