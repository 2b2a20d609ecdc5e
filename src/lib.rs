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
//! `main → cmd → report → systems → edges → vocabulary → stats`. The vocabulary is [`score`],
//! [`evaluation`] and [`game`]; the edges are [`pgn`], [`engine`] and [`store`]; the systems are
//! [`gain`] and [`tournament`].

pub mod evaluation;
pub mod gain;
pub mod game;
pub mod pgn;
pub mod score;
pub mod stats;
pub mod text;
pub mod tournament;
