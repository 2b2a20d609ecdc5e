//! Owns the verb `man`: the manual, from the command line's own definition.

use std::{io, io::Write, path::Path, path::PathBuf};

use clap::{Args, Command, ValueHint};
use clap_mangen::Man;

use crate::files::{FileError, output::create_folder, output::write_file};
use crate::verbs::{error::VerbError, runs::Finished};

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write one page for the program and one for each command into this folder.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}

/// The verb that the program's own options are those of.
const DEFAULT_VERB: &str = "analyze";

pub fn run(args: &ManArgs, program: Command) -> Result<Finished, VerbError> {
    let mut program = program.disable_help_subcommand(true);
    // Only now do the verbs know their full names and the options that all of them have.
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
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for verb in verbs(program) {
        write_section(verb, &mut page)?;
    }
    man.render_extra_section(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(with_lines_kept(&page))
}

/// Returns the page with the lines of its formulas as they are written, which stand in columns.
fn with_lines_kept(page: &[u8]) -> String {
    let page = String::from_utf8_lossy(page);
    page.replace(".SH EXTRA\nExamples:", ".SH EXAMPLES\n.nf")
        .replace("\nMeasures:", "\n.fi\n.SH NOTES\n.nf\nMeasures:")
        .replace("\nExit codes:", "\n.fi\nExit codes:")
}

/// Writes one verb as a section: what would be sections on a page of its own are parts of it.
fn write_section(verb: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let (mut parts, man) = (Vec::new(), Man::new(verb.clone()));
    man.render_synopsis_section(&mut parts)?;
    man.render_description_section(&mut parts)?;
    if verb.get_name() != DEFAULT_VERB {
        man.render_options_section(&mut parts)?;
    }
    man.render_extra_section(&mut parts)?;
    writeln!(page, ".SH \"VERB {}\"", verb.get_name().to_uppercase())?;
    for line in String::from_utf8_lossy(&parts).lines() {
        match line.strip_prefix(".SH ") {
            Some(title) => writeln!(page, ".SS {title}")?,
            None => writeln!(page, "{line}")?,
        }
    }
    if verb.get_name() == DEFAULT_VERB {
        writeln!(page, "Its options are those above: it is what is done without a verb.")?;
    }
    Ok(())
}

/// Writes one page for the program and one for each verb.
fn write_pages(program: &Command, folder: &Path) -> Result<(), VerbError> {
    create_folder(folder)?;
    write_page(folder, "", program)?;
    verbs(program).try_for_each(|verb| write_page(folder, &format!("{}-", program.get_name()), verb))
}

fn write_page(folder: &Path, before: &str, command: &Command) -> Result<(), VerbError> {
    let name = format!("{before}{}", command.get_name());
    let mut page = Vec::new();
    Man::new(command.clone()).title(name.to_uppercase()).render(&mut page).map_err(unwritten)?;
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
