//! Owns the options of `calibrate`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::chess::{Limit, Protocol};
use crate::files::PictureFormat;
use crate::measure::{CalibrationDesign, Direction, RatingScale, Statistic};
use crate::verbs::app::plan::{CalibratingPlan, CalibrationSource, EvaluationPlan, EvaluationsFrom, Reach};
use crate::verbs::app::rated::CalibrationPlan;
use crate::verbs::args::{ConsoleArgs, EngineArgs, GamesArgs, ShardArgs, StoreArgs, check_mixed, picture};

/// Options of `calibrate`.
#[derive(Debug, Clone, Args)]
pub struct CalibrateArgs {
    /// PGN files or folders of them, each file an event of players whose ratings its tags tell.
    #[arg(value_name = "EVENT", value_hint = ValueHint::AnyPath, required_unless_present = "sums")]
    pub events: Vec<PathBuf>,
    /// Calibrate from sums that --keep-sums has written, without an engine.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "events")]
    pub sums: Option<PathBuf>,
    /// The scale of the ratings.
    #[arg(long, value_enum, default_value_t)]
    pub scale: RatingScale,
    /// Make ratings from these statistics, separated by commas: first_choice_percent,
    /// win_loss_percent, evaluation_loss_cp, log_win_loss, log_evaluation_loss.
    #[arg(long, value_name = "STATISTIC", value_delimiter = ',', default_values_t = CalibrationDesign::default().statistics)]
    pub statistics: Vec<Statistic>,
    /// Which way a rating is read off the statistics.
    #[arg(long, value_enum, default_value_t)]
    pub direction: Direction,
    /// Fit to blocks of so many moves by players of nearly one rating.
    #[arg(long, value_name = "MOVES", default_value_t = CalibrationDesign::default().block,
          value_parser = clap::value_parser!(u64).range(100..=10_000))]
    pub block: u64,
    /// Write the calibration to this file.
    #[arg(long, short, value_name = "FILE", default_value = "calibration.json", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Write what the calibration is made from too, a table packed with zstd, to calibrate from it
    /// again with --sums.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub keep_sums: Option<PathBuf>,
    /// Draw how far ratings are off, as pictures beside the output: png, svg, both, or none.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "none", value_parser = picture())]
    pub plots: Vec<Option<PictureFormat>>,
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// Which games are taken.
    #[command(flatten)]
    pub taken: GamesArgs,
    /// Who searches, and how.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Where evaluations are kept.
    #[command(flatten)]
    pub store: StoreArgs,
    /// What one of many machines does.
    #[command(flatten)]
    pub shard: ShardArgs,
}

/// Deeper searches tell no more of ratings, for many times the nodes.
const DEPTH: u32 = 8;

impl CalibrateArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<CalibratingPlan, String> {
        if self.engine.engines.len() > 1 {
            return Err("calibrate takes the evaluations of one engine at a time".to_owned());
        }
        let repeated = |(place, name)| self.statistics[..place].contains(name);
        if let Some((_, name)) = self.statistics.iter().enumerate().find(|&one| repeated(one)) {
            return Err(format!("--statistics has {name} twice"));
        }
        check_mixed(&self.plots)?;
        let source = match &self.sums {
            Some(path) => CalibrationSource::Sums(path.clone()),
            None => CalibrationSource::Events {
                files: self.events.clone(),
                reading: Box::new(self.taken.plan(&[], 1)?),
                evaluations: Box::new(self.shard.of(self.evaluations())),
            },
        };
        Ok(CalibratingPlan {
            source,
            design: CalibrationDesign {
                scale: self.scale,
                statistics: self.statistics.clone(),
                direction: self.direction,
                block: self.block,
            },
            output: self.output.clone(),
            keep_sums: self.keep_sums.clone(),
            pictures: self.plots.iter().copied().flatten().collect(),
        })
    }

    fn evaluations(&self) -> EvaluationPlan {
        let limit = self.engine.limit().unwrap_or(Limit::Depth(DEPTH));
        EvaluationPlan {
            from: EvaluationsFrom::Engine,
            engine: self.engine.plan(),
            protocol: Protocol { limit, ..self.engine.protocol() },
            is_usual_limit: false,
            store: self.store.plan(),
            reach: Reach::Search,
            calibrations: CalibrationPlan::Nowhere,
            ..EvaluationPlan::default()
        }
    }
}
