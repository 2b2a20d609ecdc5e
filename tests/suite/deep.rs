//! Tests of the verb `deep`: with the built-in engine, with a script that cannot search single moves, and
//! with Stockfish.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt, thread, time::Duration};

use serde_json::Value;

use crate::interruption::signal;
use crate::interruption::stored;
use crate::interruption::wait_until;
use crate::program::Bench;
use crate::real_engine;

const ROOT: &str = "r2b4/pb3pkp/4p1p1/4N3/1P1P4/4B2P/1P3PP1/2R3K1 b - - 0 25";

fn bench() -> Bench {
    Bench::of_games().with("GAINALYZE_ENGINE", "builtin")
}

/// Grows a tree of [`ROOT`] into `folder`, with the further options `more`. Returns the text on standard
/// error.
fn grow(bench: &Bench, folder: &str, more: &[&str]) -> String {
    let args = ["deep", ROOT, "--depth", "3", "--distance", "60", "--plies", "3", "--output", folder];
    bench.run(&[&args, more].concat()).ended_with(0).stderr
}

/// Returns all files except the record of the run.
fn tree(bench: &Bench, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = bench.files(folder);
    files.remove("run.json");
    assert!(files.len() >= 5, "{:?}", files.keys());
    files
}

fn json(bench: &Bench, folder: &str) -> Value {
    serde_json::from_str(&bench.text(&format!("{folder}/summary.json"))).expect("json")
}

#[test]
fn a_main_line_that_ends_in_mate_has_its_result() {
    let bench = bench();
    let mate = "r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1";
    for plies in ["1", "2"] {
        let args = ["deep", mate, "--depth", "4", "--distance", "20", "--plies", plies, "--output", plies];
        bench.run(&args).ended_with(0);
        let pgn = bench.text(&format!("{plies}/tree.pgn"));
        assert!(pgn.contains("[Result \"1-0\"]") && pgn.contains("Re8#"), "{pgn}");
        assert!(pgn.trim_end().ends_with("1-0"), "{pgn}");
    }
    grow(&bench, "goes-on", &["--jobs", "1"]);
    let pgn = bench.text("goes-on/tree.pgn");
    assert!(pgn.contains("[Result \"*\"]") && pgn.trim_end().ends_with('*'), "{pgn}");
}

#[test]
fn the_second_run_searches_nothing_and_any_number_of_jobs_gives_the_same_tree() {
    let bench = bench();
    let first = grow(&bench, "one", &["--jobs", "1"]);
    assert!(first.contains("and 0 from the store\n"), "{first}");
    let second = grow(&bench, "two", &["--jobs", "1"]);
    assert!(second.contains("\n0 searches made and"), "{second}");
    assert_eq!(tree(&bench, "one"), tree(&bench, "two"));
    grow(&bench, "three", &["--jobs", "3", "--no-store"]);
    assert_eq!(tree(&bench, "one"), tree(&bench, "three"));
}

#[test]
fn each_root_has_a_folder_and_no_tree_replaces_another_unasked() {
    let bench = bench();
    let small = ["--depth", "2", "--plies", "1", "--distance", "0"];
    for root in [&[ROOT][..], &["--moves", "e4"], &["games.pgn", "--ply", "2"]] {
        bench.run(&[&["deep"], root, &small].concat()).ended_with(0);
    }
    let mut folders = fs::read_dir(bench.path("reports")).expect("reports").count();
    assert_eq!(folders, 3, "a second position keeps the tree of the first");
    bench.run(&[&["deep", ROOT, "--depth", "3"], &small[2..]].concat()).ended_with(0);
    folders = fs::read_dir(bench.path("reports")).expect("reports").count();
    assert_eq!(folders, 4, "so does another depth");

    let named = |root: &[&str], depth| {
        bench.run(&[&["deep"], root, &["--depth", depth, "--output", "out"], &small[2..]].concat())
    };
    named(&[ROOT], "3").ended_with(0);
    let before = tree(&bench, "out");
    named(&[ROOT], "2").ended_with(2).said(&["holds the tree of", "depth 3", "--output", "--force"]);
    named(&["--moves", "e4"], "3").ended_with(2).said(&["holds the tree of"]);
    assert_eq!(tree(&bench, "out"), before);
    named(&[ROOT], "4").ended_with(0);
    named(&[ROOT, "--force"], "2").ended_with(0);
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
    // This program can read its own output.
    let pgn = bench.text("out/tree.pgn");
    assert!(pgn.contains("[%eval ") && pgn.contains("(26."), "{pgn}");
    bench
        .run(&["deep", "out/tree.pgn", "--ply", "1", "--depth", "1", "--plies", "1", "-o", "next"])
        .ended_with(0);
    assert_eq!(json(&bench, "next")["game"].as_array().map(Vec::len), Some(1));
    assert!(pgn.lines().all(|line| line.len() <= 255));
}

