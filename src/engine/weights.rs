//! Owns the reading of a file of weights, as the option `Weights` of the engine within names it.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use crate::engine::chess_engine::{EngineWeights, LinearFile, WeightsError};

/// The largest file that is read; those that are written have some twenty kilobytes.
const MOST_BYTES: u64 = 1 << 20;

/// Reads the weights of a file of either kind, or those of the engine itself where no file is named; the word
/// [`LinearFile::HANDMADE`] is the file of linear weights that comes with the program (`./handmade` is one on disk).
///
/// # Errors
///
/// If there is no such file, or no weights in it; the text says what is wrong.
pub fn read_weights(path: &str) -> Result<EngineWeights, String> {
    if matches!(path, "" | "<empty>") {
        return Ok(EngineWeights::default());
    }
    if path == LinearFile::HANDMADE {
        return Ok(LinearFile::handmade().into());
    }
    let text = read_text(path).map_err(|error| error.to_string())?;
    text.parse().map_err(|error: WeightsError| error.to_string())
}

/// Tells whether a file begins as those of weights do, whatever else is in it.
pub fn is_of_weights(path: &Path) -> bool {
    let mut first = [0; 80];
    let told = fs::metadata(path).is_ok_and(|told| told.is_file());
    let read = if told { File::open(path).and_then(|mut file| file.read(&mut first)) } else { Ok(0) };
    let text = String::from_utf8_lossy(&first[..read.unwrap_or(0)]).into_owned();
    text.lines().next().is_some_and(|line| line.starts_with("# gainalyze ") && line.contains("weights"))
}

/// Reads nothing but a file: a device or a pipe might never end, or never begin.
fn read_text(path: &str) -> io::Result<String> {
    let told = fs::metadata(path)?;
    if !told.is_file() || told.len() > MOST_BYTES {
        return Err(io::Error::other(format!("it is no file of at most {MOST_BYTES} bytes")));
    }
    let mut text = String::new();
    File::open(path)?.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}
