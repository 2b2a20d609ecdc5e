//! Owns the command line: what can be asked for, in words; doing it is `cmd`'s.

mod archive;
mod choice;
pub mod experiment;
pub mod go_deep;
mod process;

use std::{
    collections::BTreeSet,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use shakmaty::Color;

pub use self::{
    archive::{ArchiveArgs, MergeArgs},
    choice::ChoiceArgs,
    process::ProcessArgs,
};
use crate::{
    engine::{options::Setting, session::Setup, uci::MAX_DEPTH},
    evaluation::{Limit, Order, Protocol},
    papers::Paper,
    phase::Phase,
    report::{export::Format, plots::format::PictureFormat},
    score::Clip,
    stats::{bootstrap::Bootstrap, elo::EloCurve, histogram::BinWidth},
    store::Origin,
    tournament::{
        EngineHistogram, Method, Metric,
        filter::{Filter, Split},
    },
};

mod selfplay;

pub use selfplay::{OpeningArgs, PlayerArgs, SelfplayArgs};

/// Depth of a search unless asked otherwise, in plies: that of Ferreira's experiment.
pub const DEPTH: u32 = 20;

const EXIT_CODES: &str = "Exit codes: 0 all went well, 1 something else failed, 2 bad input or usage, \
    3 an engine failed on some games or on all, 130 interrupted.";

/// Formula and source of each measure, for the long help.
const MEASURES: &str = "\
Measures:
  gain            evaluation after a move minus before it, mover's view, both within ±clip
  expected score  P(X > Y) + ½·P(X = Y), X a gain of the player's, Y one of the engine's
                  (Ferreira 2013, Eqs. 7 and 8)
  Elo difference  200√2·Φ⁻¹(p) (Ferreira 2013, Eq. 2)
  score kept      mean over games of ½·Π min(1, W after / W before),
                  W = 1/(1 + e^(−0.00368208·cp)), the chance of winning as lichess has it
  centipawn loss  mean of max(0, −gain)
  loss of win %   mean of max(0, −gain of W), in percentage points
  loss by WDL     the same with the engine's own expected result, (win + draw/2)/1000
  first choice    share of moves that are the engine's best move
  accuracy        as lichess has it: win% = 100·W with cp within ±1000, +15 at the start;
                  move = 103.1668·e^(−0.04354·fall of win%) − 3.1669 + 1 within 0 to 100,
                  100 where win% did not fall; game = mean of the weighted and the harmonic
                  mean, a move's weight being the standard deviation, within 0.5 to 12, of
                  win% over clamp(n/10, 2, 8) plies; player = mean over games

";

/// Measure the quality of play in chess games.
///
/// Replays the games, asks a UCI engine for the evaluation of every position, takes the gain of
/// each move, and rates the players by it, after D. R. Ferreira (ICGA Journal, 2013).
#[derive(Debug, Parser)]
#[command(name = "gainalyze", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(after_help = EXIT_CODES, after_long_help = [MEASURES, EXIT_CODES].concat())]
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
    /// Show how the ratings move with each choice of method, and with another run of an engine.
    ///
    /// Nothing is searched: the evaluations are those recorded in the PGN, or those that an earlier
    /// run with the same engine and options has stored.
    Sensitivity(SensitivityArgs),
    /// Make a report again from what its folder or a store of evaluations holds, without an engine.
    ///
    /// From a folder, without the PGN too: the games and their evaluations are those in its tables of
    /// moves and games, and the method is that of the command line in its run.json. From a store: the
    /// games are those of the PGN files, and those that are not in it as a whole are left out.
    Report(RemakeArgs),
    /// Add up the counts of several parts of an archive, and report them as one.
    ///
    /// The parts are files that --by with --partial has written, of different months or on different
    /// machines. Games that are in two parts are counted twice.
    Merge(MergeArgs),
    /// Recompute every table of a paper from its own numbers, beside the print.
    ///
    /// Cells that differ are marked, and known misprints explained. The numbers come with the program, and
    /// no engine is asked. Ends with 1 if a cell that should agree does not.
    Reproduce(ReproduceArgs),
    /// Count how often an engine's best move changes from each depth to the next.
    ///
    /// Every position of the games is searched once, iteration by iteration, with an empty hash table.
    /// Fresh best moves, which no iteration before had, tell what a deeper search still finds.
    GoDeep(Box<go_deep::GoDeepArgs>),
    /// Let an engine play itself at fixed depths, every depth against every other.
    ///
    /// Ferreira's experiment: who scores how much against whom tells what a ply is worth. Games are
    /// written to games.pgn as they end, and an experiment that was stopped goes on with the same
    /// command.
    Selfplay(Box<SelfplayArgs>),
    /// Print what makes a shell complete this command line.
    ///
    /// For bash: gainalyze completions bash > ~/.local/share/bash-completion/completions/gainalyze
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each verb.
    ///
    /// To read it: gainalyze man | man -l -
    Man(ManArgs),
}

