//! [`ServedBuiltin`]: the built-in engine served over UCI.

use std::{io::Write, sync::Arc, sync::Mutex, sync::MutexGuard, sync::PoisonError, time::Instant};

use shakmaty::CastlingMode;

use super::{
    OwnAnswer, Served, ServedTask, listing, output::Output, request::OwnRequest, settings::EngineChange,
    settings::Settings, task::LevelTask, task::SearchTask, worker::Control,
};
use crate::base::text::path_text;
use crate::chess::GameSoFar;
use crate::engine::{
    builtin, builtin::bench::BENCH_DEPTH, builtin::bench::Bench, builtin::read_weights, builtin::replay,
    chess_engine::ChessEngine, chess_engine::EngineWeights, chess_engine::Root, levels::LevelPlayer,
    uci::command::Go, uci::engine_line::EngineLine,
};

pub(super) struct ServedBuiltin {
    engine: SharedEngine,
    settings: Settings,
    /// The engine's weights, for listings during a search.
    weights: Arc<EngineWeights>,
}

/// The engine, locked during a search or a change. It is made when first needed, with the table size that is
/// set at that time.
type SharedEngine = Arc<Mutex<Option<ChessEngine>>>;

/// A change of an option. It must wait until no search runs.
pub(super) enum BuiltinChange {
    Table,
    Clear,
    Weights(Box<EngineWeights>),
}

impl ServedBuiltin {
    pub(super) fn new(weights: EngineWeights) -> ServedBuiltin {
        ServedBuiltin { engine: Arc::default(), settings: Settings::default(), weights: Arc::new(weights) }
    }

    fn engine(&self) -> MutexGuard<'_, Option<ChessEngine>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn none_is_legal() -> String {
    "go: none of searchmoves is legal here; searching all moves".to_owned()
}

/// Returns the engine, making it if necessary.
fn prepared<'a>(
    engine: &'a mut Option<ChessEngine>,
    megabytes: usize,
    weights: &EngineWeights,
) -> &'a mut ChessEngine {
    engine.get_or_insert_with(|| {
        let mut engine = ChessEngine::new(megabytes);
        engine.set_weights(weights.clone());
        engine
    })
}

impl Served for ServedBuiltin {
    type Change = BuiltinChange;
    type Task = BuiltinTask;

    fn introduction(&self) -> Vec<EngineLine> {
        let name = EngineLine::Name(builtin::NAME.to_owned());
        let author = EngineLine::Author("the authors of gainalyze".to_owned());
        let options = Settings::options().into_iter().map(EngineLine::Option);
        [name, author].into_iter().chain(options).collect()
    }

    fn mode(&self) -> CastlingMode {
        self.settings.mode
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<BuiltinChange>, String> {
        Ok(match self.settings.set(name, value)? {
            None => None,
            Some(EngineChange::Table) => Some(BuiltinChange::Table),
            Some(EngineChange::Clear) => Some(BuiltinChange::Clear),
            Some(EngineChange::Weights(path)) => {
                let problem = |problem| format!("setoption: Weights {}: {problem}", path_text(&path));
                Some(BuiltinChange::Weights(Box::new(read_weights(&path).map_err(problem)?)))
            }
        })
    }

    fn change(&mut self, change: BuiltinChange) -> Result<(), String> {
        match change {
            BuiltinChange::Clear => self.new_game(),
            // The engine is dropped before the next one is made, so that there is memory for the new table.
            BuiltinChange::Table => *self.engine() = None,
            BuiltinChange::Weights(weights) => {
                self.weights = Arc::new(*weights);
                self.engine().iter_mut().for_each(|engine| engine.set_weights((*self.weights).clone()));
            }
        }
        Ok(())
    }

    /// Makes the engine now, so that its table is not made while a clock runs.
    fn get_ready(&mut self) {
        if self.settings.is_limited {
            LevelPlayer::load();
        }
        if let Ok(mut engine) = self.engine.try_lock() {
            prepared(&mut engine, self.settings.hash, &self.weights);
        }
    }

    fn new_game(&mut self) {
        self.engine().iter_mut().for_each(ChessEngine::clear);
    }

    fn search(&self, go: &Go, game: &GameSoFar, begun: Instant) -> (BuiltinTask, Option<String>) {
        if self.settings.is_limited {
            let task = LevelTask::new(go, game, self.settings.level, begun);
            let remark = task.has_no_move_asked_for(go).then(none_is_legal);
            return (BuiltinTask::Level(task), remark);
        }
        // Each move of the game was checked when the position was set up.
        let root = replay(game.start().clone(), game.moves()).unwrap_or_else(|_| Root::new(game.position()));
        let task = SearchTask::new(go, root, &self.settings, self.weights.chances(), begun);
        let remark = task.has_no_move_asked_for(go).then(none_is_legal);
        let (engine, weights) = (self.engine.clone(), self.weights.clone());
        let search = BuiltinSearch { task, engine, megabytes: self.settings.hash, weights };
        (BuiltinTask::Search(Box::new(search)), remark)
    }

    fn own(&self, request: OwnRequest, game: &GameSoFar) -> Option<OwnAnswer<BuiltinTask>> {
        Some(match request {
            OwnRequest::Eval => OwnAnswer::Text(listing::evaluation(&game.position(), &self.weights)),
            OwnRequest::Bench(depth) => {
                OwnAnswer::Task(BuiltinTask::Bench(self.weights.clone(), depth.unwrap_or(BENCH_DEPTH)))
            }
        })
    }
}

/// Work for the searching thread.
pub(super) enum BuiltinTask {
    Search(Box<BuiltinSearch>),
    Level(LevelTask),
    Bench(Arc<EngineWeights>, u32),
}

pub(super) struct BuiltinSearch {
    task: SearchTask,
    engine: SharedEngine,
    megabytes: usize,
    weights: Arc<EngineWeights>,
}

impl ServedTask for BuiltinTask {
    fn run<W: Write>(self, control: &Arc<Control>, output: &Output<W>) {
        match self {
            BuiltinTask::Search(search) => {
                let BuiltinSearch { task, engine, megabytes, weights } = *search;
                let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
                task.run(prepared(&mut engine, megabytes, &weights), control, output);
            }
            BuiltinTask::Level(task) => task.run(control, output),
            BuiltinTask::Bench(weights, depth) => output.say(&Bench::of(&weights, depth, &mut &**control)),
        }
    }
}
