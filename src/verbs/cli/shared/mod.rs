//! Owns the groups of options that several verbs share.

mod calibration;
mod choice;
mod console;
mod engine;
pub mod experiment;
mod filter;
mod games;
mod method;
mod process;
mod reading;
mod report;
#[cfg(feature = "postgres")]
mod server;
mod shard;
mod source;
mod store;
mod tournament;

pub(super) use self::process::{or_cores, parse_jobs};
#[cfg(feature = "postgres")]
pub use self::server::ServerArg;
pub use self::{
    calibration::CalibrationArgs,
    choice::{ChoiceArgs, player_name},
    console::{ConsoleArgs, ExportArgs},
    engine::{EngineArgs, engine_choice},
    filter::{FilterArgs, Rounds},
    games::GamesArgs,
    method::{BootstrapArgs, GainArgs, MethodArgs},
    process::{OneEngineArgs, ProcessArgs},
    reading::ReadingArgs,
    report::{
        PictureArgs, ReportArgs, ResultArgs, ShownArgs, TableArgs, TerminalArgs, check_drawn, picture,
        pictures,
    },
    shard::ShardArgs,
    source::SourceArgs,
    store::StoreArgs,
    tournament::TournamentArgs,
};
