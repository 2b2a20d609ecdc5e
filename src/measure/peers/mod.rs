//! Comparison of players with their peers: distributions over single games by rating and speed, and a
//! player's place in them.

mod reference;
mod side_play;
mod standing;

#[cfg(feature = "program")]
pub(crate) use self::side_play::length_class;
pub use self::side_play::{GamePart, MeasuredMove, PlayCounts, PlayMeasure, SidePlay};
#[cfg(feature = "program")]
pub(crate) use self::{reference::NoReference, reference::ReferencePool};
pub(crate) use self::{
    reference::{GameOdds, Reference, UsualRow},
    standing::{PeerGames, PeerRank, PeerStanding, RankedGame, standings},
};
