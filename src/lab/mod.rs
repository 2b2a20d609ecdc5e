//! Owns the experiments: self-play, deep trees, sparring, learning and the papers.

pub mod deep;
#[cfg(feature = "program")]
pub(crate) mod experiment;
#[cfg(feature = "program")]
pub(crate) mod go_deep;
pub mod learning;
#[cfg(feature = "program")]
pub(crate) mod papers;
pub mod selfplay;
pub mod spar;

#[cfg(feature = "program")]
pub use self::experiment::{Choices, Experiment, Fit, RatingAnchor};
pub use self::{
    deep::growing::{
        Answerers, Growth, GrowthCounts, GrowthEnd, GrowthError, GrowthLimits, GrowthNotice, StampedStore,
    },
    deep::{
        BoundKind, DeepOptions, DeepSearch, DeepTree, MoveRole, MoverScore, ScoreRange, TreeMove, TreeNode,
        TreeSettings, Widths,
    },
    learning::{
        BandGames, BandPlan, BandReading, CrossTraining, Decision, DecisionPlan, LearnPlan, Learned,
        LearningHooks, LearningObjective, LearningPhase, Material, Model, ModelKey, Movers, Predicted,
        Predictor, Preferences, RatingBand, ReadingEvent, Target, TrainedFit,
    },
    selfplay::adjudicate::{Adjudication, DrawRule, ResignRule},
    selfplay::config::{
        ConfigError, ContestantConfig, EntrantConfig, EntrantsConfig, ExperimentConfig, OpeningBook, Terms,
    },
    selfplay::contestants::{Contestants, KnownEngine},
    selfplay::entrant_player::EntrantError,
    selfplay::entrant_results::NamedRecords,
    selfplay::entrants::{Entrant, EntrantNumber, Entrants, Meetings, MoverWay},
    selfplay::game_log::{GameLog, GameLogError},
    selfplay::game_pgn::GameHeader,
    selfplay::game_pool::{ErrorOf, GamePoolEvent, GamesToPlay, PlayerFactory, Restart, Seat},
    selfplay::openings::{Opening, Openings},
    selfplay::pairs::PairSelection,
    selfplay::play::PlayedGame,
    selfplay::results::ResultsError,
    selfplay::schedule::{Matchup, ScheduledGame},
    selfplay::sequential::SequentialMatch,
    selfplay::tally::{PairCount, RunningScores},
    selfplay::{Contender, Ending, GameRecord, Side},
    spar::board::{BoardGame, BoardGameError, BoardRequest, GameOver, Names},
    spar::candidate::Candidate,
    spar::{
        Allowance, FixedSkill, MoveLog, OpponentMemory, SkillFunction, SparNotes, SparOptions, SparPlayer,
        SparSettings,
    },
};
#[cfg(feature = "program")]
pub(crate) use self::{
    experiment::sparring::{Opponent, SkillFinding, SkillGames},
    experiment::sparring_moves::{Course, LossSizes, MoveLoss, SkillMoves, SparringMoves},
    experiment::{
        ColumnFit, EntrantAnchor, ExperimentError, Match, PairGames, Ratings, Returns, ReturnsTest,
        RoundRobin, RoundRobinError, Sparring, WhiteScore,
    },
    go_deep::{GoDeepNotice, GoDeepSearches, Iteration, PositionFilter, Positions},
    papers::{CellLayout, CellVerdict, Paper, PaperCell, PaperColumn, PaperTable},
};
