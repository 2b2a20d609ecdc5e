//! Tests of runs that are stopped, killed or repeated: they give the same bytes, and search nothing twice.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use crate::program::Bench;
use crate::program::Run;
use crate::program::scripted_engine;

/// Returns a bench whose runs are long enough to be interrupted, because each search takes a moment.
fn slow() -> Bench {
    Bench::of_games().with_fault("slow")
}

const ARGS: [&str; 5] = ["games.pgn", "--segment", "3", "--jobs", "2"];

/// Sends `child` the signal with that name.
pub fn signal(child: &Child, name: &str) {
    // `kill` is built into the shell.
    let status = Command::new("sh").arg("-c").arg(format!("kill -{name} {}", child.id())).status();
    assert!(status.expect("a shell").success());
}

/// Waits until `happened` returns true. Panics after half a minute.
pub fn wait_until(what: &str, happened: impl Fn() -> bool) {
    for _ in 0..600 {
        if happened() {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} did not happen within half a minute");
}

/// Returns the number of positions in the store of `bench`.
pub fn stored(bench: &Bench) -> u64 {
    let store = bench.path("cache/gainalyze/evaluations.sqlite");
    let open = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
    let Ok(connection) = rusqlite::Connection::open_with_flags(store, open) else { return 0 };
    connection.query_row("SELECT count(*) FROM evaluations", [], |row| row.get(0)).unwrap_or_default()
}

/// Waits until the store of `bench` holds a segment.
fn wait_for_a_segment(bench: &Bench) {
    wait_until("the first stored segment", || stored(bench) > 0);
}

/// Returns the files of an uninterrupted run with [`ARGS`].
fn undisturbed() -> std::collections::BTreeMap<String, Vec<u8>> {
    let bench = Bench::of_games();
    bench.run(&ARGS).ended_with(0);
    bench.files("reports/games")
}

#[test]
fn ctrl_c_keeps_what_is_in_flight_and_the_same_command_goes_on() {
    let bench = slow();
    let child = bench.start(&ARGS);
    wait_for_a_segment(&bench);
    signal(&child, "INT");
    let run = Run::new(child.wait_with_output().expect("it ends")).ended_with(130);
    run.said(&["the running searches will be finished and stored", "the same command resumes"]);
    bench.run(&ARGS).ended_with(0);
    assert!(bench.run_json("reports/games")["searches"]["from_store"].as_u64() > Some(0));
    assert_eq!(bench.files("reports/games"), undisturbed());
}

#[test]
fn ctrl_c_in_the_search_of_a_second_engine_is_heard_once() {
    let bench = slow();
    let first = format!("#!/bin/sh\nSCRIPT= SCRIPT_NAME=First exec {}\n", scripted_engine());
    bench.write("first", first.as_bytes());
    fs::set_permissions(bench.path("first"), fs::Permissions::from_mode(0o755)).expect("a file of ours");
    let second = scripted_engine();
    let args = [&ARGS[..], &["--engine", "./first", "--engine", &second]].concat();
    let child = bench.start(&args);
    wait_until("a segment of the second engine", || stored(&bench) > 34);
    signal(&child, "INT");
    let run = Run::new(child.wait_with_output().expect("it ends")).ended_with(130);
    run.said(&["the running searches will be finished and stored", "the same command resumes"]);
    assert!(bench.path("reports/games-panel/first/players.csv").exists(), "the first engine had its report");
    bench.run(&args).ended_with(0);
    assert!(bench.run_json("reports/games-panel/scripted-1-0")["searches"]["from_store"].as_u64() > Some(0));
}

#[test]
fn a_panel_that_was_killed_searches_nothing_twice() {
    let bench = slow();
    for (file, name, factor) in [("first", "First", 7), ("second", "Second", 11)] {
        let script =
            format!("#!/bin/sh\nSCRIPT_NAME={name} SCRIPT_FACTOR={factor} exec {}\n", scripted_engine());
        bench.write(file, script.as_bytes());
        fs::set_permissions(bench.path(file), fs::Permissions::from_mode(0o755)).expect("a file of ours");
    }
    let panel = ["games.pgn", "--engine", "./first", "--engine", "./second"];
    let args = [&panel[..], &ARGS[1..]].concat();
    let mut child = bench.start(&args);
    wait_until("a segment of the second engine", || stored(&bench) > 34);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let kept = stored(&bench);
    bench.run(&args).ended_with(0);
    let searches = |engine: &str, which: &str| {
        let run = bench.run_json(&format!("reports/games-panel/{engine}"));
        run["searches"][which].as_u64().expect("a number")
    };
    assert_eq!((searches("first", "from_store"), searches("first", "made")), (34, 0));
    assert_eq!((searches("second", "from_store"), searches("second", "made")), (kept - 34, 68 - kept));
    assert_eq!(stored(&bench), 68);
    let resumed = bench.files("reports/games-panel");
    bench.run(&args).ended_with(0);
    assert_eq!(bench.files("reports/games-panel"), resumed);
}

#[test]
fn a_second_ctrl_c_stops_at_once() {
    let bench = Bench::of_games().with_fault("stall");
    let child = bench.start(&ARGS);
    wait_until("a search", || bench.path("fault-happened").exists());
    signal(&child, "INT");
    // Two equal signals that come at once count as one.
    thread::sleep(Duration::from_secs(1));
    let second = Instant::now();
    signal(&child, "INT");
    Run::new(child.wait_with_output().expect("it ends")).ended_with(130);
    assert!(second.elapsed() < Duration::from_secs(20), "the engine would be silent for a minute");
}

#[test]
fn kill_9_costs_no_more_than_the_segments_in_flight() {
    let bench = slow();
    let mut child = bench.start(&ARGS);
    wait_for_a_segment(&bench);
    child.kill().expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), None, "it was killed");
    let kept = stored(&bench);
    bench.run(&ARGS).ended_with(0);
    let searches = &bench.run_json("reports/games")["searches"];
    assert_eq!((searches["from_store"].as_u64(), searches["made"].as_u64()), (Some(kept), Some(34 - kept)));
    assert_eq!(bench.files("reports/games"), undisturbed());
}

