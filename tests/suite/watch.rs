//! Tests of games that are still being played: files that grow in the middle of a game, a line or a comment.

use std::{fs::OpenOptions, io::Write};

use gainalyze::chess::GameReader;

use crate::interruption::signal;
use crate::interruption::wait_until;
use crate::program::Bench;
use crate::program::Run;

const OPTIONS: [&str; 11] = [
    "--engine",
    "builtin",
    "--depth",
    "3",
    "--interval",
    "1",
    "--plots",
    "none",
    "--calibration",
    "none",
    "--output=out",
];

const FIRST: &str = "[Event \"Round 1\"]\n[White \"Anna\"]\n[Black \"Bert\"]\n[Result \"*\"]\n\n";

fn append(bench: &Bench, text: &str) {
    let mut file = OpenOptions::new().append(true).open(bench.path("live.pgn")).expect("a file of ours");
    file.write_all(text.as_bytes()).expect("room");
}

/// Returns the number of moves in the table of the last report; 0 before the first report.
fn moves(bench: &Bench) -> usize {
    let table = std::fs::read_to_string(bench.path("out/moves.csv")).unwrap_or_default();
    table.lines().count().saturating_sub(1)
}

fn args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["watch", "live.pgn"], &OPTIONS[..], more].concat()
}

#[test]
fn a_file_that_grows_in_the_middle_of_a_game_and_of_a_line_is_followed_until_all_is_done() {
    let bench = Bench::of_games();
    bench.write("live.pgn", (FIRST.to_owned() + "1. e4 e").as_bytes());
    let child = bench.start(&args(&["--until-done"]));
    wait_until("the first move", || moves(&bench) == 1);
    let page = bench.text("out/report.html");
    for part in [
        "id=\"live\" data-seconds=\"1\"",
        "Games are in progress.",
        "<h1 class=\"finding\">Anna against Bert",
        ", in progress</h1>",
        "<strong class=\"result\">in progress</strong>",
        "aria-label=\"Position after 1. e4\"",
    ] {
        assert!(page.contains(part), "{part} is not in:\n{page}");
    }
    append(&bench, "5 2. Nf3 { [%clk 0:5");
    wait_until("two moves more", || moves(&bench) == 3);
    assert!(!bench.text("out/report.html").contains("59:30"), "the clock is not complete");
    append(&bench, "9:30] } (2. f4 exf4) 2... Nc6 1-0\n\n[Event \"Round 2\"]\n[White \"Be");
    wait_until("the end of the first game", || moves(&bench) == 4);
    wait_until("the page that says so", || {
        bench.text("out/report.html").contains("Every game has its result.")
    });
    append(&bench, "rt\"]\n[Black \"Anna\"]\n\n1. d4 d5 0-1\n");
    let run = Run::new(child.wait_with_output().expect("it ends")).ended_with(0);
    run.said(&[
        "1 game, 1 under way, 1 move",
        "the page: out/report.html",
        "1 game, none under way, 4 moves",
        "2 games, none under way, 6 moves",
    ]);
    let page = bench.text("out/report.html");
    assert!(!page.contains("id=\"live\"") && !page.contains("in progress<"), "nobody writes it anew");
    let whole = [&["live.pgn"], &OPTIONS[..4], &OPTIONS[6..10], &["--output", "whole"]].concat();
    bench.run(&whole).ended_with(0);
    for name in ["moves.csv", "games.csv", "players.csv"] {
        assert_eq!(bench.text(&format!("out/{name}")), bench.text(&format!("whole/{name}")), "{name}");
    }
    assert_eq!(bench.run_json("whole")["searches"]["made"], 0, "all of it is stored");
}

#[test]
fn a_file_that_adds_only_its_end_is_done() {
    let bench = Bench::of_games();
    bench.write("live.pgn", (FIRST.replace('*', "1-0") + "1. e4 e5").as_bytes());
    let child = bench.start(&args(&["--until-done"]));
    wait_until("both moves", || moves(&bench) == 2);
    append(&bench, " 1-0\n");
    Run::new(child.wait_with_output().expect("it ends")).ended_with(0);
    assert!(!bench.text("out/report.html").contains("id=\"live\""), "nobody writes it anew");
}

