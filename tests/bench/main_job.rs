//! Measures the main job as whole processes: time and memory from recorded evaluations, and the
//! share of the time that the engines are busy.
//!
//! `cargo bench` takes seconds; `cargo bench -- engine` searches the 56 games too, which takes
//! minutes: `cargo bench -- engine 14` says how deep.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Counted runs of each command, after one that warms up.
const RUNS: usize = 9;

const RECORDED: &str = "data/candidates-2013-stockfish-15.1-depth-20.pgn";
const PLAIN: &str = "data/candidates-2013.pgn";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    recorded("all tables, CSV and plots", &[], folder.path());
    recorded("the same without plots", &["--plots", "none"], folder.path());
    if args.first().is_some_and(|arg| arg == "engine") {
        let depth = args.get(1).map_or("14", String::as_str);
        with_engine(depth, folder.path());
    }
}

/// One finished process.
struct Measured {
    wall: Duration,
    /// The most memory the process itself has held, in kilobytes; engines are not in it.
    peak_kb: u64,
}

fn measure(args: &[&str], output: &Path) -> Measured {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gainalyze"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .args(["--quiet", "--output"])
        .arg(output)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak_kb = 0;
    while child.try_wait().expect("a child").is_none() {
        peak_kb = peak_kb.max(high_water_mark(&status));
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(child.wait().expect("a child").success(), "the command fails: {args:?}");
    Measured { wall: start.elapsed(), peak_kb }
}

/// Linux keeps it; elsewhere it is 0.
fn high_water_mark(status: &str) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

fn recorded(title: &str, more: &[&str], output: &Path) {
    let args = [&[RECORDED][..], more].concat();
    measure(&args, output);
    let mut runs: Vec<Measured> = (0..RUNS).map(|_| measure(&args, output)).collect();
    runs.sort_by_key(|run| run.wall);
    let seconds = |run: &Measured| run.wall.as_secs_f64();
    println!(
        "56 games from recorded evaluations, {title}: median {:.3} s (from {:.3} to {:.3}, {RUNS} runs), peak {} MB",
        seconds(&runs[RUNS / 2]),
        seconds(&runs[0]),
        seconds(&runs[RUNS - 1]),
        runs.iter().map(|run| run.peak_kb).max().unwrap_or_default() / 1024,
    );
}

fn with_engine(depth: &str, output: &Path) {
    let run = measure(&[PLAIN, "--depth", depth, "--no-store"], output);
    let text = fs::read_to_string(output.join("run.json")).expect("run.json is written");
    let info: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    println!(
        "56 games at depth {depth}: {:.1} s, engines busy {:.2} % of jobs × wall time, peak {} MB without them",
        run.wall.as_secs_f64(),
        100.0 * info["engine_busy_share"].as_f64().unwrap_or_default(),
        run.peak_kb / 1024,
    );
}
