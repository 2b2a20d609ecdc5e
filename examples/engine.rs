//! Evaluates every position of a game with Stockfish or the built-in engine: `cargo run --example engine [FILE]`.

use std::{collections::BTreeMap, error::Error, fs};

use gainalyze::chess::pgn::{decode, parse_games};
use gainalyze::chess::{Evaluator, Limit, Order, Protocol, Segment};
use gainalyze::engine::{EngineChoice, EngineCommand, Setup};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or("data/candidates-2013.pgn".to_owned());
    let game = parse_games(&decode(fs::read(&file)?), &file).into_iter().next().ok_or("no games")??;
    let mut engine = EngineCommand::new(&EngineChoice::usual(), &Setup::default())?.start().await?;
    println!("{} looks at {}", engine.identity().name, game.title());

    // Neighboring positions share a hash table, which halves the work.
    let protocol = Protocol::new(Limit::Depth(8), Order::Forward, Protocol::SEGMENT);
    let mut evaluations = BTreeMap::new();
    for segment in Segment::cut(&game, &protocol) {
        evaluations.extend(engine.evaluate(&segment, &protocol).await?.evaluations);
    }
    for (ply, evaluation) in evaluations {
        let best = evaluation.best.map_or_else(|| "-".to_owned(), |best| best.to_string());
        println!("{ply:3} {:>8} {best}", evaluation.score.to_string());
    }
    engine.quit().await;
    Ok(())
}
