//! Search for an engine on this machine.

use std::{env, ffi::OsStr, fs, path::Path, path::PathBuf};

/// Install locations of Stockfish: the packages of Linux distributions, Homebrew on both kinds of Mac,
/// MacPorts, Chocolatey, and the Windows folder for programs. [`Machine::this`] adds the location of Scoop,
/// which depends on the user.
const USUAL_PLACES: [&str; 7] = [
    "/usr/games/stockfish",
    "/usr/local/bin/stockfish",
    "/opt/homebrew/bin/stockfish",
    "/opt/local/bin/stockfish",
    "/usr/bin/stockfish",
    r"C:\ProgramData\chocolatey\bin\stockfish.exe",
    r"C:\Program Files\Stockfish\stockfish.exe",
];

/// Finds the installed Stockfishes: on PATH or in an install location of a package manager, then in npm's
/// package, which runs under node. That package may be in `./node_modules`, in a folder of `$NODE_PATH`, or
/// installed globally.
pub fn installed_stockfishes() -> Vec<PathBuf> {
    Machine::this().stockfishes().collect()
}

/// Finds the program that the user names. A name with a folder is a path and is returned unchanged. A bare
/// name is looked up on PATH, as in a shell, then among the programs in the current folder, then in the
/// locations of package managers. The name `stockfish` also finds npm's package. If no program is found,
/// returns a file of this name in the current folder. Without such a file, returns the bare name.
pub fn look_up(named: &Path) -> PathBuf {
    Machine::this().look_up(named)
}

/// Returns whether an engine is a node script, by its extension.
pub fn is_node_script(engine: &Path) -> bool {
    let extension = engine.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| ["js", "mjs", "cjs"].contains(&extension))
}

/// The program locations of this machine, or of a test.
#[derive(Default)]
struct Machine {
    path: Vec<PathBuf>,
    usual_places: Vec<PathBuf>,
    /// Folders of node packages.
    packages: Vec<PathBuf>,
}

impl Machine {
    const STOCKFISH: &str = "stockfish";

    fn this() -> Machine {
        let folders = |variable| env::var_os(variable).map(|folders| env::split_paths(&folders).collect());
        let path: Vec<PathBuf> = folders("PATH").unwrap_or_default();
        let scoop =
            env::var_os("USERPROFILE").map(|home| Path::new(&home).join(r"scoop\shims\stockfish.exe"));
        let usual_places = USUAL_PLACES.iter().map(PathBuf::from).chain(scoop).collect();
        let mut packages = vec![PathBuf::from("node_modules")];
        packages.extend(folders("NODE_PATH").unwrap_or_default());
        // npm puts global packages next to the folder of programs, which is on PATH. On Windows, npm puts
        // them inside this folder.
        let global = if cfg!(windows) { "node_modules" } else { "../lib/node_modules" };
        packages.extend(path.iter().map(|folder| folder.join(global)));
        Machine { path, usual_places, packages }
    }

    fn stockfishes(&self) -> impl Iterator<Item = PathBuf> {
        let name = Path::new(Machine::STOCKFISH);
        let native = self.on_path(name).or_else(|| self.in_usual_place(name));
        native.into_iter().chain(self.in_packages())
    }

    fn look_up(&self, path: &Path) -> PathBuf {
        let is_bare = path.file_name() == Some(path.as_os_str());
        if !is_bare {
            return path.to_owned();
        }
        let here = Path::new(".").join(path);
        let is_stockfish = path.as_os_str() == Machine::STOCKFISH;
        let program_here = || is_program(&here).then(|| here.clone());
        let file_here = || here.exists().then(|| here.clone());
        let package = || if is_stockfish { self.in_packages() } else { None };
        let found = self.on_path(path).or_else(program_here).or_else(|| self.in_usual_place(path));
        found.or_else(package).or_else(file_here).unwrap_or_else(|| path.to_owned())
    }

    fn in_usual_place(&self, name: &Path) -> Option<PathBuf> {
        let is_named_so = |usual: &&PathBuf| usual.file_stem() == name.file_stem() && is_program(usual);
        self.usual_places.iter().find(is_named_so).cloned()
    }

    fn on_path(&self, name: &Path) -> Option<PathBuf> {
        let name = if name.extension().is_some_and(|extension| extension == env::consts::EXE_EXTENSION) {
            name.to_owned()
        } else {
            let mut name = name.as_os_str().to_owned();
            name.push(env::consts::EXE_SUFFIX);
            PathBuf::from(name)
        };
        // npm's link to its package starts the engine with the largest network in a separate process.
        let is_link_of_npm = |path: &Path| {
            name.as_os_str() == Machine::STOCKFISH
                && path.canonicalize().is_ok_and(|script| is_node_script(&script))
        };
        let found = self.path.iter().map(|folder| folder.join(&name));
        found.filter(|path| is_program(path)).find(|path| !is_link_of_npm(path))
    }

