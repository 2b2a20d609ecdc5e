//! Tests of files and folders without readable games: files to skip, and files that end a run.

use std::fs;

use crate::program::Bench;
use crate::program::GAMES;

/// A game that is unreadable because of an illegal move.
const UNREADABLE: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 Qh9 *\n";

#[test]
fn a_file_without_a_readable_game_is_named_and_the_others_are_read() {
    let bench = Bench::of_games();
    bench.write("empty.pgn", b" \n");
    bench.write("unreadable.pgn", UNREADABLE.as_bytes());
    bench.write("zip.pgn", b"PK\x03\x04 and so on");
    let files = ["empty.pgn", "unreadable.pgn", "games.pgn", "zip.pgn", "--output", "reports/games"];
    let run = bench.run(&files).ended_with(0).said(&[
        "skipped: empty.pgn: is empty",
        "skipped: no game of unreadable.pgn can be read; the first problem is unreadable.pgn, game 1 (A – B): ply 2",
        "skipped: zip.pgn: is compressed (zip)",
    ]);
    assert!(!run.stderr.contains("error:"), "{}", run.stderr);
    assert_eq!(bench.summary("reports/games")["games"]["analysed"], 3);
}

#[test]
fn each_on_its_own_passes_over_what_gives_no_game_too() {
    let bench = Bench::of_games();
    bench.write("empty.pgn", b"");
    bench.write("unreadable.pgn", UNREADABLE.as_bytes());
    let run = bench.run(&["empty.pgn", "games.pgn", "unreadable.pgn", "--separately"]).ended_with(0);
    run.said(&["skipped: empty.pgn: is empty", "skipped: no game of unreadable.pgn can be read"]);
    assert_eq!(bench.summary("reports/games")["games"]["analysed"], 3);
    let run = bench.run(&["empty.pgn", "unreadable.pgn", "--separately"]).ended_with(2);
    run.said(&["error: empty.pgn: is empty"]);
}

#[test]
fn nothing_but_what_gives_no_game_is_an_error() {
    let bench = Bench::of_games();
    bench.write("empty.pgn", b"");
    bench.write("unreadable.pgn", UNREADABLE.as_bytes());
    bench.run(&["empty.pgn"]).ended_with(2).said(&["error: empty.pgn: is empty"]);
    let run = bench.run(&["empty.pgn", "unreadable.pgn"]).ended_with(2);
    run.said(&["skipped: empty.pgn", "error: none of the 2 files has a readable game"]);
    let strict = bench.run(&["empty.pgn", "games.pgn", "--strict"]).ended_with(2);
    strict.said(&["error: empty.pgn: is empty"]);
    bench.run(&["games.pgn", "none.pgn"]).ended_with(2).said(&["error: none.pgn: no such file"]);
    assert!(!bench.path("reports").exists(), "nothing is made of nothing");
}

#[test]
fn an_archive_passes_over_a_file_without_a_game() {
    let bench = Bench::new("[White \"A\"]\n[Black \"B\"]\n\n1. e4 {[%eval 0.1]} e5 {[%eval 0.3]} *\n");
    bench.write("empty.pgn", b"");
    let run = bench.run(&["archive", "empty.pgn", "games.pgn", "--by", "player", "--plots", "none"]);
    run.ended_with(0).said(&["skipped: empty.pgn: is empty", "1 game read"]);
    let run = bench.run(&["archive", "empty.pgn", "empty.pgn", "--by", "player"]).ended_with(2);
    run.said(&["error: empty.pgn: is empty"]);
    let strict = bench.run(&["archive", "empty.pgn", "games.pgn", "--by", "player", "--strict"]);
    strict.ended_with(2).said(&["empty.pgn: is empty"]);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_or_in_a_circle_is_named_and_the_rest_of_a_folder_is_read() {
    use std::os::unix::fs::symlink;

    let bench = Bench::of_games();
    let folder = bench.path("folder");
    fs::create_dir_all(folder.join("deep")).expect("a folder");
    fs::write(folder.join("deep/games.pgn"), GAMES).expect("a file");
    for (to, link) in
        [("nowhere", "dangling.pgn"), ("nowhere", "notes"), (".", "circle"), ("loop.pgn", "loop.pgn")]
    {
        symlink(to, folder.join(link)).expect("a link");
    }
    let run = bench.run(&["folder"]).ended_with(0).said(&[
        "skipped: folder/dangling.pgn: is a link to a missing file",
        "skipped: folder/circle: is a link to one of its parent folders",
        "skipped: folder/loop.pgn",
    ]);
    assert!(!run.stderr.contains("notes"), "a link that is called no file of games: {}", run.stderr);
    assert_eq!(bench.summary("reports/folder")["games"]["analysed"], 3);
    fs::remove_dir_all(folder.join("deep")).expect("a folder");
    bench.run(&["folder"]).ended_with(2).said(&["error: folder/"]);
}

#[test]
fn of_two_copies_the_one_with_evaluations_is_taken_whatever_the_order() {
    let game = |moves: &str| format!("[White \"A\"]\n[Black \"B\"]\n[Date \"2020.01.01\"]\n\n{moves} *\n");
    let bench = Bench::new(&game("1. e4 e5 2. Nf3"));
    bench.write("with.pgn", game("1. e4 {[%eval 0.1]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.2]}").as_bytes());
    let args = ["--evals", "pgn", "--output", "out", "--plots", "none"];
    for files in [["games.pgn", "with.pgn"], ["with.pgn", "games.pgn"]] {
        let run = bench.run(&[&files[..], &args].concat()).ended_with(0);
        run.said(&[
            "1 game is a copy of another (same players, date and moves)",
            "games.pgn, game 1 (A – B)",
        ]);
        assert_eq!(bench.summary("out")["games"]["analysed"], 1);
    }
}

#[test]
fn short_games_of_unknown_players_and_date_are_not_copies_of_each_other() {
    let game = |tags: &str| {
        format!(
            "[Event \"a\"]\n{tags}\n1. e4 {{[%eval 0.1]}} e5 {{[%eval 0.3]}} 2. Nf3 {{[%eval 0.2]}} *\n\n"
        )
    };
    let bench = Bench::new(&game("").repeat(2));
    bench.write("named.pgn", game("[White \"A\"]\n").repeat(2).as_bytes());
    for (file, games) in [("games", 2), ("named", 1)] {
        let pgn = format!("{file}.pgn");
        bench.run(&[&pgn, "--evals", "pgn", "--output", file, "--plots", "none"]).ended_with(0);
        assert_eq!(bench.summary(file)["games"]["analysed"], games);
        let run = bench.run(&["archive", &pgn, "--by", "player", "--output", "counts", "--plots", "none"]);
        run.ended_with(0).said(&[&format!("; {games} counted")]);
    }
}
