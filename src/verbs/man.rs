//! The verb `man`: the manual, made from the definition of the command line.

use std::{io, io::Write, path::Path, path::PathBuf};

use clap::{Args, Command, ValueHint};
use clap_mangen::Man;

use crate::base::output::{FileError, create_folder, write_file};
use crate::verbs::{error::Result, error::VerbError, runs::Finished};

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write one page for the program and one for each command into this folder.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}

/// The verb to which the program's own options belong.
const DEFAULT_VERB: &str = "analyze";

pub fn run(args: &ManArgs, program: Command) -> Result<Finished> {
    let mut program = program.disable_help_subcommand(true);
    // The verbs get their full names and the common options only here.
    program.build();
    let page = match &args.output {
        Some(folder) => write_pages(&program, folder).map(|()| String::new())?,
        None => page_of_all(&program).map_err(unwritten)?,
    };
    Ok(Finished::complete(page))
}

/// Returns the page of the program, with a section for each verb before the last sections.
fn page_of_all(program: &Command) -> io::Result<String> {
    let (mut page, man) = (Vec::new(), Man::new(program.clone()));
    write_head(program, &man, &mut page)?;
    for verb in verbs(program) {
        write_section(verb, &mut page)?;
    }
    write_end(program, None, &man, &mut page)?;
    Ok(with_lines_kept(&page))
}

/// Writes title, name, usage, description and options. The usage is the text that `--help` shows, because a
/// usage with all options would bury the file argument.
fn write_head(command: &Command, man: &Man, page: &mut Vec<u8>) -> io::Result<()> {
    man.render_title(page)?;
    man.render_name_section(page)?;
    writeln!(page, ".SH SYNOPSIS\n.nf\n{}\n.fi", synopsis(command))?;
    man.render_description_section(page)?;
    man.render_options_section(page)
}

fn synopsis(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let lines = usage.lines().map(|line| line.trim().trim_start_matches("Usage: ").replace('-', "\\-"));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Writes the last sections of the page of `verb`, or of the program if `verb` is `None`: examples,
/// environment, files and other pages. Only the page of the program has the version.
fn write_end(program: &Command, verb: Option<&Command>, man: &Man, page: &mut Vec<u8>) -> io::Result<()> {
    man.render_extra_section(page)?;
    let listed = |title: &str, rows: &[(&str, &str)]| {
        let rows: String = rows.iter().map(|(name, text)| format!(".TP\n.B {name}\n{text}\n")).collect();
        format!(".fi\n.SH {title}\n{rows}")
    };
    page.write_all(listed("ENVIRONMENT", &ENVIRONMENT).as_bytes())?;
    page.write_all(listed("FILES", &FILES).as_bytes())?;
    let own = verb.unwrap_or(program).get_name();
    let name = |verb: &Command| format!("gainalyze\\-{}(1)", verb.get_name());
    let others = verbs(program).filter(|verb| verb.get_name() != own).map(name);
    let first = verb.is_some().then(|| "gainalyze(1)".to_owned());
    let pages: Vec<String> = first.into_iter().chain(others).chain(["stockfish(6)".to_owned()]).collect();
    writeln!(page, ".SH \"SEE ALSO\"\n{}", pages.join(", "))?;
    if verb.is_none() {
        man.render_version_section(page)?;
    }
    Ok(())
}

const ENVIRONMENT: [(&str, &str); 5] = [
    ("GAINALYZE_ENGINE", "The default engine: a program that speaks UCI, or builtin."),
    ("XDG_CACHE_HOME", "The cache directory, with the store of evaluations; ~/.cache unless set."),
    ("NO_COLOR", "Turns colors off if set and not empty. TERM=dumb does the same."),
    (
        "PGPASSWORD, PGPASSFILE, PGSERVICE, PGHOSTADDR",
        "The connection to a PostgreSQL store. A password belongs here, not in an address.",
    ),
    ("NODE_PATH", "Another folder in which to look for npm's package stockfish, besides ./node_modules."),
];

const FILES: [(&str, &str); 3] = [
    (
        "reports/",
        "The reports, each in a folder named after its games, command, engine and search limit (\\-\\-output names another).",
    ),
    ("~/.cache/gainalyze/evaluations.sqlite", "The store of evaluations (\\-\\-store names another)."),
    (
        "run.json",
        "In the folder of each report: its command, its files with their digests, and the time of the run.",
    ),
];

/// Returns the page, changed so that its examples and formulas keep their line breaks, because their text is
/// set in columns.
fn with_lines_kept(page: &[u8]) -> String {
    let page = String::from_utf8_lossy(page);
    page.replace(".SH EXTRA\nExamples:", ".SH EXAMPLES\n.nf")
        .replace("\nMeasures:", "\n.fi\n.SH NOTES\n.nf\nMeasures:")
        .replace("\nExit codes:", "\n.fi\nExit codes:")
}

/// Writes a verb as one section. The sections of the verb's own page become subsections. The options of the
/// default verb are left out, because they are listed at the head of the page.
fn write_section(verb: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let (mut parts, man) = (Vec::new(), Man::new(verb.clone()));
    writeln!(parts, ".SH SYNOPSIS\n.nf\n{}\n.fi", synopsis(verb))?;
    man.render_description_section(&mut parts)?;
    if verb.get_name() != DEFAULT_VERB {
        man.render_options_section(&mut parts)?;
    }
    man.render_extra_section(&mut parts)?;
    writeln!(page, ".SH \"VERB {}\"", verb.get_name().to_uppercase())?;
    for line in with_lines_kept(&parts).lines() {
        match line.strip_prefix(".SH ") {
            Some(title) => writeln!(page, ".SS {title}")?,
            None => writeln!(page, "{line}")?,
        }
    }
    if verb.get_name() == DEFAULT_VERB {
        writeln!(page, "The default command. Its options are listed above.")?;
    }
    Ok(())
}

fn write_pages(program: &Command, folder: &Path) -> Result<()> {
    create_folder(folder)?;
    write_page(folder, program, None)?;
    verbs(program).try_for_each(|verb| write_page(folder, program, Some(verb)))
}

fn write_page(folder: &Path, program: &Command, verb: Option<&Command>) -> Result<()> {
    let name = verb
        .map_or(program.get_name().to_owned(), |verb| format!("{}-{}", program.get_name(), verb.get_name()));
    let command = verb.unwrap_or(program);
    let (mut page, man) = (Vec::new(), Man::new(command.clone()).title(name.to_uppercase()));
    let written = write_head(command, &man, &mut page).and_then(|()| {
        if verb.is_none() {
            man.render_subcommands_section(&mut page)?;
        }
        write_end(program, verb, &man, &mut page)
    });
    written.map_err(unwritten)?;
    let path = folder.join(format!("{name}.1"));
    let failed = |source| FileError::Write(path.clone(), source);
    Ok(write_file(&path, |file| file.write_all(with_lines_kept(&page).as_bytes()).map_err(failed))?)
}

fn verbs(program: &Command) -> impl Iterator<Item = &Command> {
    program.get_subcommands().filter(|verb| !verb.is_hide_set())
}

fn unwritten(error: io::Error) -> VerbError {
    VerbError::system("write the manual", error)
}
