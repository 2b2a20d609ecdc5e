//! The sentences of reports, shared by terminal, pages and summaries.

pub mod events;
pub mod experiment;
pub mod learning;
pub mod method;
pub mod names;
pub mod numbers;
pub mod panel;
pub mod peers;
pub mod profile;
pub mod quality;
pub mod rating;
pub mod round_robin;
pub mod tournament;
