//! Tests of the files in `tests/real`, which have the flaws of files of servers, arbiters and old databases. The
//! readers must give the answers in `answers.tsv` there, which were found by reading the files.

use std::{collections::BTreeSet, fs, path::Path};

use gainalyze::chess::pgn::{decode, parse_games};
use gainalyze::chess::{BadGame, Game, SignedScore};

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
