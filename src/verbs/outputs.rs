//! The files that a command names: none that it writes is another one of them.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, ValueHint};

use super::VerbError;
use crate::base::{output::real, text::full_path};
use crate::chess::pgn::is_called_games;

/// Options, in any verb, whose value is a file to write.
const WRITTEN: [&str; 8] = ["annotate", "keep-sums", "log", "memory", "output", "page", "partial", "pgn"];

/// A path on the command line, with links resolved.
struct NamedPath {
    option: String,
    path: PathBuf,
    is_written: bool,
}

/// Checks, before anything is read or written, that each file to be written is named once, and that no later run would
/// read it among the games of a folder.
pub fn check(matches: &ArgMatches, command: &Command) -> Result<(), VerbError> {
    let (mut matches, mut command) = (matches, command);
    while let Some((name, inner)) = matches.subcommand()
        && let Some(verb) = command.find_subcommand(name)
    {
        (matches, command) = (inner, verb);
    }
    let named: Vec<NamedPath> = command.get_arguments().flat_map(|arg| named(matches, arg)).collect();
    for (place, written) in named.iter().enumerate().filter(|(_, one)| one.is_written) {
        let others = named.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, other)| other);
        for other in others {
            let NamedPath { option, path, .. } = written;
            if is_same(path, &other.path) {
                let both = format!("{option} and {}", other.option);
                return Err(VerbError::new(format!("{both} name the same file: {}", full_path(path))));
            }
            if is_called_games(path)
                && path.starts_with(&other.path)
                && other.path.is_dir()
                && !other.is_folder()
            {
                let folder = full_path(&other.path);
                return Err(VerbError::new(format!(
                    "{option} names {}, but the next run would read it among the games of {folder}; name a file elsewhere",
                    full_path(path)
                )));
            }
        }
    }
    Ok(())
}

impl NamedPath {
    /// Returns true for the folder of the results.
    fn is_folder(&self) -> bool {
        self.option == "--output"
    }
}

fn is_path(arg: &Arg) -> bool {
    matches!(arg.get_value_hint(), ValueHint::FilePath | ValueHint::DirPath | ValueHint::AnyPath)
}

fn named(matches: &ArgMatches, arg: &Arg) -> Vec<NamedPath> {
    let values = matches.try_get_raw(arg.get_id().as_str()).ok().flatten().filter(|_| is_path(arg));
    let is_written = match arg.get_long() {
        Some(long) => WRITTEN.contains(&long) && arg.get_value_hint() != ValueHint::DirPath,
        None => arg.get_id() == "to", // of `store export`
    };
    let option = match (arg.get_long(), arg.get_value_names()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some([name, ..])) => format!("{name}"),
        (None, _) => arg.get_id().to_string().to_uppercase(),
    };
    let named = |value| NamedPath { option: option.clone(), path: real(Path::new(value)), is_written };
    values.into_iter().flatten().map(named).collect()
}

/// Returns true if two paths are of one file or, on systems that ignore the case of names, could be.
fn is_same(one: &Path, other: &Path) -> bool {
    let ignores_case = cfg!(any(windows, target_os = "macos"));
    one == other || ignores_case && one.as_os_str().eq_ignore_ascii_case(other.as_os_str())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use clap::CommandFactory;

    use super::*;
    use crate::verbs::Cli;

    /// Options whose value is a file or folder to read, a folder of results, or a store.
    const OTHERS: [&str; 13] = [
        "against",
        "aliases",
        "calibration",
        "gather",
        "openings",
        "openings-names",
        "output",
        "recorded",
        "reference",
        "start-weights",
        "store",
        "sums",
        "weights",
    ];

    fn refused(words: &[&str]) -> String {
        let command = Cli::command();
        let matches = command.clone().try_get_matches_from(words).expect("a command line");
        check(&matches, &command).err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn a_file_is_named_once_whatever_its_path_looks_like() {
        let temp = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| temp.path().join(name).to_string_lossy().into_owned();
        fs::create_dir(path("games")).expect("room");
        fs::write(path("games/a.pgn"), "1. e4 *").expect("room");
        let (games, a, b) = (path("games"), path("games/a.pgn"), path("games/../games/./b.db"));
        let same = refused(&["gainalyze", &a, "--annotate", &b, "--store", &path("games/b.db")]);
        assert!(same.starts_with("--annotate and --store name the same file: "), "{same}");
        let same = refused(&["gainalyze", &a, "--annotate", &a]);
        assert!(same.starts_with("--annotate and PGN name the same file: "), "{same}");
        let same = refused(&["gainalyze", "calibrate", &games, "--output", &b, "--keep-sums", &b]);
        assert!(
            same.contains("--keep-sums and --output") || same.contains("--output and --keep-sums"),
            "{same}"
        );
        let read = refused(&["gainalyze", &games, "--annotate", &path("games/b.pgn")]);
        assert!(read.contains("the next run would read it"), "{read}");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&a, path("link.pgn")).expect("a link");
            assert!(!refused(&["gainalyze", &a, "--annotate", &path("link.pgn")]).is_empty());
        }
        assert_eq!(refused(&["gainalyze", &a, "--annotate", &path("b.pgn"), "--output", &games]), "");
        assert_eq!(refused(&["gainalyze", &a, &a, "--store", &a]), "");
    }

    /// A new option with a path must be in one of the lists.
    #[test]
    fn all_options_with_a_path_are_known() {
        fn found(command: &Command, all: &mut BTreeSet<String>) {
            let paths = command.get_arguments().filter(|arg| is_path(arg));
            all.extend(paths.filter_map(Arg::get_long).map(str::to_owned));
            command.get_subcommands().for_each(|verb| found(verb, all));
        }
        let mut all = BTreeSet::new();
        found(&Cli::command(), &mut all);
        let known: BTreeSet<String> = WRITTEN.into_iter().chain(OTHERS).map(str::to_owned).collect();
        assert_eq!(all, known);
    }
}
