//! Stored evaluations are found again, under the same key only.

use rusqlite::ErrorCode;

use super::*;
use crate::chess::{Evaluation, Score};
use crate::store::{StoreError, sample::engine, sample::evaluations, sample::origin, sample::segment};

fn temporary() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("deep/er/store.sqlite");
    (folder, path)
}

#[test]
fn people_find_all_lines_of_a_search_in_one_table() {
    let (_folder, path) = temporary();
    let mut store = SqliteStore::open(&path).expect("a store");
    store.put(&origin(), &segment(), &evaluations()).expect("a write");
    let lines = |connection: &Connection| {
        let mut statement =
            connection.prepare("SELECT rank, move, cp, mate, pv FROM lines WHERE ply = 2 ORDER BY rank")?;
        let line = |row: &rusqlite::Row<'_>| <(u32, String, Option<i32>, Option<i32>, String)>::try_from(row);
        statement.query_map([], line)?.collect::<rusqlite::Result<Vec<_>>>()
    };
    let text = str::to_owned;
    assert_eq!(
        store.attempt(lines).expect("a query"),
        [
            (1, text("g1f3"), Some(-17), None, text("g1f3 e7e5")),
            (2, text("d2d4"), Some(-20), None, text("d2d4 e7e6")),
            (3, text("b1c3"), None, Some(9), text("b1c3 e7e6")),
        ]
    );
}

/// Returns a store with one segment, changed by the SQL statement `change`.
fn tampered(change: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = temporary();
    let mut store = SqliteStore::open(&path).expect("a store");
    store.put(&origin(), &segment(), &evaluations()).expect("a write");
    drop(store);
    let other = Connection::open(&path).expect("a database");
    other.execute_batch(&format!("PRAGMA ignore_check_constraints = 1; {change}")).expect("a write");
    (folder, path)
}

/// Reseals all segments by their rows, as an informed forger would.
fn seal_anew(path: &Path) {
    let connection = Connection::open(path).expect("a database");
    for id in super::super::sqlite_upkeep::ids(&connection).expect("segments") {
        let record = SegmentRecord::of_id(&connection, id).expect("a row").expect("a record");
        let rows = SegmentRows::read(&connection, id).expect("rows");
        let seal = rows.seal(&record.key, &record.behavior, &record.digest);
        connection.execute("UPDATE segments SET seal = ? WHERE id = ?", params![seal, id]).expect("a write");
    }
}

fn recalled(path: &Path) -> Recall {
    let store = SqliteStore::open(path).expect("a store");
    store.get(&origin(), &segment()).expect("a query")
}

fn set_aside(path: &Path) -> Vec<(String, String)> {
    let connection = Connection::open(path).expect("a database");
    let mut statement = connection.prepare("SELECT reason, content FROM set_aside").expect("the table");
    let row = |row: &rusqlite::Row<'_>| <(String, String)>::try_from(row);
    statement.query_map([], row).expect("rows").collect::<rusqlite::Result<_>>().expect("rows")
}

#[test]
fn whatever_changes_in_a_segment_is_named_put_aside_and_asked_for_again() {
    for change in [
        "UPDATE evaluations SET cp = -16 WHERE ply = 2",
        "UPDATE evaluations SET mate = 3 WHERE ply = 1",
        "UPDATE evaluations SET cp = NULL, mate = NULL WHERE ply = 2",
        "UPDATE evaluations SET best = 'd2d4' WHERE ply = 2",
        "UPDATE evaluations SET nodes = nodes + 1 WHERE ply = 2",
        "UPDATE evaluations SET pv = 'e2e4' WHERE ply = 2",
        "UPDATE evaluations SET win = NULL, draw = NULL, loss = NULL",
        "UPDATE alternatives SET cp = -21 WHERE rank = 2",
        "UPDATE segments SET engine_digest = 'ac'",
        "DELETE FROM evaluations WHERE ply = 0",
        "DELETE FROM alternatives WHERE rank = 3",
    ] {
        let (_folder, path) = tampered(change);
        let found = recalled(&path);
        let Recall::Damaged { what } = found else { panic!("{change}: {found:?}") };
        assert!(what.starts_with("Engine 1, depth 9, the initial position after e2e4 e7e5 ("), "{what}");
        let aside = set_aside(&path);
        assert_eq!(aside.len(), 1, "{change}");
        assert!(aside[0].1.contains("\"evaluations\":[{"), "{}", aside[0].1);
        assert_eq!(recalled(&path), Recall::Missing, "{change}");
    }
}

#[test]
fn of_thousands_of_forged_rows_few_are_read_and_set_aside() {
    let many = "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) \
                INSERT INTO alternatives SELECT segment, 2, i, move, cp, mate, pv FROM n, \
                (SELECT * FROM alternatives LIMIT 1);";
    let (_folder, path) = tampered(many);
    let connection = Connection::open(&path).expect("a database");
    let id = super::super::sqlite_upkeep::ids(&connection).expect("segments")[0];
    let rows = SegmentRows::read(&connection, id).expect("rows");
    assert_eq!(rows.alternatives.len(), 256 * rows.evaluations.len());
    drop(connection);
    assert!(matches!(recalled(&path), Recall::Damaged { .. }));
    let aside: serde_json::Value = serde_json::from_str(&set_aside(&path)[0].1).expect("JSON");
    assert_eq!(aside["alternatives"].as_array().map(Vec::len), Some(20_000));
    assert!(matches!(recalled(&path), Recall::Missing));
}