/// Options of `analyze`.
#[derive(Debug, Clone, Args)]
pub struct AnalyzeArgs {
    /// PGN files, taken together as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Report each file on its own, and the engine's strength over all of them.
    #[arg(long)]
    pub separately: bool,
    /// No progress and no remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub method: MethodArgs,
    #[command(flatten)]
    pub bootstrap: BootstrapArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub report: ReportArgs,
    #[command(flatten)]
    pub archive: ArchiveArgs,
}

/// Options of `sensitivity`.
#[derive(Debug, Args)]
pub struct SensitivityArgs {
    /// PGN files, taken together as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Show too how well each number repeats in another run on the same games: the folder of its
    /// report, or a PGN with recorded evaluations.
    #[arg(long, value_name = "OTHER", value_hint = ValueHint::AnyPath)]
    pub against: Option<PathBuf>,
    /// Where the lots of --sample begin.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
    /// No remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub method: MethodArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub table: TableArgs,
}

/// Options of `report`.
#[derive(Debug, Args)]
pub struct RemakeArgs {
    /// The folder of a report, or the SQLite file of a store.
    #[arg(value_name = "DIR|STORE", value_hint = ValueHint::AnyPath)]
    pub source: PathBuf,
    /// With a store: PGN files, taken together as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// No remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub stored: StoredArgs,
    #[command(flatten)]
    pub report: OverrideArgs,
}

/// Whose evaluations a store is asked for, where it has those of several.
#[derive(Debug, Args)]
#[command(next_help_heading = "Evaluations of a store")]
pub struct StoredArgs {
    /// Those of the engine whose name is this or has this in it.
    #[arg(long, value_name = "NAME")]
    pub engine_name: Option<String>,
    /// Those of an engine whose option had this value; may be given several times.
    #[arg(long = "engine-option", value_name = "NAME=VALUE")]
    pub engine_options: Vec<Setting>,
    /// Those to this depth in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Those of about this many nodes.
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Those of segments of this many positions.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub segment: Option<u32>,
    /// Those that were searched from this end of a game.
    #[arg(long, value_enum)]
    pub order: Option<SearchOrder>,
}

/// What a report made again has otherwise than the one that it is made from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct OverrideArgs {
    /// Folder for the files [default: that of the report; with a store, the name of the PGN in
    /// reports/].
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// File formats of the tables, separated by commas: csv, parquet, json [default: as recorded].
    #[arg(long, value_name = "FORMAT", value_delimiter = ',')]
    pub format: Vec<Format>,
    /// Show each player's expected score by class of move too: phase, color, eval; several are
    /// separated by commas [default: as recorded].
    #[arg(long, value_name = "SPLIT", value_delimiter = ',')]
    pub split: Vec<Split>,
    /// File formats of the pictures, separated by commas; or none [default: as recorded].
    #[arg(long, value_enum, value_name = "FORMAT", value_delimiter = ',')]
    pub plots: Vec<Plots>,
    /// Draw this game move by move: its number among all games read, as in column game of moves.csv;
    /// may be given several times [default: as recorded].
    #[arg(long, value_name = "N")]
    pub game: Vec<usize>,
    /// Do not write report.html, the whole report as one page.
    #[arg(long)]
    pub no_html: bool,
    /// Show only players whose name is this or has this in it; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,
}

