//! Owns the run that tells what is usual of the play of a player of a given rating, by the calibrations at hand.

use std::collections::BTreeSet;

use super::{Finished, RunEnding, Viewer};
use crate::measure::Calibration;
use crate::report::calibration;
use crate::verbs::app::plan::ExpectPlan;
use crate::verbs::error::VerbError;

/// Returns the tables of what is usual.
///
/// # Errors
///
/// If there is no calibration, it cannot be read, or it tells nothing of such a rating.
pub fn run(plan: &ExpectPlan, viewer: &dyn Viewer) -> Result<Finished, VerbError> {
    let calibrations = plan.calibrations.load()?;
    let table = |calibration: &Calibration| {
        let usual = calibration.expected(plan.elo, plan.moves)?;
        Some(calibration::expected(calibration, &usual, (plan.elo, plan.moves), viewer.screen()))
    };
    // Of several calibrations of one engine the first, by which it rates.
    let mut engines = BTreeSet::new();
    let rates = |calibration: &&Calibration| engines.insert(calibration.engine.name.clone());
    let told: Vec<String> = calibrations.iter().filter(rates).filter_map(table).collect();
    if told.is_empty() {
        let ranges = calibrations.iter().map(|calibration| {
            let [low, high] = calibration.elo_range();
            format!("{}: {low:.0} to {high:.0}", calibration.engine.name)
        });
        let known = match ranges.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => ": no calibration is at hand".to_owned(),
            ranges => format!("; calibrated are {ranges}"),
        };
        return Err(VerbError::new(format!("nothing is known of what is usual at {}{known}", plan.elo)));
    }
    Ok(Finished::new(told.join("\n"), RunEnding::Complete))
}
