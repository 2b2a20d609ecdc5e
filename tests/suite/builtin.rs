//! Tests of the built-in engine in every place where another engine can work.

use std::collections::{BTreeMap, BTreeSet};

use gainalyze::chess::{Evaluation, Limit, Order, Protocol, Segment, pgn::parse_games};
use gainalyze::engine::{BuiltinEngine, Stop};

use crate::interruption::signal;
use crate::interruption::stored;
use crate::interruption::wait_until;
use crate::program::Bench;
use crate::program::GAMES;
use crate::program::Run;
use crate::real_engine;

/// The options of the main job with the built-in engine.
const SEARCH: [&str; 7] = ["games.pgn", "--engine", "builtin", "--depth", "3", "--segment", "3"];

/// Runs the main job with the built-in engine, without the rating of play, which has its own tests.
fn main_job(bench: &Bench, more: &[&str]) -> Run {
    bench.run(&[&SEARCH[..], &["--calibration", "none"], more].concat())
}

/// Returns the library's evaluation of each position of [`GAMES`] that has legal moves, by game and ply.
fn evaluated(protocol: &Protocol) -> BTreeMap<(usize, usize), Evaluation> {
    let mut engine = BuiltinEngine::new(16);
    let mut found = BTreeMap::new();
    for (number, game) in parse_games(GAMES, "games.pgn").into_iter().enumerate() {
        for segment in Segment::cut(&game.expect("a game"), protocol) {
            let result = engine.evaluate(&segment, protocol, &Stop::default()).expect("evaluations");
            found.extend(result.evaluations.into_iter().map(|(ply, told)| ((number + 1, ply), told)));
        }
    }
    found
}

/// Returns game, ply (from 1), best move, nodes and depth of each move in `moves.csv`.
fn told(bench: &Bench, folder: &str) -> Vec<[String; 5]> {
    let columns = ["game", "ply", "best_uci", "nodes", "depth"];
    let rows = bench.table(&format!("{folder}/moves.csv"), &columns);
    rows.into_iter().map(|row| row.try_into().expect("five columns")).collect()
}

#[test]
fn the_main_job_has_the_evaluations_of_the_library() {
    let bench = Bench::of_games();
    for order in [Order::Backward, Order::Forward] {
        let name = order.to_string();
        main_job(&bench, &["--order", &name, "--output", &name]).ended_with(0);
        let library = evaluated(&Protocol::new(Limit::Depth(3), order, 3));
        let rows = told(&bench, &name);
        assert_eq!(rows.len(), 7 + 22 + 4);
        for [game, ply, best, nodes, depth] in rows {
            let place: (usize, usize) = (game.parse().expect("a game"), ply.parse().expect("a ply"));
            let ours = &library[&(place.0, place.1 - 1)];
            let said = [
                ours.best.map(|best| best.to_string()),
                ours.nodes.map(|nodes| nodes.to_string()),
                ours.depth.map(|depth| depth.to_string()),
            ];
            assert_eq!(said, [Some(best), Some(nodes), Some(depth)], "{place:?}");
        }
    }
    assert_ne!(bench.read("backward/moves.csv"), bench.read("forward/moves.csv"));
}

#[test]
fn the_number_of_workers_changes_no_byte() {
    let bench = Bench::of_games();
    let run = |jobs: &str, more: &[&str]| {
        let args = ["--no-store", "--jobs", jobs, "--output", jobs, "--engine-histogram", "self"];
        main_job(&bench, &[&args, more].concat()).ended_with(0).stdout
    };
    assert_eq!(run("1", &[]), run("2", &[]));
    assert_eq!(bench.files("1"), bench.files("2"));
}

