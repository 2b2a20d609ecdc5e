//! Accuracy of the predictors by band, and comparison of each band's own weights with other bands' weights.

use super::{
    band::RatingBand, model::Target, objective::LearningObjective, prediction::CrossTraining,
    prediction::Predicted, prediction::Predictor, prediction::ScoredGames,
};
use crate::numbers::{Estimate, Interval};

/// Returns the accuracy of a predictor on each band, and on all bands together if there are several.
pub(super) fn predicted(
    bands: &[RatingBand],
    predictor: &Predictor,
    games: &[ScoredGames],
) -> Vec<Predicted> {
    let mut all = ScoredGames::default();
    games.iter().for_each(|games| all.append(games));
    let each = bands.iter().map(|&band| Target::Band(band)).zip(games);
    let all = (bands.len() > 1).then_some((Target::All, &all));
    each.chain(all).filter_map(|(band, games)| games.predicted(predictor, band)).collect()
}

/// Compares the weights of each band with every other band's weights, on the band's own moves.
pub(super) fn cross_training(
    bands: &[RatingBand],
    objectives: &[LearningObjective],
    scored: &[(Predictor, Vec<ScoredGames>)],
) -> Vec<CrossTraining> {
    let mut rows = Vec::new();
    for &objective in objectives {
        let of = |place: usize| {
            let wanted = Predictor::Learned(objective, Target::Band(bands[place]));
            scored.iter().find(|(predictor, _)| *predictor == wanted).map(|(_, games)| games)
        };
        let models: Vec<&Vec<ScoredGames>> = (0..bands.len()).filter_map(of).collect();
        if models.len() == bands.len() && models.len() > 1 {
            compare(bands, objective, &models, &mut rows);
        }
    }
    rows
}

fn compare(
    bands: &[RatingBand],
    objective: LearningObjective,
    models: &[&Vec<ScoredGames>],
    rows: &mut Vec<CrossTraining>,
) {
    let target = |place: usize| Target::Band(bands[place]);
    let row = |band, other, better: [_; 3]| {
        let [pairwise, first_choice, log_loss] = better;
        CrossTraining { objective, other, band, pairwise, first_choice, log_loss }
    };
    let mut by_band = Vec::new();
    for band in 0..models.len() {
        let own = &models[band][band];
        let others: Vec<usize> = (0..models.len()).filter(|&other| other != band).collect();
        for &other in &others {
            let better = own.better_than(&[&models[other][band]]);
            rows.extend(better.map(|better| row(target(band), Some(target(other)), better)));
        }
        let games: Vec<&ScoredGames> = others.iter().map(|&other| &models[other][band]).collect();
        let better = own.better_than(&games);
        rows.extend(better.map(|better| row(target(band), None, better)));
        by_band.extend(better);
    }
    let over_bands = |measure: usize| {
        let estimates: Vec<Estimate> = by_band.iter().map(|better| better[measure]).collect();
        mean_over_bands(&estimates)
    };
    if by_band.len() == models.len() {
        rows.push(row(Target::All, None, [over_bands(0), over_bands(1), over_bands(2)]));
    }
}

/// Returns the unweighted mean over bands. Some bands have better weights for every band, because they have
/// more games. This advantage cancels out: each band's weights count as own weights as often as they count as
/// others' weights.
fn mean_over_bands(bands: &[Estimate]) -> Estimate {
    let count = bands.len() as f64;
    let value = bands.iter().map(|band| band.value).sum::<f64>() / count;
    let errors: Option<Vec<f64>> =
        bands.iter().map(|band| band.interval.map(|interval| interval.standard_error)).collect();
    let error = errors.map(|errors| errors.iter().map(|error| error * error).sum::<f64>().sqrt() / count);
    let interval = error.map(|error| Interval::normal(value, error));
    Estimate { value, observations: bands.iter().map(|band| band.observations).sum(), interval }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_are_better_everywhere_are_no_effect_of_the_band() {
        // Two models. The second predicts both bands better by 0.1, so own minus other is −0.1 on the first
        // band and +0.1 on the second.
        let band = |value: f64, error: f64| Estimate {
            value,
            observations: 100,
            interval: Some(Interval::normal(value, error)),
        };
        let mean = mean_over_bands(&[band(-0.1, 0.03), band(0.1, 0.04)]);
        let interval = mean.interval.expect("an interval");
        assert!(mean.value.abs() < 1e-12 && (interval.standard_error - 0.025).abs() < 1e-12);
    }
}
