//! The study of quality of play and the year: its tables, its charts and its page.

use crate::lab::history::{Cell, Change, D, History, L, PERIODS, QUESTIONS, R, T, W, span};
use crate::numbers::Estimate;
use crate::report::html::{profile::Forest, provenance::making};
use crate::report::kinds::Page;
use crate::report::plots::{canvas::Drawing, chart::Axis, chart::Chart, chart::Look, chart::dot, style::Ink};
use crate::report::table::{Screen, Table, head, layout::Layout};
use crate::report::words::numbers::{MISSING, minus, number, p_value};
use crate::report::{publish::Report, rendered};

/// Returns the main tables.
pub fn shown(study: &History, screen: Screen) -> String {
    let tables = [answers(study), periods(study), trends(study)].map(|table| table.shown(screen));
    format!("{}\n\n{}", sentences(study).join("\n"), tables.join("\n"))
}

pub fn page(study: &History) -> askama::Result<String> {
    let [all, later] = &study.matches;
    let drawings = vec![
        levels(&study.divisions[0][0]),
        title_matches("Top moves in title matches", "Percent of the moves", [all, later], |cell| {
            cell.values[T]
        }),
        title_matches("Loss in title matches", "Centipawns per move", [all, later], |cell| {
            cell.values[L].exp()
        }),
    ];
    let report = Report {
        title: "Quality of play and the year".to_owned(),
        sentences: sentences(study),
        drawings: drawings.into_iter().map(|drawing| (String::new(), drawing)).collect(),
        shown: vec![
            answers(study),
            robustness(study),
            periods(study),
            parts(study),
            trends(study),
            every_match(study),
        ],
        facts: making(Vec::new(), &[]),
        ..Report::default()
    };
    let row = |at: usize| {
        let Change { estimate, .. } = study.answers[at].changes[0];
        (QUESTIONS[at].0.trim_start_matches("rated ").to_owned(), estimate.observations, estimate)
    };
    let rows = |places: std::ops::Range<usize>| places.map(row).collect();
    let groups = vec![("", rows(0..2)), ("Players rated", rows(2..7)), ("Moves of", rows(7..10))];
    let forest = Forest::of(groups, true);
    rendered(&Page::History { report: &report, forest, compared: compared(study) })
}

fn sentences(study: &History) -> Vec<String> {
    let [main, second] = [0, 1].map(|engine| &study.answers[0].changes[engine]);
    let cells = &study.divisions[0][0];
    let [first, last] = span(cells.iter().map(|cell| cell.year));
    vec![
        format!(
            "Players with a given rating play {:.0} Elo points a decade better than their predecessors.",
            main.estimate.value
        ),
        format!(
            "Between {first:.0} and {last:.0}, play at equal rating changed by {} Elo points a decade (95 % interval; {} \
             events; Stockfish 15.1). The built-in engine finds {}. Either ratings fell, or play improved while \
             ratings stayed: moves alone cannot tell these apart.",
            change(main, 0),
            cells.len(),
            change(second, 0)
        ),
    ]
}

/// Returns an estimate with its interval: `+70 (+49 to +90)`.
fn estimate(estimate: Estimate, decimals: usize) -> String {
    let Estimate { value, interval, .. } = estimate;
    let ends = interval.map(|ends| format!(" ({:+.decimals$} to {:+.decimals$})", ends.low, ends.high));
    minus(&format!("{value:+.decimals$}{}", ends.unwrap_or_default()))
}

fn change(of: &Change, decimals: usize) -> String {
    estimate(of.estimate, decimals)
}

fn ends([low, high]: [f64; 2], decimals: usize) -> String {
    minus(&format!("{low:+.decimals$} to {high:+.decimals$}"))
}

fn answers(study: &History) -> Layout {
    let of = |row: usize| &study.answers[row];
    Table::shown(&ASKED)
        .label("", |&row| QUESTIONS[row].0.to_owned())
        .display("Events", |&row| of(row).changes[0].estimate.observations)
        .display(head("Players").gives_way(2), |&row| of(row).players)
        .display_text("Stockfish 15.1", |&row| change(&of(row).changes[0], 0))
        .display_text("p", |&row| of(row).adjusted.map_or(MISSING.to_owned(), p_value))
        .display_text(head("Built-in engine").gives_way(1), |&row| change(&of(row).changes[1], 0))
        .display_text("Robust", |&row| if of(row).failed.is_empty() { "yes" } else { "no" }.to_owned())
        .layout("The change of play at equal rating, in Elo points per decade", vec![NOTE.to_owned()])
}

/// The places of the tested questions in [`QUESTIONS`].
const ASKED: [usize; 14] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];

fn robustness(study: &History) -> Layout {
    let of = |row: usize| &study.answers[row];
    Table::shown(&ASKED)
        .label("", |&row| QUESTIONS[row].0.to_owned())
        .display_text("Stockfish 16", |&row| change(&of(row).changes[2], 0))
        .display_text("One event left out", |&row| ends(of(row).changes[0].without, 0))
        .display_text("All conditions", |&row| ends(span(of(row).conditions.iter().map(|one| one.1)), 0))
        .label("Not robust by", |&row| of(row).failed.join(", "))
        .layout("How robust is it?", Vec::new())
}

