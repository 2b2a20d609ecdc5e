//! Comparison of players with their peers: distributions over single games by rating and speed, and a
//! player's place in them.

mod reference;
mod side_play;
mod standing;

pub use self::side_play::{MeasuredMove, PARTS, PlayCounts, PlayMeasure, SidePlay, part_name};
#[cfg(feature = "program")]
pub(crate) use self::{reference::NoReference, reference::ReferencePool};
pub(crate) use self::{
    reference::{Reference, UsualRow},
    standing::{PeerGames, PeerRank, PeerStanding, standings},
};
