//! Owns the groups of options that several verbs share.

mod choice;
mod engine;
pub mod experiment;
mod filter;
mod method;
mod process;
mod reading;
mod report;
mod source;
mod store;

pub(super) use self::process::or_cores;
pub use self::{
    choice::{ChoiceArgs, player_name},
    engine::{EngineArgs, engine_choice},
    filter::{FilterArgs, Rounds},
    method::{BootstrapArgs, GainArgs, MethodArgs},
    process::ProcessArgs,
    reading::ReadingArgs,
    report::{PictureArgs, ReportArgs, TableArgs, check_drawn, picture, pictures},
    source::SourceArgs,
    store::StoreArgs,
};