const NOTE: &str = "Positive: players with this rating play better than earlier players with it. In brackets: 95 % \
    intervals by leaving out one event at a time. p of all moves: by 9,999 shuffles of the years; the other p: \
    Holm-adjusted together; without openings was not tested. The last row is a single step, not a change per decade. \
    Robust: significant, p < 0.05 by the built-in engine, and the same sign under all conditions of the plan. A player \
    of two events counts twice.";

/// Returns the mean over the cells of a period.
fn mean(cells: &[Cell], period: usize, at: usize) -> Option<Estimate> {
    let chosen = cells.iter().filter(|cell| cell.period() == period && cell.values[at].is_finite());
    Estimate::mean(&chosen.map(|cell| cell.values[at]).collect::<Vec<_>>())
}

fn said(of: Option<Estimate>, decimals: usize) -> String {
    of.map_or(MISSING.to_owned(), |mean| estimate(mean, decimals))
}

fn periods(study: &History) -> Layout {
    let rows: Vec<usize> = (0..PERIODS.len()).collect();
    let [[main, second], [later, _]] = [0, 1].map(|at| &study.divisions[at]);
    let note = format!("{PERIOD_NOTE} It changed by {} a decade.", change(&study.without_year, 0));
    Table::shown(&rows)
        .label("Years", |&row| PERIODS[row].0.to_owned())
        .display("Events", |&row| mean(main, row, D).map(|mean| mean.observations))
        .display_text("Stockfish 15.1", |&row| said(mean(main, row, D), 0))
        .display_text(head("Built-in engine").gives_way(2), |&row| said(mean(second, row, D), 0))
        .display_text("Without openings", |&row| said(mean(later, row, D), 0))
        .display_text(head("Rating of play").gives_way(1), |&row| said(mean(main, row, R), 0))
        .layout("Play against rating by period, in Elo points; 0 is the year 2015", vec![note])
}

const PERIOD_NOTE: &str = "Means over events, with 95 % intervals. Rating of play: the usual rating of play, fitted \
    without a term of the year, minus the rating in the tags.";

fn parts(study: &History) -> Layout {
    let rows: Vec<(usize, usize)> =
        (2..study.divisions.len()).flat_map(|part| (0..PERIODS.len()).map(move |row| (part, row))).collect();
    let of = |&(part, row): &(usize, usize), at| mean(&study.divisions[part][0], row, at);
    let plain = |row: &(usize, usize), at| of(row, at).map(|mean| mean.value);
    let cells = |&(part, row): &(usize, usize)| {
        study.divisions[part][0].iter().filter(move |cell| cell.period() == row)
    };
    let rows: Vec<_> = rows.into_iter().filter(|row| cells(row).count() > 0).collect();
    Table::shown(&rows)
        .label("", |row| format!("{}, {}", QUESTIONS[row.0].0, PERIODS[row.1].0))
        .display("Events", |row| cells(row).count())
        .display("Players", |row| cells(row).map(|cell| cell.players).sum::<usize>())
        .display_text("D", |row| said(of(row, D), 0))
        .display_text("Top moves, %", |row| number(plain(row, T), 1))
        .display_text("Loss, cp", |row| number(plain(row, L).map(f64::exp), 1))
        .display_text("Loss of chances", |row| number(plain(row, W), 2))
        .layout("By rating and by phase", Vec::new())
}

fn trends(study: &History) -> Layout {
    let rows: Vec<usize> = (0..study.trends.len()).collect();
    Table::shown(&rows)
        .label("", |&row| TRENDS[row].0.to_owned())
        .display_text("Per decade", |&row| match study.trends[row].estimate {
            found if row % 2 == 0 => estimate(found, 2),
            Estimate { value, observations, interval } => {
                let percent = |log: f64| 100.0 * log.exp_m1();
                let interval = interval.map(|mut ends| {
                    (ends.low, ends.high) = (percent(ends.low), percent(ends.high));
                    ends
                });
                estimate(Estimate { value: percent(value), observations, interval }, 1)
            }
        })
        .display_text("Unit", |&row| TRENDS[row].1.to_owned())
        .display_text("p", |&row| p_value(study.trends[row].p))
        .layout("Matches for the world title, 1886 to 2023", vec![MATCH_NOTE.to_owned()])
}

const TRENDS: [(&str, &str); 4] = [
    ("Top moves", "points"),
    ("Loss", "%"),
    ("Top moves without openings", "points"),
    ("Loss without openings", "%"),
];

const MATCH_NOTE: &str = "49 matches; 95 % intervals by leaving out one match at a time; p by 9,999 shuffles of the years, \
    Holm-adjusted. Consecutive matches share players, so these p-values are too small.";

