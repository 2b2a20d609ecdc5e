//! [`LearningWork`]: training of weights from the decisions of bands, with intervals and prediction accuracy.

use std::borrow::Cow;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{
    band::BandGames, band::RatingBand, cross_training::cross_training, cross_training::predicted,
    decision::Decision, material::Material, material::TrainedFit, model::Model, model::ModelKey,
    model::Target, objective::LearningObjective, prediction::CrossTraining, prediction::Predicted,
    prediction::Predictor, prediction::ScoredGames, prediction::material_weights, preferences::Preferences,
    testing::CalibrationBin, testing::Detail, testing::PredictorChoices, testing::PredictorTest, uncertainty,
    uncertainty::WeightIntervals,
};
use crate::base::{digest::hex, work::Stop};
use crate::chess::{Shard, game};
use crate::engine::{
    chess_engine::Feature, chess_engine::Leaves, chess_engine::LinearFile, chess_engine::LinearWeights,
};
use crate::numbers::{Bootstrap, Estimate};

#[derive(Debug, Clone, PartialEq)]
pub struct LearnPlan {
    pub objectives: Vec<LearningObjective>,
    /// The weights by which the first round finds the leaves, the positions at the ends of the searches.
    pub start: LinearFile,
    /// Plies of full search before only captures are tried.
    pub depth: u32,
    /// Number of rounds of training. From the second round on, the leaves are found with the weights of the
    /// previous round.
    pub rounds: u32,
    /// The factor C of the loss terms in the training objective; `None` to choose it by left-out games.
    pub c: Option<f64>,
    pub seed: u64,
    pub bootstrap: Bootstrap,
    /// True to return the probabilities of all moves in [`Learned::choices`].
    pub choices: bool,
}

