//! Owns the run that learns weights from players' moves: games in, weights, tables, pictures and a page out.

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::{Finished, RunEnding, Viewer};
use crate::chess::Shard;
use crate::chess::text::{NAMED, counted, full_path, shown_path};
use crate::engine::{Stop, chess_engine::LinearFile};
use crate::files::{NoFacts, OutputFolder, RunClock, RunKind, output::command_line};
use crate::lab::learning::{learn, learn_part, read_bands, unknown_models};
use crate::lab::{BandReading, Learned, LearningHooks, LearningPhase, Model, ModelKey, ReadingEvent};
use crate::report::learning as files;
use crate::report::learning::{LEARNING, LearningFacts, weights_file};
use crate::report::publish::publish;
use crate::store::SearchProgress;
use crate::verbs::app::plan::{LearningPlan, RunShare};
use crate::verbs::app::{reading, search};
use crate::verbs::error::VerbError;

/// Learns as `plan` says, going on with what its folder has.
///
/// # Errors
///
/// If the games cannot be read, a band has too few of them, or a file cannot be written.
pub fn run(plan: &LearningPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    let paths = reading::files(&plan.files, plan.strict, viewer)?;
    let found = read(plan, &paths, viewer)?;
    check(plan, &found)?;
    let name = format!("{}-learning", reading::name_together(&plan.files));
    let folder = plan.tables.folder(|| Path::new(reading::REPORTS).join(name));
    let formats = plan.tables.with(&plan.pictures, plan.page);
    let objectives = &plan.learning.objectives;
    let weights = files::models(&plan.reading.bands, objectives).map(weights_file);
    let names = weights.chain(LEARNING.file_names(&formats, files::pictures(objectives)));
    let folder = plan.tables.claim(folder, RunKind::Learning, names)?;
    let known = KnownWeights::of(plan, &folder)?;
    let interrupts = search::listen(viewer, "the weights that are learned are kept")?;
    let hooks = Hooks::new(known, viewer);
    check_gathered(plan, &found, &hooks)?;
    let outcome = in_pool(plan.jobs, || outcome(plan, &found, &hooks, interrupts.stop()))?;
    interrupts.search_is_over();
    let (models, viewer) = hooks.finish();
    let out = folder.publication()?;
    let conditions = plan.learning.conditions();
    files::write_weights(&out, &models, &conditions)?.iter().for_each(|problem| viewer.warn(problem));
    let weights = counted(models.len() as u64, "file");
    let (told, note, ending) = match outcome {
        TrainingOutcome::All(learned) => {
            say(&learned, viewer);
            let facts = LearningFacts::new(&found, &plan.reading, &conditions, command_line());
            let report = files::report(&learned, &facts);
            publish(&report, &out, &formats)?;
            let note = format!("see {}", full_path(folder.path()));
            (report.text(viewer.screen()), Some(note), RunEnding::Complete)
        }
        TrainingOutcome::Part(part) => {
            let told = format!("Part {part}: {weights} of weights in {}.\n", full_path(folder.path()));
            (told, None, RunEnding::Complete)
        }
        TrainingOutcome::Interrupted => {
            let note = format!("interrupted: {weights} of weights kept; the same command goes on with them");
            (String::new(), Some(note), RunEnding::Interrupted)
        }
    };
    super::say_removed(&out.finish(&clock.record(RunKind::Learning, NoFacts::default()))?, viewer);
    if let Some(note) = note {
        viewer.note(&note);
    }
    Ok(Finished::new(told, ending))
}

/// What training came to.
enum TrainingOutcome {
    All(Box<Learned>),
    Part(Shard),
    Interrupted,
}

/// Learns what is to be learned here.
fn outcome(plan: &LearningPlan, found: &BandReading, hooks: &Hooks<'_>, stop: &Stop) -> TrainingOutcome {
    let learned = match plan.share {
        RunShare::Part(part) => {
            learn_part(&found.bands, &plan.learning, part, hooks, stop).map(|_| TrainingOutcome::Part(part))
        }
        RunShare::All | RunShare::Gathered(_) => learn(&found.bands, &plan.learning, hooks, stop)
            .map(|learned| TrainingOutcome::All(Box::new(learned))),
    };
    learned.unwrap_or(TrainingOutcome::Interrupted)
}

