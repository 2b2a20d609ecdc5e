//! Measures the losses of rated players' moves, and prints the tables by which `gainalyze spar` estimates
//! ratings and limits its own losses: `cargo run --example human_losses -- FOLDER ENGINE EVERY > data/spar/human-losses.csv`.
//!
//! FOLDER is the output of `gainalyze analyze data/calibration/*.pgn.zst --depth 8 --output FOLDER`. A move
//! counts if its player is rated, has more than one legal move, and has an expected score W (by lichess's
//! curve) from 0.1 to below 0.9. The loss of a move is W before the move minus W after it, in percentage
//! points; a rise of W counts as 0. The first table has the distribution of losses in each band of ratings.
//!
//! For the second table, ENGINE ranks the four best moves to depth 8 before every EVERY-th counted move. The
//! spread of the position is the mean loss of the second to fourth best moves against the best move. The
//! table has, for each class of spreads, the mean loss of the played moves relative to the mean loss in the
//! bands of their players.

use std::{collections::BTreeMap, error::Error, ffi::OsStr, fs::File, num::NonZeroU32, path::Path};

use gainalyze::chess::{GameSoFar, Ranker, RankingLimits, Segment, SignedScore};
use gainalyze::engine::{EngineChoice, EngineCommand, Setup};
use gainalyze::lab::spar::human::{EDGES, QUANTILES, spread_of};
use gainalyze::lab::{Candidate, spar::candidate::MoveTraits, spar::candidate::expected};
use shakmaty::{CastlingMode, Position, fen::Fen};

/// A move that counts, with its loss and the position before it.
struct Loss {
    elo: u32,
    points: f64,
    fen: String,
}

/// The lowest rating of the first band, the width of each band, and the number of bands. Players outside the
/// bands count in the nearest band.
const BANDS: (u32, u32, u32) = (800, 200, 10);

fn band(elo: u32) -> u32 {
    (elo.max(BANDS.0) - BANDS.0).div_euclid(BANDS.1).min(BANDS.2 - 1)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, engine, every] = args.as_slice() else {
        return Err("usage: human_losses FOLDER ENGINE EVERY".into());
    };
    let losses = losses(Path::new(folder))?;
    println!("# {} moves of data/calibration at depth 8 by examples/human_losses.rs", losses.len());
    let means = print_bands(&losses);
    let choice = EngineChoice::named(OsStr::new(engine));
    let mut engine = EngineCommand::new(&choice, &Setup::default())?.start().await?;
    let limits = RankingLimits::depth(NonZeroU32::new(4).ok_or("no lines")?, 8);
    let mut classes = [(0, 0.0, 0.0); EDGES.len()];
    for loss in losses.iter().step_by(every.parse()?) {
        let position = loss.fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?;
        let turn = shakmaty::Chess::turn(&position);
        let segment = Segment::end_of(&GameSoFar::new(position, CastlingMode::Standard))?;
        let ranked = Candidate::of(&engine.rank(&segment, &limits).await?, turn, |_| MoveTraits::default());
        let expected: Vec<f64> = ranked.iter().map(|candidate| candidate.expected).collect();
        let spread = spread_of(&expected);
        let class = &mut classes[EDGES.partition_point(|&edge| edge <= spread).max(1) - 1];
        *class = (class.0 + 1, class.1 + loss.points, class.2 + means[band(loss.elo) as usize]);
    }
    println!(
        "# mean loss by spread, relative to the mean of the same band of ratings, by {}",
        engine.identity().name
    );
    println!("spread_from,moves,factor");
    for (edge, (moves, points, usual)) in EDGES.iter().zip(classes) {
        println!("{edge},{moves},{:.4}", if moves > 0 { points / usual } else { 1.0 });
    }
    engine.quit().await;
    Ok(())
}

/// Reads the tables in `folder`, and returns the moves that count.
fn losses(folder: &Path) -> Result<Vec<Loss>, Box<dyn Error>> {
    let mut ratings = BTreeMap::new();
    for row in csv::Reader::from_reader(File::open(folder.join("games.csv"))?).deserialize() {
        let row: BTreeMap<String, String> = row?;
        ratings.insert(
            row["game"].clone(),
            [row["white_elo"].parse::<u32>().ok(), row["black_elo"].parse().ok()],
        );
    }
    let mut losses = Vec::new();
    for row in csv::Reader::from_reader(File::open(folder.join("moves.csv"))?).deserialize() {
        let row: BTreeMap<String, String> = row?;
        let is_white = row["color"] == "white";
        let own = |side: &str| -> Option<f64> {
            let mate = row[&format!("{side}_mate")].parse::<i32>().ok().map(SignedScore::Mate);
            let cp = row[&format!("{side}_cp")].parse::<i32>().ok().map(SignedScore::Cp);
            let white = expected(mate.or(cp)?);
            Some(if is_white { white } else { 1.0 - white })
        };
        let elo = ratings.get(&row["game"]).and_then(|sides| sides[usize::from(!is_white)]);
        let (Some(elo), Some(before), Some(after)) = (elo, own("before"), own("after")) else { continue };
        if row["forced"] == "false" && (0.1..0.9).contains(&before) {
            let points = 100.0 * (before - after).max(0.0);
            losses.push(Loss { elo, points, fen: row["fen"].clone() });
        }
    }
    Ok(losses)
}

/// Prints the distribution of losses in each band of ratings, and returns the mean loss of each band.
fn print_bands(losses: &[Loss]) -> Vec<f64> {
    let quantiles: Vec<String> = QUANTILES.iter().map(|q| format!("q{q}")).collect();
    println!("elo,moves,mean,{}", quantiles.join(","));
    let print = |number| {
        let here: Vec<&Loss> = losses.iter().filter(|loss| band(loss.elo) == number).collect();
        let mut points: Vec<f64> = here.iter().map(|loss| loss.points).collect();
        points.sort_by(f64::total_cmp);
        let moves = points.len().max(1) as f64;
        let mean = points.iter().sum::<f64>() / moves;
        let elo = here.iter().map(|loss| f64::from(loss.elo)).sum::<f64>() / moves;
        let at = |q: &f64| points.get((q * (moves - 1.0)).round() as usize).copied().unwrap_or_default();
        let cells: Vec<String> = QUANTILES.iter().map(|q| format!("{:.3}", at(q))).collect();
        println!("{elo:.0},{},{mean:.3},{}", points.len(), cells.join(","));
        mean
    };
    (0..BANDS.2).map(print).collect()
}
