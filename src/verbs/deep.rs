//! The verb `deep`: grows a tree of searches from a position, or lists a store's searches of a position.

mod growth;
mod steering;

use std::{collections::BTreeSet, fmt, path::Path, path::PathBuf, slice, time::Duration};

use clap::{Args, Subcommand, ValueHint};
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Color, Position};
use xxhash_rust::xxh3::xxh3_64;

use crate::base::output::{RunClock, RunKind, read_record};
use crate::base::text::{counted, full_path, games_path, printable};
use crate::chess::{GameSoFar, Limit, Segment, Selection, game::fen};
use crate::engine::{EngineCommand, Restarting, uci::engine_line::MAX_DEPTH};
use crate::files::EngineFacts;
use crate::lab::{
    Answerers, DeepOptions, DeepSearch, DeepTree, Growth, GrowthCounts, GrowthEnd, GrowthLimits,
    StampedStore, Steering, Widths, deep::growing::grow,
};
use crate::report::{
    kinds::deep::DEEP, kinds::deep::DeepFacts, kinds::deep::SteeringFacts, kinds::deep::TreeFile,
    kinds::deep::tables, kinds::deep::write,
};
use crate::store::EngineStamp;
use crate::verbs::{
    args::ConsoleArgs, args::OneEngineArgs, args::StoreArgs, args::TableArgs, args::more_moves,
    args::position_of, error::ErrorKind, error::Result, error::VerbError,
    evaluations::behavior::ProgramFiles, input, observer::event_loop, observer::listen, plan::EnginePlan,
    plan::ReadingPlan, plan::fitness, runs, runs::Finished, runs::RunEnding, runs::Viewer,
    runs::report_folder, runs::report_folder::ReportSearch, store,
};

use self::growth::{PublishTrees, PublishedTree, ShownTree, next_step, reached, told, unfinished};
use self::steering::SteeringArgs;

pub(super) use self::steering::MOST_PLIES;

/// Default distance in centipawns from the best move, within which moves are expanded.
pub(super) const DISTANCE: f64 = 20.0;

#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct DeepArgs {
    #[command(subcommand)]
    pub action: Option<DeepAction>,
    /// Position: a FEN in quotes, or a PGN file [default: the initial position].
    #[arg(value_name = "FEN|PGN")]
    pub position: Option<String>,
    /// Number of the game in the PGN.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub game: u32,
    /// Number of plies of the game before the position [default: all].
    #[arg(long, value_name = "P")]
    pub ply: Option<usize>,
    /// Moves to play before the tree starts, such as "e4 e5 Nf3".
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    /// Search depth of each move, in plies.
    #[arg(long, value_name = "N", default_value_t = 18,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: u32,
    /// Expand moves within this many centipawns of the best move.
    ///
    /// From the third ply on, each ply halves the distance. 0 follows only the best move.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = DISTANCE, value_parser = distance)]
    pub distance: f64,
    /// Depth of the tree, in plies.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=MOST_PLIES))]
    pub plies: u32,
    /// Distance for each ply from the root, such as 20,20,10,5; each ply after the list has half the
    /// distance of the ply before it.
    #[arg(long, value_name = "LIST", value_parser = Widths::parse)]
    pub widths: Option<Widths>,
    /// Distances for plies with Black to move.
    #[arg(long, value_name = "LIST", value_parser = Widths::parse)]
    pub widths_black: Option<Widths>,
    /// Find the first K moves by one search with MultiPV K; the scores differ from the scores of single
    /// searches.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub lines: u32,
    /// Stop after this time (90s, 30m, 2h), at the last complete depth.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// Maximum number of searches in the tree, including stored ones.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub searches: Option<u64>,
    /// Maximum number of moves in tree.pgn.
    #[arg(long, value_name = "N", default_value_t = 500)]
    pub pgn_moves: usize,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub steering: SteeringArgs,
    #[command(flatten)]
    pub engine: OneEngineArgs,
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub table: TableArgs,
}

