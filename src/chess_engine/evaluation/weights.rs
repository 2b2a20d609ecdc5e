//! Owns the weights of the evaluation: one vector, numbered by [`Term`].

use std::ops::{Add, Mul};

use shakmaty::Role;

use super::{
    terms::{MATERIAL, Term},
    weights_file::WeightsFile,
};
use crate::chess_engine::exchange::exchange_value;

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

    /// Makes weights of the pieces alone, as beginners learn them: 1, 3, 3, 5 and 9 pawns.
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
}

impl Default for Weights {
    /// Those of the file that the engine comes with.
    fn default() -> Weights {
        WeightsFile::default().weights
    }
}