/// Options of `reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// The paper.
    #[arg(value_enum)]
    pub paper: PaperName,
}

/// A paper whose numbers come with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PaperName {
    /// D. R. Ferreira, "The Impact of Search Depth on Chess Playing Strength".
    #[value(name = "ferreira-2013")]
    Ferreira2013,
    /// E. A. Heinz, "A New Self-Play Experiment in Computer Chess".
    #[value(name = "heinz-2000")]
    Heinz2000,
}

impl PaperName {
    /// The paper meant.
    pub fn paper(self) -> Paper {
        match self {
            PaperName::Ferreira2013 => Paper::Ferreira2013,
            PaperName::Heinz2000 => Paper::Heinz2000,
        }
    }
}

/// Options of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that reads the script.
    pub shell: Shell,
}

/// Options of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write one page for the program and one for each verb into this folder instead.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}

/// Where evaluations come from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Evaluations")]
pub struct SourceArgs {
    /// Take evaluations from the PGN's [%eval] comments, from the engine, or (auto) from the PGN
    /// for each game in which every position has one deep enough, else from the engine.
    #[arg(long, value_enum, default_value_t)]
    pub evals: Evals,
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
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// The UCI engine [default: $GAINALYZE_ENGINE, else stockfish on PATH or where package
    /// managers put it]; several, each after its own --engine, are compared.
    #[arg(long = "engine", value_name = "PATH", value_hint = ValueHint::ExecutablePath)]
    pub engines: Vec<PathBuf>,
    /// Search every position to this depth in plies [default: 20].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Search about this many nodes of every position instead.
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Positions of a game that share one hash table; 1 gives each an empty one.
    #[arg(long, value_name = "K", default_value_t = Protocol::SEGMENT as u32,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub segment: u32,
    /// Which end of a game is searched first.
    #[arg(long, value_enum, default_value_t)]
    pub order: SearchOrder,
    #[command(flatten)]
    pub process: ProcessArgs,
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
#[derive(Debug, Clone, Args)]
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
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// Clamp evaluations to ±CP centipawns before a gain is taken; a mate counts ±CP.
    #[arg(long, value_name = "CP", default_value_t = Clip::default().cp(),
          value_parser = clap::value_parser!(i32).range(1..=i64::from(Clip::MAX)))]
    pub clip: i32,
    /// What a gain is counted in.
    #[arg(long, value_enum, default_value_t)]
    pub metric: MetricName,
    /// Width of a bin of gain in the metric's unit.
    #[arg(long, value_name = "UNITS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub bin: u32,
    /// Count gains within ±UNITS of the engine's as a tie, in the metric's unit.
    #[arg(long, value_name = "UNITS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub tie: u32,
    /// What the engine's own gains are taken to be.
    #[arg(long, value_enum, default_value_t)]
    pub engine_histogram: OwnGains,
    /// From expected score to Elo difference.
    #[arg(long, value_enum, default_value_t)]
    pub elo_curve: Curve,
    /// A player's Elo, in place of the PGN's tags; may be given several times.
    #[arg(long, value_name = "NAME=ELO")]
    pub elo: Vec<GivenElo>,
}

/// Intervals from samples of games.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub struct BootstrapArgs {
    /// Samples of whole games behind the intervals by bootstrap; 0 for none.
    #[arg(long, value_name = "SAMPLES", default_value_t = Bootstrap::default().samples, value_parser = samples)]
    pub bootstrap: u32,
    /// Where the random numbers of the samples begin, and the lots of --sample.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
}

/// None, or enough for the ends of an interval of 95 %.
fn samples(text: &str) -> Result<u32, String> {
    let count = text.parse::<u32>().ok();
    let count = count.filter(|&count| count == 0 || (Bootstrap::LEAST..=MOST_SAMPLES).contains(&count));
    count.ok_or_else(|| format!("write 0 for none, or a number from {} to {MOST_SAMPLES}", Bootstrap::LEAST))
}

