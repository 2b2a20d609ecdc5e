//! Owns what an engine is tried for before it works: that it knows the rules of the games, and repeats itself.

use shakmaty::CastlingMode;

use super::{Advice, AppError, Observer};
use crate::uci::{
    options::CHESS960,
    session::{EngineIdentity, Purpose},
};

/// Checks that each of the engines knows the rules of what it is to search, or to begin games with.
///
/// # Errors
///
/// If one of the `modes` is Chess960, and an engine has no option for it.
pub fn check_variants<'e>(
    modes: impl IntoIterator<Item = CastlingMode>,
    engines: impl IntoIterator<Item = &'e EngineIdentity>,
    purpose: Purpose,
) -> Result<(), AppError> {
    let lacks = |engine: &&EngineIdentity| !engine.options.has_chess960();
    let lacking = engines.into_iter().find(lacks);
    match lacking.filter(|_| modes.into_iter().any(CastlingMode::is_chess960)) {
        Some(engine) => Err(AppError::Variant { engine: engine.name.clone(), option: CHESS960, purpose }),
        None => Ok(()),
    }
}

/// Warns of engines whose searches by several threads differ from run to run.
pub fn warn_of_threads<'e>(
    engines: impl IntoIterator<Item = &'e EngineIdentity>,
    purpose: Purpose,
    observer: &dyn Observer,
) {
    if !engines.into_iter().any(|engine| engine.options.threads() > 1) {
        return;
    }
    let (what, advice) = match purpose {
        Purpose::Analysis => ("the engine's results", Advice::MoreProcesses),
        Purpose::Play => ("the games", Advice::MoreGamesAtATime),
    };
    observer.warn_with(&format!("with Threads above 1 {what} no longer repeat"), advice);
}
