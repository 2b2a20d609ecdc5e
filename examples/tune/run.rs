//! Runs a fit: makes positions in rounds, labels them, fits weights or a network after each round, and writes
//! the file of weights.

use std::path::{Path, PathBuf};

use shakmaty::Chess;

use gainalyze::base::output::{FileError, create_folder, write_named_file};
use gainalyze::base::text::{counted, full_path};
use gainalyze::engine::chess_engine::{Weights, WeightsFile};
use gainalyze::engine::{Engine, EngineCommand, Restarting, work::event_loop};
use gainalyze::store::SearchProgress;
use gainalyze::verbs::{EnginePlan, Interrupts, Observer};

use crate::TuneError;
use crate::chances;
use crate::fit::{Distance, FitPlan};
use crate::labels::{LabelFile, LabeledPosition};
use crate::network::NetworkPlan;
use crate::positions::PositionPlan;

const WEIGHTS: &str = "weights.txt";

const LABELS: &str = "labels.csv";

/// About this many positions are used to fit chances, or all of a small run. These are enough, because the
/// curves of chances have only four parameters.
const FOR_CHANCES: usize = 5_000;

/// Nodes that the built-in engine searches per position in the fit of chances, as a multiple of the nodes for
/// a label.
const NODES_OF_A_LABEL: u64 = 5;

/// The beginning of the first line on the provenance of a network.
pub const NETWORK_PROVENANCE: &str = "network: ";

/// Number of positions that are handed to the labeling engine at a time. It bounds the memory of the tasks.
const LABELED_AT_A_TIME: usize = 100_000;

/// The settings of a run.
pub struct TuningPlan {
    /// Folder for positions, labels and weights. A stopped run resumes from it.
    pub folder: PathBuf,
    /// Number of positions in all rounds.
    pub positions: usize,
    /// Nodes that the built-in engine searches per move in its games.
    pub play_nodes: u64,
    /// Random seed for the games. The order of positions in the fit has the seed of `fit`.
    pub seed: u64,
    /// Engine that labels the positions.
    pub engine: EnginePlan,
    /// Nodes that the labeling engine searches per position.
    pub label_nodes: u64,
    /// Terms that are kept, for the fit of a network that corrects them.
    pub terms: Option<WeightsFile>,
    pub fit: FitPlan,
    pub network: NetworkPlan,
}

impl TuningPlan {
    /// Returns the settings of the rounds. The fit of a network has one round. The fit of weights has two: the
    /// first round gives a quarter of the positions, from games of an engine that evaluates only material; the
    /// second round uses the weights fitted to that quarter.
    fn rounds(&self) -> Vec<PositionPlan> {
        let first = if self.terms.is_some() { self.positions } else { self.positions / 4 };
        let counts = [first, self.positions - first];
        let round = |(count, seed)| PositionPlan { count, seed, nodes: self.play_nodes };
        counts.into_iter().zip(self.seed..).filter(|(count, _)| *count > 0).map(round).collect()
    }
}

/// The outcome of a run without an error.
pub enum TuneEnding {
    /// The weights are written.
    Complete,
    /// The user stopped the run. The same command resumes it.
    Interrupted,
}

/// Fits weights or a network by `plan`. If the plan's folder has files of a stopped run, the run resumes.
///
/// # Errors
///
/// If the engine cannot be used or cannot label positions, a file in the folder belongs to another run, or a
/// file cannot be read or written.
pub fn run(plan: &TuningPlan, viewer: &mut dyn Observer) -> Result<TuneEnding, TuneError> {
    create_folder(&plan.folder)?;
    let command = EngineCommand::new(&plan.engine.choice, &plan.engine.setup)?;
    let event_loop =
        event_loop().map_err(|error| TuneError::System("start the engines' event loop", error))?;
    let first = event_loop.block_on(command.start())?;
    let source = format!("{}, {} nodes", first.identity().name, plan.label_nodes);
    let labels = LabelFile::open(&plan.folder.join(LABELS), &source)?;
    let interrupts = viewer
        .interrupts("the running searches will be labeled")
        .map_err(|error| TuneError::System("listen for Ctrl-C", error))?;
    interrupts.search_begins();
    let mut run = Run { plan, viewer, interrupts, command, idle: Some(first), labels, positions: Vec::new() };
    let mut file = plan.terms.clone().unwrap_or_else(|| Weights::material().into());
    let of_network = if plan.terms.is_some() { NETWORK_PROVENANCE } else { "" };
    file.provenance.push(format!("{of_network}fitted by gainalyze {}", env!("CARGO_PKG_VERSION")));
    file.provenance.push(format!("labels: {source}"));
    for (number, round) in (1..).zip(plan.rounds()) {
        file.provenance.push(format!("round {number}: {round}"));
        let made = run.positions(number, &round, &file.weights)?;
        run.positions.extend(made);
        if run.is_stopped() || !event_loop.block_on(run.label())? {
            return Ok(TuneEnding::Interrupted);
        }
        let said = run.fit(&mut file);
        if number == plan.rounds().len() {
            file.provenance.push(said);
        }
    }
    run.fit_chances(&mut file);
    let path = plan.folder.join(WEIGHTS);
    write_text(&path, &file.to_string())?;
    run.viewer.note(&format!("weights: see {}", full_path(&path)));
    Ok(TuneEnding::Complete)
}

