//! Measures the quality of play in chess games by the gain of each move.
//!
//! The pipeline, after D. R. Ferreira, "The Impact of Search Depth on Chess Playing Strength"
//! (ICGA Journal 36(2), 2013):
//!
//! ```text
//! PGN → Game → position × (n+1) → Evaluation × (n+1) → gain × n → Histogram per player
//!     → ExpectedScore against the engine's histogram → EloDifference
//!     → engine strength → performance → tables, CSV, Parquet, plots
//! ```
//!
//! Each layer uses the ones to its right, and nothing points back:
//! `main → cmd → report → systems → edges → vocabulary → rating → stats`. The systems are [`evaluate`],
//! [`evaluated_game`], [`accuracy`], [`tournament`], [`archive`], [`papers`], [`experiment`], [`go_deep`], [`rerun`] and
//! [`selfplay`]; the edges are [`pgn`], [`uci`], [`store`] and `formats`; the vocabulary is [`score`], [`evaluation`],
//! [`win_probability`], [`game`], [`choice`], [`phase`], [`segment`], [`text`] and [`work`].
//!
//! All of these are there without the feature `program`, which is on by default: `cli`, `cmd`, `report` and `formats`, with
//! the crates that only they need, make a program of them.

#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod accuracy;
#[cfg(feature = "program")]
pub mod app;
pub mod archive;
pub mod blocking;
pub mod choice;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod cmd;
pub mod evaluate;
pub mod evaluated_game;
pub mod evaluation;
pub mod evaluator;
pub mod experiment;
#[cfg(feature = "program")]
pub mod formats;
pub mod game;
pub mod go_deep;
#[cfg(feature = "program")]
pub mod output;
pub mod papers;
pub mod pgn;
pub mod phase;
pub mod player;
pub mod rating;
#[cfg(feature = "program")]
pub mod report;
pub mod rerun;
pub mod score;
pub mod segment;
pub mod selfplay;
pub mod stats;
pub mod store;
pub mod text;
pub mod tournament;
pub mod uci;
pub mod win_probability;
pub mod work;

/// An error and its causes on one line, as a user reads them.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
