//! Tests of the folders in which runs publish: earlier files there, and refusals of the next run.

use std::{collections::BTreeSet, fs, path::Path};

use crate::program::Bench;
use crate::program::Run;

/// The verb that counts archives.
const ARCHIVE: &[&str] = &["archive"];

/// Returns the names in a folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect()
}

/// Writes the report of the games into `out`.
fn report(bench: &Bench, more: &[&str]) -> Run {
    bench.run(&[&["games.pgn", "--output", "out", "--plots", "none", "--no-html"], more].concat())
}

/// Returns a bench whose games have recorded evaluations, for archives.
fn recorded() -> Bench {
    let bench = Bench::of_games();
    report(&bench, &["--annotate", "evaluated.pgn"]).ended_with(0);
    fs::remove_dir_all(bench.path("out")).expect("a folder");
    bench
}

/// Counts the archive and writes the report into `out`.
fn archive(bench: &Bench, more: &[&str]) -> Run {
    let args = ["evaluated.pgn", "--by", "player", "--output", "out", "--plots", "none"];
    bench.run(&[ARCHIVE, &args, more].concat())
}

#[test]
fn a_file_of_the_users_is_refused_by_name_before_the_search_and_kept() {
    let bench = Bench::of_games().with_fault("crash");
    fs::create_dir(bench.path("out")).expect("a folder");
    bench.write("out/players.csv", b"mine");
    bench.write("out/notes.txt", b"mine as well");
    let said = ["out: players.csv was not written by an earlier run", "--output", "--force"];
    report(&bench, &[]).ended_with(2).said(&said);
    assert_eq!(bench.text("out/players.csv"), "mine");
    assert_eq!(names(&bench.path("out")).len(), 2);
    let bench = Bench::of_games();
    fs::create_dir(bench.path("out")).expect("a folder");
    bench.write("out/players.csv", b"mine");
    report(&bench, &["--force"]).ended_with(0);
    assert!(bench.text("out/players.csv").starts_with("rank,player,"));
}

#[test]
fn a_file_that_was_changed_since_is_the_users() {
    let bench = Bench::of_games();
    report(&bench, &[]).ended_with(0);
    report(&bench, &[]).ended_with(0);
    let table = bench.text("out/statistics.csv");
    bench.write("out/statistics.csv", (table.clone() + "mine\n").as_bytes());
    report(&bench, &[]).ended_with(2).said(&["out: statistics.csv was not written"]);
    // It is not removed as a stale file either.
    report(&bench, &["--format", "json"]).ended_with(0);
    let left = names(&bench.path("out"));
    assert!(left.contains("statistics.csv") && !left.contains("players.csv"), "{left:?}");
    bench.write("out/statistics.csv", table.as_bytes());
    report(&bench, &[]).ended_with(2);
    report(&bench, &["--force"]).ended_with(0);
    report(&bench, &[]).ended_with(0);
}

#[test]
fn what_another_verb_has_left_is_replaced_by_force_only_and_what_the_user_has_put_there_never() {
    let bench = recorded();
    let go_deep = ["go-deep", "games.pgn", "--depth", "3", "--output", "out", "--plots", "none"];
    type Verb<'a> = &'a dyn Fn(&[&str]) -> Run;
    let verbs: [Verb<'_>; 3] = [&|more| report(&bench, more), &|more| archive(&bench, more), &|more| {
        bench.run(&[&go_deep, more].concat())
    }];
    let of = verbs.map(|verb| {
        let _ = fs::remove_dir_all(bench.path("out"));
        verb(&[]).ended_with(0);
        names(&bench.path("out"))
    });
    for first in 0..3 {
        for second in 0..3 {
            let _ = fs::remove_dir_all(bench.path("out"));
            verbs[first](&[]).ended_with(0);
            bench.write("out/notes.txt", b"mine");
            if first != second {
                let said =
                    ["out: holds ", " from an earlier run: name another folder with --output", "--force"];
                verbs[second](&[]).ended_with(2).said(&said);
                assert!(names(&bench.path("out")).is_superset(&of[first]), "{first} and then {second}");
            }
            let more: &[&str] = if first == second { &[] } else { &["--force"] };
            verbs[second](more).ended_with(0);
            let mut left = names(&bench.path("out"));
            assert!(left.remove("notes.txt"));
            assert_eq!(left, of[second], "{first} and then {second}");
        }
    }
}