/// Reads the decisions of all bands, and tells what became of the games.
fn read(
    plan: &LearningPlan,
    paths: &[std::path::PathBuf],
    viewer: &mut dyn Viewer,
) -> Result<BandReading, VerbError> {
    let (mut named, mut useless) = (0, None);
    let strict = |told: String| ControlFlow::Break(VerbError::strict(told));
    let watched = read_bands(paths, &plan.reading, plan.jobs, |event| {
        match event {
            ReadingEvent::Advanced(progress) => viewer.advance_reading(progress),
            ReadingEvent::Bad(bad) if plan.strict => return strict(bad.to_string()),
            ReadingEvent::Torn(torn) if plan.strict => return strict(torn.to_string()),
            ReadingEvent::Useless(fault) if plan.strict => return strict(fault.to_string()),
            ReadingEvent::Torn(torn) => viewer.warn(&torn.to_string()),
            ReadingEvent::Useless(fault) => {
                viewer.warn(&reading::passed_over(&fault));
                useless.get_or_insert(fault);
            }
            ReadingEvent::Bad(bad) => {
                named += 1;
                if named <= NAMED {
                    viewer.warn(&format!("left out: {bad}"));
                }
            }
        }
        ControlFlow::Continue(())
    });
    viewer.finish();
    let found = watched?;
    if named > NAMED {
        viewer
            .warn(&format!("left out: {} more that cannot be read", counted((named - NAMED) as u64, "game")));
    }
    if let Some(fault) = useless.filter(|_| found.read == 0) {
        return Err(fault.into());
    }
    viewer.note(&files::what_was_read(&found));
    Ok(found)
}

/// Refuses bands without games, and bands of too few.
fn check(plan: &LearningPlan, found: &BandReading) -> Result<(), VerbError> {
    let few = |band: &&crate::lab::learning::BandGames| {
        band.games.len() < plan.least_games || band.count(true) == 0 || band.count(false) == 0
    };
    match found.bands.iter().find(few) {
        None => Ok(()),
        Some(band) => Err(VerbError::new(format!(
            "the band {} ± {} has {}, and {} are the least to learn from and to test by; found were {}",
            band.band,
            band.band.tolerance,
            counted(band.games.len() as u64, "game"),
            plan.least_games,
            files::games_by_band(found),
        ))
        .with_hint(match band.games.len() {
            0 => " (--band, --tolerance, and the choice of games)",
            _ => " (--tolerance takes more, --force as few)",
        })),
    }
}

/// Runs `work` on so many threads.
fn in_pool<T: Send>(jobs: usize, work: impl FnOnce() -> T + Send) -> Result<T, VerbError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let failed = |error| VerbError::system("start threads", std::io::Error::other(error));
    Ok(pool.map_err(failed)?.install(work))
}

/// Tells how training went.
fn say(learned: &Learned, viewer: &dyn Viewer) {
    let pairs: usize = learned.models.iter().map(|model| model.counts[2]).max().unwrap_or_default();
    let megabytes = learned.bytes as f64 / 1e6;
    viewer.note(&format!("{}, {megabytes:.0} MB", counted(pairs as u64, "pair")));
    for model in learned.models.iter().filter(|model| !model.fit.converged) {
        let distance = model.fit.violation;
        viewer.warn(&format!("{}: training ended {distance:.3} from the optimum", model.key));
    }
}

/// The folders that may have weights already: those to gather from, and that of the run.
struct KnownWeights {
    folders: Vec<PathBuf>,
}

impl KnownWeights {
    /// Returns the folders; each of those to gather from must have weights, and no two of them other ones of one model.
    fn of(plan: &LearningPlan, folder: &OutputFolder) -> Result<KnownWeights, VerbError> {
        let mut folders = Vec::new();
        if let RunShare::Gathered(parts) = &plan.share {
            let known = KnownWeights { folders: parts.clone() };
            parts.iter().try_for_each(|part| known.check(part, plan))?;
            folders = known.folders;
        }
        folders.push(folder.path().to_owned());
        Ok(KnownWeights { folders })
    }

