//! Owns the `summary.json` of an experiment: its tables at full precision, with what they come to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Facts;
use crate::{
    experiment::{Experiment, Match, ReturnsTest},
    rating::heinz::Range,
    report::words,
    stats::estimate::Estimate,
};

/// What `summary.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExperimentSummary {
    /// The program's version.
    pub version: String,
    /// Who played and how, as the verb tells it.
    pub experiment: Facts,
    /// Games that have ended.
    pub games: u32,
    /// Games that are not move for move the same.
    pub different_games: u32,
    /// Games lost by an illegal move, a crash or a stall.
    pub forfeits: u32,
    /// White's score at equal depth; null without such games.
    pub white_score: Option<Estimate>,
    /// Curves by column: null where there is none, with the reason.
    pub fits: Vec<FitFacts>,
    /// Who Elo points are counted from.
    pub reference: String,
    /// The strength of that depth; null where it is not known.
    pub anchor: Option<Estimate>,
    /// The fit of Table 8.
    pub fit: &'static str,
    /// Elo points and strength by contender.
    pub strengths: Vec<StrengthFacts>,
    /// Neighbouring depths, deeper ones first.
    pub matches: Vec<MatchFacts>,
    /// The calibration match asked for.
    pub calibration: Option<MatchFacts>,
    /// Which differences all rows allow.
    pub intersections: Vec<FindingFacts>,
    /// The change of Δw a ply over all rows; null for fewer than three.
    pub trend: Option<TrendFacts>,
    /// What it comes to, in words.
    pub verdict: Vec<String>,
    /// What the reader of the tables should know.
    pub notes: Vec<String>,
}

/// One column's curves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FitFacts {
    /// Against whom.
    pub column: String,
    /// `lsq` or `probit`.
    pub fit: &'static str,
    /// The depth whose score is ½.
    pub mu: Option<Estimate>,
    /// The spread in plies.
    pub sigma: Option<Estimate>,
    /// Elo points a ply.
    pub eta: Option<Estimate>,
    /// Why there is no curve.
    pub problem: Option<String>,
}

/// What a contender is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrengthFacts {
    /// As the tables name it.
    pub contender: String,
    /// Elo points above the reference by each fit; null where it says nothing.
    pub elo_differences: BTreeMap<&'static str, Option<Estimate>>,
    /// By the fit of Table 8; null without an anchor.
    pub strength: Option<Estimate>,
}

/// One match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchFacts {
    /// As the tables name it.
    pub name: String,
    /// Games.
    pub games: u64,
    /// Wins, draws and losses of the first side.
    pub record: [u32; 3],
    /// Moves a game.
    pub mean_moves: f64,
    /// Points a game.
    pub w: f64,
    /// By the logistic curve; null for a score of 0 or 1.
    pub elo: Option<f64>,
    /// Standard error of w, a game being won or lost.
    pub s_binomial: f64,
    /// Standard error with three outcomes.
    pub s_three_outcomes: f64,
    /// Standard error with a game pair as the unit; null where not all games are in pairs.
    pub s_game_pairs: Option<f64>,
}

/// What all rows allow at one level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindingFacts {
    /// Confidence in percent.
    pub percent: u32,
    /// From and to; null where that is nothing.
    pub delta_w: Option<[f64; 2]>,
    /// Pairs of rows that have nothing in common, of which the deeper one gains less.
    pub deeper_less: usize,
    /// The same where it gains more.
    pub deeper_more: usize,
}

/// The line through Δw.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrendFacts {
    /// Change of Δw a ply.
    pub slope: Estimate,
    /// Chance of a slope as far from 0 if there is none.
    pub p: f64,
}

impl ExperimentSummary {
    /// All of it.
    pub fn new(experiment: &Experiment, facts: &Facts) -> ExperimentSummary {
        let all = experiment.table.all();
        ExperimentSummary {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            experiment: facts.clone(),
            games: all.games(),
            different_games: all.different,
            forfeits: all.forfeits,
            white_score: experiment.diagonal.all.map(|(_, score)| score),
            fits: fits(experiment),
            reference: experiment.reference().to_string(),
            anchor: experiment.anchor.map(|anchor| anchor.elo),
            fit: experiment.fit.name(),
            strengths: strengths(experiment),
            matches: experiment.matches.iter().map(Into::into).collect(),
            calibration: experiment.calibration.as_ref().map(Into::into),
            intersections: experiment.verdict.findings.iter().map(Into::into).collect(),
            trend: experiment.verdict.trend.map(|trend| TrendFacts { slope: trend.slope, p: trend.p }),
            verdict: words::experiment::sentences(experiment),
            notes: words::experiment::notes(experiment),
        }
    }
}

fn strengths(experiment: &Experiment) -> Vec<StrengthFacts> {
    let strengths =
        experiment.anchor.map(|anchor| experiment.ratings().strengths(anchor.elo)).unwrap_or_default();
    let of = |estimates: Option<&Vec<Option<Estimate>>>, place: usize| {
        estimates.and_then(|estimates| *estimates.get(place)?)
    };
    let contenders = experiment.table.contenders().iter().enumerate();
    let facts = contenders.map(|(place, contender)| {
        let by_fit = experiment.ratings_by_fit.iter();
        let by_fit = by_fit.map(|ratings| (ratings.fit.name(), of(ratings.differences.as_ref().ok(), place)));
        StrengthFacts {
            contender: contender.to_string(),
            elo_differences: by_fit.collect(),
            strength: of(Some(&strengths), place),
        }
    });
    facts.collect()
}

fn fits(experiment: &Experiment) -> Vec<FitFacts> {
    let of = |fit: &crate::experiment::ColumnFit| {
        [(fit.column, "lsq", fit.lsq), (fit.column, "probit", fit.probit)]
    };
    let facts = experiment.fits.iter().flat_map(of).map(|(column, fit, curve)| FitFacts {
        column: column.to_string(),
        fit,
        mu: curve.ok().map(|curve| curve.mu),
        sigma: curve.ok().map(|curve| curve.sigma),
        eta: curve.ok().map(|curve| curve.elo_per_ply()),
        problem: curve.err().map(|error| error.to_string()),
    });
    facts.collect()
}

impl From<&Match> for MatchFacts {
    fn from(m: &Match) -> MatchFacts {
        let record = m.record;
        MatchFacts {
            name: words::experiment::match_name(m),
            games: record.games(),
            record: [record.wins(), record.draws(), record.losses()],
            mean_moves: m.mean_moves,
            w: record.score(),
            elo: record.elo_difference(),
            s_binomial: record.binomial_error(),
            s_three_outcomes: record.three_outcome_error(),
            s_game_pairs: m.pairs.map(|pairs| pairs.standard_error()),
        }
    }
}

impl From<&ReturnsTest> for FindingFacts {
    fn from(finding: &ReturnsTest) -> FindingFacts {
        FindingFacts {
            percent: finding.percent,
            delta_w: finding.common.map(|Range { low, high }| [low, high]),
            deeper_less: finding.falling,
            deeper_more: finding.rising,
        }
    }
}
