//! The report of weights learned from players' moves: the weights, tables, pictures, a summary and a page.

mod plots;
pub mod tables;
mod words;

use std::collections::BTreeSet;

pub(super) use self::plots::RARE;
use self::tables::{BandFacts, ChoiceRow};
use crate::base::{output::Publication, seal::Seal, text::counted};
use crate::files::{Format, ROW_GROUP};
use crate::lab::{
    BandPlan, BandReading, Learned, LearningObjective, Model, ModelKey, Movers, Predicted, Predictor,
    RatingBand, Target, learning::CalibrationBin, learning::PositionSlice, learning::PredictedPosition,
    learning::PredictorChoices,
};
use crate::report::{
    ReportError, html::provenance::making, kinds::Page, publish::Fact, publish::NamedDrawing,
    publish::Report, publish::ReportFile, publish::ReportKind, rendered, summary::object, table::Table,
    words::names::name, writing::write_bytes, writing::write_table,
};

pub static LEARNING: ReportKind = ReportKind {
    written_by: "`gainalyze learn`",
    files: &[
        ReportFile::Summary("learning.json"),
        ReportFile::Page,
        ReportFile::Pictures(&["values-<objective>", "squares-<objective>"]),
    ],
    tables: || {
        let mut tables = all(&Learned::default(), &[]);
        tables.push(tables::learning_choices(&[]));
        tables
    },
};

#[derive(Debug, Clone, PartialEq)]
pub struct LearningFacts {
    pub bands: Vec<BandFacts>,
    pub positions: String,
    pub conditions: Vec<String>,
    pub read: u64,
    pub command: Vec<String>,
}

impl LearningFacts {
    pub fn new(
        found: &BandReading,
        plan: &BandPlan,
        conditions: &[String],
        tests_all: bool,
        command: Vec<String>,
    ) -> LearningFacts {
        // Without training, all games are tested.
        let bands = found.bands.iter().map(|band| {
            let count = |is_test: bool| match (tests_all, is_test) {
                (false, is_test) => [band.count(is_test), band.part(is_test).count()],
                (true, true) => [band.games.len(), band.decisions.len()],
                (true, false) => [0, 0],
            };
            let ([training_games, training_positions], [test_games, test_positions]) =
                (count(false), count(true));
            let RatingBand { elo, tolerance } = band.band;
            BandFacts { elo, tolerance, training_games, training_positions, test_games, test_positions }
        });
        let side = match plan.movers {
            Movers::Both => "of both sides",
            Movers::White => "with White to move",
        };
        let positions = format!(
            "{side}, from ply {} on; positions of one side are at least {} plies apart",
            plan.decisions.plies_from, plan.decisions.every
        );
        LearningFacts {
            bands: bands.collect(),
            positions,
            conditions: conditions.to_vec(),
            read: found.read,
            command,
        }
    }
}

pub fn weights_file(key: ModelKey) -> String {
    format!("weights-{key}.txt")
}

pub fn models<'a>(
    bands: &'a [RatingBand],
    objectives: &'a [LearningObjective],
) -> impl Iterator<Item = ModelKey> + 'a {
    let targets = bands.iter().map(|&band| Target::Band(band)).chain([Target::All]);
    targets.flat_map(|target| objectives.iter().map(move |&objective| ModelKey { target, objective }))
}

/// Returns the names of Figures 1 and 2 of Paulsen and Fürnkranz 2010, for each objective.
pub fn pictures(objectives: &[LearningObjective]) -> Vec<String> {
    let both = objectives.iter().flat_map(|objective| LEARNING.pictures().map(move |name| (name, objective)));
    both.map(|(name, objective)| name.replace("<objective>", &objective.to_string())).collect()
}

pub fn write_weights(
    out: &Publication<'_>,
    models: &[Model],
    conditions: &[String],
) -> Result<Vec<String>, ReportError> {
    let mut problems = Vec::new();
    for model in models {
        match model.file(conditions) {
            Ok(file) => {
                write_bytes(out, &weights_file(model.key), Seal::WEIGHTS.seal(&file.to_string()).as_bytes())?;
            }
            Err(error) => problems.push(format!("cannot make a file of the weights {}: {error}", model.key)),
        }
    }
    Ok(problems)
}

fn all(learned: &Learned, bands: &[BandFacts]) -> Vec<Table> {
    vec![
        tables::learning_data(bands),
        tables::learning_models(&learned.models),
        tables::learning_predictions(&learned.predictions),
        tables::learning_slices(&learned.slices),
        tables::learning_calibration(&learned.calibration),
        tables::cross_training(&learned.cross_training),
        tables::learned_weights(learned),
    ]
}

pub fn report(learned: &Learned, facts: &LearningFacts) -> Report {
    let bands: Vec<String> = facts.bands.iter().map(|band| band.elo.to_string()).collect();
    Report {
        title: name(&format!("Players of {}", bands.join(", "))),
        sentences: words::sentences(learned),
        notes: words::notes(learned),
        facts: making(conditions(facts), &facts.command),
        shown: tables::learning_layouts(learned, &facts.bands, &facts.positions),
        brief: tables::brief_learning_layouts(learned, &facts.bands, &facts.positions),
        drawings: drawings(learned, facts),
        page: Some(|report| rendered(&Page::Learning { report })),
        tables: all(learned, &facts.bands),
        ..Report::default()
    }
    .with_summary(&LEARNING, &LearningSummary { facts, learned })
}

