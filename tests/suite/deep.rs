//! The verb `deep`, by the engine within, by a script that cannot be asked about single moves, and by Stockfish.

use std::{collections::BTreeMap, thread, time::Duration};

use serde_json::Value;

use crate::{
    interruption::{signal, stored, wait_until},
    program::Bench,
    real_engine,
};

const ROOT: &str = "r2b4/pb3pkp/4p1p1/4N3/1P1P4/4B2P/1P3PP1/2R3K1 b - - 0 25";

fn bench() -> Bench {
    Bench::of_games().with("GAINALYZE_ENGINE", "builtin")
}

/// A tree of the root into the folder, with more options.
fn grow(bench: &Bench, folder: &str, more: &[&str]) -> String {
    let args = ["deep", ROOT, "--depth", "3", "--distance", "60", "--plies", "3", "--output", folder];
    bench.run(&[&args, more].concat()).ended_with(0).stderr
}

/// The files but the record of the run.
fn tree(bench: &Bench, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = bench.files(folder);
    files.remove("run.json");
    assert!(files.len() >= 5, "{:?}", files.keys());
    files
}

fn json(bench: &Bench, folder: &str) -> Value {
    serde_json::from_str(&bench.text(&format!("{folder}/tree.json"))).expect("json")
}

#[test]
fn the_second_run_searches_nothing_and_any_number_of_jobs_gives_the_same_tree() {
    let bench = bench();
    let first = grow(&bench, "one", &["--jobs", "1"]);
    assert!(first.contains("and 0 from the store; 0.0 % of them are not used"), "{first}");
    let second = grow(&bench, "two", &["--jobs", "1"]);
    assert!(second.contains("0 searches made and"), "{second}");
    assert_eq!(tree(&bench, "one"), tree(&bench, "two"));
    grow(&bench, "three", &["--jobs", "3", "--no-store"]);
    assert_eq!(tree(&bench, "one"), tree(&bench, "three"));
}

#[test]
fn a_run_that_was_killed_goes_on_and_ends_with_the_same_bytes() {
    let undisturbed = bench();
    let more = ["--depth", "6", "--plies", "3", "--jobs", "2"];
    let args = [&["deep", ROOT, "--distance", "10", "--output", "out"][..], &more].concat();
    undisturbed.run(&args).ended_with(0);
    for how in ["KILL", "INT"] {
        let bench = bench();
        let mut child = bench.start(&args);
        wait_until("the first searches", || stored(&bench) > 5);
        thread::sleep(Duration::from_millis(50));
        signal(&child, how);
        child.wait().expect("an end");
        let again = bench.run(&args).ended_with(0).stderr;
        assert!(!again.contains(" and 0 from the store"), "{again}");
        assert_eq!(tree(&undisturbed, "out"), tree(&bench, "out"), "{how}");
    }
}

#[test]
fn a_tree_tells_of_every_position_and_move() {
    let bench = bench();
    grow(&bench, "out", &[]);
    let tree = json(&bench, "out");
    assert_eq!((tree["depth"].as_u64(), tree["fen"].as_str()), (Some(3), Some(ROOT)));
    assert_eq!(tree["depths"].as_array().map(Vec::len), Some(3));
    let nodes = tree["nodes"].as_array().expect("nodes");
    assert!(nodes.len() > 5 && nodes[0]["ply"] == 0);
    let moves = nodes[0]["moves"].as_array().expect("moves");
    assert!(moves.iter().all(|m| m["idea"]["bound"] == "exact"), "root moves have full values");
    let rows = bench.table("out/tree.csv", &["node", "ply", "move", "role", "idea_cp"]);
    assert_eq!(
        rows.len(),
        nodes.iter().map(|node| node["moves"].as_array().map_or(0, Vec::len)).sum::<usize>()
    );
    let page = bench.text("out/tree.html");
    assert!(
        page.contains("role=\"tree\"")
            && page.contains("Content-Security-Policy")
            && !page.contains("http://www.w3.org/1999")
    );
    // This program reads what it writes.
    let pgn = bench.text("out/tree.pgn");
    assert!(pgn.contains("[%eval ") && pgn.contains("(26."), "{pgn}");
    bench
        .run(&["deep", "out/tree.pgn", "--ply", "1", "--depth", "1", "--plies", "1", "-o", "next"])
        .ended_with(0);
    assert_eq!(json(&bench, "next")["game"].as_array().map(Vec::len), Some(1));
    assert!(pgn.lines().all(|line| line.len() <= 255));
}

#[test]
fn at_most_so_many_moves_are_written_and_searched() {
    let bench = bench();
    grow(&bench, "all", &[]);
    grow(&bench, "few", &["--pgn-moves", "4"]);
    assert_eq!(bench.text("few/tree.pgn").matches("[%eval").count(), 4);
    let searches =
        |depth: usize| json(&bench, "all")["depths"][depth - 1]["searches"].as_u64().expect("searches");
    // What depth 2 takes is not enough for depth 3.
    let most = searches(2).to_string();
    for jobs in ["1", "3"] {
        grow(&bench, jobs, &["--searches", &most, "--jobs", jobs]);
        assert_eq!(json(&bench, jobs)["depth"], 2);
    }
}

