//! The page of an archive. It depends only on the counts, so that parts that are merged give the page of the whole.

use askama::Template;

use super::tables::shown_groups;
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
    groups: Option<Forest>,
    /// The moves by time left and by time spent, each with its heading and its heading in the table.
    clocks: Vec<(&'static str, &'static str, Forest)>,
    /// The groups with the most moves, each with its shares of losses, zeros and gains.
    histograms: Vec<(String, String, Drawing)>,
    unseen_groups: usize,
}

/// Largest number of histograms.
const HISTOGRAMS: usize = 8;

pub fn page(report: &Report, survey: &Survey, key: &CountKey) -> askama::Result<String> {
    let (shown, label) = (shown_groups(survey, key.by), |group: &GroupRow| name(&key.by.label(&group.key)));
    let row = |group: &&GroupRow| {
        let score = group.expected_score.filter(|score| score.interval.is_some())?;
        Some((label(group), group.games as usize, percent(score)))
    };
    let clock = |class: ClockClass| {
        let rows = survey.clocks.iter().filter(|row| row.class == class);
        let rows = rows.map(|row| (row.label(), row.games as usize, percent(row.expected_score)));
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
        groups: Forest::of(vec![("", shown.iter().filter_map(row).collect())], false),
        clocks: ClockClass::ALL.into_iter().filter_map(clock).collect(),
        histograms: gains.iter().map(small).collect(),
        unseen_groups: shown.len() - gains.len(),
    })
}

fn percent(score: Estimate) -> Estimate {
    let interval = score.interval.map(|interval| interval.mapped(|end| 100.0 * end, 100.0));
    Estimate { value: 100.0 * score.value, interval, ..score }
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
    let told = match (GroupRow::contrast(&shown), shown.iter().max_by_key(|group| group.moves)) {
        (Some([best, worst]), _) => {
            let [first, second] = [best, worst].map(of);
            let finding = match by {
                Grouping::Player => format!("{first} played better than {second}."),
                Grouping::EloBand(_) => {
                    format!("Players rated {first} played better than players rated {second}.")
                }
                _ => format!("Play was better in {first} than in {second}."),
            };
            let [first, second] = [best, worst].map(score);
            [
                finding,
                format!(
                    "Against the engine, the expected score is {first} % and {second} %. No other two groups differ more, \
                 and the difference is significant after correcting for all comparisons."
                ),
            ]
        }
        (None, Some(_)) if shown.iter().filter(|group| group.is_compared()).count() > 1 => [
            format!("The {} groups are too close to call.", shown.len()),
            "No two groups with at least 10 games differ significantly after correcting for all comparisons."
                .to_owned(),
        ],
        (None, Some(most)) => [
            format!("{}: an expected score of {} % against the engine.", of(most), score(most)),
            "There are no two groups with at least 10 games to compare.".to_owned(),
        ],
        (None, None) => return Vec::new(),
    };
    let moves = survey.groups.iter().map(|group| group.moves).sum();
    let (moves, games) = (counted(moves, "move"), counted(counts.games.chosen, "game"));
    let groups = counted(survey.groups.len() as u64, "group");
    told.into_iter().chain([format!("Counted: {moves} of {games}, in {groups}.")]).collect()
}

/// Returns the numbers of games and moves that were counted and left out, and the counting options.
pub fn facts(counts: &ArchiveCounts, survey: &Survey, key: &CountKey) -> Vec<Fact> {
    let games = |number: u64, why: String| (number > 0).then(|| format!("{number} {why}"));
    let read = games(counts.read(), "read".to_owned()).into_iter();
    let counted_games = games(counts.games.chosen, "counted".to_owned());
    let copies = games(counts.games.duplicates, "left out as copies of other games".to_owned());
    let refused = counts.games.refused.iter();
    let refused = refused.filter_map(|(refusal, &number)| games(number, format!("not chosen by {refusal}")));
    let left_out = counts.left_out.iter();
    let left_out = left_out.filter_map(|(why, &number)| games(number, format!("left out ({why})")));
    let all: Vec<String> = read.chain(counted_games).chain(copies).chain(refused).chain(left_out).collect();
    let moves = survey.groups.iter().map(|group| group.moves).sum();
    let moves = [
        games(moves, "counted".to_owned()),
        games(counts.without_gain, "first moves of games not counted".to_owned()),
        games(counts.odd_evals, "evaluations in an unknown form not used".to_owned()),
        games(counts.clocks_backwards, "with a clock that runs backwards".to_owned()),
    ];
    let method = format!(
        "evaluations clamped to ±{} centipawns; metric {}, bins of {} and ties within ±{} {}",
        key.clip.cp(),
        key.metric.name(),
        key.band.width().get(),
        key.band.tie(),
        key.metric.unit()
    );
    let or_all =
        |words: &[String], all: &str| if words.is_empty() { all.to_owned() } else { words.join("; ") };
    let facts = [
        ("Games", all.join(", ")),
        ("Moves", moves.into_iter().flatten().collect::<Vec<_>>().join(", ")),
        ("Chosen", or_all(&key.choices, "every game")),
        ("Filters", or_all(&key.filters, "every move")),
        ("Method", method),
    ];
    making(facts.map(|(label, text)| (label.to_owned(), text)).to_vec(), &[])
}