pub fn write_choices(
    learned: &Learned,
    out: &Publication<'_>,
    formats: &BTreeSet<Format>,
) -> Result<(), ReportError> {
    if learned.choices.is_empty() {
        return Ok(());
    }
    let rows = learned.choices.iter().flat_map(|PredictorChoices { predictor, positions }| {
        let rows = move |position| choice_rows(predictor, position);
        positions.iter().flat_map(rows)
    });
    for &format in formats {
        let mut rows = rows.clone();
        let parts = std::iter::from_fn(|| {
            let part: Vec<ChoiceRow<'_>> = rows.by_ref().take(ROW_GROUP).collect();
            (!part.is_empty()).then(|| Ok(tables::learning_choices(&part)))
        });
        write_table(out, tables::CHOICES, parts, format)?;
    }
    Ok(())
}

fn choice_rows<'a>(
    predictor: &'a Predictor,
    position: &'a PredictedPosition,
) -> impl Iterator<Item = ChoiceRow<'a>> + Clone {
    (0..position.moves.len()).map(move |place| ChoiceRow { predictor, position, place })
}

fn drawings(learned: &Learned, facts: &LearningFacts) -> Vec<NamedDrawing> {
    let mut objectives: Vec<LearningObjective> =
        learned.models.iter().map(|model| model.key.objective).collect();
    objectives.dedup();
    let positions: usize = facts.bands.iter().map(|band| band.training_positions).sum();
    let drawn = objectives.iter().flat_map(|&objective| {
        let caption = format!("{objective}, {}", counted(positions as u64, "position"));
        [plots::values(learned, objective, &caption), plots::squares(learned, objective)]
    });
    let named = pictures(&objectives).into_iter().zip(drawn);
    let mut drawings: Vec<NamedDrawing> =
        named.filter_map(|(name, drawing)| Some((name, drawing?))).collect();
    // The values of all objectives come first.
    drawings.sort_by_key(|(name, _)| name.starts_with("squares"));
    drawings
}

fn conditions(facts: &LearningFacts) -> Vec<Fact> {
    let mut lines = vec![
        ("Games".to_owned(), format!("{} read", counted(facts.read, "game"))),
        ("Positions".to_owned(), facts.positions.clone()),
    ];
    let conditions = facts.conditions.iter().filter_map(|line| line.split_once(": "));
    lines.extend(conditions.map(|(label, text)| (capital(label), text.to_owned())));
    lines
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

pub fn reading_summary(found: &BandReading) -> String {
    let mut told = format!("{} read", counted(found.read, "game"));
    let others = [
        (found.outside, "without a player of any band"),
        (found.robots, "by bots"),
        (found.tally.duplicates, "copies"),
        (found.tally.refused.values().sum(), "not chosen"),
        (found.without_decision, "without a usable position"),
    ];
    let others = others.into_iter().filter(|(count, _)| *count > 0);
    others.for_each(|(count, what)| told.push_str(&format!(", {count} {what}")));
    let ended =
        if found.ended_early { "; reading ended early, because all bands have enough games" } else { "" };
    format!("{told}; games by band: {}{ended}", games_by_band(found))
}

pub fn games_by_band(found: &BandReading) -> String {
    let bands = found.bands.iter().map(|band| format!("{}: {}", band.band, band.games.len()));
    bands.collect::<Vec<_>>().join(", ")
}

object! {
    struct LearningSummary<'a> { facts: &'a LearningFacts, learned: &'a Learned } =>
    "version": env!("CARGO_PKG_VERSION"),
    "bands": facts.bands,
    "positions": facts.positions,
    "conditions": facts.conditions,
    "read": facts.read,
    "verdict": [words::sentences(learned), words::notes(learned)].concat(),
    "models": learned.models.iter().map(|model| ModelEntry { model }).collect::<Vec<_>>(),
    "predictions": predictions(&learned.predictions),
    "slices": predictions(&learned.slices),
    "calibration": learned.calibration.iter().map(|bin| CalibrationEntry { bin }).collect::<Vec<_>>(),
}

object! {
    struct ModelEntry<'a> { model: &'a Model } =>
    "model": model.key.to_string(),
    "c": model.c,
    "games": model.counts[0],
    "positions": model.counts[1],
    "pairs": model.counts[2],
    "passes": model.fit.passes,
    "distance_from_optimum": model.fit.violation,
    "duality_gap": model.fit.duality_gap,
    "leave_one_out_error": model.fit.leave_one_out,
    "converged": model.fit.converged,
    "round": model.round,
    "digest": model.digest,
}

fn predictions(rows: &[Predicted]) -> Vec<PredictionEntry<'_>> {
    rows.iter().map(|one| PredictionEntry { one }).collect()
}

object! {
    struct PredictionEntry<'a> { one: &'a Predicted } =>
    "predictor": words::predictor(&one.predictor),
    "band": one.band.to_string(),
    "by": one.slice.map(|slice| slice.kind.name()),
    "slice": one.slice.map(PositionSlice::name),
    "games": one.games,
    "positions": one.positions,
    "pairs": one.pairs,
    "pairwise": one.prediction.pairwise,
    "first_choice": one.prediction.first_choice,
    "reciprocal_rank": one.prediction.reciprocal_rank,
    "log_loss": one.prediction.log_loss,
}

object! {
    struct CalibrationEntry<'a> { bin: &'a CalibrationBin } =>
    "predictor": words::predictor(&bin.predictor),
    "from": bin.from,
    "to": bin.to(),
    "moves": bin.moves,
    "probability": bin.probability,
    "played": bin.played,
}
