//! Owns the experiments: self-play, deep trees, sparring, learning and the papers.

pub mod deep;
pub mod experiment;
pub mod go_deep;
pub mod learning;
pub mod papers;
pub mod selfplay;
pub mod spar;

pub use self::{
    deep::growing::{
        Answerers, Growth, GrowthCounts, GrowthEnd, GrowthError, GrowthLimits, GrowthNotice, StampedStore,
    },
    deep::{
        BoundKind, DeepOptions, DeepSearch, DeepTree, MoveRole, MoverScore, ScoreRange, TreeMove, TreeNode,
        TreeSettings, Widths,
    },
    experiment::sparring::{Opponent, SkillFinding, SkillGames},
    experiment::sparring_moves::{Course, LossSizes, MoveLoss, SkillMoves, SparringMoves},
    experiment::{
        Choices, ColumnFit, EntrantAnchor, Experiment, ExperimentError, Fit, Match, PairGames, RatingAnchor,
        Ratings, Returns, ReturnsTest, RoundRobin, RoundRobinError, Sparring, WhiteScore,
    },
    go_deep::{GoDeepNotice, GoDeepSearches, Iteration, PositionFilter, Positions},
    learning::control::{Chooser, MadeGames},
    learning::{
        BandGames, BandPlan, BandReading, CrossTraining, Decision, DecisionPlan, LearnPlan, Learned,
        LearningHooks, LearningObjective, LearningPhase, Material, Model, ModelKey, Movers, Predicted,
        Predictor, Preferences, RatingBand, ReadingEvent, Target, TrainedFit,
    },
    papers::ferreira::FerreiraData,
    papers::{CellLayout, CellVerdict, Paper, PaperCell, PaperColumn, PaperTable},
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
