//! The run of one part of the games. It fills a store and writes no tables; a later run on all games writes
//! them.

use super::{Finished, RunEnding, Viewer};
use crate::base::text::counted;
use crate::chess::{Game, Shard};
use crate::verbs::{
    error::Result, evaluations, input::Input, input::evaluated::Evaluated, plan::EvaluationPlan,
};

pub fn run(
    inputs: Vec<Input>,
    plan: &EvaluationPlan,
    shard: Shard,
    viewer: &mut dyn Viewer,
) -> Result<Finished> {
    // A part without games creates a store too, because the user merges one store for each part.
    drop(plan.store.open()?);
    let inputs = chosen(inputs, shard);
    let games: usize = inputs.iter().map(|input| input.games.len()).sum();
    let Evaluated { inputs, counts, interrupted, .. } = evaluations::evaluate(inputs, plan, viewer)?;
    let told = format!(
        "Part {shard}: {}, {} in the store.\n",
        counted(games as u64, "game"),
        counted(counts.searched + counts.stored, "position")
    );
    let has_failed = inputs.iter().any(|input| input.engine_failed);
    if interrupted {
        viewer.note("interrupted: the same command resumes");
    }
    Ok(Finished::new(told, RunEnding::of(interrupted, has_failed)))
}

fn chosen(mut inputs: Vec<Input>, shard: Shard) -> Vec<Input> {
    let all: Vec<&Game> = inputs.iter().flat_map(|input| &input.games).collect();
    let mut is_chosen = shard.choose(&all).into_iter();
    for input in &mut inputs {
        input.games.retain(|_| is_chosen.next() == Some(true));
    }
    inputs
}
