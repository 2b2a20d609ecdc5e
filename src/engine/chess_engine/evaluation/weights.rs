//! The weights of the evaluation: one vector, indexed by [`Term`].

use std::ops::{Add, Mul};

use shakmaty::Role;

use super::terms::{BARE_KING_NEAR_KING, BARE_KING_OFF_CENTER, MATERIAL, Term};
use crate::engine::chess_engine::exchange::exchange_value;

/// A score with middlegame and endgame values, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered {
    /// Value with all pieces on the board.
    pub middlegame: i32,
    /// Value with only pawns and kings.
    pub endgame: i32,
}

impl Add for Tapered {
    type Output = Tapered;

    fn add(self, other: Tapered) -> Tapered {
        Tapered { middlegame: self.middlegame + other.middlegame, endgame: self.endgame + other.endgame }
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    fn mul(self, count: i32) -> Tapered {
        Tapered { middlegame: self.middlegame * count, endgame: self.endgame * count }
    }
}

/// A sum of tapered scores in one number: the endgame value is in the upper half, the middlegame value in the
/// lower half. One addition adds both values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TaperedSum(i64);

impl From<Tapered> for TaperedSum {
    fn from(tapered: Tapered) -> TaperedSum {
        TaperedSum((i64::from(tapered.endgame) << 32) + i64::from(tapered.middlegame))
    }
}

impl TaperedSum {
    #[inline(always)]
    pub(super) fn add(&mut self, other: TaperedSum) {
        self.0 += other.0;
    }

    #[inline(always)]
    pub(super) fn times(self, count: i32) -> TaperedSum {
        TaperedSum(self.0 * i64::from(count))
    }

    /// Splits the sum into its parts.
    #[inline(always)]
    pub(super) fn tapered(self) -> Tapered {
        // A negative lower half has borrowed from the upper half.
        let middlegame = self.0 as i32;
        Tapered { middlegame, endgame: ((self.0 - i64::from(middlegame)) >> 32) as i32 }
    }
}

/// The weight of each term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights(Box<[TaperedSum; Term::COUNT]>);

impl Weights {
    /// The largest absolute value of a weight, in centipawns. With this limit, a weighted sum of terms fits
    /// into 32 bits.
    pub const MAX: i32 = 10_000;

    /// Makes weights that are all 0.
    pub fn zero() -> Weights {
        Weights(Box::new([TaperedSum::default(); Term::COUNT]))
    }

    /// Makes the weights with which a fit starts. Pieces have their usual values (1, 3, 3, 5 and 9 pawns),
    /// and terms that are not fitted have their constants. All other weights are 0.
    pub fn material() -> Weights {
        let mut weights = Weights::zero();
        for role in Role::ALL.into_iter().filter(|&role| role != Role::King) {
            let value = exchange_value(role);
            weights.set(MATERIAL.of(role), Tapered { middlegame: value, endgame: value });
        }
        weights.set(BARE_KING_OFF_CENTER.at(0), Tapered { middlegame: 25, endgame: 25 });
        weights.set(BARE_KING_NEAR_KING.at(0), Tapered { middlegame: 15, endgame: 15 });
        weights
    }

    /// Returns the weight of a term.
    #[inline(always)]
    pub fn get(&self, term: Term) -> Tapered {
        self.summand(term).tapered()
    }

    /// Returns the weight of a term in the form in which weights are summed.
    #[inline(always)]
    pub(super) fn summand(&self, term: Term) -> TaperedSum {
        self.0[term.index()]
    }

    /// Sets the weight of a term. Its two values are clamped to ±[`Weights::MAX`].
    pub fn set(&mut self, term: Term, weight: Tapered) {
        let bounded = |part: i32| part.clamp(-Weights::MAX, Weights::MAX);
        let weight = Tapered { middlegame: bounded(weight.middlegame), endgame: bounded(weight.endgame) };
        self.0[term.index()] = weight.into();
    }

    /// Lists all weights in the order of their terms.
    pub fn iter(&self) -> impl Iterator<Item = (Term, Tapered)> {
        self.0
            .iter()
            .enumerate()
            .filter_map(|(index, weight)| Some((Term::from_index(index)?, weight.tapered())))
    }
}
