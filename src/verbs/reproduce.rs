//! The verb `reproduce`: the tables of a paper, recomputed from its own numbers, next to the printed ones.

use clap::Args;

use crate::lab::{Paper, PaperTable, papers};
use crate::report::kinds::papers::shown_papers;
use crate::verbs::{args::ExportArgs, error::Result, runs::Finished, runs::RunEnding, runs::Viewer};

#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Paper to recompute.
    #[arg(value_enum)]
    pub paper: Paper,
    #[command(flatten)]
    pub export: ExportArgs,
}

pub fn run(args: &ReproduceArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let recomputed = args.paper.tables();
    Ok(Finished::new(shown_papers(&recomputed, viewer.screen()), ending(&recomputed)))
}

/// Returns `Complete` if every cell that should agree does, else `Disagrees`.
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

    #[test]
    fn a_wrong_cell_ends_with_1() {
        let paper = Paper::Ferreira2013;
        assert_eq!(ExitCode::from(ending(&paper.tables())), ExitCode::from(0));
        let wrong = paper.data().with("table7_performance", 0, "performance", "2800.9");
        assert_eq!(ExitCode::from(ending(&paper.tables_of(&wrong))), ExitCode::from(1));
    }
}
