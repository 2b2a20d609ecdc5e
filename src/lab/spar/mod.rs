//! An opponent that keeps the game even, whoever plays against it, over any engine; after S. Kennedy's ChallengeMate (2018).
//!
//! ```text
//! server (UCI over any streams), options   notes (the log, and what is remembered of opponents)
//! player (a move at the end of a game) → opinion (the engine, and the engine within where it fails)
//!   skill (how well: printed, meant, even, fixed, random)   lot (random numbers by seed, game and ply)
//!   even (the controller) → human (what rated players lose)   candidate (moves as their player sees them)
//!   report (how a move came about)
//! board (a game of a person against the player)
//! ```

mod allowance;
pub(crate) mod board;
pub mod candidate;
mod even;
pub mod human;
mod lot;
mod notes;
mod opinion;
mod options;
mod player;
mod question;
mod server;
mod skill;

pub(crate) use self::{
    allowance::Allowance,
    notes::{MoveLog, OpponentMemory, SparNotes},
    options::SparOptions,
    player::{SparPlayer, SparSettings},
    server::serve,
    skill::{FixedSkill, SkillFunction},
};
