//! [`PredictorTest`]: a predictor tested on moves: its accuracy, also by slices of positions, the calibration
//! of its probabilities, and the probabilities themselves.

use std::collections::BTreeMap;

use shakmaty::{Position, uci::UciMove};

use super::{
    decision::Decision, decision::DecisionFacts, decision::PositionSlice, model::Target,
    prediction::Predicted, prediction::Predictor, prediction::ScoredGames, prediction::fitted_scale,
    prediction::odds_of, preferences::Preferences,
};
use crate::numbers::{ClusteredMean, Estimate};

const BINS: [f64; 10] = [0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9];

/// The legal moves to which a predictor gives probabilities between two bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationBin {
    pub predictor: Predictor,
    pub from: f64,
    pub moves: usize,
    pub probability: f64,
    pub played: Estimate,
}

/// The probabilities that a predictor gives to the moves of a position.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictedPosition {
    pub facts: DecisionFacts,
    /// The legal moves with their probabilities. The first is the move played.
    pub moves: Vec<(UciMove, f64)>,
}

/// The probabilities that a predictor gives to moves, by position.
#[derive(Debug, Clone, PartialEq)]
pub struct PredictorChoices {
    pub predictor: Predictor,
    pub positions: Vec<PredictedPosition>,
}

/// The parts of a test besides the accuracy by band.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    None,
    Slices,
    Choices,
}

#[derive(Debug, Clone, Default)]
pub(super) struct PredictorTest {
    pub scores: ScoredGames,
    slices: BTreeMap<PositionSlice, ScoredGames>,
    bins: [CalibrationSums; BINS.len()],
    pub positions: Vec<PredictedPosition>,
}

#[derive(Debug, Clone, Default)]
struct CalibrationSums {
    probability: f64,
    played: ClusteredMean,
}

impl PredictorTest {
    /// Tests a predictor on the positions of `tested`, which are the positions of `decisions`. `margin`
    /// returns the predictor's value of the move played minus its value of the other move of a pair. The
    /// scale of the margins is fitted to the positions of `fitted`.
    pub fn of<'a>(
        [fitted, tested]: [&Preferences; 2],
        decisions: impl Iterator<Item = &'a Decision>,
        detail: Detail,
        margin: impl Fn(&Preferences, usize) -> f64 + Copy,
    ) -> PredictorTest {
        let scale = fitted_scale(fitted, margin);
        let mut test = PredictorTest::default();
        for (position, decision) in decisions.enumerate() {
            // A game with players of two bands is one game.
            let game = decision.facts.ordinal as usize;
            let margins: Vec<f64> = tested.pairs_of(position).map(|pair| margin(tested, pair)).collect();
            test.scores.add(game, margins.iter().copied(), scale);
            if detail >= Detail::Slices {
                for slice in PositionSlice::of(decision) {
                    test.slices.entry(slice).or_default().add(game, margins.iter().copied(), scale);
                }
                let odds: Vec<f64> = margins.iter().map(|&margin| odds_of(margin, scale)).collect();
                let all = 1.0 + odds.iter().sum::<f64>();
                let probabilities: Vec<f64> = [1.0].iter().chain(&odds).map(|odds| odds / all).collect();
                test.calibrate(game, &probabilities);
                if detail == Detail::Choices {
                    test.positions.push(PredictedPosition::of(decision, &probabilities));
                }
            }
        }
        test
    }

    /// Adds the probabilities of a position's moves to their bins. The move played is the first.
    fn calibrate(&mut self, game: usize, probabilities: &[f64]) {
        for (place, &probability) in probabilities.iter().enumerate() {
            let sums = &mut self.bins[BINS.iter().rposition(|&from| from <= probability).unwrap_or(0)];
            sums.probability += probability;
            sums.played.add(game as u32, if place == 0 { 1.0 } else { 0.0 });
        }
    }

    pub fn append(&mut self, more: PredictorTest) {
        self.scores.append(&more.scores);
        for (slice, games) in more.slices {
            self.slices.entry(slice).or_default().append(&games);
        }
        for (sums, more) in self.bins.iter_mut().zip(more.bins) {
            sums.probability += more.probability;
            sums.played.append(more.played);
        }
        self.positions.extend(more.positions);
    }

    /// Returns the test results for each slice (phase, time left, number of legal moves), over all bands.
    pub fn slices(&self, predictor: &Predictor) -> Vec<Predicted> {
        let row = |(&slice, scores): (&PositionSlice, &ScoredGames)| {
            Some(Predicted { slice: Some(slice), ..scores.predicted(predictor, Target::All)? })
        };
        self.slices.iter().filter_map(row).collect()
    }

    pub fn calibration(&self, predictor: &Predictor) -> Vec<CalibrationBin> {
        let row = |(sums, &from): (&CalibrationSums, &f64)| {
            let played = sums.played.estimate()?;
            let moves = sums.played.count() as usize;
            let probability = sums.probability / moves as f64;
            Some(CalibrationBin { predictor: predictor.clone(), from, moves, probability, played })
        };
        self.bins.iter().zip(&BINS).filter_map(row).collect()
    }
}

impl PredictedPosition {
    fn of(decision: &Decision, probabilities: &[f64]) -> PredictedPosition {
        let others = decision.chess.legal_moves().into_iter().filter(|&m| m != decision.played);
        let mode = decision.chess.castles().mode();
        let moves = [decision.played].into_iter().chain(others).map(|m| m.to_uci(mode));
        PredictedPosition { facts: decision.facts, moves: moves.zip(probabilities.iter().copied()).collect() }
    }
}

impl CalibrationBin {
    pub fn to(&self) -> f64 {
        BINS.into_iter().find(|&bin| bin > self.from).unwrap_or(1.0)
    }
}
