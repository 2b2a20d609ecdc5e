//! The sentences of reports, shared by terminal, pages and summaries.

pub mod events;
#[cfg(feature = "program")]
pub mod experiment;
pub mod judge;
#[cfg(feature = "program")]
pub mod learning;
pub mod method;
pub mod names;
pub mod numbers;
#[cfg(feature = "program")]
pub mod panel;
pub mod peers;
pub mod profile;
pub mod quality;
pub mod rating;
#[cfg(feature = "program")]
pub mod round_robin;
pub mod tournament;
