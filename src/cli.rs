//! Owns the command line: what can be asked for, in words; doing it is `cmd`'s.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

use crate::{
    engine::{options::Setting, session::Setup, uci::MAX_DEPTH},
    evaluation::{Limit, Order, Protocol},
    gain,
    report::export::Format,
    score::Clip,
    stats::{elo::EloCurve, histogram::BinWidth},
    tournament::Method,
};

/// Depth of a search unless asked otherwise, in plies: that of Ferreira's experiment.
pub const DEPTH: u32 = 20;

/// Measure the quality of play in chess games.
///
/// Replays the games, asks a UCI engine for the evaluation of every position, takes the gain of
/// each move, and rates the players by it, after D. R. Ferreira (ICGA Journal, 2013).
#[derive(Debug, Parser)]
#[command(name = "gainalyze", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 all went well, 1 something else failed, 2 bad input or usage, \
                        3 the engine failed on some games, 130 interrupted.")]
pub struct Cli {
    /// What to do; without a verb, `analyze`.
    #[command(subcommand)]
    pub verb: Option<Verb>,
    /// The options of the default verb.
    #[command(flatten)]
    pub analyze: AnalyzeArgs,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Rate the players of a tournament by the gain of their moves (the default).
    Analyze(AnalyzeArgs),
}

/// Options of `analyze`.
#[derive(Debug, Args)]
pub struct AnalyzeArgs {
    /// PGN files, taken together as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Report each file on its own.
    #[arg(long)]
    pub separately: bool,
    /// No progress and no remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub method: MethodArgs,
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Where evaluations come from, and where they are written back to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Evaluations")]
pub struct SourceArgs {
    /// Take evaluations from the PGN's [%eval] comments, from the engine, or (auto) from the PGN
    /// for each game in which every position has one deep enough, else from the engine.
    #[arg(long, value_enum, default_value_t)]
    pub evals: Evals,
    /// Write the games back with an [%eval] comment after each move.
    #[arg(long, value_name = "OUT.pgn", value_hint = ValueHint::FilePath)]
    pub annotate: Option<PathBuf>,
}

/// Where evaluations come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Evals {
    /// Recorded where complete, else the engine's.
    #[default]
    Auto,
    /// Only recorded ones.
    Pgn,
    /// Only the engine's.
    Engine,
}

/// Which engine searches, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// The UCI engine [default: $GAINALYZE_ENGINE, else stockfish on PATH or where package
    /// managers put it].
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath)]
    pub engine: Option<PathBuf>,
    /// Set an option of the engine; may be given several times.
    #[arg(long = "engine-option", value_name = "NAME=VALUE")]
    pub engine_options: Vec<Setting>,
    /// Search every position to this depth in plies [default: 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Search about this many nodes of every position instead.
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Hash table of each engine process in megabytes [default: 64].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: Option<u32>,
    /// Engine processes [default: the cores].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Positions of a game that share one hash table; 1 gives each an empty one.
    #[arg(long, value_name = "K", default_value_t = Protocol::SEGMENT as u32,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub segment: u32,
    /// Which end of a game is searched first.
    #[arg(long, value_enum, default_value_t)]
    pub order: SearchOrder,
    /// Seconds that an engine may tell nothing of its search.
    #[arg(long, value_name = "SECONDS", default_value_t = Setup::TIMEOUT.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub engine_timeout: u64,
}

/// Which end of a game is searched first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum SearchOrder {
    /// The end: a search knows what came of the position.
    #[default]
    Backward,
    /// The start.
    Forward,
}

/// Where searched evaluations are kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Store")]
pub struct StoreArgs {
    /// SQLite file of evaluations [default: evaluations.sqlite in the user's cache directory].
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub store: Option<PathBuf>,
    /// Neither read nor keep evaluations.
    #[arg(long, conflicts_with = "store")]
    pub no_store: bool,
}

/// Choices of method.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// Clamp evaluations to ±CP centipawns before a gain is taken; a mate counts ±CP.
    #[arg(long, value_name = "CP", default_value_t = Clip::default().cp(),
          value_parser = clap::value_parser!(i32).range(1..=i64::from(Clip::MAX)))]
    pub clip: i32,
    /// Width of a bin of gain in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub bin: u32,
    /// From expected score to Elo difference.
    #[arg(long, value_enum, default_value_t)]
    pub elo_curve: Curve,
    /// What the players' gains are compared with.
    #[arg(long, value_enum, default_value_t)]
    pub engine_histogram: EngineHistogram,
    /// A player's Elo, in place of the PGN's tags; may be given several times.
    #[arg(long, value_name = "NAME=ELO")]
    pub elo: Vec<GivenElo>,
}

