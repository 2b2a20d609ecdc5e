//! Owns the files of weights learned from players' moves: the weights, tables, pictures, a summary and a page.

mod page;
mod pictures;

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    ReportError, picture_names, summary::to_json, table::Screen, table_names, tables,
    words::learning as words, write_bytes, write_table,
};
use crate::chess::text::counted;
use crate::files::{Format, PictureFormat, Publication};
use crate::lab::{
    BandPlan, BandReading, Learned, LearningObjective, Model, ModelKey, Movers, RatingBand, Target,
    TrainedFit,
};

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearningOptions {
    /// Formats of the tables.
    pub formats: BTreeSet<Format>,
    /// What pictures are written as.
    pub pictures: BTreeSet<PictureFormat>,
    /// Whether there is a page.
    pub page: bool,
}

/// What the weights are of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LearningFacts {
    /// The program's version.
    pub version: &'static str,
    /// The bands with what was taken of each.
    pub bands: Vec<BandFacts>,
    /// Which positions were taken, in words.
    pub positions: String,
    /// What weights depend on beside that, in words.
    pub conditions: Vec<String>,
    /// Games read.
    pub read: u64,
    /// The command line.
    #[serde(skip)]
    pub command: Vec<String>,
}

/// What was taken of a band.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BandFacts {
    /// The middle of its ratings.
    pub elo: u32,
    /// How far it reaches.
    pub tolerance: u32,
    /// Games with a position to train on.
    pub training_games: usize,
    /// Positions to train on.
    pub training_positions: usize,
    /// Games held out.
    pub test_games: usize,
    /// Positions of these.
    pub test_positions: usize,
}

impl LearningFacts {
    /// Collects what is told of the games.
    pub fn new(
        found: &BandReading,
        plan: &BandPlan,
        conditions: &[String],
        command: Vec<String>,
    ) -> LearningFacts {
        let bands = found.bands.iter().map(|band| BandFacts {
            elo: band.band.elo,
            tolerance: band.band.tolerance,
            training_games: band.count(false),
            training_positions: band.part(false).count(),
            test_games: band.count(true),
            test_positions: band.part(true).count(),
        });
        let side = match plan.movers {
            Movers::Both => "of both sides",
            Movers::White => "with White to move",
        };
        let positions = format!(
            "{side}, those of a side at least {} plies apart, from ply {} on",
            plan.decisions.every, plan.decisions.plies_from
        );
        LearningFacts {
            version: env!("CARGO_PKG_VERSION"),
            bands: bands.collect(),
            positions,
            conditions: conditions.to_vec(),
            read: found.read,
            command,
        }
    }
}

/// The tables.
const TABLES: [&str; 5] = [
    "learning-data",
    "learning-models",
    "learning-predictions",
    "learning-cross-training",
    "learning-weights",
];

/// Everything at full precision.
const SUMMARY: &str = "learning.json";

/// The page.
const PAGE: &str = "report.html";

/// Returns the name of the file of a model's weights.
pub fn weights_file(key: ModelKey) -> String {
    format!("weights-{key}.txt")
}

/// Lists the models that a run for these bands and objectives may have.
pub fn models<'a>(
    bands: &'a [RatingBand],
    objectives: &'a [LearningObjective],
) -> impl Iterator<Item = ModelKey> + 'a {
    let targets = bands.iter().map(|&band| Target::Band(band)).chain([Target::All]);
    targets.flat_map(|target| objectives.iter().map(move |&objective| ModelKey { target, objective }))
}

/// Returns the names of the files that a run for these bands and objectives may have.
pub fn file_names(
    options: &LearningOptions,
    bands: &[RatingBand],
    objectives: &[LearningObjective],
) -> Vec<String> {
    let weights = models(bands, objectives).map(weights_file);
    let tables = table_names(&TABLES, &options.formats);
    let pictures = pictures::names(objectives);
    let pictures: Vec<String> = picture_names(&pictures, &options.pictures).collect();
    let page = options.page.then(|| PAGE.to_owned());
    weights.chain(tables).chain(pictures).chain([SUMMARY.to_owned()]).chain(page).collect()
}

/// Writes the weights of each model into a file of its own, and returns what is wrong with those of which no evaluation can be
/// made.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_weights(
    out: &Publication<'_>,
    models: &[Model],
    conditions: &[String],
) -> Result<Vec<String>, ReportError> {
    let mut problems = Vec::new();
    for model in models {
        match model.file(conditions) {
            Ok(file) => write_bytes(out, &weights_file(model.key), file.to_string().as_bytes())?,
            Err(error) => problems.push(format!("no file of the weights {}: {error}", model.key)),
        }
    }
    Ok(problems)
}