#[test]
fn the_tree_is_a_table_in_every_form_asked_for() {
    let bench = bench();
    grow(&bench, "out", &["--format", "csv,parquet,json"]);
    let table: Value = serde_json::from_str(&bench.text("out/tree.json")).expect("json");
    let rows = bench.table("out/tree.csv", &["move", "role"]);
    let cells =
        table.as_array().expect("rows").iter().map(|row| {
            ["move", "role"].map(|column| row[column].as_str().expect("a text").to_owned()).to_vec()
        });
    assert_eq!(cells.collect::<Vec<_>>(), rows);
    assert!(bench.path("out/tree.parquet").exists());
}

#[test]
fn at_most_so_many_moves_are_written_and_searched() {
    let bench = bench();
    grow(&bench, "all", &[]);
    grow(&bench, "few", &["--pgn-moves", "4"]);
    assert_eq!(bench.text("few/tree.pgn").matches("[%eval").count(), 4);
    let searches =
        |depth: usize| json(&bench, "all")["depths"][depth - 1]["searches"].as_u64().expect("searches");
    // The searches of depth 2 do not suffice for depth 3.
    let most = searches(2).to_string();
    for jobs in ["1", "3"] {
        grow(&bench, jobs, &["--searches", &most, "--jobs", jobs]);
        assert_eq!(json(&bench, jobs)["depth"], 2);
    }
}

#[test]
fn the_end_of_searches_or_time_leaves_the_tree_of_a_settled_depth_and_says_so() {
    let bench = bench();
    let told = |plies: &str, more: &[&str]| {
        let args = ["deep", ROOT, "--depth", "5", "--distance", "60", "--plies", plies, "--output", "out"];
        bench.run(&[&args, more].concat()).ended_with(0).stdout
    };
    for (more, why) in [
        (["--searches", "40"], "the next depth needs more searches than --searches allows"),
        (["--searches", "1"], "the next depth needs more searches than --searches allows"),
        (["--time", "1s"], "Time ran out"),
    ] {
        let said = told("64", &more);
        let reached = json(&bench, "out")["depth"].as_u64().expect("a depth");
        assert!((1..64).contains(&reached), "{reached}");
        assert!(said.contains(&format!("complete to depth {reached}")) && said.contains(why), "{said}");
        let unfinished = format!("Not in the files: depth {} (unfinished after ", reached + 1);
        assert!(more != ["--searches", "40"] || said.contains(&unfinished), "{said}");
        let stopped = tree(&bench, "out");
        let said = told(&reached.to_string(), &[]);
        assert!(said.contains(&format!("The tree is complete to depth {reached}.")), "{said}");
        assert_eq!(tree(&bench, "out"), stopped, "{more:?}");
    }
}

#[test]
fn each_side_has_the_widths_that_are_its_own() {
    let bench = bench();
    grow(&bench, "out", &["--widths", "150,150", "--widths-black", "0"]);
    let tree = json(&bench, "out");
    assert_eq!(
        (&tree["widths_white"], &tree["widths_black"]),
        (&serde_json::json!([150.0, 150.0]), &serde_json::json!([0.0]))
    );
    let candidates = |side: &str| -> Vec<usize> {
        let nodes = tree["nodes"].as_array().expect("nodes").iter();
        let of_side = nodes.filter(|node| node["fen"].as_str().is_some_and(|fen| fen.contains(side)));
        let moves = of_side.map(|node| node["moves"].as_array().expect("moves"));
        moves.map(|moves| moves.iter().filter(|m| m["role"] == "candidate").count()).collect()
    };
    let (white, black) = (candidates(" w "), candidates(" b "));
    assert!(white.iter().any(|&count| count > 1), "{white:?}");
    assert!(black.len() > 1 && black.iter().all(|&count| count == 1), "{black:?}");
}

/// Returns the root's moves of the deepest tree.
fn root_moves(tree: &Value) -> &[Value] {
    let depths = tree["depths"].as_array().expect("depths");
    depths.last().expect("a depth")["moves"].as_array().expect("moves")
}

