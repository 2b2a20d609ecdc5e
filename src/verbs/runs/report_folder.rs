//! Names of report folders, by the work done (games, verb, engine, limit), and reports that a run may not
//! replace.

use std::path::{Path, PathBuf};

use crate::base::text::{full_path, printable};
use crate::chess::Limit;
use crate::files::{EvaluationSource, FileNames, formats::restore};
use crate::verbs::{
    error::Result, error::VerbError, evaluations::is_searched, input::Input, input::REPORTS,
    plan::EvaluationPlan,
};

#[derive(Debug, Clone, PartialEq)]
pub struct ReportSearch {
    /// The `id name` of the engine.
    pub engine: String,
    pub label: Option<String>,
    pub limit: Limit,
}

impl ReportSearch {
    /// Returns the search that `plan` requests; `None` if no game needs a search. The engine is started to
    /// learn its name.
    pub fn of(inputs: &[Input], plan: &EvaluationPlan) -> Result<Option<ReportSearch>> {
        if !inputs.iter().flat_map(|input| &input.games).any(|game| is_searched(game, plan)) {
            return Ok(None);
        }
        let engine = plan.engine.identify()?.name;
        Ok(Some(ReportSearch { engine, label: plan.engine.label.clone(), limit: plan.protocol.limit }))
    }

    /// Returns whether a report by this search may replace a report by the search `earlier`: the engine must
    /// be the same, and the depth or the number of nodes at least as large.
    pub fn replaces(&self, earlier: &ReportSearch) -> bool {
        let is_as_far = match (self.limit, earlier.limit) {
            (Limit::Depth(own), Limit::Depth(other)) => own >= other,
            (Limit::Nodes(own), Limit::Nodes(other)) => own >= other,
            _ => false,
        };
        self.engine == earlier.engine && is_as_far
    }
}

/// Returns `reports/<name>`, followed by the verb (if it is not the default one), the engine and the limit:
/// `reports/games-rate-stockfish-15-1-depth-10`. Games with recorded evaluations need no engine, so the name
/// of their folder has none.
pub fn folder_of(name: &str, verb: Option<&str>, search: Option<&ReportSearch>) -> PathBuf {
    let search =
        search.map(|search| format!("{} {}", search.label.as_ref().unwrap_or(&search.engine), search.limit));
    let done: Vec<String> = verb.map(str::to_owned).into_iter().chain(search).collect();
    Path::new(REPORTS).join(match done.is_empty() {
        true => name.to_owned(),
        false => format!("{name}-{}", FileNames::for_each("engine").file_name_for(&done.join(" "))),
    })
}

/// Refuses to replace the report in `folder` if it has another engine, another kind of limit, or a deeper
/// search. Recorded evaluations count as another engine.
pub fn check_replaced(folder: &Path, search: Option<&ReportSearch>) -> Result<()> {
    let Some(source) = restore::evaluations(folder) else { return Ok(()) };
    let there = match source {
        EvaluationSource::Recorded => None,
        EvaluationSource::Engine { engine, protocol, .. } => match protocol.limit.parse() {
            Ok(limit) => Some(ReportSearch { engine: engine.name, label: None, limit }),
            Err(_) => return Ok(()),
        },
    };
    let may = match (search, &there) {
        (Some(search), Some(there)) => search.replaces(there),
        (None, None) => true,
        _ => false,
    };
    if may {
        return Ok(());
    }
    let by = |search: Option<&ReportSearch>| match search {
        Some(search) => format!("{}, {}", printable(&search.engine), search.limit),
        None => "recorded evaluations".to_owned(),
    };
    Err(not_replaced(
        folder,
        &format!("a report by {}", by(there.as_ref())),
        &format!("a report by {}", by(search)),
    ))
}

/// Returns the error of a run that would replace the work in `folder` by other or less thorough work.
pub fn not_replaced(folder: &Path, there: &str, own: &str) -> VerbError {
    VerbError::new(format!("{} holds {there}, but this run would write {own}", full_path(folder)))
        .with_hint(": name another folder with --output, or let --force replace it")
}
