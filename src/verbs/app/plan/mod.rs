//! Owns what a run is to do, as values: made once by whoever asks for it, and obeyed by everything below.

mod board_game;
mod calibrating;
mod deep;
mod evaluation;
mod learning;
mod profile;
mod selfplay;
mod share;
mod sparring;
mod watching;

use std::{collections::BTreeSet, path::PathBuf};

pub use self::{
    board_game::BoardGamePlan,
    calibrating::{CalibratingPlan, CalibrationSource},
    deep::{DeepPlan, RootPlan},
    evaluation::{EnginePlan, EvaluationPlan, EvaluationsFrom, QueuePlan, Reach, StorePlan},
    learning::LearningPlan,
    profile::ProfilePlan,
    selfplay::{
        EntrantPlan, EntrantsPlan, OpeningPlan, OpponentPlan, PlayingPlan, RecordedPlan, SelfplayPlan,
    },
    share::RunShare,
    sparring::SparringPlan,
    watching::WatchPlan,
};
use super::rated::CalibrationPlan;
use crate::chess::Selection;
use crate::engine::{EngineChoice, work::cores};
use crate::files::PictureFormat;
use crate::lab::PositionFilter;
use crate::measure::{CountOptions, GivenElo, Method};
use crate::numbers::EloCurve;
use crate::store::OriginFilter;
use crate::verbs::args::{ReportArgs, TableArgs};

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
    pub report: ReportArgs,
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
        plan.report.table.output = Some(folder);
        plan
    }
}

/// What a rating of players by their play is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingPlan {
    /// What is done once the engine and its setting are known.
    pub plan: Plan,
    /// Whether its engine was named: no other takes its place.
    pub is_engine_named: bool,
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
    pub tables: TableArgs,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
    /// Where the counts themselves are written, to be merged with others.
    pub part: Option<PathBuf>,
    /// Where ratings of play come from.
    pub calibrations: CalibrationPlan,
}

/// What is to be told of what is usual at a rating.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpectPlan {
    /// The rating, on the calibration's scale.
    pub elo: f64,
    /// Moves that are looked at.
    pub moves: u64,
    /// By which calibrations.
    pub calibrations: CalibrationPlan,
}

/// What the merging of counts is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct MergePlan {
    /// The files of counts.
    pub parts: Vec<PathBuf>,
    /// Whether several of them may have counted the same file.
    pub overlap: bool,
    /// From expected score to Elo difference.
    pub curve: EloCurve,
    /// Where tables are written.
    pub tables: TableArgs,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
    /// Where the merged counts are written, to be merged with others.
    pub part: Option<PathBuf>,
    /// Where ratings of play come from.
    pub calibrations: CalibrationPlan,
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
    pub tables: TableArgs,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
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
    pub tables: TableArgs,
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
    pub report: ReportArgs,
}
