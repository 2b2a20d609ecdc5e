//! The files of a deep analysis: the tree as a table, JSON and PGN, its picture, and its page.

mod data;
mod outlook;
mod pgn;
pub mod tables;

use std::fmt::Display;

use askama::Template;

use self::data::DepthEntry;
pub use self::{
    data::{DeepFacts, NodeEntry, ShownMove, ShownScore, SteeringFacts, TreeFile},
    outlook::{OutlookFacts, depth_of},
};
use crate::base::{output::Publication, text::counted, text::cut, text::printable};
use crate::chess::Clip;
use crate::lab::DeepTree;
use crate::report::html::provenance::options;
use crate::report::plots::{canvas::Drawing, chart::Axis, chart::Chart, chart::Look, style::Ink};
use crate::report::publish::{Fact, Report, ReportFile, ReportFormats, ReportKind};
use crate::report::writing::publish;
use crate::report::{ReportError, rendered};

pub static DEEP: ReportKind = ReportKind {
    written_by: "`gainalyze deep`",
    files: &[
        ReportFile::Summary("summary.json"),
        ReportFile::Fixed("tree.pgn"),
        ReportFile::Fixed("tree.svg"),
        ReportFile::Fixed("tree.html"),
    ],
    tables: || vec![tables::deep_tree(&[])],
};

const STYLE: &str = include_str!("style.css");

const SCRIPT: &str = concat!(include_str!("script.js"), include_str!("../../html/live.js"));

#[derive(Template)]
#[template(path = "report/kinds/deep/page.html")]
struct DeepPage<'a> {
    report: &'a Report,
    file: &'a TreeFile,
    moves: &'a [ShownMove],
    drawing: &'a Drawing,
    /// Seconds between two reloads of the page of a growing tree.
    reload: Option<u32>,
}

impl DeepPage<'_> {
    fn has_chances(&self) -> bool {
        self.moves.iter().any(|m| m.chances.is_some())
    }
}

/// Writes `summary.json`, the table `tree` in each of the `formats`, `tree.pgn`, `tree.svg` and `tree.html`. The
/// PGN file has at most `pgn_moves` moves. The page of a growing tree reloads itself after `reload` seconds.
pub fn write(
    out: &Publication<'_>,
    trees: &[DeepTree],
    file: &TreeFile,
    formats: &ReportFormats,
    pgn_moves: usize,
    reload: Option<u32>,
) -> Result<(), ReportError> {
    let Some(tree) = trees.last() else { return Ok(()) };
    let last = file.depths.last();
    let moves = last.map_or(&[][..], |last| &last.moves);
    let best = moves.first().map(|best| {
        let from_root = match best.alpha == best.idea {
            true => String::new(),
            false => format!(", {} with repetitions counted as draws", shown(&best.alpha)),
        };
        let lead = file.outlook.as_ref().and_then(|outlook| outlook.lead()).zip(moves.get(1));
        let lead = lead.map(|(lead, second)| format!(", {lead} pawns ahead of {}", file.numbered(second)));
        [
            format!("{} is best{}.", file.numbered(best), lead.unwrap_or_default()),
            format!(
                "Score: {} in the tree{from_root}, {} by the engine alone (in pawns, from White’s view).",
                shown(&best.idea),
                shown(&best.engine)
            ),
        ]
    });
    let outlook = file.outlook.iter().flat_map(|outlook| outlook.sentences().iter().cloned());
    let line = last.map(|last| file.main_line(last));
    let drawing = &root_moves(file);
    let files = [("tree.pgn", pgn::text(tree, file, pgn_moves)), ("tree.svg", drawing.svg())];
    let mut report = Report {
        title: "Deep analysis".to_owned(),
        sentences: best.into_iter().flatten().chain(line).chain(outlook).collect(),
        facts: facts(file),
        files: files.map(|(name, text)| (name, text.into_bytes())).into(),
        tables: vec![tables::deep_tree(&file.nodes)],
        ..Report::default()
    }
    .with_summary(&DEEP, file);
    let page = rendered(&DeepPage { report: &report, file, moves, drawing, reload })?;
    report.files.push(("tree.html", page.into_bytes()));
    publish(&report, out, formats)
}

/// Returns a score as a text with a true minus sign (−), as on all pages.
fn shown(score: &impl Display) -> String {
    score.to_string().replace('-', "−")
}