    /// Finds the small engine in npm's Stockfish package: it needs one WebAssembly file, one thread and
    /// little memory. Returns `None` without node or the package.
    fn in_packages(&self) -> Option<PathBuf> {
        self.on_path(Path::new("node"))?;
        let folders = self.packages.iter().map(|packages| packages.join(Machine::STOCKFISH));
        // Up to version 17 the engines are in `src`.
        let mut folders = folders.flat_map(|package| ["bin", "src"].map(|folder| package.join(folder)));
        folders.find_map(|folder| {
            let files = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
            files.filter(|file| is_lite_engine(file)).max()
        })
    }
}

/// Returns whether a file of npm's package is `stockfish-VERSION-lite-single.js`, possibly with a digest
/// before the extension.
fn is_lite_engine(file: &Path) -> bool {
    let is_named_so = |name: &str| name.starts_with("stockfish-") && name.contains("-lite-single");
    file.extension().is_some_and(|extension| extension == "js")
        && file.file_stem().and_then(OsStr::to_str).is_some_and(is_named_so)
}

/// Returns whether the path is an executable file. On systems other than Unix, every file counts.
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

    /// Returns a machine with files of these names in `folder`, executable if the flag is true. The folder is
    /// on PATH, or the files are install locations.
    fn machine(folder: &Path, on_path: bool, files: &[(&str, bool)]) -> Machine {
        for (name, is_program) in files {
            let file = folder.join(name);
            fs::write(&file, b"").expect("a writable folder");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = if *is_program { 0o755 } else { 0o644 };
                fs::set_permissions(&file, PermissionsExt::from_mode(mode)).expect("a file of ours");
            }
        }
        let places = files.iter().map(|(name, _)| folder.join(name)).collect();
        match on_path {
            true => Machine { path: vec![folder.to_owned()], ..Machine::default() },
            false => Machine { usual_places: places, ..Machine::default() },
        }
    }

    const STOCKFISH: &str = if cfg!(windows) { "stockfish.exe" } else { "stockfish" };

    #[test]
    fn stockfish_is_found_on_path_and_in_the_usual_places() {
        for on_path in [true, false] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let machine = machine(folder.path(), on_path, &[(STOCKFISH, true)]);
            assert_eq!(machine.stockfishes().next(), Some(folder.path().join(STOCKFISH)));
        }
        assert_eq!(Machine::default().stockfishes().next(), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_cannot_be_run_is_not_found() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let machine = machine(folder.path(), true, &[(STOCKFISH, false)]);
        assert_eq!(machine.stockfishes().next(), None);
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

    /// Returns a machine with node, and npm's Stockfish package with engines of these names, all in `folder`.
    #[cfg(unix)]
    fn with_package(folder: &Path, files: &[&str]) -> Machine {
        let mut machine = machine(folder, true, &[("node", true)]);
        let engines = folder.join("node_modules/stockfish/bin");
        fs::create_dir_all(&engines).expect("a writable folder");
        for name in files {
            fs::write(engines.join(name), b"").expect("a writable folder");
        }
        machine.packages = vec![folder.join("nothing"), folder.join("node_modules")];
        machine
    }

    #[cfg(unix)]
    #[test]
    fn without_an_installed_engine_the_small_one_of_npms_package_is_found() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = [
            "stockfish-19-asm.js",
            "stockfish-19-lite-single.js",
            "stockfish-19-lite-single.wasm",
            "stockfish-19.js",
        ];
        let mut machine = with_package(folder.path(), &files);
        let engine = folder.path().join("node_modules/stockfish/bin/stockfish-19-lite-single.js");
        assert_eq!(machine.stockfishes().next(), Some(engine.clone()));
        assert_eq!(machine.look_up(Path::new("stockfish")), engine);
        assert_eq!(machine.look_up(Path::new("lc0")), Path::new("lc0"));
        // npm puts a link to a script on PATH.
        let script = folder.path().join("node_modules/stockfish/bin/stockfish-19.js");
        let executable: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&script, executable.clone()).expect("a file of ours");
        let link = folder.path().join("stockfish");
        std::os::unix::fs::symlink(&script, &link).expect("a link");
        assert_eq!(machine.stockfishes().next(), Some(engine.clone()));
        // A native engine comes first.
        fs::remove_file(&link).expect("a link of ours");
        fs::write(&link, b"").expect("a writable folder");
        fs::set_permissions(&link, executable).expect("a file of ours");
        assert_eq!(machine.stockfishes().collect::<Vec<_>>(), [link.clone(), engine]);
        fs::remove_file(link).expect("a file of ours");
        fs::remove_file(folder.path().join("node")).expect("a file of ours");
        assert_eq!(machine.stockfishes().next(), None, "no node");
        machine.packages.clear();
        assert_eq!(machine.look_up(Path::new("stockfish")), Path::new("stockfish"));
    }

    #[test]
    fn a_script_of_node_is_known_by_its_extension() {
        for (name, is_script) in
            [("a/sf.js", true), ("sf.mjs", true), ("sf.cjs", true), ("sf", false), ("js", false)]
        {
            assert_eq!(is_node_script(Path::new(name)), is_script, "{name}");
        }
    }
}
