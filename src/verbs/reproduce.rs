//! The verb `reproduce`: the tables of a paper, recomputed from its own numbers, next to the printed ones; and the
//! study of quality and the year, computed again from its sums.

use std::{fs, io::Write, path::Path, path::PathBuf};

use clap::{Args, ValueEnum, ValueHint, builder::PossibleValue};

use crate::base::output::{NamedFile, Overwrite, write_named_file};
use crate::base::text::shown_path;
use crate::lab::{Paper, PaperTable, history::History, papers};
use crate::report::{ReportError, kinds::history, kinds::papers::page, kinds::papers::shown_papers};
use crate::verbs::{
    args::ExportArgs, calibrate::read_sums, error::Result, error::VerbError, runs::Finished, runs::RunEnding,
    runs::Viewer,
};

#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// Paper or study to recompute.
    #[arg(value_enum)]
    pub paper: Reproduced,
    /// Also write the tables as a page, such as paper.html.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub page: Option<PathBuf>,
    /// Folder with the sums of the engines, for `history`: data/calibration of the repository.
    #[arg(long, value_name = "FOLDER", default_value = "data/calibration", value_hint = ValueHint::DirPath)]
    pub sums: PathBuf,
    #[command(flatten)]
    pub export: ExportArgs,
}

#[derive(Debug, Clone, Copy)]
pub enum Reproduced {
    Paper(Paper),
    History,
}

impl ValueEnum for Reproduced {
    fn value_variants<'a>() -> &'a [Reproduced] {
        &[
            Reproduced::Paper(Paper::Ferreira2013),
            Reproduced::Paper(Paper::Heinz2000),
            Reproduced::Paper(Paper::Paulsen2010),
            Reproduced::Paper(Paper::Kennedy2018),
            Reproduced::History,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Reproduced::Paper(paper) => paper.to_possible_value(),
            Reproduced::History => Some(PossibleValue::new("history").help(HISTORY)),
        }
    }
}

const HISTORY: &str = "Quality of play and the year: a study of this project (reports/published/history)";

pub fn run(args: &ReproduceArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    if let Reproduced::Paper(paper) = args.paper {
        let recomputed = paper.tables();
        let value = paper.to_possible_value();
        let title = value.and_then(|value| Some(value.get_help()?.to_string())).unwrap_or_default();
        write_page(args, || page(title, &recomputed))?;
        return Ok(Finished::new(shown_papers(&recomputed, viewer.screen()), ending(&recomputed)));
    }
    let study = study(&args.sums)?;
    write_page(args, || history::page(&study))?;
    Ok(Finished::new(history::shown(&study, viewer.screen()), RunEnding::Complete))
}

/// The engines of the study, the main engine first.
const ENGINES: [&str; 3] = ["stockfish-15.1", "builtin", "stockfish-16"];

fn study(folder: &Path) -> Result<History> {
    let of_engine = |engine| read_sums(&folder.join(format!("sums-{engine}-depth-10.csv.zst")));
    let data = ENGINES.map(of_engine).into_iter().collect::<Result<Vec<_>>>().map_err(|error| {
        error.with_hint("; run this in a clone of the repository, or name its data/calibration by --sums")
    })?;
    let wrong = || VerbError::new(format!("{}: its sums are not those of the study", shown_path(folder)));
    History::of(&data).ok_or_else(wrong)
}

fn write_page(args: &ReproduceArgs, page: impl FnOnce() -> askama::Result<String>) -> Result<()> {
    let Some(path) = &args.page else { return Ok(()) };
    let html = page().map_err(ReportError::Page)?;
    let is_ours = |path: &Path| fs::read_to_string(path).is_ok_and(|text| text.contains(SIGN));
    NamedFile { path, overwrite: Overwrite::Ours }.check("gainalyze reproduce --page", is_ours)?;
    Ok(write_named_file(path, |file| file.write_all(html.as_bytes()))?)
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
