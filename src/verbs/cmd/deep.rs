//! Owns the verb `deep`: from a position to a tree of it, and what a store knows of positions.

use super::{console::Console, show};
use crate::verbs::cli::{DeepAction, DeepArgs};
use crate::verbs::error::VerbError;
use crate::verbs::{runs, runs::RunEnding};

/// Grows the tree that `args` ask for, or looks into a store.
pub fn run(args: &DeepArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.console);
    show(match &args.action {
        Some(DeepAction::Show { store, fen }) => runs::deep_store::show(store, fen, &console)?,
        Some(DeepAction::Merge { into, from }) => {
            runs::upkeep::merge(into, std::slice::from_ref(from), &console)?
        }
        None => runs::deep::run(&plan, &mut console)?,
    })
}
