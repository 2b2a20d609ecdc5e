//! Tests that run the example as a program. They need an installed Stockfish.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio, exit},
    thread,
    time::Duration,
};

use clap::{CommandFactory, Parser};
use gainalyze::engine::{
    chess_engine::{LinearFile, Network, WeightsFile},
    installed_stockfishes,
    server::serve,
};
use tempfile::TempDir;

use super::{TuneArgs, answer};

const SMALL: [&str; 10] =
    ["--positions", "1000", "--nodes", "50", "--play-nodes", "20", "--epochs", "3", "--output", "weights"];

/// The environment variable with the arguments for [`the_program`], one per line.
const ARGUMENTS: &str = "TUNE_ARGUMENTS";

/// Runs the example in this process, if [`ARGUMENTS`] is set. The tests below start this test as a separate
/// process.
#[test]
fn the_program() {
    if let Ok(arguments) = env::var(ARGUMENTS) {
        exit(answer(arguments.lines().map(Into::into)).into());
    }
}

/// A temporary folder for the fit, and the labeling engine.
struct Bench {
    folder: TempDir,
    engine: PathBuf,
}

impl Bench {
    /// Makes a temporary folder. If Stockfish is not installed, returns `None`, or panics on CI.
    fn new() -> Option<Bench> {
        let Some(engine) = installed_stockfishes().into_iter().next() else {
            assert!(env::var_os("CI").is_none(), "CI has Stockfish installed");
            eprintln!("skipped: Stockfish is not installed");
            return None;
        };
        Some(Bench { folder: TempDir::new().expect("a temporary folder"), engine })
    }

    fn start(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(env::current_exe().expect("this test"));
        command.args(["--exact", "tests::the_program", "--nocapture"]).current_dir(self.folder.path());
        command
            .env(ARGUMENTS, [&["tune"], arguments].concat().join("\n"))
            .env("GAINALYZE_ENGINE", &self.engine);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Runs the program, asserts its exit code, and returns its standard error.
    fn run(&self, arguments: &[&str], code: i32) -> String {
        ended(self.start(arguments).wait_with_output().expect("the program ends"), code)
    }

    fn weights(&self) -> String {
        fs::read_to_string(self.folder.path().join("weights/weights.txt")).expect("weights")
    }

    fn labels(&self) -> usize {
        let labels = fs::read_to_string(self.folder.path().join("weights/labels.csv"));
        labels.map_or(0, |text| text.lines().count())
    }

    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(self.folder.path().join("weights")).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect()
    }
}

fn ended(output: Output, code: i32) -> String {
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    stderr
}

fn interrupt(child: &Child) {
    // `kill` is built into the shell.
    let status = Command::new("sh").arg("-c").arg(format!("kill -INT {}", child.id())).status();
    assert!(status.expect("a shell").success());
}

fn wait_until(happened: impl Fn() -> bool) {
    let waits = (0..600).take_while(|_| !happened());
    waits.for_each(|_| thread::sleep(Duration::from_millis(50)));
    assert!(happened(), "it did not happen within half a minute");
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_weights_of_one_that_was_not() {
    let (Some(bench), Some(undisturbed)) = (Bench::new(), Bench::new()) else { return };
    undisturbed.run(&[&SMALL[..], &["--jobs", "2"]].concat(), 0);
    let child = bench.start(&[&SMALL[..], &["--jobs", "1"]].concat());
    wait_until(|| bench.labels() > 20);
    interrupt(&child);
    ended(child.wait_with_output().expect("it ends"), 130);
    let before = bench.labels();
    assert!(before < undisturbed.labels(), "stopped after {before} lines");
    let said = bench.run(&SMALL, 0);
    assert!(said.contains("weights: see weights/weights.txt"), "{said}");
    let weights = bench.weights();
    assert_eq!(weights, undisturbed.weights());
    assert!(weights.contains("# labels: Stockfish") && weights.contains("\nmaterial pawn = "), "{weights}");
    // The engine accepts the fitted weights.
    let path = bench.folder.path().join("weights/weights.txt");
    let input =
        format!("setoption name Weights value {}\nposition startpos moves e2e4\neval\n", path.display());
    let mut output = Vec::new();
    serve(input.as_bytes(), &mut output, WeightsFile::default().into()).expect("the engine serves");
    let said = String::from_utf8(output).expect("text");
    assert!(said.contains("evaluation: ") && !said.contains("info string"), "{said}");
}

#[test]
fn a_network_is_fitted_to_given_terms() {
    let Some(bench) = Bench::new() else { return };
    let terms = bench.folder.path().join("terms.txt");
    let file = WeightsFile { network: None, ..WeightsFile::default() };
    fs::write(&terms, file.to_string()).expect("a file");
    let options = [&SMALL[..], &["--terms", "terms.txt"]].concat();
    let said = bench.run(&options, 0);
    assert!(said.contains("epoch 3: 0.") && said.contains("from the labels of"), "{said}");
    let fitted: WeightsFile = bench.weights().parse().expect("weights");
    assert_eq!(fitted.weights, file.weights);
    assert!(fitted.network.as_ref().is_some_and(|network| *network != Network::zero()));
    // The provenance of the terms is kept, and that of their earlier network is not.
    let is_network = |line: &String| line.starts_with("network: fitted by gainalyze ");
    let place = |file: &WeightsFile| file.provenance.iter().position(is_network).expect("a network");
    assert_eq!(fitted.provenance[..place(&fitted)], file.provenance[..place(&file)]);
    assert_eq!(fitted.provenance.len(), place(&fitted) + 4, "{:?}", fitted.provenance);
    fs::write(&terms, LinearFile::handmade().to_string()).expect("a file");
    let said = bench.run(&options, 2);
    assert!(said.contains("--terms terms.txt: these are linear weights"), "{said}");
}

#[test]
fn a_folder_of_another_run_is_refused_and_left_as_it_is() {
    let Some(bench) = Bench::new() else { return };
    bench.run(&SMALL, 0);
    let before = bench.files();
    for [option, value] in [["--nodes", "60"], ["--seed", "2"], ["--play-nodes", "30"]] {
        let mut args: Vec<&str> = SMALL.to_vec();
        match args.iter().position(|arg| *arg == option) {
            Some(place) => args[place + 1] = value,
            None => args.extend([option, value]),
        }
        let said = bench.run(&args, 2);
        assert!(said.contains("belongs to another run"), "{said}");
        assert_eq!(bench.files(), before, "{option}");
    }
}

#[test]
fn the_command_of_the_documents_is_one_that_the_command_line_takes() {
    TuneArgs::command().debug_assert();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/engine.md");
    let page = fs::read_to_string(page).expect("a page").replace("\\\n", "");
    let commands =
        page.lines().filter_map(|line| line.strip_prefix("cargo run --release --example tune -- "));
    let commands: Vec<&str> = commands.map(|rest| rest.split('#').next().unwrap_or(rest)).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    for command in commands {
        TuneArgs::try_parse_from(["tune"].into_iter().chain(command.split_whitespace())).expect("options");
    }
}
