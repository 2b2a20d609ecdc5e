//! The verb `reproduce`: the tables of a paper, recomputed from its own numbers, next to the printed ones.

use std::{fs, io::Write, path::Path, path::PathBuf};

use clap::{Args, ValueEnum, ValueHint};

use crate::base::output::{NamedFile, Overwrite, write_named_file};
use crate::lab::{Paper, PaperTable, papers};
use crate::report::{ReportError, kinds::papers::page, kinds::papers::shown_papers};
use crate::verbs::{args::ExportArgs, error::Result, runs::Finished, runs::RunEnding, runs::Viewer};

#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Paper to recompute.
    #[arg(value_enum)]
    pub paper: Paper,
    /// Also write the tables as a page, such as paper.html.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub page: Option<PathBuf>,
    #[command(flatten)]
    pub export: ExportArgs,
}

pub fn run(args: &ReproduceArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let recomputed = args.paper.tables();
    if let Some(path) = &args.page {
        let value = args.paper.to_possible_value();
        let title = value.and_then(|value| Some(value.get_help()?.to_string())).unwrap_or_default();
        let html = page(title, &recomputed).map_err(ReportError::Page)?;
        let is_ours = |path: &Path| fs::read_to_string(path).is_ok_and(|text| text.contains(SIGN));
        NamedFile { path, overwrite: Overwrite::Ours }.check("gainalyze reproduce --page", is_ours)?;
        write_named_file(path, |file| file.write_all(html.as_bytes()))?;
    }
    Ok(Finished::new(shown_papers(&recomputed, viewer.screen()), ending(&recomputed)))
}

/// The beginning of the tag that names this program in its pages.
const SIGN: &str = "<meta name=\"generator\" content=\"gainalyze ";

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
