//! Reports from a store of evaluations, without an engine.

use std::{collections::BTreeSet, io::Read, path::Path};

use crate::base::input_file;
use crate::base::output::RunClock;
use crate::base::text::{counted, path_text, printable, shown_path};
use crate::chess::{EvaluatedGame, Game, Selection, evaluated_game::judge_of};
use crate::measure::{Calibration, NoRating, RatedPlay};
use crate::store::{self, EvaluationStore, Origin, OriginFilter, Search, SearchedGame};
use crate::verbs::{
    args::ReportArgs, error::Result, error::VerbError, evaluations::behavior::ReportedUnused, input,
    input::Input, input::evaluated::Evaluated, input::evaluated::InputGames, plan::EvaluationPlan,
    report::RemakeArgs, runs::Finished, runs::Plan, runs::Viewer, runs::report_folder::ReportSearch,
    runs::reporting::ReportTargets, runs::reporting::publish,
};

/// Reports the games whose evaluations are all in the store.
pub fn run(args: &RemakeArgs, viewer: &dyn Viewer) -> Result<Finished> {
    let mut report = args.report.apply(&ReportArgs::default())?;
    report.table.output.clone_from(&args.report.output);
    let wanted = &args.stored.filter();
    let clock = RunClock::start();
    check_is_store(&args.source)?;
    if args.pgn.is_empty() {
        let told = format!("{}: a store has evaluations but no games", shown_path(&args.source));
        return Err(VerbError::new(told).with_hint(": name the PGN files after it"));
    }
    let input = input::read_together(&args.pgn, &args.reading.plan(Selection::default()), viewer)?;
    input::warn_of_bad_games([&input], viewer);
    let store = store::open_to_read(&args.source)?;
    let found = aside_from_ratings(found(&input.games, &*store, wanted)?, wanted);
    let chosen = chosen(found, &input.games, &*store, wanted)?;
    viewer.note(&format!("evaluations by {}", described(&chosen.origin, &BTreeSet::new())));
    let evaluations = EvaluationPlan { protocol: chosen.origin.protocol, ..EvaluationPlan::default() };
    let plan = Plan { report, evaluations, ..Plan::default() };
    let inputs = [input];
    let search = ReportSearch {
        engine: chosen.origin.engine.name.clone(),
        label: None,
        limit: chosen.origin.protocol.limit,
    };
    let targets = ReportTargets::prepare(&inputs, &plan, Some(&search))?;
    let [input] = inputs;
    let rated = rated(&input.games, &chosen.origin, &*store)?;
    let evaluated = Evaluated { rated, ..chosen.evaluated(&input, viewer) };
    Ok(publish(&evaluated, &targets, &plan, &clock, viewer)?.finished)
}

/// Returns ratings of play by the engine's first calibration whose searches are all in the store;
/// [`NoRating`] if there is none. The engine does not run; its stored name and options identify it.
fn rated(
    games: &[Game],
    origin: &Origin,
    store: &dyn EvaluationStore,
) -> Result<Result<RatedPlay, NoRating>> {
    let calibrations = Calibration::for_games(Calibration::shipped(), games.iter());
    let engine = &origin.engine;
    let is_of = |calibration: &Calibration| {
        calibration.engine.name == engine.name && calibration.engine.options == engine.options
    };
    let judge = judge_of(&engine.name, &origin.protocol.brief());
    for calibration in calibrations.iter().filter(|calibration| is_of(calibration)) {
        let wanted = Origin { engine: engine.clone(), protocol: calibration.protocol };
        let search = Search::plan(games.to_vec(), wanted, Some(store))?;
        let complete = search.finish().into_iter().filter_map(|game| match game {
            SearchedGame::Complete(game) => Some(*game),
            SearchedGame::Failed { .. } | SearchedGame::Unfinished { .. } => None,
        });
        let complete: Vec<EvaluatedGame> = complete.collect();
        if complete.len() == games.len() {
            return Ok(Ok(RatedPlay::new(calibration.clone(), vec![complete])));
        }
    }
    Ok(Err(NoRating::of_judge(Some(&judge), &calibrations)))
}

/// Refuses files that are not stores before opening them, because an empty file would become a store.
fn check_is_store(path: &Path) -> Result<()> {
    const MAGIC: &[u8; 16] = b"SQLite format 3\0";
    let mut head = [0; MAGIC.len()];
    let read = input_file::open(path).and_then(|mut file| file.read_exact(&mut head));
    match read {
        Ok(()) if head == *MAGIC => Ok(()),
        // A server itself reports if it has no store.
        _ if store::is_on_server(path) => Ok(()),
        _ if !path.exists() => Err(VerbError::no_such_path(path)),
        _ => Err(VerbError::new(format!(
            "{}: neither the folder of a report nor the SQLite file of a store",
            shown_path(path)
        ))),
    }
}

