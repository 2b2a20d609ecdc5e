//! Experiments: self-play, deep trees, sparring, learning and the papers.

pub mod deep;
pub(crate) mod experiment;
pub(crate) mod go_deep;
pub mod learning;
pub(crate) mod papers;
pub mod selfplay;
pub mod spar;

pub(crate) use self::{
    deep::TreeSettings,
    experiment::sparring::{Opponent, SkillFinding, SkillGames},
    experiment::sparring_moves::{Course, LossSizes, MoveLoss, SkillMoves, SparringMoves},
    experiment::{
        ColumnFit, EntrantAnchor, ExperimentError, Match, PairGames, Ratings, Returns, ReturnsTest,
        RoundRobin, RoundRobinError, Sparring, WhiteScore,
    },
    go_deep::{GoDeepNotice, GoDeepSearches, Iteration, PositionFilter, Positions},
    learning::{BandPlan, BandReading, ReadingEvent},
    papers::{CellLayout, CellVerdict, Paper, PaperCell, PaperColumn, PaperTable},
    selfplay::config::{
        ConfigError, ContestantConfig, EntrantConfig, EntrantsConfig, ExperimentConfig, OpeningBook, Terms,
    },
    selfplay::entrants::{Entrant, EntrantError, Entrants, Meetings, MoveMethod},
    selfplay::pairs::PairSelection,
    selfplay::sequential::{RunningScores, SequentialMatch},
    spar::board_clock::{BoardClock, BoardTime},
    spar::board_game::{BoardGame, GameOver, Names},
    spar::board_request::BoardRequest,
    spar::{
        Allowance, FixedSkill, MoveLog, OpponentMemory, OpponentRecord, SkillFunction, SparNotes,
        SparOptions, SparPlayer, SparSettings,
    },
};
pub use self::{
    deep::growing::{
        Answerers, Growth, GrowthCounts, GrowthEnd, GrowthError, GrowthLimits, GrowthNotice, StampedStore,
        UnfinishedDepth,
    },
    deep::{
        BoundKind, DeepOptions, DeepSearch, DeepTree, MoveRole, MoverScore, NextStep, Outlook, ScoreRange,
        Steering, TreeMove, TreeNode, Widths,
    },
    learning::{
        BandGames, CrossTraining, Decision, DecisionPlan, LearnPlan, Learned, LearningHooks,
        LearningObjective, LearningPhase, LearningWork, Material, Model, ModelKey, Movers, Predicted,
        Predictor, Preferences, RatingBand, Target, TrainedFit,
    },
    selfplay::adjudicate::{Adjudication, DrawRule, ResignRule},
    selfplay::contestants::{Contestants, KnownEngine},
    selfplay::game_log::{GameLog, GameLogError},
    selfplay::game_pgn::GameHeader,
    selfplay::game_pool::{ErrorOf, GamePoolEvent, GamesToPlay, PlayerFactory, Restart, Seat},
    selfplay::openings::{Opening, Openings},
    selfplay::play::PlayedGame,
    selfplay::schedule::{Matchup, ScheduledGame},
    selfplay::{Contender, GameRecord, Side},
    spar::candidate::Candidate,
};
pub use self::{
    experiment::{Choices, Experiment, Fit, RatingAnchor},
    selfplay::{entrants::EntrantNumber, results::NamedRecords},
};
