//! Prints the table of people's first moves from which `gainalyze spar` plays:
//! `cargo run --example first_moves -- FILE… > data/spar/first-moves.csv`; data/README.md has the files.

use std::error::Error;

use gainalyze::chess::pgn::{parse_games, read_source};
use gainalyze::lab::spar::human_moves::table_of;

fn main() -> Result<(), Box<dyn Error>> {
    let mut games = Vec::new();
    for file in std::env::args().skip(1) {
        for game in parse_games(&read_source(&file)?, &file) {
            games.push(game?);
        }
    }
    print!("{}", table_of(games));
    Ok(())
}
