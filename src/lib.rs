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
//!     evaluate::recorded,
//!     evaluated_game::EvaluatedGame,
//!     pgn::parse_games,
//!     tournament::{Analysis, Method, MoveSample},
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
//!     let evaluations = recorded(&game, None)?;
//!     games.push(EvaluatedGame::new(game, evaluations));
//! }
//! let analysis = Analysis::of(&MoveSample::of(&games), &BTreeMap::new(), &Method::default(), &[]);
//!
//! // Anand gains 10 centipawns and 0, Carlsen 20 and -130: against an engine that always gains 0,
//! // a gain scores 1 and no gain scores 1/2.
//! let scores = analysis.tournament.players.iter().map(|player| {
//!     (player.name.as_str(), player.expected_score.as_ref().map(|score| score.value))
//! });
//! assert!(scores.eq([("Anand", Some(0.75)), ("Carlsen", Some(0.5))]));
//! # Ok(())
//! # }
//! ```
//!
//! `examples/` has the same from a file (`recorded`), with an engine (`engine`), and for games by the million
//! (`archive`).
//!
//! # Layers
//!
//! Each layer uses the ones to its right, and nothing points back:
//! `main → cmd → runs → report → app → systems → edges → vocabulary → stats`.
//! The systems are [`evaluate`], [`accuracy`], [`tournament`], [`calibration`], [`archive`], [`learning`], [`papers`], [`experiment`], [`deep`], [`go_deep`],
//! [`rerun`], [`selfplay`] and [`spar`]; they ask an [`evaluator`], a [`player`] or a [`ranking`], which may be [`blocking`]; an [`engine`] is one of [`uci`] or
//! [`builtin`] (which gives [`chess_engine`] the clock of [`thinking_time`]), and [`engine_server`] makes a program of the latter; the edges are [`pgn`], [`uci`], [`store`], `formats` and `output`; the vocabulary is [`score`], [`evaluation`],
//! [`evaluated_game`], [`win_probability`], [`gain`], [`judgement`], [`game`], [`choice`], [`phase`], [`segment`], [`text`] and [`work`]; [`rating`] and
//! [`stats`] are numbers, the latter without chess.
//!
//! All of these are there without the feature `program`, which is on by default: `cli`, `cmd`, `runs`, `report`,
//! `app`, `formats` and `output`, with the crates that only they need, make a program of them.
//!
//! # Stability
//!
//! Before 1.0 a minor version may rename and move what is public here; the changelog says so. The numbers that a
//! method gives do not change without a word in the changelog either.

#![deny(clippy::print_stderr, clippy::print_stdout)]
#![warn(missing_docs)]

// What unit tests share with the suite names the crate as the suite does.
#[cfg(test)]
extern crate self as gainalyze;

pub mod accuracy;
#[cfg(feature = "program")]
pub mod app;
pub mod archive;
pub mod blocking;
pub mod builtin;
pub mod calibration;
pub mod chess_engine;
pub mod choice;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod cmd;
pub mod deep;
pub mod engine;
pub mod engine_server;
pub mod evaluate;
pub mod evaluated_game;
pub mod evaluation;
pub mod evaluator;
pub mod experiment;
pub mod first_few;
#[cfg(feature = "program")]
pub mod formats;
pub mod gain;
pub mod game;
pub mod go_deep;
pub mod judgement;
pub mod learning;
mod named;
#[cfg(feature = "program")]
pub mod output;
pub mod papers;
pub mod pgn;
pub mod phase;
pub mod player;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod profile;
pub mod quality;
#[cfg(feature = "postgres")]
pub mod queue;
pub mod ranking;
pub mod rating;
#[cfg(feature = "program")]
pub mod report;
pub mod rerun;
#[cfg(feature = "program")]
pub mod runs;
pub mod score;
pub mod segment;
pub mod selfplay;
pub mod shard;
pub mod spar;
pub mod stats;
pub mod store;
pub mod text;
pub mod thinking_time;
pub mod tournament;
pub mod tuning;
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
