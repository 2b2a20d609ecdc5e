//! Engines under node: a script of the tests, and npm's Stockfish.

use std::{fs, path::Path, path::PathBuf, process::Command};

use crate::interruption::{signal, stored, wait_until};
use crate::program::{Bench, Run, installed};
use crate::real_engine;

/// Returns the path of a script in `tests`; `None` if node or the script is missing.
fn script(path: &str) -> Option<String> {
    installed("node", Command::new("node").arg("--version").output().ok())?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path);
    Some(script).filter(|script| script.is_file()).map(|script| script.display().to_string())
}

fn scripted() -> Option<String> {
    script("suite/scripted-engine.js")
}

/// Returns a bench with three games of the Candidates Tournament, and the path of npm's Stockfish in it. `None`
/// if Stockfish was not installed by `npm ci --prefix tests/node`, which needs a package registry.
fn stockfish() -> Option<(Bench, String)> {
    const ENGINE: &str = "node_modules/stockfish/bin/stockfish-19-lite-single.js";
    if script(&format!("node/{ENGINE}")).is_none() {
        eprintln!("skipped: npm's package of Stockfish is not installed");
        return None;
    }
    let bench = real_engine::candidates(3);
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/node_modules");
    std::os::unix::fs::symlink(packages, bench.path("node_modules")).expect("a link");
    let engine = bench.path(ENGINE).display().to_string();
    Some((bench, engine))
}

/// Returns the numbers in the file `pids` whose processes still run.
fn running(pids: &Path) -> Vec<String> {
    let pids = fs::read_to_string(pids).unwrap_or_default();
    let runs = |pid: &&str| {
        Command::new("sh")
            .arg("-c")
            .arg(format!("kill -0 {pid} 2>/dev/null"))
            .status()
            .expect("a shell")
            .success()
    };
    pids.lines().filter(runs).map(str::to_owned).collect()
}

#[test]
fn a_script_of_node_is_an_engine_and_the_terminal_says_what_runs() {
    let Some(engine) = scripted() else { return };
    let bench = Bench::of_games();
    let args = ["games.pgn", "--engine", &engine, "--depth", "4", "--plots", "none"];
    bench.run(&args).ended_with(0).said(&[
        "the engine runs under node: ",
        "scripted-engine.js",
        "Scripted under node 1.0, depth 4, forward",
    ]);
    let stderr = bench.run(&args).ended_with(0).stderr;
    assert!(stderr.contains("34 of them already evaluated"), "the store knows them: {stderr}");
}

/// Starts a long run with the scripted engine, and waits until the store has results.
fn begun(engine: &str) -> (Bench, PathBuf, std::process::Child) {
    let bench = Bench::of_games();
    let pids = bench.path("pids");
    let bench = bench.with("PIDS", &pids.display().to_string());
    let args = ["games.pgn", "--engine", engine, "--segment", "1", "--jobs", "2", "--calibration", "none"];
    let child = bench.start(&args);
    wait_until("a stored segment", || stored(&bench) > 0);
    (bench, pids, child)
}

#[test]
fn ctrl_c_and_kill_leave_no_process_of_node_behind() {
    let Some(engine) = scripted() else { return };
    for (name, code) in [("INT", Some(130)), ("KILL", None)] {
        let (_bench, pids, child) = begun(&engine);
        assert!(!running(&pids).is_empty());
        signal(&child, name);
        let run = Run::new(child.wait_with_output().expect("it ends"));
        assert_eq!(run.code, code, "{}", run.stderr);
        wait_until("the end of all processes of node", || running(&pids).is_empty());
    }
}

#[test]
fn a_missing_node_and_a_missing_script_are_told_apart() {
    let bench = Bench::of_games().with("PATH", "");
    bench.write("engine.js", b"");
    bench.run(&["games.pgn", "--engine", "./engine.js"]).ended_with(2).said(&[
        "engine.js cannot be started: it is a script for node, which is not on PATH; install Node.js",
    ]);
    bench
        .run(&["games.pgn", "--engine", "./none.js"])
        .ended_with(2)
        .said(&["none.js cannot be started: no such file"]);
}

/// Node counts of npm's Stockfish at depth 8, for the first sixteen positions of the Candidates Tournament of
/// 2013. The searches share one hash table.
const NODES: [u64; 16] =
    [3879, 3539, 4784, 2465, 3209, 3369, 2072, 4684, 1431, 3810, 2982, 1726, 1108, 3757, 3971, 1093];

#[test]
fn npms_stockfish_searches_the_same_nodes_everywhere() {
    let Some((bench, engine)) = stockfish() else { return };
    let args = ["games.pgn", "--engine", &engine, "--depth", "8", "--calibration", "none", "--output", "out"];
    bench.run(&args).ended_with(0).said(&["the engine runs under node: ", "Stockfish 19 Lite WASM, depth 8"]);
    let nodes = bench.table("out/moves.csv", &["nodes"]);
    let nodes: Vec<u64> = nodes.iter().take(16).map(|row| row[0].parse().expect("nodes")).collect();
    assert_eq!(nodes, NODES);
}

#[test]
fn npms_stockfish_ends_with_the_run_that_is_stopped_and_goes_on_with_the_next() {
    let Some((bench, engine)) = stockfish() else { return };
    let args = ["games.pgn", "--engine", &engine, "--depth", "9", "--calibration", "none", "--output", "out"];
    let runs = || {
        let found = Command::new("pgrep").args(["-f", &format!("^node {engine}$")]).output();
        !found.expect("pgrep").stdout.is_empty()
    };
    for name in ["INT", "KILL"] {
        let (child, known) = (bench.start(&args), stored(&bench));
        wait_until("a stored segment", || stored(&bench) > known);
        assert!(runs());
        signal(&child, name);
        child.wait_with_output().expect("it ends");
        wait_until("the end of all processes of node", || !runs());
    }
    bench.run(&args).ended_with(0);
    assert!(bench.run_json("out")["searches"]["from_store"].as_u64() > Some(0));
}
