//! Owns what a verb that plays does with the games at its end: it computes, writes and shows the tables.

use super::{CmdError, console::Console};
use crate::{
    app::Observer,
    cli::experiment::{AnchorSource, ExperimentArgs},
    experiment::{Choices, Experiment},
    formats::anchor,
    output::Publication,
    report::{self, experiment::ExperimentOptions},
    selfplay::GameRecord,
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
pub fn wanted(args: &ExperimentArgs, engine: &str, console: &Console) -> Result<Wanted, CmdError> {
    let (anchor, origin) = match &args.anchor {
        None => (None, None),
        Some(AnchorSource::Given(anchor)) => (Some(*anchor), None),
        Some(AnchorSource::Report(path)) => {
            let found = anchor::read(path)?;
            if let Some(warning) = found.warning(engine) {
                console.warn(&warning);
            }
            let origin = format!("{} at depth {}, by {}", found.engine, found.anchor.depth, path.display());
            (Some(found.anchor), Some(origin))
        }
    };
    Ok(Wanted { choices: args.choices(anchor), origin })
}

/// Computes what follows from `records`, writes it, and gives back the tables as text.
pub fn report(
    records: &[GameRecord],
    wanted: &Wanted,
    out: &Publication<'_>,
    mut options: ExperimentOptions,
) -> Result<String, CmdError> {
    let experiment = Experiment::of(records, &wanted.choices)?;
    options.facts.anchor.clone_from(&wanted.origin);
    Ok(report::experiment::write(out, &experiment, &options)?)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// A verb that has the options.
    #[derive(Parser)]
    struct Verb {
        #[command(flatten)]
        experiment: ExperimentArgs,
    }

    fn found(anchor: &str) -> Result<Wanted, CmdError> {
        let args = Verb::parse_from(["verb", "--anchor", anchor]).experiment;
        wanted(&args, "Stockfish 15.1", &Console::new(true))
    }

    #[test]
    fn an_anchor_is_a_number_or_the_strength_that_a_report_has() {
        let given = found("8=2400±50").expect("an anchor");
        assert_eq!((given.choices.anchor.map(|anchor| anchor.depth), given.origin), (Some(8), None));
        let report = concat!(env!("CARGO_MANIFEST_DIR"), "/reports/candidates-2013");
        let read = found(report).expect("a report of the repository");
        assert_eq!(read.choices.anchor.map(|anchor| anchor.depth), Some(20));
        assert!(read.origin.is_some_and(|origin| origin.starts_with("Stockfish 15.1 at depth 20, by ")));
        let error = found("/no/such/report").expect_err("no report");
        assert!(matches!(error, CmdError::Anchor(_)), "{error}");
    }
}
