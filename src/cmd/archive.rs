//! Owns the counting of an archive by group: from files of any size to its tables, files and pictures.

use std::{collections::BTreeSet, path::Path};

use super::{
    CmdError, Ending,
    console::Console,
    counting::Counter,
    input::{self, Reading},
    print, screen,
};
use crate::{
    app::{Observer, plan::TablePlan},
    archive::{ArchiveCounts, CountKey, CountOptions, Grouping, Survey},
    cli::AnalyzeArgs,
    formats::{PictureFormat, part},
    output::{NoFacts, OutputFolder, Publication, RunClock, RunKind, check_writable, write_file},
    rating::elo::EloCurve,
    report::{
        ReportError,
        archive::{self as files, ArchiveOptions, moves::write_moves},
        table::write_frame,
        tables,
    },
    stats::bootstrap::Bootstrap,
    text::counted,
};

/// Counts the archive that `args` names by group.
pub fn run(args: &AnalyzeArgs, by: Grouping) -> Result<Ending, CmdError> {
    let clock = RunClock::start();
    args.archive_problem().map_or(Ok(()), |problem| Err(CmdError::Usage(problem)))?;
    let bootstrap = Bootstrap { samples: 0, ..Bootstrap::default() };
    let method = args.method.method(&args.filter, bootstrap).map_err(CmdError::Usage)?;
    let plots = args.report.pictures.pictures().map_err(CmdError::Usage)?;
    let console = Console::new(args.quiet);
    let terms = CountOptions {
        method,
        keep_moves: args.archive.moves,
        check_moves: args.archive.check_moves,
        players: args.report.player.clone(),
        selection: Reading::of(&args.choice, args.bootstrap.seed)?.selection,
        ..CountOptions::new(by)
    };
    let paths = input::files(&args.pgn, args.archive.strict, &console)?;
    let name = format!("{}-by-{by}", input::name_together(&args.pgn));
    let output = Output::new(&args.report.table.plan(), &name, plots)?;
    let output = output.with_part(args.archive.partial.as_deref())?;
    let (mut counter, jobs) =
        (Counter::new(&terms, args.archive.strict, &console), args.engine.process.jobs());
    let out = output.folder.publication()?;
    if args.archive.moves {
        write_moves(&out, &output.options.formats, |moves| counter.read(&paths, jobs, Some(moves)))?;
    } else {
        counter.read(&paths, jobs, None)?;
    }
    output.write(out, &counter.finish()?, &terms.identity(), terms.method.curve, &clock, &console)
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
        let folder = plan.folder(|| Path::new(input::REPORTS).join(name));
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
    ) -> Result<Ending, CmdError> {
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
        Ok(Ending::Complete)
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
