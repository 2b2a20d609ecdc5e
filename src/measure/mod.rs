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
    tournament::facts::MoveFacts,
    tournament::filter::Split,
    tournament::kept::ScoreKept,
    tournament::measures::Measures,
    tournament::statistics::Statistic,
    tournament::{
        Analysis, EloOrigin, EngineHistogram, Measured, Method, MoveSample, PlayerElo, PlayerRecord,
        PlayerResult, Tournament,
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
    tournament::agreement::{Correlation, EventFinding, Panel, PanelPlayer, PlayerFinding},
    tournament::events::{EventStrength, Events, NotPooled, PooledStrength},
    tournament::extremes::{Extremes, Turn},
    tournament::filter::Filter,
    tournament::judges::{BlunderAgreement, JudgeAgreement, JudgedNumber, NumberAgreement},
    tournament::kept::KeptRow,
    tournament::measures::StatisticRow,
    tournament::repeatability::Repeatability,
    tournament::sensitivity::{SensitivityRow, Spread},
    tournament::splits::SplitRow,
    tournament::statistics::FEWEST_GAMES,
    tournament::statistics::StatisticFacts,
    tournament::{BoundSide, Intervals, PairSummary, PlayerPair},
};
pub use self::{
    players::PlayerSelection,
    quality::{LOSS_WEIGHT, QualityOfPlay, RankedFrom, standings},
    tournament::sensitivity::Sensitivity,
};