#[test]
fn values_that_no_engine_can_have_said_are_refused_though_they_are_sealed() {
    for (change, reason) in [
        ("UPDATE evaluations SET cp = NULL, mate = NULL WHERE ply = 2", "the score after ply 2 is invalid"),
        ("UPDATE evaluations SET mate = 3 WHERE ply = 2", "the score after ply 2 is invalid"),
        ("UPDATE evaluations SET mate = 0 WHERE ply = 1", "the score after ply 1 is invalid"),
        ("UPDATE evaluations SET mate = -2147483648 WHERE ply = 1", "the score after ply 1 is invalid"),
        ("UPDATE evaluations SET cp = -2147483648 WHERE ply = 2", "the score after ply 2 is invalid"),
        ("UPDATE evaluations SET cp = 9223372036854775807 WHERE ply = 2", "the score after ply 2 is invalid"),
        (
            "UPDATE evaluations SET best = 'e7e5' WHERE ply = 2",
            "the best move after ply 2 is e7e5, which is illegal",
        ),
        (
            "UPDATE evaluations SET best = 'x' WHERE ply = 2",
            "the best move after ply 2 is x, which is illegal",
        ),
        ("UPDATE alternatives SET move = 'e1e3'", "the best move after ply 2 is e1e3, which is illegal"),
        (
            "UPDATE evaluations SET pv = 'e2e4 and so on' WHERE ply = 2",
            "the line after ply 2 is not a list of moves",
        ),
        ("UPDATE evaluations SET depth = -1 WHERE ply = 2", "a number after ply 2 is out of bounds"),
        ("UPDATE evaluations SET win = 1000 WHERE ply = 2", "a number after ply 2 is out of bounds"),
        (
            "UPDATE evaluations SET ply = 7 WHERE ply = 0",
            "its positions differ from the positions of the search",
        ),
        ("DELETE FROM evaluations WHERE ply = 0", "its positions differ from the positions of the search"),
    ] {
        let (_folder, path) = tampered(change);
        seal_anew(&path);
        let found = recalled(&path);
        let Recall::Damaged { what } = found else { panic!("{change}: {found:?}") };
        assert!(what.contains(reason), "{change}: {what}");
    }
}

#[test]
fn the_tables_take_no_score_that_is_none() {
    let (_folder, path) = tampered("");
    let other = Connection::open(&path).expect("a database");
    for change in ["cp = NULL", "mate = 3", "cp = -2147483648", "cp = 'none'", "depth = -1", "win = 1001"] {
        let changed = other.execute(&format!("UPDATE evaluations SET {change} WHERE ply = 2"), []);
        let error = changed.expect_err(change);
        assert_eq!(error.sqlite_error_code(), Some(ErrorCode::ConstraintViolation), "{error}");
    }
}

#[test]
fn builds_that_behave_the_same_share_evaluations_and_others_do_not() {
    let (_folder, path) = tampered("");
    let mut store = SqliteStore::open(&path).expect("a store");
    let build = |digest: &str, behavior: Option<&str>| EngineStamp {
        digest: digest.to_owned(),
        behavior: behavior.map(str::to_owned),
        ..engine()
    };
    let found = |store: &SqliteStore, engine: &EngineStamp| {
        store.get(&Origin { engine: engine.clone(), ..origin() }, &segment()).expect("a query")
    };
    let Recall::Known(known) = found(&store, &build("cd", Some("b1"))) else { panic!("the same behavior") };
    assert_eq!((known.digest.as_str(), known.evaluations), ("ab", evaluations()));
    let exchanged = build("cd", Some("b2"));
    assert_eq!(found(&store, &exchanged), Recall::OtherBuild { digest: "ab".to_owned() });
    assert!(matches!(found(&store, &build("ab", None)), Recall::Known(_)), "the same file");
    let other =
        vec![evaluations()[0].clone(), evaluations()[1].clone(), (0, Evaluation::of_score(Score::Cp(9)))];
    store.put(&Origin { engine: exchanged.clone(), ..origin() }, &segment(), &other).expect("a write");
    assert_eq!(found(&store, &exchanged).known(), Some(other));
    assert_eq!(found(&store, &engine()).known(), Some(evaluations()));
    assert_eq!(store.origins().expect("a query").len(), 2);
}

