//! What is stored is found again under the same key alone, by later versions of the file too.

use shakmaty::Color;

use super::*;
use crate::{
    evaluation::{Limit, Order},
    pgn::parse_games,
    score::Mate,
};

fn segment() -> Segment {
    let game = parse_games("1. e4 e5 *", "test").remove(0).expect("a game");
    Segment::cut(&game, &protocol()).remove(0)
}

fn protocol() -> Protocol {
    Protocol::new(Limit::Depth(9), Order::Backward, 16)
}

fn engine() -> EngineStamp {
    let options = [("Hash".to_owned(), "64".to_owned())].into();
    EngineStamp { name: "Engine 1".to_owned(), options, digest: "ab".to_owned() }
}

fn line(rank: u32, best: &str, score: Score) -> RankedLine {
    let best: UciMove = best.parse().expect("a move");
    RankedLine { rank, best, score, pv: vec![best, "e7e6".parse().expect("a move")] }
}

fn evaluations() -> Vec<PlyEvaluation> {
    let whole = Evaluation {
        score: Score::Cp(-17),
        depth: Some(9),
        seldepth: Some(12),
        nodes: Some(123_456_789_012),
        time_ms: Some(77),
        best: "e2e4".parse().ok(),
        pv: vec!["e2e4".parse().expect("a move"), "e7e5".parse().expect("a move")],
        wdl: Some(Wdl { win: 1, draw: 990, loss: 9 }),
        alternatives: vec![
            line(2, "d2d4", Score::Cp(-20)),
            line(3, "g1f3", Score::Mate(Mate { winner: Color::White, moves: 9 })),
        ],
    };
    let mate = Score::Mate(Mate { winner: Color::Black, moves: 3 });
    vec![(2, whole), (1, Evaluation::of_score(mate)), (0, Evaluation::of_score(Score::DRAW))]
}

fn temporary() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("deep/er/store.sqlite");
    (folder, path)
}

#[test]
fn what_is_stored_comes_back_as_it_was_in_another_run_too() {
    let (_folder, path) = temporary();
    let mut store = SqliteStore::open(&path).expect("a store");
    assert_eq!(store.get(&engine(), &protocol(), &segment()).expect("a query"), None);
    store.put(&engine(), &protocol(), &segment(), &evaluations()).expect("a write");
    store.put(&engine(), &protocol(), &segment(), &evaluations()).expect("twice does no harm");
    let other = SqliteStore::open(&path).expect("the same store");
    let found = other.get(&engine(), &protocol(), &segment()).expect("a query");
    assert_eq!(found, Some(evaluations()));
}

#[test]
fn whatever_determines_a_score_is_in_the_key_and_the_digest_is_not() {
    let (_folder, path) = temporary();
    let mut store = SqliteStore::open(&path).expect("a store");
    store.put(&engine(), &protocol(), &segment(), &evaluations()).expect("a write");
    let found = |engine: &EngineStamp, protocol: &Protocol| {
        store.get(engine, protocol, &segment()).expect("a query").is_some()
    };
    let named = |name: &str| EngineStamp { name: name.to_owned(), ..engine() };
    let hash = [("Hash".to_owned(), "128".to_owned())].into();
    assert!(found(&EngineStamp { digest: "another build".to_owned(), ..engine() }, &protocol()));
    assert!(!found(&named("Engine 2"), &protocol()));
    assert!(!found(&EngineStamp { options: hash, ..engine() }, &protocol()));
    assert!(!found(&engine(), &Protocol { limit: Limit::Nodes(9), ..protocol() }));
    assert!(!found(&engine(), &Protocol { order: Order::Forward, ..protocol() }));
    assert!(!found(&engine(), &Protocol { segment: 8, ..protocol() }));
    let three = NonZeroU32::new(3).expect("above 0");
    assert!(!found(&engine(), &Protocol { lines: three, ..protocol() }));
}

#[test]
fn a_search_of_some_moves_is_kept_apart_and_is_nobodys_origin() {
    let (_folder, path) = temporary();
    let mut store = SqliteStore::open(&path).expect("a store");
    let alone = Protocol { segment: 1, ..protocol() };
    let game = parse_games("*", "test").remove(0).expect("a game");
    let whole = Segment::cut(&game, &alone).remove(0);
    let moves = |moves: &[&str]| -> Segment {
        let moves: Vec<UciMove> = moves.iter().map(|uci| uci.parse().expect("a move")).collect();
        whole.clone().restricted_to(&moves).expect("legal moves")
    };
    let told = vec![(0, Evaluation::of_score(Score::Cp(5)))];
    store.put(&engine(), &alone, &moves(&["a2a3"]), &told).expect("a write");
    let get = |segment: &Segment| store.get(&engine(), &alone, segment).expect("a query");
    assert_eq!(get(&moves(&["a2a3"])), Some(told.clone()));
    assert_eq!(get(&moves(&["a2a3", "b2b3"])), None);
    assert_eq!(get(&whole), None);
    assert_eq!(store.origins().expect("a query"), []);
    store.put(&engine(), &alone, &whole, &told).expect("a write");
    assert_eq!(store.origins().expect("a query"), [Origin { engine: engine(), protocol: alone }]);
}

#[test]
fn people_find_all_lines_of_a_search_in_one_table() {
    let (_folder, path) = temporary();
    let mut store = SqliteStore::open(&path).expect("a store");
    store.put(&engine(), &protocol(), &segment(), &evaluations()).expect("a write");
    let lines = |connection: &Connection| {
        let mut statement =
            connection.prepare("SELECT rank, move, cp, mate, pv FROM lines WHERE ply = 2 ORDER BY rank")?;
        let line = |row: &Row<'_>| <(u32, String, Option<i32>, Option<i32>, String)>::try_from(row);
        statement.query_map([], line)?.collect::<rusqlite::Result<Vec<_>>>()
    };
    let text = str::to_owned;
    assert_eq!(
        store.attempt(lines).expect("a query"),
        [
            (1, text("e2e4"), Some(-17), None, text("e2e4 e7e5")),
            (2, text("d2d4"), Some(-20), None, text("d2d4 e7e6")),
            (3, text("g1f3"), None, Some(9), text("g1f3 e7e6")),
        ]
    );
}

#[test]
fn what_is_newer_foreign_or_damaged_is_refused_by_name() {
    let refused = |prepare: &str| {
        let (_folder, path) = temporary();
        drop(SqliteStore::open(&path).expect("a store"));
        Connection::open(&path).and_then(|other| other.execute_batch(prepare)).expect("a write");
        SqliteStore::open(&path).map(|_| ()).expect_err("no store of this version")
    };
    let newer = refused("PRAGMA user_version = 3");
    assert!(matches!(newer, StoreError::Newer { found: 3, known: VERSION, .. }) && newer.is_of_the_store());
    assert!(newer.to_string().contains("store.sqlite: it has version 3 and this program knows version 2"));
    let foreign = refused("PRAGMA user_version = 0; PRAGMA application_id = 7");
    assert!(foreign.to_string().ends_with("not a store of gainalyze; move it away"), "{foreign}");
    let half = refused(
        "DROP TABLE alternatives; DROP TABLE evaluations; DROP TABLE segments; PRAGMA user_version = 1",
    );
    assert!(matches!(half, StoreError::Corrupt { .. }), "{}", crate::with_causes(&half));
}
