//! What is usual for players like one: what single games of a rating and a speed come to, and where a player stands among them.

mod counts;
#[cfg(feature = "program")]
mod reference;
mod side_play;
#[cfg(feature = "program")]
mod standing;

pub use self::{
    counts::{PlayCounts, quantile},
    side_play::{MeasuredMove, PARTS, PlayMeasure, SidePlay, part_name},
};
#[cfg(feature = "program")]
pub(crate) use self::{
    reference::{NoReference, Reference, UsualRow},
    standing::{PeerRank, PeerStanding, standings},
};
