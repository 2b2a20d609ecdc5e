//! Tests of the stores that the program makes and refuses. tests/store/README.md describes the stores of
//! earlier versions.

use std::{fs, num::NonZeroU32};

use gainalyze::chess::{Evaluation, PlyEvaluation, RankedLine};
use gainalyze::store::{EvaluationStore, Recall, SqliteStore};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::stores::sample;

const GAMES: &str = include_str!("../store/version-1.pgn");

/// Stores of programs that were never released, with their versions.
const UNRELEASED: [(u32, &[u8]); 2] =
    [(1, include_bytes!("../store/version-1.sqlite")), (2, include_bytes!("../store/version-2.sqlite"))];

#[test]
fn a_store_of_a_version_that_was_never_released_is_refused_with_what_to_do_and_left_as_it_is() {
    for (version, bytes) in UNRELEASED {
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().join("store.sqlite");
        fs::write(&path, bytes).expect("a copy");
        for open in [SqliteStore::open, SqliteStore::open_to_read] {
            let error = open(&path).map(|_| ()).expect_err("no store of this version").to_string();
            let told = format!("version {version} is from before the first release");
            assert!(error.contains(&told) && error.contains("search the games again"), "{error}");
            assert_eq!(fs::read(&path).expect("a file"), bytes);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}

#[cfg(unix)]
#[test]
fn the_program_refuses_a_store_of_a_version_that_was_never_released_before_it_searches() {
    let bench = crate::program::Bench::new(GAMES);
    for (version, bytes) in UNRELEASED {
        bench.write("old.sqlite", bytes);
        let told = format!("version {version} is from before the first release");
        for args in [&["report", "old.sqlite", "games.pgn"][..], &["games.pgn", "--store", "old.sqlite"]] {
            bench.run(args).ended_with(1).said(&[&told, "search the games again"]);
        }
        assert_eq!(bench.read("old.sqlite"), bytes);
    }
}

#[test]
fn a_store_takes_several_lines_beside_what_it_has() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("store.sqlite");
    let mut store = SqliteStore::open(&path).expect("a store");
    let origin = sample::origin();
    let (segment, single) = (sample::segment(), sample::evaluations());
    store.put(&origin, &segment, &single).expect("a write");
    let mut three = origin.clone();
    three.protocol.lines = NonZeroU32::new(3).expect("above 0");
    assert_eq!(store.get(&three, &segment).expect("a query"), Recall::Missing);
    let several: Vec<PlyEvaluation> = single
        .iter()
        .map(|(ply, evaluation)| {
            let second = evaluation.lines().take(1).map(|line| RankedLine { rank: 2, ..line });
            (*ply, Evaluation { alternatives: second.collect(), ..evaluation.clone() })
        })
        .collect();
    store.put(&three, &segment, &several).expect("a write");
    let again = SqliteStore::open(&path).expect("the same store");
    assert_eq!(again.get(&three, &segment).expect("a query").known(), Some(several));
    assert_eq!(again.get(&origin, &segment).expect("a query").known(), Some(single));
    assert_eq!(again.origins().expect("a query").len(), 2);
}

#[test]
fn several_runs_may_make_a_store_at_the_same_time() {
    let folder = TempDir::new().expect("a temporary folder");
    // The check is frequent, because it must catch the moment just before another program has made the file.
    for round in 0..10 {
        let path = folder.path().join(format!("{round}.sqlite"));
        std::thread::scope(|scope| {
            let openings: Vec<_> =
                (0..8).map(|_| scope.spawn(|| SqliteStore::open(&path).map(|_| ()))).collect();
            for opening in openings {
                opening.join().expect("no panic").expect("a store");
            }
        });
        let store = SqliteStore::open(&path).expect("a store");
        assert_eq!(store.origins().expect("a query"), []);
    }
}

/// Returns a bench whose store has the evaluations of its games.
fn stored() -> crate::program::Bench {
    let bench = crate::program::Bench::of_games();
    bench.run(&STORED).ended_with(0);
    bench
}

const STORED: [&str; 7] = ["games.pgn", "--depth", "4", "--store", "s.sqlite", "--plots", "none"];

#[test]
fn an_engine_exchanged_under_its_name_is_another_one_and_it_is_said() {
    let bench = stored();
    let searched = || bench.run_json("reports/games")["searches"]["made"].as_u64().expect("a number");
    let before = bench.text("reports/games/moves.csv");
    assert!(searched() > 0);
    bench.run(&STORED).ended_with(0);
    assert_eq!(searched(), 0, "the same engine");
    let exchanged = bench.with("SCRIPT_FACTOR", "11");
    let told = exchanged.run(&STORED).ended_with(0);
    told.said(&["positions by another build of Scripted 1.0", "differs or is unknown", "not used"]);
    let again = exchanged.run_json("reports/games")["searches"]["made"].as_u64();
    assert!(again > Some(0), "{again:?}");
    assert_ne!(exchanged.text("reports/games/moves.csv"), before);
    let told = exchanged.run(&STORED).ended_with(0);
    assert!(!told.stderr.contains("another build"), "{}", told.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn builds_that_behave_the_same_share_evaluations_and_reports_name_the_one_that_searched() {
    let Some(stockfish) = crate::real_engine::path() else { return };
    let bench = crate::program::Bench::of_games();
    let program = fs::read(&stockfish).expect("a program");
    // Bytes after the end change the file but none of its contents.
    bench.write("one", &program);
    bench.write("two", &[&program[..], b"another build"].concat());
    for name in ["one", "two"] {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o755)).expect("a file of ours");
    }
    let run = |engine: &str, out: &str| {
        let args = ["games.pgn", "--depth", "4", "--store", "s.sqlite", "--plots", "none"];
        bench.run(&[&args[..], &["--engine", engine, "--output", out]].concat()).ended_with(0);
        let digest = bench.summary(out)["evaluations"]["engine"]["digest"].clone();
        (digest, bench.run_json(out)["searches"]["made"].clone())
    };
    let (first, searched) = run("./one", "a");
    assert!(searched.as_u64() > Some(0));
    assert_eq!(run("./two", "b"), (first, 0.into()));
    let connection = Connection::open(bench.path("s.sqlite")).expect("a store");
    let kept = |query: &str| connection.query_row(query, [], |row| row.get::<_, u64>(0)).expect("a number");
    assert_eq!(kept("SELECT count(*) FROM engines"), 2);
    assert_eq!(kept("SELECT count(DISTINCT behaviour) FROM engines"), 1);
}

#[test]
fn a_damaged_evaluation_is_named_and_searched_again_and_the_report_is_the_same() {
    let bench = stored();
    let before = bench.files("reports/games");
    let connection = Connection::open(bench.path("s.sqlite")).expect("a store");
    let changed =
        connection.execute("UPDATE evaluations SET cp = cp + 64 WHERE ply = 3 AND cp IS NOT NULL", []);
    assert!(changed.expect("a write") > 0);
    drop(connection);
    bench.run(&["store", "check", "s.sqlite"]).ended_with(1);
    let told = bench.run(&STORED).ended_with(0);
    told.said(&["damaged in the store, so not used: Scripted 1.0, depth 4", "the seal does not match"]);
    assert_eq!(bench.files("reports/games"), before);
    let checked = bench.run(&["store", "check", "s.sqlite"]).ended_with(0);
    assert!(
        checked.stdout.contains("0 damaged") && !checked.stdout.contains(" 0 set aside"),
        "{}",
        checked.stdout
    );
}

#[test]
fn a_store_is_counted_exported_merged_and_pruned() {
    let bench = stored();
    let stats = bench.run(&["store", "stats", "s.sqlite"]).ended_with(0).stdout;
    assert!(stats.contains("Scripted 1.0") && stats.contains("depth 4, forward, segments of 16"), "{stats}");
    let stats = bench.run(&["store", "stats", "s.sqlite", "--export", "markdown"]).ended_with(0).stdout;
    assert!(stats.contains("\n| ---") && stats.contains("| Scripted 1.0 |"), "{stats}");
    bench.run(&["store", "export", "s.sqlite", "s.csv"]).ended_with(0);
    let rows = bench.table("s.csv", &["engine", "limit", "ply", "cp"]);
    assert!(rows.iter().all(|row| row[0] == "Scripted 1.0" && row[1] == "depth 4"), "{rows:?}");
    bench
        .run(&["store", "export", "s.sqlite", "s.csv"])
        .ended_with(2)
        .said(&["s.csv already exists", "--force"]);
    bench.run(&["store", "export", "s.sqlite", "s.csv", "--force"]).ended_with(0);
    let other = ["games.pgn", "--depth", "3", "--store", "t.sqlite", "--plots", "none"];
    bench.run(&other).ended_with(0);
    let merged = bench.run(&["store", "merge", "s.sqlite", "t.sqlite"]).ended_with(0).stdout;
    assert!(merged.contains("searches added to s.sqlite; 0 of"), "{merged}");
    bench.run(&["store", "prune", "s.sqlite"]).ended_with(2).said(&["nothing to remove", "--set-aside"]);
    let prune = ["store", "prune", "s.sqlite", "--depth", "4"];
    let would = bench.run(&[&prune[..], &["--dry-run"]].concat()).ended_with(0).stdout;
    assert!(would.contains("would remove "), "{would}");
    bench.run(&prune).ended_with(0);
    let stats = bench.run(&["store", "stats", "s.sqlite"]).ended_with(0).stdout;
    assert!(stats.contains("depth 3") && !stats.contains("depth 4"), "{stats}");
    bench.run(&["store", "check", "nowhere.sqlite"]).ended_with(2).said(&["nowhere.sqlite"]);
}

/// Runs the program as a user without write access; `None` if that is impossible here.
#[cfg(target_os = "linux")]
fn run_without_rights(bench: &crate::program::Bench, args: &[&str]) -> Option<std::process::Output> {
    use std::process::Command;
    let is_root =
        fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0);
    let program = bench.path("program");
    let mut command = match is_root {
        true => {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", "65534", "--clear-groups"]).arg(&program);
            command
        }
        false => Command::new(&program),
    };
    command
        .args(args)
        .current_dir(bench.path("ro"))
        .env("GAINALYZE_ENGINE", crate::program::scripted_engine());
    command.env("HOME", bench.path("out")).env("XDG_CACHE_HOME", bench.path("out")).output().ok()
}

