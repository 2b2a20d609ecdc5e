//! Tests of harmful input: its sound games are counted, and the other games are left out with a reason.

use std::{collections::BTreeMap, fs, num::NonZeroUsize, path::PathBuf};

use gainalyze::chess::pgn::LARGEST_GAME;
use gainalyze::measure::LeftOutReason;
use tempfile::TempDir;

use crate::odd::Answer;
use crate::odd::packed;
use crate::program::Bench;
use crate::program::GAMES;

/// Returns a good game with its own date and two gains: 0 and −10.
fn game(number: usize) -> String {
    let (white, year) = (number % 7, 1000 + number);
    format!(
        "[Event \"hostile\"]\n[Date \"{year}.01.01\"]\n[White \"W{white}\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
         1. d4 {{ [%eval 0.2] }} d5 {{ [%eval 0.2] }} 2. c4 {{ [%eval 0.1] }} 1-0\n\n"
    )
}

fn games(count: usize) -> String {
    (0..count).map(game).collect()
}

/// Writes a file with these bytes into a temporary folder. Returns the folder and the file's path.
fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a temporary folder");
    (folder, path)
}

fn answer(bytes: &[u8]) -> Answer {
    let (_folder, path) = file("hostile.pgn", bytes);
    Answer::of_archive(&path, 2)
}

/// Asserts that the two games before and the two games after `what` count, and that `what` is left out as one
/// game for `reason`.
fn leaves_out(what: &str, reason: LeftOutReason) {
    let found = answer([&games(2), what, &game(2), &game(3)].concat().as_bytes());
    assert_eq!(found.left_out, BTreeMap::from([(reason, 1)]), "{:?}", found.faults);
    assert_eq!((found.games, found.entries.len()), (5, 4));
}

const HEAD: &str = "[Event \"hostile\"]\n[White \"Mallory\"]\n\n";
const LARGE: usize = LARGEST_GAME + 1000;

#[test]
fn what_is_larger_than_any_game_is_left_out_and_nothing_around_it() {
    leaves_out(&format!("{HEAD}1. e4 {{{}}} 1-0\n\n", " comment".repeat(LARGE / 8)), LeftOutReason::TooLarge);
    leaves_out(
        &format!("{HEAD}1. e4 {{{}}} 1-0\n\n", "\n1-0\n\n1. e4".repeat(LARGE / 11)),
        LeftOutReason::TooLarge,
    );
    leaves_out(&format!("[Event \"{}\"]\n\n1. e4 1-0\n\n", "x".repeat(LARGE)), LeftOutReason::TooLarge);
    leaves_out(&format!("{}\n\n", "junk ".repeat(LARGE / 5)), LeftOutReason::TooLarge);
    // Most of these look like the end of the previous game.
    leaves_out(&"\0".repeat(LARGE), LeftOutReason::Unreadable);
}

#[test]
fn a_long_line_a_long_tag_and_many_brackets_are_borne_or_left_out() {
    leaves_out(&format!("{HEAD}1. e4 {}1-0\n\n", "(".repeat(1_000_000)), LeftOutReason::Unreadable);
    leaves_out(&format!("{HEAD}1. e4 {}1-0\n\n", "{}".repeat(1_000_000)), LeftOutReason::Unreadable);
    leaves_out(&format!("{HEAD}1. e4 {{{}\n\n", "[".repeat(1_000_000)), LeftOutReason::Unreadable);
    leaves_out(&format!("{HEAD}1. e4 {}1-0\n\n", "(1. d4 ".repeat(10_000)), LeftOutReason::Unreadable);
    let nested =
        format!("{HEAD}1. e4 {} 1-0\n\n", ["(1. d4 ", ") "].map(|part| part.repeat(10_000)).concat());
    leaves_out(&nested, LeftOutReason::NoEvaluations);
    leaves_out(&format!("{HEAD}1. e4 {{{}}} 1-0\n\n", "x ".repeat(1_000_000)), LeftOutReason::NoEvaluations);
    leaves_out(&format!("{}\n1. e4 1-0\n\n", "[A \"b\"]\n".repeat(70_000)), LeftOutReason::Unreadable);
    leaves_out(
        &format!("[White \"{}\"]\n[Event \"x\"]\n\n1-0\n\n", "x".repeat(1_000_000)),
        LeftOutReason::NoMoves,
    );
}

