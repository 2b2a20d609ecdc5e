//! The report of an experiment: its tables, pictures, page and summary.

pub(super) mod plots;
pub(crate) mod tables;
pub(super) mod words;

use std::collections::BTreeMap;

use serde::Serialize;

use self::tables::files::{FitRow, fit_rows};
use self::tables::{brief, files, layouts, notes, sentences, verdict};
use crate::base::text::{counted, cut, printable};
use crate::lab::{Experiment, Match};
use crate::numbers::Estimate;
use crate::report::{
    html::provenance::making, kinds::Page, publish::Fact, publish::Report, publish::ReportFile,
    publish::ReportKind, rendered, summary::object, words::names::name,
};

pub static EXPERIMENT: ReportKind = ReportKind {
    written_by: "`gainalyze selfplay`",
    files: &[
        ReportFile::Results(files::of_depths),
        ReportFile::Summary("summary.json"),
        ReportFile::Page,
        ReportFile::Pictures(&["elo-by-depth", "returns", "rates", "scores", "curves", "elo-curve"]),
    ],
    tables: || files::all(None),
};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Facts {
    pub title: String,
    pub engine: String,
    pub opponent: Option<String>,
    /// The report with the known strength of one depth; `None` if the strength was given as a number or is
    /// unknown.
    pub anchor: Option<String>,
    pub conditions: BTreeMap<String, String>,
    #[serde(skip)]
    pub command: Vec<String>,
}

pub fn report(experiment: &Experiment, facts: &Facts) -> Report {
    let caption = &caption(experiment, facts);
    let drawings = [
        plots::elo_by_depth(experiment, caption),
        plots::returns(experiment, caption),
        plots::rates(experiment, caption),
        plots::scores(experiment, caption),
        plots::curves(experiment, caption),
        plots::elo_curve(experiment, caption),
    ];
    Report {
        title: name(&facts.title),
        sentences: sentences(experiment),
        notes: [verdict(experiment), notes(experiment)].concat(),
        facts: making(played(facts), &facts.command),
        shown: layouts(experiment),
        brief: brief(experiment),
        drawings: EXPERIMENT.named(drawings),
        page: Some(|report| rendered(&Page::Experiment { report })),
        tables: files::all(Some(experiment)),
        ..Report::default()
    }
    .with_summary(&EXPERIMENT, &ExperimentSummary { experiment, facts })
}

fn caption(experiment: &Experiment, facts: &Facts) -> String {
    let name = |text: &str| cut(&printable(text), 40);
    let players = match &facts.opponent {
        None => format!("{} against itself", name(&facts.engine)),
        Some(opponent) => format!("{} against {}", name(&facts.engine), name(opponent)),
    };
    format!("{players}, {}", counted(u64::from(experiment.table.all().games()), "game"))
}

fn played(facts: &Facts) -> Vec<Fact> {
    let one = |label: &str, text: &str| (label.to_owned(), printable(text));
    let mut lines = vec![one("Engine", &facts.engine)];
    lines.extend(facts.opponent.as_ref().map(|opponent| one("Opponent", opponent)));
    lines.extend(facts.conditions.iter().map(|(label, text)| one(label, text)));
    lines.extend(facts.anchor.as_ref().map(|anchor| one("Anchor", anchor)));
    lines
}

object! {
    struct ExperimentSummary<'a> { experiment: &'a Experiment, facts: &'a Facts } =>
    "version": env!("CARGO_PKG_VERSION"),
    "experiment": facts,
    "games": experiment.table.all().games(),
    "different_games": experiment.table.all().different,
    "forfeits": experiment.table.all().forfeits,
    "white_score": experiment.diagonal.all.map(|(_, score)| score),
    "fits": fit_rows(experiment).iter().map(|fit| FitEntry { fit }).collect::<Vec<_>>(),
    "reference": experiment.reference().to_string(),
    "anchor": experiment.anchor.map(|anchor| anchor.elo),
    "fit": experiment.fit.name(),
    "strengths": strengths(experiment),
    "matches": experiment.matches.iter().map(|found| MatchEntry { found }).collect::<Vec<_>>(),
    "calibration": experiment.calibration.as_ref().map(|found| MatchEntry { found }),
    "intersections": experiment.verdict.findings,
    "trend": experiment.verdict.trend,
    "verdict": [sentences(experiment), verdict(experiment)].concat(),
    "notes": notes(experiment),
}

object! {
    /// One fit of one column of scores: the curve, or nulls with the reason why there is no curve.
    struct FitEntry<'a> { fit: &'a FitRow } =>
    "column": fit.0.column.to_string(),
    "fit": fit.1.name(),
    "mu": fit.2.as_ref().ok().map(|curve| curve.mu),
    "sigma": fit.2.as_ref().ok().map(|curve| curve.sigma),
    "eta": fit.2.as_ref().ok().map(|curve| curve.elo_per_ply()),
    "problem": fit.2.as_ref().err().map(ToString::to_string),
}

object! {
    struct MatchEntry<'a> { found: &'a Match } =>
    "name": words::match_name(found),
    "games": found.record.games(),
    "record": [found.record.wins(), found.record.draws(), found.record.losses()],
    "mean_moves": found.mean_moves,
    "w": found.record.score(),
    "elo": found.record.elo_difference(),
    "s_binomial": found.record.binomial_error(),
    "s_three_outcomes": found.record.three_outcome_error(),
    "s_game_pairs": found.pairs.map(|pairs| pairs.standard_error()),
}

object! {
    struct StrengthEntry<'a> { experiment: &'a Experiment, place: usize, strength: Option<Estimate> } =>
    "contender": experiment.table.contenders()[*place].to_string(),
    "elo_differences": experiment.ratings_by_fit.iter()
        .map(|ratings| (ratings.fit.name(), ratings.difference(*place))).collect::<BTreeMap<_, _>>(),
    "strength": strength,
}

fn strengths(experiment: &Experiment) -> Vec<StrengthEntry<'_>> {
    let strengths =
        experiment.anchor.map(|anchor| experiment.ratings().strengths(anchor.elo)).unwrap_or_default();
    let strength = |place: usize| strengths.get(place).copied().flatten();
    let entry = |place| StrengthEntry { experiment, place, strength: strength(place) };
    (0..experiment.table.contenders().len()).map(entry).collect()
}