/// From expected score to Elo difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Curve {
    /// 200√2·Φ⁻¹(p), as in the paper.
    #[default]
    Normal,
    /// 400·log₁₀(p/(1 − p)).
    Logistic,
}

/// Which gains are taken to be the engine's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum EngineHistogram {
    /// One peak at 0, the paper's approximation.
    #[default]
    Delta,
    /// The gains of the engine's own best moves: one more search wherever another move was played.
    #[value(name = "self")]
    Own,
}

/// What is written, and where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportArgs {
    /// Folder for the files [default: the name of the PGN in reports/].
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// File formats of the tables, separated by commas: csv, parquet, json.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "csv")]
    pub format: Vec<Format>,
    /// Pictures to draw.
    #[arg(long, value_enum, default_value_t)]
    pub plots: Plots,
    /// Show only players whose name is this or has this in it; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,
}

/// Pictures to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Plots {
    /// PNG files.
    #[default]
    Png,
    /// None.
    None,
}

/// A rating on the command line, `NAME=ELO`.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenElo {
    /// The player, or a part of the name that only one player has.
    pub name: String,
    /// Elo points.
    pub elo: f64,
}

impl std::str::FromStr for GivenElo {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenElo, String> {
        let (name, elo) = text.rsplit_once('=').ok_or("write NAME=ELO, as in \"Carlsen, Magnus=2872\"")?;
        let elo = elo.trim().parse::<f64>().ok().filter(|elo| (1.0..=10_000.0).contains(elo));
        let elo = elo.ok_or("the Elo is a number from 1 to 10000")?;
        match name.trim() {
            "" => Err("the player's name is missing before =".to_owned()),
            name => Ok(GivenElo { name: name.to_owned(), elo }),
        }
    }
}

impl EngineArgs {
    /// When a search ends.
    pub fn limit(&self) -> Limit {
        match self.nodes {
            Some(nodes) => Limit::Nodes(nodes),
            None => Limit::Depth(self.depth.unwrap_or(DEPTH)),
        }
    }

    /// How positions are put to the engine.
    pub fn protocol(&self) -> Protocol {
        let order = match self.order {
            SearchOrder::Backward => Order::Backward,
            SearchOrder::Forward => Order::Forward,
        };
        Protocol { limit: self.limit(), order, segment: self.segment as usize }
    }

    /// How an engine is set up.
    pub fn setup(&self) -> Setup {
        Setup {
            hash: self.hash,
            settings: self.engine_options.clone(),
            timeout: std::time::Duration::from_secs(self.engine_timeout),
        }
    }

    /// Engine processes.
    pub fn jobs(&self) -> usize {
        match self.jobs {
            Some(jobs) => jobs as usize,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl MethodArgs {
    /// The choices of method.
    pub fn method(&self) -> Method {
        Method {
            clip: Clip::new(self.clip).expect("a clip within clap's range"),
            bin: BinWidth::new(self.bin).expect("a width within clap's range"),
            curve: match self.elo_curve {
                Curve::Normal => EloCurve::Normal,
                Curve::Logistic => EloCurve::Logistic,
            },
            engine_histogram: match self.engine_histogram {
                EngineHistogram::Delta => gain::EngineHistogram::Delta,
                EngineHistogram::Own => gain::EngineHistogram::Own,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_verb_is_the_same_as_analyze() {
        let plain = Cli::parse_from(["gainalyze", "a.pgn", "--depth", "12"]);
        let verb = Cli::parse_from(["gainalyze", "analyze", "a.pgn", "--depth", "12"]);
        let Some(Verb::Analyze(args)) = verb.verb else { panic!("a verb") };
        assert_eq!(format!("{:?}", plain.analyze), format!("{args:?}"));
        assert_eq!(args.engine.limit(), Limit::Depth(12));
    }

    #[test]
    fn a_rating_is_what_stands_behind_the_last_equals_sign() {
        let given: GivenElo = "A=B, Magnus = 2872.5".parse().expect("a rating");
        assert_eq!(given, GivenElo { name: "A=B, Magnus".to_owned(), elo: 2872.5 });
        assert!("Carlsen".parse::<GivenElo>().is_err());
        assert!("Carlsen=strong".parse::<GivenElo>().is_err());
        assert!("=2700".parse::<GivenElo>().is_err());
    }

    #[test]
    fn depth_and_nodes_exclude_each_other() {
        assert!(Cli::try_parse_from(["gainalyze", "a.pgn", "--depth", "3", "--nodes", "4"]).is_err());
        assert!(Cli::try_parse_from(["gainalyze", "a.pgn", "--depth", "0"]).is_err());
    }
}