/// One engine's stored searches of the games, with one protocol.
struct StoredSearches {
    origin: Origin,
    search: Search,
}

impl StoredSearches {
    fn of(origin: Origin, games: &[Game], store: &dyn EvaluationStore) -> Result<StoredSearches> {
        let search = Search::plan(games.to_vec(), origin.clone(), Some(store))?;
        Ok(StoredSearches { origin, search })
    }

    fn covered(&self) -> usize {
        self.search.progress().games_done
    }

    /// Returns the games whose evaluations are complete. The other games are listed as left out.
    fn evaluated(self, input: &Input, viewer: &dyn Viewer) -> Evaluated {
        let (counts, programs) = (self.search.counts(), self.search.programs().clone());
        ReportedUnused::default().report(self.search.unused(), &self.origin.engine.name, viewer);
        let mut input_games = InputGames::of(input);
        for searched in self.search.finish() {
            if let SearchedGame::Unfinished { game } = &searched {
                viewer.warn(&format!("left out: {}: {NOT_WHOLE}", game.title()));
            }
            input_games.take_stored(searched, NOT_WHOLE);
        }
        Evaluated { counts, programs, engine: Some(self.origin.engine), ..Evaluated::of(vec![input_games]) }
    }
}

const NOT_WHOLE: &str = "the store lacks some positions of the game";

fn found(games: &[Game], store: &dyn EvaluationStore, wanted: &OriginFilter) -> Result<Vec<StoredSearches>> {
    let mut found = Vec::new();
    for origin in store.origins()?.into_iter().filter(|origin| wanted.wants(origin)) {
        let one = StoredSearches::of(origin, games, store)?;
        // A game without moves needs no evaluation if its start position ends the game.
        if one.covered() > 0 && one.search.counts().stored > 0 {
            found.push(one);
        }
    }
    Ok(found)
}

/// Leaves out searches that were made for ratings, if there are other searches and the user named no limit.
fn aside_from_ratings(found: Vec<StoredSearches>, wanted: &OriginFilter) -> Vec<StoredSearches> {
    let calibrations = Calibration::shipped();
    let is_for_rating = |one: &StoredSearches| {
        let Origin { engine, protocol } = &one.origin;
        calibrations
            .iter()
            .any(|calibration| calibration.engine.name == engine.name && calibration.protocol == *protocol)
    };
    if wanted.limit.is_some() || found.iter().all(is_for_rating) {
        return found;
    }
    found.into_iter().filter(|one| !is_for_rating(one)).collect()
}

/// Returns the only element of `found`. Fails if `found` is empty or has several elements. In the second
/// case, the error lists them for the user to choose from.
fn chosen(
    mut found: Vec<StoredSearches>,
    games: &[Game],
    store: &dyn EvaluationStore,
    wanted: &OriginFilter,
) -> Result<StoredSearches> {
    let (count, file) = (counted(games.len() as u64, "game"), path_text(&store.describe()));
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => {
            let of_that_kind = if *wanted == OriginFilter::default() { "" } else { " of that kind" };
            Err(VerbError::new(format!(
                "{file}: no game has all of its evaluations{of_that_kind} in this store ({count} read)"
            )))
        }
        _ => Err(VerbError::new(format!(
            "{file}: evaluations of several kinds cover the games:\n{}",
            listed(&found, games.len())
        ))
        .with_hint(
            "\nchoose one kind with --engine-name, --depth or --nodes, --order, --segment, --engine-option",
        )),
    }
}

fn listed(found: &[StoredSearches], games: usize) -> String {
    let differ = differing_options(found);
    let line = |one: &StoredSearches| {
        format!("  {} of {games} games: {}", one.covered(), described(&one.origin, &differ))
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the names of options whose values differ between the origins, or that some origins lack.
fn differing_options(found: &[StoredSearches]) -> BTreeSet<String> {
    let names = found.iter().flat_map(|one| one.origin.engine.options.keys());
    let values =
        |name: &String| found.iter().map(|one| one.origin.engine.options.get(name)).collect::<BTreeSet<_>>();
    names.filter(|name| values(name).len() > 1).cloned().collect()
}

fn described(Origin { engine, protocol }: &Origin, options: &BTreeSet<String>) -> String {
    let mut text = format!("{}, {protocol}", printable(&engine.name));
    for (name, value) in engine.options.iter().filter(|(name, _)| options.contains(*name)) {
        text += &format!(", {}={}", printable(name), printable(value));
    }
    text
}
