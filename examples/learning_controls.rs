//! Control experiments for learning from moves. Learning must recover the weights that chose the moves, must
//! find nothing if random legal moves replace the played moves (`shuffled`), and must distinguish the moves
//! of engines at different depths.
//!
//! ```sh
//! cargo run --release --example learning_controls -- weights 25 50 100 200 400
//! cargo run --release --example learning_controls -- shuffled 160
//! cargo run --release --example learning_controls -- depths 1 3 150
//! cargo run --release --example learning_controls -- depths 1 3 7500 1
//! ```
//!
//! In `depths`, the first two numbers are the depths, and the third is the number of games. A fourth number
//! is the factor C; with it, only the objective `logit` is trained.

#[path = "../src/lab/learning/tests/made_games.rs"]
mod made_games;
#[path = "../src/lab/learning/tests/shuffled.rs"]
mod shuffled;

use gainalyze::engine::Stop;
use gainalyze::engine::chess_engine::{ChessEngine, Feature, Limits, LinearFile, Root};
use gainalyze::lab::{
    BandGames, LearnPlan, Learned, LearningHooks, LearningObjective, LearningPhase, LearningWork, Model,
    ModelKey, Predictor, RatingBand, Target,
};
use gainalyze::numbers::{Bootstrap, Estimate, stats::correlation::pearson};
use shakmaty::{Chess, Move};

use self::{
    made_games::{MadeGames, best_leaf},
    shuffled::shuffled,
};

/// Hooks that ignore all notices.
struct Silent;

impl LearningHooks for Silent {
    fn known(&self, _: ModelKey) -> Option<LinearFile> {
        None
    }
    fn begin(&self, _: LearningPhase, _: usize) {}
    fn advance(&self, _: usize) {}
    fn learned(&self, _: &Model) {}
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<u32> = args.iter().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    match (args.first().map(String::as_str), numbers.as_slice()) {
        (Some("weights"), games @ [_, ..]) => games.iter().for_each(|&games| known_weights(games)),
        (Some("shuffled"), &[games]) => shuffled_labels(games),
        (Some("depths"), &[one, other, games]) => depths(one, other, games, &both()),
        (Some("depths"), &[one, other, games, c]) => depths(one, other, games, &logit(c)),
        _ => eprintln!("write: weights GAMES…, or: shuffled GAMES, or: depths ONE OTHER GAMES [C]"),
    }
}

/// Makes games that begin with random moves. After them, `choose` chooses about nine of ten moves, and the
/// other moves are random.
fn made(choose: impl Fn(&Chess) -> Option<Move> + Sync, games: u32, seed: u64, elo: u32) -> BandGames {
    let made = MadeGames { games, longest: 120, asked: 0.9, seed }.by(choose);
    BandGames { band: RatingBand { elo, tolerance: 0 }, ..made }
}

/// Returns the best move of the built-in engine with these weights at this depth.
fn best_of_engine(weights: &LinearFile, depth: u32, chess: &Chess) -> Option<Move> {
    let mut engine = ChessEngine::new(1);
    engine.set_weights(weights.clone());
    let found = engine.search(&Root::new(chess.clone()), &Limits::depth(depth), &mut ());
    found.variations.first()?.moves.first().copied()
}

/// Returns a plan that trains two objectives. For each objective, the best of several factors C is used.
fn both() -> LearnPlan {
    LearnPlan {
        objectives: vec![LearningObjective::Svm, LearningObjective::Logit],
        start: LinearFile::handmade(),
        depth: 0,
        rounds: 1,
        c: None,
        seed: 1,
        bootstrap: Bootstrap { samples: 0, seed: 1 },
        choices: false,
    }
}

/// Returns a plan that trains the objective `logit` with the factor C.
fn logit(c: u32) -> LearnPlan {
    LearnPlan { objectives: vec![LearningObjective::Logit], c: Some(f64::from(c)), ..both() }
}

fn learned(bands: &[BandGames], plan: &LearnPlan) -> Learned {
    LearningWork { bands, plan, hooks: &Silent, stop: &Stop::default() }.learn().expect("nobody stops it")
}

