//! Tests of the behavior common to all stores of evaluations, in a file or on a server.

#[path = "../../src/store/tests/sample.rs"]
pub mod sample;

use std::num::NonZeroU32;

use gainalyze::chess::{Evaluation, Limit, Order, Protocol, Score, Segment, pgn::parse_games};
use gainalyze::store;
use gainalyze::store::{EngineStamp, KeptStore, Origin, Pruning, Recall, StoredBehavior};
use shakmaty::uci::UciMove;
use tempfile::TempDir;

use self::sample::{engine, evaluations, origin, protocol, segment};

/// A function that opens the same store each time it is called.
type Opening<'a> = &'a dyn Fn() -> Box<dyn KeptStore>;

/// A function that checks one of the [`PROMISES`] on an empty store.
type Check = fn(Opening<'_>);

/// The promises that every store keeps.
const PROMISES: [(&str, Check); 6] = [
    ("what is stored comes back", what_is_stored_comes_back_in_another_run_too),
    (
        "whatever determines a score is asked for",
        whatever_determines_a_score_is_asked_for_and_the_digest_is_not,
    ),
    ("a search of some moves is kept apart", a_search_of_some_moves_is_kept_apart_and_is_nobodys_origin),
    ("builds", builds_share_what_they_find_where_they_behave_the_same),
    ("behaviour", a_behavior_is_kept_and_told_of_what_was_stored_before),
    ("upkeep", what_is_in_a_store_is_counted_and_removed),
];

#[test]
fn a_file_keeps_the_promises_of_a_store() {
    for (promise, check) in PROMISES {
        println!("{promise}");
        let folder = TempDir::new().expect("a temporary folder");
        check(&|| store::open(&folder.path().join("deep/er/store.sqlite")).expect("a store"));
    }
}

#[cfg(feature = "postgres")]
#[test]
fn a_server_keeps_the_promises_of_a_store() {
    let Some(server) = crate::postgres_server::Server::start() else { return };
    for (promise, check) in PROMISES {
        println!("{promise}");
        server.sql("games", "DROP SCHEMA IF EXISTS gainalyze CASCADE");
        check(&|| store::open(server.address("postgres").as_ref()).expect("a store"));
    }
}

#[cfg(feature = "postgres")]
#[test]
fn a_file_and_a_server_take_over_all_that_the_other_knows() {
    let Some(server) = crate::postgres_server::Server::start() else { return };
    let folder = TempDir::new().expect("a temporary folder");
    let file = |name: &str| store::open(&folder.path().join(name)).expect("a store");
    let at_server = || store::open(server.address("postgres").as_ref()).expect("a store");
    let mut first = file("first.sqlite");
    first.put(&origin(), &segment(), &evaluations()).expect("a write");
    let merged = at_server().merge(&*first).expect("no contradiction");
    assert_eq!((merged.added, merged.known), (1, 0));
    let merged = at_server().merge(&*first).expect("no contradiction");
    assert_eq!((merged.added, merged.known), (0, 1));
    let mut second = file("second.sqlite");
    assert_eq!(second.merge(&*at_server()).expect("no contradiction").added, 1);
    let found = second.get(&origin(), &segment()).expect("a query");
    assert_eq!(found.known(), Some(evaluations()));
    let mut contrary = file("contrary.sqlite");
    let other = with(|protocol| protocol.limit = Limit::Depth(8));
    contrary.put(&Origin { protocol: other, ..origin() }, &segment(), &evaluations()).expect("a write");
    let mut told = evaluations();
    told[0].1.score = Score::Cp(99);
    contrary.put(&origin(), &segment(), &told).expect("a write");
    let error = at_server().merge(&*contrary).expect_err("two values").to_string();
    assert!(error.contains("contradict each other"), "{error}");
    assert_eq!(store::check(&*at_server()).expect("a store").segments, 1, "nothing is merged");
}

#[cfg(feature = "postgres")]
#[test]
fn what_is_damaged_on_a_server_is_put_aside_and_named() {
    let Some(server) = crate::postgres_server::Server::start() else { return };
    let at_server = || store::open(server.address("postgres").as_ref()).expect("a store");
    let mut store = at_server();
    store.put(&origin(), &segment(), &evaluations()).expect("a write");
    for damage in ["cp[3] = -16", "pv = pv[1:2]", "seal = substr(seal || seal, 2, 16)"] {
        store.put(&origin(), &segment(), &evaluations()).expect("a write");
        server.sql("games", &format!("UPDATE gainalyze.segments SET {damage}"));
        assert_eq!(store::check(&*store).expect("a store").damaged.len(), 1, "{damage}");
        let found = store.get(&origin(), &segment()).expect("a query");
        assert!(matches!(found, Recall::Damaged { .. }), "{damage}: {found:?}");
        assert_eq!(store.get(&origin(), &segment()).expect("a query"), Recall::Missing);
    }
    let check = store::check(&*store).expect("a store");
    assert_eq!((check.segments, check.set_aside), (0, 3));
    let kept = "SELECT content -> 'segment' ->> 'moves' FROM gainalyze.set_aside LIMIT 1";
    assert_eq!(server.sql("games", kept), "e2e4 e7e5");
}

#[cfg(feature = "postgres")]
#[test]
fn an_origin_that_is_not_as_it_was_written_is_found_by_a_check() {
    let Some(server) = crate::postgres_server::Server::start() else { return };
    let mut store = store::open(server.address("postgres").as_ref()).expect("a store");
    store.put(&origin(), &segment(), &evaluations()).expect("a write");
    for column in [
        "lines = 4294967297",
        "lines = 2",
        "digest = substr(digest || digest, 2, 32)",
        "segment_length = 9",
        "behaviour = 'x'",
    ] {
        server.sql(
            "games",
            &format!("CREATE TABLE kept AS TABLE gainalyze.origins; UPDATE gainalyze.origins SET {column}"),
        );
        assert_eq!(store::check(&*store).expect("a store").damaged.len(), 1, "{column}");
        server.sql(
            "games",
            "UPDATE gainalyze.origins o SET (digest, lines, segment_length, behaviour) = \
             (k.digest, k.lines, k.segment_length, k.behaviour) FROM kept k WHERE k.id = o.id; DROP TABLE kept",
        );
        assert_eq!(store::check(&*store).expect("a store").damaged.len(), 0, "{column}");
    }
}

#[cfg(feature = "postgres")]
#[test]
fn people_find_all_lines_of_a_search_in_one_view() {
    let Some(server) = crate::postgres_server::Server::start() else { return };
    let mut store = store::open(server.address("postgres").as_ref()).expect("a store");
    store.put(&origin(), &segment(), &evaluations()).expect("a write");
    let query = "SELECT rank, move, cp, mate, pv FROM gainalyze.lines WHERE ply = 2 ORDER BY rank";
    assert_eq!(
        server.sql("games", query),
        "1|g1f3|-17||g1f3 e7e5\n2|d2d4|-20||d2d4 e7e6\n3|b1c3||9|b1c3 e7e6"
    );
}

/// Returns the protocol of the tests with one change.
fn with(change: impl FnOnce(&mut Protocol)) -> Protocol {
    let mut protocol = protocol();
    change(&mut protocol);
    protocol
}

fn what_is_stored_comes_back_in_another_run_too(open: Opening<'_>) {
    let mut store = open();
    assert_eq!(store.get(&origin(), &segment()).expect("a query"), Recall::Missing);
    store.put(&origin(), &segment(), &evaluations()).expect("a write");
    store.put(&origin(), &segment(), &evaluations()).expect("twice does no harm");
    let found = open().get(&origin(), &segment()).expect("a query");
    assert_eq!(found.known(), Some(evaluations()));
    let many = [&segment(), &segment()];
    let found = open().get_all(&origin(), &many).expect("a query");
    assert_eq!(
        found.into_iter().filter_map(Recall::known).collect::<Vec<_>>(),
        [evaluations(), evaluations()]
    );
}

fn whatever_determines_a_score_is_asked_for_and_the_digest_is_not(open: Opening<'_>) {
    let mut store = open();
    store.put(&origin(), &segment(), &evaluations()).expect("a write");
    let found = |engine: &EngineStamp, protocol: &Protocol| {
        store
            .get(&Origin { engine: engine.clone(), protocol: *protocol }, &segment())
            .expect("a query")
            .known()
            .is_some()
    };
    let named = |name: &str| EngineStamp { name: name.to_owned(), ..engine() };
    let hash = [("Hash".to_owned(), "128".to_owned())].into();
    assert!(found(&EngineStamp { digest: "another build".to_owned(), ..engine() }, &protocol()));
    assert!(!found(&named("Engine 2"), &protocol()));
    assert!(!found(&EngineStamp { options: hash, ..engine() }, &protocol()));
    assert!(!found(&engine(), &with(|protocol| protocol.limit = Limit::Nodes(9))));
    assert!(!found(&engine(), &with(|protocol| protocol.order = Order::Forward)));
    assert!(!found(&engine(), &with(|protocol| protocol.segment = 8)));
    let three = NonZeroU32::new(3).expect("above 0");
    assert!(!found(&engine(), &with(|protocol| protocol.lines = three)));
}

fn a_search_of_some_moves_is_kept_apart_and_is_nobodys_origin(open: Opening<'_>) {
    let mut store = open();
    let alone = with(|protocol| protocol.segment = 1);
    let game = parse_games("*", "test").remove(0).expect("a game");
    let whole = Segment::cut(&game, &alone).remove(0);
    let moves = |moves: &[&str]| -> Segment {
        let moves: Vec<UciMove> = moves.iter().map(|uci| uci.parse().expect("a move")).collect();
        whole.clone().restricted_to(&moves).expect("legal moves")
    };
    let told = vec![(0, Evaluation { best: "a2a3".parse().ok(), ..Evaluation::of_score(Score::Cp(5)) })];
    store.put(&Origin { protocol: alone, ..origin() }, &moves(&["a2a3"]), &told).expect("a write");
    let get = |segment: &Segment| {
        open().get(&Origin { protocol: alone, ..origin() }, segment).expect("a query").known()
    };
    assert_eq!(get(&moves(&["a2a3"])), Some(told.clone()));
    assert_eq!(get(&moves(&["a2a3", "b2b3"])), None);
    assert_eq!(get(&whole), None);
    assert_eq!(store.origins().expect("a query"), []);
    let known = store.known_of(&shakmaty::Chess::default()).expect("a query");
    assert_eq!(
        known.iter().map(|line| (line.best.to_string(), line.asked)).collect::<Vec<_>>(),
        [("a2a3".to_owned(), 1)]
    );
    store.put(&Origin { protocol: alone, ..origin() }, &whole, &told).expect("a write");
    assert_eq!(store.origins().expect("a query"), [Origin { engine: engine(), protocol: alone }]);
}

fn builds_share_what_they_find_where_they_behave_the_same(open: Opening<'_>) {
    let build = |digest: &str, behavior: Option<&str>| EngineStamp {
        digest: digest.to_owned(),
        behavior: behavior.map(str::to_owned),
        ..engine()
    };
    let mut store = open();
    store
        .put(&Origin { engine: build("one", Some("b1")), ..origin() }, &segment(), &evaluations())
        .expect("a write");
    store
        .put(&Origin { engine: build("two", Some("b1")), ..origin() }, &segment(), &evaluations())
        .expect("a write");
    assert_eq!(store.origins().expect("a query").len(), 1);
    let found =
        store.get(&Origin { engine: build("three", Some("b2")), ..origin() }, &segment()).expect("a query");
    assert!(matches!(found, Recall::OtherBuild { .. }), "{found:?}");
    store
        .put(&Origin { engine: build("three", Some("b2")), ..origin() }, &segment(), &evaluations())
        .expect("a write");
    assert_eq!(store.origins().expect("a query").len(), 2);
    assert_eq!(store.shares().expect("a query").len(), 2);
}

fn a_behavior_is_kept_and_told_of_what_was_stored_before(open: Opening<'_>) {
    let unknown = EngineStamp { behavior: None, ..engine() };
    let mut store = open();
    store.put(&Origin { engine: unknown.clone(), ..origin() }, &segment(), &evaluations()).expect("a write");
    assert_eq!(store.behavior(&unknown, "program").expect("a query"), None);
    let behavior = StoredBehavior { digest: "b1".to_owned(), micros: 1234 };
    store.keep_behavior(&unknown, "program", &behavior).expect("a write");
    store.keep_behavior(&unknown, "program", &behavior).expect("twice does no harm");
    assert_eq!(open().behavior(&unknown, "program").expect("a query"), Some(behavior));
    assert_eq!(open().behavior(&unknown, "another").expect("a query"), None);
    let elsewhere = EngineStamp { digest: "another build".to_owned(), ..engine() };
    let found = open().get(&Origin { engine: elsewhere.clone(), ..origin() }, &segment()).expect("a query");
    assert_eq!(found.known(), Some(evaluations()));
    assert_eq!(store::check(&*open()).expect("a store").segments, 1);
}

fn what_is_in_a_store_is_counted_and_removed(open: Opening<'_>) {
    let mut store = open();
    for depth in [8, 9, 10] {
        let protocol = with(|protocol| protocol.limit = Limit::Depth(depth));
        store.put(&Origin { protocol, ..origin() }, &segment(), &evaluations()).expect("a write");
    }
    let check = store::check(&*store).expect("a store");
    assert_eq!((check.segments, check.positions, check.damaged.len(), check.set_aside), (3, 9, 0, 0));
    let shares = store.shares().expect("a query");
    assert_eq!(shares.iter().map(|share| (share.segments, share.positions)).collect::<Vec<_>>(), [(1, 3); 3]);
    let mut filter = store::OriginFilter::default();
    filter.limit = Some(Limit::Depth(9));
    let mut pruning = Pruning { origins: Some(filter), set_aside: true, is_rehearsal: true };
    assert_eq!(store.prune(&pruning).expect("a store").segments, 1);
    assert_eq!(store.origins().expect("a query").len(), 3, "a rehearsal removes nothing");
    pruning.is_rehearsal = false;
    assert_eq!(store.prune(&pruning).expect("a store").segments, 1);
    assert_eq!(store.origins().expect("a query").len(), 2);
    let mut rows = 0;
    let damaged = store::export(&*store, |_| {
        rows += 1;
        Ok::<(), store::StoreError>(())
    });
    assert_eq!((damaged.expect("a store").len(), rows), (0, 10));
    assert!(store.bytes().expect("a store") > 0);
}
