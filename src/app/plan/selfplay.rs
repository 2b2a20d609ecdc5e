//! Owns what an experiment of engines that play each other is to do.

use std::{collections::BTreeSet, path::PathBuf};

use super::{EnginePlan, TablePlan, cores};
use crate::{
    experiment::Choices,
    formats::PictureFormat,
    selfplay::{adjudicate::Adjudication, game_pool::Restart, pairs::PairSelection},
};

/// What an experiment of engines that play each other is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfplayPlan {
    /// Depths in plies that the engine plays to, in ascending order.
    pub depths: Vec<u32>,
    /// Games of each pair of depths.
    pub games: u32,
    /// Who meets whom.
    pub pairings: Vec<PairSelection>,
    /// The engine; its processes are started game by game.
    pub engine: EnginePlan,
    /// Who it meets instead of itself.
    pub opponent: Option<OpponentPlan>,
    /// Games at a time.
    pub jobs: usize,
    /// When fresh engine processes are started.
    pub restart: Restart,
    /// Where games begin.
    pub openings: OpeningPlan,
    /// Where the random numbers begin that choose the openings and their order.
    pub seed: u64,
    /// When games end before the rules of chess end them.
    pub adjudication: Adjudication,
    /// What is computed of the games.
    pub choices: Choices,
    /// The report of a tournament whose strength of the engine is the anchor, in place of one that is given.
    pub anchor_report: Option<PathBuf>,
    /// Where tables are written.
    pub tables: TablePlan,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
    /// Whether there is a page.
    pub page: bool,
}

impl SelfplayPlan {
    /// Games of a pair unless asked otherwise, as in Ferreira's experiment.
    pub const GAMES: u32 = 200;
}

impl Default for SelfplayPlan {
    /// Returns the engine that is found against itself, every depth against every other; of no depth yet.
    fn default() -> SelfplayPlan {
        SelfplayPlan {
            depths: Vec::new(),
            games: SelfplayPlan::GAMES,
            pairings: vec![PairSelection::All],
            engine: EnginePlan::default(),
            opponent: None,
            jobs: cores(),
            restart: Restart::default(),
            openings: OpeningPlan::default(),
            seed: 1,
            adjudication: Adjudication::default(),
            choices: Choices::default(),
            anchor_report: None,
            tables: TablePlan::default(),
            pictures: BTreeSet::from([PictureFormat::Png]),
            page: true,
        }
    }
}

/// Another engine, or the same one with other options or depths.
#[derive(Debug, Clone, PartialEq)]
pub struct OpponentPlan {
    /// The engine.
    pub engine: EnginePlan,
    /// Depths in plies that it plays to, in ascending order.
    pub depths: Vec<u32>,
}

/// Where games begin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OpeningPlan {
    /// At the usual start.
    #[default]
    Usual,
    /// With the positions or the moves of a file.
    File {
        /// EPD, FEN or PGN.
        path: PathBuf,
        /// Half-moves that are taken of each game of a PGN at most.
        plies: Option<u32>,
    },
    /// With so many random half-moves.
    Random(u32),
}
