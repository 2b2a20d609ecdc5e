//! [`VerbError`]: the reason why a verb failed, a hint for the user, and the exit code.

use std::{fmt::Display, io, path::Path, process::ExitCode};

use crate::base::{output::FileError, output::RecordedFileError, text::shown_path, text::with_causes};
use crate::chess::{FileFault, ReadError, Refusal, StrictFault};
use crate::engine::EngineError;
use crate::files::{AnchorError, PartError, RereadError};
use crate::lab::{ConfigError, EntrantError, ExperimentError, GameLogError, GrowthError, RoundRobinError};
use crate::measure::{DesignError, PlayerNameError};
use crate::report::ReportError;
use crate::store::StoreError;
#[cfg(feature = "postgres")]
use crate::store::server::PostgresError;

/// The failure of a verb: a message with its causes, a hint that follows it, and the program's exit code.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct VerbError {
    message: String,
    hint: String,
    exit: u8,
    kind: ErrorKind,
}

/// The result of a verb, or of a part of it.
pub type Result<T, E = VerbError> = std::result::Result<T, E>;

/// The kinds of errors. All except `Other` need special handling: a run can continue after them, or their
/// hint needs the whole command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorKind {
    Other,
    /// No file is named.
    NoInput,
    /// A file does not exist. Its name may be a misspelled verb.
    NotFound(String),
    /// A file cannot be read, or has no usable game.
    NoGames,
    /// No game is chosen. The field is the most frequent reason for refusing a game.
    NoneChosen(Refusal),
    /// The engine has no calibration.
    NoRating,
    /// The engine cannot be used.
    Engine,
}

/// The exit code of failures of the operating system.
const SYSTEM: u8 = 1;

/// The exit code of faults that the user can correct in the command or its input.
const USAGE: u8 = 2;

/// The exit code of an engine that fails on every game, or that lacks a needed ability.
const ENGINE: u8 = 3;

impl VerbError {
    pub fn new(message: impl Display) -> VerbError {
        VerbError { message: message.to_string(), hint: String::new(), exit: USAGE, kind: ErrorKind::Other }
    }

    /// Returns the error of a failed system call: "cannot `what`: …".
    pub fn system(what: &str, error: io::Error) -> VerbError {
        VerbError::new(format!("cannot {what}: {}", with_causes(&error))).of_the_system()
    }

    pub fn engine(message: impl Display) -> VerbError {
        VerbError { exit: ENGINE, ..VerbError::new(message) }
    }

    pub fn strict(message: impl Display) -> VerbError {
        VerbError::new(message).with_hint("; leave out --strict to read the other games")
    }

    pub fn no_games(message: impl Display) -> VerbError {
        VerbError::new(message).of_kind(ErrorKind::NoGames)
    }

    pub fn no_input() -> VerbError {
        VerbError::new("no PGN was given")
            .with_hint(": name one or more files, or - for standard input (-h lists all commands)")
            .of_kind(ErrorKind::NoInput)
    }

    pub fn nothing_left() -> VerbError {
        VerbError::engine("no game could be evaluated: there is nothing to report")
    }

    pub fn none_searched() -> VerbError {
        VerbError::engine("no position could be searched: there is nothing to report")
    }

    pub fn no_server() -> VerbError {
        VerbError::new("--queue needs a PostgreSQL store")
            .with_hint(": name one with --store postgres://HOST/DATABASE")
    }

    pub fn no_such_path(path: &Path) -> VerbError {
        VerbError::new(format!("{}: no such file or folder", shown_path(path)))
    }

    pub fn not_drawn(game: usize, why: &str) -> VerbError {
        VerbError::new(format!("game {game} cannot be shown: {why}"))
            .with_hint("; choose another with --game")
    }

    /// Returns the error with a hint, which follows the message and says how to correct the command.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> VerbError {
        VerbError { hint: hint.into(), ..self }
    }

    /// Returns the error with the exit code of system failures, because the user is not at fault.
    #[must_use]
    pub fn of_the_system(self) -> VerbError {
        VerbError { exit: SYSTEM, ..self }
    }

    #[must_use]
    pub fn of_kind(self, kind: ErrorKind) -> VerbError {
        VerbError { kind, ..self }
    }

    /// Returns the hint that follows the message; empty if there is none.
    pub fn hint(&self) -> &str {
        &self.hint
    }

    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Returns 2 for faults in the command or its input, 3 for an engine that fails on every game or lacks a
    /// needed ability, and 1 for all others.
    pub fn exit_code(&self) -> ExitCode {
        self.exit.into()
    }
}

/// Returns the hint to change the option that refused most games.
pub fn widen(refusal: Refusal) -> String {
    format!("; change --{} to choose more games", refusal.key())
}

impl From<String> for VerbError {
    /// Converts a message about incompatible or unusable options to an error.
    fn from(problem: String) -> VerbError {
        VerbError::new(problem)
    }
}

impl From<io::Error> for VerbError {
    /// Converts a failure to start a thread or an event loop. [`VerbError::system`] converts other system
    /// errors, with the name of the failed action.
    fn from(error: io::Error) -> VerbError {
        VerbError::system("start threads", error)
    }
}

/// Converts an error of a lower module to a verb's error, with the hint and exit code of the first pattern
/// that fits.
macro_rules! from_below {
    ($($error:ty { $($pattern:pat $(if $guard:expr)? => ($hint:expr, $exit:expr);)* })*) => {
        $(impl From<$error> for VerbError {
            fn from(error: $error) -> VerbError {
                let (hint, exit) = match &error {
                    $($pattern $(if $guard)? => ($hint, $exit),)*
                };
                VerbError { exit, ..VerbError::new(with_causes(&error)).with_hint(hint) }
            }
        })*
    };
}