/// Returns the root and the nodes as JSON for the script. Each node has its FEN, a flag for a search that was
/// cut off, and its moves. Each move has two notations, the texts of its scores, its role, its child, and the
/// engine's chances. A last flag marks an engine's score that is a win by tablebases.
fn data(file: &TreeFile) -> String {
    let nodes: Vec<_> = file
        .nodes
        .iter()
        .map(|node| {
            let moves: Vec<_> = node
                .moves
                .iter()
                .map(|m| {
                    let scores = [m.idea, m.alpha, m.engine].map(|score| shown(&score));
                    let is_won = file.facts.is_tablebase_win(m.engine);
                    (&m.san, &m.uci, scores, m.role, m.child, m.percentages(), is_won)
                })
                .collect();
            (&node.fen, node.is_cut, moves)
        })
        .collect();
    let start = &file.facts.fen;
    // A closing tag in the script would end it.
    serde_json::json!({ "start": start, "nodes": nodes }).to_string().replace('<', "\\u003c")
}

fn facts(file: &TreeFile) -> Vec<Fact> {
    let of = &file.facts;
    let widths = |widths: &[f64]| {
        let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
        format!("{} centipawns, then halved from ply to ply", widths.join(", "))
    };
    let widths = match of.widths_white == of.widths_black {
        true => widths(&of.widths_white),
        false => format!("White {}; Black {}", widths(&of.widths_white), widths(&of.widths_black)),
    };
    let lines = match of.lines {
        1 => "one search for each move".to_owned(),
        lines => format!("one search for the first {lines} moves of each position"),
    };
    let searches = counted(file.searches, "search");
    let positions = counted(file.nodes.len() as u64, "position");
    let last = file.depths.last();
    let depth = depth_of(file.depth, last.map_or(0, |last| last.focus_plies));
    let steering = of.steering.iter().map(|steering| ("Steering".to_owned(), steering.to_string()));
    let facts = [
        ("Root", of.fen.clone()),
        ("Engine", printable(&of.engine.name)),
        ("Options", options(&of.engine)),
        ("Digest (SHA-256)", of.engine.digests()),
        ("Search", format!("{}, empty hash table, {lines}", of.limit)),
        ("Widths", widths),
        ("Tree", format!("{depth}, {searches} of {positions}")),
    ];
    facts.map(|(label, text)| (label.to_owned(), text)).into_iter().chain(steering).collect()
}

const INKS: [Ink; 4] = [Ink::Gain, Ink::Ink, Ink::Pale, Ink::Zero];

const ASIDE: i32 = 4;

pub fn root_moves(file: &TreeFile) -> Drawing {
    let best = file.depths.last().map_or(&[][..], |last| &last.moves);
    let best: Vec<(Ink, &str)> = INKS.into_iter().zip(best.iter().map(|m| m.san.as_str())).collect();
    let pawns = |entry: &DepthEntry, san: &str| {
        let shown = entry.moves.iter().find(|m| m.san == san)?;
        Some(f64::from(shown.idea.score().clipped(Clip::default())) / 100.0)
    };
    let all = best.iter().flat_map(|(_, san)| file.depths.iter().filter_map(|entry| pawns(entry, san)));
    // A focused branch may be deeper than the tree.
    let is_focused = file.depths.last().is_some_and(|last| last.focus_plies > last.depth);
    let what =
        if is_focused { "Plies of the tree or of a focused branch" } else { "Depth of the tree in plies" };
    let chart = Chart {
        title: "How do the scores of the moves change with depth?",
        subtitle: "Idea score of the root's moves in pawns, White's view",
        caption: &format!("{}, {}", cut(&printable(&file.facts.engine.name), 60), file.facts.limit),
        x: Axis::of_depths(what, (1..).take(file.depths.len())),
        y: Axis::around("Pawns", all, 10),
        legend: &best,
        notes: "Shown: the moves that are best at the last depth. Mates count as ten pawns.",
    };
    chart.drawn(|plot| {
        for (place, (ink, san)) in best.iter().enumerate() {
            let aside = ASIDE * (2 * place as i32 + 1 - best.len() as i32) / 2;
            let dots = (1u32..)
                .zip(&file.depths)
                .filter_map(|(pass, entry)| Some((f64::from(pass), pawns(entry, san)?, None)));
            plot.dots(Look::joined(*ink, 4, aside), dots);
        }
    })
}
