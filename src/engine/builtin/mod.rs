//! The built-in engine as an evaluator and player: its name, and what starts it.

#[cfg(feature = "native")]
mod command;
mod evaluator;

#[cfg(feature = "native")]
pub use self::command::{BuiltinCommand, HASH_OPTION, WEIGHTS_OPTION, options, weights_digest};
pub(crate) use self::evaluator::replay;
pub use self::evaluator::{BuiltinEngine, BuiltinError};
pub use crate::engine::bench::HASH;

/// The name of the built-in engine, in reports and as UCI's `id name`.
pub const NAME: &str = concat!("gainalyze engine ", env!("CARGO_PKG_VERSION"));

/// The beginning of the name in all versions.
const NAMES: &str = "gainalyze engine ";

/// The engine's strength, in words for messages and reports. docs/engine.md has 2938 ± 78 Elo at depth 10, on
/// the scale of CCRL Blitz.
pub const STRENGTH: &str = "about 2900 Elo at depth 10, much weaker than Stockfish";

/// Returns whether a name is that of the built-in engine, in any version.
pub fn is_builtin(name: &str) -> bool {
    name.starts_with(NAMES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_by_its_name_and_version() {
        assert!(is_builtin(NAME) && is_builtin("gainalyze engine 9.9"));
        assert!(!is_builtin("Stockfish 15.1"));
        assert!(NAME.starts_with(NAMES));
    }
}
