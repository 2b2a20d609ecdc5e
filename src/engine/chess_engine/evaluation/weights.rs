//! The weights of the evaluation: one vector, indexed by [`Term`].

use std::ops::{Add, Mul};

use shakmaty::Role;

use super::terms::{MATERIAL, Term};
use crate::engine::chess_engine::exchange::exchange_value;

/// A score with middlegame and endgame values, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered {
    /// Value with all pieces on the board.
    pub middlegame: i32,
    /// Value with only pawns.
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

/// A sum of tapered scores in one number, with the endgame in its upper half, so that one addition adds both.
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
        // A negative lower half has borrowed from the upper one.
        let middlegame = self.0 as i32;
        Tapered { middlegame, endgame: ((self.0 - i64::from(middlegame)) >> 32) as i32 }
    }
}

/// The weight of each term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights(Box<[TaperedSum; Term::COUNT]>);

impl Weights {
    /// The largest weight of a term, in centipawns: sums of many stay within 32 bits.
    pub const MAX: i32 = 10_000;

    /// Makes weights of 0.
    pub fn zero() -> Weights {
        Weights(Box::new([TaperedSum::default(); Term::COUNT]))
    }

    /// Makes the beginners' weights of the pieces alone: 1, 3, 3, 5 and 9 pawns.
    pub fn material() -> Weights {
        let mut weights = Weights::zero();
        for role in Role::ALL.into_iter().filter(|&role| role != Role::King) {
            let value = exchange_value(role);
            weights.set(MATERIAL.of(role), Tapered { middlegame: value, endgame: value });
        }
        weights
    }

    /// Returns the weight of a term.
    #[inline(always)]
    pub fn get(&self, term: Term) -> Tapered {
        self.summand(term).tapered()
    }

    /// Returns the weight of a term, ready for summation.
    #[inline(always)]
    pub(super) fn summand(&self, term: Term) -> TaperedSum {
        self.0[term.index()]
    }

    /// Sets the weight of a term, each part clamped to ±[`Weights::MAX`].
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
