//! Owns what a run is to do, as values: made once by whoever asks for it, and obeyed by everything below.

use std::{collections::BTreeSet, path::PathBuf};

use etcetera::BaseStrategy;

use super::{AppError, players::GivenElo};
use crate::{
    archive::CountOptions,
    choice::{NameMatcher, Selection},
    engine::EngineChoice,
    evaluation::{Order, Protocol},
    experiment::Choices,
    formats::{Format, PictureFormat},
    go_deep::PositionFilter,
    output::{FileError, OutputFolder, Overwrite, RunKind},
    rating::elo::EloCurve,
    selfplay::{adjudicate::Adjudication, game_pool::Restart, pairs::PairSelection},
    store::{self, EvaluationStore, OriginFilter},
    tournament::{Method, filter::Split},
    tuning::{fit::FitPlan, positions::PositionPlan},
    uci::session::Setup,
};

/// What a tournament's run is to do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// PGN files and folders of them; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Whether each file is a tournament of its own.
    pub separately: bool,
    /// Which games are read.
    pub reading: ReadingPlan,
    /// Engines that are compared; fewer than two leave it at the one of the evaluations.
    pub engines: Vec<EngineChoice>,
    /// Where evaluations come from.
    pub evaluations: EvaluationPlan,
    /// The choices of method.
    pub method: Method,
    /// Ratings in place of the games' own.
    pub elo: Vec<GivenElo>,
    /// What is written.
    pub report: ReportPlan,
}

impl Plan {
    /// Returns the same for one of several engines, whose reports are in `folder`.
    pub fn with_engine(&self, choice: EngineChoice, folder: PathBuf) -> Plan {
        let mut plan = self.clone();
        plan.engines = vec![choice.clone()];
        if plan.evaluations.is_usual_limit {
            plan.evaluations.protocol.limit = choice.usual_limit();
        }
        plan.evaluations.engine.choice = choice;
        plan.evaluations.from = EvaluationsFrom::Engine;
        plan.report.tables.output = Some(folder);
        plan
    }
}

/// Which games are read, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingPlan {
    /// Which games.
    pub selection: Selection,
    /// Whether the first thing that cannot be read ends the reading.
    pub strict: bool,
    /// Workers that read; no result depends on their number.
    pub jobs: usize,
}

impl Default for ReadingPlan {
    /// Reads everything, copies once, by all cores.
    fn default() -> ReadingPlan {
        ReadingPlan { selection: Selection::default(), strict: false, jobs: cores() }
    }
}

impl ReadingPlan {
    /// Returns all games that there are, copies too, with the names that count.
    pub fn everything(&self) -> ReadingPlan {
        ReadingPlan { selection: self.selection.everything(), strict: false, jobs: self.jobs }
    }
}

/// What the counting of an archive is to do.
#[derive(Debug, Clone)]
pub struct ArchivePlan {
    /// PGN files, packed or not, and folders of them; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// What is counted, and how.
    pub options: CountOptions,
    /// Whether the first thing that cannot be read ends the counting.
    pub strict: bool,
    /// Workers that read; no result depends on their number.
    pub jobs: usize,
    /// Where tables are written.
    pub tables: TablePlan,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
    /// Where the counts themselves are written, to be merged with others.
    pub part: Option<PathBuf>,
}

/// What the merging of counts is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct MergePlan {
    /// The files of counts.
    pub parts: Vec<PathBuf>,
    /// From expected score to Elo difference.
    pub curve: EloCurve,
    /// Where tables are written.
    pub tables: TablePlan,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
    /// Where the merged counts are written, to be merged with others.
    pub part: Option<PathBuf>,
}

/// What the counting of changing best moves is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct GoDeepPlan {
    /// PGN files and folders of them; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Which games are read.
    pub reading: ReadingPlan,
    /// Plies that every position is searched to.
    pub depth: u32,
    /// The positions that are searched.
    pub positions: PositionFilter,
    /// Who searches.
    pub engine: EnginePlan,
    /// Where tables are written.
    pub tables: TablePlan,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
}

/// What the fit of the weights of our own engine is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct TuningPlan {
    /// Where positions, labels and weights are kept, and an earlier run is gone on with.
    pub folder: PathBuf,
    /// Positions of all rounds together.
    pub positions: usize,
    /// Nodes of our engine for a move of the games that positions come from.
    pub play_nodes: u64,
    /// Of the games, and of the order in which positions are fitted.
    pub seed: u64,
    /// Who labels the positions.
    pub engine: EnginePlan,
    /// Nodes of a label.
    pub label_nodes: u64,
    /// How weights are fitted.
    pub fit: FitPlan,
}

