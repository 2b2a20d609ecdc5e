//! An opponent that keeps the game even, whoever plays against it, over any engine; after S. Kennedy's ChallengeMate (2018).
//!
//! ```text
//! server (UCI over any streams), options   notes (the log, and what is remembered of opponents)
//! player (a move at the end of a game) → opinion (the engine, and the engine within where it fails)
//!   skill (how well: printed, meant, even, fixed, random)
//!   even (the controller) → human (what rated players lose)   candidate (moves as their player sees them)
//!   question (a move to be found: what it may take, its random numbers by seed, game and ply, how it came about)
//! board_game (a person against the player)   board_request (what the person asks for)
//! ```

pub(crate) mod board_game;
pub(crate) mod board_request;
pub mod candidate;
mod even;
pub mod human;
mod notes;
mod opinion;
mod options;
mod player;
mod question;
mod server;
mod skill;

pub(crate) use self::{
    notes::{MoveLog, OpponentMemory, SparNotes},
    options::SparOptions,
    player::{SparPlayer, SparSettings},
    question::Allowance,
    server::serve,
    skill::{FixedSkill, SkillFunction},
};
