//! Stores of earlier versions of the program (tests/store/README.md says how they were made).

use std::{fs, num::NonZeroU32, path::PathBuf};

use gainalyze::{
    evaluation::{Evaluation, Protocol},
    pgn::parse_games,
    segment::{PlyEvaluation, Segment},
    store::{EvaluationStore, Origin, sqlite::SqliteStore},
};
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
            found.expect("every segment is found under its key")
        });
        let mut found: Vec<Told> = found.map(|evaluation| told(&evaluation)).collect();
        found.sort();
        assert_eq!(found, before);
        assert_eq!(rows(&path), before, "the rows are as they were");
    }
}

#[test]
fn a_store_of_version_1_takes_several_lines_beside_what_it_has() {
    let (_folder, path) = version_1();
    let mut store = SqliteStore::open(&path).expect("a store of this version");
    let Origin { engine, protocol } = only_origin(&store);
    let mut three = protocol;
    three.lines = NonZeroU32::new(3).expect("above 0");
    let segment = segments(&protocol).remove(0);
    let single = store.get(&engine, &protocol, &segment).expect("a query").expect("the first game");
    assert_eq!(store.get(&engine, &three, &segment).expect("a query"), None);
    let several: Vec<PlyEvaluation> = single
        .iter()
        .map(|(ply, evaluation)| {
            let second = evaluation.lines().map(|line| gainalyze::evaluation::RankedLine { rank: 2, ..line });
            (*ply, Evaluation { alternatives: second.collect(), ..evaluation.clone() })
        })
        .collect();
    store.put(&engine, &three, &segment, &several).expect("a write");
    let again = SqliteStore::open(&path).expect("the same store");
    assert_eq!(again.get(&engine, &three, &segment).expect("a query"), Some(several));
    assert_eq!(again.get(&engine, &protocol, &segment).expect("a query"), Some(single));
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