impl TuningPlan {
    /// Plans the positions of each round: a quarter of them by an engine that knows material alone, and the rest by
    /// what that quarter taught.
    pub fn rounds(&self) -> [PositionPlan; 2] {
        let first = self.positions / 4;
        [(first, self.seed), (self.positions - first, self.seed + 1)].map(|(count, seed)| PositionPlan {
            count,
            seed,
            nodes: self.play_nodes,
        })
    }
}

/// What an experiment of engines that play each other is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct SelfplayPlan {
    /// Depths in plies that the engine plays to, in ascending order.
    pub depths: Vec<u32>,
    /// Games of each pair of depths.
    pub games: u32,
    /// Who meets whom.
    pub pairings: Vec<PairSelection>,
    /// The engine; its processes are started game by game.
    pub engine: EnginePlan,
    /// Who it meets instead of itself.
    pub opponent: Option<OpponentPlan>,
    /// Games at a time.
    pub jobs: usize,
    /// When fresh engine processes are started.
    pub restart: Restart,
    /// Where games begin.
    pub openings: OpeningPlan,
    /// Where the random numbers begin that choose the openings and their order.
    pub seed: u64,
    /// When games end before the rules of chess end them.
    pub adjudication: Adjudication,
    /// What is computed of the games.
    pub choices: Choices,
    /// The report of a tournament whose strength of the engine is the anchor, in place of one that is given.
    pub anchor_report: Option<PathBuf>,
    /// Where tables are written.
    pub tables: TablePlan,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
    /// Whether there is a page.
    pub page: bool,
}

impl SelfplayPlan {
    /// Games of a pair unless asked otherwise, as in Ferreira's experiment.
    pub const GAMES: u32 = 200;
}

impl Default for SelfplayPlan {
    /// Returns the engine that is found against itself, every depth against every other; of no depth yet.
    fn default() -> SelfplayPlan {
        SelfplayPlan {
            depths: Vec::new(),
            games: SelfplayPlan::GAMES,
            pairings: vec![PairSelection::All],
            engine: EnginePlan::default(),
            opponent: None,
            jobs: cores(),
            restart: Restart::default(),
            openings: OpeningPlan::default(),
            seed: 1,
            adjudication: Adjudication::default(),
            choices: Choices::default(),
            anchor_report: None,
            tables: TablePlan::default(),
            pictures: BTreeSet::from([PictureFormat::Png]),
            page: true,
        }
    }
}

/// Another engine, or the same one with other options or depths.
#[derive(Debug, Clone, PartialEq)]
pub struct OpponentPlan {
    /// The engine.
    pub engine: EnginePlan,
    /// Depths in plies that it plays to, in ascending order.
    pub depths: Vec<u32>,
}

/// Where games begin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OpeningPlan {
    /// At the usual start.
    #[default]
    Usual,
    /// With the positions or the moves of a file.
    File {
        /// EPD, FEN or PGN.
        path: PathBuf,
        /// Half-moves that are taken of each game of a PGN at most.
        plies: Option<u32>,
    },
    /// With so many random half-moves.
    Random(u32),
}

/// What a study of sensitivity is to do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SensitivityPlan {
    /// PGN files and folders of them; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Which games are read.
    pub reading: ReadingPlan,
    /// The report of another run of the same games, or a PGN that records its evaluations.
    pub other: Option<PathBuf>,
    /// Where evaluations come from.
    pub evaluations: EvaluationPlan,
    /// The choices of method.
    pub method: Method,
    /// Ratings in place of the games' own.
    pub elo: Vec<GivenElo>,
    /// Where tables are written.
    pub tables: TablePlan,
}

/// How a report is to be made again from its own folder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RemakePlan {
    /// The folder that holds it.
    pub folder: PathBuf,
    /// Games that are to be drawn though the run that made it drew others, by their numbers among all games read.
    pub drawn: Vec<usize>,
    /// What that run was to do, with what is to be otherwise now; without an output the report takes the place of
    /// the one that it is made from.
    pub plan: Plan,
}

/// What a report from stored evaluations is to be.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoredPlan {
    /// The SQLite file.
    pub store: PathBuf,
    /// PGN files and folders of them, whose games are one tournament; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Which games are read.
    pub reading: ReadingPlan,
    /// Whose evaluations are taken, where the store has those of several.
    pub wanted: OriginFilter,
    /// What is written.
    pub report: ReportPlan,
}

/// Where tables are written, and as what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TablePlan {
    /// The folder; `None` for the one that has the name of the input.
    pub output: Option<PathBuf>,
    /// Formats of the tables; none writes no tables.
    pub formats: BTreeSet<Format>,
    /// Which files may be overwritten.
    pub overwrite: Overwrite,
}

impl TablePlan {
    /// Returns the folder that was named, else the `usual` one.
    pub fn folder(&self, usual: impl FnOnce() -> PathBuf) -> PathBuf {
        self.output.clone().unwrap_or_else(usual)
    }