/// Writes tables, summary, pictures and page.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(
    out: &Publication<'_>,
    learned: &Learned,
    facts: &LearningFacts,
    options: &LearningOptions,
) -> Result<(), ReportError> {
    for table in [
        tables::learning_data(&facts.bands),
        tables::learning_models(&learned.models),
        tables::learning_predictions(&learned.predictions),
        tables::cross_training(&learned.cross_training),
        tables::learned_weights(learned),
    ] {
        write_table(out, &table, &options.formats)?;
    }
    write_bytes(out, SUMMARY, to_json(&LearningSummary::of(learned, facts))?.as_bytes())?;
    let pictures = pictures::LearningPictures::of(learned, facts);
    pictures.write(out, &options.pictures)?;
    if options.page {
        write_bytes(out, PAGE, page::page(learned, &pictures, facts)?.as_bytes())?;
    }
    Ok(())
}

/// Returns the tables that a terminal shows, and what they come to.
pub fn shown(learned: &Learned, facts: &LearningFacts, screen: Screen) -> String {
    tables::learning(learned, facts, screen)
}

/// Tells what became of the games that were read.
pub fn what_was_read(found: &BandReading) -> String {
    let mut told = format!("{} read", counted(found.read, "game"));
    let others = [
        (found.outside, "of players of no band"),
        (found.robots, "of programs"),
        (found.tally.duplicates, "copies"),
        (found.tally.refused.values().sum(), "not chosen"),
        (found.without_decision, "without a position to take"),
    ];
    let others = others.into_iter().filter(|(count, _)| *count > 0);
    others.for_each(|(count, what)| told.push_str(&format!(", {count} {what}")));
    let ended = if found.ended_early { "; the rest is not read, all bands having games enough" } else { "" };
    format!("{told}; games by band: {}{ended}", games_by_band(found))
}

/// Returns how many games each band has.
pub fn games_by_band(found: &BandReading) -> String {
    let bands = found.bands.iter().map(|band| format!("{}: {}", band.band, band.games.len()));
    bands.collect::<Vec<_>>().join(", ")
}

/// What `learning.json` holds.
#[derive(Serialize)]
struct LearningSummary<'a> {
    #[serde(flatten)]
    facts: &'a LearningFacts,
    verdict: Vec<String>,
    models: Vec<ModelSummary<'a>>,
    predictions: Vec<PredictionSummary<'a>>,
}

#[derive(Serialize)]
struct ModelSummary<'a> {
    model: String,
    c: f64,
    games: usize,
    positions: usize,
    pairs: usize,
    passes: u32,
    distance_from_optimum: f64,
    duality_gap: Option<f64>,
    converged: bool,
    round: u32,
    digest: &'a str,
}

#[derive(Serialize)]
struct PredictionSummary<'a> {
    predictor: String,
    band: String,
    games: usize,
    positions: usize,
    pairs: usize,
    pairwise: &'a crate::numbers::stats::estimate::Estimate,
    first_choice: &'a crate::numbers::stats::estimate::Estimate,
    reciprocal_rank: &'a crate::numbers::stats::estimate::Estimate,
    log_loss: &'a crate::numbers::stats::estimate::Estimate,
}

impl LearningSummary<'_> {
    fn of<'a>(learned: &'a Learned, facts: &'a LearningFacts) -> LearningSummary<'a> {
        let models = learned.models.iter().map(|model| {
            let TrainedFit { passes, violation, duality_gap, converged, .. } = model.fit;
            let [games, positions, pairs] = model.counts;
            ModelSummary {
                model: model.key.to_string(),
                c: model.c,
                games,
                positions,
                pairs,
                passes,
                distance_from_optimum: violation,
                duality_gap,
                converged,
                round: model.round,
                digest: &model.digest,
            }
        });
        let predictions = learned.predictions.iter().map(|one| PredictionSummary {
            predictor: words::predictor(&one.predictor),
            band: one.band.to_string(),
            games: one.games,
            positions: one.positions,
            pairs: one.pairs,
            pairwise: &one.prediction.pairwise,
            first_choice: &one.prediction.first_choice,
            reciprocal_rank: &one.prediction.reciprocal_rank,
            log_loss: &one.prediction.log_loss,
        });
        LearningSummary {
            facts,
            verdict: words::sentences(learned),
            models: models.collect(),
            predictions: predictions.collect(),
        }
    }
}
