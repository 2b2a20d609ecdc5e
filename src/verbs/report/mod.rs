//! The verb `report`: a report rewritten from its own folder, or made from a store, without an engine.

mod remade;
mod stored;

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::base::{output::RecordedFolder, text::shown_path};
use crate::files::{Format, PictureFormat, formats::restore};
use crate::report::tournament;
use crate::verbs::{
    args::ConsoleArgs, args::ReadingArgs, args::ReportArgs, args::ShownArgs, args::StoredArgs,
    args::TerminalArgs, args::check_mixed, args::picture, args::values, error::Result, error::VerbError,
    runs::Finished, runs::Plan, runs::RunEnding, runs::Viewer,
};

/// Options of `report`.
#[derive(Debug, Args)]
pub struct RemakeArgs {
    /// Folder of a report, or a store: a SQLite file, or postgres://USER@HOST/DATABASE.
    #[arg(value_name = "DIR|STORE", value_hint = ValueHint::AnyPath)]
    pub source: PathBuf,
    /// With a store: PGN files, compressed or not, and folders of them; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Only check that the files in the folder of any run are as the run wrote them.
    #[arg(long, conflicts_with = "pgn")]
    pub check: bool,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub stored: StoredArgs,
    #[command(flatten)]
    pub report: OverrideArgs,
}

/// Options that replace the options of the original report.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct OverrideArgs {
    /// Output folder [default: the report's own; with a store, a folder in reports/, named after the PGN].
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Overwrite the report of another engine or a deeper search, and files that you made or changed.
    #[arg(long)]
    pub force: bool,
    /// Table formats, separated by commas: csv, parquet, json [default: as recorded].
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', add = values(Format::ALL))]
    pub format: Vec<Format>,
    /// Picture formats, separated by commas, or `none` [default: as recorded].
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', value_parser = picture())]
    pub plots: Vec<Option<PictureFormat>>,
    #[command(flatten)]
    pub shown: ShownArgs,
    #[command(flatten)]
    pub terminal: TerminalArgs,
}

impl OverrideArgs {
    /// Returns the options of the rewritten report: those of `recorded`, replaced by the options that the
    /// user names. `--force`, `--player`, `--no-html` and `--tables` are never taken from `recorded`. Fails
    /// if the options contradict each other.
    pub fn apply(&self, recorded: &ReportArgs) -> Result<ReportArgs, String> {
        let mut plan = recorded.clone();
        if !self.plots.is_empty() {
            check_mixed(&self.plots)?;
            plan.pictures.plots.clone_from(&self.plots);
        }
        if !self.format.is_empty() {
            plan.table.format.clone_from(&self.format);
        }
        // The `--force` of the earlier run does not apply to this one.
        plan.table.force = self.force;
        plan.shown = self.shown.clone();
        if self.shown.also.also.is_empty() {
            plan.shown.also = recorded.shown.also.clone();
        }
        if self.shown.game.is_empty() {
            plan.shown.game.clone_from(&recorded.shown.game);
        }
        if self.shown.split.is_empty() {
            plan.shown.split.clone_from(&recorded.shown.split);
        }
        plan.shown.with_engine |= recorded.shown.with_engine && !plan.shown.no_html;
        plan.terminal = self.terminal.clone();
        plan.terminal.min_games = self.terminal.min_games.or(recorded.terminal.min_games);
        plan.check()?;
        Ok(plan)
    }
}

/// Parser of the command line of the run that made a report.
type PlanOf = fn(&[String]) -> Result<Plan, String>;

/// Rewrites the report in a folder, or makes a report from a store. `args` names the folder or the store.
pub fn run(args: &RemakeArgs, plan_of: PlanOf, viewer: &mut dyn Viewer) -> Result<Finished> {
    match args.source.as_path() {
        folder if folder.is_dir() && args.check => {
            RecordedFolder::open(folder).and_then(|folder| folder.check_all()).map_err(VerbError::new)?;
            viewer.note(&format!("{}: unchanged", shown_path(folder)));
            Ok(Finished::new(String::new(), RunEnding::Complete))
        }
        folder if folder.is_dir() && args.pgn.is_empty() => {
            from_folder(folder, plan_of, &args.report, viewer)
        }
        folder if folder.is_dir() => Err(VerbError::new(format!(
            "{}: the folder of a report already has games: leave out the PGN files, or name a store instead of \
             the folder",
            shown_path(folder)
        ))),
        _ => stored::run(args, viewer),
    }
}

fn from_folder(
    folder: &Path,
    plan_of: PlanOf,
    changes: &OverrideArgs,
    viewer: &dyn Viewer,
) -> Result<Finished> {
    let restored = restore::report(folder).map_err(VerbError::from)?;
    let wrong = |problem| {
        let file = shown_path(&folder.join("run.json"));
        VerbError::new(format!("{file}: {problem}"))
    };
    let mut plan = plan_of(&restored.run.command).map_err(wrong)?;
    // Extra files in the folder are kept, whichever command wrote them.
    let there = tournament::extras_of(restored.files.iter().map(String::as_str));
    plan.report.shown.also.also.extend(there);
    plan.report = changes.apply(&plan.report)?;
    plan.report.table.output.clone_from(&changes.output);
    remade::run(restored, (folder, &plan), &changes.shown.game, viewer)
}
