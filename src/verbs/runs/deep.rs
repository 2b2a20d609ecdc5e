//! Owns the run of a deep analysis: from a position to the tree's files.

use std::{collections::BTreeSet, path::PathBuf};

use shakmaty::{CastlingMode, Chess, Position};

use super::{Finished, RunEnding, Viewer};
use crate::chess::text::{counted, printable, rounded, shown_path};
use crate::chess::{Game, GameSoFar, Limit, Segment, Selection, game::fen, pgn::parse_games};
use crate::engine::{EngineCommand, EngineIdentity, Purpose, Restarting};
use crate::files::{EngineFacts, NoFacts, RunClock, RunKind};
use crate::lab::{
    Answerers, DeepSearch, DeepTree, Growth, GrowthCounts, GrowthEnd, GrowthNotice, MoverScore, StampedStore,
    deep::growing::grow,
};
use crate::report::deep::{DEEP, DeepFacts, TreeFile, in_san, write};
use crate::report::tables;
use crate::store::EngineStamp;
use crate::verbs::app::behaviour::{ProgramFiles, ToldUnused};
use crate::verbs::app::plan::{DeepPlan, ReadingPlan, RootPlan};
use crate::verbs::app::{Steps, event_loop, fitness, reading, search};
use crate::verbs::error::VerbError;

/// Grows the tree of `plan`.
///
/// # Errors
///
/// If there is no position to search, the engine or the store cannot be used, or a file cannot be written.
pub fn run(plan: &DeepPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    let (game, name) = root(&plan.root, viewer)?;
    let search = DeepSearch::new(&game, plan.options.clone())
        .map_err(|error| VerbError::new(format!("the position cannot be analysed: {error}")))?;
    let folder = plan.tables.folder(|| PathBuf::from(reading::REPORTS).join(format!("{name}-deep")));
    let formats = plan.tables.formats();
    let folder = plan.tables.claim(folder, RunKind::Deep, DEEP.file_names(&formats, []))?;
    let command = plan.engine.command()?;
    let (growth, stamp) = event_loop()?.block_on(work(&command, search, &game, plan, viewer))?;
    let facts = facts(&game, &EngineFacts::of(&stamp, &growth.programs), plan)?;
    if growth.trees.is_empty() {
        return Err(VerbError::none_searched());
    }
    let file = TreeFile::of(&growth.trees, facts);
    let out = folder.publication()?;
    write(&out, &growth.trees, &file, &formats, plan.pgn_moves)?;
    super::say_removed(&out.finish(&clock.record(RunKind::Deep, NoFacts::default()))?, viewer);
    viewer.note(&told(&growth));
    viewer.note(&format!("{}: see {}", printable(&name), folder.path().display()));
    let ending = if growth.end == GrowthEnd::Stopped { RunEnding::Interrupted } else { RunEnding::Complete };
    let notes = vec![reached(&growth), "Scores are White's view; ≥ and ≤ mark bounds.".to_owned()];
    Ok(Finished::new(tables::deep(&file, notes, viewer.screen()), ending))
}

/// Returns the game up to the root, and what it is called.
fn root(plan: &RootPlan, viewer: &dyn Viewer) -> Result<(GameSoFar, String), VerbError> {
    let (start, mut played, mode, name, moves) = match plan {
        RootPlan::Position { fen, moves } => {
            let (start, mode) = match fen {
                Some(fen) => position_of(fen)?,
                None => (Chess::default(), CastlingMode::Standard),
            };
            (start, Vec::new(), mode, "position".to_owned(), moves)
        }
        RootPlan::Game { path, game, ply, moves } => {
            let plan = ReadingPlan { selection: Selection::default().everything(), ..ReadingPlan::default() };
            let input = reading::read_together(std::slice::from_ref(path), &plan, viewer)?;
            let found = input.games.iter().find(|found| found.source.number == *game).ok_or_else(|| {
                let (path, readable) = (shown_path(path), counted(input.games.len() as u64, "game"));
                VerbError::new(format!("{path} has no game {game} that can be read: {readable} can be"))
            })?;
            let most = found.moves.len();
            let ply = ply.unwrap_or(most);
            if ply > most {
                let title = found.title();
                return Err(VerbError::new(format!(
                    "{title} has {most} half-moves: ply {ply} is beyond its end"
                )));
            }
            let played = found.moves[..ply].iter().map(|played| played.uci).collect();
            (found.start.clone(), played, found.mode, format!("{}-{game}-{ply}", input.name), moves)
        }
    };
    let at = played.iter().try_fold(start.clone(), |mut at, uci: &shakmaty::uci::UciMove| {
        at.play_unchecked(uci.to_move(&at).ok()?);
        Some(at)
    });
    played.extend(more_moves(&at.unwrap_or_else(|| start.clone()), moves)?);
    let mut game = GameSoFar::new(start, mode);
    played.into_iter().for_each(|uci| game.push(uci));
    Ok((game, name))
}

