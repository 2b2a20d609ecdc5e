//! The sentences of reports, shared by terminal, pages and summaries.

pub mod certainty;
pub mod finding;
pub mod game;
pub mod judge;
pub mod method;
pub mod names;
pub mod numbers;
pub mod peers;
pub mod profile;
pub mod quality;
pub mod rating;
#[cfg(feature = "program")]
pub mod reference;
pub mod tournament;
