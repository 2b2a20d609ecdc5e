//! The verb `store`: checking, counting, pruning, exporting and merging of evaluation stores.

use std::{path::Path, path::PathBuf};

use clap::{Args, Subcommand, ValueHint};

use crate::base::output::{FileError, NamedFile, Overwrite, write_file};
use crate::base::text::{counted, printable, shown_path};
use crate::chess::Score;
use crate::report::kinds::deep::tables::store_shares;
use crate::store::{self, KeptStore, MergeOutcome, OriginFilter, Pruned, Pruning, StoreCheck, StoredLine};
use crate::verbs::{
    args::ExportArgs, args::StoredArgs, error::Result, error::VerbError, runs::Finished, runs::RunEnding,
    runs::Viewer,
};

#[derive(Debug, Subcommand)]
pub enum UpkeepAction {
    /// Check a whole store and report damage; changes nothing, and exits with 1 if anything is damaged.
    Check {
        /// Store: a SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        store: PathBuf,
    },
    /// Count a store's evaluations by engine and settings.
    Stats {
        /// Store: a SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        store: PathBuf,
        #[command(flatten)]
        export: ExportArgs,
    },
    /// Remove the evaluations of an engine, limit or build, or evaluations set aside.
    Prune(PruneArgs),
    /// Export all intact evaluations as CSV, one row for each line of a position.
    Export {
        /// Store: a SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        store: PathBuf,
        /// CSV file to write.
        #[arg(value_name = "FILE.csv", value_hint = ValueHint::FilePath)]
        to: PathBuf,
        /// Overwrite an existing file.
        #[arg(long)]
        force: bool,
    },
    /// Merge stores into another, which is created if missing; a store that contradicts it is refused as a whole.
    Merge {
        /// Store that receives the evaluations: a SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        into: PathBuf,
        /// Stores to read from; they stay unchanged.
        #[arg(value_hint = ValueHint::FilePath, required = true)]
        from: Vec<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub struct PruneArgs {
    /// Store: a SQLite file, or postgres://USER@HOST/DATABASE.
    #[arg(value_hint = ValueHint::FilePath)]
    pub store: PathBuf,
    /// Remove evaluations that were damaged and set aside.
    #[arg(long)]
    pub set_aside: bool,
    /// Report how much would be removed, and remove nothing.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub stored: StoredArgs,
}

impl PruneArgs {
    /// Returns the evaluations to remove. Fails if no option selects any.
    pub fn plan(&self) -> Result<Pruning, String> {
        let origins = Some(self.stored.filter()).filter(|filter| *filter != OriginFilter::default());
        if origins.is_none() && !self.set_aside {
            return Err(
                "nothing to remove: choose evaluations with --engine-name, --engine-option, --depth, --nodes, \
                 --segment, --order or --build, or damaged ones with --set-aside"
                    .to_owned(),
            );
        }
        Ok(Pruning { origins, set_aside: self.set_aside, is_rehearsal: self.dry_run })
    }
}

pub fn run(action: &UpkeepAction, viewer: &mut dyn Viewer) -> Result<Finished> {
    match action {
        UpkeepAction::Check { store } => check(store),
        UpkeepAction::Stats { store, .. } => stats(store, viewer),
        UpkeepAction::Prune(args) => prune(&args.store, &args.plan()?),
        UpkeepAction::Export { store, to, force } => export(store, to, Overwrite::forced(*force), viewer),
        UpkeepAction::Merge { into, from } => merge(into, from, viewer),
    }
}

fn check(path: &Path) -> Result<Finished> {
    let StoreCheck { segments, positions, damaged, faults, set_aside } = store::check(&*open_to_read(path)?)?;
    let mut told = String::new();
    for fault in faults.iter().map(|fault| format!("the file: {fault}")).chain(damaged.iter().cloned()) {
        told += &format!("damaged: {}\n", printable(&fault));
    }
    told += &format!(
        "{}: {} with {} intact, {} damaged, {set_aside} set aside earlier.\n",
        shown_path(path),
        counted(segments, "segment"),
        counted(positions, "position"),
        damaged.len() + faults.len(),
    );
    let is_whole = damaged.is_empty() && faults.is_empty();
    Ok(Finished::new(told, if is_whole { RunEnding::Complete } else { RunEnding::Disagrees }))
}

fn stats(path: &Path, viewer: &dyn Viewer) -> Result<Finished> {
    // On a server, the owner creates the tables with this command.
    let store = if store::is_on_server(path) { open(path)? } else { open_to_read(path)? };
    let bytes = store.bytes()?;
    let set_aside = counted(store.number_set_aside()?, "segment");
    let note = format!("{}: {bytes} bytes, {set_aside} set aside.", shown_path(path));
    Ok(Finished::complete(store_shares(&store.shares()?, vec![note], viewer.screen())))
}

fn prune(path: &Path, pruning: &Pruning) -> Result<Finished> {
    let Pruned { segments, set_aside } = open(path)?.prune(pruning)?;
    let told = format!(
        "{3}: {2} {0}, and {1} that had been set aside.\n",
        counted(segments, "segment"),
        counted(set_aside, "segment"),
        if pruning.is_rehearsal { "would remove" } else { "removed" },
        shown_path(path)
    );
    Ok(Finished::complete(told))
}

/// Writes every line of a store's intact segments as a row of CSV.
fn export(path: &Path, to: &Path, overwrite: Overwrite, viewer: &dyn Viewer) -> Result<Finished> {
    let store = open_to_read(path)?;
    NamedFile { path: to, overwrite }.check_absent()?;
    let (mut rows, mut damaged) = (0, Vec::new());
    write_file(to, |file| {
        let mut csv = csv::Writer::from_writer(file);
        csv.write_record(COLUMNS.map(|(name, _)| name)).map_err(|error| unwritten(to, error))?;
        damaged = store::export(&*store, |line| {
            rows += 1;
            csv.write_record(COLUMNS.map(|(_, cell)| cell(line))).map_err(|error| unwritten(to, error))
        })?;
        csv.flush().map_err(|error| unwritten(to, error.into()))
    })?;
    damaged.iter().for_each(|what| viewer.warn(&format!("damaged, so left out: {}", printable(what))));
    let told = format!("{} written to {}.\n", counted(rows, "row"), shown_path(to));
    let ending = if damaged.is_empty() { RunEnding::Complete } else { RunEnding::Disagrees };
    Ok(Finished::new(told, ending))
}

fn unwritten(path: &Path, error: csv::Error) -> VerbError {
    FileError::Write(path.to_owned(), error.into()).into()
}

/// A function that returns one cell of the row for an exported line.
type StoredText = fn(&StoredLine<'_>) -> String;

/// The columns of an export. A cell is empty if the engine did not report the value.
const COLUMNS: [(&str, StoredText); 23] = [
    ("engine", |row| row.origin.engine.name.clone()),
    ("options", |row| serde_json::to_string(&row.origin.engine.options).expect("texts always make JSON")),
    ("engine_digest", |row| row.origin.engine.digest.clone()),
    ("behaviour", |row| text(row.origin.engine.behavior.as_ref())),
    ("limit", |row| row.origin.protocol.limit.to_string()),
    ("order", |row| row.origin.protocol.order.to_string()),
    ("segment", |row| row.origin.protocol.segment.to_string()),
    ("lines", |row| row.origin.protocol.lines.to_string()),
    ("start_fen", |row| text(row.start)),
    ("moves", |row| row.moves.to_owned()),
    ("asked", |row| row.asked.to_owned()),
    ("ply", |row| row.ply.to_string()),
    ("rank", |row| text(row.line.as_ref().map(|line| line.rank))),
    ("move", |row| text(row.line.as_ref().map(|line| line.best))),
    ("cp", |row| text(score(row).cp())),
    ("mate", |row| text(score(row).mate())),
    ("depth", |row| text(row.evaluation.depth)),
    ("seldepth", |row| text(row.evaluation.seldepth)),
    ("nodes", |row| text(row.evaluation.nodes)),
    ("time_ms", |row| text(row.evaluation.time_ms)),
    ("wdl", |row| text(row.evaluation.wdl.map(|wdl| format!("{} {} {}", wdl.win, wdl.draw, wdl.loss)))),
    ("pv", |row| {
        let pv = row.line.iter().flat_map(|line| &line.pv);
        pv.map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }),
    ("best", |row| text(row.evaluation.best)),
];

fn score(row: &StoredLine<'_>) -> Score {
    row.line.as_ref().map_or(row.evaluation.score, |line| line.score)
}

fn text(cell: Option<impl ToString>) -> String {
    cell.map(|cell| cell.to_string()).unwrap_or_default()
}

/// Adds the searches of the stores `from`, one after the other, to the store `into`, which is created if it
/// does not exist. Damaged searches are left out, with a warning.
pub fn merge(into: &Path, from: &[PathBuf], viewer: &dyn Viewer) -> Result<Finished> {
    let others: Vec<Box<dyn KeptStore>> =
        from.iter().map(|path| open_to_read(path)).collect::<Result<_, _>>()?;
    let mut store = store::open(into)?;
    let (mut all, mut ending) = (MergeOutcome::default(), RunEnding::Complete);
    for (path, other) in from.iter().zip(&others) {
        let MergeOutcome { added, known, damaged } = store.merge(&**other)?;
        for what in damaged {
            viewer.warn(&format!("{}: damaged, so left out: {}", shown_path(path), printable(&what)));
            ending = RunEnding::Disagrees;
        }
        all.added += added;
        all.known += known;
    }
    let told = format!(
        "{} added to {}; {} of {} were already there.\n",
        counted(all.added, "search"),
        shown_path(into),
        all.known,
        all.added + all.known
    );
    Ok(Finished::new(told, ending))
}

/// Opens an existing store. On a server, the tables are created if they are missing.
fn open(path: &Path) -> Result<Box<dyn KeptStore>> {
    Ok(store::open(&there(path)?)?)
}

pub(super) fn open_to_read(path: &Path) -> Result<Box<dyn KeptStore>> {
    Ok(store::open_to_read(&there(path)?)?)
}

/// Returns `path` if a file has this path, or if it is the address of a server. A missing server is reported
/// by the attempt to connect.
fn there(path: &Path) -> Result<PathBuf> {
    match store::is_on_server(path) || path.is_file() {
        true => Ok(path.to_owned()),
        false => Err(VerbError::no_such_path(path)),
    }
}
