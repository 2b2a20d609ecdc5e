//! [`Hooks`]: the callbacks of learning. They show its progress, keep finished models, and provide models of
//! earlier runs.

use std::{path::PathBuf, sync::Mutex};

use super::first_weights;
use crate::engine::chess_engine::LinearFile;
use crate::lab::{LearningHooks, LearningPhase, Model, ModelKey};
use crate::store::SearchProgress;
use crate::verbs::runs::Viewer;

/// Hooks for the training threads: the viewer, the finished models, and the folders of earlier runs.
pub(super) struct Hooks<'a> {
    known: Vec<PathBuf>,
    models: Mutex<Vec<Model>>,
    shown: Mutex<ShownLearning<'a>>,
}

struct ShownLearning<'a> {
    viewer: &'a mut dyn Viewer,
    of: usize,
    done: usize,
}

impl<'a> Hooks<'a> {
    pub(super) fn new(known: Vec<PathBuf>, viewer: &'a mut dyn Viewer) -> Hooks<'a> {
        let shown = Mutex::new(ShownLearning { viewer, of: 0, done: 0 });
        Hooks { known, models: Mutex::default(), shown }
    }

    pub(super) fn finish(self) -> (Vec<Model>, &'a mut dyn Viewer) {
        let mut models = self.models.into_inner().expect("a lock that no panic has poisoned");
        models.sort_unstable_by_key(|model| model.key);
        let viewer = self.shown.into_inner().expect("a lock that no panic has poisoned").viewer;
        viewer.finish();
        (models, viewer)
    }
}

impl LearningHooks for Hooks<'_> {
    fn known(&self, key: ModelKey) -> Option<LinearFile> {
        first_weights(&self.known, key)?.parse().ok()
    }

    fn begin(&self, phase: LearningPhase, steps: usize) {
        let what = match phase {
            LearningPhase::Leaves => "positions",
            LearningPhase::Training => "models trained",
            LearningPhase::Samples => "samples",
            LearningPhase::Prediction => "models tested",
        };
        let mut shown = self.shown.lock().expect("a lock that no panic has poisoned");
        shown.viewer.finish();
        (shown.of, shown.done) = (steps, 0);
        shown.viewer.begin_search(what, of(steps, 0));
    }

    fn advance(&self, steps: usize) {
        let mut shown = self.shown.lock().expect("a lock that no panic has poisoned");
        shown.done += steps;
        let progress = of(shown.of, shown.done);
        shown.viewer.advance_search(progress);
    }

    fn learned(&self, model: &Model) {
        self.models.lock().expect("a lock that no panic has poisoned").push(model.clone());
    }
}

/// Returns the progress of `done` steps out of `all`, without games.
fn of(all: usize, done: usize) -> SearchProgress {
    SearchProgress { positions: all as u64, positions_done: done as u64, games: 0, games_done: 0 }
}
