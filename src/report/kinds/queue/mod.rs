//! The status of a queue: tables for a terminal, sentences, and a page that needs no network.

use std::{fs::File, io::Read, path::Path};

use askama::Template;

use crate::base::text::{counted, printable, rounded};
use crate::report::{
    publish::Report, rendered, table::Screen, table::Table, table::layout::Layout, table::page::PageTable,
    words::names::name,
};
use crate::store::{queue::FailureRecord, queue::QueueRun, queue::QueueState, queue::WorkerRecord};

#[derive(Template)]
#[template(path = "report/kinds/queue/page.html")]
struct QueuePage<'a> {
    report: &'a Report,
    queue: String,
    at: String,
}

impl PageTable {
    /// Makes phones show each row as a list, which suits tables of words.
    fn stacked(mut self) -> PageTable {
        self.is_stacked = true;
        self
    }
}

pub fn page(queue: &str, state: &QueueState) -> Result<String, askama::Error> {
    let (sentences, shown) = (sentences(state), layouts(state));
    let report = &Report { title: "Queue".to_owned(), sentences, shown, ..Report::default() };
    let at = state.at.replace('T', " ").replace('Z', " UTC");
    rendered(&QueuePage { report, queue: name(queue), at })
}

/// Returns true if the file is a page of a queue that this program wrote.
pub fn is_page(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    read.is_ok()
        && ["<meta name=\"generator\" content=\"gainalyze ", "<title>Queue: runs and workers</title>"]
            .iter()
            .all(|mark| head.contains(mark))
}

const HEAD: u64 = 1 << 12;

pub fn shown(state: &QueueState, screen: Screen) -> String {
    let mut told: String = sentences(state).iter().map(|sentence| format!("{sentence}\n")).collect();
    for layout in layouts(state) {
        told += "\n";
        told += &layout.shown(screen);
    }
    told
}

fn sentences(state: &QueueState) -> Vec<String> {
    let open: Vec<&QueueRun> = state.runs.iter().filter(|run| !run.is_over).collect();
    let mut told =
        if open.is_empty() { vec!["The queue is empty.".to_owned()] } else { under_way(state, &open) };
    if let aside @ 1.. = state.runs.iter().map(|run| run.set_aside).sum::<i64>().unsigned_abs() {
        told.push(format!("{} set aside and not tried again.", counted(aside, "segment")));
    }
    told
}

fn under_way(state: &QueueState, open: &[&QueueRun]) -> Vec<String> {
    let sum = |of: fn(&QueueRun) -> i64| open.iter().map(|run| of(run)).sum::<i64>().unsigned_abs();
    let alive = || state.workers.iter().filter(|worker| worker.ending.is_none());
    let jobs: u64 = alive().map(|worker| u64::from(worker.jobs.unsigned_abs())).sum();
    let mut told = vec![format!(
        "{}: {} waiting, {} in work, {} done.",
        counted(open.len() as u64, "run"),
        counted(sum(|run| run.waiting), "segment"),
        sum(|run| run.in_work),
        sum(|run| run.done)
    )];
    told.push(match alive().count() as u64 {
        0 => "No worker is running.".to_owned(),
        workers => format!("{} with {}.", counted(workers, "worker"), counted(jobs, "engine")),
    });
    let longest = open.iter().filter_map(|run| run.seconds_left).reduce(f64::max);
    told.extend(longest.map(|left| format!("{} left.", duration(left))));
    told
}

fn layouts(state: &QueueState) -> Vec<Layout> {
    let mut layouts = vec![runs(&state.runs), workers(&state.workers), failures(&state.failures)];
    layouts.retain(|layout| layout.rows() > 0);
    layouts
}

fn runs(runs: &[QueueRun]) -> Layout {
    Table::shown(runs)
        .label("Run", |run| run.run.to_string())
        .label("Games", |run| printable(&run.name))
        .label("Engine", |run| printable(&run.engine))
        .said("Priority", |run| run.priority.to_string())
        .said("Waiting", |run| run.waiting.to_string())
        .said("In work", |run| run.in_work.to_string())
        .said("Done", |run| run.done.to_string())
        .said("Set aside", |run| run.set_aside.to_string())
        .said("Positions", |run| format!("{} of {}", run.positions_done, run.positions))
        .said("Left", |run| match (run.is_over, run.seconds_left) {
            (true, _) => "over".to_owned(),
            (false, Some(left)) => duration(left),
            (false, None) => "unknown".to_owned(),
        })
        .said("Awaited", |run| ago(run.awaited_ago))
        .table()
        .layout(
            "Runs",
            vec![
                "Waiting, in work, done and set aside are numbers of segments. Left: remaining time with \
            the present workers. Awaited: the last time that a client waited for the run."
                    .to_owned(),
            ],
        )
}

fn workers(workers: &[WorkerRecord]) -> Layout {
    Table::shown(workers)
        .label("Worker", |worker| worker.worker.to_string())
        .label("Machine", |worker| printable(&worker.host))
        .said("Process", |worker| worker.process.to_string())
        .label("Engine", |worker| printable(&worker.engine))
        .said("Engines", |worker| worker.jobs.to_string())
        .said("In work", |worker| worker.in_work.to_string())
        .said("Segments", |worker| worker.segments.to_string())
        .said("Positions", |worker| worker.positions.to_string())
        .said("A minute", |worker| worker.rate.map_or_else(|| "–".to_owned(), |rate| rounded(rate, 1)))
        .said("Last seen", |worker| match worker.ending.as_deref() {
            None => ago(worker.seen_ago),
            Some(ending) => format!("{ending}, {}", ago(worker.seen_ago)),
        })
        .said("Version", |worker| printable(&worker.program))
        .table()
        .layout(
            "Workers",
            vec![
                "A minute: positions per minute of search, for all engines of the worker together."
                    .to_owned(),
            ],
        )
}

fn failures(failures: &[FailureRecord]) -> Layout {
    Table::shown(failures)
        .label("Run", |failure| failure.run.to_string())
        .said("Tries", |failure| failure.tries.to_string())
        .label("State", |failure| if failure.is_set_aside { "set aside" } else { "tried again" }.to_owned())
        .label("Worker", |failure| failure.worker.to_string())
        .label("Machine", |failure| printable(&failure.host))
        .said("Last time", |failure| ago(failure.failed_ago))
        .label("Message", |failure| printable(&failure.words))
        .label("Segment", |failure| printable(&failure.segment))
        .table()
        .layout("Failures", vec!["A segment is set aside after three failed tries.".to_owned()])
}

fn ago(seconds: f64) -> String {
    format!("{} ago", duration(seconds))
}

/// Returns a duration in at most two units, as in `2 h 5 min`.
fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match (whole / 86_400, whole / 3600 % 24, whole / 60 % 60, whole % 60) {
        (0, 0, 0, seconds) => format!("{seconds} s"),
        (0, 0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (0, hours, minutes, _) => format!("{hours} h {minutes} min"),
        (days, hours, ..) => format!("{} {hours} h", counted(days, "day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_told_as_people_say_it() {
        for (seconds, told) in
            [(0.4, "0 s"), (59.6, "1 min 0 s"), (3725.0, "1 h 2 min"), (90_000.0, "1 day 1 h"), (-3.0, "0 s")]
        {
            assert_eq!(duration(seconds), told);
        }
    }

    #[test]
    fn a_queue_of_nothing_says_so() {
        let state =
            QueueState { at: String::new(), runs: Vec::new(), workers: Vec::new(), failures: Vec::new() };
        assert_eq!(shown(&state, Screen::default()), "The queue is empty.\n");
    }
}
