//! Rates the players of a PGN file by the evaluations recorded in it: `cargo run --example recorded [FILE]`.

use std::{collections::BTreeMap, error::Error, fs};

use gainalyze::chess::EvaluatedGame;
use gainalyze::chess::pgn::{decode, parse_games};
use gainalyze::chess::recorded_evaluations;
use gainalyze::measure::{Analysis, Method, MoveSample};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1);
    let file = file.unwrap_or("data/candidates-2013-stockfish-15.1-depth-20.pgn".to_owned());
    let mut games = Vec::new();
    for game in parse_games(&decode(fs::read(&file)?), &file) {
        match game {
            Ok(game) => {
                let evaluations = recorded_evaluations(&game, None)?;
                games.push(EvaluatedGame::new(game, evaluations));
            }
            Err(bad) => eprintln!("left out: {bad}"),
        }
    }
    let analysis = Analysis::of(&MoveSample::of(&games), &BTreeMap::new(), &Method::default(), &[]);
    for player in &analysis.tournament.players {
        if let (Some(score), Some(difference)) = (&player.expected_score, &player.elo_difference) {
            println!("{:24} {:.6} {:+8.1} Elo", player.name, score.value, difference.value);
        }
    }
    if let Some(strength) = &analysis.tournament.engine_strength {
        println!("the engine: {:.1} Elo", strength.value);
    }
    Ok(())
}
