//! Owns what a deep analysis is to do.

use std::path::PathBuf;

use super::{EnginePlan, StorePlan};
use crate::lab::{DeepOptions, GrowthLimits};
use crate::verbs::args::TableArgs;

/// What a deep analysis is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct DeepPlan {
    /// The position.
    pub root: RootPlan,
    /// Plies of each search.
    pub depth: u32,
    /// Which moves are gone into.
    pub options: DeepOptions,
    /// How far the tree grows.
    pub limits: GrowthLimits,
    /// Most moves of the PGN.
    pub pgn_moves: usize,
    /// Who searches.
    pub engine: EnginePlan,
    /// Where searches are kept.
    pub store: StorePlan,
    /// Where files are written.
    pub tables: TableArgs,
}

/// Which position a deep analysis is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RootPlan {
    /// That after some moves.
    Position {
        /// Where they begin; `None` for the usual start.
        fen: Option<String>,
        /// In the notation of PGN.
        moves: String,
    },
    /// One of a game.
    Game {
        /// The PGN file.
        path: PathBuf,
        /// The game's number in it, from 1.
        game: usize,
        /// Half-moves of the game before it; `None` for all.
        ply: Option<usize>,
        /// Moves after those, in the notation of PGN.
        moves: String,
    },
}
