//! An opponent that keeps the game even against any player. It uses any engine and follows S. Kennedy's
//! ChallengeMate (2018).
//!
//! ```text
//! server (UCI over any streams), options   notes (the log, and the memory of opponents)
//! player (a move in the last position of a game), its check (a deeper search of a chosen loss)
//!   → opinion (the engine, and the built-in engine if it fails)
//!   skill (the strength: printed, meant, even, level, fixed, random)
//!   even (the controller) → human (losses of rated players)   human_moves (first moves, hanging pieces)
//!   course (a game's data for the controller)      candidate (a move from its player's view)
//!   question (a move to be found: its limits, its random numbers by seed, game and ply, its report)
//! board_game (a person against the player)   board_clock   board_request (the person's input) → illegal
//! ```

pub(crate) mod board_clock;
pub(crate) mod board_game;
pub(crate) mod board_request;
pub mod candidate;
mod course;
mod even;
pub mod human;
pub mod human_moves;
pub(crate) mod illegal;
mod notes;
mod opinion;
mod options;
mod player;
mod question;
mod server;
mod skill;

pub(crate) use self::{
    course::OpponentRecord, notes::MoveLog, notes::OpponentMemory, notes::SparNotes, options::SparOptions,
    player::SparPlayer, player::SparSettings, question::Allowance, server::serve, skill::FixedSkill,
    skill::SkillFunction,
};
