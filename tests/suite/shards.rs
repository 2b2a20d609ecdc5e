//! Tests of runs that are divided into parts for several machines: together, the parts give the result of one
//! machine.

use crate::program::Bench;
use crate::program::Run;

const PARTS: usize = 3;

fn searched(bench: &Bench, args: &[&str]) -> Run {
    let search = ["games.pgn", "--evals", "engine", "--engine", "builtin", "--depth", "3", "-q"];
    bench.run(&[&search, args].concat())
}

/// Runs the command without a rating of play, because ratings need deeper searches.
fn unrated(bench: &Bench, args: &[&str]) -> Run {
    searched(bench, &[&["--calibration", "none"], args].concat())
}

/// Searches every part except `left_out`. Returns the names of the parts' stores.
fn search_parts(
    bench: &Bench,
    searched: impl Fn(&Bench, &[&str]) -> Run,
    left_out: Option<usize>,
) -> Vec<String> {
    let parts = (1..=PARTS).filter(|&part| Some(part) != left_out);
    let stores = parts.map(|part| {
        let (name, store) = (format!("{part}/{PARTS}"), format!("{part}.sqlite"));
        let run = searched(bench, &["--shard", &name, "--store", &store]).ended_with(0);
        assert!(run.stdout.starts_with(&format!("Part {name}: ")), "{}", run.stdout);
        assert!(!bench.path("reports").exists(), "a part makes no report");
        store
    });
    stores.collect()
}

fn merge(bench: &Bench, stores: &[String]) {
    let stores = stores.iter().map(String::as_str);
    let args: Vec<&str> = ["store", "merge", "all.sqlite"].into_iter().chain(stores).collect();
    bench.run(&args).ended_with(0);
}

#[test]
fn the_report_of_all_parts_equals_that_of_one_machine() {
    let bench = Bench::of_games();
    searched(&bench, &["--no-store", "--output", "whole"]).ended_with(0);
    let parts = search_parts(&bench, searched, None);
    merge(&bench, &parts);
    let args = ["--no-search", "--store", "all.sqlite", "--output", "merged"];
    searched(&bench, &args).ended_with(0);
    let (whole, merged) = (bench.files("whole"), bench.files("merged"));
    assert!(whole.len() > 3, "{:?}", whole.keys());
    assert_eq!(whole, merged);
}

#[test]
fn what_no_part_has_searched_is_an_error_and_each_part_can_be_asked_whether_it_is_whole() {
    let bench = Bench::of_games();
    let parts = search_parts(&bench, unrated, Some(2));
    merge(&bench, &parts);
    let all = ["--no-search", "--store", "all.sqlite"];
    unrated(&bench, &all)
        .ended_with(2)
        .said(&["stored evaluations by gainalyze engine", "leave out --no-search"]);
    for part in 1..=PARTS {
        let name = format!("{part}/{PARTS}");
        let code = if part == 2 { 2 } else { 0 };
        unrated(&bench, &[&all[..], &["--shard", &name]].concat()).ended_with(code);
    }
    // The same command resumes: it searches only the missing positions.
    let run = unrated(&bench, &["--store", "all.sqlite", "--output", "merged"]).ended_with(0);
    assert!(!run.stdout.is_empty());
    unrated(&bench, &["--no-search", "--store", "all.sqlite", "--output", "again"]).ended_with(0);
    assert_eq!(bench.files("merged"), bench.files("again"));
}

#[test]
fn more_parts_than_games_leave_some_of_them_empty() {
    let bench = Bench::of_games();
    let run = unrated(&bench, &["--shard", "40/40", "--store", "part.sqlite"]).ended_with(0);
    assert_eq!(run.stdout, "Part 40/40: 0 games, 0 positions in the store.\n");
    bench.run(&["store", "check", "part.sqlite"]).ended_with(0);
}

#[test]
fn parts_that_cannot_be_are_refused() {
    let bench = Bench::of_games();
    for (shard, why) in [
        ("4/3", "there is no part 4 of 3; in K/N, K is a number from 1 to N"),
        ("third", "\"third\" is not a part; write K/N, as in 3/40 for part 3 of 40"),
    ] {
        unrated(&bench, &["--shard", shard, "--store", "part.sqlite"]).ended_with(2).said(&[why]);
    }
    unrated(&bench, &["--shard", "1/3"]).ended_with(2).said(&["--store <PATH>"]);
}