#[test]
fn ctrl_c_keeps_what_is_done_and_the_same_command_goes_on() {
    let nodes = ["games.pgn", "--engine", "builtin", "--nodes", "4000", "--segment", "1", "--jobs", "1"];
    let args = [&nodes[..], &["--no-html", "--calibration", "none"]].concat();
    let bench = Bench::of_games();
    let child = bench.start(&args);
    wait_until("the first stored segment", || stored(&bench) > 0);
    signal(&child, "INT");
    let run = Run::new(child.wait_with_output().expect("it ends")).ended_with(130);
    run.said(&["the same command resumes"]);
    bench.run(&args).ended_with(0);
    let searches = bench.run_json("reports/games")["searches"].clone();
    assert!(searches["from_store"].as_u64() > Some(0) && searches["made"].as_u64() > Some(0), "{searches}");
    let undisturbed = Bench::of_games();
    undisturbed.run(&args).ended_with(0);
    assert_eq!(bench.files("reports/games"), undisturbed.files("reports/games"));
}

#[test]
fn it_searches_to_depth_10_unless_another_limit_is_asked_for() {
    let bench = Bench::new("[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n").with("GAINALYZE_ENGINE", "builtin");
    bench.run(&["games.pgn", "--plots", "none", "--no-html"]).ended_with(0);
    let evaluations = bench.summary("reports/games")["evaluations"].clone();
    assert_eq!(evaluations["protocol"]["limit"], "depth 10");
    let name = evaluations["engine"]["name"].as_str().expect("a name");
    assert_eq!(name, format!("gainalyze engine {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(evaluations["engine"]["options"]["Hash"], "16");
}

#[test]
fn its_report_is_made_again_from_the_store_and_studied_there() {
    let bench = Bench::of_games();
    main_job(&bench, &[]).ended_with(0);
    let store = "cache/gainalyze/evaluations.sqlite";
    let again = ["report", store, "games.pgn", "--engine-name", "gainalyze", "--output", "again"];
    bench.run(&again).ended_with(0);
    assert_eq!(bench.read("again/moves.csv"), bench.read("reports/games/moves.csv"));
    bench.run(&[&["sensitivity"], &SEARCH[..]].concat()).ended_with(0);
    // The store has no searches to another depth.
    let args = ["sensitivity", "games.pgn", "--engine", "builtin", "--depth", "2"];
    bench.run(&args).ended_with(2).said(&["stored evaluations by gainalyze engine"]);
}

#[test]
fn its_chances_are_a_metric() {
    let bench = Bench::of_games();
    let run = main_job(&bench, &["--metric", "wdl", "--plots", "none"]).ended_with(0);
    assert!(!run.stdout.contains("without win/draw/loss"), "{}", run.stdout);
    let chances = bench.table("reports/games/moves.csv", &["before_win", "before_draw", "before_loss"]);
    for row in chances {
        let sum: u32 = row.iter().map(|cell| cell.parse::<u32>().expect("chances of every position")).sum();
        assert!((998..=1002).contains(&sum), "{row:?}");
    }
}

#[test]
fn every_line_that_it_is_set_to_tell_is_stored() {
    let bench = Bench::of_games();
    main_job(&bench, &["--engine-option", "MultiPV=2"]).ended_with(0);
    let store =
        rusqlite::Connection::open(bench.path("cache/gainalyze/evaluations.sqlite")).expect("a store");
    let lines: Vec<u64> = [1, 2, 3]
        .map(|rank| {
            let sql = "SELECT count(*) FROM lines WHERE rank = ?1";
            store.query_row(sql, [rank], |row| row.get(0)).expect("a count")
        })
        .into();
    // In one position of the games only one move is legal.
    assert_eq!((lines[0], lines[2]), (34, 0));
    assert!((33..=34).contains(&lines[1]), "{lines:?}");
}

#[test]
fn an_option_that_it_has_not_is_an_error_before_any_search() {
    let bench = Bench::of_games();
    let run = main_job(&bench, &["--engine-option", "Threads=2"]).ended_with(2);
    run.said(&["engine builtin: the engine has no option \"Threads\"; it has Hash, MultiPV"]);
    assert_eq!(stored(&bench), 0);
    let path = bench.run(&["games.pgn", "--engine", "./builtin"]).ended_with(2);
    path.said(&["engine ./builtin cannot be started: no such file"]);
}

#[test]
fn it_stands_beside_a_foreign_engine() {
    let Some(stockfish) = real_engine::path() else { return };
    let bench = Bench::of_games();
    let args =
        ["games.pgn", "--engine", "builtin", "--engine", &stockfish, "--depth", "2", "--plots", "none"];
    let run = bench.run(&[&args[..], &["--calibration", "none"]].concat()).ended_with(0);
    assert!(run.stdout.contains("gainalyze engine"), "{}", run.stdout);
    let summary: serde_json::Value =
        serde_json::from_str(&bench.text("reports/games-panel/engines-summary.json")).expect("JSON");
    assert_eq!(summary["engines"].as_array().map(Vec::len), Some(2));
}

/// Returns the number of each game in a folder, with the digest of its moves.
fn played(bench: &Bench, folder: &str) -> BTreeSet<Vec<String>> {
    bench.table(&format!("{folder}/results.csv"), &["game", "line"]).into_iter().collect()
}

#[test]
fn it_plays_itself_and_a_foreign_engine() {
    let bench = Bench::of_games();
    let args = [
        "selfplay",
        "--depths",
        "1,2",
        "--games",
        "2",
        "--random-plies",
        "6",
        "--plots",
        "none",
        "--no-html",
    ];
    let play = |more: &[&str]| bench.run(&[&args[..], more].concat()).ended_with(0);
    play(&["--engine", "builtin", "--output", "one", "--jobs", "1"]);
    play(&["--engine", "builtin", "--output", "two", "--jobs", "2", "--restart", "never"]);
    assert_eq!(played(&bench, "one"), played(&bench, "two"), "a new game forgets the one before it");
    assert!(bench.text("one/games.pgn").contains("gainalyze engine"));
    let Some(stockfish) = real_engine::path() else { return };
    play(&["--engine", "builtin", "--opponent", &stockfish, "--output", "foreign"]);
    let games = bench.text("foreign/games.pgn");
    assert!(games.contains("gainalyze engine") && games.contains("Stockfish"), "{games}");
    assert!(!games.contains("forfeit"));
}

#[test]
fn its_best_moves_are_counted_by_depth() {
    let bench = Bench::of_games();
    let args = ["go-deep", "games.pgn", "--engine", "builtin", "--depth", "4", "--plots", "none", "--output"];
    for jobs in ["1", "2"] {
        bench.run(&[&args[..], &[jobs, "--jobs", jobs]].concat()).ended_with(0);
    }
    assert_eq!(bench.files("1"), bench.files("2"));
    let rows = bench.table("1/go-deep.csv", &["depth", "positions", "changed"]);
    assert_eq!(rows.len(), 3);
    let changed: u64 = rows.iter().map(|row| row[2].parse::<u64>().expect("a count")).sum();
    assert!(changed > 0, "{rows:?}");
}

#[test]
fn a_report_by_it_warns_of_a_judge_below_the_players_on_terminal_page_and_summary() {
    let bench = Bench::of_games();
    let warned = |run: &Run, folder: &str| {
        let summary = bench.summary(folder)["warning"].as_str().map(str::to_owned);
        let warning = summary.unwrap_or_else(|| panic!("no warning in {folder}"));
        assert!(warning.contains("gainalyze engine") && warning.contains("depth 3"), "{warning}");
        let on_one_line = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(on_one_line.matches(&warning).count(), 1, "{}", run.stdout);
        assert!(bench.text(&format!("{folder}/report.html")).contains("Evaluated by the built-in engine"));
    };
    let searched = main_job(&bench, &["--plots", "none", "--annotate", "annotated.pgn"]).ended_with(0);
    warned(&searched, "reports/games");
    assert!(bench.text("annotated.pgn").contains("[EvaluatedBy \"gainalyze engine"));
    let recorded = bench.run(&["annotated.pgn", "--evals", "pgn", "--output", "recorded"]).ended_with(0);
    warned(&recorded, "recorded");
    let scripted = bench.run(&["games.pgn", "--output", "scripted"]).ended_with(0);
    assert!(!scripted.stdout.contains("Evaluated by the built-in engine"));
    assert!(bench.summary("scripted")["warning"].is_null());
}