#[test]
fn files_called_like_ours_or_like_unfinished_ones_stay_whatever_is_run() {
    let bench = Bench::of_games();
    fs::create_dir(bench.path("out")).expect("a folder");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3 * 24 * 60 * 60);
    let foreign = ["histogram-me.png", "game-7.png", ".gainalyze-abc123", ".gainalyze-unfinished-abc123"];
    for name in foreign {
        bench.write(&format!("out/{name}"), b"mine");
        let file = fs::File::options().append(true).open(bench.path(&format!("out/{name}"))).expect("a file");
        file.set_modified(old).expect("a time");
    }
    fs::create_dir(bench.path("out/.gainalyze-def456")).expect("a folder");
    bench.write("out/.gainalyze-def456/notes.txt", b"mine");
    for _ in 0..2 {
        bench.run(&["games.pgn", "--output", "out"]).ended_with(0);
        report(&bench, &["--force"]).ended_with(0);
        bench.run(&["report", "out", "--plots", "none"]).ended_with(0);
        for name in foreign {
            assert_eq!(bench.text(&format!("out/{name}")), "mine", "{name}");
        }
        assert_eq!(bench.text("out/.gainalyze-def456/notes.txt"), "mine");
    }
}

#[test]
fn what_a_killed_run_was_writing_is_gone_after_the_next_one() {
    let bench = Bench::of_games();
    let left = bench.path("out/.gainalyze-unfinished-abc123");
    fs::create_dir_all(&left).expect("a folder");
    fs::write(left.join("gainalyze.lock"), "").expect("a file");
    fs::write(left.join("moves.csv"), "half").expect("a file");
    let beside = bench.path(".gainalyze-unfinished-def456");
    fs::create_dir(&beside).expect("a folder");
    fs::write(beside.join("gainalyze.lock"), "").expect("a file");
    fs::write(beside.join("file"), "half").expect("a file");
    report(&bench, &["--annotate", "evaluated.pgn"]).ended_with(0);
    assert!(!left.exists() && !beside.exists());
}

#[test]
fn a_study_stands_beside_the_report_and_goes_with_it() {
    let bench = recorded();
    let study = || bench.run(&["sensitivity", "evaluated.pgn", "--output", "out"]).ended_with(0);
    let has = |name: &str| names(&bench.path("out")).contains(name);
    report(&bench, &[]).ended_with(0);
    let run = bench.text("out/run.json");
    study();
    assert!(has("players.csv") && has("sensitivity.csv") && has("sensitivity-run.json"));
    assert_eq!(bench.text("out/run.json"), run, "the report's record is still its own");
    report(&bench, &[]).ended_with(0);
    assert!(has("players.csv") && has("sensitivity.csv"));
    bench.run(&["report", "out"]).ended_with(0);
    archive(&bench, &["--force"]).ended_with(0);
    assert!(has("groups.csv") && !has("sensitivity.csv") && !has("sensitivity-run.json"));
    bench
        .run(&["sensitivity", "evaluated.pgn", "--output", "out"])
        .ended_with(2)
        .said(&["counts of an archive"]);
    bench.run(&["sensitivity", "evaluated.pgn", "--output", "out", "--force"]).ended_with(0);
    assert!(!has("groups.csv") && !has("run.json") && has("sensitivity.csv"));
}

#[test]
fn reports_made_separately_replace_the_report_above_them() {
    let bench = Bench::of_games();
    bench.write("more.pgn", &bench.read("games.pgn"));
    report(&bench, &[]).ended_with(0);
    report(&bench, &["more.pgn", "--separately", "--keep-duplicates"]).ended_with(0);
    let expected = ["events-summary.json", "events.csv", "games", "more", "run.json"];
    assert_eq!(names(&bench.path("out")).iter().collect::<Vec<_>>(), expected);
    report(&bench, &[]).ended_with(0);
    let left = names(&bench.path("out"));
    assert!(
        !left.contains("events.csv") && left.contains("players.csv") && left.contains("more"),
        "{left:?}"
    );
}