#[derive(Debug, Clone, Subcommand)]
pub enum DeepAction {
    /// List the stored searches of a position, without an engine.
    Show {
        /// Store: a SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        store: PathBuf,
        /// FEN in quotes; the move counters in the FEN do not matter.
        fen: String,
    },
    /// Add the searches of one store to another.
    Merge {
        /// Store that receives the searches: a SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        into: PathBuf,
        /// Store to read from; it stays unchanged.
        #[arg(value_hint = ValueHint::FilePath)]
        from: PathBuf,
    },
}

pub(super) fn distance(text: &str) -> Result<f64, String> {
    let distance = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    distance.ok_or_else(|| "write a number of centipawns, 0 or more".to_owned())
}

fn time(text: &str) -> Result<Duration, String> {
    let (number, seconds) = match text.char_indices().last() {
        Some((end, 's')) => (&text[..end], 1),
        Some((end, 'm')) => (&text[..end], 60),
        Some((end, 'h')) => (&text[..end], 3600),
        _ => (text, 1),
    };
    let time = number.parse::<u32>().ok().filter(|&number| number > 0);
    time.map(|number| Duration::from_secs(u64::from(number) * seconds))
        .ok_or_else(|| "write whole seconds, minutes or hours, like 90s, 30m or 2h".to_owned())
}

impl DeepArgs {
    fn options(&self) -> DeepOptions {
        let widths = self.widths.clone().unwrap_or_else(|| Widths::of_distance(self.distance));
        let widths = match &self.widths_black {
            Some(black) => widths.with_side(Color::Black, black.clone()),
            None => widths,
        };
        DeepOptions { widths, lines: self.lines, cuts: true }
    }
}

pub fn run(args: &DeepArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    match &args.action {
        Some(DeepAction::Show { store, fen }) => show(store, fen, viewer),
        Some(DeepAction::Merge { into, from }) => store::merge(into, slice::from_ref(from), viewer),
        None => grown(args, viewer),
    }
}

fn grown(args: &DeepArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let clock = RunClock::start();
    let (game, place) = root(args, viewer)?;
    let options = args.options();
    let search = DeepSearch::new(&game, options.clone())
        .map_err(|error| VerbError::new(format!("the position cannot be analyzed: {error}")))?;
    let search_root = root_position(&game)?;
    let steering = args.steering.wishes(&search_root, args.depth, args.plies)?;
    let search = search.steered(steering.clone());
    let engine = args.engine.plan();
    let tree = TreeRecord { root: fen(&search_root), engine: engine.identify()?.name, depth: args.depth };
    let name = place.unwrap_or_else(|| position_name(&tree.root));
    let folder = args.table.folder(|| report_folder::folder_of(&name, Some("deep"), Some(&tree.search())));
    if !args.table.force {
        tree.check_replaced(&folder)?;
    }
    let formats = args.table.formats();
    let folder = args.table.claim(folder, RunKind::Deep, DEEP.file_names(&formats, []))?;
    let publish = |trees: &[DeepTree], programs: &BTreeSet<String>, stamp: &EngineStamp, reload| {
        let engine = EngineFacts::of(&stamp.name, &stamp.digest, &stamp.options, programs);
        let file = TreeFile::of(trees, facts(&game, &engine, args.depth, options.clone(), &steering)?);
        let out = folder.publication()?;
        write(&out, trees, &file, &formats, args.pgn_moves, reload)?;
        let published = out.finish(&clock.record(RunKind::Deep, tree.clone()))?;
        PublishedTree::Ok((file, published))
    };
    let command = engine.command()?;
    let files = (&publish as &PublishTrees<'_>, folder.path().join("tree.html"));
    let work = work(args, (&engine, &command), search, &game, files, viewer);
    let (growth, stamp) = event_loop()?.block_on(work)?;
    if growth.trees.is_empty() && growth.end == GrowthEnd::Stopped {
        viewer.note("interrupted before the first depth was complete; the same command resumes from what the store has");
        return Ok(Finished::new(String::new(), RunEnding::Interrupted));
    }
    if growth.trees.is_empty() {
        return Err(VerbError::none_searched());
    }
    let (file, published) = publish(&growth.trees, &growth.programs, &stamp, None)?;
    runs::report_removed(&published, viewer);
    viewer.note(&told(&growth));
    viewer.note(&format!("{}: see {}", printable(&name), full_path(folder.path())));
    let ending = RunEnding::of(growth.end == GrowthEnd::Stopped, false);
    let mut notes = vec![reached(&growth)];
    notes.extend(growth.unfinished.as_ref().map(|depth| unfinished(depth, &search_root)));
    if let Some(outlook) = &file.outlook {
        notes.extend(outlook.sentences().iter().cloned());
        notes.push(next_step(outlook, growth.end));
    }
    notes.extend(["Scores are from White's view; ≥ and ≤ mark bounds.".to_owned()]);
    Ok(Finished::new(tables::deep(&file, notes, viewer.screen()), ending))
}

/// The root and the searches of a tree, as recorded in `run.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TreeRecord {
    /// FEN of the root.
    root: String,
    /// The `id name` of the engine.
    engine: String,
    /// Depth of each search, in plies.
    depth: u32,
}

