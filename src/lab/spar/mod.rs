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
/// A game of a person against the player at one board: what the person may say, and the game itself.
pub mod board {
    mod game;
    mod request;

    pub use self::{
        game::{BoardGame, BoardGameError, GameOver, Names},
        request::{BadRequest, BoardRequest, requests},
    };
}
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
mod server;
pub mod skill;

pub use allowance::Allowance;
pub use notes::{MemoryError, MoveLog, OpponentMemory, SparNotes};
pub use options::SparOptions;
pub use player::{SparPlayer, SparSettings};
pub use question::SparMove;
pub use report::SkillReport;
pub use server::serve;
pub use skill::{FixedSkill, SkillFunction};
