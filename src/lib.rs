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
//! # From recorded evaluations to a table
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use gainalyze::{
//!     chess::{EvaluatedGame, pgn::parse_games},
//!     measure::{Analysis, Method, MoveSample},
//!     chess::recorded_evaluations,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let pgn = r#"
//! [White "Anand"]
//! [Black "Carlsen"]
//!
//! { [%eval 0.2] } 1. e4 { [%eval 0.3] } e5 { [%eval 0.1] } 2. Nf3 { [%eval 0.1] } f6 { [%eval 1.4] } *"#;
//! let mut games = Vec::new();
//! for game in parse_games(pgn, "example.pgn") {
//!     let game = game?;
//!     let evaluations = recorded_evaluations(&game, None)?;
//!     games.push(EvaluatedGame::new(game, evaluations));
//! }
//! let analysis = Analysis::of(&MoveSample::of(&games), &BTreeMap::new(), &Method::default(), &[]);
//!
//! // Gains in centipawns: Anand 10 and 0, Carlsen 20 and -130. Against an engine that always gains 0,
//! // a gain scores 1, no change scores 1/2, and a loss scores 0.
//! let scores = analysis.tournament.players.iter().map(|player| {
//!     (player.name.as_str(), player.expected_score.as_ref().map(|score| score.value))
//! });
//! assert!(scores.eq([("Anand", Some(0.75)), ("Carlsen", Some(0.5))]));
//! # Ok(())
//! # }
//! ```
//!
//! `examples/` has programs that compute such scores from a file (`recorded`), with an engine (`engine`), and
//! for archives of millions of games (`archive`).
//!
//! # The modules
//!
//! The source has ten modules. Each module uses only the modules above it in this list
//! (`tests/suite/house.rs` checks this). All of them use the first, `base`: texts for the user, seals, output
//! files. The next five modules are the library:
//!
//! - [`numbers`]: statistics and ratings, independent of chess
//! - [`chess`]: games, evaluations, gains, judgments; the traits `Evaluator`, `Player` and `Ranker`
//! - [`engine`]: the built-in engine and UCI engines
//! - `store`: stored evaluations in SQLite or PostgreSQL; for the program also a queue of work for many
//!   machines
//! - [`measure`]: tournaments, archives, ratings of play, rankings, profiles
//!
//! The other four modules make up the program. Other crates should not rely on these modules:
//!
//! - `lab`: self-play, deep trees, sparring, learning, experiments by depth, the papers
//! - `files`: file formats that the program writes, and reads again with checks
//! - `report`: tables, pictures, pages, words
//! - `verbs`: the command line, one file per verb
//!
//! # Features
//!
//! Without features, the crate needs no operating system, and compiles for `wasm32-unknown-unknown`. It then
//! has the built-in engine, and makes the report of a tournament in memory. To draw a report, use
//! `wasm32-wasip1`: on `wasm32-unknown-unknown`, the crate plotters needs a browser window to measure texts.
//! `native` adds UCI engines, stores, and zstd. `postgres` adds stores on a server, and `program` the command
//! line. By default, all of them are on.
//!
//! # Stability
//!
//! Before 1.0, a minor version may rename and move public items. The changelog also lists every change to a
//! method's numbers.

#![deny(clippy::print_stderr, clippy::print_stdout)]

// Unit tests and tests/suite share code, which names the crate `gainalyze`.
#[cfg(test)]
extern crate self as gainalyze;

#[warn(missing_docs)]
#[doc(hidden)]
pub mod base;
#[warn(missing_docs)]
pub mod chess;
#[warn(missing_docs)]
pub mod engine;
pub mod files;
#[cfg(feature = "program")]
#[doc(hidden)]
pub mod lab;
#[warn(missing_docs)]
pub mod measure;
#[warn(missing_docs)]
pub mod numbers;
pub mod report;
#[cfg(feature = "native")]
#[warn(missing_docs)]
pub mod store;
#[cfg(feature = "program")]
pub mod verbs;