/// Returns a root move by its name.
fn move_of<'t>(tree: &'t Value, san: &str) -> &'t Value {
    root_moves(tree).iter().find(|m| m["san"] == san).unwrap_or_else(|| panic!("{san} in the tree"))
}

#[test]
fn a_steered_tree_follows_the_wishes_and_its_second_run_searches_nothing() {
    let bench = bench();
    grow(&bench, "plain", &[]);
    let plain = json(&bench, "plain");
    let best = root_moves(&plain)[0]["san"].as_str().expect("a name").to_owned();
    let replies = &plain["nodes"][1]["moves"];
    let line = format!("25... {best} 26. {}", replies[0]["san"].as_str().expect("a name"));
    let wishes = ["--include", "h6, a6", "--exclude", "h5", "--focus", &line, "--focus-plies", "4"];
    let wishes = [&wishes[..], &["--confirm-depth", "5"]].concat();
    let first = grow(&bench, "one", &wishes);
    assert!(!first.contains(" and 0 from the store"), "the plain tree's searches are used: {first}");
    let second = grow(&bench, "two", &wishes);
    assert!(second.contains("\n0 searches made and"), "{second}");
    assert_eq!(tree(&bench, "one"), tree(&bench, "two"));
    let steered = json(&bench, "one");
    for san in ["h6", "a6"] {
        assert!(move_of(&steered, san)["child"].is_u64(), "{san} is expanded");
    }
    assert!(root_moves(&steered).iter().all(|m| m["san"] != "h5"), "it is left out");
    let deepest = |tree: &Value| {
        tree["nodes"].as_array().expect("nodes").iter().filter_map(|node| node["ply"].as_u64()).max()
    };
    assert_eq!((deepest(&plain), deepest(&steered)), (Some(2), Some(5)), "two plies and four of the focus");
    assert_eq!(steered["steering"]["focus_plies"], 4);
    assert_eq!(root_moves(&steered)[0]["confirmed"], "depth 5");
    assert_eq!(plain["steering"], Value::Null);
    let page = bench.text("one/tree.html");
    assert!(page.contains("then depth 5") && page.contains("4 plies after"), "mixed depths are shown");
    let pgn = bench.text("one/tree.pgn");
    let pgn = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(pgn.contains("{ From here on the engine's line, depth 5 }") && pgn.contains("{ Not followed: "));
}

#[test]
fn a_tree_takes_up_the_tree_of_a_later_position() {
    let bench = bench();
    let args = ["deep", ROOT, "--depth", "3", "--distance", "60", "--jobs", "1"];
    let run = |more: &[&str]| bench.run(&[&args[..], more].concat()).ended_with(0);
    run(&["--plies", "1", "-o", "plain"]);
    let plain = json(&bench, "plain");
    let best = root_moves(&plain)[0]["san"].as_str().expect("a name").to_owned();
    run(&["--plies", "3", "--moves", &best, "-o", "later"]);
    run(&["--plies", "1", "-o", "apart"]);
    assert_eq!(tree(&bench, "plain"), tree(&bench, "apart"), "nothing is taken up unasked");
    for folder in ["one", "two"] {
        run(&["--plies", "1", "--take-up", "-o", folder]);
    }
    let (later, taken) = (json(&bench, "later"), json(&bench, "one"));
    assert_eq!(tree(&bench, "one"), tree(&bench, "two"));
    let best = move_of(&taken, &best);
    let child = &taken["nodes"][best["child"].as_u64().expect("a node") as usize];
    let names = |node: &Value| -> Vec<String> {
        node["moves"].as_array().expect("moves").iter().map(|m| m["san"].to_string()).collect()
    };
    assert_eq!(names(child)[0], names(&later["nodes"][0])[0], "the same best reply");
    assert!(best["plies"].as_u64() > Some(1), "{best}");
    bench.run(&["deep", ROOT, "--take-up", "--no-store"]).ended_with(2).said(&["--no-store"]);
}

#[test]
fn several_lines_are_one_search_that_no_search_of_a_single_line_stands_for() {
    let bench = bench();
    let grow = |folder: &str, lines: &str| {
        let args = ["deep", ROOT, "--depth", "3", "--distance", "60", "--plies", "1", "--lines", lines];
        bench.run(&[&args[..], &["--output", folder]].concat()).ended_with(0).stderr
    };
    grow("one", "1");
    let several = grow("three", "3");
    // After the first three moves, both ask for a single line.
    assert!(!several.contains("\n0 searches made"), "{several}");
    let [one, three] = ["one", "three"].map(|folder| json(&bench, folder));
    assert_eq!((one["lines"].as_u64(), three["lines"].as_u64()), (Some(1), Some(3)));
    let moves = |tree: &Value| tree["nodes"][0]["moves"].as_array().map(Vec::len).expect("moves") as u64;
    assert_eq!(one["searches"], moves(&one));
    assert_eq!(three["searches"], 1 + moves(&three).saturating_sub(3));
    let again = grow("again", "3");
    assert!(again.contains("\n0 searches made"), "{again}");
    assert_eq!(tree(&bench, "three"), tree(&bench, "again"));
}