#[test]
fn a_packed_file_that_is_cut_off_gives_the_games_before_the_cut() {
    // The names do not repeat, so that the compressed file has some size.
    let whole = 3000;
    for (ending, bytes) in packed(games(whole).as_bytes()) {
        let (_folder, path) = file(&format!("cut.pgn.{ending}"), &bytes[..bytes.len() * 2 / 3]);
        let found = Answer::of_archive(&path, 2);
        assert!(found.torn, "{ending}");
        let (counted, cut) = (found.entries.len(), found.left_out.values().sum::<u64>());
        assert_eq!(counted as u64 + cut, found.games, "{ending}");
        assert!(cut <= 1 && found.left_out.keys().all(|reason| *reason == LeftOutReason::CutOff), "{ending}");
        let names = found.entries.iter().enumerate();
        assert!(names.into_iter().all(|(at, entry)| {
            entry.moves.len() == 2
                && entry.sides.white.as_ref().is_some_and(|side| side.group == format!("W{}", at % 7))
        }));
        // bzip2 packs blocks of at least 100 kB.
        assert!(counted > whole / 4 && counted < whole, "{ending}: {counted}");
    }
}

#[test]
fn damage_in_the_middle_of_a_packed_file_is_told_and_what_stands_before_it_counts() {
    for (ending, good) in packed(games(2000).as_bytes()) {
        let mut bytes = [good.clone(), good].concat();
        let middle = bytes.len() / 2;
        // The header of the second frame, member or stream.
        bytes[middle..middle + 64].fill(0x55);
        let (_folder, path) = file(&format!("bad.pgn.{ending}"), &bytes);
        let found = Answer::of_archive(&path, 2);
        assert_eq!(found.entries.len(), 2000, "{ending}");
        assert_eq!((found.games, found.left_out), (2000, BTreeMap::new()), "{ending}");
    }
}

#[test]
fn garbage_behind_a_packed_file_costs_no_game() {
    for (ending, mut bytes) in packed(games(5).as_bytes()) {
        bytes.extend(b"\0\0\0\0 what is this? \xff\xfe");
        let (_folder, path) = file(&format!("tail.pgn.{ending}"), &bytes);
        let found = Answer::of_archive(&path, 1);
        assert_eq!((found.entries.len(), found.games), (5, 5), "{ending}");
    }
}

#[test]
fn a_file_that_breaks_off_while_text_is_skipped_has_no_games_from_the_midst_of_it() {
    let text = format!("{}{HEAD}1. e4 {{{}", games(3), "1-0\n1. e4 e5 1-0\n".repeat(LARGE / 16));
    let bytes = zstd::encode_all(text.as_bytes(), 1).expect("memory");
    let (_folder, path) = file("cut.pgn.zst", &bytes[..bytes.len() - 2]);
    let found = Answer::of_archive(&path, 1);
    assert!(found.torn);
    assert_eq!((found.entries.len(), found.left_out), (3, BTreeMap::from([(LeftOutReason::TooLarge, 1)])));
}

#[test]
fn more_files_than_there_are_blocks_in_flight_are_read_to_the_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files: Vec<PathBuf> = (0..40).map(|number| folder.path().join(format!("{number}.pgn"))).collect();
    for (number, file) in files.iter().enumerate() {
        fs::write(file, if number % 3 == 0 { String::new() } else { game(number) }).expect("a folder");
    }
    let mut counted = 0;
    let flow =
        gainalyze::measure::archive::read_archive(&files, &crate::odd::terms(), NonZeroUsize::MIN, |event| {
            counted += usize::from(matches!(event, gainalyze::measure::archive::ArchiveEvent::Game { .. }));
            std::ops::ControlFlow::<()>::Continue(())
        });
    assert!(flow.is_continue());
    assert_eq!(counted, 26);
}

#[cfg(unix)]
mod of_the_program {
    use super::*;
    use crate::program::Bench;

    fn bench(name: &str, bytes: &[u8]) -> Bench {
        let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
        bench.write(name, bytes);
        bench
    }

    const BY_DEFAULT: [&str; 8] =
        ["analyze", "--evals", "pgn", "--no-html", "--plots", "none", "--bootstrap", "0"];
    const BY_PLAYER: [&str; 3] = ["archive", "--by", "player"];

