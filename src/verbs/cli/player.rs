//! Owns the options of `player`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::chess::NameMatcher;
use crate::measure::{Method, PlayGrouping};
use crate::numbers::Bootstrap;
use crate::verbs::app::plan::{EvaluationPlan, Plan, ProfilePlan, Reach};
use crate::verbs::args::values;
use crate::verbs::args::{
    CalibrationArgs, ConsoleArgs, FilterArgs, GamesArgs, PictureArgs, ReportArgs, ShownArgs, SourceArgs,
    TableArgs, player_name,
};

/// Options of `player`.
#[derive(Debug, Clone, Args)]
pub struct ProfileArgs {
    /// The player: the name as the games have it, or words of it in any order.
    #[arg(value_name = "NAME", value_parser = player_name())]
    pub name: NameMatcher,
    /// PGN files and folders of them; `-` reads standard input.
    #[arg(value_name = "GAMES", value_hint = ValueHint::FilePath)]
    pub games: Vec<PathBuf>,
    /// Divide the moves by these, separated by commas: year, event, speed, color, phase, opening, clock,
    /// position.
    #[arg(long, value_name = "GROUP", value_delimiter = ',', default_values_t = PlayGrouping::USUAL,
        add = values(PlayGrouping::ALL.map(PlayGrouping::name)))]
    pub by: Vec<PlayGrouping>,
    /// Where the lots of --sample begin.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// Which games are taken.
    #[command(flatten)]
    pub taken: GamesArgs,
    /// Where evaluations come from.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Which moves count.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// By what the player is rated.
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    /// Where the table goes, and as what.
    #[command(flatten)]
    pub table: TableArgs,
    /// What is drawn.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// Do not write report.html, the profile as one page.
    #[arg(long, help_heading = "Report")]
    pub no_html: bool,
}

const ONE_ENGINE: &str = "a profile is by one judge: give --engine once";

impl ProfileArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<ProfilePlan, String> {
        if self.source.engine.engines.len() > 1 {
            return Err(ONE_ENGINE.to_owned());
        }
        let method = Method { filter: self.filter.filter(), ..Method::default() };
        let reading = self.taken.plan(&method.filter.rounds, self.seed)?;
        let evaluations = EvaluationPlan {
            calibrations: self.calibration.plan(),
            ..self.source.plan(&method, Reach::Search)
        };
        self.pictures.check()?;
        let report = ReportArgs {
            table: self.table.clone(),
            pictures: self.pictures.clone(),
            shown: ShownArgs { no_html: self.no_html, ..ShownArgs::default() },
            ..ReportArgs::default()
        };
        let mut by = self.by.clone();
        by.sort_unstable();
        by.dedup();
        let plan =
            Plan { files: self.games.clone(), reading, evaluations, method, report, ..Plan::default() };
        Ok(ProfilePlan { player: self.name.clone(), by, plan })
    }
}
