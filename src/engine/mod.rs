//! Engines that evaluate and play: the built-in engine, and UCI programs.
//!
//! Without the feature `native`, only the built-in engine exists.

#[cfg(feature = "program")]
mod behavior;
pub mod bench;
#[cfg(feature = "native")]
pub(crate) mod blocking;
pub mod builtin;
pub mod chess_engine;
#[cfg(feature = "native")]
pub(crate) mod choice;
#[cfg(feature = "native")]
mod engine_command;
pub(crate) mod instant;
pub mod levels;
#[cfg(feature = "native")]
mod restarting;
#[cfg(feature = "native")]
pub mod server;
pub(crate) mod thinking_time;
#[cfg(feature = "native")]
pub(crate) mod uci;
pub mod weights;
pub mod work;

#[cfg(feature = "native")]
pub(crate) use self::uci::session::EngineIdentity;
#[cfg(feature = "program")]
pub(crate) use self::{
    behavior::Behavior,
    uci::engine_line::Info,
    uci::options::{EngineOption, OptionKind},
};
pub use self::{builtin::BuiltinEngine, thinking_time::ThinkingTime, work::Stop};
#[cfg(feature = "native")]
pub use self::{
    choice::EngineChoice,
    engine_command::{Engine, EngineCommand, EngineError},
    restarting::Restarting,
    uci::command::{Command, Go},
    uci::engine_line::EngineLine,
    uci::locate::installed_stockfish,
    uci::options::Setting,
    uci::process::ProcessCommand,
    uci::session::{Purpose, Setup},
};