/// Samples beyond these tell nothing more, and fill the memory.
const MOST_SAMPLES: u32 = 1_000_000;

/// What a gain is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum MetricName {
    /// Centipawns.
    #[default]
    Cp,
    /// Chance of winning, 1/(1 + e^(−0.00368208·cp)), in hundredths of a percentage point.
    Win,
    /// Expected result by the engine's own win/draw/loss chances, in hundredths of a percentage
    /// point.
    Wdl,
}

/// What the engine's own gains are taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum OwnGains {
    /// One peak at 0, the paper's approximation.
    #[default]
    Delta,
    /// The gains of the engine's best move in the same positions; it takes one more search
    /// wherever another move was played.
    #[value(name = "self")]
    Own,
}

/// Which moves count.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// Leave out moves 1 to N of each side (the opening).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip_moves: u32,
    /// Leave out moves in positions beyond ±CP centipawns, and in those with a mate.
    #[arg(long, value_name = "CP")]
    pub max_eval: Option<u32>,
    /// Leave out moves without an alternative.
    #[arg(long)]
    pub skip_forced: bool,
    /// Count one side's moves, and its games and points, only.
    #[arg(long, value_enum)]
    pub color: Option<Side>,
    /// Count the games of these rounds only, as in 1-7,9.
    #[arg(long, value_name = "ROUNDS", value_delimiter = ',')]
    pub rounds: Vec<Rounds>,
    /// Count these phases only: opening, middlegame, endgame.
    #[arg(long, value_name = "PHASE", value_delimiter = ',')]
    pub phase: Vec<Phase>,
}

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// One round, or those from one to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rounds(pub RangeInclusive<u32>);

impl std::str::FromStr for Rounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Rounds, String> {
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ROUNDS.to_owned());
        let (first, last) = match text.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(text)?, number(text)?),
        };
        if first > last {
            return Err(format!("round {first} comes after round {last}"));
        }
        Ok(Rounds(first..=last))
    }
}

const ROUNDS: &str = "write rounds as in 3, or 1-7";

/// From expected score to Elo difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Curve {
    /// 200√2·Φ⁻¹(p), as in the paper.
    #[default]
    Normal,
    /// 400·log₁₀(p/(1 − p)).
    Logistic,
}

/// Where tables are written, and in what form.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct TableArgs {
    /// Folder for the files [default: the name of the PGN in reports/].
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// File formats of the tables, separated by commas: csv, parquet, json.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "csv")]
    pub format: Vec<Format>,
}

/// What is written, and where.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportArgs {
    #[command(flatten)]
    pub table: TableArgs,
    /// Write the games back with an [%eval] comment after each move.
    #[arg(long, value_name = "OUT.pgn", value_hint = ValueHint::FilePath)]
    pub annotate: Option<PathBuf>,
    /// Show each player's expected score by class of move too: phase, color, eval; several are
    /// separated by commas.
    #[arg(long, value_name = "SPLIT", value_delimiter = ',')]
    pub split: Vec<Split>,
    /// File formats of the pictures, separated by commas; or none.
    #[arg(long, value_enum, value_name = "FORMAT", value_delimiter = ',', default_value = "png")]
    pub plots: Vec<Plots>,
    /// Draw this game move by move: its number among all games read, as in column game of moves.csv;
    /// may be given several times.
    #[arg(long, value_name = "N")]
    pub game: Vec<usize>,
    /// Do not write report.html, the whole report as one page.
    #[arg(long)]
    pub no_html: bool,
    /// Show only players whose name is this or has this in it; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,
}

/// What pictures are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Plots {
    /// PNG files.
    Png,
    /// SVG files.
    Svg,
    /// No pictures.
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

impl From<Curve> for EloCurve {
    fn from(curve: Curve) -> EloCurve {
        match curve {
            Curve::Normal => EloCurve::Normal,
            Curve::Logistic => EloCurve::Logistic,
        }
    }
}

