//! Sentences on weights learned from players' moves.

use shakmaty::Role;

use crate::base::text::{counted, rounded};
use crate::engine::chess_engine::Feature;
use crate::lab::{CrossTraining, Learned, LearningObjective, ModelKey, Predicted, Predictor, Target};
use crate::numbers::Estimate;

/// Returns the name of a predictor, as in `logit on 1200`.
pub fn predictor(predictor: &Predictor) -> String {
    match predictor {
        Predictor::Chance => "chance".to_owned(),
        Predictor::Material => "material".to_owned(),
        Predictor::Handmade => "handmade".to_owned(),
        Predictor::Own => "built-in engine".to_owned(),
        Predictor::Learned(objective, target) => format!("{objective} on {target}"),
        Predictor::Given(name) => name.clone(),
    }
}

pub fn sentences(learned: &Learned) -> Vec<String> {
    prediction(learned).into_iter().flatten().collect()
}

pub fn notes(learned: &Learned) -> Vec<String> {
    let known = compared_with_known(learned).into_iter();
    known.chain(cross_training(learned)).chain(queen(learned)).collect()
}

/// Returns the predictions for all bands together, except by weights learned from one of several bands.
pub(in crate::report) fn of_all(learned: &Learned) -> impl Iterator<Item = &Predicted> {
    let last = learned.predictions.last().map(|row| row.band);
    learned.predictions.iter().filter(move |row| {
        let is_of_one = matches!(row.predictor, Predictor::Learned(_, target) if Some(target) != last);
        Some(row.band) == last && !is_of_one
    })
}

/// Returns the prediction with the lowest log-loss among given weights and weights of all games.
pub(in crate::report) fn best(learned: &Learned) -> Option<&Predicted> {
    let of_weights = |row: &&Predicted| matches!(row.predictor, Predictor::Learned(..) | Predictor::Given(_));
    of_all(learned)
        .filter(of_weights)
        .min_by(|a, b| a.prediction.log_loss.value.total_cmp(&b.prediction.log_loss.value))
}

fn prediction(learned: &Learned) -> Option<[String; 2]> {
    let best = best(learned)?;
    let chance = of_all(learned).find(|row| row.predictor == Predictor::Chance)?;
    let test = if learned.models.is_empty() { "Test" } else { "Held-out test" };
    let who = match &best.predictor {
        Predictor::Given(name) => format!("The weights {name}"),
        _ => "Learned weights".to_owned(),
    };
    let first = format!(
        "{who} choose the player's move in {} % of the positions (chance: {} %).",
        rounded(100.0 * best.prediction.first_choice.value, 1),
        rounded(100.0 * chance.prediction.first_choice.value, 1)
    );
    let then = format!(
        "{test} of {} ({} of {}): they rank the player's move first in {} and higher in {} of its pairs with another \
         legal move. Their log-loss is {} (chance: {}).",
        predictor(&best.predictor),
        counted(best.positions as u64, "position"),
        counted(best.games as u64, "game"),
        percent(best.prediction.first_choice),
        percent(best.prediction.pairwise),
        with_interval(best.prediction.log_loss, 1.0, 3, ""),
        rounded(chance.prediction.log_loss.value, 3),
    );
    Some([first, then])
}

fn compared_with_known(learned: &Learned) -> Option<String> {
    let row = |wanted: Predictor| of_all(learned).find(|row| row.predictor == wanted);
    let rows = [Predictor::Material, Predictor::Handmade, Predictor::Own].map(row);
    let told = rows.into_iter().flatten().map(|row| {
        format!(
            "{} {} of the pairs and {} of the positions",
            predictor(&row.predictor),
            percent(row.prediction.pairwise),
            percent(row.prediction.first_choice)
        )
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("Other predictors: {}.", told.join("; ")))
}

fn cross_training(learned: &Learned) -> Vec<String> {
    let all = learned.cross_training.iter().filter(|row| row.band == Target::All && row.other.is_none());
    all.map(|row| {
        format!(
            "{}: weights learned from a band of ratings {} weights learned from other bands (differences: {} percentage \
             points in pairs, {} percentage points in first choices, log-loss lower by {}).",
            row.objective,
            verdict(row),
            with_interval(row.pairwise, 100.0, 2, ""),
            with_interval(row.first_choice, 100.0, 2, ""),
            with_interval(row.log_loss, 1.0, 4, ""),
        )
    })
    .collect()
}

/// Returns the verdict by the pairs predicted right, because pairs are the largest sample.
fn verdict(row: &CrossTraining) -> &'static str {
    match row.pairwise.interval {
        Some(interval) if interval.low > 0.0 => "predict the moves of this band better than",
        Some(interval) if interval.high < 0.0 => "predict the moves of this band worse than",
        _ => "do not predict the moves of this band significantly better or worse than",
    }
}

fn queen(learned: &Learned) -> Option<String> {
    let Predictor::Learned(objective, _) = best(learned)?.predictor else { return None };
    let values: Vec<String> = queens(learned, objective)
        .map(|(band, value)| format!("{} in band {band}", with_interval(value, 1.0, 0, "")))
        .collect();
    (values.len() > 1)
        .then(|| format!("Value of a queen (pawn = 100) by {objective}: {}.", values.join(", ")))
}

fn queens(learned: &Learned, objective: LearningObjective) -> impl Iterator<Item = (Target, Estimate)> {
    let is_meant = move |key: &ModelKey| key.objective == objective && key.target != Target::All;
    let of_bands = learned.models.iter().filter(move |model| is_meant(&model.key));
    let queen = Feature::of_role(Role::Queen).map_or(0, Feature::index);
    of_bands.filter_map(move |model| Some((model.key.target, *learned.centipawns(model)?.get(queen)?)))
}

fn percent(share: Estimate) -> String {
    with_interval(share, 100.0, 1, " %")
}

fn with_interval(found: Estimate, times: f64, decimals: usize, unit: &str) -> String {
    let said = |value: f64| rounded(times * value, decimals);
    let ends = found.interval;
    let ends = ends.map_or(String::new(), |ends| format!(" ({} to {})", said(ends.low), said(ends.high)));
    format!("{}{unit}{ends}", said(found.value))
}
