//! [`RatedPlay`]: games, evaluated by a calibration's engine with the calibration's search settings.
//! [`NoRating`]: the reason why there are no such games.

use std::{fmt, num::NonZeroU64};

use super::{Calibration, centipawns::CentipawnScale, centipawns::UnknownScale};
use crate::base::text::printable;
use crate::chess::{EvaluatedGame, evaluated_game::recorded_judge};

/// Games with evaluations of the kind that a calibration applies to.
#[derive(Debug, Clone, Copy)]
pub struct CalibratedGames<'a> {
    pub games: &'a [EvaluatedGame],
    pub calibration: &'a Calibration,
}

/// The games of a run, with evaluations by a calibration's engine with the calibration's search settings.
#[derive(Debug, Clone)]
pub struct RatedPlay {
    pub calibration: Calibration,
    /// The games of each input, in their order. Games on which the engine failed are missing, and so are
    /// games of another scale if the input has games on the calibration's scale.
    pub inputs: Vec<Vec<EvaluatedGame>>,
}

impl RatedPlay {
    /// Returns each input's games on the scale of the calibration. If an input has none, all of its games
    /// count, because the user named the calibration or other inputs are on its scale.
    pub fn new(calibration: Calibration, mut inputs: Vec<Vec<EvaluatedGame>>) -> RatedPlay {
        let is_taken = |game: &EvaluatedGame| calibration.scale.takes(game.game());
        for games in inputs.iter_mut().filter(|games| games.iter().any(is_taken)) {
            games.retain(is_taken);
        }
        RatedPlay { calibration, inputs }
    }

    /// Returns the games of several inputs with their recorded evaluations, if these are of a calibration's
    /// kind; otherwise the reason why there is no rating.
    pub fn of_recorded<'g>(
        inputs: impl Iterator<Item = &'g Vec<EvaluatedGame>> + Clone,
        calibrations: &[Calibration],
    ) -> Result<RatedPlay, NoRating> {
        RatedPlay::of_kind(recorded_judge(inputs.clone().flatten()), inputs, calibrations)
    }

    /// Returns the games of several inputs, if the evaluations of `judge` are of a calibration's kind;
    /// otherwise the reason why there is no rating.
    pub fn of_kind<'g>(
        judge: Option<&str>,
        inputs: impl Iterator<Item = &'g Vec<EvaluatedGame>>,
        calibrations: &[Calibration],
    ) -> Result<RatedPlay, NoRating> {
        if calibrations.is_empty() {
            return Err(NoRating::NotWanted);
        }
        let found =
            calibrations.iter().find(|calibration| judge.is_some_and(|judge| calibration.is_of_judge(judge)));
        let calibration = found.cloned().ok_or_else(|| NoRating::of_judge(judge, calibrations))?;
        let mut inputs: Vec<Vec<EvaluatedGame>> = inputs.cloned().collect();
        if calibration.is_of_lichess() {
            let scale = CentipawnScale::of(inputs.iter().flatten()).map_err(NoRating::Centipawns)?;
            let rescaled =
                |games: Vec<EvaluatedGame>| games.into_iter().map(|game| scale.rescale(game)).collect();
            inputs = inputs.into_iter().map(rescaled).collect();
        }
        Ok(RatedPlay::new(calibration, inputs))
    }
}

/// Returns the games of the input at `place`, evaluated with the calibration's search settings; or the
/// reason, in words, why there are none (`None` if no ratings are wanted).
pub fn calibrated(
    rated: &Result<RatedPlay, NoRating>,
    place: usize,
) -> Result<CalibratedGames<'_>, Option<String>> {
    match rated {
        Ok(RatedPlay { calibration, inputs }) => {
            Ok(CalibratedGames { games: inputs.get(place).map_or(&[], Vec::as_slice), calibration })
        }
        Err(NoRating::NotWanted) => Err(None),
        Err(reason) => Err(Some(reason.to_string())),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRating {
    /// Ratings are not wanted, or there is no calibration at all.
    NotWanted,
    /// The scale of the evaluations is unknown.
    Centipawns(UnknownScale),
    /// The evaluations are not of a calibrated kind.
    OtherKind {
        /// The engine with its search limit, if both are known and equal for all games.
        judge: Option<String>,
        /// The calibrated kinds, as in [`calibrated_kinds`].
        calibrated: String,
        /// The engine that searches the games; `None` for recorded evaluations.
        engine: Option<Uncalibrated>,
    },
}

/// An engine that has no calibration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncalibrated {
    pub name: String,
    /// The options of a command line that select the engine with its settings.
    pub arguments: String,
    /// Minutes that a calibration of the engine takes; `None` if the engine's speed is unknown.
    pub minutes: Option<NonZeroU64>,
}

/// Returns the engines of calibrations with their search settings, in words; engines with equal settings are together.
pub fn calibrated_kinds(calibrations: &[Calibration]) -> String {
    let mut kinds: Vec<(String, Vec<&str>)> = Vec::new();
    for Calibration { engine, protocol, .. } in calibrations.iter().filter(|one| !one.is_of_lichess()) {
        let settings = protocol.brief();
        match kinds.iter_mut().find(|(known, _)| *known == settings) {
            Some((_, engines)) => engines.push(&engine.name),
            None => kinds.push((settings, vec![&engine.name])),
        }
    }
    let told = kinds.into_iter().map(|(settings, engines)| format!("{} at {settings}", engines.join(", ")));
    told.collect::<Vec<_>>().join("; ")
}

impl NoRating {
    pub fn of_judge(judge: Option<&str>, calibrations: &[Calibration]) -> NoRating {
        let calibrated = calibrated_kinds(calibrations);
        NoRating::OtherKind { judge: judge.map(str::to_owned), calibrated, engine: None }
    }
}

impl fmt::Display for NoRating {
    /// Writes the reason without the parts that depend on the machine, so that searched and stored
    /// evaluations give the same text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (judge, calibrated) = match self {
            NoRating::NotWanted => return f.write_str("no calibration is available"),
            NoRating::Centipawns(unknown) => return unknown.fmt(f),
            NoRating::OtherKind { judge, calibrated, .. } => (judge, calibrated),
        };
        let judge = judge.as_deref().map_or_else(|| "an unnamed engine".to_owned(), printable);
        write!(f, "the evaluations are by {judge}, but calibrations exist only for {calibrated}")
    }
}
