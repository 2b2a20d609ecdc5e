//! Owns the counting of an archive by group: from files of any size to its tables, files and pictures.

use std::{collections::BTreeSet, path::Path};

use super::{CmdError, RunEnding, console::Console, print, screen};
use crate::{
    app::{Observer, counting::Counter, plan::TablePlan, reading},
    archive::{ArchiveCounts, CountKey, GameCounts, Survey},
    cli::ArchiveArgs,
    formats::{PictureFormat, part},
    output::{NoFacts, OutputFolder, Publication, RunClock, RunKind, check_writable, write_file},
    rating::elo::EloCurve,
    report::{
        ReportError,
        archive::{self as files, ArchiveOptions, moves::write_moves},
        table::write_frame,
        tables,
    },
    text::counted,
};

/// Counts the archive that `args` names by group.
pub fn run(args: &ArchiveArgs) -> Result<RunEnding, CmdError> {
    let clock = RunClock::start();
    let mut console = Console::new(args.quiet);
    let plan = args.plan().map_err(CmdError::Usage)?;
    let paths = reading::files(&plan.files, plan.strict, &console)?;
    let name = format!("{}-by-{}", reading::name_together(&plan.files), plan.options.by);
    let output = Output::new(&plan.tables, &name, plan.pictures)?.with_part(plan.part.as_deref())?;
    let mut counter = Counter::new(&plan.options, plan.strict, &mut console);
    let out = output.folder.publication()?;
    if plan.options.keep_moves {
        write_moves(&out, &output.options.formats, |moves| {
            let mut keep = |file: &Path, number: u64, counts: &GameCounts| {
                moves.add(&file.to_string_lossy(), number, counts);
            };
            counter.read(&paths, plan.jobs, Some(&mut keep)).map_err(CmdError::from)
        })?;
    } else {
        counter.read(&paths, plan.jobs, None)?;
    }
    let counts = counter.finish()?;
    output.write(out, &counts, &plan.options.identity(), plan.options.method.curve, &clock, &console)
}

/// Where results go, and as what; found to be writable before the long work.
pub(super) struct Output<'a> {
    pub folder: OutputFolder,
    options: ArchiveOptions,
    part: Option<&'a Path>,
}

impl<'a> Output<'a> {
    /// Tables as `plan` wants them and pictures; in the folder `name` among the reports, if it names none.
    pub fn new(plan: &TablePlan, name: &str, plots: BTreeSet<PictureFormat>) -> Result<Output<'a>, CmdError> {
        let options = ArchiveOptions { formats: plan.formats.clone(), plots };
        let folder = plan.folder(|| Path::new(reading::REPORTS).join(name));
        let folder = plan.claim(folder, RunKind::Archive, options.file_names())?;
        Ok(Output { folder, options, part: None })
    }

    /// The same, and the counts themselves in a part file, where there is to be one.
    pub fn with_part(self, part: Option<&'a Path>) -> Result<Output<'a>, CmdError> {
        part.map_or(Ok(()), check_writable)?;
        Ok(Output { part, ..self })
    }

    /// Writes what `tally` says beside what `out` has already, and shows the tables.
    pub fn write(
        &self,
        out: Publication<'_>,
        tally: &ArchiveCounts,
        identity: &CountKey,
        curve: EloCurve,
        clock: &RunClock,
        console: &Console,
    ) -> Result<RunEnding, CmdError> {
        if tally.groups.values().all(|counts| counts.scores.count == 0) {
            return Err(CmdError::NoGames(nothing_counts(tally)));
        }
        let survey = Survey::of(tally, identity, curve);
        files::write(&out, tally, &survey, identity, &self.options)?;
        if let Some(path) = self.part {
            let frame = part::frame(tally, identity)?;
            let failed = |source| ReportError::Export { path: path.to_owned(), source };
            write_file(path, |file| write_frame(frame, file).map_err(failed))?;
        }
        out.finish(&clock.record(RunKind::Archive, NoFacts::default()))?;
        print(&tables::archive(&survey, identity, screen()))?;
        console.note(&format!("see {}", self.folder.path().display()));
        Ok(RunEnding::Complete)
    }
}

/// Why there is no table: what became of the games instead.
fn nothing_counts(tally: &ArchiveCounts) -> String {
    let left_out = tally.left_out.iter().map(|(reason, games)| format!("{games} {reason}"));
    let refused =
        tally.games.refused.iter().map(|(refusal, games)| format!("{games} not chosen by {refusal}"));
    let reasons: Vec<String> = left_out.chain(refused).collect();
    let of = counted(tally.read(), "game");
    match reasons.as_slice() {
        // Games without a move behind the filters, or with a first move alone.
        [] => format!("none of {of} has a move that counts"),
        reasons => format!("no move of {of} counts: {}", reasons.join(", ")),
    }
}
