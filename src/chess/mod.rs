//! Owns games and what is said of them: positions, evaluations, gains and judgements, with who evaluates, plays and ranks.

pub(crate) mod accuracy;
pub mod choice;
pub mod evaluated_game;
pub(crate) mod evaluation;
pub(crate) mod evaluator;
pub(crate) mod first_few;
pub(crate) mod gain;
pub mod game;
pub mod judgement;
pub(crate) mod named;
pub mod pgn;
pub(crate) mod phase;
pub(crate) mod player;
pub(crate) mod ranking;
pub(crate) mod score;
pub(crate) mod segment;
pub(crate) mod shard;
pub mod text;
pub mod win_probability;

pub use self::{
    accuracy::GameAccuracy,
    choice::{
        Aliases, BaseAndIncrement, Date, Duplicates, Fingerprint, GameFilter, GameTally, Headers, MoveText,
        NameMatcher, RandomSample, Refusal, Seen, Selection, Selector, Share, TimeClass, TimeControl,
    },
    evaluated_game::{EvaluatedGame, Evaluations},
    evaluation::{Evaluation, Limit, Order, Protocol, RankedLine, Wdl},
    evaluator::{BestMoves, Evaluator, SegmentResult},
    first_few::FirstFew,
    gain::{EvalScale, ExactScale, Metric, MoveEvals, UnknownMetric, Valuation},
    game::{Annotation, Game, GameResult, GameSource, PlayedMove, RatingSystem, RecordedEval, Tags},
    judgement::{Judgement, JudgementCounts, MoveVerdict},
    pgn::{
        BadGame, BadGameReason, Block, BlockMark, Blocks, CommentCommand, CommentPart, FastGame, FastMove,
        FileCount, FileFault, FoundFiles, GameBlock, GameReader, ReadError, SelectedGames, StreamContent,
        StreamPart, StrictFault, TornFile, Unpacked,
    },
    phase::Phase,
    player::{ChosenMove, Clock, GameSoFar, MoveLimit, Player},
    ranking::{IsOver, Ranker, RankingLimits},
    score::{Clip, Mate, Score, SignedScore},
    segment::{PlyEvaluation, Segment, UnsearchableError},
    shard::Shard,
};
