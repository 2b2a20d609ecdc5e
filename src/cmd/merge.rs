//! Owns the verb `merge`: the counts of several parts of an archive as one.

use super::{CmdError, RunEnding, archive::Output, console::Console};
use crate::{
    app::{AppError, plan::MergePlan, reading},
    archive::{ArchiveCounts, CountKey},
    cli::MergeArgs,
    formats::part::{self, PartError},
    output::RunClock,
    text::path_text,
};

/// Adds up the parts that `args` names.
pub fn run(args: &MergeArgs) -> Result<RunEnding, CmdError> {
    let clock = RunClock::start();
    let console = Console::new(args.quiet);
    let plan = args.plan().map_err(CmdError::Usage)?;
    let (identity, tally) = merged(&plan)?;
    let output = Output::new(&plan.tables, &reading::name_together(&plan.parts), plan.pictures)?;
    let output = output.with_part(plan.part.as_deref())?;
    let out = output.folder.publication()?;
    output.write(out, &tally, &identity, plan.curve, &clock, &console)
}

fn merged(plan: &MergePlan) -> Result<(CountKey, ArchiveCounts), CmdError> {
    let (first, others) = plan.parts.split_first().ok_or(AppError::NoInput)?;
    let part::Part { identity, mut tally } = part::read(first)?;
    for path in others {
        let part = part::read(path)?;
        if part.identity != identity {
            let [path, first] = [path, first].map(|path| path_text(&path.to_string_lossy()));
            let differences = part.identity.differences(&identity);
            return Err(PartError::Terms { path, first, differences }.into());
        }
        tally += &part.tally;
    }
    Ok((identity, tally))
}