#[test]
fn a_store_is_shown_and_merged_and_contradictions_are_refused() {
    let bench = bench();
    let into = |store: &str, root: &str| {
        let args = ["deep", root, "--depth", "2", "--plies", "2", "--store", store, "-o", "out"];
        bench.run(&args).ended_with(0);
    };
    for (a, b) in [("a1", "b1"), ("a2", "b2")] {
        into(&format!("{a}.sqlite"), ROOT);
        into(&format!("{b}.sqlite"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    }
    let [a1, b1, a2, b2] = ["a1", "b1", "a2", "b2"].map(|name| format!("{name}.sqlite"));
    let shown = |store: &str| bench.run(&["deep", "show", store, ROOT]).ended_with(0).stdout;
    let before = shown(&a1);
    assert!(before.contains("depth 2") && before.contains("all"), "{before}");
    assert!(shown(&b1).contains("knows nothing"));
    let other_clock = ROOT.replace("0 25", "7 90");
    assert_eq!(bench.run(&["deep", "show", &a1, &other_clock]).ended_with(0).stdout, before);
    bench.run(&["deep", "merge", &a1, &b1]).ended_with(0);
    bench.run(&["deep", "merge", &b2, &a2]).ended_with(0);
    assert_eq!((shown(&a1), shown(&b2)), (before.clone(), before));
    let again = bench.run(&["deep", "merge", &a1, &b2]).ended_with(0).stdout;
    assert!(again.starts_with("0 searches added"), "{again}");
    let connection = rusqlite::Connection::open(bench.path(&b2)).expect("a store");
    connection.execute("UPDATE evaluations SET cp = 999 WHERE cp IS NOT NULL", []).expect("other values");
    drop(connection);
    bench.run(&["deep", "merge", &a1, &b2]).ended_with(1).said(&["contradict each other", "depth 2"]);
}

#[test]
fn bad_input_is_said_in_a_line() {
    let bench = bench();
    let cases: [(&[&str], &[&str]); 9] = [
        (&["8/8/8/8/8/8/8/8 w - - 0 1"], &["is no position to analyse"]),
        (&["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"], &["cannot be analysed", "no legal move"]),
        (&["--moves", "e4 e5 Ke3"], &["--moves", "Ke3"]),
        (&["games.pgn", "--game", "99"], &["has no game 99"]),
        (&["games.pgn", "--ply", "999"], &["beyond its end"]),
        (&["nowhere.pgn"], &["nowhere.pgn"]),
        (&["--distance=-1"], &["0 or more"]),
        (&["--widths", "20,x"], &["no list of widths"]),
        (&["--time", "soon"], &["seconds, minutes or hours"]),
    ];
    for (args, words) in cases {
        bench.run(&[&["deep"], args].concat()).ended_with(2).said(words);
    }
    bench.run(&["deep", "show", "nowhere.sqlite", ROOT]).ended_with(2).said(&["nowhere.sqlite"]);
}

#[test]
fn an_engine_that_cannot_be_asked_about_single_moves_is_found_out() {
    let bench = Bench::of_games().with("CHOOSES", "1");
    bench.run(&["deep", "--depth", "2"]).ended_with(3).said(&["searchmoves"]);
}

#[test]
fn distance_0_is_an_autoplay_and_a_huge_one_takes_all_moves() {
    let bench = bench();
    bench.run(&["deep", "--depth", "2", "--distance", "0", "--plies", "4", "-o", "line"]).ended_with(0);
    assert_eq!(json(&bench, "line")["nodes"].as_array().map(Vec::len), Some(4));
    bench.run(&["deep", "--depth", "2", "--distance", "100000", "--plies", "1", "-o", "all"]).ended_with(0);
    assert_eq!(json(&bench, "all")["nodes"][0]["moves"].as_array().map(Vec::len), Some(20));
}

#[test]
fn knights_that_go_home_are_a_draw_from_the_root_by_stockfish() {
    let Some(stockfish) = real_engine::path() else { return };
    let bench = Bench::of_games();
    let args = ["deep", "--moves", "Nf3 Nf6 Ng1", "--engine", &stockfish, "--depth", "6", "--plies", "1"];
    bench.run(&[&args[..], &["--distance", "100000", "-o", "out"]].concat()).ended_with(0);
    let tree = json(&bench, "out");
    let moves = tree["nodes"][0]["moves"].as_array().expect("moves");
    let home = moves.iter().find(|m| m["san"] == "Ng8").expect("the last move");
    assert_eq!(home["idea"], home["engine"]);
    assert_ne!(home["idea"]["cp"], 0);
    assert_eq!(home["alpha"]["cp"], 0);
    assert!(moves.iter().filter(|m| m["san"] != "Ng8").all(|m| m["idea"] == m["alpha"]));
}