#[test]
fn what_was_stored_before_behaviors_were_known_is_shared_once_its_own_is() {
    let (_folder, path) = temporary();
    let mut store = SqliteStore::open(&path).expect("a store");
    let old = EngineStamp { behavior: None, ..engine() };
    store.put(&Origin { engine: old.clone(), ..origin() }, &segment(), &evaluations()).expect("a write");
    let newer = EngineStamp { digest: "cd".to_owned(), ..engine() };
    let get = |store: &SqliteStore, engine: &EngineStamp| {
        store.get(&Origin { engine: engine.clone(), ..origin() }, &segment()).expect("a query")
    };
    assert!(matches!(get(&store, &newer), Recall::OtherBuild { .. }));
    let behavior = StoredBehavior { digest: "b1".to_owned(), micros: 77 };
    assert_eq!(store.behavior(&old, "file").expect("a query"), None);
    store.keep_behavior(&old, "file", &behavior).expect("a write");
    assert_eq!(store.behavior(&old, "file").expect("a query"), Some(behavior));
    assert_eq!(store.behavior(&old, "another file").expect("a query"), None);
    assert_eq!(get(&store, &newer).known(), Some(evaluations()));
    Connection::open(&path)
        .and_then(|c| c.execute_batch("UPDATE engines SET behaviour = 'b2'"))
        .expect("a write");
    assert_eq!(store.behavior(&old, "file").expect("a query"), None, "it is not as it was written");
}

#[test]
fn what_is_newer_foreign_or_damaged_is_refused_by_name_and_left_as_it_is() {
    let refused = |prepare: &str| {
        let (_folder, path) = temporary();
        drop(SqliteStore::open(&path).expect("a store"));
        let other = Connection::open(&path).expect("a database");
        other.execute_batch(&format!("PRAGMA journal_mode = delete; {prepare}")).expect("a write");
        drop(other);
        let before = std::fs::read(&path).expect("a file");
        let error = SqliteStore::open(&path).map(|_| ()).expect_err("no store of this version");
        let is_newer = matches!(error, StoreError::Version { found, known, .. } if found > known);
        assert!(std::fs::read(&path).expect("a file") == before, "{prepare}: was changed");
        assert!(is_newer || error.is_of_the_store());
        error
    };
    let newer = refused("PRAGMA user_version = 4");
    assert!(matches!(newer, StoreError::Version { found: 4, known: 3, .. }));
    assert!(newer.to_string().contains("store.sqlite: version 4 is newer than version 3 of this program"));
    for version in [1, 2] {
        let older = refused(&format!("PRAGMA user_version = {version}"));
        assert!(matches!(older, StoreError::Version { found, known: 3, .. } if found == version), "{older}");
    }
    for foreign in ["PRAGMA user_version = 0; PRAGMA application_id = 7", "PRAGMA application_id = 7"] {
        let error = refused(foreign);
        assert!(error.to_string().ends_with("the file is not a store of gainalyze"), "{error}");
    }
    for other_tables in [
        "DROP TABLE alternatives; DROP TABLE evaluations; DROP TABLE segments",
        "PRAGMA user_version = 0",
        "DROP VIEW lines",
        "DROP TABLE evaluations; CREATE VIEW evaluations AS WITH RECURSIVE r(segment) AS \
         (SELECT 1 UNION ALL SELECT segment + 1 FROM r) SELECT * FROM r",
        "CREATE TRIGGER t AFTER INSERT ON segments BEGIN DELETE FROM segments; END",
        "CREATE INDEX i ON segments (engine)",
    ] {
        let error = refused(other_tables);
        assert!(
            matches!(error, StoreError::Corrupt(_)),
            "{other_tables}: {}",
            crate::base::text::with_causes(&error)
        );
    }
}

#[test]
fn what_people_add_for_their_own_queries_does_no_harm() {
    let (_folder, path) =
        tampered("CREATE VIEW mine AS SELECT * FROM lines; CREATE TABLE notes (text); ANALYZE");
    assert_eq!(recalled(&path).known(), Some(evaluations()));
}

#[test]
fn a_file_of_another_program_is_not_touched() {
    for (sql, journal) in [("CREATE TABLE t (x)", "delete"), ("CREATE TABLE t (x)", "wal")] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("theirs.sqlite");
        let other = Connection::open(&path).expect("a database");
        other
            .execute_batch(&format!("PRAGMA journal_mode = {journal}; {sql}; PRAGMA user_version = 1"))
            .expect("a write");
        drop(other);
        let before = std::fs::read(&path).expect("a file");
        let error = SqliteStore::open(&path).map(|_| ()).expect_err("no store");
        assert!(matches!(error, StoreError::Foreign(_)), "{error}");
        assert!(std::fs::read(&path).expect("a file") == before);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
    for name in [":memory:", "", "file:store.sqlite"] {
        let error = SqliteStore::open(Path::new(name)).map(|_| ()).expect_err("no file").to_string();
        assert!(error.contains("not a file name"), "{error}");
    }
}

#[test]
fn who_reads_writes_nothing_and_is_told_what_is_there() {
    let (_folder, path) = tampered("UPDATE evaluations SET cp = -16 WHERE ply = 2");
    let store = SqliteStore::open_to_read(&path).expect("a store");
    assert!(store.is_read_only());
    for _ in 0..2 {
        let found = store.get(&origin(), &segment()).expect("a query");
        assert!(matches!(found, Recall::Damaged { .. }), "{found:?}");
    }
    assert!(store.attempt(|connection| connection.execute_batch("DELETE FROM segments")).is_err());
    drop(store);
    assert_eq!(set_aside(&path), []);
}