    /// Claims the folder at `path` for a run of that `kind`, which may write files of these `names`.
    ///
    /// # Errors
    ///
    /// As [`OutputFolder::claim`].
    pub fn claim(
        &self,
        path: PathBuf,
        kind: RunKind,
        names: impl IntoIterator<Item = String>,
    ) -> Result<OutputFolder, FileError> {
        OutputFolder::claim(path, kind, self.overwrite, names)
    }
}

impl Default for TablePlan {
    /// Asks for CSV in the folder that has the name of the input.
    fn default() -> TablePlan {
        TablePlan { output: None, formats: BTreeSet::from([Format::Csv]), overwrite: Overwrite::Ours }
    }
}

/// What of a tournament is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPlan {
    /// Its tables.
    pub tables: TablePlan,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
    /// The games that are drawn move by move, by their numbers among all games read.
    pub games: Vec<usize>,
    /// Whether there is a page.
    pub page: bool,
    /// The players that are shown; none for all.
    pub players: Vec<NameMatcher>,
    /// Classes of moves that have tables of their own.
    pub splits: BTreeSet<Split>,
    /// Where the games are written back with their evaluations.
    pub annotated: Option<PathBuf>,
}

impl Default for ReportPlan {
    /// Asks for all of it for all players: tables as CSV, pictures as PNG, and the page.
    fn default() -> ReportPlan {
        ReportPlan {
            tables: TablePlan::default(),
            pictures: BTreeSet::from([PictureFormat::Png]),
            games: Vec::new(),
            page: true,
            players: Vec::new(),
            splits: BTreeSet::new(),
            annotated: None,
        }
    }
}

/// Where the evaluations of games come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationPlan {
    /// Recorded, searched, or both.
    pub from: EvaluationsFrom,
    /// Plies that a recorded evaluation must have at least; `None` takes it as it is.
    pub least_depth: Option<u32>,
    /// Who searches.
    pub engine: EnginePlan,
    /// How positions are put to the engine.
    pub protocol: Protocol,
    /// Whether its limit is the engine's usual one, since none was asked for.
    pub is_usual_limit: bool,
    /// Where searched evaluations are kept.
    pub store: StorePlan,
    /// Whether those are needed of the positions that the engine's own moves lead to.
    pub own_moves: bool,
    /// How far one goes for what is not recorded.
    pub reach: Reach,
}

impl Default for EvaluationPlan {
    /// Takes recorded evaluations where a game has all of them, else those of the usual engine to its usual depth.
    fn default() -> EvaluationPlan {
        let engine = EnginePlan::default();
        EvaluationPlan {
            from: EvaluationsFrom::default(),
            least_depth: None,
            protocol: Protocol::new(engine.choice.usual_limit(), Order::default(), Protocol::SEGMENT),
            is_usual_limit: true,
            engine,
            store: StorePlan::default(),
            own_moves: false,
            reach: Reach::default(),
        }
    }
}

/// Which evaluations are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum EvaluationsFrom {
    /// Recorded where complete, else the engine's.
    #[default]
    Auto,
    /// Only recorded ones.
    Pgn,
    /// Only the engine's.
    Engine,
}

/// How far one goes for an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// What is not stored is searched.
    #[default]
    Search,
    /// What is not stored is an error.
    Stored,
}

/// An engine, and how many of it work at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnginePlan {
    /// Which one.
    pub choice: EngineChoice,
    /// How each is set up.
    pub setup: Setup,
    /// How many: processes of a program, threads of the engine within.
    pub jobs: usize,
}

impl Default for EnginePlan {
    /// Returns the usual engine, on each core.
    fn default() -> EnginePlan {
        EnginePlan { choice: EngineChoice::usual(), setup: Setup::default(), jobs: cores() }
    }
}

/// Returns the cores of this machine.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Where searched evaluations are kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum StorePlan {
    /// In the user's cache directory.
    #[default]
    Usual,
    /// In this SQLite file.
    At(PathBuf),
    /// Nowhere.
    Nowhere,
}

impl StorePlan {
    /// Opens the store, if there is to be one.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or made, or if nobody knows where it would be.
    pub fn open(&self) -> Result<Option<Box<dyn EvaluationStore>>, AppError> {
        let path = match self {
            StorePlan::Nowhere => return Ok(None),
            StorePlan::At(path) => path.clone(),
            StorePlan::Usual => {
                let strategy = etcetera::choose_base_strategy().map_err(|_| AppError::NoCacheFolder)?;
                strategy.cache_dir().join("gainalyze").join("evaluations.sqlite")
            }
        };
        Ok(Some(store::open(&path)?))
    }
}
