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
pub mod board;
pub mod candidate;
pub mod even;
pub mod human;
pub mod lot;
mod notes;
mod opinion;
mod options;
mod player;
mod question;
mod report;
mod seen;
mod server;
pub mod skill;

pub use allowance::Allowance;
pub use notes::{MemoryError, MoveLog, OpponentMemory, SparNotes};
pub use options::SparOptions;
pub use player::{SparMove, SparPlayer, SparSettings};
pub use report::SkillReport;
pub use server::serve;
pub use skill::{FixedSkill, SkillFunction};