impl LearnPlan {
    /// Lists the settings that affect the weights, in words.
    pub fn conditions(&self) -> Vec<String> {
        let search = match self.depth {
            0 => "a quiescence search".to_owned(),
            depth => format!("a search of depth {depth} and quiescence"),
        };
        let start = crate::engine::builtin::weights_digest(&self.start.clone().into());
        let mut conditions = vec![format!("leaves: by {search}, with the weights {}", &start[..16])];
        // Without an objective, nothing is trained.
        conditions.extend((!self.objectives.is_empty()).then(|| format!("rounds: {}", self.rounds)));
        conditions.push(format!("seed: {}", self.seed));
        conditions
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LearningPhase {
    Leaves,
    Training,
    Samples,
    Prediction,
}

/// Callbacks, called on any thread. They receive results, and provide results of earlier runs.
pub trait LearningHooks: Sync {
    /// Returns the weights of a model from an earlier run, if there are any.
    fn known(&self, key: ModelKey) -> Option<LinearFile>;

    fn begin(&self, phase: LearningPhase, steps: usize);

    fn advance(&self, steps: usize);

    fn learned(&self, model: &Model);
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Learned {
    /// For each objective, one model for each band, and one for all bands together if there are several.
    pub models: Vec<Model>,
    /// The weights of the bands' models with their intervals; empty without bootstrap samples.
    pub intervals: Vec<WeightIntervals>,
    pub predictions: Vec<Predicted>,
    /// The advantage of a band's own weights over other bands' weights.
    pub cross_training: Vec<CrossTraining>,
    /// The accuracy by slice (phase, time left, number of legal moves) of the tested positions, for all bands
    /// together. If there are several bands, weights learned from one band are left out.
    pub slices: Vec<Predicted>,
    pub calibration: Vec<CalibrationBin>,
    /// The probabilities of moves by learned and given weights; empty if not requested.
    pub choices: Vec<PredictorChoices>,
    /// For each band and feature, the number of pairs of moves that differ in the feature.
    pub counts: Vec<Vec<u64>>,
    /// Size in bytes of all training preferences.
    pub bytes: usize,
}

impl Learned {
    /// Returns the weights of a model in centipawns, scaled so that a pawn is 100, with intervals if
    /// computed. `None` if the pawn's weight is not above 0.
    pub fn centipawns(&self, model: &Model) -> Option<Vec<Estimate>> {
        if let Some(found) = self.intervals.iter().find(|found| found.key == model.key) {
            return Some(found.weights.clone());
        }
        let weights = LinearWeights::of(&model.raw()).ok()?;
        let plain = |feature| Estimate {
            value: weights.centipawns(feature),
            observations: model.counts[0],
            interval: None,
        };
        Some(Feature::all().map(plain).collect())
    }

    /// Returns the index of a band in [`Learned::counts`]; `None` for all bands together, and for an unknown
    /// band.
    pub fn band_place(&self, target: Target) -> Option<usize> {
        let mut bands: Vec<Target> = self.models.iter().map(|model| model.key.target).collect();
        bands.sort_unstable();
        bands.dedup();
        bands.iter().position(|&band| band == target && band != Target::All)
    }
}

#[derive(Clone)]
struct BandSets {
    training: Preferences,
    testing: Preferences,
}

#[derive(Clone, Copy)]
pub struct LearningWork<'a> {
    pub bands: &'a [BandGames],
    pub plan: &'a LearnPlan,
    pub hooks: &'a dyn LearningHooks,
    pub stop: &'a Stop,
}

impl LearningWork<'_> {
    /// Learns all weights. `None` if a stop is requested; the hooks then have the finished models.
    pub fn learn(&self) -> Option<Learned> {
        let sets = self.first_sets()?;
        let models = self.models(&self.keys(), &sets)?;
        let intervals = self.intervals(&models, &sets)?;
        self.hooks.begin(LearningPhase::Prediction, models.len());
        let results = self.results(self.test(&models, &sets)?);
        Some(Learned {
            counts: sets.iter().map(|set| set.training.counts()).collect(),
            bytes: sets.iter().map(|set| set.training.bytes()).sum(),
            models,
            intervals,
            ..results
        })
    }

    /// Learns the models of one part. The models are dealt to the parts in rotation. Models of all bands
    /// together come first, because they take longest.
    pub fn learn_part(&self, part: Shard) -> Option<Vec<Model>> {
        let mut keys = self.keys();
        keys.sort_by_key(|key| key.target != Target::All);
        let ours: Vec<ModelKey> =
            keys.into_iter().zip(0..).filter(|&(_, turn)| part.has_turn(turn)).map(|(key, _)| key).collect();
        self.models(&ours, &self.first_sets()?)
    }

    /// Lists the models that the hooks do not know from runs with the same games and options.
    pub fn unknown_models(&self) -> Vec<ModelKey> {
        let is_unknown = |key: &ModelKey| self.known(*key, &self.digest(*key)).is_none();
        self.keys().into_iter().filter(is_unknown).collect()
    }

    /// Lists the models to learn: for each objective, one for each band, and one for all if there are several.
    fn keys(&self) -> Vec<ModelKey> {
        let bands = self.bands.iter().map(|band| Target::Band(band.band));
        let targets: Vec<Target> = bands.chain((self.bands.len() > 1).then_some(Target::All)).collect();
        let objectives = self.plan.objectives.iter();
        objectives
            .flat_map(|&objective| targets.iter().map(move |&target| ModelKey { target, objective }))
            .collect()
    }

    /// Finds the leaves of all decisions with the start weights, for the first round.
    fn first_sets(&self) -> Option<Vec<BandSets>> {
        let decisions = self.bands.iter().map(|band| band.decisions.len()).sum();
        self.hooks.begin(LearningPhase::Leaves, decisions);
        self.sets(self.plan.start.weights(), &|done| self.hooks.advance(done))
    }

    fn models(&self, keys: &[ModelKey], sets: &[BandSets]) -> Option<Vec<Model>> {
        self.hooks.begin(LearningPhase::Training, keys.len());
        let learned = |&key: &ModelKey| {
            let model = self.model(key, sets)?;
            self.hooks.learned(&model);
            self.hooks.advance(1);
            Some(model)
        };
        keys.par_iter().map(learned).collect()
    }

    /// Returns the result of a model's training in an earlier run with the same `digest`. With several
    /// rounds, returns `None`, and all training is repeated.
    fn known(&self, key: ModelKey, digest: &str) -> Option<(TrainedFit, f64)> {
        let file = (self.plan.rounds == 1).then(|| self.hooks.known(key))??;
        Model::known(&file, digest)
    }

    fn sets(&self, weights: &LinearWeights, done: &(dyn Fn(usize) + Sync)) -> Option<Vec<BandSets>> {
        let leaves = Leaves { weights, depth: self.plan.depth };
        let part = |band: &BandGames, held_out| {
            let decisions: Vec<&Decision> = band.part(held_out).collect();
            Preferences::of(&decisions, &leaves, self.stop, done)
        };
        let sets =
            |band: &BandGames| Some(BandSets { training: part(band, false)?, testing: part(band, true)? });
        self.bands.iter().map(sets).collect()
    }

    /// Returns the data of a model's last round: the first sets, or sets with leaves found with the weights
    /// of the previous round.
    fn sets_of<'s>(&self, model: &Model, first: &'s [BandSets]) -> Option<Cow<'s, [BandSets]>> {
        if model.leaves == *self.plan.start.weights() {
            return Some(Cow::Borrowed(first));
        }
        self.sets(&model.leaves, &|_| ()).map(Cow::Owned)
    }

    fn places(&self, target: Target) -> Vec<usize> {
        let has = |place: &usize| target == Target::All || target == Target::Band(self.bands[*place].band);
        (0..self.bands.len()).filter(has).collect()
    }

    fn model(&self, key: ModelKey, sets: &[BandSets]) -> Option<Model> {
        let digest = self.digest(key);
        let known = self.known(key, &digest);
        let mut model = self.trained(key, digest, sets, self.plan.start.weights(), known)?;
        for round in 2..=self.plan.rounds {
            let Ok(leaves) = LinearWeights::of(&model.raw()) else { break };
            let sets = self.sets(&leaves, &|_| ())?;
            model = Model { round, ..self.trained(key, model.digest, &sets, &leaves, None)? };
        }
        Some(model)
    }

    fn trained(
        &self,
        key: ModelKey,
        digest: String,
        sets: &[BandSets],
        leaves: &LinearWeights,
        known: Option<(TrainedFit, f64)>,
    ) -> Option<Model> {
        let places = self.places(key.target);
        let parts: Vec<&Preferences> = places.iter().map(|&place| &sets[place].training).collect();
        let games = self.games(&places);
        let material = Material { parts: &parts, games: &games };
        let (fit, c) = match known {
            Some(known) => known,
            None => {
                let c = match self.plan.c {
                    Some(c) => c,
                    None => uncertainty::chosen_factor(key.objective, &material, self.plan.seed, self.stop)?,
                };
                (key.objective.train(&material, c, self.plan.seed, None, self.stop)?, c)
            }
        };
        let count = |of: fn(&Preferences) -> usize| parts.iter().map(|part| of(part)).sum();
        let training_games = places.iter().map(|&place| self.bands[place].count(false)).sum();
        let counts = [training_games, count(Preferences::positions), count(Preferences::pairs)];
        Some(Model { key, fit, c, counts, round: 1, digest, leaves: leaves.clone() })
    }

    /// Computes a digest of everything that a model depends on: its decisions and the plan.
    fn digest(&self, key: ModelKey) -> String {
        let mut hasher = Sha256::new();
        let factor = self.plan.c.map_or_else(|| "chosen".to_owned(), |c| c.to_string());
        hasher.update(format!(
            "{key} {} {factor}\n{}\n",
            env!("CARGO_PKG_VERSION"),
            self.plan.conditions().join("\n")
        ));
        for place in self.places(key.target) {
            for Decision { chess, played, game, .. } in self.bands[place].part(false) {
                hasher.update(format!("{game} {} {played}\n", game::fen(chess)));
            }
        }
        hex(&hasher.finalize())
    }

    fn intervals(&self, models: &[Model], sets: &[BandSets]) -> Option<Vec<WeightIntervals>> {
        let samples = self.plan.bootstrap.samples as usize;
        let of_bands: Vec<&Model> = models.iter().filter(|model| model.key.target != Target::All).collect();
        if samples == 0 {
            return Some(Vec::new());
        }
        self.hooks.begin(LearningPhase::Samples, samples * of_bands.len());
        let mut intervals = Vec::new();
        for model in of_bands {
            let sets = &*self.sets_of(model, sets)?;
            let places = self.places(model.key.target);
            let parts: Vec<&Preferences> = places.iter().map(|&place| &sets[place].training).collect();
            let games = self.games(&places);
            let material = Material { parts: &parts, games: &games };
            let done = |done| self.hooks.advance(done);
            let found = WeightIntervals::of(model, &material, self.plan.bootstrap, self.stop, &done);
            if self.stop.is_requested() {
                return None;
            }
            intervals.extend(found);
        }
        Some(intervals)
    }

    /// Returns the weights of the games of some bands: 1 for training games, 0 for held-out games.
    fn games(&self, places: &[usize]) -> Vec<Vec<f64>> {
        let counts = |&held_out: &bool| if held_out { 0.0 } else { 1.0 };
        places.iter().map(|&place| self.bands[place].games.iter().map(counts).collect()).collect()
    }

    fn test(&self, models: &[Model], sets: &[BandSets]) -> Option<Tests> {
        let held_out = &[true];
        let mut tests = self.usual_tests(sets, held_out);
        for model in models {
            let sets = &*self.sets_of(model, sets)?;
            let margin = |set: &Preferences, pair| set.margin(pair, &model.fit.weights);
            let predictor = Predictor::Learned(model.key.objective, model.key.target);
            let is_of_all = self.bands.len() == 1 || model.key.target == Target::All;
            let detail = if is_of_all { self.detail() } else { Detail::None };
            tests.push((predictor, self.tested(sets, held_out, detail, margin)));
            self.hooks.advance(1);
            if self.stop.is_requested() {
                return None;
            }
        }
        Some(tests)
    }

    /// Tests weights on all games, without training. Each half of the games is tested with the scale fitted to
    /// the other half. `given` has the weights with their names. Returns `None` if a stop is requested.
    pub fn test_given(&self, given: &[(String, LinearFile)]) -> Option<Learned> {
        let sets = &self.first_sets()?;
        let both = &[true, false];
        self.hooks.begin(LearningPhase::Prediction, given.len());
        let mut tests = self.usual_tests(sets, both);
        // The weights `handmade` are tested once, also if they are given.
        let is_given = |name| given.iter().any(|(given, _)| given == name);
        tests.retain(|(predictor, _)| *predictor != Predictor::Handmade || !is_given(LinearFile::HANDMADE));
        for (name, weights) in given {
            let margin = |set: &Preferences, pair| set.margin(pair, weights.raw());
            tests.push((Predictor::Given(name.clone()), self.tested(sets, both, self.detail(), margin)));
            self.hooks.advance(1);
            if self.stop.is_requested() {
                return None;
            }
        }
        Some(self.results(tests))
    }

    /// Tests the predictors that need no training.
    fn usual_tests(&self, sets: &[BandSets], held_out: &[bool]) -> Tests {
        let (material, handmade) = (material_weights(), LinearFile::handmade());
        let by = |weights| move |set: &Preferences, pair| set.margin(pair, weights);
        let slices = Detail::Slices;
        vec![
            (Predictor::Chance, self.tested(sets, held_out, slices, |_, _| 0.0)),
            (Predictor::Material, self.tested(sets, held_out, slices, by(&material))),
            (Predictor::Handmade, self.tested(sets, held_out, slices, by(handmade.raw()))),
            (Predictor::Own, self.tested(sets, held_out, slices, Preferences::own_margin)),
        ]
    }

    fn detail(&self) -> Detail {
        if self.plan.choices { Detail::Choices } else { Detail::Slices }
    }

    /// Tests a predictor, by band. `held_out` lists the parts to test: true for the held-out games, false for
    /// the training games. The scale of the margins is fitted to the band's other games.
    fn tested(
        &self,
        sets: &[BandSets],
        held_out: &[bool],
        detail: Detail,
        margin: impl Fn(&Preferences, usize) -> f64 + Copy + Sync,
    ) -> Vec<PredictorTest> {
        let test = |(band, set): (&BandGames, &BandSets)| {
            let mut test = PredictorTest::default();
            for &held_out in held_out {
                let [training, testing] = [&set.training, &set.testing];
                let parts = if held_out { [training, testing] } else { [testing, training] };
                test.append(PredictorTest::of(parts, band.part(held_out), detail, margin));
            }
            test
        };
        self.bands.par_iter().zip(sets).map(test).collect()
    }

    fn results(&self, tests: Tests) -> Learned {
        let bands: Vec<RatingBand> = self.bands.iter().map(|band| band.band).collect();
        let scored: Vec<(Predictor, Vec<ScoredGames>)> = tests
            .iter()
            .map(|(predictor, tests)| {
                (predictor.clone(), tests.iter().map(|test| test.scores.clone()).collect())
            })
            .collect();
        let mut learned = Learned {
            predictions: scored
                .iter()
                .flat_map(|(predictor, games)| predicted(&bands, predictor, games))
                .collect(),
            cross_training: cross_training(&bands, &self.plan.objectives, &scored),
            ..Learned::default()
        };
        for (predictor, tests) in tests {
            let mut all = PredictorTest::default();
            tests.into_iter().for_each(|test| all.append(test));
            learned.slices.extend(all.slices(&predictor));
            learned.calibration.extend(all.calibration(&predictor));
            if !all.positions.is_empty() {
                learned.choices.push(PredictorChoices { predictor, positions: all.positions });
            }
        }
        learned
    }
}

type Tests = Vec<(Predictor, Vec<PredictorTest>)>;

#[cfg(test)]
mod tests;
