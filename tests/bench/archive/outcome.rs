//! [`Outcome`]: the measurements of a subject, and their ratios.

use std::time::Duration;

use crate::process::Measured;
use crate::subject::Subject;

pub struct Outcome {
    pub subject: Subject,
    /// Bytes of PGN text read in each run.
    pub text: u64,
    pub runs: Vec<Measured>,
}

impl Outcome {
    /// Returns the least, the median and the greatest wall time.
    fn times(&self) -> [Duration; 3] {
        let mut times: Vec<Duration> = self.runs.iter().map(|run| run.wall).collect();
        times.sort();
        [times[0], times[times.len() / 2], times[times.len() - 1]]
    }

    fn median(&self) -> f64 {
        self.times()[1].as_secs_f64()
    }

    /// Returns millions of bytes a second, at the median.
    fn speed(&self) -> f64 {
        self.text as f64 / 1e6 / self.median()
    }

    /// Returns the largest memory of all runs, in millions of bytes.
    fn peak(&self) -> f64 {
        self.runs.iter().map(|run| run.peak_kb).max().unwrap_or_default() as f64 * 1024.0 / 1e6
    }
}

/// Prints a row for each subject.
pub fn print_table(outcomes: &[Outcome]) {
    println!(
        "{:<58} {:>8} {:>8} {:>18} {:>8} {:>8}",
        "median of whole processes", "MB", "s", "from – to", "MB/s", "peak MB"
    );
    for outcome in outcomes {
        let [least, median, most] = outcome.times().map(|time| time.as_secs_f64());
        let range = format!("{least:.2} – {most:.2}");
        println!(
            "{:<58} {:>8.0} {median:>8.2} {range:>18} {:>8.1} {:>8.1}",
            outcome.subject.title(),
            outcome.text as f64 / 1e6,
            outcome.speed(),
            outcome.peak(),
        );
    }
}

/// Prints the ratios between the subjects.
pub fn print_ratios(outcomes: &[Outcome]) {
    let find = |subject| outcomes.iter().find(|outcome| outcome.subject == subject);
    let one = find(Subject::OneCore);
    println!();
    let over = |title: &str, other, wanted| {
        if let Some((one, other)) = one.zip(find(other)) {
            say(title, one.speed() / other.speed(), "times", wanted);
        }
    };
    if let Some(one) = one {
        say("one core", one.speed(), "MB/s", "at least 300");
    }
    if let Some((one, two)) = one.zip(find(Subject::TwoCores)) {
        say("two cores against one", two.speed() / one.speed(), "times", "at least 1.8");
    }
    if let Some(checked) = find(Subject::CheckMoves) {
        say("moves checked", checked.speed(), "MB/s", "at least 150");
    }
    over("against pgn-extract", Subject::PgnExtract, "at least 10");
    over("against python-chess", Subject::PythonChess, "at least 150");
    over("against pgn-reader's tokens", Subject::Tokens, "for scale");
    over("against pgn-reader's replay", Subject::Replay, "for scale");
    for (title, packed, unpacker) in [
        (".zst", Subject::Zst, Subject::Unzst),
        (".gz", Subject::Gz, Subject::Gunzip),
        (".bz2", Subject::Bz2, Subject::Bunzip2),
    ] {
        if let (Some(one), Some(packed), Some(unpacker)) = (one, find(packed), find(unpacker)) {
            let alone = one.median() * packed.text as f64 / one.text as f64;
            let ratio = (packed.median() - alone) / unpacker.median();
            say(&format!("unpacking {title} against its own program"), ratio, "times", "at most 1");
        }
    }
    let peaks = outcomes.iter().filter(|outcome| outcome.subject.title().starts_with("gainalyze"));
    if let Some(peak) = peaks.map(Outcome::peak).max_by(f64::total_cmp) {
        say("most memory of gainalyze", peak, "MB", "below 200");
    }
}

fn say(title: &str, value: f64, unit: &str, wanted: &str) {
    println!("{title:<58} {value:>8.2} {unit} ({wanted})");
}