/// Learns weights from this number of games. Prints their correlation with the weights that chose the moves,
/// and how well they predict the moves.
fn known_weights(games: u32) {
    let truth = LinearFile::handmade();
    let games_of = [
        ("quiet leaves", made(|chess| best_leaf(&truth, chess), games, 3, 1)),
        ("engine, depth 1", made(|chess| best_of_engine(&truth, 1, chess), games, 3, 1)),
    ];
    for (name, band) in games_of {
        let found = learned(&[band], &both());
        for model in &found.models {
            let seen = |feature: &Feature| found.counts[0][feature.index()] >= 200;
            let features: Vec<Feature> = Feature::all().filter(seen).collect();
            let correlation = |features: &[Feature]| {
                let of =
                    |weights: &[f64]| features.iter().map(|one| weights[one.index()]).collect::<Vec<f64>>();
                pearson(&of(&model.fit.weights), &of(truth.raw())).unwrap_or(f64::NAN)
            };
            let squares: Vec<Feature> =
                features.iter().copied().filter(|one| one.index() >= Feature::FIRST_SQUARE).collect();
            let row = found
                .predictions
                .iter()
                .find(|row| matches!(row.predictor, Predictor::Learned(by, _) if by == model.key.objective));
            let Some(row) = row else { continue };
            let [_, positions, pairs] = model.counts;
            println!(
                "{name}, {games} games, {positions} positions, {pairs} pairs, {}: correlation {:.3} ({} features), of squares {:.3}; pairs right {}, first choices {}",
                model.key.objective,
                correlation(&features),
                features.len(),
                correlation(&squares),
                shown(row.prediction.pairwise),
                shown(row.prediction.first_choice),
            );
        }
    }
}

/// Learns weights from the played moves, and then from random legal moves in their place. Prints each time
/// how well the weights predict held-out moves of the same kind.
fn shuffled_labels(games: u32) {
    let truth = LinearFile::handmade();
    let band = made(|chess| best_leaf(&truth, chess), games, 3, 1);
    for (name, band) in [("as played", &band), ("shuffled", &shuffled(&band, 1))] {
        for row in &learned(std::slice::from_ref(band), &both()).predictions {
            if matches!(row.predictor, Predictor::Learned(..) | Predictor::Chance) {
                println!(
                    "{name}, {:?}: pairs {}, first {}, log-loss {} ({} positions)",
                    row.predictor,
                    shown(row.prediction.pairwise),
                    shown(row.prediction.first_choice),
                    shown(row.prediction.log_loss),
                    row.positions
                );
            }
        }
    }
}

/// Learns weights from the moves chosen at each depth (`one` and `other`). Prints how well they predict the
/// moves of the same depth and of the other depth, and the differences.
fn depths(one: u32, other: u32, games: u32, plan: &LearnPlan) {
    let truth = LinearFile::handmade();
    let bands = [one, other]
        .map(|depth| made(|chess| best_of_engine(&truth, depth, chess), games, u64::from(depth), depth));
    let found = learned(&bands, plan);
    for row in &found.predictions {
        if matches!(row.predictor, Predictor::Learned(..) | Predictor::Own) {
            println!(
                "{:?} on moves at {}: pairs {}, first {}, log-loss {} ({} positions)",
                row.predictor,
                row.band,
                shown(row.prediction.pairwise),
                shown(row.prediction.first_choice),
                shown(row.prediction.log_loss),
                row.positions
            );
        }
    }
    for row in found.cross_training.iter().filter(|row| row.other.is_none()) {
        let of =
            if row.band == Target::All { "both depths".to_owned() } else { format!("depth {}", row.band) };
        println!(
            "{}, {of}, own less other: pairs {}, first {}, log-loss saved {}",
            row.objective,
            shown(row.pairwise),
            shown(row.first_choice),
            shown(row.log_loss)
        );
    }
}

fn shown(value: Estimate) -> String {
    let ends = value.interval.map_or(String::new(), |ends| format!(" ({:.4} to {:.4})", ends.low, ends.high));
    format!("{:.4}{ends}", value.value)
}
