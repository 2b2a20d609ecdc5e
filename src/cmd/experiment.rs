//! Owns what a verb that plays does with the games at its end: it computes, writes and shows the tables.

use super::{CmdError, print, progress::Display};
use crate::{
    cli::experiment::{AnchorSource, ExperimentArgs},
    experiment::{Choices, Experiment},
    report::{
        self,
        experiment::{ExperimentOptions, anchor},
        files::OutputDir,
    },
    selfplay::Outcome,
};

/// What the user wants computed, and where the anchor is from.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// What is computed.
    pub choices: Choices,
    /// The report of the anchor; `None` where it was given as a number, or there is none.
    pub origin: Option<String>,
}

/// What `args` ask for in an experiment of the engine of that name; warns where the anchor is of another.
pub fn wanted(args: &ExperimentArgs, engine: &str, display: &Display) -> Result<Wanted, CmdError> {
    let (anchor, origin) = match &args.anchor {
        None => (None, None),
        Some(AnchorSource::Given(anchor)) => (Some(*anchor), None),
        Some(AnchorSource::Report(path)) => {
            let found = anchor::read(path)?;
            if let Some(warning) = found.warning(engine) {
                display.warn(&warning);
            }
            let origin = format!("{} at depth {}, by {}", found.engine, found.anchor.depth, path.display());
            (Some(found.anchor), Some(origin))
        }
    };
    Ok(Wanted { choices: args.choices(anchor), origin })
}

/// Computes what follows from `outcomes`, writes it into `dir`, and shows the tables.
pub fn report(
    outcomes: &[Outcome],
    wanted: &Wanted,
    dir: &OutputDir,
    mut options: ExperimentOptions,
) -> Result<(), CmdError> {
    let experiment = Experiment::of(outcomes, &wanted.choices)?;
    options.facts.anchor.clone_from(&wanted.origin);
    print(&report::experiment::write(dir, &experiment, &options)?)
}
