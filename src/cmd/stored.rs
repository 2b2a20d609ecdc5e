//! Owns reports from a store of evaluations, without asking an engine.

use std::{collections::BTreeSet, fs::File, io::Read, path::Path};

use super::{
    CmdError, RunEnding,
    console::Console,
    reporting::{ReportTargets, publish_all},
};
use crate::{
    app::{
        Observer,
        evaluations::{Evaluated, InputGames},
        plan::{EvaluationPlan, Plan, ReportPlan},
        reading::{self, Input},
    },
    choice::Selection,
    cli::{RemakeArgs, StoredArgs},
    evaluate::{Search, SearchedGame},
    game::Game,
    output::RunClock,
    store::{self, EvaluationStore, Origin},
    text::{counted, path_text, printable},
};

/// Reports the games of the PGN files that the store at `path` has as a whole.
pub fn run(path: &Path, args: &RemakeArgs, console: &Console) -> Result<RunEnding, CmdError> {
    let clock = RunClock::start();
    check_is_store(path)?;
    if args.pgn.is_empty() {
        return Err(CmdError::Usage(format!(
            "{}: a store holds evaluations and no games: name the PGN files behind it",
            shown(path)
        )));
    }
    let input = reading::read_together(&args.pgn, &args.reading.plan(Selection::default()), console)?;
    reading::warn_of_bad_games([&input], console);
    let store = store::open(path)?;
    let found = found(&input.games, &*store, &args.stored)?;
    let chosen = chosen(found, &input.games, &*store, &args.stored)?;
    console.note(&format!("evaluations by {}", described(&chosen.origin, &BTreeSet::new())));
    let plan = plan(args, &chosen.origin)?;
    let inputs = [input];
    let targets = ReportTargets::prepare(&inputs, &plan)?;
    let [input] = inputs;
    let evaluated = chosen.evaluated(&input, console);
    publish_all(&evaluated, &targets, &plan, &clock, console)
}

/// Something else is not opened: an empty file would become a store.
fn check_is_store(path: &Path) -> Result<(), CmdError> {
    const MAGIC: &[u8; 16] = b"SQLite format 3\0";
    let mut head = [0; MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    match read {
        Ok(()) if head == *MAGIC => Ok(()),
        _ if !path.exists() => Err(CmdError::Usage(format!("{}: no such file or folder", shown(path)))),
        _ => Err(CmdError::Usage(format!(
            "{}: is neither the folder of a report nor the SQLite file of a store",
            shown(path)
        ))),
    }
}

/// What the store has of the games from one origin.
struct Found {
    origin: Origin,
    search: Search,
}

impl Found {
    fn of(origin: Origin, games: &[Game], store: &dyn EvaluationStore) -> Result<Found, CmdError> {
        let search = Search::plan(games.to_vec(), origin.engine.clone(), origin.protocol, Some(store))?;
        Ok(Found { origin, search })
    }

    /// How many games it covers as a whole.
    fn covered(&self) -> usize {
        self.search.progress().games_done
    }

    /// The games that it has, and the others as left out.
    fn evaluated(self, input: &Input, console: &Console) -> Evaluated {
        let counts = self.search.counts();
        let mut input_games = InputGames::of(input);
        for searched in self.search.finish() {
            if let SearchedGame::Unfinished { game } = &searched {
                console.warn(&format!("left out: {}: {NOT_WHOLE}", game.title()));
            }
            input_games.take_stored(searched, NOT_WHOLE);
        }
        Evaluated { counts, engine: Some(self.origin.engine), ..Evaluated::of(vec![input_games]) }
    }
}

const NOT_WHOLE: &str = "the store does not have all of its positions";

/// What the store has of the games from each origin that is wanted and covers one at least.
fn found(games: &[Game], store: &dyn EvaluationStore, wanted: &StoredArgs) -> Result<Vec<Found>, CmdError> {
    let mut found = Vec::new();
    for origin in store.origins()?.into_iter().filter(|origin| wanted.wants(origin)) {
        let one = Found::of(origin, games, store)?;
        // A game without a move that ends where it begins needs no evaluation.
        if one.covered() > 0 && one.search.counts().stored > 0 {
            found.push(one);
        }
    }
    Ok(found)
}

/// The only one, else an error that lists what there is to choose from.
fn chosen(
    mut found: Vec<Found>,
    games: &[Game],
    store: &dyn EvaluationStore,
    wanted: &StoredArgs,
) -> Result<Found, CmdError> {
    let (count, file) = (counted(games.len() as u64, "game"), path_text(&store.describe()));
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(CmdError::NotStored(match narrowed(wanted) {
            true => {
                format!("{file}: has no evaluations of that kind that cover one of the {count} as a whole")
            }
            false => format!("{file}: has no evaluations that cover one of the {count} as a whole"),
        })),
        _ => Err(CmdError::Usage(format!(
            "{file}: several evaluations cover games; choose with --engine-name, --depth or --nodes, --order, \
             --segment, --engine-option:\n{}",
            listed(&found, games.len())
        ))),
    }
}

fn narrowed(wanted: &StoredArgs) -> bool {
    let StoredArgs { engine_name, engine_options, depth, nodes, segment, order } = wanted;
    let chosen = [depth.is_some(), nodes.is_some(), segment.is_some(), order.is_some()];
    engine_name.is_some() || !engine_options.is_empty() || chosen.contains(&true)
}

/// One line for each, with the options that they differ in.
fn listed(found: &[Found], games: usize) -> String {
    let differ = differing_options(found);
    let line =
        |one: &Found| format!("  {} of {games} games: {}", one.covered(), described(&one.origin, &differ));
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The names of options that not all of them have with the same value.
fn differing_options(found: &[Found]) -> BTreeSet<String> {
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

/// What would have had an engine search them.
fn plan(args: &RemakeArgs, origin: &Origin) -> Result<Plan, CmdError> {
    let mut report = args.report.apply(&ReportPlan::default()).map_err(CmdError::Usage)?;
    report.tables.output.clone_from(&args.report.output);
    let evaluations = EvaluationPlan { protocol: origin.protocol, ..EvaluationPlan::default() };
    Ok(Plan { report, evaluations, ..Plan::default() })
}

fn shown(path: &Path) -> String {
    path_text(&path.to_string_lossy())
}
