//! Owns the verbs: each reads its arguments, runs the plan that they make, and is alone in printing.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use crate::chess::text::full_path;
use crate::report::table::{Screen, TableForm};
use crate::verbs::app::Observer;
use crate::verbs::cli::{EXAMPLES, nearest_verb};
use crate::verbs::error::{ErrorKind, VerbError};
use crate::verbs::runs::{Finished, RunEnding};

pub use self::console::Console;

pub mod analyze;
pub mod archive;
pub mod calibrate;
pub mod completions;
mod console;
pub mod deep;
pub mod engine;
pub mod expect;
pub mod go_deep;
pub mod learn;
pub mod man;
pub mod merge;
pub mod player;
mod progress_line;
pub mod rate;
pub mod report;
pub mod reproduce;
pub mod schema;
mod seat;
pub mod selfplay;
pub mod sensitivity;
mod signals;
pub mod spar;
#[cfg(feature = "postgres")]
pub mod status;
pub mod store;
pub mod watch;
#[cfg(feature = "postgres")]
pub mod work;

impl From<RunEnding> for ExitCode {
    fn from(ending: RunEnding) -> ExitCode {
        ExitCode::from(match ending {
            RunEnding::Complete => 0,
            RunEnding::Disagrees => 1,
            RunEnding::GamesFailed => 3,
            // 128 + SIGINT, as a shell reports it.
            RunEnding::Interrupted => 130,
        })
    }
}

/// Shows what a run leaves to be shown. That comes last, since files do not depend on a terminal that may be gone.
fn show(finished: Finished) -> Result<RunEnding, VerbError> {
    let Finished { tables, ending, failure, .. } = finished;
    print(&tables)?;
    failure.map_or(Ok(ending), Err)
}

/// Shows the same, and tells below it where the report is.
fn show_report(finished: Finished, console: &Console) -> Result<RunEnding, VerbError> {
    let report = finished.report.clone();
    let ending = show(finished)?;
    if let Some(report) = report {
        console.note(&format!("the whole report: {}", full_path(&report)));
    }
    Ok(ending)
}

/// Returns what results are shown on: elsewhere than on a terminal they have their whole width and no
/// colour, so that nothing is left out and nothing is added.
fn screen(form: TableForm) -> Screen {
    if form == TableForm::Markdown {
        return Screen::markdown();
    }
    let terminal = io::stdout().is_terminal().then(|| ::console::Term::stdout().size_checked());
    Screen {
        columns: terminal.flatten().map(|(_, columns)| columns),
        colours: takes_colours(&io::stdout()),
        form,
    }
}

/// Tells whether a stream is a terminal whose user has nothing against colours (<https://no-color.org>).
fn takes_colours(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    stream.is_terminal() && !refused && !dumb
}

/// Tells of what ends the program.
pub fn say_error(error: &VerbError) {
    let head = ::console::style("error:").red().bold().force_styling(takes_colours(&io::stderr()));
    let more = match error.kind() {
        ErrorKind::NoInput => format!("\n\n{}", EXAMPLES.trim_end()),
        // The first word may be a file or a verb.
        ErrorKind::NotFound(word) => nearest_verb(word)
            .map_or(String::new(), |verb| format!(", and no verb either: did you mean gainalyze {verb}?")),
        _ => String::new(),
    };
    say(&format!("{head} {error}{}{more}", error.hint()));
}

/// Has it told on standard error when a server is lost and waited for.
pub fn tell_of_servers() {
    #[cfg(feature = "postgres")]
    crate::store::server::remarks::listen(say);
}

/// Writes a line to standard error. Nobody can be told where that fails, and no run ends for it.
fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Writes results to standard output. A reader who has gone away, as `head` does, is no error.
fn print(text: &str) -> Result<(), VerbError> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(VerbError::system("write to standard output", error))
        }
        _ => Ok(()),
    }
}
