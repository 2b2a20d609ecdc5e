//! Owns the measures of play: tournaments, quality, calibration, archives and profiles.

pub mod archive;
pub(crate) mod calibration;
pub mod players;
pub(crate) mod profile;
pub mod quality;
pub(crate) mod quantity;
pub mod tournament;

#[cfg(feature = "program")]
pub(crate) use self::archive::{ArchiveProgress, CountedMove, SideCounts};
pub use self::{
    archive::{
        ArchiveCounts, ArchiveEvent, ClipTable, CountOptions, GameCounts, GameOutcome, Grouping, LeftOut,
        LeftOutReason, Survey,
    },
    calibration::{Calibration, RatingOfPlay},
    players::PlayerSelection,
    profile::Profile,
    quality::{Form, QualityOfPlay, RankedFrom},
    tournament::facts::MoveFacts,
    tournament::filter::Split,
    tournament::judges::{BlunderAgreement, JudgeAgreement},
    tournament::kept::ScoreKept,
    tournament::sensitivity::Sensitivity,
    tournament::statistics::{Measures, Statistic},
    tournament::{
        Analysis, EloOrigin, EngineHistogram, Measured, Method, MoveSample, PlayerElo, PlayerRecord,
        PlayerResult, Tournament,
    },
};
#[cfg(feature = "program")]
pub(crate) use self::{
    archive::{
        ClockClass, ClockHands, ClockRow, CountFault, CountKey, CountedFile, GroupCounts, GroupRow, Inputs,
    },
    calibration::{
        BandRow, CalibratedEngine, CalibrationData, CalibrationDesign, CalibrationSample, DesignError,
        Direction, ExpectedPlay, LengthRow, RatingRefusal, RatingScale, Validation,
    },
    players::{GivenElo, PlayerNameError},
    profile::{
        AccurateGame, DearMove, EventCrossTable, EventProfile, OpeningRow, PlayDivision, PlayGrouping,
        PlayTrend, ProfileRow, Span, SpanKind,
    },
    quality::{CalibratedGames, PlayPart, PlayPartRow, QualityBasis, QualityRow, RankedPairs, Standing},
    quantity::{Decimals, Quantity, Unit},
    tournament::agreement::{ComparedPlayer, Correlation, EngineComparison, EventFinding, PlayerFinding},
    tournament::events::{EventStrength, Events, NotPooled, PooledStrength},
    tournament::extremes::{Extremes, Turn},
    tournament::filter::Filter,
    tournament::judges::{JudgedNumber, NumberAgreement},
    tournament::kept::KeptRow,
    tournament::repeatability::Repeatability,
    tournament::sensitivity::{SensitivityRow, Spread},
    tournament::splits::SplitRow,
    tournament::statistics::{StatisticFacts, StatisticRow},
    tournament::{BoundSide, PairSummary, PlayerPair},
};
