//! Measures learning: the time of an SVM's training pass over 2.2 million pairs (as many as in the paper),
//! and the memory of the pairs.
//!
//! `cargo bench --bench learn` takes a minute.

#[path = "../../src/lab/learning/tests/made_games.rs"]
mod made_games;
mod process;

use std::{process::Command, time::Instant};

use gainalyze::engine::Stop;
use gainalyze::engine::chess_engine::{Leaves, LinearFile};
use gainalyze::lab::{Decision, LearningObjective, Material, Preferences};
use shakmaty::Position;

use self::made_games::{MadeGames, best_leaf};

/// Number of pairs in the paper.
const PAIRS: usize = 2_200_000;

/// Number of games that give [`PAIRS`] pairs, about 28 per position.
const GAMES: u32 = 1_250;

/// Number of passes that must fit into a minute.
const PASSES: f64 = 30.0;

/// Arguments of this program as a measured process. `hold` makes the pairs and ends; `train` also trains on
/// them.
const WORDS: [&str; 2] = ["hold", "train"];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match WORDS.map(|word| args.iter().any(|arg| arg == word)) {
        [true, _] => drop(preferences()),
        [_, true] => train(),
        _ => measure(),
    }
}

/// Returns the preferences of games whose moves were chosen by known weights, so that training has something
/// to find. Also returns the number of games.
fn preferences() -> (Preferences, usize) {
    let truth = LinearFile::handmade();
    let made =
        MadeGames { games: GAMES, longest: 100, asked: 0.8, seed: 14 }.by(|chess| best_leaf(&truth, chess));
    let leaves = Leaves { weights: truth.weights(), depth: 0 };
    let (mut decisions, mut pairs) = (Vec::<&Decision>::new(), 0);
    for decision in &made.decisions {
        if pairs >= PAIRS {
            break;
        }
        pairs += decision.chess.legal_moves().len() - 1;
        decisions.push(decision);
    }
    let preferences = Preferences::of(&decisions, &leaves, &Stop::default(), &|_| ()).expect("no stop");
    (preferences, made.games.len())
}

fn train() {
    let begun = Instant::now();
    let (preferences, games) = preferences();
    println!(
        "{} pairs of {} positions in {:.1} MB, made in {:.1} s",
        preferences.pairs(),
        preferences.positions(),
        preferences.bytes() as f64 / 1e6,
        begun.elapsed().as_secs_f64()
    );
    let games = [vec![1.0; games]];
    let material = Material { parts: &[&preferences], games: &games };
    for &c in LearningObjective::Svm.factors() {
        let begun = Instant::now();
        let fit = LearningObjective::Svm.train(&material, c, 1, None, &Stop::default()).expect("a fit");
        let seconds = begun.elapsed().as_secs_f64();
        println!(
            "svm, C {c}: {} passes in {seconds:.1} s, {:.1} s for {PASSES}; duality gap {:.1e}, violation {:.3}",
            fit.passes,
            seconds / f64::from(fit.passes) * PASSES,
            fit.duality_gap.unwrap_or_default(),
            fit.violation
        );
    }
}

fn measure() {
    train();
    let this = std::env::current_exe().expect("this program");
    for word in WORDS {
        let told = process::measure(Command::new(&this).arg(word));
        let (kilobytes, seconds) = (told.peak_kb, told.wall.as_secs_f64());
        println!("{word}: a process of at most {kilobytes} kB, {seconds:.1} s");
    }
}