#[cfg(target_os = "linux")]
#[test]
fn a_store_that_cannot_be_written_serves_what_is_in_it() {
    use std::os::unix::fs::PermissionsExt;
    let bench = stored();
    let mode = |name: &str, mode: u32| {
        fs::set_permissions(bench.path(name), fs::Permissions::from_mode(mode)).expect("a file of ours");
    };
    fs::copy(env!("CARGO_BIN_EXE_gainalyze"), bench.path("program")).expect("room");
    ["ro", "out"].iter().for_each(|name| fs::create_dir(bench.path(name)).expect("room"));
    bench.write("ro/s.sqlite", &bench.read("s.sqlite"));
    bench.write("ro/games.pgn", &bench.read("games.pgn"));
    mode("", 0o755);
    mode("out", 0o777);
    mode("ro/s.sqlite", 0o444);
    mode("ro", 0o555);
    let run = |args: &[&str]| run_without_rights(&bench, args);
    let usual = ["--store", "s.sqlite", "--plots", "none"];
    for (args, code, words) in [
        (&["games.pgn", "--depth", "4", "--output", "../out/a"][..], 0, ""),
        (
            &["games.pgn", "--depth", "3", "--output", "../out/b"],
            1,
            "the store is read-only and lacks some evaluations",
        ),
    ] {
        let Some(output) = run(&[args, &usual].concat()) else { return };
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(words), "{told}");
    }
    let report =
        ["report", "s.sqlite", "games.pgn", "--output", "../out/c", "--plots", "none", "--depth", "4"];
    let Some(output) = run(&report) else { return };
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(bench.read("out/c/players.csv"), bench.read("reports/games/players.csv"));
    assert_eq!(bench.read("ro/s.sqlite"), bench.read("s.sqlite"));
    mode("ro", 0o755);
}
