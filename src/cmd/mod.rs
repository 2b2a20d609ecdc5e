//! Owns the verbs: each reads its arguments, calls the systems, and is alone in printing.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use crate::{
    app::AppError,
    engine::EngineError,
    experiment::ExperimentError,
    formats::{anchor::AnchorError, moves::RereadError, part::PartError},
    output::FileError,
    pgn::ReadError,
    report::{ReportError, table::Screen},
    selfplay::{config::ConfigError, game_log::GameLogError},
    store::StoreError,
    with_causes,
};

mod advice;
mod against;
pub mod analyze;
pub mod archive;
pub mod completions;
mod console;
mod engines;
mod events;
pub mod experiment;
pub mod go_deep;
mod live_ranking;
pub mod man;
pub mod merge;
pub mod report;
mod reporting;
pub mod reproduce;
pub mod selfplay;
pub mod sensitivity;
mod signals;
mod stored;

/// How a verb ended that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnding {
    /// All went well.
    Complete,
    /// The engine failed on some games; the tables are of the rest, or games were forfeited.
    GamesFailed,
    /// Numbers that should agree do not.
    Disagrees,
    /// Interrupted by the user, after what was in flight had been kept.
    Interrupted,
}

impl From<RunEnding> for ExitCode {
    fn from(ending: RunEnding) -> ExitCode {
        ExitCode::from(match ending {
            RunEnding::Complete => 0,
            RunEnding::Disagrees => 1,
            RunEnding::GamesFailed => 3,
            // 128 + SIGINT, as a shell reports it.
            RunEnding::Interrupted => 130,
        })
    }
}

/// Why a verb failed.
#[derive(Debug, thiserror::Error)]
pub enum CmdError {
    /// A file without games.
    #[error("{0}")]
    NoGames(String),
    /// What was asked for cannot be done.
    #[error(transparent)]
    App(#[from] AppError),
    /// Two options that do not go together, or a value that fits nothing in the games.
    #[error("{0}")]
    Usage(String),
    /// The evaluations wanted are not there, and nothing is to be searched.
    #[error("{0}")]
    NotStored(String),
    /// Another run's report cannot be read back.
    #[error(transparent)]
    Reread(#[from] RereadError),
    /// A part of an archive's counts cannot be used.
    #[error(transparent)]
    Part(#[from] PartError),
    /// A tournament's report gives no anchor.
    #[error(transparent)]
    Anchor(#[from] AnchorError),
    /// The games do not hold what is to be computed of them.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A folder is another experiment's.
    #[error(transparent)]
    Design(#[from] ConfigError),
    /// Nothing can be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A folder or a file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// No position is left to count.
    #[error("no position could be searched: there is nothing to count")]
    NoneSearched,
    /// The operating system refused something that every run needs.
    #[error("cannot {0}")]
    System(&'static str, #[source] io::Error),
}

impl CmdError {
    /// 2 for what the user can mend in the command or its input, 3 for an engine that fails on
    /// every game, 1 for the rest.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            CmdError::NoGames(_)
            | CmdError::Usage(_)
            | CmdError::NotStored(_)
            | CmdError::Reread(_)
            | CmdError::Part(_)
            | CmdError::Anchor(_)
            | CmdError::Experiment(_) => 2,
            CmdError::App(error) => match error {
                AppError::NothingLeft | AppError::Unfit(_) => 3,
                AppError::Store(_) | AppError::NoCacheFolder | AppError::System(..) => 1,
                AppError::GameLog(GameLogError::Io { .. }) => 1,
                _ => 2,
            },
            CmdError::Design(ConfigError::Read { .. }) => 1,
            CmdError::Design(_) => 2,
            CmdError::NoneSearched => 3,
            CmdError::Report(ReportError::File(error)) | CmdError::File(error) if error.is_of_the_path() => 2,
            CmdError::Report(_) | CmdError::File(_) | CmdError::System(..) => 1,
        })
    }
}

/// Errors of what a plan asks for, which `?` finds in verbs too.
macro_rules! by_way_of_app {
    ($($error:ty),*) => {
        $(impl From<$error> for CmdError {
            fn from(error: $error) -> CmdError {
                AppError::from(error).into()
            }
        })*
    };
}

by_way_of_app!(EngineError, GameLogError, ReadError, StoreError);

/// What results are shown on: elsewhere than on a terminal they have their whole width and no
/// colour, so that nothing is left out and nothing is added.
fn screen() -> Screen {
    let terminal = io::stdout().is_terminal().then(|| ::console::Term::stdout().size_checked());
    Screen { columns: terminal.flatten().map(|(_, columns)| columns), colours: takes_colours(&io::stdout()) }
}

/// Whether a stream is a terminal whose user has nothing against colours (<https://no-color.org>).
fn takes_colours(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    stream.is_terminal() && !refused && !dumb
}

/// Tells of what ends the program.
pub fn say_error(error: &CmdError) {
    let head = ::console::style("error:").red().bold().force_styling(takes_colours(&io::stderr()));
    say(&format!("{head} {}{}", with_causes(error), advice::behind(error)));
}

/// Writes a line to standard error. Nobody can be told where that fails, and no run ends for it.
fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Writes results to standard output. A reader who has gone away, as `head` does, is no error.
fn print(text: &str) -> Result<(), CmdError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CmdError::System("write to standard output", error))
        }
        _ => Ok(()),
    }
}