#[test]
fn a_second_run_searches_nothing_and_writes_the_same_bytes() {
    let bench = Bench::of_games();
    let first = bench.run(&ARGS).ended_with(0);
    let files = bench.files("reports/games");
    let second = bench.run(&ARGS).ended_with(0);
    let searches = &bench.run_json("reports/games")["searches"];
    assert_eq!(searches["made"], 0);
    assert!(searches["from_store"].as_u64() > Some(0));
    assert_eq!((first.stdout, files), (second.stdout, bench.files("reports/games")));
}

#[test]
fn the_number_of_jobs_changes_no_byte() {
    let bytes = ["1", "2", "5"].map(|jobs| {
        let bench = Bench::of_games();
        let run = bench.run(&["games.pgn", "--jobs", jobs, "--segment", "4", "--no-store"]).ended_with(0);
        (run.stdout, bench.files("reports/games"))
    });
    assert_eq!(bytes[0], bytes[1]);
    assert_eq!(bytes[0], bytes[2]);
}

#[test]
fn two_runs_share_a_store_at_the_same_time() {
    let bench = slow();
    let runs = ["a", "b"].map(|output| {
        let mut args = ARGS.to_vec();
        args.extend(["--output", output, "--store", "shared.sqlite"]);
        bench.start(&args)
    });
    for run in runs {
        Run::new(run.wait_with_output().expect("it ends")).ended_with(0);
    }
    assert_eq!(bench.files("a"), bench.files("b"));
    assert_eq!(bench.files("a"), undisturbed());
}

#[test]
fn other_options_limits_and_orders_are_other_evaluations() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn"]).ended_with(0);
    for change in [&["--depth", "7"][..], &["--order", "backward"], &["--segment", "5"], &["--hash", "32"]] {
        bench.run(&[&["games.pgn", "--output", "out", "--force"], change].concat()).ended_with(0);
        assert_eq!(bench.run_json("out")["searches"]["from_store"], 0, "{change:?}");
    }
}
