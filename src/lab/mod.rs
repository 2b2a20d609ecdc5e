//! Experiments: self-play, deep trees, sparring, learning and the papers.

pub mod deep;
pub(crate) mod experiment;
pub(crate) mod go_deep;
pub(crate) mod history;
pub mod learning;
pub(crate) mod papers;
pub mod selfplay;
pub mod spar;

pub use self::{
    deep::BoundKind, deep::DeepOptions, deep::DeepSearch, deep::DeepTree, deep::MoveRole, deep::MoverScore,
    deep::NextStep, deep::Outlook, deep::ScoreRange, deep::Steering, deep::TreeMove, deep::TreeNode,
    deep::Widths, deep::growing::Answerers, deep::growing::Growth, deep::growing::GrowthCounts,
    deep::growing::GrowthEnd, deep::growing::GrowthError, deep::growing::GrowthLimits,
    deep::growing::GrowthNotice, deep::growing::StampedStore, deep::growing::UnfinishedDepth,
    learning::BandGames, learning::CrossTraining, learning::Decision, learning::DecisionPlan,
    learning::LearnPlan, learning::Learned, learning::LearningHooks, learning::LearningObjective,
    learning::LearningPhase, learning::LearningWork, learning::Material, learning::Model, learning::ModelKey,
    learning::Movers, learning::Predicted, learning::Predictor, learning::Preferences, learning::RatingBand,
    learning::Target, learning::TrainedFit, selfplay::Contender, selfplay::GameRecord, selfplay::Side,
    selfplay::adjudicate::Adjudication, selfplay::adjudicate::DrawRule, selfplay::adjudicate::ResignRule,
    selfplay::contestants::Contestants, selfplay::contestants::KnownEngine, selfplay::game_log::GameLog,
    selfplay::game_log::GameLogError, selfplay::game_pgn::GameHeader, selfplay::game_pool::ErrorOf,
    selfplay::game_pool::GamePoolEvent, selfplay::game_pool::GamesToPlay, selfplay::game_pool::PlayerFactory,
    selfplay::game_pool::Restart, selfplay::game_pool::Seat, selfplay::openings::Opening,
    selfplay::openings::Openings, selfplay::play::PlayedGame, selfplay::schedule::Matchup,
    selfplay::schedule::ScheduledGame, spar::candidate::Candidate,
};
pub(crate) use self::{
    deep::TreeSettings, experiment::ColumnFit, experiment::EntrantAnchor, experiment::ExperimentError,
    experiment::Match, experiment::PairGames, experiment::Ratings, experiment::Returns,
    experiment::ReturnsTest, experiment::RoundRobin, experiment::RoundRobinError, experiment::Sparring,
    experiment::WhiteScore, experiment::sparring::Opponent, experiment::sparring::SkillFinding,
    experiment::sparring::SkillGames, experiment::sparring_moves::Course,
    experiment::sparring_moves::LossSizes, experiment::sparring_moves::MoveLoss,
    experiment::sparring_moves::SkillMoves, experiment::sparring_moves::SparringMoves, go_deep::GoDeepNotice,
    go_deep::GoDeepSearches, go_deep::Iteration, go_deep::PositionFilter, go_deep::Positions,
    learning::BandPlan, learning::BandReading, learning::ReadingEvent, papers::CellLayout,
    papers::CellVerdict, papers::Paper, papers::PaperCell, papers::PaperColumn, papers::PaperTable,
    selfplay::config::ConfigError, selfplay::config::ContestantConfig, selfplay::config::EntrantConfig,
    selfplay::config::EntrantsConfig, selfplay::config::ExperimentConfig, selfplay::config::OpeningBook,
    selfplay::config::Terms, selfplay::entrants::Entrant, selfplay::entrants::EntrantError,
    selfplay::entrants::Entrants, selfplay::entrants::Meetings, selfplay::entrants::MoveMethod,
    selfplay::pairs::PairSelection, selfplay::sequential::RunningScores,
    selfplay::sequential::SequentialMatch, spar::Allowance, spar::FixedSkill, spar::MoveLog,
    spar::OpponentMemory, spar::OpponentRecord, spar::SkillFunction, spar::SparNotes, spar::SparOptions,
    spar::SparPlayer, spar::SparSettings, spar::board_clock::BoardClock, spar::board_clock::BoardTime,
    spar::board_game::BoardGame, spar::board_game::GameOver, spar::board_game::Names,
    spar::board_request::BoardRequest,
};
pub use self::{
    experiment::{Choices, Experiment, Fit, RatingAnchor},
    selfplay::{entrants::EntrantNumber, results::NamedRecords},
};
