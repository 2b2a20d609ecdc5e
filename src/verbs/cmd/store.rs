//! Owns the verb `store`: looking after stores of evaluations.

use super::{console::Console, show};
use crate::files::Overwrite;
use crate::report::table::TableForm;
use crate::verbs::cli::{UpkeepAction, UpkeepArgs};
use crate::verbs::error::VerbError;
use crate::verbs::runs::{RunEnding, upkeep};

/// Does with a store what `args` ask for.
pub fn run(args: &UpkeepArgs) -> Result<RunEnding, VerbError> {
    let console = Console::new(TableForm::default());
    show(match &args.action {
        UpkeepAction::Check { store } => upkeep::check(store)?,
        UpkeepAction::Stats { store, export } => upkeep::stats(store, &Console::new(export.form()))?,
        UpkeepAction::Prune(args) => upkeep::prune(&args.store, &args.plan()?)?,
        UpkeepAction::Export { store, to, force } => {
            upkeep::export(store, to, Overwrite::forced(*force), &console)?
        }
        UpkeepAction::Merge { into, from } => upkeep::merge(into, from, &console)?,
    })
}
