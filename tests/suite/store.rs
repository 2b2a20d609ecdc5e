//! Stores of earlier versions of the program (tests/store/README.md says how they were made).

use std::{fs, num::NonZeroU32, path::PathBuf};

use gainalyze::chess::{Evaluation, PlyEvaluation, Protocol, Segment, pgn::parse_games};
use gainalyze::store::{EvaluationStore, Origin, Recall, SqliteStore, upkeep};
use rusqlite::{Connection, Row};
use tempfile::TempDir;

const GAMES: &str = include_str!("../store/version-1.pgn");

/// A copy of the store of version 1, which opening changes.
fn version_1() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("store.sqlite");
    fs::write(&path, include_bytes!("../store/version-1.sqlite")).expect("a copy");
    (folder, path)
}

/// A copy of the store of version 2.
fn version_2() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("store.sqlite");
    fs::write(&path, include_bytes!("../store/version-2.sqlite")).expect("a copy");
    (folder, path)
}

/// What a row of the table of evaluations tells, read by nothing of the program's.
type Told = (usize, Option<i32>, Option<i32>, Option<u64>, Option<String>, String, Option<u16>);

fn row(row: &Row<'_>) -> rusqlite::Result<Told> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
}

fn rows(path: &PathBuf) -> Vec<Told> {
    let connection = Connection::open(path).expect("a SQLite file");
    let query = "SELECT ply, cp, mate, nodes, best, pv, draw FROM evaluations ORDER BY 1, 2, 3, 4, 5, 6";
    let mut statement = connection.prepare(query).expect("the table");
    statement.query_map([], row).expect("rows").collect::<rusqlite::Result<_>>().expect("rows")
}

fn told((ply, evaluation): &PlyEvaluation) -> Told {
    let Evaluation { score, nodes, best, pv, wdl, .. } = evaluation;
    let pv: Vec<String> = pv.iter().map(ToString::to_string).collect();
    let best = best.map(|best| best.to_string());
    (*ply, score.cp(), score.mate(), *nodes, best, pv.join(" "), wdl.map(|wdl| wdl.draw))
}

/// The segments of the games, as version 1 cut them.
fn segments(protocol: &Protocol) -> Vec<Segment> {
    let games = parse_games(GAMES, "version-1.pgn").into_iter().map(|game| game.expect("a game"));
    games.flat_map(|game| Segment::cut(&game, protocol)).collect()
}

fn only_origin(store: &dyn EvaluationStore) -> Origin {
    let [origin] = store.origins().expect("a query").try_into().expect("one engine");
    origin
}

#[test]
fn a_store_of_version_1_is_opened_without_losing_an_evaluation() {
    let (_folder, path) = version_1();
    let before = rows(&path);
    assert_eq!((before.len(), before.iter().filter_map(|told| told.3).sum::<u64>()), (26, 4191));
    // The second time it has been brought up to date.
    for _ in 0..2 {
        let store = SqliteStore::open(&path).expect("a store of this version");
        let Origin { engine, protocol } = only_origin(&store);
        assert_eq!(
            (engine.name.as_str(), protocol.to_string().as_str()),
            ("Stockfish 15.1", "depth 4, backward, segments of 16")
        );
        let found = segments(&protocol).into_iter().flat_map(|segment| {
            let found = store.get(&engine, &protocol, &segment).expect("a query");
            found.known().expect("every segment is found under its key")
        });
        let mut found: Vec<Told> = found.map(|evaluation| told(&evaluation)).collect();
        found.sort();
        assert_eq!(found, before);
        assert_eq!(rows(&path), before, "the rows are as they were");
    }
}

#[test]
fn a_store_of_version_2_is_opened_without_losing_an_evaluation_or_a_line() {
    let (_folder, path) = version_2();
    let (before, lines) = (rows(&path), lines(&path));
    assert_eq!(
        (before.len(), before.iter().filter_map(|told| told.3).sum::<u64>(), lines.len()),
        (52, 9597, 78)
    );
    for _ in 0..2 {
        let store = SqliteStore::open(&path).expect("a store of this version");
        let mut found = Vec::new();
        for Origin { engine, protocol } in store.origins().expect("a query") {
            for segment in segments(&protocol) {
                let known = store.get(&engine, &protocol, &segment).expect("a query").known();
                found.extend(known.expect("every segment is found under its key").iter().map(told));
            }
        }
        found.sort();
        assert_eq!(found, before);
        assert_eq!(
            (rows(&path), self::lines(&path)),
            (before.clone(), lines.clone()),
            "the rows are as they were"
        );
        assert_eq!(upkeep::check(&store).expect("a store").damaged, Vec::<String>::new());
    }
}

/// A line of a store: segment, ply, rank, move, centipawns, mate.
type StoredLine = (u32, u32, u32, String, Option<i32>, Option<i32>);

/// All lines of a store, with their moves and scores.
fn lines(path: &PathBuf) -> Vec<StoredLine> {
    let connection = Connection::open(path).expect("a SQLite file");
    let query = "SELECT segment, ply, rank, move, cp, mate FROM lines ORDER BY 1, 2, 3";
    let mut statement = connection.prepare(query).expect("the view");
    let line = |row: &Row<'_>| TryFrom::try_from(row);
    statement.query_map([], line).expect("rows").collect::<rusqlite::Result<_>>().expect("rows")
}

