//! Owns the options of `learn`: weights of the linear evaluation, learned from players' moves.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::chess::{RandomSample, Selection, Shard, Share, text::path_text};
use crate::engine::chess_engine::{EngineWeights, LinearFile};
use crate::engine::weights::read_weights;
use crate::lab::{BandPlan, DecisionPlan, LearnPlan, LearningObjective, Movers, RatingBand};
use crate::numbers::Bootstrap;
use crate::verbs::app::plan::{LearningPlan, RunShare};
use crate::verbs::args::{ConsoleArgs, GamesArgs, ResultArgs, or_cores, parse_jobs};

const EXAMPLES: &str = "\
Examples:
  gainalyze learn lichess_db_standard_rated_2017-04.pgn.zst
                                       four bands of 50 points, as in the paper
  gainalyze learn data/learning/lichess-2021.pgn.zst --tolerance 100 --every 1
                                       few games: broad bands, and every position
  gainalyze engine --weights reports/DIR/weights-1200-logit.txt
                                       an engine that plays by what it has learned

";

/// Options of `learn`.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = EXAMPLES)]
#[command(mut_arg("max_games", |arg| arg.help("Take the first N games of each band that all other choices leave [default: 10000]")))]
#[command(mut_arg("force", |arg| arg.help(
    "Learn from fewer games of a band than 20 too, and overwrite files that no run of this program has left"
)))]
pub struct LearnArgs {
    /// PGN files, packed or not, and folders of them; `-` reads standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Learn from players of about these ratings, separated by commas.
    #[arg(long, value_name = "ELO", value_delimiter = ',', default_value = "1000,1200,1400,1600")]
    pub band: Vec<RatingBand>,
    /// Count a rating within so many points of a band's to it.
    #[arg(long, value_name = "POINTS", default_value_t = 25, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub tolerance: u32,
    /// Take positions of a side that are so many plies apart, or one more.
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub every: u32,
    /// Take positions from this ply on; 0 is the start.
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    pub plies_from: u32,
    /// Whose moves are learned from, each by the mover's own rating.
    #[arg(long, value_enum, default_value_t)]
    pub side: SideArg,
    /// What makes weights good, separated by commas: svm, svm-per-position, logit.
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "svm,svm-per-position,logit",
        help_heading = "Learning"
    )]
    pub objective: Vec<LearningObjective>,
    /// Search so many plies for the leaf of a position before captures alone are tried.
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=4), help_heading = "Learning")]
    pub pv_depth: u32,
    /// Train so often, each time with the leaves that the last weights lead to.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=20), help_heading = "Learning")]
    pub rounds: u32,
    /// The factor before the losses [default: chosen by games left out].
    #[arg(long, value_name = "C", value_parser = factor, help_heading = "Learning")]
    pub c: Option<f64>,
    /// Find the first leaves by the linear weights of this file.
    #[arg(long, value_name = "FILE", default_value = LinearFile::HANDMADE, value_hint = ValueHint::FilePath, help_heading = "Learning")]
    pub start_weights: String,
    /// Keep this share of the games out of training, to test on.
    #[arg(long, value_name = "SHARE", default_value = "0.2", help_heading = "Learning")]
    pub held_out: Share,
    /// Samples of whole games behind the intervals of weights; 0 for none.
    #[arg(long, value_name = "SAMPLES", default_value_t = Bootstrap::LEAST, value_parser = clap::value_parser!(u32).range(..=10_000), help_heading = "Learning")]
    pub bootstrap: u32,
    /// Of all that is drawn by lot: games held out, orders, samples.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed, help_heading = "Learning")]
    pub seed: u64,
    /// Learn the third of fifteen equal parts of the weights (3/15) into a folder of its own, and report nothing: the same
    /// command with --gather in place of --shard makes one report of all.
    #[arg(long, value_name = "K/N", requires = "output", help_heading = "Many machines")]
    pub shard: Option<Shard>,
    /// Train nothing: take the weights from the folders in which parts of them were learned; all must be there.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, num_args = 1.., conflicts_with = "shard", help_heading = "Many machines")]
    pub gather: Vec<PathBuf>,
    /// Threads that read, search and train [default: the cores].
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u32>,
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// Which games are taken.
    #[command(flatten)]
    pub taken: GamesArgs,
    /// What is written of the results.
    #[command(flatten)]
    pub results: ResultArgs,
}

/// Whose moves are learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SideArg {
    /// Both players'.
    #[default]
    Both,
    /// White's alone, as in the paper.
    White,
}

fn factor(text: &str) -> Result<f64, String> {
    let c = text.parse().ok().filter(|c: &f64| c.is_finite() && *c > 0.0);
    c.ok_or_else(|| "write a number above 0, as in 0.01".to_owned())
}

impl LearnArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<LearningPlan, String> {
        let mut objectives = self.objective.clone();
        objectives.sort_unstable();
        objectives.dedup();
        let selection = self.taken.choice.selection(&[], self.seed)?;
        self.results.pictures.check()?;
        let ResultArgs { table, pictures, no_html } = self.results.clone();
        Ok(LearningPlan {
            files: self.files.clone(),
            reading: BandPlan {
                bands: self.bands()?,
                movers: match self.side {
                    SideArg::Both => Movers::Both,
                    SideArg::White => Movers::White,
                },
                decisions: DecisionPlan { every: self.every as usize, plies_from: self.plies_from as usize },
                most_games: selection.max_games.unwrap_or(10_000) as usize,
                selection: Selection { max_games: None, ..selection },
                held_out: RandomSample { share: self.held_out, seed: self.seed },
            },
            learning: LearnPlan {
                objectives,
                start: self.start()?,
                depth: self.pv_depth,
                rounds: self.rounds,
                c: self.c,
                seed: self.seed,
                bootstrap: Bootstrap { samples: self.bootstrap, seed: self.seed },
            },
            strict: self.taken.reading.strict,
            share: self.share()?,
            jobs: or_cores(self.jobs),
            least_games: if self.results.table.force { 2 } else { LearningPlan::LEAST_GAMES },
            tables: table,
            pictures: pictures.pictures(),
            page: !no_html,
        })
    }

    fn share(&self) -> Result<RunShare, String> {
        match (RunShare::of(self.shard, &self.gather), self.rounds) {
            (share, 1) | (share @ RunShare::All, _) => Ok(share),
            _ => Err("--shard and --gather go with one round of training alone: --rounds 1".to_owned()),
        }
    }

    fn bands(&self) -> Result<Vec<RatingBand>, String> {
        let mut bands = self.band.clone();
        bands.iter_mut().for_each(|band| band.tolerance = self.tolerance);
        bands.sort_unstable();
        match bands.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("--band has {} twice", pair[0])),
            None => Ok(bands),
        }
    }

    fn start(&self) -> Result<LinearFile, String> {
        let problem = match read_weights(&self.start_weights) {
            Ok(EngineWeights::Linear(file)) => return Ok(file),
            Ok(EngineWeights::Terms(_)) => "its weights are not of the linear evaluation".to_owned(),
            Err(problem) => problem,
        };
        Err(format!("--start-weights {}: {problem}", path_text(&self.start_weights)))
    }
}
