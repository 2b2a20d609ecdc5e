//! Owns what a run that plays does with the games at its end: it computes, writes and gives back the tables.

use super::Viewer;
use crate::chess::text::full_path;
use crate::files::{Publication, formats::anchor};
use crate::lab::{Choices, Experiment, GameRecord};
use crate::report;
use crate::report::experiment::Facts;
use crate::report::publish::{ReportFormats, publish};
use crate::verbs::app::plan::SelfplayPlan;
use crate::verbs::error::VerbError;

/// What the user wants computed, and where the anchor is from.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// What is computed.
    pub choices: Choices,
    /// The report of the anchor; `None` where it was given as a number, or there is none.
    pub origin: Option<String>,
}

/// Returns what `plan` asks for in an experiment of the engine of that name; warns where the anchor is of another.
pub fn wanted(plan: &SelfplayPlan, engine: &str, viewer: &dyn Viewer) -> Result<Wanted, VerbError> {
    let Some(path) = &plan.anchor_report else {
        return Ok(Wanted { choices: plan.choices.clone(), origin: None });
    };
    let found = anchor::read(path)?;
    if let Some(warning) = found.warning(engine) {
        viewer.warn(&warning);
    }
    let origin = format!("{} at depth {}, by {}", found.engine, found.anchor.depth, full_path(path));
    let choices = Choices { anchor: Some(found.anchor), ..plan.choices.clone() };
    Ok(Wanted { choices, origin: Some(origin) })
}

/// Computes what follows from `records`, writes it, and gives back the tables as text.
pub fn report(
    records: &[GameRecord],
    wanted: &Wanted,
    (out, formats): (&Publication<'_>, &ReportFormats),
    mut facts: Facts,
    viewer: &dyn Viewer,
) -> Result<String, VerbError> {
    let experiment = Experiment::of(records, &wanted.choices)?;
    if experiment.lacks_anchor() {
        let depth = experiment.reference().depth;
        viewer.note(&format!("{NO_ANCHOR} (--anchor {depth}=ELO±CI gives one)"));
    }
    facts.anchor.clone_from(&wanted.origin);
    let report = report::experiment::report(&experiment, &facts);
    publish(&report, out, formats)?;
    Ok(report.text(viewer.screen()))
}

/// What is missing where no depth's strength is known.
const NO_ANCHOR: &str = "no depth's strength is known, so none follows for the others";

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::files::formats::anchor::tests::CANDIDATES;
    use crate::lab::RatingAnchor;
    use crate::numbers::Estimate;
    use crate::verbs::runs::viewer::tests::Nobody;

    fn found(plan: &SelfplayPlan) -> Result<Wanted, VerbError> {
        wanted(plan, "Stockfish 15.1", &Nobody)
    }

    fn of_report(path: &Path) -> Result<Wanted, VerbError> {
        found(&SelfplayPlan { anchor_report: Some(path.into()), ..SelfplayPlan::default() })
    }

    #[test]
    fn an_anchor_is_a_number_or_the_strength_that_a_report_has() {
        let elo = Estimate { value: 2400.0, observations: 1, interval: None };
        let choices = Choices { anchor: Some(RatingAnchor { depth: 8, elo }), ..Choices::default() };
        let given = found(&SelfplayPlan { choices, ..SelfplayPlan::default() }).expect("an anchor");
        assert_eq!((given.choices.anchor.map(|anchor| anchor.depth), given.origin), (Some(8), None));
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("summary.json"), CANDIDATES).expect("a new file");
        let read = of_report(folder.path()).expect("a report");
        assert_eq!(read.choices.anchor.map(|anchor| anchor.depth), Some(20));
        assert!(read.origin.is_some_and(|origin| origin.starts_with("Stockfish 15.1 at depth 20, by ")));
        let error = of_report(Path::new("/no/such/report")).expect_err("no report");
        assert_eq!(error.hint(), " (--anchor)", "{error}");
    }
}
