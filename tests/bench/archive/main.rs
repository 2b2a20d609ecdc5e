//! Measures the counting of archives by whole processes of this program and of other programs: text per
//! second, memory, and the ratios between the programs in one run.
//!
//! `cargo bench --bench archive` makes an archive of 1,000 MB in `target/archive/` and keeps it there.
//! `-- --megabytes 100 --runs 3 --only one-core,two-cores` takes less time. Missing programs, such as
//! pgn-extract or python-chess, are named and left out. `PYTHON` names the python that has python-chess.

#[path = "../process.rs"]
mod process;

mod files;
mod generate;
mod outcome;
mod reference;
mod subject;

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use clap::{Parser, ValueEnum};

use self::{files::Files, outcome::Outcome, subject::Subject};

#[derive(Parser)]
struct Args {
    /// Size of the archive, in millions of bytes; a tenth and a fiftieth of it are measured too.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(10..))]
    megabytes: u64,
    /// Counted runs of each command; the commands take turns.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Subjects to measure; all of them unless some are named.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Subject>,
    /// Random seed of the archive.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Share of the archive's games with evaluations, from 0 to 1.
    #[arg(long, default_value_t = 1.0)]
    share: f64,
    /// Read this file with pgn-reader, and do nothing else.
    #[arg(long, hide = true, requires = "only")]
    read: Option<PathBuf>,
    /// An argument that cargo adds.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> io::Result<()> {
    let args = Args::parse();
    if let Some(file) = &args.read {
        println!("{} moves", reference::read(file, args.only == [Subject::Replay])?);
        return Ok(());
    }
    let files = Files::make(args.seed, args.share, args.megabytes)?;
    let wanted = |subject: &Subject| args.only.is_empty() || args.only.contains(subject);
    let subjects: Vec<Subject> = Subject::value_variants().iter().copied().filter(wanted).collect();
    let folder = tempfile::tempdir()?;
    let outcomes = measure(&subjects, &files, args.runs, folder.path())?;
    print_machine(&files);
    outcome::print_table(&outcomes);
    outcome::print_ratios(&outcomes);
    Ok(())
}

/// Runs the available `subjects` in turn, `runs` times, so that a slow minute of the machine affects all of
/// them.
fn measure(subjects: &[Subject], files: &Files, runs: u16, folder: &Path) -> io::Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    for &subject in subjects {
        match subject.missing() {
            Some(missing) => println!("{}: left out, {missing}.", subject.title()),
            None => {
                let file = subject.file(files);
                // Now the file is in the system's memory.
                io::copy(&mut File::open(&file.path)?, &mut io::sink())?;
                outcomes.push(Outcome { subject, text: file.text, runs: Vec::new() });
            }
        }
    }
    for run in 1..=runs {
        eprintln!("run {run} of {runs}");
        for outcome in &mut outcomes {
            let mut command = outcome.subject.command(files, folder)?;
            outcome.runs.push(process::measure(&mut command));
        }
    }
    Ok(outcomes)
}

fn print_machine(files: &Files) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    println!("{cores} cores, {}; {}", processor(), files.describe());
    let versions = [
        Some(format!("gainalyze {}", env!("CARGO_PKG_VERSION"))),
        first_line(Command::new("zstd").arg("--version")),
        first_line(subject::pgn_extract().arg("--version")),
        first_line(subject::python().args(["-c", "import chess; print('python-chess', chess.__version__)"])),
    ];
    println!("{}.\n", versions.into_iter().flatten().collect::<Vec<_>>().join("; "));
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or("an unknown processor", |(_, name)| name).to_owned()
}

/// Returns the first line that a program prints, on standard output or standard error; `None` if the program
/// is not installed or fails.
fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let said = [output.stdout, output.stderr].concat();
    let line = String::from_utf8_lossy(&said).lines().next()?.trim_matches(['*', ' ']).to_owned();
    Some(line)
}
