//! The display of a growing tree: its progress, its files while it grows, and the sentences at its end.

use std::{collections::BTreeSet, path::PathBuf, time::Duration, time::Instant};

use shakmaty::{Chess, Position};

use super::steering::changed;
use crate::base::output::{Published, command_line};
use crate::base::text::{counted, full_path, rounded, shell_quoted};
use crate::chess::game::in_san;
use crate::lab::{DeepTree, Growth, GrowthEnd, GrowthNotice, MoverScore, UnfinishedDepth};
use crate::report::{kinds::deep::OutlookFacts, kinds::deep::TreeFile, kinds::deep::depth_of};
use crate::store::EngineStamp;
use crate::verbs::{error::Result, evaluations::behavior::ReportedUnused, observer::Steps, runs::Viewer};

/// Time between two versions of the files of a growing tree, and between two reloads of its page.
const RELOAD: Duration = Duration::from_secs(10);

pub type PublishTrees<'a> =
    dyn Fn(&[DeepTree], &BTreeSet<String>, &EngineStamp, Option<u32>) -> PublishedTree + 'a;

pub type PublishedTree = Result<(TreeFile, Published)>;

pub struct ShownTree<'a> {
    stamp: EngineStamp,
    publish: &'a PublishTrees<'a>,
    page: PathBuf,
    is_page_named: bool,
    /// The time of the last version of the files, or the start.
    last: Instant,
    /// Number of searches that the engines have made.
    made: u64,
    reported: ReportedUnused,
    /// The best moves of the last complete depth.
    best: String,
    /// Numbers of searches of the last two complete depths.
    searches: [u64; 2],
    nodes: usize,
    candidates: usize,
}

impl<'a> ShownTree<'a> {
    pub fn of(stamp: &EngineStamp, (publish, page): (&'a PublishTrees<'a>, PathBuf)) -> ShownTree<'a> {
        ShownTree {
            stamp: stamp.clone(),
            publish,
            page,
            is_page_named: false,
            last: Instant::now(),
            made: 0,
            reported: ReportedUnused::default(),
            best: String::new(),
            searches: [0; 2],
            nodes: 0,
            candidates: 0,
        }
    }

    /// Writes the files of the trees so far, at most once in [`RELOAD`], so that the page can be read while
    /// the tree grows. A tree of stored searches only is not written, because the folder may have a deeper
    /// tree of the run that stored them.
    fn publish(&mut self, trees: &[DeepTree], programs: &BTreeSet<String>, viewer: &mut dyn Viewer) {
        if self.made == 0 || self.last.elapsed() < RELOAD {
            return;
        }
        match (self.publish)(trees, programs, &self.stamp, Some(RELOAD.as_secs() as u32)) {
            Ok(_) if self.is_page_named => {}
            Ok(_) => {
                viewer.note(&format!("the page: {}", full_path(&self.page)));
                self.is_page_named = true;
            }
            // The run continues: its searches are stored, and the files are written at its end.
            Err(error) => viewer.warn(&format!("cannot write the files of the unfinished tree: {error}; the analysis continues and writes them at the end")),
        }
        self.last = Instant::now();
    }

    pub fn hear(&mut self, notice: &GrowthNotice<'_>, viewer: &mut dyn Viewer) {
        match notice {
            GrowthNotice::Trouble(error) => viewer.warn(error),
            GrowthNotice::Unused(unused) => self.reported.report(unused, &self.stamp.name, viewer),
            GrowthNotice::Settled(trees, programs) => {
                let Some(tree) = trees.last() else { return };
                self.best = best_moves(tree);
                self.searches = [self.searches[1], tree.searches];
                self.nodes = tree.nodes.len();
                self.candidates = tree.nodes.iter().map(|node| node.candidates()).sum();
                viewer.note(&format!(
                    "{} is complete: {}, {}, {}\n{}",
                    depth_of(tree.depth, tree.focus_plies),
                    counted(tree.searches, "search"),
                    counted(self.nodes as u64, "position"),
                    counted(self.candidates as u64, "candidate move"),
                    self.best
                ));
                self.publish(trees, programs, viewer);
            }
            GrowthNotice::Answered(depth, counts) => {
                self.made = counts.made;
                let done = counts.made + counts.stored;
                // The number of searches grows by about the same factor from depth to depth.
                let [before, last] = self.searches.map(|count| count.max(1));
                let of = (last * last / before).max(2 * last).max(done + 1);
                let told = format!(
                    "depth {depth}, searches: {} made, {} from the store; depth {} has {}, {}\n{}",
                    counts.made,
                    counts.stored,
                    depth - 1,
                    counted(self.nodes as u64, "position"),
                    counted(self.candidates as u64, "candidate move"),
                    self.best
                );
                viewer.advance_tree(Steps { done, of }, &told);
            }
        }
    }
}

/// Returns a line of text for each of the three best root moves: its idea score, its alpha score and its main
/// line.
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

pub fn told<E>(growth: &Growth<E>) -> String {
    let Growth { trees, counts, .. } = growth;
    let used = trees.last().map_or(0, |tree| tree.searches);
    let all = counts.made + counts.stored;
    let unused = match all.saturating_sub(used) {
        0 => String::new(),
        unused => {
            format!("; the tree does not use {} % of them", rounded(100.0 * unused as f64 / all as f64, 1))
        }
    };
    format!("{} made and {} from the store{unused}", counted(counts.made, "search"), counts.stored)
}

/// Returns a sentence with the command that continues the analysis.
pub fn next_step(outlook: &OutlookFacts, end: GrowthEnd) -> String {
    let typed = command_line();
    let (reason, command) = match end {
        GrowthEnd::Complete => {
            let given =
                ["--plies", "--focus-plies"].map(|name| (name, outlook.next.iter().any(|o| o == name)));
            let given: Vec<&str> =
                given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect();
            (outlook.reason(), changed(&typed, &given, &outlook.next))
        }
        GrowthEnd::Searches => ("To continue without --searches", changed(&typed, &["--searches"], &[])),
        GrowthEnd::Time | GrowthEnd::Stopped => ("To continue", typed),
    };
    let words: Vec<String> = command.iter().map(|word| shell_quoted(word)).collect();
    format!("{reason}: {}", words.join(" "))
}

pub fn unfinished(depth: &UnfinishedDepth, root: &Chess) -> String {
    let UnfinishedDepth { depth, focus_plies, searches, moves } = depth;
    let depth = depth_of(*depth, *focus_plies);
    let best = moves
        .iter()
        .take(3)
        .map(|&(uci, score)| format!("{} {}", in_san(root, &[uci]).join(" "), score.white_view(root.turn())));
    let best = best.collect::<Vec<_>>().join(", ");
    let searches = counted(*searches, "search");
    format!("Not in the files: {depth} (unfinished after {searches}). Best moves so far: {best}.")
}

/// Returns a sentence on the depth reached, and on the reason for the end.
pub fn reached<E>(growth: &Growth<E>) -> String {
    let depth = growth.trees.last().map_or_else(String::new, |tree| depth_of(tree.depth, tree.focus_plies));
    match growth.end {
        GrowthEnd::Complete => format!("The tree is complete to {depth}."),
        GrowthEnd::Searches => {
            format!(
                "The tree is complete to {depth}; the next depth needs more searches than --searches allows."
            )
        }
        GrowthEnd::Time => format!("Time ran out: the tree is complete to {depth}."),
        GrowthEnd::Stopped => {
            format!("Interrupted: the tree is complete to {depth}. The same command resumes.")
        }
    }
}
