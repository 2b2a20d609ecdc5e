//! Owns the verb `reproduce`: the tables of a paper from its own numbers, beside their print.

use clap::Args;

use crate::lab::{Paper, PaperTable, papers};
use crate::report::tables;
use crate::verbs::{args::ExportArgs, error::VerbError, runs::Finished, runs::RunEnding, runs::Viewer};

#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// The paper.
    #[arg(value_enum)]
    pub paper: Paper,
    #[command(flatten)]
    pub export: ExportArgs,
}

/// Shows the tables of the paper that `args` names.
pub fn run(args: &ReproduceArgs, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let recomputed = args.paper.tables();
    Ok(Finished::new(tables::papers(&recomputed, viewer.screen()), ending(&recomputed)))
}

/// Ends complete where every cell agrees that should.
fn ending(recomputed: &[PaperTable]) -> RunEnding {
    match papers::tally(recomputed).differing {
        0 => RunEnding::Complete,
        _ => RunEnding::Disagrees,
    }
}

#[cfg(test)]
mod tests {
    use std::process::ExitCode;

    use super::*;
    use crate::lab::papers::ferreira::{self, FerreiraData};

    #[test]
    fn a_wrong_cell_ends_with_1() {
        let data = FerreiraData::shipped();
        assert_eq!(ExitCode::from(ending(&ferreira::tables(&data))), ExitCode::from(0));
        let wrong =
            FerreiraData { performances: data.performances.clone().with(0, "performance", "2800.9"), ..data };
        assert_eq!(ExitCode::from(ending(&ferreira::tables(&wrong))), ExitCode::from(1));
    }
}
