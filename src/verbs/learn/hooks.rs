//! [`Hooks`]: the callbacks of learning. They show its progress, keep finished models, and provide the models in the
//! folders of earlier runs.

use std::{path::Path, path::PathBuf, sync::Mutex};

use super::LearningPlan;
use crate::base::{
    input_file, output::OutputFolder, output::RecordedFolder, seal::Seal, text::shown_path, text::with_causes,
};
use crate::engine::{Stop, chess_engine::LinearFile};
use crate::lab::{BandReading, LearningHooks, LearningPhase, LearningWork, Model, ModelKey};
use crate::report::kinds::{learning as files, learning::weights_file};
use crate::store::SearchProgress;
use crate::verbs::{error::Result, error::VerbError, plan::RunShare, runs::Viewer};

/// Hooks for the training threads: the viewer, the finished models, and the folders of earlier runs.
pub struct Hooks<'a> {
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
    pub fn new(known: Vec<PathBuf>, viewer: &'a mut dyn Viewer) -> Hooks<'a> {
        let shown = Mutex::new(ShownLearning { viewer, of: 0, done: 0 });
        Hooks { known, models: Mutex::default(), shown }
    }

    pub fn finish(self) -> (Vec<Model>, &'a mut dyn Viewer) {
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

/// Returns the folders that may already have weights: the folders to gather from, and the folder of the run.
/// Each folder to gather from must have unchanged weights, and no two of them may have different weights of
/// one model.
pub fn known_folders(plan: &LearningPlan<'_>, folder: &OutputFolder) -> Result<Vec<PathBuf>> {
    let RunShare::Gathered(parts) = &plan.share else { return Ok(vec![folder.path().to_owned()]) };
    for part in parts {
        let mut has_weights = false;
        let recorded = RecordedFolder::open(part).map_err(|error| VerbError::new(with_causes(&error)))?;
        for key in files::models(&plan.reading.bands, &plan.learning.objectives) {
            let Some(text) = weights_in(part, key) else { continue };
            has_weights = true;
            let file = weights_file(key);
            recorded.check(&file).map_err(|error| VerbError::new(with_causes(&error)))?;
            Seal::WEIGHTS
                .open(&text)
                .map_err(|error| VerbError::new(format!("{}: {error}", shown_path(&part.join(&file)))))?;
            if first_weights(parts, key).is_some_and(|first| first != text) {
                let folder = shown_path(part);
                return Err(VerbError::new(format!(
                    "{folder}: {file} differs from the file of the same name in an earlier folder of --gather"
                )));
            }
        }
        if !has_weights {
            return Err(VerbError::new(format!("{}: no weights from `gainalyze learn`", shown_path(part))));
        }
    }
    Ok(parts.iter().cloned().chain([folder.path().to_owned()]).collect())
}

fn first_weights(folders: &[PathBuf], key: ModelKey) -> Option<String> {
    folders.iter().find_map(|folder| weights_in(folder, key))
}

fn weights_in(folder: &Path, key: ModelKey) -> Option<String> {
    input_file::read_text(&folder.join(weights_file(key)), input_file::SETTINGS).ok()
}

pub fn check_gathered(plan: &LearningPlan<'_>, found: &BandReading, hooks: &Hooks<'_>) -> Result<()> {
    let RunShare::Gathered(_) = plan.share else { return Ok(()) };
    let (bands, stop) = (&found.bands, &Stop::default());
    let missing = LearningWork { bands, plan: &plan.learning, hooks, stop }.unknown_models();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(VerbError::new(format!(
            "no folder has these weights from the same games, options and version of the program: {}",
            missing.iter().map(ModelKey::to_string).collect::<Vec<_>>().join("; ")
        ))),
    }
}