/// Reads moves from a position on.
fn more_moves(from: &Chess, moves: &str) -> Result<Vec<shakmaty::uci::UciMove>, VerbError> {
    if moves.trim().is_empty() {
        return Ok(Vec::new());
    }
    let game = parsed(&format!("[FEN \"{}\"]\n\n{moves} *\n", fen(from))).map_err(|error| {
        let moves = printable(moves);
        VerbError::new(format!(
            "the moves \"{moves}\" from there on: {error}; write moves as games have them, like \"e4 e5 Nf3\""
        ))
    })?;
    Ok(game.moves.iter().map(|played| played.uci).collect())
}

/// Reads a position.
///
/// # Errors
///
/// If it is no FEN, or none of a legal position.
pub(super) fn position_of(fen: &str) -> Result<(Chess, CastlingMode), VerbError> {
    let game = parsed(&format!("[FEN \"{}\"]\n\n*\n", fen.replace(['"', '\n'], " "))).map_err(|error| {
        VerbError::new(format!("\"{}\" is no position to analyse: {error}", printable(fen)))
    })?;
    Ok((game.start, game.mode))
}

fn parsed(pgn: &str) -> Result<Game, String> {
    match parse_games(pgn, "position").into_iter().next() {
        Some(Ok(game)) => Ok(game),
        Some(Err(bad)) => Err(bad.reason.to_string()),
        None => Err("nothing can be read".to_owned()),
    }
}

async fn work(
    command: &EngineCommand,
    search: DeepSearch,
    game: &GameSoFar,
    plan: &DeepPlan,
    viewer: &mut dyn Viewer,
) -> Result<(Growth<Restarting>, EngineStamp), VerbError> {
    let mut first = command.start().await?;
    plan.engine.say_who(viewer);
    fitness::check_variants([game.mode()], [first.identity()], Purpose::Analysis)?;
    fitness::warn_of_threads([first.identity()], Purpose::Analysis, viewer);
    fitness::check_searchmoves(&mut first).await?;
    let EngineIdentity { name, options } = first.identity().clone();
    let options = options.values().clone();
    let mut stamp = EngineStamp { name, options, digest: command.digest()?, behaviour: None };
    let mut store = plan.store.open()?;
    if let Some(store) = &mut store {
        let files = ProgramFiles::of(command, &stamp);
        stamp.behaviour = Some(files.behaviour(&stamp, &mut first, Some(&mut **store)).await?.digest);
    }
    let kept =
        store.as_ref().map_or("kept nowhere".to_owned(), |store| format!("kept in {}", store.describe()));
    viewer.note(&format!("{}, depth {}; searches are {kept}", printable(&stamp.name), plan.depth));
    let identity = first.identity().clone();
    let mut engines = vec![Restarting::with(command.clone(), first)];
    engines.resize_with(plan.engine.jobs, || Restarting::new(command.clone(), identity.clone()));
    let store = store.as_deref_mut().map(|store| StampedStore { stamp: stamp.clone(), store });
    let answerers = Answerers { engines, limit: Limit::Depth(plan.depth), store };
    let interrupts = search::listen(viewer, "the searches in flight are finished and kept")?;
    let mut shown = ShownTree { engine: stamp.name.clone(), ..ShownTree::default() };
    let growing =
        grow(search, answerers, plan.limits, interrupts.stop(), |notice| shown.hear(&notice, viewer));
    let growth = tokio::select! {
        growth = growing => Some(growth),
        () = interrupts.twice() => None,
    };
    viewer.finish();
    interrupts.search_is_over();
    let stopped = || Growth {
        trees: Vec::new(),
        end: GrowthEnd::Stopped,
        counts: GrowthCounts::default(),
        programs: BTreeSet::new(),
        engines: Vec::new(),
    };
    Ok((growth.unwrap_or_else(|| Ok(stopped()))?, stamp))
}

