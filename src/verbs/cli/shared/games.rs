//! Owns the options of which games are taken, and how they are read.

use std::ops::RangeInclusive;

use clap::Args;

use super::{ChoiceArgs, ReadingArgs};
use crate::verbs::app::plan::ReadingPlan;

/// Which games are taken, and how they are read.
#[derive(Debug, Clone, Default, Args)]
pub struct GamesArgs {
    /// How games are read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Which games are taken.
    #[command(flatten)]
    pub choice: ChoiceArgs,
}

impl GamesArgs {
    /// Returns which games are read, of these `rounds` alone if there are any, where `seed` draws samples of them; says what
    /// is wrong where two choices leave nothing.
    pub fn plan(&self, rounds: &[RangeInclusive<u32>], seed: u64) -> Result<ReadingPlan, String> {
        Ok(self.reading.plan(self.choice.selection(rounds, seed)?))
    }
}
