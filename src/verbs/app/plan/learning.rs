//! Owns what a run that learns from players' moves is to do.

use std::{collections::BTreeSet, path::PathBuf};

use super::RunShare;
use crate::files::PictureFormat;
use crate::lab::{BandPlan, LearnPlan};
use crate::verbs::args::TableArgs;

/// What the learning of weights is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct LearningPlan {
    /// PGN files, packed or not, and folders of them; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Whose games and which positions.
    pub reading: BandPlan,
    /// How weights are learned.
    pub learning: LearnPlan,
    /// Whether the first thing that cannot be read ends the run.
    pub strict: bool,
    /// Threads that read, search and train; no result depends on their number.
    pub jobs: usize,
    /// Which weights are learned here.
    pub share: RunShare,
    /// A band of fewer games is refused.
    pub least_games: usize,
    /// Where tables are written.
    pub tables: TableArgs,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
    /// Whether there is a page.
    pub page: bool,
}

impl LearningPlan {
    /// Fewer games than these teach nothing: their weights would be those of one or two players.
    pub const LEAST_GAMES: usize = 20;
}
