//! Owns the options of what is measured of a tournament: its games, their evaluations, and the method.

use clap::Args;

use super::{FilterArgs, GamesArgs, MethodArgs, SourceArgs};
use crate::measure::Method;
use crate::numbers::Bootstrap;
use crate::verbs::app::plan::{EvaluationPlan, Reach, ReadingPlan};

/// What is measured of a tournament.
#[derive(Debug, Clone, Args)]
pub struct TournamentArgs {
    /// Which games are taken.
    #[command(flatten)]
    pub taken: GamesArgs,
    /// Where evaluations come from.
    #[command(flatten)]
    pub source: SourceArgs,
    /// How gains become numbers.
    #[command(flatten)]
    pub method: MethodArgs,
    /// Which moves count.
    #[command(flatten)]
    pub filter: FilterArgs,
}

impl TournamentArgs {
    /// Returns the choices of method with these samples behind the intervals; says what is wrong where two of them do
    /// not go together.
    pub fn method(&self, bootstrap: Bootstrap) -> Result<Method, String> {
        self.method.method(&self.filter, bootstrap)
    }

    /// Returns which games are read for `method`, where `seed` draws samples of them; says what is wrong where two
    /// choices leave nothing.
    pub fn reading(&self, method: &Method, seed: u64) -> Result<ReadingPlan, String> {
        self.taken.plan(&method.filter.rounds, seed)
    }

    /// Returns where the evaluations that `method` needs come from.
    pub fn evaluations(&self, method: &Method, reach: Reach) -> EvaluationPlan {
        self.source.plan(method, reach)
    }
}
