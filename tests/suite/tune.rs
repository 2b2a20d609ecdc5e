//! The verb `tune`: weights of our own engine, fitted to what Stockfish says wherever it is installed.

use crate::interruption::signal;
use crate::interruption::wait_until;
use crate::program::Bench;
use crate::program::Run;
use crate::real_engine;

const SMALL: [&str; 11] = [
    "tune",
    "--positions",
    "1000",
    "--nodes",
    "50",
    "--play-nodes",
    "20",
    "--epochs",
    "3",
    "--output",
    "weights",
];

fn bench() -> Option<Bench> {
    Some(Bench::of_games().with("GAINALYZE_ENGINE", &real_engine::path()?))
}

fn labels(bench: &Bench) -> usize {
    std::fs::read_to_string(bench.path("weights/labels.csv")).map_or(0, |text| text.lines().count())
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_weights_of_one_that_was_not() {
    let (Some(bench), Some(undisturbed)) = (bench(), bench()) else { return };
    undisturbed.run(&[&SMALL[..], &["--jobs", "2"]].concat()).ended_with(0);
    let child = bench.start(&[&SMALL[..], &["--jobs", "1"]].concat());
    wait_until("the first labels", || labels(&bench) > 20);
    signal(&child, "INT");
    Run::new(child.wait_with_output().expect("it ends")).ended_with(130);
    let before = labels(&bench);
    assert!(before < labels(&undisturbed), "stopped after {before} lines");
    bench.run(&SMALL).ended_with(0).said(&["weights: see weights/weights.txt"]);
    let weights = bench.text("weights/weights.txt");
    assert_eq!(weights, undisturbed.text("weights/weights.txt"));
    assert!(weights.contains("# labels: Stockfish") && weights.contains("\nmaterial pawn = "), "{weights}");
    // The engine takes what was fitted.
    let input = "setoption name Weights value weights/weights.txt\nposition startpos moves e2e4\neval\n";
    let said = bench.run_with_input(&["engine"], input).ended_with(0).stdout;
    assert!(said.contains("evaluation: ") && !said.contains("info string"), "{said}");
}

#[test]
fn a_folder_of_another_run_is_refused_and_left_as_it_is() {
    let Some(bench) = bench() else { return };
    bench.run(&SMALL).ended_with(0);
    let before = bench.files("weights");
    for [option, value] in [["--nodes", "60"], ["--seed", "2"], ["--play-nodes", "30"]] {
        let mut args: Vec<&str> = SMALL.to_vec();
        match args.iter().position(|arg| *arg == option) {
            Some(place) => args[place + 1] = value,
            None => args.extend([option, value]),
        }
        bench.run(&args).ended_with(2).said(&["it is of another run"]);
        assert_eq!(bench.files("weights"), before, "{option}");
    }
}
