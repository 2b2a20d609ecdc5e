//! Trains and tests the network of the levels of `gainalyze spar` and `gainalyze engine`:
//! `cargo run --release --example levels -- train data/learning/*.pgn.zst > data/spar/levels.txt`.
//!
//! `train` prints the network on standard output, and its test on held-out games on standard error.
//! `habits LEVEL GAMES FILES` compares the first moves of two groups: players at a level, and people rated
//! within 100 points of it.

mod choices;
mod habits;
mod train;
mod trial;

use std::error::Error;

use gainalyze::chess::{Game, pgn::parse_games, pgn::read_source};
use gainalyze::engine::levels::{ChoiceNetwork, Level};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["train", files @ ..] if !files.is_empty() => {
            let games = games(files)?;
            let (held_out, training) = choices::of_games(&games);
            let positions = training.len();
            let provenance = format!(
                "{positions} positions of {} games; a fifth of the games is held out; by examples/levels",
                games.len()
            );
            let network = train::trained(&training, provenance);
            let text = network.to_string();
            print!("{text}");
            // The network as it is read from the file.
            trial::report(&text.parse::<ChoiceNetwork>()?, &held_out);
        }
        ["habits", level, count, files @ ..] if !files.is_empty() => {
            let level = Level::new(level.parse()?).ok_or("LEVEL: not a rating from 800 to 2400")?;
            habits::report(level, count.parse()?, &games(files)?);
        }
        _ => return Err("usage: levels train FILES | levels habits LEVEL GAMES FILES".into()),
    }
    Ok(())
}

fn games(files: &[&str]) -> Result<Vec<Game>, Box<dyn Error>> {
    let mut games = Vec::new();
    for file in files {
        for game in parse_games(&read_source(file)?, file) {
            games.push(game?);
        }
    }
    Ok(games)
}