#[test]
fn every_verb_leaves_a_record_of_its_run() {
    let bench = recorded();
    let told = |folder: &str, record: &str, kind: &str, word: &str| {
        let text = bench.text(&format!("{folder}/{record}"));
        let run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(run["kind"], kind, "{run}");
        assert!(run["command"].as_array().expect("words").contains(&word.into()), "{run}");
        assert!(run["wall_seconds"].is_f64() && run["started"].is_string() && run["version"].is_string());
        let files = run["files"].as_object().expect("files");
        assert!(!files.is_empty() && run.get("replaced").is_none(), "{run}");
        let listed: BTreeSet<String> = files.keys().cloned().chain([record.to_owned()]).collect();
        listed
    };
    report(&bench, &[]).ended_with(0);
    assert_eq!(told("out", "run.json", "report", "games.pgn"), names(&bench.path("out")));
    archive(&bench, &["--moves", "--partial", "part.parquet", "--force"]).ended_with(0);
    assert_eq!(told("out", "run.json", "archive", "--by"), names(&bench.path("out")));
    let twice = ["merge", "part.parquet", "part.parquet", "--output", "merged", "--allow-overlap"];
    bench.run(&twice).ended_with(0);
    assert_eq!(told("merged", "run.json", "archive", "merge"), names(&bench.path("merged")));
    bench.run(&["go-deep", "games.pgn", "--depth", "3", "--output", "deep"]).ended_with(0);
    assert_eq!(told("deep", "run.json", "go-deep", "go-deep"), names(&bench.path("deep")));
    assert!(!bench.text("deep/go-deep-summary.json").contains("command"));
    bench.run(&["sensitivity", "evaluated.pgn", "--output", "study"]).ended_with(0);
    assert_eq!(
        told("study", "sensitivity-run.json", "sensitivity", "sensitivity"),
        names(&bench.path("study"))
    );
    let played = ["selfplay", "--depths", "1-2", "--games", "2", "--random-plies", "2", "--output", "played"];
    // The scripted engine forfeits, which has its own exit code.
    bench.run(&played).ended_with(3);
    let beside = ["experiment.json", "games.pgn"].map(str::to_owned);
    let listed = told("played", "run.json", "selfplay", "selfplay");
    assert_eq!(listed.into_iter().chain(beside).collect::<BTreeSet<_>>(), names(&bench.path("played")));
    assert!(!bench.text("played/summary.json").contains("command"));
    let first = bench.run_json("played");
    bench.run(&played).ended_with(3);
    let again = bench.run_json("played");
    assert_eq!((&again["games"], &again["started"]), (&first["games"], &first["started"]));
    assert_eq!(again["remade"][1], "selfplay");
}

#[test]
fn a_run_that_comes_to_nothing_leaves_no_folder() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--evals", "pgn", "--depth", "12"]).ended_with(2);
    assert!(!bench.path("reports").exists(), "nothing was recorded");
    fs::create_dir(bench.path("mine")).expect("a folder");
    bench.run(&["games.pgn", "--evals", "pgn", "--depth", "12", "--output", "mine"]).ended_with(2);
    assert!(bench.path("mine").exists(), "a folder of the user's stays");
}

#[test]
fn the_defaults_of_two_verbs_are_two_folders() {
    let bench = recorded();
    bench.run(&["evaluated.pgn", "--plots", "none"]).ended_with(0);
    bench.run(&[ARCHIVE, &["evaluated.pgn", "--by", "player"]].concat()).ended_with(0);
    bench.run(&["go-deep", "evaluated.pgn", "--depth", "3"]).ended_with(0);
    let expected = ["evaluated", "evaluated-by-player", "evaluated-go-deep"];
    assert_eq!(names(&bench.path("reports")).iter().collect::<Vec<_>>(), expected);
}

#[test]
fn names_in_other_scripts_give_readable_names_of_pictures() {
    let pgn = "[White \"Карлсен\"]\n[Black \"丁立人\"]\n\n1. e4 e5 *\n\n[White \"☆\"]\n[Black \"؟\"]\n\n1. d4 d5 *\n";
    let bench = Bench::new(pgn);
    bench.run(&["games.pgn", "--output", "out", "--no-html", "--also", "histograms"]).ended_with(0);
    let left = names(&bench.path("out"));
    let pictures: Vec<&String> = left.iter().filter(|name| name.starts_with("histogram-")).collect();
    let expected = [
        "histogram-ding-li-ren.png",
        "histogram-karlsen.png",
        "histogram-player-2.png",
        "histogram-player.png",
    ];
    assert_eq!(pictures, expected);
}

#[test]
fn a_record_cannot_lead_out_of_its_folder() {
    let bench = Bench::of_games();
    report(&bench, &[]).ended_with(0);
    let run = bench.text("out/run.json");
    let mark =
        run[run.find("\"statistics.csv\": ").expect("an entry") + 18..].split('}').next().expect("a mark");
    fs::copy(bench.path("out/statistics.csv"), bench.path("precious.csv")).expect("a copy");
    let harmful = run.replace("\"files\": {", &format!("\"files\": {{ \"../precious.csv\": {mark}}},"));
    assert_ne!(harmful, run);
    bench.write("out/run.json", harmful.as_bytes());
    report(&bench, &["--format", "json"])
        .ended_with(2)
        .said(&["run.json were not written by an earlier run"]);
    // Version 0.1.0 wrote records without a digest of their own.
    let harmful = harmful.split(",\n  \"record_digest\"").next().expect("a record").to_owned() + "}";
    let harmful =
        harmful.replace(concat!("\"version\": \"", env!("CARGO_PKG_VERSION")), "\"version\": \"0.1.0");
    bench.write("out/run.json", harmful.as_bytes());
    report(&bench, &["--format", "json"]).ended_with(0);
    assert!(bench.path("precious.csv").exists() && !bench.path("out/statistics.csv").exists());
}

