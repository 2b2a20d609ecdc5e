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

pub use self::{
    archive::ArchiveCounts, archive::ArchiveEvent, archive::ClipTable, archive::CountOptions,
    archive::GameCounts, archive::GameOutcome, archive::LeftOut, archive::LeftOutReason, archive::Survey,
    calibration::Calibration, calibration::RatingOfPlay, findings::Findings, group::Grouping,
    players::PlayerSelection, quality::LOSS_WEIGHT, quality::QualityOfPlay, quality::RankedFrom,
    quality::standings, tournament::Analysis, tournament::EloOrigin, tournament::EngineHistogram,
    tournament::GameResults, tournament::Measured, tournament::Method, tournament::MoveSample,
    tournament::PlayerElo, tournament::PlayerRecord, tournament::PlayerResult, tournament::Tournament,
    tournament::facts::MoveFacts, tournament::filter::Split, tournament::kept::ScoreKept,
    tournament::measures::Measures, tournament::sensitivity::Sensitivity, tournament::statistics::Statistic,
};
#[cfg(feature = "program")]
pub(crate) use self::{
    archive::ArchiveProgress, archive::ClockClass, archive::ClockRow, archive::CountFault, archive::CountKey,
    archive::CountedFile, archive::CountedMove, archive::EntrantRow, archive::EventRow, archive::GroupCounts,
    archive::GroupRow, archive::Inputs, archive::LEAST_UPSET, archive::SideCounts, archive::TimedBlunders,
    archive::Upset, calibration::ANCHOR, calibration::BandRow, calibration::COMPARED,
    calibration::CalibratedEngine, calibration::CalibratedGames, calibration::CalibrationData,
    calibration::CalibrationDesign, calibration::CalibrationEvent, calibration::CalibrationPlay,
    calibration::CalibrationSample, calibration::CentipawnScale, calibration::CountedMoves,
    calibration::DesignError, calibration::Direction, calibration::EquatedWith, calibration::ExpectedPlay,
    calibration::LengthRow, calibration::NoRating, calibration::PeriodRow, calibration::RatingScale,
    calibration::Uncalibrated, calibration::Validation, calibration::anchor_sums,
    calibration::shipped_events, players::GivenElo, players::PlayerNameError, quality::SHARES,
    quality::ScreenedPlayer, quality::Screening, tournament::agreement::Correlation,
    tournament::agreement::EventFinding, tournament::agreement::Panel, tournament::agreement::PanelPlayer,
    tournament::events::EventStrength, tournament::events::Events, tournament::events::NotPooled,
    tournament::events::PooledStrength, tournament::filter::Filter, tournament::judges::BlunderAgreement,
    tournament::judges::JudgeAgreement, tournament::judges::JudgedNumber,
    tournament::judges::NumberAgreement, tournament::repeatability::Repeatability,
    tournament::sensitivity::SensitivityRow, tournament::sensitivity::Spread,
};
pub(crate) use self::{
    calibration::RatedPlay, calibration::RatingRefusal, calibration::TestedErrors, calibration::calibrated,
    findings::FindingsDesign, profile::AccurateGame, profile::ControlGroup, profile::Conversion,
    profile::CostlyMove, profile::CrossGame, profile::CrossRow, profile::DecisiveMove,
    profile::EventCrossTable, profile::EventProfile, profile::Lead, profile::OpeningRow,
    profile::PlayDivision, profile::PlayGrouping, profile::PlayTrend, profile::Profile, profile::ProfileRow,
    profile::Span, profile::SpanKind, profile::WINNING_CHANCES, profile::WonPositions,
    profile::decisive_moves, quality::Form, quality::JointTest, quality::PlayPart, quality::PlayPartRow,
    quality::QualityBasis, quality::QualityRow, quality::RankedPairs, quality::Standing, quantity::Decimals,
    quantity::Quantity, quantity::Unit, tournament::BoundSide, tournament::Intervals,
    tournament::PairSummary, tournament::PlayerPair, tournament::extremes::Extremes,
    tournament::extremes::Turn, tournament::kept::KeptRow, tournament::measures::SplitRow,
    tournament::measures::StatisticRow, tournament::statistics::FEWEST_GAMES,
    tournament::statistics::StatisticFacts,
};
