//! Engines that evaluate and play: the built-in engine, and UCI programs.
//!
//! Without the feature `native`, only the built-in engine exists.

#[cfg(feature = "program")]
mod behavior;
pub mod builtin;
pub mod chess_engine;
#[cfg(feature = "native")]
pub(crate) mod choice;
#[cfg(feature = "native")]
mod engine_command;
pub mod levels;
#[cfg(feature = "native")]
pub mod server;
#[cfg(feature = "native")]
pub(crate) mod uci;

pub use self::builtin::{BuiltinEngine, ThinkingTime};
#[cfg(feature = "native")]
pub(crate) use self::uci::session::EngineIdentity;
#[cfg(feature = "program")]
pub(crate) use self::{
    behavior::Behavior, uci::engine_line::Info, uci::options::EngineOption, uci::options::OptionKind,
};
#[cfg(feature = "native")]
pub use self::{
    choice::EngineChoice, engine_command::Engine, engine_command::EngineCommand, engine_command::EngineError,
    engine_command::Restarting, uci::command::Command, uci::command::Go, uci::engine_line::EngineLine,
    uci::locate::installed_stockfishes, uci::options::Setting, uci::process::ProcessCommand,
    uci::session::Purpose, uci::session::Setup,
};
pub use crate::base::work::{self, Stop};
