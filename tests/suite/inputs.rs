//! Tests of files that are read completely: pipes, devices and decompression bombs in place of such files,
//! and games or results that are given twice.

use std::{
    fs,
    io::{self, Read},
    process::{Command, Output},
    thread,
    time::{Duration, Instant},
};

use crate::program::{Bench, GAMES};

/// Runs the program, which must end by itself.
fn ended(bench: &Bench, args: &[&str]) -> Output {
    let mut child = bench.start(args);
    let begun = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if begun.elapsed() > Duration::from_secs(120) {
            child.kill().expect("a process");
            panic!("{args:?} waits for ever");
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("a process that has ended")
}

/// Runs the program, which must refuse its input. Returns the text on standard error.
fn refused(bench: &Bench, args: &[&str]) -> String {
    let output = ended(bench, args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(1..=3)) && said.contains("error: "), "{args:?}: {said}");
    said
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_in_the_place_of_a_file_is_answered_in_a_sentence() {
    let bench = Bench::of_games();
    assert!(Command::new("mkfifo").arg(bench.path("pipe")).status().expect("mkfifo").success());
    for file in ["pipe", "/dev/zero"] {
        for args in [
            &["games.pgn", "--aliases", file][..],
            &["expect", "--elo", "2000", "--calibration", file],
            &["calibrate", "--sums", file],
            &["selfplay", "--recorded", file],
            &["selfplay", "--depths", "1", "--anchor", file],
            &["games.pgn", "--depth", "1", "--store", file],
            &["store", "stats", file],
            &["merge", file],
            &["report", file, "games.pgn"],
            &["learn", "games.pgn", "--start-weights", file],
            &["spar", "--memory", file],
            &["selfplay", "--entrant", "a=builtin@1", "--entrant", &format!("b={file}@1")],
        ] {
            refused(&bench, args);
        }
    }
    assert!(refused(&bench, &["games.pgn", "--aliases", "pipe"]).contains("not a regular file"));
    assert!(refused(&bench, &["/dev/zero"]).contains("/dev/zero: is a device, not a file of games"));
    // Games may come from a pipe, but only if a program writes to it.
    assert!(refused(&bench, &["pipe", "--depth", "1"]).contains("nothing writes to this pipe"));
    let (path, games) = (bench.path("pipe"), bench.read("games.pgn"));
    let writer = thread::spawn(move || fs::write(path, games));
    let output = ended(&bench, &["pipe", "--depth", "1", "--plots", "none", "--output", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    writer.join().expect("a thread").expect("a reader");
}

#[test]
fn what_unpacks_without_end_is_refused_at_its_bound() {
    let bench = Bench::of_games();
    let endless = io::repeat(b'#').take(300 << 20);
    bench.write("bomb.zst", &zstd::encode_all(endless, 1).expect("memory"));
    for args in
        [&["calibrate", "--sums", "bomb.zst"][..], &["selfplay", "--depths", "1", "--openings", "bomb.zst"]]
    {
        let said = refused(&bench, args);
        assert!(said.contains("bomb.zst") && said.contains("it is larger than 256 MiB"), "{said}");
    }
}

#[test]
fn games_of_an_event_that_an_earlier_event_has_too_are_left_out_of_a_calibration() {
    let bench = Bench::of_games();
    let more = "\n[Event \"Test\"]\n[Round \"4\"]\n[White \"Alpha, Anna\"]\n[Black \"Gamma, Gus\"]\n[WhiteElo \"2500\"]\n\
        [BlackElo \"2450\"]\n\n1. d4 d5 2. c4 1/2-1/2\n";
    bench.write("copy.pgn", GAMES.as_bytes());
    bench.write("more.pgn", [GAMES, more].concat().as_bytes());
    let told = |args: &[&str]| refused(&bench, &[&["calibrate", "games.pgn"], args].concat());
    let alone = told(&[]);
    let moves = |said: &str| said[said.rfind("error: ").expect("an error")..].to_owned();
    for again in [&["games.pgn"][..], &["copy.pgn"]] {
        let said = told(again);
        assert!(said.contains("3 games left out, copied from earlier games (same players, date and moves; the first is in games)"), "{said}");
        assert_eq!(moves(&said), moves(&alone));
    }
    let said = told(&["more.pgn"]);
    assert!(said.contains("more: 3 games left out, copied from earlier games (same players, date and moves; the first is in games)"), "{said}");
    assert!(moves(&said).contains("2 events"), "{said}");
    assert!(!told(&["copy.pgn", "--keep-duplicates"]).contains("left out"));
}

#[test]
fn results_that_are_given_twice_count_once() {
    let bench = Bench::new("");
    let row = |number: u32, players: &str, result: &str| {
        format!("{number},{players},,{result},checkmate,{},{number:016x}\n", 40 + number)
    };
    let rows = [row(0, "a,b", "1-0"), row(1, "b,a", "1/2-1/2"), row(2, "a,b", "0-1"), row(3, "b,a", "0-1")];
    let table =
        |rows: &[String]| ["game,white,black,opening,result,ending,plies,line\n", &rows.concat()].concat();
    bench.write("a.csv", table(&rows).as_bytes());
    bench.write("copy.csv", table(&rows).as_bytes());
    bench.write("part.csv", table(&rows[1..3]).as_bytes());
    let entrants = |files: &[&str], said: &[&str]| {
        let args = ["selfplay", "--plots", "none", "--output", "rated", "--recorded"];
        bench.run(&[&args[..], files].concat()).ended_with(0).said(said);
        bench.text("rated/entrants.csv")
    };
    let once = entrants(&["a.csv"], &["4 games of 2 entrants"]);
    for (again, copies) in [("a.csv", 4), ("copy.csv", 4), ("part.csv", 2)] {
        let told = format!("{copies} games of a later file are also in an earlier one");
        assert_eq!(entrants(&["a.csv", again], &["4 games of 2 entrants", &told]), once, "{again}");
    }
}
