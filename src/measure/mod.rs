//! Owns the measures of play: tournaments, quality, calibration, archives and profiles.

pub mod archive;
pub mod calibration;
pub mod players;
pub mod profile;
pub mod quality;
pub mod quantity;
pub mod tournament;

pub use self::{
    archive::{
        ArchiveCounts, ArchiveEvent, ArchiveProgress, ClipTable, ClockClass, ClockHands, ClockRow,
        CountFault, CountKey, CountOptions, CountedFile, GameCounts, GameOutcome, GroupCounts, GroupRow,
        Grouping, Inputs, LeftOut, LeftOutReason, Survey,
    },
    calibration::{
        BandRow, CalibratedEngine, Calibration, CalibrationData, CalibrationDataError, CalibrationDesign,
        CalibrationError, CalibrationSample, DesignError, Direction, ExpectedPlay, LengthRow, RatingOfPlay,
        RatingRefusal, RatingScale, Validation,
    },
    players::{GivenElo, PlayerNameError, PlayerSelection},
    profile::{
        AccurateGame, DearMove, EventCrossTable, EventProfile, OpeningRow, PlayDivision, PlayGrouping,
        PlayTrend, Profile, ProfileRow, Span, SpanKind,
    },
    quality::{
        CalibratedGames, Form, PlayPart, PlayPartRow, QualityBasis, QualityOfPlay, QualityRow, RankedFrom,
        RankedPairs, Standing,
    },
    quantity::{Decimals, Quantity, Unit},
    tournament::agreement::{ComparedPlayer, Correlation, EngineComparison, EventFinding, PlayerFinding},
    tournament::events::{EventStrength, Events, NotPooled, PooledStrength},
    tournament::extremes::{Extremes, Turn},
    tournament::facts::MoveFacts,
    tournament::filter::{Filter, Split},
    tournament::judges::{BlunderAgreement, JudgeAgreement, JudgedNumber, NumberAgreement},
    tournament::kept::{KeptRow, ScoreKept},
    tournament::repeatability::Repeatability,
    tournament::sensitivity::{Sensitivity, SensitivityRow, Spread},
    tournament::splits::SplitRow,
    tournament::statistics::{Measures, Sign, Statistic, StatisticFacts, StatisticRow},
    tournament::{
        Analysis, BoundSide, EloOrigin, EngineHistogram, Measured, Method, MoveSample, PairSummary,
        PlayerElo, PlayerPair, PlayerRecord, PlayerResult, Tournament,
    },
};
