//! Tests of the files in `tests/real`, which have the flaws of files of servers, arbiters and old databases. The
//! readers must give the answers in `answers.tsv` there, which were found by reading the files.

use std::{collections::BTreeSet, fs, path::Path};

use gainalyze::chess::pgn::{decode, parse_games};
use gainalyze::chess::{BadGame, Game, SignedScore};
use gainalyze::measure::archive::{ClipTable, read_block, read_block_with_care};

use crate::program::Bench;

/// One line per file: its name, and its games. A readable game has its number of plies, its result and its
/// repairs in brackets. The other games have their faults.
const TABLE: &str = include_str!("../real/answers.tsv");

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/real"))
}

fn read(file: &str) -> Vec<Result<Game, BadGame>> {
    let bytes = fs::read(folder().join(file).with_extension("pgn")).expect("a file of the table");
    parse_games(&decode(bytes), "test")
}

fn outline(game: &Result<Game, BadGame>) -> String {
    let game = match game {
        Ok(game) => game,
        Err(bad) => {
            let ply = bad.ply.map_or(String::new(), |ply| format!("ply {ply}: "));
            return ply + &bad.fault();
        }
    };
    let repairs: Vec<String> = game.repairs.iter().map(|repair| format!("{repair:?}")).collect();
    let repairs = if repairs.is_empty() { String::new() } else { format!(" [{}]", repairs.join(", ")) };
    format!("{} {}{repairs}", game.moves.len(), game.result)
}

#[test]
fn every_file_is_read_right_or_repaired_with_a_word() {
    let rows: Vec<(&str, &str)> = TABLE.lines().skip(1).filter_map(|line| line.split_once('\t')).collect();
    let listed: BTreeSet<String> = rows.iter().map(|(file, _)| format!("{file}.pgn")).collect();
    let names = fs::read_dir(folder()).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.ends_with(".pgn"));
    assert_eq!(names.collect::<BTreeSet<_>>(), listed, "the files of the table");
    let mut wrong = Vec::new();
    for (file, expected) in rows {
        let found: Vec<String> = read(file).iter().map(outline).collect();
        if found.join(" | ") != expected {
            wrong.push(format!("{file}\n  expected {expected}\n  found    {}", found.join(" | ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn evaluations_in_the_forms_of_several_programs_are_read() {
    let scores = |file: &str, game: usize| -> Vec<Option<SignedScore>> {
        let game = read(file).remove(game).expect("a game");
        game.moves.iter().map(|played| played.eval.map(|eval| eval.score)).collect()
    };
    let (cp, mate) = (|cp| Some(SignedScore::Cp(cp)), |moves| Some(SignedScore::Mate(moves)));
    assert_eq!(scores("evaluations-of-mates", 0), [cp(-55), cp(-60), mate(-1), None]);
    assert_eq!(scores("evaluations-of-mates", 1), [mate(55), mate(-60), mate(-1), None]);
    let slashes = [16, 47, 5, 45, 23, 102, 66].map(cp);
    assert_eq!(scores("evaluations-with-slashes", 0), slashes);
    // The second number has a decimal comma, which is no evaluation because a comma begins the depth.
    let several = [cp(55), None, cp(-120), mate(-3), mate(-1), mate(0)];
    assert_eq!(scores("evaluations-in-several-forms", 0), several);
}

/// The options of a short run with the scripted engine, whose report is in the folder `out`.
const RUN: [&str; 8] =
    ["games.pgn", "--depth", "1", "--plots", "none", "--calibration", "none", "--output=out"];

#[test]
fn games_without_moves_keep_their_points_and_need_no_engine() {
    let played = "[White \"Adler\"]\n[Black \"Brandt\"]\n[Result \"1-0\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 1-0\n";
    let forfeit = "\n[White \"Adler\"]\n[Black \"Celik\"]\n[Result \"1-0\"]\n\n1-0\n";
    let unknown = "\n[White \"Brandt\"]\n[Black \"Adler\"]\n\n1. d4 {[%eval 0.1]} d5 {[%eval 0.1]} *\n";
    let bench = Bench::new(&[played, forfeit, unknown].concat()).with("GAINALYZE_ENGINE", "/no/engine");
    for source in ["auto", "pgn"] {
        let args = ["games.pgn", "--plots", "none", "--output", source, "--evals", source];
        let run = bench.run(&args).ended_with(0);
        assert!(!run.stderr.contains("comparable"), "{}", run.stderr);
        assert!(run.stdout.contains("2.0/2"), "{}", run.stdout);
        let mut rows =
            bench.table(&format!("{source}/players.csv"), &["player", "games", "unplayed", "points"]);
        rows.sort();
        assert_eq!(
            rows,
            [["Adler", "2", "1", "2.0"], ["Brandt", "2", "0", "0.0"], ["Celik", "0", "1", "0.0"]]
        );
    }
    let bench = Bench::new(&forfeit.repeat(3)).with("GAINALYZE_ENGINE", "/no/engine");
    let run = bench.run(&["games.pgn", "--keep-duplicates", "--plots", "none"]).ended_with(0);
    assert!(run.stderr.contains("3 games without moves"), "{}", run.stderr);
}

#[test]
fn a_repair_is_named_once_with_the_number_of_games_and_a_strict_run_stops_there() {
    let text = fs::read_to_string(folder().join("bad-ends.pgn")).expect("a file of the table");
    let bench = Bench::new(&text);
    let run = bench.run(&RUN).ended_with(0);
    let told = "in 2 games, the end has an illegal or unreadable move, so only the moves before it count; the first is \
                games.pgn, game 1 (The last move is illegal – A)";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    let run = bench.run(&[&RUN[..], &["--strict"]].concat()).ended_with(2);
    assert!(run.stderr.contains("ply 12: illegal move \"Ke5\""), "{}", run.stderr);
}

#[test]
fn names_in_another_encoding_are_noticed_and_read() {
    let bench = Bench::new("");
    bench.write("games.pgn", &fs::read(folder().join("windows-1251.pgn")).expect("a file of the table"));
    let run = bench.run(&RUN).ended_with(0);
    assert!(run.stderr.contains("--encoding windows-1251 reads Russian names"), "{}", run.stderr);
    let run = bench.run(&[&RUN[..], &["--encoding", "cp1251"]].concat()).ended_with(0);
    assert!(run.stdout.contains("Иванов, Пётр") && !run.stderr.contains("encoding"), "{run:?}");
}

#[test]
fn the_fast_reader_and_the_careful_reader_give_the_same_counts() {
    let options = crate::odd::terms();
    let scale = ClipTable::new(options.method.scale());
    for entry in fs::read_dir(folder()).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = decode(fs::read(&path).expect("a file"));
        let [fast, careful] =
            [read_block, read_block_with_care].map(|read| read(&text, false, &options, &scale));
        assert_eq!(fast, careful, "{}", path.display());
    }
}
