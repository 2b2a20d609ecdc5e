//! Owns the `summary.json` of an experiment: its tables at full precision, with what they come to.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::Facts;
use crate::lab::{Contender, Experiment, Match};
use crate::numbers::Estimate;
use crate::report::{
    tables::experiment::files::{FitRow, fit_rows},
    words,
};

pub(super) struct ExperimentSummary<'a> {
    pub experiment: &'a Experiment,
    pub facts: &'a Facts,
}

impl Serialize for ExperimentSummary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ExperimentSummary { experiment, facts } = *self;
        let all = experiment.table.all();
        let fits: Vec<FitEntry> = fit_rows(experiment).into_iter().map(FitEntry).collect();
        let matches: Vec<MatchEntry<'_>> = experiment.matches.iter().map(MatchEntry).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("experiment", facts)?;
        map.serialize_entry("games", &all.games())?;
        map.serialize_entry("different_games", &all.different)?;
        map.serialize_entry("forfeits", &all.forfeits)?;
        map.serialize_entry("white_score", &experiment.diagonal.all.map(|(_, score)| score))?;
        map.serialize_entry("fits", &fits)?;
        map.serialize_entry("reference", &experiment.reference().to_string())?;
        map.serialize_entry("anchor", &experiment.anchor.map(|anchor| anchor.elo))?;
        map.serialize_entry("fit", experiment.fit.name())?;
        map.serialize_entry("strengths", &strengths(experiment))?;
        map.serialize_entry("matches", &matches)?;
        map.serialize_entry("calibration", &experiment.calibration.as_ref().map(MatchEntry))?;
        map.serialize_entry("intersections", &experiment.verdict.findings)?;
        map.serialize_entry("trend", &experiment.verdict.trend)?;
        map.serialize_entry("verdict", &words::experiment::sentences(experiment))?;
        map.serialize_entry("notes", &words::experiment::notes(experiment))?;
        map.end()
    }
}

/// One column's curve by one fit; nulls and the reason where there is none.
struct FitEntry(FitRow);

impl Serialize for FitEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (of, fit, curve) = &self.0;
        let found = curve.as_ref().ok();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("column", &of.column.to_string())?;
        map.serialize_entry("fit", fit.name())?;
        map.serialize_entry("mu", &found.map(|curve| curve.mu))?;
        map.serialize_entry("sigma", &found.map(|curve| curve.sigma))?;
        map.serialize_entry("eta", &found.map(|curve| curve.elo_per_ply()))?;
        map.serialize_entry("problem", &curve.as_ref().err().map(ToString::to_string))?;
        map.end()
    }
}

#[derive(Serialize)]
struct StrengthEntry {
    contender: String,
    /// Elo points above the reference by each fit; null where it says nothing.
    elo_differences: BTreeMap<&'static str, Option<Estimate>>,
    /// By the fit of Table 8; null without an anchor.
    strength: Option<Estimate>,
}

fn strengths(experiment: &Experiment) -> Vec<StrengthEntry> {
    let strengths =
        experiment.anchor.map(|anchor| experiment.ratings().strengths(anchor.elo)).unwrap_or_default();
    let entry = |(place, contender): (usize, &Contender)| {
        let by_fit = experiment.ratings_by_fit.iter();
        let by_fit = by_fit.map(|ratings| (ratings.fit.name(), ratings.difference(place)));
        StrengthEntry {
            contender: contender.to_string(),
            elo_differences: by_fit.collect(),
            strength: strengths.get(place).copied().flatten(),
        }
    };
    experiment.table.contenders().iter().enumerate().map(entry).collect()
}

struct MatchEntry<'a>(&'a Match);

impl Serialize for MatchEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let MatchEntry(Match { record, .. }) = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &words::experiment::match_name(self.0))?;
        map.serialize_entry("games", &record.games())?;
        map.serialize_entry("record", &[record.wins(), record.draws(), record.losses()])?;
        map.serialize_entry("mean_moves", &self.0.mean_moves)?;
        map.serialize_entry("w", &record.score())?;
        map.serialize_entry("elo", &record.elo_difference())?;
        map.serialize_entry("s_binomial", &record.binomial_error())?;
        map.serialize_entry("s_three_outcomes", &record.three_outcome_error())?;
        map.serialize_entry("s_game_pairs", &self.0.pairs.map(|pairs| pairs.standard_error()))?;
        map.end()
    }
}
