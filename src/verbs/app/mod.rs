//! Owns what the verbs share above the systems: what a run is to do, and the steps of doing it. Nothing here
//! knows a command line or prints: whoever runs a plan hears of it as an [`Observer`].

pub mod behaviour;
pub mod counting;
pub mod design;
pub mod evaluated;
pub mod evaluations;
pub mod fitness;
mod observer;
#[cfg(feature = "postgres")]
pub mod patience;
pub mod plan;
pub mod rated;
pub mod reading;
pub mod recording;
pub mod reference;
pub mod search;

pub use self::observer::{Interrupts, Observer, Steps, event_loop, listen};
