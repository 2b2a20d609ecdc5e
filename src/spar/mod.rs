//! An opponent that keeps the game even, whoever plays against it, over any engine; after S. Kennedy's ChallengeMate (2018).
//!
//! ```text
//! player (a move at the end of a game) → opinion (the engine, and the engine within where it fails)
//!   skill (how well: printed, meant, even, fixed, random)   lot (random numbers by seed, game and ply)
//!   even (the controller) → human (what rated players lose)   candidate (moves as their player sees them)
//!   report (how a move came about)
//! ```

pub mod candidate;
pub mod even;
pub mod human;
pub mod lot;
mod opinion;
mod player;
mod report;
pub mod skill;

pub use player::{Allowance, SparMove, SparPlayer, SparSettings};
pub use report::SkillReport;
pub use skill::{FixedSkill, SkillFunction};
