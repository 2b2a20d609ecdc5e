//! Reading of a weights file, as named by the built-in engine's option `Weights`.

use std::{io::Read, path::Path};

use crate::base::input_file;
use crate::base::text::with_causes;
use crate::engine::chess_engine::{EngineWeights, LinearFile, WeightsError};

/// Size limit of a file of weights in bytes. The engine's own file, with a network, has 216 kilobytes.
const MOST_BYTES: u64 = 1 << 20;

/// Reads the weights of a file of either kind. An empty `path` (or `<empty>`) means the default weights. The
/// word [`LinearFile::HANDMADE`] stands for the built-in linear weights (`./handmade` is a file on disk).
///
/// # Errors
///
/// If the file is missing or invalid; the text says what is wrong.
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
