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
pub(crate) mod score;
pub(crate) mod segment;
pub(crate) mod shard;
pub(crate) mod time_control;
pub mod win_probability;

pub(crate) use self::choice::{GameTally, RandomSample};
pub use self::{
    accuracy::{GameAccuracy, MoveChances},
    choice::{Duplicates, Fingerprint, MoveText},
    date::Date,
    evaluated_game::{EvaluatedGame, Evaluations},
    evaluation::{Evaluation, Limit, Order, Protocol, RankedLine, Wdl},
    evaluator::{Evaluator, Ranker, RankingLimits, SegmentResult},
    gain::{Metric, MoveEvals},
    game::{Annotation, Game, GameResult, GameSource, PlayedMove, RecordedEval, Tags},
    judgment::{Judgment, MoveVerdict},
    openings::OpeningNames,
    pgn::{BadGame, BadGameReason, Block, Blocks, CommentPart, FastGame, FastMove, FileCount, GameReader},
    phase::Phase,
    player::{ChosenMove, GameSoFar, MoveLimit, Player},
    recorded::recorded_evaluations,
    referee::{Ending, Referee},
    score::{Clip, Mate, Score, SignedScore},
    segment::{PlyEvaluation, Segment},
    time_control::{BaseAndIncrement, TimeControl},
};
pub(crate) use self::{
    choice::{Aliases, GameFilter, Seen, Share},
    first_few::FirstFew,
    pgn::{CommentCommand, FoundFiles, ReadError, SelectedGames, StrictFault},
    recorded::{Gap, own_engines},
};
pub(crate) use self::{
    choice::{Headers, NameMatcher, Refusal, Selection, Selector},
    evaluator::{BestMoves, IsOver},
    gain::{EvalScale, ExactScale, UnknownMetric, Valuation},
    judgment::JudgmentCounts,
    pgn::{BlockMark, FileFault, GameBlock, StreamContent, StreamPart, TornFile, Unpacked},
    player::Clock,
    rating_system::RatingSystem,
    time_control::{ClockHands, TimeClass},
};
pub(crate) use self::{segment::UnsearchableError, shard::Shard};