impl TreeRecord {
    fn search(&self) -> ReportSearch {
        ReportSearch { engine: self.engine.clone(), label: None, limit: Limit::Depth(self.depth) }
    }

    /// Refuses to replace the tree in `folder` if it has another root, another engine or deeper searches.
    fn check_replaced(&self, folder: &Path) -> Result<()> {
        let earlier = read_record::<TreeRecord>(folder, RunKind::Deep).map(|record| record.facts);
        match earlier {
            Some(there) if there.root != self.root || !self.search().replaces(&there.search()) => {
                Err(report_folder::not_replaced(
                    folder,
                    &format!("the tree of {there}"),
                    &format!("the tree of {self}"),
                ))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for TreeRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}, depth {}", printable(&self.root), printable(&self.engine), self.depth)
    }
}

/// Returns the root of the tree: the position after the moves of `game`. Fails if a move is illegal, or if the
/// game is over.
fn root_position(game: &GameSoFar) -> Result<Chess> {
    let line = Segment::end_of(game).map_err(|error| VerbError::new(error.to_string()))?;
    Ok(line.position(line.first()))
}

/// Returns a short name for a root that is not a position of a PGN file: `position-` and eight hexadecimal
/// digits, a hash of the FEN.
fn position_name(fen: &str) -> String {
    format!("position-{:08x}", xxh3_64(fen.as_bytes()) >> 32)
}

/// Returns whether `text` looks like a FEN: it has eight ranks, separated by slashes, and is neither an address
/// nor an existing file.
pub(super) fn is_fen(text: &str) -> bool {
    text.matches('/').count() >= 7 && !text.contains("://") && !Path::new(text).exists()
}

/// Returns the game up to the root. Also returns a name for the root, if it is a position of a PGN file and
/// `--moves` adds no moves.
fn root(args: &DeepArgs, viewer: &dyn Viewer) -> Result<(GameSoFar, Option<String>)> {
    let (start, mut played, mode, name) = match &args.position {
        None => (Chess::default(), Vec::new(), CastlingMode::Standard, None),
        Some(fen) if is_fen(fen) => {
            let (start, mode) = position_of(fen)?;
            (start, Vec::new(), mode, None)
        }
        Some(path) => {
            let (path, game) = (PathBuf::from(path), args.game as usize);
            let plan = ReadingPlan { selection: Selection::default().everything(), ..ReadingPlan::default() };
            let read = input::read_together(slice::from_ref(&path), &plan, viewer);
            let input = read.map_err(|error| match error.kind() {
                ErrorKind::NotFound(named) if !named.contains("://") => error.with_hint(WRITE_A_FEN),
                _ => error,
            })?;
            let found = input.games.iter().find(|found| found.source.number == game).ok_or_else(|| {
                let (path, readable) = (games_path(&path), counted(input.games.len() as u64, "game"));
                VerbError::new(format!(
                    "{path}: game {game} is missing or unreadable; {readable} can be read"
                ))
            })?;
            let most = found.moves.len();
            let ply = args.ply.unwrap_or(most);
            if ply > most {
                let title = found.title();
                return Err(VerbError::new(format!(
                    "{title}: ply {ply} is after the end of the game at ply {most}"
                )));
            }
            let played = found.moves[..ply].iter().map(|played| played.uci).collect();
            (found.start.clone(), played, found.mode, Some(format!("{}-{game}-{ply}", input.name)))
        }
    };
    let at = played.iter().try_fold(start.clone(), |mut at, uci: &shakmaty::uci::UciMove| {
        at.play_unchecked(uci.to_move(&at).ok()?);
        Some(at)
    });
    played.extend(more_moves("--moves", &at.unwrap_or_else(|| start.clone()), &args.moves)?);
    let mut game = GameSoFar::new(start, mode);
    played.into_iter().for_each(|uci| game.push(uci));
    Ok((game, name.filter(|_| args.moves.trim().is_empty())))
}

const WRITE_A_FEN: &str = ": name a PGN file, or write a whole FEN in quotes, or moves after --moves";

async fn work(
    args: &DeepArgs,
    (plan, command): (&EnginePlan, &EngineCommand),
    search: DeepSearch,
    game: &GameSoFar,
    files: (&PublishTrees<'_>, PathBuf),
    viewer: &mut dyn Viewer,
) -> Result<(Growth<Restarting>, EngineStamp)> {
    let (mut first, mut stamp) = plan.start(command, [game.mode()], viewer).await?;
    fitness::check_searchmoves(&mut first).await?;
    let mut store = args.store.plan().open()?;
    if let Some(store) = &mut store {
        let files = ProgramFiles::of(command, &stamp);
        stamp.behavior = Some(files.behavior(&stamp, &mut first, Some(&mut **store)).await?.digest);
    }
    let kept =
        store.as_ref().map_or("not stored".to_owned(), |store| format!("stored in {}", store.describe()));
    viewer.note(&format!("{}, depth {}; searches are {kept}", printable(&stamp.name), args.depth));
    let identity = first.identity().clone();
    let engines = Restarting::all(command, &identity, [first], plan.jobs);
    let store = store.as_deref_mut().map(|store| StampedStore { stamp: stamp.clone(), store });
    let answerers = Answerers { engines, limit: Limit::Depth(args.depth), store };
    let interrupts = listen(viewer, "the running searches will be finished")?;
    let mut shown = ShownTree::of(&stamp, files);
    let limits = GrowthLimits { plies: args.plies as usize, searches: args.searches, time: args.time };
    let growing = grow(search, answerers, limits, interrupts.stop(), |notice| shown.hear(&notice, viewer));
    let growth = tokio::select! {
        growth = growing => Some(growth),
        () = interrupts.twice() => None,
    };
    viewer.finish();
    interrupts.search_is_over();
    let stopped = || Growth {
        trees: Vec::new(),
        end: GrowthEnd::Stopped,
        unfinished: None,
        counts: GrowthCounts::default(),
        programs: BTreeSet::new(),
        engines: Vec::new(),
    };
    Ok((growth.unwrap_or_else(|| Ok(stopped()))?, stamp))
}

fn facts(
    game: &GameSoFar,
    engine: &EngineFacts,
    depth: u32,
    options: DeepOptions,
    steering: &Steering,
) -> Result<DeepFacts> {
    let root = root_position(game)?;
    let widths = |side| options.widths.given(side).to_vec();
    Ok(DeepFacts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engine: engine.clone(),
        limit: Limit::Depth(depth).to_string(),
        widths_white: widths(Color::White),
        widths_black: widths(Color::Black),
        lines: options.lines,
        steering: SteeringFacts::of(steering, &root),
        fen: fen(&root),
        game: game.moves().iter().map(ToString::to_string).collect(),
        root,
    })
}

fn show(path: &Path, fen: &str, viewer: &dyn Viewer) -> Result<Finished> {
    let (position, _) = position_of(fen)?;
    let known = store::open_to_read(path)?.known_of(&position)?;
    if known.is_empty() {
        return Ok(Finished::complete("The store has no searches of this position.\n".to_owned()));
    }
    let shown = tables::known_lines(&position, &known, viewer.screen());
    Ok(Finished::complete(shown))
}
