//! Owns the options of `archive`: games by the million, counted as they stream by.

use std::path::PathBuf;

use clap::{
    Args, ValueEnum, ValueHint,
    builder::{PossibleValuesParser, TypedValueParser},
};

use crate::chess::{Metric, NameMatcher};
use crate::measure::{CountOptions, Grouping};
use crate::numbers::Bootstrap;
use crate::verbs::app::plan::ArchivePlan;
use crate::verbs::args::values;
use crate::verbs::args::{
    CalibrationArgs, ConsoleArgs, FilterArgs, GainArgs, GamesArgs, PictureArgs, TableArgs, or_cores,
    parse_jobs, player_name,
};

/// Options of `archive`.
#[derive(Debug, Clone, Args)]
pub struct ArchiveArgs {
    /// PGN files, packed or not, and folders of them; `-` reads standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Count by this: player, elo-band (or elo-band:200), time-control, speed, title, year, event.
    #[arg(long, value_name = "GROUP", add = values(Grouping::NAMES))]
    pub by: Grouping,
    /// Count the moves of these players alone, whose name is this or has this in it as whole words; may be
    /// given several times.
    #[arg(long, value_name = "NAME", value_parser = player_name())]
    pub player: Vec<NameMatcher>,
    /// Replay every move, so that games with illegal ones are left out.
    #[arg(long)]
    pub check_moves: bool,
    /// Threads that read [default: the cores].
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u32>,
    /// Where the lots of --sample begin.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// Which games are taken.
    #[command(flatten)]
    pub taken: GamesArgs,
    /// How gains are counted.
    #[command(flatten)]
    pub gain: GainArgs,
    /// What a gain is counted in.
    #[arg(long, default_value = "cp", value_parser = metric())]
    pub metric: Metric,
    /// Which moves count.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Where tables are written.
    #[command(flatten)]
    pub table: TableArgs,
    /// What pictures are written as.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// By what groups are rated whose recorded evaluations are of a calibrated kind.
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    /// Write the moves too, as table archive-moves in each format.
    #[arg(long)]
    pub moves: bool,
    /// Write the counts themselves to a Parquet file, for the verb merge.
    #[arg(long, value_name = "PART.parquet", value_hint = ValueHint::FilePath)]
    pub partial: Option<PathBuf>,
}

/// Reads a metric that needs nothing but scores: recorded evaluations have no chances of a win, a draw and a loss.
fn metric() -> impl TypedValueParser<Value = Metric> {
    let metrics = [Metric::Centipawns, Metric::WinProbability];
    let names = metrics.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(names).map(|name| Metric::from_str(&name, false).unwrap_or_default())
}

impl ArchiveArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<ArchivePlan, String> {
        self.pictures.check()?;
        Ok(ArchivePlan {
            files: self.files.clone(),
            options: CountOptions {
                method: self.gain.method(self.metric, &self.filter)?,
                selection: self.taken.choice.selection(&[], self.seed)?,
                players: self.player.clone(),
                check_moves: self.check_moves,
                keep_moves: self.moves,
                ..CountOptions::new(self.by)
            },
            strict: self.taken.reading.strict,
            jobs: or_cores(self.jobs),
            tables: self.table.clone(),
            pictures: self.pictures.pictures(),
            part: self.partial.clone(),
            calibrations: self.calibration.plan(),
        })
    }
}
