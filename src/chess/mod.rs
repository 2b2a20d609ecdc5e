//! Games, positions, evaluations, gains and judgments; and the traits of evaluators, players and rankers.

pub(crate) mod accuracy;
pub(crate) mod choice;
pub(crate) mod date;
pub mod evaluated_game;
pub(crate) mod evaluation;
pub(crate) mod evaluator;
pub(crate) mod first_few;
pub(crate) mod gain;
pub mod game;
pub(crate) mod judgment;
pub mod openings;
pub mod pgn;
pub(crate) mod phase;
pub(crate) mod player;
pub(crate) mod rating_system;
mod recorded;
mod referee;
mod repair;
pub(crate) mod score;
pub(crate) mod segment;
#[cfg(feature = "program")]
pub(crate) mod shard;
pub(crate) mod time_control;
pub mod win_probability;

pub use self::{
    accuracy::GameAccuracy, accuracy::MoveChances, choice::Duplicates, choice::Fingerprint, choice::MoveText,
    date::Date, evaluated_game::EvaluatedGame, evaluated_game::Evaluations, evaluation::Evaluation,
    evaluation::Limit, evaluation::Order, evaluation::Protocol, evaluation::RankedLine, evaluation::Wdl,
    evaluator::Evaluator, evaluator::Ranker, evaluator::RankingLimits, evaluator::SegmentResult,
    gain::Metric, gain::MoveEvals, game::Annotation, game::Game, game::GameResult, game::GameSource,
    game::PlayedMove, game::RecordedEval, game::Tags, judgment::Judgment, judgment::MoveVerdict,
    openings::OpeningNames, pgn::BadGame, pgn::BadGameReason, pgn::Block, pgn::Blocks, pgn::CommentPart,
    pgn::FastGame, pgn::FastMove, pgn::FileCount, pgn::GameReader, phase::Phase, player::ChosenMove,
    player::GameSoFar, player::MoveLimit, player::Player, recorded::recorded_evaluations, referee::Ending,
    referee::Referee, repair::Repair, repair::Repairs, score::Clip, score::Mate, score::Score,
    score::SignedScore, segment::PlyEvaluation, segment::Segment, time_control::BaseAndIncrement,
    time_control::TimeControl,
};
pub(crate) use self::{
    choice::Aliases, choice::GameTally, choice::GivenNames, choice::Headers, choice::NameMatcher,
    choice::People, choice::Refusal, choice::Selection, choice::Selector, choice::Spellings,
    choice::is_nobody, choice::name_players, choice::name_with_id, choice::without_id, evaluator::BestMoves,
    evaluator::IsOver, first_few::FirstFew, gain::EvalScale, gain::ExactScale, gain::UnknownMetric,
    gain::Valuation, judgment::JudgmentCounts, pgn::BlockMark, pgn::FileFault, pgn::GameBlock,
    pgn::StreamContent, pgn::StreamPart, pgn::TornFile, pgn::Unpacked, player::Clock,
    rating_system::RatingSystem, time_control::ClockHands, time_control::TimeClass,
};
#[cfg(feature = "program")]
pub(crate) use self::{
    choice::GameFilter, choice::RandomSample, choice::Seen, choice::Share, choice::similar_names,
    pgn::CommentCommand, pgn::FoundFiles, pgn::ReadError, pgn::SelectedGames, pgn::StrictFault,
    recorded::Gap, recorded::own_engines, repair::RepairTally, segment::UnsearchableError, shard::Shard,
};