const OTHER_FOLDER: &str = ": name another folder with --output";

from_below! {
    PlayerNameError {
        PlayerNameError::Ambiguous { .. } =>
            (": write the whole name", USAGE);
        _ => ("", USAGE);
    }
    StoreError {
        error if error.is_of_a_server() => ("", USAGE);
        error if error.is_of_the_store() => ("; name another store, for example with --store PATH", SYSTEM);
        _ => ("", SYSTEM);
    }
    GameLogError {
        GameLogError::Game { .. } => (OTHER_FOLDER, USAGE);
        GameLogError::Io { .. } => ("", SYSTEM);
        _ => ("", USAGE);
    }
    ConfigError {
        ConfigError::Foreign { .. } | ConfigError::Unknown { .. } => (OTHER_FOLDER, USAGE);
        ConfigError::Read { .. } => ("", SYSTEM);
    }
    FileError {
        FileError::Foreign(..) =>
            (": name another folder with --output, or let --force overwrite them", USAGE);
        FileError::OtherKind(..) =>
            (": name another folder with --output, or let --force replace it", USAGE);
        FileError::ForeignNamed(..) | FileError::Taken(..) =>
            (": choose another name, or let --force overwrite it", USAGE);
        error @ FileError::Create(..) =>
            (OTHER_FOLDER, if error.is_of_the_path() { USAGE } else { SYSTEM });
        error if error.is_of_the_path() => ("", USAGE);
        _ => ("", SYSTEM);
    }
    ExperimentError {
        ExperimentError::Anchor { .. } => ("; correct --anchor", USAGE);
        ExperimentError::Row { .. } => ("; correct --rows", USAGE);
        ExperimentError::Calibrate { .. } => ("; correct --calibrate", USAGE);
        _ => ("", USAGE);
    }
    AnchorError {
        AnchorError::Recorded(..) => ("; write --anchor DEPTH=ELO±CI instead", USAGE);
        _ => ("; choose another file with --anchor", USAGE);
    }
    RoundRobinError {
        RoundRobinError::Anchor { .. } => ("; correct --anchor", USAGE);
        _ => ("", USAGE);
    }
    PartError {
        PartError::TooLarge => (": choose a smaller --clip", USAGE);
        PartError::Overlap { .. } => ("; to count them twice, add --allow-overlap", USAGE);
        PartError::Changed(..) | PartError::Order(..) | PartError::Fault(..) =>
            (": count it again with archive --partial, or restore the file from a backup", USAGE);
        PartError::Foreign(..) | PartError::Unsealed(..) =>
            ("; `gainalyze archive --partial FILE` writes part files", USAGE);
        _ => ("", USAGE);
    }
    RereadError {
        RereadError::Ply { .. } | RereadError::Games { .. } =>
            ("; if the report has only some players, make it again without --player", USAGE);
        RereadError::RecordedFileError(RecordedFileError::OfTwoRuns(_)) =>
            (": repeat the interrupted command", USAGE);
        RereadError::RecordedFileError(RecordedFileError::Changed(_))
        | RereadError::Contradiction { .. }
        | RereadError::Scores { .. } =>
            (": make the report again from its games, or restore the file from a backup", USAGE);
        _ => ("", USAGE);
    }
    GrowthError {
        GrowthError::Engine { .. } | GrowthError::NoAnswer { .. } => ("", ENGINE);
        GrowthError::Panicked(_) => ("", SYSTEM);
        _ => ("", USAGE);
    }
    DesignError {
        _ => ("", USAGE);
    }
}

impl From<ReadError> for VerbError {
    fn from(error: ReadError) -> VerbError {
        let told = VerbError::no_games(with_causes(&error));
        match error {
            ReadError::NotFound(path) => told.of_kind(ErrorKind::NotFound(path)),
            _ => told,
        }
    }
}

impl From<FileFault> for VerbError {
    fn from(fault: FileFault) -> VerbError {
        match fault {
            FileFault::Read(error) => error.into(),
            fault => VerbError::no_games(fault),
        }
    }
}

impl From<StrictFault> for VerbError {
    fn from(fault: StrictFault) -> VerbError {
        match fault {
            // These faults stop the reading of a single file in any case.
            StrictFault::File(fault) => fault.into(),
            fault => VerbError::strict(fault),
        }
    }
}

impl From<EngineError> for VerbError {
    fn from(error: EngineError) -> VerbError {
        VerbError::new(with_causes(&error)).of_kind(ErrorKind::Engine)
    }
}

impl From<EntrantError> for VerbError {
    fn from(error: EntrantError) -> VerbError {
        match error {
            EntrantError::Engine(error) => error.into(),
            EntrantError::Tree(error) => VerbError::engine(with_causes(&error)),
            EntrantError::Spar(problem) => VerbError::engine(problem),
        }
    }
}

impl From<ReportError> for VerbError {
    fn from(error: ReportError) -> VerbError {
        match error {
            ReportError::File(error) => error.into(),
            error => VerbError::new(with_causes(&error)).of_the_system(),
        }
    }
}

#[cfg(feature = "postgres")]
impl From<PostgresError> for VerbError {
    fn from(error: PostgresError) -> VerbError {
        StoreError::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::verbs::Cli;

    #[test]
    fn what_games_are_chosen_by_is_asked_for_by_an_option_of_the_same_name() {
        let program = Cli::command();
        let archive = program.find_subcommand("archive").expect("a verb");
        let options: Vec<&str> = archive.get_arguments().filter_map(|option| option.get_long()).collect();
        for refusal in Refusal::ALL {
            assert!(options.contains(&refusal.key()), "{refusal}");
            assert_eq!(widen(refusal), format!("; change --{} to choose more games", refusal.key()));
        }
    }
}
