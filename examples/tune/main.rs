//! The file of weights names the stronger engine. Of that engine, only the evaluations are used, not its code
//! or its network.

mod chances;
mod fit;
mod labels;
mod network;
mod position_file;
mod positions;
mod run;
#[cfg(all(test, unix))]
mod tests;
mod training_game;

use std::{ffi::OsString, io, path::PathBuf, process::ExitCode};

use clap::{Parser, ValueHint, builder::NonEmptyStringValueParser};
use gainalyze::base::output::FileError;
use gainalyze::base::text::with_causes;
use gainalyze::base::variable::VariableError;
use gainalyze::engine::{
    EngineChoice, EngineError,
    builtin::read_weights,
    chess_engine::{EngineWeights, WeightsFile},
    work,
};
use gainalyze::verbs::{Console, ConsoleArgs, ProcessArgs, engine_choice};

use fit::FitPlan;
use labels::LabelError;
use network::NetworkPlan;
use position_file::PositionFileError;
use run::{NETWORK_PROVENANCE, TuneEnding, TuningPlan};

/// Fit the weights of the built-in engine's evaluation, or a network that corrects it, to the evaluations of
/// another engine.
///
/// The positions come from games of the built-in engine against itself, in two rounds. In the first round,
/// which gives a quarter of the positions, the engine evaluates material only. In the second round, it uses
/// the weights fitted to the positions of the first round. With `--terms`, there is one round, and a network
/// is fitted instead of weights. The same command resumes a stopped run.
#[derive(Debug, Parser)]
#[command(name = "tune", version)]
struct TuneArgs {
    /// Folder for positions, labels and weights.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: PathBuf,
    /// Number of positions for the fit.
    #[arg(long, value_name = "N", default_value_t = 400_000,
          value_parser = clap::value_parser!(u32).range(1_000..=100_000_000))]
    positions: u32,
    /// Weights file whose terms are kept. The run fits a network that corrects the evaluation by these terms.
    /// All positions come from games of the engine with these terms.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    terms: Option<String>,
    /// Nodes that the labeling engine searches per position.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes that the built-in engine searches per move in its games.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    play_nodes: u64,
    /// Number of passes of the fit over all positions.
    #[arg(long, value_name = "N", default_value_t = FitPlan::default().epochs,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    epochs: u32,
    /// Random seed for the games and for the order of positions in the fit.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=u64::from(u32::MAX)))]
    seed: u64,
    #[command(flatten)]
    console: ConsoleArgs,
    /// UCI engine that labels the positions [default: the default engine of `gainalyze`].
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath, value_parser = engine_choice(),
          help_heading = "Engine")]
    engine: Option<EngineChoice>,
    #[command(flatten)]
    process: ProcessArgs,
}

impl TuneArgs {
    fn plan(&self) -> Result<TuningPlan, TuneError> {
        Ok(TuningPlan {
            folder: self.output.clone(),
            positions: self.positions as usize,
            play_nodes: self.play_nodes,
            seed: self.seed,
            engine: self.process.plan(self.engine.clone().unwrap_or_default()),
            label_nodes: self.nodes,
            terms: self.terms.as_deref().map(read_terms).transpose()?,
            fit: FitPlan { epochs: self.epochs, seed: self.seed, ..FitPlan::default() },
            network: NetworkPlan { epochs: self.epochs, seed: self.seed, ..NetworkPlan::default() },
        })
    }
}

/// Reads the terms of a weights file. Leaves out a network that the file may have, and its provenance.
fn read_terms(path: &str) -> Result<WeightsFile, TuneError> {
    let problem = match read_weights(path) {
        Ok(EngineWeights::Terms(mut file)) => {
            file.network = None;
            let end = file.provenance.iter().position(|line| line.starts_with(NETWORK_PROVENANCE));
            file.provenance.truncate(end.unwrap_or(file.provenance.len()));
            return Ok(file);
        }
        Ok(EngineWeights::Linear(_)) => "these are linear weights, not weights of terms".to_owned(),
        Err(problem) => problem,
    };
    Err(TuneError::Terms { path: path.to_owned(), problem })
}

/// An error that ends the fit.
#[derive(Debug, thiserror::Error)]
enum TuneError {
    /// The labeling engine cannot be used.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Positions cannot be labeled, or the file of labels cannot be used.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// The file of positions cannot be read, belongs to another run, or has a line that is not a position.
    #[error(transparent)]
    Positions(#[from] PositionFileError),
    /// The file of terms cannot be read, or is not a file of terms.
    #[error("--terms {path}: {problem}")]
    Terms { path: String, problem: String },
    /// An environment variable has a value that cannot be used.
    #[error(transparent)]
    Variable(#[from] VariableError),
    /// A folder or a file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The operating system refused a resource that every run needs.
    #[error("cannot {0}")]
    System(&'static str, #[source] io::Error),
}

impl TuneError {
    /// Returns 3 if the engine failed while it labeled positions, 2 if another command could succeed, and 1
    /// for other errors.
    fn exit_code(&self) -> u8 {
        match self {
            TuneError::Label(LabelError::Engine(_)) => 3,
            TuneError::Label(LabelError::File { .. }) | TuneError::System(..) => 1,
            TuneError::File(error) if !error.is_of_the_path() => 1,
            TuneError::Engine(_)
            | TuneError::Label(_)
            | TuneError::Positions(_)
            | TuneError::Terms { .. }
            | TuneError::Variable(_)
            | TuneError::File(_) => 2,
        }
    }
}

fn main() -> ExitCode {
    ExitCode::from(answer(std::env::args_os()))
}

/// Runs the command line and returns the exit code.
fn answer(command_line: impl IntoIterator<Item = OsString>) -> u8 {
    let args = TuneArgs::parse_from(command_line);
    let bounded = work::bound_threads().map_err(TuneError::from);
    let mut console = Console::of(&args.console);
    match bounded.and_then(|()| args.plan()).and_then(|plan| run::run(&plan, &mut console)) {
        Ok(TuneEnding::Complete) => 0,
        // 128 + SIGINT, as a shell reports it.
        Ok(TuneEnding::Interrupted) => 130,
        Err(error) => {
            let head = console::style("error:").red().bold().for_stderr();
            eprintln!("{head} {}", with_causes(&error));
            error.exit_code()
        }
    }
}
