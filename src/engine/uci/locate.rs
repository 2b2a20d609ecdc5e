//! Owns the search for an engine on this machine.

use std::{
    env,
    path::{Path, PathBuf},
};

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

/// Finds the Stockfish that is installed: on PATH, or where package managers put it.
pub fn installed_stockfish() -> Option<PathBuf> {
    Machine::this().stockfish()
}

/// Finds the program that a user names: a bare name is looked up on PATH, as a shell would do, then here, then where package
/// managers put it; anything else is a path. A name that is found nowhere stays as it is.
pub fn look_up(named: &Path) -> PathBuf {
    Machine::this().look_up(named)
}

/// Where this machine, or one of a test, keeps programs.
struct Machine {
    path: Vec<PathBuf>,
    usual_places: Vec<PathBuf>,
}

impl Machine {
    fn this() -> Machine {
        let path = env::var_os("PATH").map(|path| env::split_paths(&path).collect());
        let scoop =
            env::var_os("USERPROFILE").map(|home| Path::new(&home).join(r"scoop\shims\stockfish.exe"));
        let usual_places = USUAL_PLACES.iter().map(PathBuf::from).chain(scoop);
        Machine { path: path.unwrap_or_default(), usual_places: usual_places.collect() }
    }

    fn stockfish(&self) -> Option<PathBuf> {
        let usual = || self.usual_places.iter().find(|path| is_program(path)).cloned();
        self.on_path(Path::new("stockfish")).or_else(usual)
    }

    fn look_up(&self, path: &Path) -> PathBuf {
        let is_bare = path.file_name() == Some(path.as_os_str());
        if !is_bare {
            return path.to_owned();
        }
        let here = Path::new(".").join(path);
        let is_named_so = |usual: &&PathBuf| usual.file_stem() == path.file_stem() && is_program(usual);
        let usual = || self.usual_places.iter().find(is_named_so).cloned();
        let program_here = || is_program(&here).then(|| here.clone());
        let file_here = || here.exists().then(|| here.clone());
        let found = self.on_path(path).or_else(program_here).or_else(usual).or_else(file_here);
        found.unwrap_or_else(|| path.to_owned())
    }

    fn on_path(&self, name: &Path) -> Option<PathBuf> {
        let name = if name.extension().is_some_and(|extension| extension == env::consts::EXE_EXTENSION) {
            name.to_owned()
        } else {
            let mut name = name.as_os_str().to_owned();
            name.push(env::consts::EXE_SUFFIX);
            PathBuf::from(name)
        };
        self.path.iter().map(|folder| folder.join(&name)).find(|path| is_program(path))
    }
}

/// Returns whether there is a file that the system would run.
fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        path.is_file()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a machine with programs of these names in one folder, which is on PATH or a usual place.
    fn machine(folder: &Path, on_path: bool, files: &[(&str, bool)]) -> Machine {
        for (name, is_program) in files {
            let file = folder.join(name);
            std::fs::write(&file, b"").expect("a writable folder");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = if *is_program { 0o755 } else { 0o644 };
                std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).expect("a file of ours");
            }
        }
        let places = files.iter().map(|(name, _)| folder.join(name)).collect();
        match on_path {
            true => Machine { path: vec![folder.to_owned()], usual_places: Vec::new() },
            false => Machine { path: Vec::new(), usual_places: places },
        }
    }

    const STOCKFISH: &str = if cfg!(windows) { "stockfish.exe" } else { "stockfish" };

    #[test]
    fn stockfish_is_found_on_path_and_in_the_usual_places() {
        for on_path in [true, false] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let machine = machine(folder.path(), on_path, &[(STOCKFISH, true)]);
            assert_eq!(machine.stockfish(), Some(folder.path().join(STOCKFISH)));
        }
        let empty = Machine { path: Vec::new(), usual_places: Vec::new() };
        assert_eq!(empty.stockfish(), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_cannot_be_run_is_not_found() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let machine = machine(folder.path(), true, &[(STOCKFISH, false)]);
        assert_eq!(machine.stockfish(), None);
    }

    #[test]
    fn what_the_user_names_is_a_path_or_a_name_on_path_or_a_file_here() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let machine = machine(folder.path(), true, &[(STOCKFISH, true)]);
        let located = |name: &str| machine.look_up(Path::new(name));
        assert_eq!(located("./no/such/engine"), PathBuf::from("./no/such/engine"));
        assert_eq!(located(STOCKFISH), folder.path().join(STOCKFISH));
        assert_eq!(located("lc0"), PathBuf::from("lc0"));
    }

    #[test]
    fn a_name_that_is_not_on_path_is_found_where_package_managers_put_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let machine = machine(folder.path(), false, &[(STOCKFISH, true)]);
        assert_eq!(machine.look_up(Path::new("stockfish")), folder.path().join(STOCKFISH));
        assert_eq!(machine.look_up(Path::new("stockfish-16")), PathBuf::from("stockfish-16"));
    }
}
