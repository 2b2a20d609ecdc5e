//! Owns the search for an engine on this machine.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The environment variable that names an engine.
pub const VARIABLE: &str = "GAINALYZE_ENGINE";

/// Where package managers put Stockfish: Debian and Ubuntu, Homebrew on both kinds of Mac,
/// MacPorts, Chocolatey and Scoop.
const USUAL_PLACES: [&str; 7] = [
    "/usr/games/stockfish",
    "/usr/local/bin/stockfish",
    "/opt/homebrew/bin/stockfish",
    "/opt/local/bin/stockfish",
    "/usr/bin/stockfish",
    r"C:\ProgramData\chocolatey\bin\stockfish.exe",
    r"C:\Program Files\Stockfish\stockfish.exe",
];

/// No engine was named and none was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no engine found: `stockfish` is neither on PATH nor in the usual places. Install it \
     (Debian, Ubuntu: `sudo apt-get install stockfish`; macOS: `brew install stockfish`; Windows: \
     `choco install stockfish`), or name an engine with --engine PATH or {VARIABLE}"
)]
pub struct NoEngine;

/// The engine to use: the one that the user names, else the one that the environment names, else
/// `stockfish` on PATH or where package managers put it.
pub fn locate(named: Option<&Path>) -> Result<PathBuf, NoEngine> {
    locate_among(named, &USUAL_PLACES)
}

fn locate_among(named: Option<&Path>, usual_places: &[&str]) -> Result<PathBuf, NoEngine> {
    if let Some(path) = named {
        return Ok(with_path_lookup(path));
    }
    if let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        return Ok(with_path_lookup(Path::new(&path)));
    }
    on_path("stockfish")
        .or_else(|| usual_places.iter().map(PathBuf::from).find(|path| path.is_file()))
        .or_else(scoop)
        .ok_or(NoEngine)
}

/// A bare name is looked up on PATH, as a shell would do, then here; anything else is a path.
fn with_path_lookup(path: &Path) -> PathBuf {
    let is_bare = path.file_name() == Some(path.as_os_str());
    match path.to_str().filter(|_| is_bare).and_then(on_path) {
        Some(found) => found,
        None if is_bare => Path::new(".").join(path),
        None => path.to_owned(),
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

fn scoop() -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os("USERPROFILE")?).join(r"scoop\shims\stockfish.exe");
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_the_user_names_is_taken_as_it_is() {
        let path = Path::new("./no/such/engine");
        assert_eq!(locate(Some(path)), Ok(path.to_owned()));
    }

    #[test]
    fn a_bare_name_that_is_not_on_path_is_a_file_here() {
        let here = Path::new("an-engine-of-no-path");
        assert_eq!(locate(Some(here)), Ok(PathBuf::from("./an-engine-of-no-path")));
    }

    #[test]
    fn the_usual_places_are_looked_at_last() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().join("stockfish");
        std::fs::write(&place, b"").expect("a writable folder");
        if env::var_os(VARIABLE).is_none() && on_path("stockfish").is_none() {
            assert_eq!(locate_among(None, &[place.to_str().expect("text")]), Ok(place));
            assert_eq!(locate_among(None, &[]), Err(NoEngine));
        }
    }

    #[test]
    fn the_error_says_how_to_install_an_engine_on_each_system() {
        let text = NoEngine.to_string();
        for word in ["apt-get", "brew", "choco", "--engine", VARIABLE] {
            assert!(text.contains(word), "{text}");
        }
    }
}