/// Plays a match of two entrants with fixed openings into `output`.
fn played(bench: &Bench, output: &str, args: &[&str]) -> Run {
    let entrants = ["selfplay", "--entrant", "one=builtin@1", "--entrant", "two=builtin@2"];
    let games =
        ["--games", "6", "--random-plies", "6", "--max-moves", "30", "--hash", "1", "--plots", "none"];
    bench.run(&[&entrants, &games[..], &["--output", output], args].concat())
}

#[test]
fn games_that_were_played_in_parts_are_the_experiment_of_one_machine() {
    let bench = Bench::new("");
    played(&bench, "whole", &[]).ended_with(0);
    for part in ["1/3", "2/3", "3/3"] {
        let run = played(&bench, &part[..1], &["--shard", part]).ended_with(0);
        assert_eq!(run.stdout.lines().next(), None, "a part has no tables");
    }
    let hole = "2 games are missing from all folders; the first is game 2";
    played(&bench, "all", &["--gather", "1", "3"]).ended_with(2).said(&[hole]);
    // The same folder twice counts once, and earlier files stay.
    played(&bench, "all", &["--gather", "1", "2", "2", "3"]).ended_with(0);
    let without_times = |folder: &str| {
        let mut files = bench.files(folder);
        files.remove("games.pgn");
        files
    };
    assert!(without_times("whole").contains_key("results.csv"));
    assert_eq!(without_times("all"), without_times("whole"));
}

#[test]
fn folders_without_games_or_with_other_games_are_not_gathered() {
    let bench = Bench::new("");
    played(&bench, "1", &["--shard", "1/3", "--seed", "2"]).ended_with(0);
    played(&bench, "all", &["--gather", "1"]).ended_with(2).said(&["another experiment", "seed"]);
    played(&bench, "all", &["--gather", "nowhere"])
        .ended_with(2)
        .said(&["nowhere: no games from `gainalyze selfplay`"]);
    played(&bench, "part", &["--shard", "1/3", "--gather", "1"]).ended_with(2).said(&["cannot be used with"]);
}

/// A name with characters that shells, GNU parallel and Slurm treat specially.
const ODD_NAME: &str = "it's {} {.} {#} $HOME `x`\nÜ\\.pgn";

/// Runs a script of `deploy` on two parts of the games, with a program that only records its arguments.
/// Returns the recorded arguments.
fn told_by(script: &str, bench: &Bench) -> String {
    use std::os::unix::fs::PermissionsExt;
    let write = |name: &str, text: &str| {
        bench.write(name, text.as_bytes());
        std::fs::set_permissions(bench.path(name), PermissionsExt::from_mode(0o755)).expect("rights");
    };
    // All words in one `printf`, which writes at once: two of these programs run at a time.
    write("tell", "#!/bin/sh\nprintf '<%s>' \"$@\" >> told\n");
    // Slurm lets sh read the job script.
    write(
        "sbatch",
        "#!/bin/bash\nwhile [ \"$1\" != --wrap ]; do shift; done\nSLURM_ARRAY_TASK_ID=1 /bin/sh -c \"$2\" >&2\necho 7\n",
    );
    let path = format!("{}:{}", bench.path("").display(), std::env::var("PATH").expect("a path"));
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(script);
    let ran = std::process::Command::new(script)
        .args(["2", "parts {}", ODD_NAME, "--depth", "3"])
        .envs([("PATH", &*path), ("GAINALYZE", &*bench.path("tell").display().to_string())])
        .current_dir(bench.path(""))
        .output();
    // Nothing is merged, because the program that prints its arguments makes no store.
    ran.expect("a script of this source");
    bench.text("told")
}

#[test]
fn the_scripts_hand_on_every_name_as_it_is() {
    let has_parallel = std::process::Command::new("parallel").arg("--version").output().is_ok();
    for (script, parts) in [("parallel.sh", [1, 2].as_slice()), ("slurm/submit", &[1])] {
        if script == "parallel.sh" && !has_parallel {
            continue;
        }
        let told = told_by(script, &Bench::of_games());
        for part in parts {
            let of = format!("<{ODD_NAME}><--depth><3><--jobs><1><--quiet><--shard><{part}/2><--store>");
            assert!(told.contains(&of), "{script}: {told}");
        }
        assert!(told.contains(&format!("parts {{}}/{}.sqlite>", parts[0])), "{script}: {told}");
    }
}