#[test]
fn the_games_in_progress_are_boards_with_clocks_and_an_unknown_result_in_a_file_remains_unknown() {
    let bench = Bench::of_games();
    let second = FIRST.replace("\"Anna\"", "\"Carl\"").replace("\"Bert\"", "\"Dora\"");
    let games = [
        &FIRST.replace('*', "1-0"),
        "1. e4 e5 2. Nf3 1-0\n\n",
        &second,
        "1. d4 { [%clk 1:59:30] } d5 { [%clk 1:58:00] } 2. c4 { [%clk 1:57:00] } *\n",
    ];
    bench.write("live.pgn", games.concat().as_bytes());
    let child = bench.start(&args(&[]));
    wait_until("all moves", || moves(&bench) == 6);
    wait_until("the page", || bench.text("out/report.html").contains("id=\"boards\""));
    signal(&child, "INT");
    Run::new(child.wait_with_output().expect("it ends"));
    let page = bench.text("out/report.html");
    for part in [
        "<h1 class=\"finding\">1 of 2 games is in progress</h1>",
        "aria-label=\"Position after 2. c4\"",
        "<small>to move</small> 1:58:00",
        "1:57:00</span>",
    ] {
        assert!(page.contains(part), "{part} is not in:\n{page}");
    }
    assert_eq!(page.matches("<p class=\"seat\">").count(), 2, "one game of two players");
    bench
        .run(&[&["live.pgn"], &OPTIONS[..4], &OPTIONS[6..10], &["--output", "whole"]].concat())
        .ended_with(0);
    let page = bench.text("whole/report.html");
    assert!(!page.contains("in progress<") && page.contains("<strong class=\"result\">*</strong>"), "{page}");
}

#[test]
fn the_help_has_no_options_for_experiments() {
    let help = Bench::of_games().run(&["watch", "--help"]).ended_with(0).stdout;
    assert!(help.contains("--until-done") && help.contains("--depth"), "{help}");
    for option in ["--bin", "--tie", "--shard", "--queue", "--engine-histogram"] {
        assert!(!help.contains(&format!("{option} ")), "{option}: {help}");
    }
}

#[test]
fn a_folder_without_games_is_waited_on_and_ctrl_c_ends_the_watch() {
    let bench = Bench::of_games();
    std::fs::create_dir(bench.path("round")).expect("room");
    let child = bench.start(&[&["watch", "round"], &OPTIONS[..]].concat());
    std::thread::sleep(std::time::Duration::from_millis(1500));
    bench.write("round/live.pgn", (FIRST.to_owned() + "1. e4 e5 *\n").as_bytes());
    wait_until("two moves", || moves(&bench) == 2);
    signal(&child, "INT");
    let run = Run::new(child.wait_with_output().expect("it ends"));
    assert_eq!(run.code, Some(130), "{}", run.stderr);
    run.said(&["waiting for games", "1 game, 1 under way, 2 moves"]);
    bench.run(&["watch", "missing.pgn"]).ended_with(2).said(&["missing.pgn: no such file or folder"]);
    bench.run(&["watch", "-"]).ended_with(2).said(&["standard input cannot be read again"]);
}

#[test]
fn wherever_a_text_breaks_off_its_games_are_read_as_far_as_their_moves_go() {
    let text = FIRST.to_owned()
        + "1. e4 { [%clk 0:59:30] } e5 $1 2. Nf3 (2. f4 exf4 (2... d5) 3. Nf3) 2... Nc6 ; a line\n3. Bb5 a6 4. Ba4 \
           Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 1-0\n\n[White \"Bert\"]\n[Black \"Anna\"]\n\n1. d4 d5 2. c4 1/2-1/2\n";
    let whole: Vec<_> = GameReader::new(&text, "").map(|game| game.expect("legal")).collect();
    let (mut least, mut most) = (0, 0);
    for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
        let games: Vec<_> = GameReader::new(&text[..end], "").growing(true).collect();
        for (game, full) in games.iter().zip(&whole) {
            let game = game.as_ref().unwrap_or_else(|bad| panic!("{bad}: {:?}", &text[..end]));
            let played: Vec<_> = game.moves.iter().map(|played| played.uci).collect();
            let all: Vec<_> = full.moves.iter().map(|played| played.uci).collect();
            assert!(all.starts_with(&played), "{:?}", &text[..end]);
        }
        let plies = games.iter().flatten().map(|game| game.moves.len()).sum::<usize>();
        // A half-written move is not read, unless its beginning is a move too.
        assert!(plies + 1 >= most, "{plies} after {most}: {:?}", &text[..end]);
        (least, most) = (least.min(plies), most.max(plies));
    }
    assert_eq!((least, most), (0, 17));
}
