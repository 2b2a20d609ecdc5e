//! The published reports (`packaging/published` makes them again).

use std::{collections::BTreeMap, fs, path::Path};

use crate::program::Bench;

const GAMES: &str = "data/candidates-2013-stockfish-15.1-depth-10.pgn";

/// Returns the files of a folder that every system makes alike. The last digits of logarithms, and so of the
/// numbers in JSON and of the points of a picture, differ between systems.
fn equal_everywhere(files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let is_rounded = |name: &str| name.ends_with(".csv") || name.ends_with(".html");
    let is_like_ci = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    files.into_iter().filter(|(name, _)| is_like_ci || is_rounded(name)).collect()
}

#[test]
fn the_published_report_of_the_candidates_is_the_one_that_the_first_command_of_the_readme_makes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    fs::create_dir(bench.path("data")).expect("a folder");
    bench.write(GAMES, &fs::read(root.join(GAMES)).expect("the games"));
    bench.run(&[GAMES]).ended_with(0);
    let folder = bench.path("reports/candidates-2013-stockfish-15.1-depth-10");
    let files = |folder: &Path| {
        let entries = fs::read_dir(folder).expect("a report").map(|entry| entry.expect("an entry"));
        let file = |entry: fs::DirEntry| {
            (entry.file_name().into_string().expect("a name"), fs::read(entry.path()).expect("a file"))
        };
        equal_everywhere(entries.map(file).collect())
    };
    let mut made = files(&folder);
    // The record of the run has its time, and the table of moves is a megabyte.
    for name in ["run.json", "moves.csv"] {
        made.remove(name);
    }
    let mut published = files(&root.join("reports/published/candidates-2013"));
    // Chromium makes this picture of the page.
    published.remove("screenshot.png");
    assert_eq!(made.keys().collect::<Vec<_>>(), published.keys().collect::<Vec<_>>());
    for (name, bytes) in &made {
        assert!(*bytes == published[name], "{name} differs: run packaging/published");
    }
}