/// What is shown while a tree grows.
#[derive(Default)]
struct ShownTree {
    /// The engine's name.
    engine: String,
    told: ToldUnused,
    /// Of the last depth that was settled.
    best: String,
    /// Searches of the last two depths that were settled.
    searches: [u64; 2],
    nodes: usize,
    candidates: usize,
}

impl ShownTree {
    fn hear(&mut self, notice: &GrowthNotice<'_>, viewer: &mut dyn Viewer) {
        match notice {
            GrowthNotice::Trouble(error) => viewer.warn(error),
            GrowthNotice::Unused(unused) => self.told.tell(unused, &self.engine, viewer),
            GrowthNotice::Settled(tree) => {
                self.best = best_moves(tree);
                self.searches = [self.searches[1], tree.searches];
                self.nodes = tree.nodes.len();
                self.candidates = tree.nodes.iter().map(|node| node.candidates()).sum();
                viewer.note(&format!(
                    "depth {} settled: {}, {}, {}\n{}",
                    tree.depth,
                    counted(tree.searches, "search"),
                    counted(self.nodes as u64, "position"),
                    counted(self.candidates as u64, "candidate"),
                    self.best
                ));
            }
            GrowthNotice::Answered(depth, counts) => {
                let done = counts.made + counts.stored;
                // Each depth takes about as many times more as the one before it did.
                let [before, last] = self.searches.map(|count| count.max(1));
                let of = (last * last / before).max(2 * last).max(done + 1);
                let told = format!(
                    "depth {depth}, {} made, {} stored; of depth {}: {}, {}\n{}",
                    counts.made,
                    counts.stored,
                    depth - 1,
                    counted(self.nodes as u64, "position"),
                    counted(self.candidates as u64, "candidate"),
                    self.best
                );
                viewer.advance_tree(Steps { done, of }, &told);
            }
        }
    }
}

/// Tells the three best root moves with both scores and their lines.
fn best_moves(tree: &DeepTree) -> String {
    let root = tree.root();
    let score = |score: MoverScore| score.white_view(root.turn()).to_string();
    let lines = root.ranking().into_iter().take(3).map(|place| {
        let played = &root.moves[place];
        let mut line = vec![played.uci];
        line.extend(played.child.map(|child| tree.main_line(child)).unwrap_or_default());
        let (idea, alpha) = (score(played.idea.shown()), score(played.alpha.shown()));
        format!("  {idea} idea, {alpha} alpha: {}", in_san(&root.position, &line).join(" "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Tells what the search cost.
fn told<E>(growth: &Growth<E>) -> String {
    let Growth { trees, counts, .. } = growth;
    let used = trees.last().map_or(0, |tree| tree.searches);
    let all = counts.made + counts.stored;
    let unused = if all > 0 { 100.0 * all.saturating_sub(used) as f64 / all as f64 } else { 0.0 };
    format!(
        "{} made and {} from the store; {} % of them are not used by the tree",
        counted(counts.made, "search"),
        counts.stored,
        rounded(unused, 1)
    )
}

/// Tells what was reached, and why no more.
fn reached<E>(growth: &Growth<E>) -> String {
    let depth = growth.trees.len();
    match growth.end {
        GrowthEnd::Complete => format!("Settled to depth {depth}."),
        GrowthEnd::Searches => {
            format!("Settled to depth {depth}: the next one needs more searches than allowed.")
        }
        GrowthEnd::Time => format!("Settled to depth {depth} when the time was over."),
        GrowthEnd::Stopped => format!("Interrupted: settled to depth {depth}. The same command goes on."),
    }
}

fn facts(game: &GameSoFar, engine: &EngineFacts, plan: &DeepPlan) -> Result<DeepFacts, VerbError> {
    let line = Segment::end_of(game).map_err(|error| VerbError::new(error.to_string()))?;
    let root = line.position(line.first());
    let widths = |side| plan.options.widths.given(side).to_vec();
    Ok(DeepFacts {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engine: engine.clone(),
        limit: Limit::Depth(plan.depth).to_string(),
        widths_white: widths(shakmaty::Color::White),
        widths_black: widths(shakmaty::Color::Black),
        lines: plan.options.lines,
        fen: fen(&root),
        game: game.moves().iter().map(ToString::to_string).collect(),
        mode: game.mode(),
        root,
    })
}
