//! Measures of play: tournaments, quality, calibration, archives, profiles and comparison with peers.

pub mod archive;
pub(crate) mod calibration;
pub(crate) mod findings;
pub(crate) mod group;
pub mod peers;
pub(crate) mod players;
pub(crate) mod profile;
pub(crate) mod quality;
pub(crate) mod quantity;
pub mod tournament;

#[cfg(feature = "native")]
pub(crate) use self::calibration::shipped_events;
pub use self::{
    archive::{
        ArchiveCounts, ArchiveEvent, ClipTable, CountOptions, GameCounts, GameOutcome, LeftOut,
        LeftOutReason, Survey,
    },
    calibration::{Calibration, RatingOfPlay},
    group::Grouping,
    players::PlayerSelection,
    quality::{LOSS_WEIGHT, QualityOfPlay, RankedFrom, standings},
    tournament::{
        Analysis, EloOrigin, EngineHistogram, Measured, Method, MoveSample, PlayerElo, PlayerRecord,
        PlayerResult, Tournament, facts::MoveFacts, filter::Split, kept::ScoreKept, measures::Measures,
        sensitivity::Sensitivity, statistics::Statistic,
    },
};
pub(crate) use self::{
    archive::{
        ArchiveProgress, ClockClass, ClockRow, CountFault, CountKey, CountedFile, CountedMove, GroupCounts,
        GroupRow, Inputs, SideCounts,
    },
    calibration::{
        BandRow, CalibratedEngine, CalibratedGames, CalibrationData, CalibrationDesign, CalibrationSample,
        DesignError, Direction, ExpectedPlay, LengthRow, NoRating, PeriodRow, RatedPlay, RatingRefusal,
        RatingScale, Uncalibrated, Validation, calibrated,
    },
    findings::{Findings, FindingsDesign},
    players::{GivenElo, PlayerNameError},
    profile::{
        AccurateGame, ControlGroup, CostlyMove, CrossGame, CrossRow, EventCrossTable, EventProfile,
        OpeningRow, PlayDivision, PlayGrouping, PlayTrend, Profile, ProfileRow, Span, SpanKind,
    },
    quality::{Form, PlayPart, PlayPartRow, QualityBasis, QualityRow, RankedPairs, Standing},
    quantity::{Decimals, Quantity, Unit},
    tournament::{
        BoundSide, Intervals, PairSummary, PlayerPair, agreement::Correlation, agreement::EventFinding,
        agreement::Panel, agreement::PanelPlayer, events::EventStrength, events::Events, events::NotPooled,
        events::PooledStrength, extremes::Extremes, extremes::Turn, filter::Filter, judges::BlunderAgreement,
        judges::JudgeAgreement, judges::JudgedNumber, judges::NumberAgreement, kept::KeptRow,
        measures::SplitRow, measures::StatisticRow, repeatability::Repeatability,
        sensitivity::SensitivityRow, sensitivity::Spread, statistics::FEWEST_GAMES,
        statistics::StatisticFacts,
    },
};