    /// Refuses a folder without weights, or with other ones than the folders before it have.
    fn check(&self, folder: &Path, plan: &LearningPlan) -> Result<(), VerbError> {
        let mut has_weights = false;
        for key in files::models(&plan.reading.bands, &plan.learning.objectives) {
            let Some(text) = weights_in(folder, key) else { continue };
            has_weights = true;
            if self.text(key).is_some_and(|first| first != text) {
                let (folder, file) = (shown_path(folder), weights_file(key));
                return Err(VerbError::new(format!(
                    "{folder}: {file} is another one than that of the folders before"
                )));
            }
        }
        match has_weights {
            true => Ok(()),
            false => {
                Err(VerbError::new(format!("{} holds no weights that learn has left", shown_path(folder))))
            }
        }
    }

    /// Returns the first file of the weights of a model.
    fn text(&self, key: ModelKey) -> Option<String> {
        self.folders.iter().find_map(|folder| weights_in(folder, key))
    }
}

/// Returns the file of the weights of a model that a folder has.
fn weights_in(folder: &Path, key: ModelKey) -> Option<String> {
    fs::read_to_string(folder.join(weights_file(key))).ok()
}

/// Refuses weights of which some are in none of the folders.
fn check_gathered(plan: &LearningPlan, found: &BandReading, hooks: &Hooks<'_>) -> Result<(), VerbError> {
    let RunShare::Gathered(_) = plan.share else { return Ok(()) };
    let missing = unknown_models(&found.bands, &plan.learning, hooks);
    match missing.is_empty() {
        true => Ok(()),
        false => Err(VerbError::new(format!(
            "none of the folders has these weights, learned from the same games by the same options and version: {}",
            missing.iter().map(ModelKey::to_string).collect::<Vec<_>>().join("; ")
        ))),
    }
}

/// Tells the viewer from any thread, keeps the models that are there, and knows those of an earlier run.
struct Hooks<'a> {
    known: KnownWeights,
    models: Mutex<Vec<Model>>,
    shown: Mutex<ShownLearning<'a>>,
    done: AtomicUsize,
}

struct ShownLearning<'a> {
    viewer: &'a mut dyn Viewer,
    of: usize,
}

impl<'a> Hooks<'a> {
    fn new(known: KnownWeights, viewer: &'a mut dyn Viewer) -> Hooks<'a> {
        Hooks {
            known,
            models: Mutex::default(),
            shown: Mutex::new(ShownLearning { viewer, of: 0 }),
            done: AtomicUsize::new(0),
        }
    }

    /// Returns the models in their order.
    fn finish(self) -> (Vec<Model>, &'a mut dyn Viewer) {
        let mut models = self.models.into_inner().expect("a lock that no panic has poisoned");
        models.sort_unstable_by_key(|model| model.key);
        let viewer = self.shown.into_inner().expect("a lock that no panic has poisoned").viewer;
        viewer.finish();
        (models, viewer)
    }
}

impl LearningHooks for Hooks<'_> {
    fn known(&self, key: ModelKey) -> Option<LinearFile> {
        self.known.text(key)?.parse().ok()
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
        shown.of = steps;
        self.done.store(0, Ordering::Relaxed);
        shown.viewer.begin_search(what, of(steps, 0));
    }

    fn advance(&self, steps: usize) {
        let mut shown = self.shown.lock().expect("a lock that no panic has poisoned");
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        let all = shown.of;
        shown.viewer.advance_search(of(all, done));
    }

    fn learned(&self, model: &Model) {
        self.models.lock().expect("a lock that no panic has poisoned").push(model.clone());
    }
}

/// So many steps, which are of no games.
fn of(all: usize, done: usize) -> SearchProgress {
    SearchProgress { positions: all as u64, positions_done: done as u64, games: 0, games_done: 0 }
}
