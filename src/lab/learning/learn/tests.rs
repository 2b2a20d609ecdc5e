//! Learning that is stopped, resumed and repeated.

use std::sync::Mutex;

use super::*;
use crate::lab::learning::RatingBand;
use crate::lab::learning::tests::made_games::{MadeGames, best_leaf};

fn learn(bands: &[BandGames], plan: &LearnPlan, hooks: &dyn LearningHooks, stop: &Stop) -> Option<Learned> {
    LearningWork { bands, plan, hooks, stop }.learn()
}

/// Keeps the learned models, and provides the models in `known`. Requests a stop before the bootstrap
/// samples.
#[derive(Default)]
struct Kept {
    known: Vec<(ModelKey, LinearFile)>,
    learned: Mutex<Vec<Model>>,
    stop: Stop,
}

impl LearningHooks for Kept {
    fn known(&self, key: ModelKey) -> Option<LinearFile> {
        self.known.iter().find(|(known, _)| *known == key).map(|(_, file)| file.clone())
    }
    fn begin(&self, phase: LearningPhase, _: usize) {
        if phase == LearningPhase::Samples {
            self.stop.request();
        }
    }
    fn advance(&self, _: usize) {}
    fn learned(&self, model: &Model) {
        self.learned.lock().expect("no panic").push(model.clone());
    }
}

fn bands() -> Vec<BandGames> {
    let truth = LinearFile::handmade();
    let band = |elo: u32, games| {
        let made = MadeGames { games, longest: 50, asked: 0.08, seed: u64::from(elo) };
        BandGames { band: RatingBand { elo, tolerance: 0 }, ..made.by(|chess| best_leaf(&truth, chess)) }
    };
    vec![band(1000, 10), band(1200, 15)]
}

fn plan() -> LearnPlan {
    LearnPlan {
        objectives: vec![LearningObjective::Logit],
        start: LinearFile::handmade(),
        depth: 0,
        rounds: 1,
        c: Some(0.1),
        seed: 1,
        bootstrap: Bootstrap { samples: 2, seed: 1 },
        choices: true,
    }
}

#[test]
fn a_run_that_is_stopped_keeps_its_models_and_another_goes_on_with_them() {
    let bands = bands();
    let stopped = Kept::default();
    assert_eq!(learn(&bands, &plan(), &stopped, &stopped.stop), None);
    let models = stopped.learned.into_inner().expect("no panic");
    assert_eq!(models.len(), 3);
    let files = models.iter().map(|model| (model.key, model.file(&[]).expect("weights")));
    let going_on = Kept { known: files.collect(), ..Kept::default() };
    let whole = learn(&bands, &plan(), &going_on, &Stop::default()).expect("no stop");
    let anew = learn(&bands, &plan(), &Kept::default(), &Stop::default()).expect("no stop");
    assert_eq!(whole, anew);
    // Models learned by another plan are not used.
    let other = LearnPlan { c: Some(0.01), ..plan() };
    let changed = learn(&bands, &other, &going_on, &Stop::default()).expect("no stop");
    assert_ne!(changed.models[0].fit, anew.models[0].fit);
    assert!(changed.models.iter().zip(&anew.models).all(|(one, other)| one.digest != other.digest));
}

#[test]
fn another_round_is_trained_on_the_leaves_of_the_weights_before_it() {
    let rounds = LearnPlan { rounds: 2, bootstrap: Bootstrap { samples: 0, seed: 1 }, ..plan() };
    let bands = &bands()[..1];
    let found = learn(bands, &rounds, &Kept::default(), &Stop::default()).expect("no stop");
    assert_eq!(found.models.len(), 1);
    assert_eq!(found.models[0].round, 2);
    assert_ne!(found.models[0].leaves, *LinearFile::handmade().weights());
    assert!(found.cross_training.is_empty());
}
