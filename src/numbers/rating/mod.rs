//! Owns what scores of games stand for: Elo points, the curves and ratings that fit them, and how sure a
//! match makes them. It knows points, games and depths of search; no move, no position and no engine.

pub mod elo;
pub mod fit;
pub mod heinz;
pub mod pentanomial;
pub mod sprt;
pub mod strength;
