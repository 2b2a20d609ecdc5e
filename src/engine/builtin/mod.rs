//! The built-in engine as an evaluator and player: its name, its weights, and the command that starts it.

pub mod bench;
#[cfg(feature = "native")]
pub(crate) mod blocking;
#[cfg(feature = "native")]
mod command;
mod evaluator;
pub(crate) mod thinking_time;

use std::{io::Read, path::Path};

#[cfg(feature = "native")]
pub use self::command::{BuiltinCommand, HASH_OPTION, WEIGHTS_OPTION, options, weights_digest};
#[cfg(feature = "native")]
pub(crate) use self::evaluator::replay;
pub use self::evaluator::{BuiltinEngine, BuiltinError};
pub use self::{bench::HASH, thinking_time::ThinkingTime};
use crate::base::{input_file, text::with_causes};
use crate::engine::chess_engine::{EngineWeights, LinearFile, WeightsError};

/// The name of the built-in engine, in reports and as UCI's `id name`.
pub const NAME: &str = concat!("gainalyze engine ", env!("CARGO_PKG_VERSION"));

/// The beginning of the name in all versions.
const NAMES: &str = "gainalyze engine ";

/// The engine's strength, in words for messages and reports. docs/engine.md has 2938 ± 78 Elo at depth 10, on
/// the scale of CCRL Blitz.
pub const STRENGTH: &str =
    "at depth 10 about 2900 Elo on the scale of engines (CCRL Blitz), much weaker than Stockfish";

/// Returns whether a name is that of the built-in engine, in any version.
pub fn is_builtin(name: &str) -> bool {
    name.starts_with(NAMES)
}

/// Size limit of a file of weights in bytes. The engine's own file, with a network, has 216 kilobytes.
const MOST_BYTES: u64 = 1 << 20;

/// Reads the weights of a file of either kind. An empty `path` (or `<empty>`) means the default weights. The
/// word [`LinearFile::HANDMADE`] selects the built-in linear weights (`./handmade` is a file on disk).
///
/// # Errors
///
/// If the file is missing or invalid. The text explains the fault.
pub fn read_weights(path: &str) -> Result<EngineWeights, String> {
    if matches!(path, "" | "<empty>") {
        return Ok(EngineWeights::default());
    }
    if path == LinearFile::HANDMADE {
        return Ok(LinearFile::handmade().into());
    }
    let text = input_file::read_text(Path::new(path), MOST_BYTES).map_err(|error| with_causes(&error))?;
    text.parse().map_err(|error: WeightsError| error.to_string())
}

/// Returns whether a file begins like a weights file.
pub fn is_of_weights(path: &Path) -> bool {
    let mut first = [0; 80];
    let read = input_file::open(path).and_then(|mut file| file.read(&mut first));
    let text = String::from_utf8_lossy(&first[..read.unwrap_or(0)]).into_owned();
    text.lines().next().is_some_and(|line| line.starts_with("# gainalyze ") && line.contains("weights"))
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
