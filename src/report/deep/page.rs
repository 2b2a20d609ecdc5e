//! Owns `tree.html`: a tree to fold and walk, with a board beside it, as one file.

use askama::Template;

use super::data::{ShownMove, TreeFile};
use crate::chess::text::{brief, counted, printable};
use crate::report::{html::board, plots::canvas::Drawing};

const STYLE: &str = include_str!("style.css");

const SCRIPT: &str = include_str!("script.js");

#[derive(Template)]
#[template(path = "report/deep/page.html")]
struct DeepPage<'a> {
    title: String,
    sentences: Vec<String>,
    data: String,
    symbols: String,
    drawing: &'a Drawing,
    moves: &'a [ShownMove],
    depth: usize,
    facts: Vec<(&'static str, String)>,
}

pub fn page(file: &TreeFile, drawing: &Drawing) -> Result<String, askama::Error> {
    let last = file.depths.last();
    let moves = last.map_or(&[][..], |last| &last.moves);
    let best = moves.first().map(|best| {
        format!(
            "{} is best: idea score {}, alpha score {}, {} by the engine alone.",
            best.san, best.idea, best.alpha, best.engine
        )
    });
    let line = last.map(|last| format!("Main line: {}.", last.line.join(" ")));
    let page = DeepPage {
        title: "Deep analysis".to_owned(),
        sentences: best.into_iter().chain(line).collect(),
        data: data(file),
        symbols: board::symbols() + &board::coordinates(),
        drawing,
        moves,
        depth: file.depth,
        facts: facts(file),
    };
    page.render()
}

/// Returns the nodes as the script reads them: FEN, the cut, and of each move its two notations, the texts of its scores,
/// its role and child.
fn data(file: &TreeFile) -> String {
    let nodes: Vec<_> = file
        .nodes
        .iter()
        .map(|node| {
            let moves: Vec<_> = node
                .moves
                .iter()
                .map(|m| {
                    let scores = [m.idea, m.alpha, m.engine].map(|score| score.to_string());
                    (&m.san, &m.uci, scores, m.role, m.child)
                })
                .collect();
            (&node.fen, node.is_cut, moves)
        })
        .collect();
    let start = &file.facts.fen;
    // A closing tag inside of the script would end it.
    serde_json::json!({ "start": start, "nodes": nodes }).to_string().replace('<', "\\u003c")
}

fn facts(file: &TreeFile) -> Vec<(&'static str, String)> {
    let of = &file.facts;
    let widths = |widths: &[f64]| {
        let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
        format!("{} centipawns, then halved from ply to ply", widths.join(", "))
    };
    let widths = match of.widths_white == of.widths_black {
        true => widths(&of.widths_white),
        false => format!("White {}; Black {}", widths(&of.widths_white), widths(&of.widths_black)),
    };
    let options: Vec<String> = of
        .engine
        .options
        .iter()
        .map(|(name, value)| format!("{} {}", printable(name), brief(value)))
        .collect();
    let lines = match of.lines {
        1 => "each value by a search of its own".to_owned(),
        lines => format!("the first {lines} of each position by one search of several lines"),
    };
    vec![
        ("Root", of.fen.clone()),
        ("Engine", printable(&of.engine.name)),
        ("Options", options.join(", ")),
        ("Digest (SHA-256)", of.engine.digests()),
        ("Search", format!("{}, empty hash table, {lines}", of.limit)),
        ("Widths", widths),
        (
            "Tree",
            format!(
                "depth {}, {} of {}",
                file.depth,
                counted(file.searches, "search"),
                counted(file.nodes.len() as u64, "position")
            ),
        ),
    ]
}
