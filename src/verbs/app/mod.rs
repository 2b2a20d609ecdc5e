//! The steps that several verbs share: plans of runs, and their execution. Nothing here reads a command line
//! or prints; a run reports to an [`Observer`].

pub mod behavior;
pub mod counting;
pub mod design;
pub mod evaluated;
pub mod evaluations;
pub mod fitness;
mod observer;
pub mod plan;
pub mod rated;
pub mod reading;
pub mod recording;
pub mod reference;
#[cfg(feature = "postgres")]
pub mod retry;
pub mod search;

pub use self::observer::{Interrupts, Observer, Steps, event_loop, listen};
