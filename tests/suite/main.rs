//! All integration tests in one binary, because each further binary would link the whole program again.
//!
//! In most tests that run the program, a shell script plays the engine.

#[cfg(unix)]
mod archive;
mod bad_engines;
#[cfg(unix)]
mod board_game;
#[cfg(unix)]
mod broadcasts;
#[cfg(unix)]
mod builtin;
#[cfg(unix)]
mod calibrate;
mod calibration_games;
#[cfg(unix)]
mod choice;
#[cfg(unix)]
mod completions;
#[cfg(unix)]
mod deep;
mod documents;
#[cfg(unix)]
mod engine_verb;
mod entrants;
mod expect;
mod experiment;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod files;
mod files_and_columns;
#[cfg(unix)]
mod folders;
#[path = "../bench/archive/generate/mod.rs"]
mod generate;
#[cfg(unix)]
mod go_deep;
mod hostile;
mod house;
mod inputs;
#[cfg(unix)]
mod interruption;
mod judgments;
#[cfg(unix)]
mod learn;
mod lichess;
#[cfg(unix)]
mod made_archive;
#[cfg(unix)]
mod main_job;
#[cfg(unix)]
mod manual;
mod mistakes;
#[cfg(unix)]
mod node;
mod odd;
#[cfg(unix)]
mod own_moves;
#[cfg(unix)]
mod page;
#[cfg(unix)]
mod papers;
#[cfg(unix)]
mod people;
mod pgn;
#[cfg(unix)]
mod player;
#[cfg(all(unix, feature = "postgres"))]
mod postgres;
#[cfg(all(unix, feature = "postgres"))]
mod postgres_pooler;
#[cfg(all(unix, feature = "postgres"))]
mod postgres_relay;
#[cfg(all(unix, feature = "postgres"))]
mod postgres_server;
#[cfg(unix)]
mod program;
mod properties;
#[cfg(unix)]
mod published;
#[cfg(all(unix, feature = "postgres"))]
mod queue;
#[cfg(unix)]
mod rate;
#[path = "../../src/lab/selfplay/tests/read_back.rs"]
mod read_back;
#[cfg(unix)]
mod real_engine;
mod real_files;
mod records;
#[cfg(unix)]
mod remake;
mod report;
#[cfg(unix)]
mod schema;
#[cfg(unix)]
mod selfplay;
#[cfg(unix)]
mod sensitivity;
#[cfg(unix)]
mod several;
#[cfg(unix)]
mod shards;
#[cfg(unix)]
mod spar;
mod spared;
mod statistics;
mod store;
#[cfg(unix)]
mod stores;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(unix)]
mod watch;