impl From<SearchOrder> for Order {
    fn from(order: SearchOrder) -> Order {
        match order {
            SearchOrder::Backward => Order::Backward,
            SearchOrder::Forward => Order::Forward,
        }
    }
}

impl StoredArgs {
    /// Whether evaluations of that origin are wanted.
    pub fn wants(&self, Origin { engine, protocol }: &Origin) -> bool {
        let name = |wanted: &String| engine.name.to_lowercase().contains(&wanted.to_lowercase());
        let set = |setting: &Setting| {
            let mut options = engine.options.iter();
            options.any(|(name, value)| {
                let same = |wanted: &String| value.eq_ignore_ascii_case(wanted);
                name.eq_ignore_ascii_case(&setting.name) && setting.value.as_ref().is_none_or(same)
            })
        };
        self.engine_name.as_ref().is_none_or(name)
            && self.engine_options.iter().all(set)
            && self.depth.is_none_or(|depth| protocol.limit == Limit::Depth(depth))
            && self.nodes.is_none_or(|nodes| protocol.limit == Limit::Nodes(nodes))
            && self.segment.is_none_or(|segment| protocol.segment == segment as usize)
            && self.order.is_none_or(|order| protocol.order == Order::from(order))
    }
}

impl OverrideArgs {
    /// The options of `recorded` with these in their places.
    pub fn apply(&self, mut recorded: AnalyzeArgs) -> AnalyzeArgs {
        let report = &mut recorded.report;
        if !self.plots.is_empty() {
            report.plots.clone_from(&self.plots);
        }
        if !self.game.is_empty() {
            report.game.clone_from(&self.game);
        }
        report.no_html = self.no_html;
        if !self.format.is_empty() {
            report.table.format.clone_from(&self.format);
        }
        if !self.split.is_empty() {
            report.split.clone_from(&self.split);
        }
        report.player.clone_from(&self.player);
        recorded
    }
}

impl EngineArgs {
    /// The engine that the user names, where it is one.
    pub fn engine(&self) -> Option<&Path> {
        self.engines.first().map(PathBuf::as_path)
    }

    /// When a search ends.
    pub fn limit(&self) -> Limit {
        match self.nodes {
            Some(nodes) => Limit::Nodes(nodes),
            None => Limit::Depth(self.depth.unwrap_or(DEPTH)),
        }
    }

    /// How positions are put to the engine.
    pub fn protocol(&self) -> Protocol {
        Protocol { limit: self.limit(), order: self.order.into(), segment: self.segment as usize }
    }

    /// How an engine is set up.
    pub fn setup(&self) -> Setup {
        self.process.setup()
    }

    /// Engine processes.
    pub fn jobs(&self) -> usize {
        self.process.jobs()
    }
}

impl MethodArgs {
    /// Says what is wrong where two choices do not go together.
    pub fn problem(&self) -> Option<String> {
        let MethodArgs { tie, bin, .. } = *self;
        (tie % bin != 0).then(|| {
            format!(
                "--tie {tie} is no multiple of --bin {bin}: gains are told apart by whole bins, so ±{} or ±{} can tie",
                tie / bin * bin,
                (tie / bin + 1) * bin
            )
        })
    }

    /// The choices of method, with the moves that count and the samples behind the intervals.
    pub fn method(&self, filter: &FilterArgs, bootstrap: Bootstrap) -> Method {
        Method {
            clip: Clip::new(self.clip).expect("a clip within clap's range"),
            metric: match self.metric {
                MetricName::Cp => Metric::Centipawns,
                MetricName::Win => Metric::WinProbability,
                MetricName::Wdl => Metric::Wdl,
            },
            bin: BinWidth::new(self.bin).expect("a width within clap's range"),
            tie: self.tie,
            engine_histogram: match self.engine_histogram {
                OwnGains::Delta => EngineHistogram::Delta,
                OwnGains::Own => EngineHistogram::Own,
            },
            curve: self.elo_curve.into(),
            filter: filter.filter(),
            bootstrap,
        }
    }
}