/// The state of a run.
struct Run<'a> {
    plan: &'a TuningPlan,
    viewer: &'a mut dyn Observer,
    interrupts: Interrupts,
    command: EngineCommand,
    /// The engine that was started so that its name is known. It becomes the first engine that labels
    /// positions.
    idle: Option<Engine>,
    labels: LabelFile,
    positions: Vec<Chess>,
}

impl Run<'_> {
    fn is_stopped(&self) -> bool {
        self.interrupts.stop().is_requested()
    }

    /// Returns the positions of a round. Reads them from the round's file if it exists. Otherwise chooses
    /// them from new games, and writes the file unless the user stopped the run.
    fn positions(
        &mut self,
        number: usize,
        round: &PositionPlan,
        weights: &Weights,
    ) -> Result<Vec<Chess>, TuneError> {
        let path = self.plan.folder.join(format!("positions-{number}.fen"));
        if let Some(known) = round.read(&path, weights)? {
            return Ok(known);
        }
        self.viewer.note(&format!("round {number}: {round}"));
        self.viewer.begin_search("positions", of(round.count, 0));
        let made = round.make(weights, self.interrupts.stop(), |done| {
            self.viewer.advance_search(of(round.count, done));
        });
        self.viewer.finish();
        if !self.is_stopped() {
            write_text(&path, &round.write(&made, weights))?;
        }
        Ok(made)
    }

    /// Labels the positions that have no label yet. Returns `false` if the user stopped the run.
    async fn label(&mut self) -> Result<bool, TuneError> {
        let Run { plan, viewer, interrupts, command, idle, labels, positions } = self;
        let all = positions.len();
        viewer.begin_search("labels", of(all, labels.len()));
        let unlabeled: Vec<Chess> = positions.iter().filter(|chess| !labels.has(chess)).cloned().collect();
        for part in unlabeled.chunks(LABELED_AT_A_TIME) {
            let first = match idle.take() {
                Some(engine) => engine,
                None => command.start().await?,
            };
            let identity = first.identity().clone();
            let engines = Restarting::all(command, &identity, [first], plan.engine.jobs);
            let work = labels.fill(part, engines, plan.label_nodes, interrupts.stop(), |done| {
                viewer.advance_search(of(all, done));
            });
            let done = tokio::select! {
                done = work => done,
                () = interrupts.twice() => Ok(()),
            };
            done?;
            if interrupts.stop().is_requested() {
                break;
            }
        }
        viewer.finish();
        Ok(!interrupts.stop().is_requested())
    }

    /// Fits the weights or the network of `file` to the labels. Returns a sentence on the distance of the
    /// evaluations from the labels.
    fn fit(&mut self, file: &mut WeightsFile) -> String {
        let labeled = self.labels.positions();
        let said = if self.plan.terms.is_some() {
            let viewer = &mut self.viewer;
            let fit = self.plan.network.fit(&labeled, &file.weights, |epoch, distance| {
                viewer.note(&format!("epoch {epoch}: {distance:.4} from the held-out labels"));
            });
            file.network = Some(fit.network);
            outcome(fit.fitted, fit.held_out)
        } else {
            let fit = self.plan.fit.fit(&labeled, &Weights::material(), |_, _| {});
            file.weights = fit.weights;
            let parts = [fit.fitted, fit.held_out].map(|part: Distance| (part.rmse, part.positions));
            outcome(parts[0], parts[1])
        };
        self.viewer.note(&said);
        said
    }

    /// Fits the curves of chances of `file` if enough labels have chances.
    fn fit_chances(&mut self, file: &mut WeightsFile) {
        let labeled = self.labels.positions();
        // A small run uses a larger share of its positions, so that there are enough for the fit.
        let apart = (labeled.len() / FOR_CHANCES).max(1);
        let some: Vec<LabeledPosition> = labeled.into_iter().step_by(apart).collect();
        match chances::fit(&some, file, NODES_OF_A_LABEL * self.plan.label_nodes) {
            Some(chances) => file.chances = chances,
            None => {
                self.viewer.warn("the labels have no chances of a win, a draw and a loss, so none are fitted")
            }
        }
    }
}

fn of(all: usize, done: usize) -> SearchProgress {
    SearchProgress { positions: all as u64, positions_done: done as u64, games: 1, games_done: 0 }
}

/// Returns a sentence on the distance of a fit from the labels. Each part is a root mean square and the number
/// of positions.
fn outcome(fitted: (f64, usize), held_out: (f64, usize)) -> String {
    format!(
        "win probability differs by {:.4} (root mean square) from the labels of {}, and by {:.4} from those of {} held out",
        fitted.0,
        counted(fitted.1 as u64, "position"),
        held_out.0,
        held_out.1
    )
}

fn write_text(path: &Path, text: &str) -> Result<(), FileError> {
    write_named_file(path, |file| std::io::Write::write_all(file, text.as_bytes()))
}
