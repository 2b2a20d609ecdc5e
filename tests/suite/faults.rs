//! Tests of bad input, bad engines and bad disks: each gives a clear answer, and nothing is lost.

use std::time::{Duration, Instant};

use crate::program::Bench;
use crate::program::GAMES;
use crate::program::scripted_engine;

/// Runs the program on input without games. Asserts exit code 2, one line on standard error with all of
/// `words`, nothing on standard output, and no report.
fn refuses_input(bench: &Bench, args: &[&str], words: &[&str]) {
    let run = bench.run(args).ended_with(2).said(words);
    assert_eq!(run.stderr.trim_end().lines().count(), 1, "{}", run.stderr);
    assert_eq!(run.stdout, "");
    assert!(!bench.path("reports").exists(), "nothing is written for bad input");
}

#[test]
fn input_that_holds_no_games_is_refused_in_one_line_before_an_engine_starts() {
    let bench = Bench::of_games().with("GAINALYZE_ENGINE", "/no/such/engine");
    bench.write("empty.pgn", b"");
    bench.write("prose.pgn", b"Dear Anna,\n\nthe games are attached.\n");
    bench.write("picture.pgn", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03\xe8");
    refuses_input(&bench, &["nowhere.pgn"], &["error: nowhere.pgn: no such file"]);
    std::fs::create_dir(bench.path("folder")).expect("a temporary folder");
    refuses_input(&bench, &["folder"], &["error: folder: no file in this folder ends in .pgn"]);
    refuses_input(&bench, &["empty.pgn"], &["error: empty.pgn: is empty"]);
    refuses_input(&bench, &["prose.pgn"], &["prose.pgn"]);
    refuses_input(&bench, &["picture.pgn"], &["picture.pgn"]);
    // A command line with only the name of the program gets examples.
    bench.run(&[]).ended_with(2).said(&["no PGN was given", "-", "gainalyze rate games.pgn"]);
}

#[test]
fn one_bad_file_of_several_is_named_before_anything_is_done() {
    let bench = Bench::of_games();
    refuses_input(&bench, &["games.pgn", "nowhere.pgn"], &["nowhere.pgn: no such file"]);
}

#[test]
fn an_engine_that_is_not_there_is_named() {
    let bench = Bench::of_games();
    let named = bench.run(&["games.pgn", "--engine", "./none"]);
    named.ended_with(2).said(&["engine ./none cannot be started: no such file"]);
}

#[test]
fn an_engine_named_without_a_path_may_be_a_file_here() {
    let bench = Bench::of_games();
    std::os::unix::fs::symlink(scripted_engine(), bench.path("my-engine")).expect("a link");
    bench.run(&["games.pgn", "--engine", "my-engine"]).ended_with(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_error_or_output_ends_no_run_in_a_panic() {
    let bench = Bench::of_games();
    bench.run_in_shell("", "games.pgn --plots none", "2>/dev/full").ended_with(0);
    bench.run_in_shell("", "games.pgn --plots none", ">/dev/full").ended_with(1);
    for file in ["players.csv", "summary.json", "run.json"] {
        let file = format!("reports/games/{file}");
        assert!(bench.path(&file).exists(), "{file} does not depend on the terminal");
    }
}

#[test]
fn a_disk_without_room_is_an_error_and_leaves_no_half_written_file() {
    // The shell limits files to two kilobytes. A longer write is an error, as on a full disk.
    let full = "trap '' 25; ulimit -f 4;";
    let bench = Bench::of_games();
    let run = bench.run_in_shell(full, "games.pgn --plots none --no-store", "").ended_with(1);
    run.said(&["cannot write", "moves.csv"]);
    assert!(!bench.path("reports").exists(), "a part of a report is none, and nothing half written stays");
    let bench = Bench::of_games();
    bench
        .run_in_shell(full, "games.pgn --plots none", "")
        .ended_with(1)
        .said(&["error: store ", "cannot be used"]);
}

#[test]
fn an_annotated_file_is_neither_emptied_nor_written_over_the_input() {
    let bench = Bench::of_games();
    bench.write("kept.pgn", b"something of value");
    bench.run(&["games.pgn", "--evals", "pgn", "--annotate", "kept.pgn"]).ended_with(2);
    assert_eq!(bench.text("kept.pgn"), "something of value");
    let foreign = bench.run(&["games.pgn", "--annotate", "kept.pgn"]).ended_with(2);
    let words = [
        "kept.pgn already exists, but an earlier run into reports/games-scripted-1-0-depth-10 did not write it",
        "--force",
    ];
    foreign.said(&words);
    assert_eq!(bench.text("kept.pgn"), "something of value");
    bench.run(&["games.pgn", "--annotate", "kept.pgn", "--force"]).ended_with(0);
    bench.run(&["games.pgn", "--annotate", "kept.pgn"]).ended_with(0);
    let over = bench.run(&["games.pgn", "--annotate", "./games.pgn"]).ended_with(2);
    over.said(&["--annotate and PGN name the same file: "]);
    let own = bench.run(&["games.pgn", "--output", "o", "--annotate", "o/../o/run.json"]).ended_with(2);
    own.said(&["run.json is a file of the results"]);
    let own =
        bench.run(&["games.pgn", "--output", "o", "--annotate", "o/moves.csv", "--force"]).ended_with(2);
    own.said(&["moves.csv is a file of the results"]);
    bench.run(&["games.pgn", "--output", "o", "--annotate", "o/annotated.pgn"]).ended_with(0);
    assert!(bench.text("o/annotated.pgn").contains("[%eval"));
    assert_eq!(bench.text("games.pgn"), GAMES);
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused_before_the_first_search() {
    let bench = Bench::new(&[GAMES, "[White \"A\"]\n\n1. Qxh9 *\n\n"].concat());
    let refused = |args: &[&str]| bench.run(&[&["games.pgn"], args].concat()).ended_with(2);
    refused(&["--plots", "png,none"]).said(&["--plots none cannot go with another format"]);
    refused(&["--plots", "none", "--no-html", "--game", "2"]).said(&["--game 2 asks for a picture"]);
    refused(&["--plots", "gif"]).said(&["png, svg, none"]);
    refused(&["--game", "0"]).said(&["the games are numbered from 1 to 4; choose another with --game"]);
    refused(&["--game", "2", "--game", "5"])
        .said(&["game 5 cannot be shown", "from 1 to 4; choose another with --game"]);
    refused(&["--game", "4"]).said(&["game 4 cannot be shown", "cannot be read"]);
    assert!(!bench.path("reports").exists(), "nothing was begun");
}

#[test]
fn one_game_that_breaks_the_engine_in_many_hands_does_not_take_the_others_along() {
    let knights =
        |n: usize| ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(n).collect::<Vec<_>>().join(" ");
    let game = |white: &str, moves: &str| format!("[White \"{white}\"]\n[Black \"B\"]\n\n{moves} *\n\n");
    let bad = game("Bad", &format!("h3 h6 {}", knights(60)));
    let bench = Bench::new(&[bad, game("Good", &knights(9)), game("Better", &knights(7))].concat());
    let bench = bench.with_fault("crash-on=h2h3 h7h6");
    let run = bench.run(&["games.pgn", "--segment", "3", "--jobs", "8"]).ended_with(3);
    assert_eq!(run.stderr.matches("left out").count(), 1, "{}", run.stderr);
    assert_eq!(bench.summary("reports/games")["games"]["analysed"], 2);
}

#[test]
fn a_file_that_is_not_executable_is_not_taken_for_an_engine() {
    let bench = Bench::of_games();
    bench.write("engine.txt", b"no program");
    let run = bench.run(&["games.pgn", "--engine", "./engine.txt"]).ended_with(2);
    run.said(&["engine ./engine.txt cannot be started", "not an executable"]);
}

#[test]
fn an_engine_that_dies_at_once_is_quoted() {
    let bench = Bench::of_games().with_fault("gone");
    bench.run(&["games.pgn"]).ended_with(2).said(&["exit status: 7", "cannot load my weights"]);
}

#[test]
fn a_program_that_never_says_uciok_is_not_a_uci_engine() {
    let bench = Bench::of_games().with_fault("not-uci");
    let start = Instant::now();
    bench.run(&["games.pgn"]).ended_with(2).said(&["uciok", "not a UCI engine"]);
    assert!(start.elapsed() >= Duration::from_secs(10), "an engine has ten seconds for its greeting");
}

#[test]
fn options_are_checked_against_what_the_engine_announces() {
    let bench = Bench::of_games();
    let asked = |option: &str| bench.run(&["games.pgn", "--engine-option", option]).ended_with(2);
    asked("Threats=1").said(&["no option \"Threats\"", "Threads", "Style"]);
    asked("Threads=9").said(&["Threads cannot be \"9\"", "from 1 to 4"]);
    asked("Style=Wild").said(&["one of Solid, Risky"]);
    asked("Hash=a\nquit").said(&["control character"]);
    bench.run(&["games.pgn", "--hash", "4096"]).ended_with(2).said(&["Hash", "from 1 to 128"]);
    bench.run(&["games.pgn", "--engine-option", "style=risky"]).ended_with(0);
    assert_eq!(bench.summary("reports/games")["evaluations"]["engine"]["options"]["Style"], "Risky");
}

#[test]
fn more_than_one_thread_is_answered_with_a_warning() {
    let run = Bench::of_games().run(&["games.pgn", "--engine-option", "Threads=2"]);
    run.ended_with(0).said(&["warning: with Threads above 1", "not reproducible"]);
}

#[test]
fn an_engine_that_crashes_once_leaves_no_trace_in_the_tables() {
    let (sound, crashing) = (Bench::of_games(), Bench::of_games().with_fault("crash-once"));
    let calm = sound.run(&["games.pgn"]).ended_with(0);
    let restarted = crashing.run(&["games.pgn"]).ended_with(0).said(&["is restarted", "exit status: 9"]);
    assert_eq!(calm.stdout, restarted.stdout);
    assert_eq!(sound.files("reports/games"), crashing.files("reports/games"));
}

#[test]
fn a_game_on_which_the_engine_always_fails_is_left_out_and_the_rest_is_reported() {
    let bench = Bench::of_games().with_fault("crash-on=f2f3 e7e5");
    let run = bench.run(&["games.pgn"]).ended_with(3);
    let run = run.said(&["left out: games.pgn, game 3 (Gamma, Gus – Alpha, Anna)"]);
    assert!(run.stdout.contains("Beta, Bert"), "{}", run.stdout);
    let games = &bench.summary("reports/games")["games"];
    assert_eq!((&games["read"], &games["analysed"]), (&3.into(), &2.into()));
    assert_eq!(games["left_out"][0]["game"], 3);
    assert!(games["left_out"][0]["reason"].as_str().expect("a reason").contains("exit status: 9"));
}

#[test]
fn an_engine_that_fails_on_everything_ends_with_an_error() {
    for fault in ["crash", "no-score", "illegal"] {
        let bench = Bench::of_games().with_fault(fault);
        let run = bench.run(&["games.pgn"]).ended_with(3).said(&["no game could be evaluated"]);
        assert_eq!(run.stderr.contains("my network is gone I leave"), fault == "crash", "{}", run.stderr);
    }
}

#[test]
fn silence_and_babble_are_found_out() {
    for fault in ["stall", "babble", "drift", "repeat"] {
        let bench = Bench::new(&GAMES[GAMES.rfind("[Event").expect("a game")..]).with_fault(fault);
        let run = bench.run(&["games.pgn", "--engine-timeout", "1"]).ended_with(3);
        run.said(&["reached no new depth for 1 s", "left out"]);
    }
}

#[test]
fn bytes_that_are_no_text_do_not_hide_a_score() {
    let (sound, noisy) = (Bench::of_games(), Bench::of_games().with_fault("noise"));
    for bench in [&sound, &noisy] {
        bench.run(&["games.pgn"]).ended_with(0);
    }
    let players = |bench: &Bench| bench.text("reports/games/players.csv");
    assert_eq!(players(&sound), players(&noisy));
}

#[test]
fn a_folder_that_cannot_be_written_is_known_before_the_search() {
    let bench = Bench::of_games().with_fault("crash");
    bench.write("file", b"");
    std::fs::create_dir(bench.path("cache")).expect("a folder");
    let refused = |args: &[&str]| bench.run(&[&["games.pgn"], args].concat()).ended_with(2);
    refused(&["--output", "file"]).said(&["file is not a directory"]);
    refused(&["--output", "file/below"]).said(&["cannot create directory file/below"]);
    refused(&["--annotate", "cache"]).said(&["cache is not a file"]);
    let missing = refused(&["--annotate", "no/such/folder.pgn"]);
    let missing = missing.said(&["cannot write no/such/folder.pgn: the folder no/such is missing\n"]);
    assert!(!missing.stderr.contains(".gainalyze-"), "{}", missing.stderr);
    bench
        .run(&["games.pgn", "--store", "file/below/store.sqlite"])
        .ended_with(1)
        .said(&["store file/below/store.sqlite"]);
}

#[test]
fn a_store_that_is_damaged_foreign_or_newer_is_left_alone() {
    let bench = Bench::of_games();
    bench.write("damaged.sqlite", &[b'x'; 5000]);
    let sql = |file: &str, sql: &str| {
        let connection = rusqlite::Connection::open(bench.path(file)).expect("a database");
        connection.execute_batch(sql).expect("good SQL");
    };
    sql("foreign.sqlite", "CREATE TABLE birds (name TEXT)");
    sql("newer.sqlite", "PRAGMA application_id = 1734437230; PRAGMA user_version = 99");
    let before = ["foreign.sqlite", "newer.sqlite"].map(|name| bench.read(name));
    let with_store = |store: &str| bench.run(&["games.pgn", "--store", store]).ended_with(1);
    with_store("damaged.sqlite").said(&["damaged.sqlite: the file is not a store of gainalyze"]);
    with_store("foreign.sqlite").said(&["foreign.sqlite: the file is not a store of gainalyze"]);
    with_store("newer.sqlite").said(&["newer.sqlite: version 99 is newer"]);
    with_store(":memory:").said(&["store \":memory:\": not a file name"]);
    assert_eq!(bench.read("damaged.sqlite"), [b'x'; 5000]);
    assert!(["foreign.sqlite", "newer.sqlite"].map(|name| bench.read(name)) == before, "they were changed");
}

#[test]
fn names_are_data_wherever_they_go() {
    let hostile = GAMES
        .replace("Alpha, Anna", "=HYPERLINK(\"\"x\"\",1)")
        .replace("=HYPERLINK(\"\"x\"\",1)", "=HYPERLINK(1)")
        .replace("Beta, Bert", "../../etc/passwd")
        .replace("Gamma, Gus", "\u{1b}[31mred\u{202e}\\\"x\\\"");
    let bench = Bench::new(&hostile);
    let run = bench.run(&["games.pgn", "--also", "histograms"]).ended_with(0);
    assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{}", run.stdout);
    let players = bench.text("reports/games/players.csv");
    assert!(players.lines().skip(1).all(|line| !line.starts_with(['=', '+', '-', '@'])), "{players}");
    let pictures = bench.files("reports/games").into_keys().filter(|name| name.starts_with("histogram-"));
    let expected = |name: &String| name.ends_with(".png") && !name.contains("..");
    assert_eq!(pictures.filter(expected).count(), 3);
    assert!(!bench.path("../etc").exists());
}

#[test]
fn a_game_that_cannot_be_replayed_is_named_and_the_others_are_analyzed() {
    let broken = GAMES.replace("4. Qxf7#", "4. Qxf8#");
    let run = Bench::new(&broken).run(&["games.pgn"]).ended_with(0);
    run.said(&[
        "warning: left out: games.pgn, game 1 (Alpha, Anna – Beta, Bert): ply 7: illegal move \"Qxf8",
    ]);
}

#[test]
fn the_engine_may_be_named_by_a_relative_path() {
    let bench = Bench::of_games();
    std::os::unix::fs::symlink(scripted_engine(), bench.path("engine")).expect("a link");
    bench.run(&["games.pgn", "--engine", "./engine"]).ended_with(0);
}
