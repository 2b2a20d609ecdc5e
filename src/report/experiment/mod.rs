//! Owns the report of an experiment: its tables, pictures, page and summary.

pub mod round_robin;
pub mod sparring;
mod summary;

use std::collections::BTreeMap;

use serde::Serialize;

use self::summary::ExperimentSummary;
use crate::chess::text::{counted, cut, printable};
use crate::lab::Experiment;
use crate::report::{
    html::{
        name,
        provenance::{Fact, making},
    },
    plots::{
        canvas::Drawing,
        experiment::{self as plots, matches},
    },
    publish::{PageText, Report, ReportFile, ReportKind},
    tables::{
        experiment::{files, layouts, notes, sentences},
        results,
    },
};

pub static EXPERIMENT: ReportKind = ReportKind {
    written_by: "`gainalyze selfplay`",
    files: &[
        ReportFile::OfRun("`games.pgn`", "the games as they end; a run that was stopped goes on from it"),
        ReportFile::OfRun(
            "`results.csv`",
            "the games in the order of the schedule; as CSV whatever the format of the other tables",
        ),
        ReportFile::Summary("summary.json", "the tables at full precision, with what they come to"),
        ReportFile::Page,
        ReportFile::PicturesOf(
            "pictures of strength by depth, of the fitted curves and of Δw",
            &["scores", "elo-curve", "curves", "returns", "elo-by-depth", "rates"],
        ),
    ],
    tables: || files::all(None),
    results: Some(results::of_depths),
};

/// Draws the pictures of [`EXPERIMENT`], in their order.
const DRAW: [fn(&Experiment, &str) -> Option<Drawing>; 6] =
    [plots::scores, plots::elo_curve, plots::curves, matches::returns, plots::elo_by_depth, matches::rates];

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Facts {
    pub title: String,
    /// The engine's `id name`.
    pub engine: String,
    pub opponent: Option<String>,
    /// The source of the anchor; `None` where it was given as a number, or there is none.
    pub anchor: Option<String>,
    pub conditions: BTreeMap<String, String>,
    #[serde(skip)]
    pub command: Vec<String>,
}

pub fn report(experiment: &Experiment, facts: &Facts) -> Report {
    let caption = caption(experiment, facts);
    let drawn = EXPERIMENT.pictures().zip(DRAW);
    Report {
        drawings: drawn
            .filter_map(|(name, draw)| Some((name.to_owned(), draw(experiment, &caption)?)))
            .collect(),
        shown: layouts(experiment),
        sentences: sentences(experiment),
        notes: notes(experiment),
        page: Some(PageText {
            title: name(&facts.title),
            subject: "strength by depth",
            about: "Playing strength by search depth",
            question: GAMES,
            in_grid: true,
            facts: making(played(facts), &facts.command),
            method: &METHOD,
        }),
        ..Report::new(
            &EXPERIMENT,
            files::all(Some(experiment)),
            Some(&ExperimentSummary { experiment, facts }),
        )
    }
}

const GAMES: &str = "What do the games show?";

const METHOD: [&str; 5] = [
    "Curve: Φ((d − μ)/σ), the score of depth d against one fixed depth, with μ the depth that scores ½. One ply is worth η = 200√2/σ Elo points. D. R. Ferreira, “The Impact of Search Depth on Chess Playing Strength”, ICGA Journal 36(2), 2013.",
    "Three fits: the paper’s least squares lets every score count the same; the likelihood of one column (probit) knows how many games a score is of; one rating for each depth from all pairs together (pairwise) does not take every ply to be worth the same.",
    "Diminishing returns: by Heinz’s rule, where the confident differences of two matches of neighbouring depths have nothing in common and the deeper one lies lower. E. A. Heinz, “A New Self-Play Experiment in Computer Chess”, MIT LCS Technical Memo 608, 2000. With many matches some two are apart by chance, so one test of the trend over all of them stands beside it.",
    "Standard errors: Heinz takes a game for a trial that is won or lost; with draws counted as what they are the error is smaller, and with openings played with both colours the pair of games is the unit.",
    "Limits: these are points between one engine and itself. Against other opponents a ply is worth less or more, and an Elo anchored on one depth carries all errors of the anchor.",
];

/// Says who played and how much: `Stockfish 15.1 against itself, 800 games`.
fn caption(experiment: &Experiment, facts: &Facts) -> String {
    let name = |text: &str| cut(&printable(text), 40);
    let players = match &facts.opponent {
        None => format!("{} against itself", name(&facts.engine)),
        Some(opponent) => format!("{} against {}", name(&facts.engine), name(opponent)),
    };
    format!("{players}, {}", counted(u64::from(experiment.table.all().games()), "game"))
}

fn played(facts: &Facts) -> Vec<Fact> {
    let one = |label: &str, text: &str| (label.to_owned(), printable(text));
    let mut lines = vec![one("Engine", &facts.engine)];
    lines.extend(facts.opponent.as_ref().map(|opponent| one("Opponent", opponent)));
    lines.extend(facts.conditions.iter().map(|(label, text)| one(label, text)));
    lines.extend(facts.anchor.as_ref().map(|anchor| one("Anchor", anchor)));
    lines
}