#[test]
fn a_link_in_the_folder_is_not_written_through() {
    let bench = Bench::of_games();
    bench.write("precious.csv", b"mine");
    fs::create_dir(bench.path("out")).expect("a folder");
    std::os::unix::fs::symlink("../precious.csv", bench.path("out/players.csv")).expect("a link");
    report(&bench, &[]).ended_with(2).said(&["players.csv"]);
    report(&bench, &["--force"]).ended_with(0);
    assert_eq!(bench.text("precious.csv"), "mine");
    for name in ["games.pgn", "experiment.json"] {
        let _ = fs::remove_dir_all(bench.path("played"));
        fs::create_dir(bench.path("played")).expect("a folder");
        std::os::unix::fs::symlink("../precious.csv", bench.path(&format!("played/{name}"))).expect("a link");
        let played =
            ["selfplay", "--depths", "1-2", "--games", "2", "--random-plies", "2", "--output", "played"];
        bench.run(&played).said(&[name]);
        assert_eq!(bench.text("precious.csv"), "mine", "{name}");
    }
    std::os::unix::fs::symlink("out", bench.path("link")).expect("a link");
    bench.run(&["games.pgn", "--output", "link", "--plots", "none"]).ended_with(0);
    assert!(bench.path("link").is_symlink() && bench.path("out/report.html").exists());
    std::os::unix::fs::symlink("nowhere", bench.path("dangling")).expect("a link");
    bench.run(&["games.pgn", "--output", "dangling"]).ended_with(2).said(&["dangling"]);
}

#[test]
fn a_run_with_another_format_says_which_files_of_the_one_before_are_gone() {
    let bench = Bench::of_games();
    report(&bench, &["--format", "csv,parquet"]).ended_with(0);
    let said = report(&bench, &["--format", "csv"]).ended_with(0).stderr;
    let line = said.lines().find(|line| line.contains("removed files of an earlier run"));
    assert!(line.is_some_and(|line| line.contains("games.parquet")), "{said}");
    assert!(!bench.path("out/games.parquet").exists() && bench.path("out/games.csv").exists());
    let said = report(&bench, &["--format", "csv"]).ended_with(0).stderr;
    assert!(!said.contains("removed what"), "{said}");
}

/// Reports the games in the folder with the default name.
fn report_by_name(bench: &Bench, more: &[&str]) -> Run {
    bench.run(&[&["games.pgn", "--plots", "none", "--no-html"], more].concat())
}

#[test]
fn a_report_by_an_engine_has_its_name_and_limit_in_that_of_its_folder() {
    let bench = Bench::of_games();
    report_by_name(&bench, &["--depth", "5", "--annotate", "evaluated.pgn"]).ended_with(0);
    report_by_name(&bench, &["--depth", "6"]).ended_with(0);
    report_by_name(&bench, &["--nodes", "700"]).ended_with(0);
    bench.run(&["evaluated.pgn", "--plots", "none", "--no-html"]).ended_with(0);
    bench.run(&["rate", "games.pgn", "--engine", "builtin", "--plots", "none", "--no-html"]).ended_with(0);
    let names: Vec<String> = names(&bench.path("reports")).into_iter().collect();
    let [recorded, deeper, depth, nodes, rate] = [
        "evaluated",
        "games-scripted-1-0-depth-5",
        "games-scripted-1-0-depth-6",
        "games-scripted-1-0-nodes-700",
        "games-rate-",
    ];
    assert_eq!(names.len(), 5, "{names:?}");
    assert_eq!([&names[0], &names[2], &names[3], &names[4]], [recorded, deeper, depth, nodes]);
    assert!(
        names[1].starts_with(rate) && names[1].contains("engine") && names[1].contains("-depth-"),
        "{names:?}"
    );
}

#[test]
fn a_deeper_or_another_report_is_replaced_by_force_alone() {
    let bench = Bench::of_games();
    report(&bench, &["--depth", "5", "--annotate", "evaluated.pgn"]).ended_with(0);
    let first = bench.files("out");
    let said =
        ["out holds a report by Scripted 1.0, depth 5", "by Scripted 1.0, depth 4", "--output", "--force"];
    report(&bench, &["--depth", "4"]).ended_with(2).said(&said);
    report(&bench, &["--depth", "9", "--engine", "builtin"])
        .ended_with(2)
        .said(&["by Scripted 1.0, depth 5"]);
    let recorded = ["evaluated.pgn", "--output", "out", "--plots", "none", "--no-html"];
    bench.run(&recorded).ended_with(2).said(&["would write a report by recorded evaluations"]);
    assert!(bench.files("out") == first, "nothing has changed");
    report(&bench, &["--depth", "6"]).ended_with(0);
    report(&bench, &["--depth", "4", "--force"]).ended_with(0);
    assert_eq!(bench.summary("out")["evaluations"]["protocol"]["limit"], "depth 4");
}