    fn run(bench: &Bench, name: &str, args: &[&str], more: &[&str]) -> crate::program::Run {
        bench.run(&[args, &[name], more].concat())
    }

    #[test]
    fn a_file_that_breaks_off_is_reported_up_to_there_and_stops_a_strict_run() {
        for (ending, bytes) in packed(games(1500).as_bytes()) {
            let name = format!("cut.pgn.{ending}");
            let bench = bench(&name, &bytes[..bytes.len() * 2 / 3]);
            for args in [&BY_DEFAULT[..], &BY_PLAYER] {
                let told = format!("{name} breaks off after ");
                run(&bench, &name, args, &[]).ended_with(0).said(&[&told, "left out"]);
                let strict = run(&bench, &name, args, &["--strict"]).ended_with(2);
                strict.said(&["error: ", "; leave out --strict to read the other games"]);
            }
        }
    }

    #[test]
    fn a_strict_run_stops_at_the_first_game_that_cannot_be_read() {
        let bad = format!("{}{HEAD}1. Xf3 1-0\n\n{}", games(2), game(3));
        let large = format!("{}{HEAD}{{{}}} 1-0\n\n{}", games(2), "x ".repeat(LARGE / 2), game(3));
        for (text, fault) in [(bad, "ply 1: unknown token \"Xf3\""), (large, "larger than 4 MiB")] {
            let bench = bench("games.pgn", text.as_bytes());
            for args in [&BY_DEFAULT[..], &BY_PLAYER] {
                run(&bench, "games.pgn", args, &[]).ended_with(0).said(&["left out: ", fault]);
                let told = run(&bench, "games.pgn", args, &["--strict"]).ended_with(2);
                assert_eq!(told.stdout, "");
                told.said(&[
                    "error: games.pgn, game 3",
                    fault,
                    "; leave out --strict to read the other games",
                ]);
            }
        }
    }

    #[test]
    fn a_file_that_breaks_off_before_any_game_is_refused() {
        for (ending, bytes) in packed(games(30).as_bytes()) {
            let name = format!("cut.pgn.{ending}");
            let bench = bench(&name, &bytes[..14]);
            run(&bench, &name, &BY_DEFAULT, &[]).ended_with(2).said(&[&name]);
            run(&bench, &name, &BY_PLAYER, &[]).ended_with(2).said(&["error: "]);
        }
    }
}

#[test]
fn a_flood_of_games_that_cannot_be_read_is_counted_and_not_told_one_by_one() {
    let bench = Bench::new(&[GAMES, &"1. e5 *\n\n".repeat(30_000)].concat());
    let run = bench.run(&["games.pgn", "--plots", "none"]).ended_with(0);
    let run = run.said(&["left out: 29990 more games (all 30000 by reason: illegal move 30000)"]);
    assert!(run.stderr.len() < 10_000, "{} bytes", run.stderr.len());
    let games = &bench.summary("reports/games")["games"];
    assert_eq!(games["left_out"].as_array().map(Vec::len), Some(100));
    assert_eq!(games["left_out_by_reason"]["illegal move"], 30_000);
    assert!(bench.text("reports/games/report.html").contains("30000 left out"));
}

#[test]
fn no_message_repeats_an_escape_of_its_arguments() {
    let bench = Bench::new("[White \"a\u{1b}[31mb\"]\n[Black \"\u{9b}2J\"]\n\n1. e4 *\n");
    let name = "a\u{1b}]0;title\u{7}\u{202e}.pgn";
    bench.write(name, bench.text("games.pgn").as_bytes());
    let runs: [&[&str]; 5] = [
        &["deep", name, "--ply", "7"],
        &["deep", name, "--game", "7"],
        &["deep", "a\u{1b}[31m.pgn"],
        &["games.pgn", "--depth", "1\u{202e}\u{1b}[31m"],
        &["selfplay", "--anchor", "1\u{202e}\u{1b}[31m"],
    ];
    for args in runs {
        let told = bench.run(args).ended_with(2).stderr;
        let hostile = |letter: char| letter != '\n' && (letter.is_control() || letter == '\u{202e}');
        assert!(!told.contains(hostile), "{args:?}: {told:?}");
    }
}