/// A wrapper of the built-in engine. It exits when it receives a position whose text contains `DIES_ON`.
const MORTAL: &str = concat!(
    "#!/bin/sh\nwhile read -r line; do\n",
    "case \"$line\" in position*\"$DIES_ON\"*) exit 9 ;; esac\n",
    "printf '%s\\n' \"$line\"\n",
    "done | ",
    env!("CARGO_BIN_EXE_gainalyze"),
    " engine\n"
);

/// Returns a bench with the engine [`MORTAL`], which exits when it receives a position that contains
/// `dies_on`.
fn mortal(dies_on: &str) -> Bench {
    let bench = Bench::of_games();
    bench.write("mortal.sh", MORTAL.as_bytes());
    let path = bench.path("mortal.sh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("to be allowed");
    bench.with("GAINALYZE_ENGINE", path.to_str().expect("a path")).with("DIES_ON", dies_on)
}

#[test]
fn an_engine_that_dies_in_the_midst_of_a_tree_leaves_what_it_has_found_and_the_command_goes_on() {
    let undisturbed = mortal("nothing");
    grow(&undisturbed, "out", &["--jobs", "1"]);
    let whole = json(&undisturbed, "out");
    let nodes = whole["nodes"].as_array().expect("nodes");
    let last = nodes.last().and_then(|node| node["fen"].as_str()).expect("a position");
    let board = last.split(' ').next().expect("a board");
    for jobs in ["1", "2"] {
        let bench = mortal(board);
        let args = ["deep", ROOT, "--depth", "3", "--distance", "60", "--plies", "3", "--output", "out"];
        bench.run(&[&args[..], &["--jobs", jobs]].concat()).ended_with(3).said(&[board]);
        let kept = stored(&bench);
        assert!(kept > 5, "{kept}");
        let bench = bench.with("DIES_ON", "nothing");
        let again = grow(&bench, "out", &["--jobs", "1"]);
        assert!(!again.contains(" and 0 from the store") && !again.contains("\n0 searches made"), "{again}");
        assert_eq!(tree(&bench, "out"), tree(&undisturbed, "out"), "{jobs}");
    }
}

#[test]
fn a_store_is_shown_and_merged_and_what_is_damaged_is_left_out() {
    let bench = bench();
    let into = |store: &str, root: &str| {
        // One engine only. With several, the timing decides which searches are made in vain.
        let args = [
            "deep", root, "--depth", "2", "--plies", "2", "--jobs", "1", "--store", store, "-o", "out",
            "--force",
        ];
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
    assert!(shown(&b1).contains("has no searches"));
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
    bench.run(&["deep", "merge", &a1, &b2]).ended_with(1).said(&["b2.sqlite: damaged, so left out: segment"]);
}

#[test]
fn bad_input_is_said_in_a_line() {
    let bench = bench();
    let cases: [(&[&str], &[&str]); 14] = [
        (&["8/8/8/8/8/8/8/8 w - - 0 1"], &["is not a position: "]),
        (&["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"], &["cannot be analyzed", "no legal move"]),
        (&["--moves", "e4 e5 Ke3"], &["--moves", "Ke3"]),
        (&["games.pgn", "--game", "99"], &["game 99 is missing or unreadable"]),
        (&["games.pgn", "--ply", "999"], &["after the end"]),
        (&["nowhere.pgn"], &["nowhere.pgn"]),
        (&["--distance=-1"], &["0 or more"]),
        (&["--widths", "20,x"], &["not a list of widths"]),
        (&["--time", "soon"], &["seconds, minutes or hours"]),
        (&["--include", "e4 Ke3"], &["--include: Ke3 is not a legal move"]),
        (&["--exclude", "e4", "--focus", "e4 e5"], &["--exclude e2e4: another option wants"]),
        (&["--focus", "f3 e5 g4 Qh4"], &["the game ends with this line"]),
        (&["--focus-plies", "3"], &["--focus <LINE>"]),
        (&["--confirm-depth", "18"], &["write a number above 18, the value of --depth"]),
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