#[test]
fn a_store_that_cannot_be_brought_to_this_version_stays_as_it_was() {
    let (_folder, path) = version_2();
    let before = rows(&path);
    let connection = Connection::open(&path).expect("a SQLite file");
    // A table of the user's own, in the way of one of version 3.
    connection.execute_batch("CREATE TABLE set_aside (mine TEXT)").expect("a table");
    drop(connection);
    SqliteStore::open(&path).map(|_| ()).expect_err("a name that is taken");
    assert_eq!(rows(&path), before);
    let connection = Connection::open(&path).expect("a SQLite file");
    let version = connection.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0));
    assert_eq!(version, Ok(2));
    connection.execute_batch("DROP TABLE set_aside").expect("a table");
    drop(connection);
    SqliteStore::open(&path).expect("a store of this version");
    assert_eq!(rows(&path), before);
}

#[test]
fn damaged_evaluations_of_an_earlier_version_are_put_aside_and_the_others_kept() {
    let (_folder, path) = version_2();
    let before = rows(&path).len();
    let connection = Connection::open(&path).expect("a SQLite file");
    connection.execute_batch("UPDATE evaluations SET cp = 7, mate = 7 WHERE segment = 1").expect("a write");
    let lost: usize = connection
        .query_row("SELECT count(*) FROM evaluations WHERE segment = 1", [], |row| row.get(0))
        .expect("a number");
    drop(connection);
    let store = SqliteStore::open(&path).expect("a store of this version");
    let check = upkeep::check(&store).expect("a store");
    assert_eq!((check.set_aside, check.damaged.len(), check.positions as usize), (1, 0, before - lost));
}

#[test]
fn a_store_of_version_1_takes_several_lines_beside_what_it_has() {
    let (_folder, path) = version_1();
    let mut store = SqliteStore::open(&path).expect("a store of this version");
    let Origin { engine, protocol } = only_origin(&store);
    let mut three = protocol;
    three.lines = NonZeroU32::new(3).expect("above 0");
    let segment = segments(&protocol).remove(0);
    let single = store.get(&engine, &protocol, &segment).expect("a query").known().expect("the first game");
    assert_eq!(store.get(&engine, &three, &segment).expect("a query"), Recall::Missing);
    let several: Vec<PlyEvaluation> = single
        .iter()
        .map(|(ply, evaluation)| {
            let second =
                evaluation.lines().map(|line| gainalyze::chess::evaluation::RankedLine { rank: 2, ..line });
            (*ply, Evaluation { alternatives: second.collect(), ..evaluation.clone() })
        })
        .collect();
    store.put(&engine, &three, &segment, &several).expect("a write");
    let again = SqliteStore::open(&path).expect("the same store");
    assert_eq!(again.get(&engine, &three, &segment).expect("a query").known(), Some(several));
    assert_eq!(again.get(&engine, &protocol, &segment).expect("a query").known(), Some(single));
    assert_eq!(again.origins().expect("a query").len(), 2);
}

#[cfg(unix)]
#[test]
fn the_program_reports_what_a_store_of_version_1_has() {
    let bench = crate::program::Bench::new(GAMES);
    bench.write("old.sqlite", include_bytes!("../store/version-1.sqlite"));
    bench.run(&["report", "old.sqlite", "games.pgn", "--output", "stored", "--plots", "none"]).ended_with(0);
    assert_eq!(bench.run_json("stored")["searches"]["from_store"], 26);
}

#[test]
fn two_runs_may_open_a_store_of_version_1_at_the_same_time() {
    let (_folder, path) = version_1();
    let before = rows(&path);
    std::thread::scope(|scope| {
        let openings: Vec<_> = (0..8).map(|_| scope.spawn(|| SqliteStore::open(&path).map(|_| ()))).collect();
        for opening in openings {
            opening.join().expect("no panic").expect("a store of this version");
        }
    });
    assert_eq!(rows(&path), before);
}

/// A bench whose store has the evaluations of its games.
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
    told.said(&[
        "positions in the store by another build of Scripted 1.0",
        "behaves differently",
        "not used",
    ]);
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
    // Bytes behind the end change the file and nothing else.
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
    told.said(&["damaged in the store, and not used: Scripted 1.0, depth 4", "not those that were sealed"]);
    assert_eq!(bench.files("reports/games"), before);
    let checked = bench.run(&["store", "check", "s.sqlite"]).ended_with(0);
    assert!(
        checked.stdout.contains("0 damaged") && !checked.stdout.contains(" 0 put aside"),
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
        .said(&["s.csv is there already", "--force"]);
    bench.run(&["store", "export", "s.sqlite", "s.csv", "--force"]).ended_with(0);
    let other = ["games.pgn", "--depth", "3", "--store", "t.sqlite", "--plots", "none"];
    bench.run(&other).ended_with(0);
    let merged = bench.run(&["store", "merge", "s.sqlite", "t.sqlite"]).ended_with(0).stdout;
    assert!(merged.contains("searches added to s.sqlite, 0 of"), "{merged}");
    bench.run(&["store", "prune", "s.sqlite"]).ended_with(2).said(&["nothing is asked for", "--set-aside"]);
    let prune = ["store", "prune", "s.sqlite", "--depth", "4"];
    let would = bench.run(&[&prune[..], &["--dry-run"]].concat()).ended_with(0).stdout;
    assert!(would.contains("would be removed"), "{would}");
    bench.run(&prune).ended_with(0);
    let stats = bench.run(&["store", "stats", "s.sqlite"]).ended_with(0).stdout;
    assert!(stats.contains("depth 3") && !stats.contains("depth 4"), "{stats}");
    bench.run(&["store", "check", "nowhere.sqlite"]).ended_with(2).said(&["nowhere.sqlite"]);
}

/// Runs the program as somebody who may write nothing; `None` where that cannot be had.
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
            "not all that is asked for is in it, and it can only be read",
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