fn every_match(study: &History) -> Layout {
    let [all, later] = &study.matches;
    let rows: Vec<(&Cell, &Cell)> = all.iter().zip(later).collect();
    Table::shown(&rows)
        .label("Match", |(all, _)| all.name.clone())
        .display_text("Top moves, %", |(all, _)| number(Some(all.values[T]), 1))
        .display_text("Loss, cp", |(all, _)| number(Some(all.values[L].exp()), 1))
        .display_text("Loss of chances", |(all, _)| number(Some(all.values[W]), 2))
        .display_text("Top moves without openings", |(_, later)| number(Some(later.values[T]), 1))
        .display_text("Loss without openings", |(_, later)| number(Some(later.values[L].exp()), 1))
        .layout("Every title match", vec!["FIDE’s own matches of 1993 to 1998 are in no test.".to_owned()])
}

/// Returns the comparisons with two publications.
fn compared(study: &History) -> [String; 2] {
    let [all, later] = [14, 15].map(|at| change(&study.answers[at].changes[0], 1));
    let events = study.regan.estimate.observations;
    let regan = format!(
        "K. W. Regan and G. Haworth (“Intrinsic Chess Ratings”, AAAI 2011) find “little or no rating inflation”. Over \
         the {events} events up to 2011, the change here is {} Elo points a decade. The interval contains 0, so this \
         study agrees with theirs. It also contains the change over all years: {events} events cannot decide.",
        change(&study.regan, 0)
    );
    let voigt = format!(
        "M. Voigt (“Gibt es Elo-Inflation oder -Deflation?”, ChessBase, 2021) finds that players rated 2551 to 2650 lose \
         less in recent years, not only in openings. Here, their loss changed by {all} % a decade, and without openings \
         by {later} %. This agrees, but the built-in engine’s intervals contain 0."
    );
    [regan, voigt]
}

fn levels(cells: &[Cell]) -> Drawing {
    let means: Vec<(f64, Estimate)> = (0..PERIODS.len())
        .filter_map(|period| {
            let years: Vec<f64> =
                cells.iter().filter(|cell| cell.period() == period).map(|cell| cell.year).collect();
            Some((Estimate::mean(&years)?.value, mean(cells, period, D)?))
        })
        .collect();
    let chart = Chart {
        title: "Play against rating, by period",
        subtitle: "Elo points by which play is above that of the same rating in 2015",
        x: Axis::stepped("", (1980.0, 2030.0), 10.0, 0),
        y: Axis::around("Elo points", cells.iter().map(|cell| cell.values[D]).chain([-270.0]), 8),
        legend: &[(Ink::Zero, "an event"), (Ink::Gain, "mean of a period, 95 % interval")],
        ..Chart::default()
    };
    chart.drawn(|plot| {
        plot.dots(Look::of(Ink::Zero, 3), cells.iter().map(|cell| (cell.year, cell.values[D], None)));
        plot.dots(Look::of(Ink::Gain, 5), means.iter().map(|(year, mean)| dot(*year, mean)));
    })
}

fn title_matches(
    title: &'static str,
    label: &'static str,
    matches: [&Vec<Cell>; 2],
    of: fn(&Cell) -> f64,
) -> Drawing {
    let [all, later] = matches.map(|cells| {
        cells
            .iter()
            .filter(|cell| !cell.is_aside())
            .map(|cell| (cell.year, of(cell), None))
            .collect::<Vec<_>>()
    });
    let chart = Chart {
        title,
        subtitle: "One dot per match, 1886 to 2023",
        x: Axis::stepped("", (1880.0, 2030.0), 30.0, 0),
        y: Axis::around(label, all.iter().chain(&later).map(|dot| dot.1), 8),
        legend: &[(Ink::Gain, "all moves"), (Ink::Zero, "without openings")],
        ..Chart::default()
    };
    chart.drawn(|plot| {
        plot.dots(Look::of(Ink::Zero, 3), later.iter().copied());
        plot.dots(Look::of(Ink::Gain, 4), all.iter().copied());
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::lab::history::tests::STUDY;

    #[test]
    fn the_published_page_has_the_numbers_of_the_study() {
        let page = page(&STUDY).expect("a page");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/published/history/report.html");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &page).expect("a written page");
        }
        let Ok(published) = fs::read_to_string(path) else { return };
        // Styles and scripts are those of the program's version.
        let main = |page: &str| page.split_once("<main").map(|(_, main)| main.to_owned());
        let main = |page: &str| main(page).and_then(|main| Some(main.split_once("</main>")?.0.to_owned()));
        assert!(main(&page) == main(&published), "UPDATE_DOCS=1 writes the page");
    }

    #[test]
    fn the_terminal_shows_the_main_tables_on_a_screen() {
        let shown = shown(&STUDY, Screen::of_columns(120));
        for words in ["+70 (+49 to +90)", "2020 to February 2024", "Loss without openings"] {
            assert!(shown.contains(words), "{words} is not in {shown}");
        }
        assert!(shown.lines().count() <= 55, "{shown}");
    }
}