impl ReportArgs {
    /// Says what is wrong where choices of pictures do not go together.
    pub fn problem(&self) -> Option<String> {
        if !self.plots.contains(&Plots::None) {
            return None;
        }
        if self.plots.iter().any(|&plots| plots != Plots::None) {
            return Some(Plots::NONE_AND_OTHERS.to_owned());
        }
        // The page shows the games that are asked for.
        let game = self.game.first().filter(|_| self.no_html)?;
        Some(format!(
            "--game {game} asks for a picture, --plots none and --no-html for none: leave one of them out"
        ))
    }

    /// The files that each picture is written as.
    pub fn pictures(&self) -> BTreeSet<PictureFormat> {
        Plots::pictures(&self.plots)
    }
}

impl Plots {
    /// What is wrong with a list that has `none` and something else.
    pub const NONE_AND_OTHERS: &str =
        "--plots none cannot go with another format: write png, svg, png,svg or none";

    /// The files that each picture is written as.
    pub fn pictures(plots: &[Plots]) -> BTreeSet<PictureFormat> {
        plots.iter().filter_map(|plots| plots.format()).collect()
    }

    /// The format, where it is one.
    fn format(self) -> Option<PictureFormat> {
        match self {
            Plots::Png => Some(PictureFormat::Png),
            Plots::Svg => Some(PictureFormat::Svg),
            Plots::None => None,
        }
    }
}

impl BootstrapArgs {
    /// The samples behind the intervals.
    pub fn bootstrap(&self) -> Bootstrap {
        Bootstrap { samples: self.bootstrap, seed: self.seed }
    }
}

impl FilterArgs {
    /// Which moves count.
    pub fn filter(&self) -> Filter {
        let color = self.color.map(|side| match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        });
        Filter {
            skip_moves: self.skip_moves,
            max_eval: self.max_eval,
            skip_forced: self.skip_forced,
            color,
            rounds: self.rounds.iter().map(|rounds| rounds.0.clone()).collect(),
            phases: self.phase.clone(),
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
    fn rounds_are_numbers_and_ranges() {
        let cli = Cli::parse_from(["gainalyze", "a.pgn", "--rounds", "1-7,9"]);
        assert_eq!(cli.analyze.filter.filter().rounds, [1..=7, 9..=9]);
        assert!("7-1".parse::<Rounds>().is_err());
        assert!("one".parse::<Rounds>().is_err());
    }

    #[test]
    fn pictures_are_a_list_of_formats_or_none() {
        let report = |args: &[&str]| {
            let args = [&["gainalyze", "a.pgn"], args].concat();
            Cli::try_parse_from(args).map(|cli| cli.analyze.report)
        };
        let fine = |args: &[&str]| {
            let report = report(args).expect("options");
            assert_eq!(report.problem(), None);
            report.pictures().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(fine(&[]), [PictureFormat::Png]);
        assert_eq!(fine(&["--plots", "svg,png,svg"]), PictureFormat::ALL);
        assert_eq!(fine(&["--plots", "none"]), []);
        assert_eq!(fine(&["--plots", "none", "--game", "2"]), [], "the page has it");
        for bad in [&["--plots", "png,none"][..], &["--plots", "none", "--no-html", "--game", "2"]] {
            assert!(report(bad).expect("options").problem().is_some(), "{bad:?}");
        }
        assert!(report(&["--plots", "gif"]).is_err());
    }

    #[test]
    fn engines_are_named_one_by_one() {
        let cli = Cli::parse_from(["gainalyze", "--engine", "a", "x.pgn", "--engine=b", "y.pgn"]);
        assert_eq!(cli.analyze.engine.engines, [Path::new("a"), Path::new("b")]);
        assert_eq!(cli.analyze.pgn.len(), 2);
    }

    #[test]
    fn depth_and_nodes_exclude_each_other() {
        assert!(Cli::try_parse_from(["gainalyze", "a.pgn", "--depth", "3", "--nodes", "4"]).is_err());
        assert!(Cli::try_parse_from(["gainalyze", "a.pgn", "--depth", "0"]).is_err());
    }
}
