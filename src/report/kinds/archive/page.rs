//! The page of an archive. It depends only on the counts, so that parts that are merged give the page of the whole.

use std::collections::BTreeMap;

use askama::Template;

use super::{events, events::EventView, events::percent, tables::shown_groups};
use crate::base::text::counted;
use crate::chess::Metric;
use crate::measure::{ArchiveCounts, ClockClass, CountKey, GroupRow, Grouping, Survey};
use crate::numbers::Estimate;
use crate::report::{
    html::profile::Forest, html::provenance::making, plots::canvas::Drawing, plots::gains::Gains,
    plots::gains::Scale, plots::histogram, publish::Fact, publish::Report, rendered, words::names::name,
    words::names::natural_name, words::numbers::with_margin,
};

#[derive(Template)]
#[template(path = "report/kinds/archive/page.html")]
struct ArchivePage<'a> {
    report: &'a Report,
    by: Grouping,
    /// The events, if the groups are events; then the other groups and their gains are left out.
    events: Vec<EventView>,
    groups: Option<Forest>,
    /// The moves by time left and by time spent, each with its heading and its heading in the table.
    clocks: Vec<(&'static str, &'static str, Forest)>,
    /// The groups with the most moves, each with its shares of losses, zeros and gains.
    histograms: Vec<(String, String, Drawing)>,
    unseen_groups: usize,
}

/// Largest number of histograms.
const HISTOGRAMS: usize = 8;

pub fn page(
    report: &Report,
    survey: &Survey,
    key: &CountKey,
    links: &BTreeMap<String, String>,
) -> askama::Result<String> {
    let events: Vec<EventView> =
        events::ranked(survey).into_iter().map(|event| EventView::of(event, links)).collect();
    let shown = if events.is_empty() { shown_groups(survey, key.by) } else { Vec::new() };
    let label = |group: &GroupRow| name(&key.by.label(&group.key));
    let row = |name: String, games: u64, score: Option<Estimate>| {
        let score = score.filter(|score| score.interval.is_some())?;
        Some((name, games as usize, percent(score)))
    };
    let groups = shown.iter().filter_map(|group| row(label(group), group.games, group.expected_score));
    let clock = |class: ClockClass| {
        let rows = survey.clocks.iter().filter(|row| row.class == class);
        let rows = rows.filter_map(|found| row(found.label(), found.games, Some(found.expected_score)));
        let (title, heading) = match class {
            ClockClass::Left => ("With little time left", "Time left"),
            ClockClass::Spent => ("After long thoughts", "Time spent"),
        };
        Some((title, heading, Forest::of(vec![("", rows.collect())], false)?))
    };
    let mut largest = shown.clone();
    largest.sort_by_key(|group| std::cmp::Reverse(group.moves));
    let least = largest.get(HISTOGRAMS).map_or(0, |group| group.moves + 1);
    let drawn = shown.iter().filter(|group| key.metric == Metric::Centipawns && group.moves >= least);
    let gains: Vec<Gains> = drawn.map(|group| Gains::of(&label(group), group.histogram.bins())).collect();
    let scale = Scale::of(&gains);
    let small = |gains: &Gains| (gains.player.clone(), gains.shares(), histogram::draw_small(gains, scale));
    rendered(&ArchivePage {
        report,
        by: key.by,
        events,
        groups: Forest::of(vec![("", groups.collect())], false),
        clocks: ClockClass::ALL.into_iter().filter_map(clock).collect(),
        histograms: gains.iter().map(small).collect(),
        unseen_groups: shown.len() - gains.len(),
    })
}

/// Returns the finding, the numbers that it is based on, and the number of moves.
pub fn sentences(counts: &ArchiveCounts, survey: &Survey, by: Grouping) -> Vec<String> {
    let shown = shown_groups(survey, by);
    let score =
        |group: &GroupRow| group.expected_score.map_or(String::new(), |score| with_margin(percent(score), 1));
    let of = |group: &GroupRow| match by {
        Grouping::Player => natural_name(&group.key),
        _ => name(&by.label(&group.key)),
    };
    let mut told = match (GroupRow::contrast(&shown), shown.as_slice()) {
        (Some(pair), _) => {
            let ([first, second], [one, other]) = (pair.map(of), pair.map(score));
            let finding = match by {
                Grouping::Player => format!("{first} played better than {second}."),
                Grouping::EloBand(_) => {
                    format!("Players rated {first} played better than players rated {second}.")
                }
                _ => format!("Play was better in {first} than in {second}."),
            };
            let numbers = format!(
                "Against the engine, the expected score is {one} % and {other} %. No other two groups in \
                 the table differ more and significantly, after correcting for all comparisons."
            );
            vec![finding, numbers]
        }
        (None, [only]) => {
            vec![format!("{}: an expected score of {} % against the engine.", of(only), score(only))]
        }
        (None, []) => vec!["No group has moves to compare.".to_owned()],
        (None, groups) => vec![
            format!("The {} groups are too close to call.", groups.len()),
            "No two groups in the table with at least 10 games differ significantly, after correcting for all comparisons."
                .to_owned(),
        ],
    };
    if let Some(finding) = events::finding(survey) {
        told = finding;
    }
    let moves = survey.groups.iter().map(|group| group.moves).sum();
    let (moves, games) = (counted(moves, "move"), counted(counts.games.chosen, "game"));
    let group = if survey.events.is_empty() { "group" } else { "event" };
    let groups = counted(survey.groups.len() as u64, group);
    told.push(format!("Counted: {moves} of {games}, in {groups}."));
    if counts.broadcasts > 0 {
        told.push(format!(
            "{} of lichess.org’s broadcasts (https://database.lichess.org/#broadcasts, CC BY-SA 4.0).",
            counted(counts.broadcasts, "game")
        ));
    }
    told
}

/// Returns the numbers of games and moves that were counted and left out, and the counting options.
pub fn facts(counts: &ArchiveCounts, survey: &Survey, key: &CountKey) -> Vec<Fact> {
    let told = |parts: Vec<(u64, String)>| {
        let known = parts.into_iter().filter(|(count, _)| *count > 0);
        known.map(|(count, words)| format!("{count} {words}")).collect::<Vec<_>>().join(", ")
    };
    let words = |count: u64, words: &str| (count, words.to_owned());
    let read = [
        words(counts.read(), "read"),
        words(counts.games.chosen, "counted"),
        words(counts.games.duplicates, "left out as copies of other games"),
    ];
    let refused = counts.games.refused.iter().map(|(why, &games)| (games, format!("not chosen by {why}")));
    let left_out = counts.left_out.iter().map(|(why, &games)| (games, format!("left out ({why})")));
    let moves = vec![
        words(survey.groups.iter().map(|group| group.moves).sum(), "counted"),
        words(counts.without_gain, "first moves of games not counted"),
        words(counts.odd_evals, "evaluations in an unknown form not used"),
        words(counts.clocks_backwards, "with a clock that runs backwards"),
    ];
    let method = format!(
        "evaluations clamped to ±{} centipawns; metric {}, bins of {} and ties within ±{} {}",
        key.clip.cp(),
        key.metric.name(),
        key.band.width().get(),
        key.band.tie(),
        key.metric.unit()
    );
    let read = told(read.into_iter().chain(refused).chain(left_out).collect());
    let facts = [("Games", read), ("Moves", told(moves)), ("Method", method)];
    making(facts.map(|(label, text)| (label.to_owned(), text)).to_vec(), &[])
}
