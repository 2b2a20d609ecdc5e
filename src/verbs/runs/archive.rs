//! Owns the runs that count an archive by group: from files of any size, or from parts counted before, to its
//! tables, files and pictures.

use std::{collections::BTreeSet, io::Write, path::Path};

use super::{Finished, RunEnding, Viewer};
use crate::chess::text::{counted, full_path};
use crate::files::{
    FileBeside, FileError, NoFacts, OutputFolder, Part, PictureFormat, Publication, RunClock, RunKind,
    formats::part,
};
use crate::measure::{ArchiveCounts, Calibration, CountKey, CountOptions, GameCounts, Inputs, Survey};
use crate::numbers::EloCurve;
use crate::report::{
    ReportError, archive, archive::moves::write_moves, publish::ReportFormats, publish::publish,
    table::write_frame, tables,
};
use crate::verbs::app::counting::Counter;
use crate::verbs::app::plan::{ArchivePlan, MergePlan};
use crate::verbs::app::reading;
use crate::verbs::args::TableArgs;
use crate::verbs::error::{self, VerbError};

/// Counts the archive of `plan` by group.
///
/// # Errors
///
/// If nothing in it can be read or counts, or a file cannot be written.
pub fn run(plan: &ArchivePlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    let paths = reading::files(&plan.files, plan.strict, viewer)?;
    let name = format!("{}-by-{}", reading::name_together(&plan.files), plan.options.by);
    let output = ArchiveOutput::new(&plan.tables, &name, &plan.pictures)?.with_part(plan.part.as_deref())?;
    let calibrations = plan.calibrations.load()?;
    let rated_kinds = calibrations.iter().map(Calibration::kind).collect();
    let options = CountOptions { rated_kinds, ..plan.options.clone() };
    let mut counter = Counter::new(&options, plan.strict, viewer);
    let key = options.identity();
    let out = output.publication(&key)?;
    if plan.options.keep_moves {
        write_moves(&out, &output.formats.tables, |moves| {
            let mut keep = |file: &Path, number: u64, counts: &GameCounts| {
                moves.add(&file.to_string_lossy(), number, counts);
            };
            counter.read(&paths, plan.jobs, Some(&mut keep))
        })?;
    } else {
        counter.read(&paths, plan.jobs, None)?;
    }
    let (counts, inputs) = counter.finish()?;
    let counted = Counted { counts, inputs, key, curve: options.method.curve, calibrations };
    output.write(out, &counted, &clock, viewer)
}

/// Adds up the parts of `plan`, and reports them as one archive.
///
/// # Errors
///
/// If a part cannot be read or was counted by other options than the first, or a file cannot be written.
pub fn merge(plan: &MergePlan, viewer: &dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    let Part { identity: key, inputs, tally: counts } =
        part::merge(&plan.parts, plan.overlap)?.ok_or_else(VerbError::no_input)?;
    let output = ArchiveOutput::new(&plan.tables, &reading::name_together(&plan.parts), &plan.pictures)?;
    let output = output.with_part(plan.part.as_deref())?;
    let out = output.publication(&key)?;
    let counted = Counted { counts, inputs, key, curve: plan.curve, calibrations: plan.calibrations.load()? };
    output.write(out, &counted, &clock, viewer)
}

/// What was counted, and what makes numbers of it.
struct Counted {
    counts: ArchiveCounts,
    inputs: Inputs,
    key: CountKey,
    curve: EloCurve,
    calibrations: Vec<Calibration>,
}

/// Where results go, and as what; found to be writable before the long work.
struct ArchiveOutput<'a> {
    folder: OutputFolder,
    formats: ReportFormats,
    part: Option<&'a Path>,
}

impl<'a> ArchiveOutput<'a> {
    /// Tables as `plan` wants them and pictures; in the folder `name` among the reports, if it names none.
    fn new(
        plan: &TableArgs,
        name: &str,
        pictures: &BTreeSet<PictureFormat>,
    ) -> Result<ArchiveOutput<'a>, VerbError> {
        let formats = plan.with(pictures, false);
        let folder = plan.folder(|| Path::new(reading::REPORTS).join(name));
        let folder = plan.claim(folder, RunKind::Archive, archive::ARCHIVE.file_names(&formats, []))?;
        Ok(ArchiveOutput { folder, formats, part: None })
    }

    /// Returns the same, and the counts themselves in a part file, where there is to be one.
    fn with_part(self, part: Option<&'a Path>) -> Result<ArchiveOutput<'a>, VerbError> {
        part.map_or(Ok(()), |path| self.folder.check_beside(path))?;
        Ok(ArchiveOutput { part, ..self })
    }

    /// Begins to write files, each of which says how it was counted where its format has room.
    fn publication(&self, key: &CountKey) -> Result<Publication<'_>, FileError> {
        Ok(self.folder.publication()?.saying("method", key.to_json()))
    }

    /// Writes what was counted beside what `out` has already, and gives back the tables.
    fn write(
        &self,
        out: Publication<'_>,
        counted: &Counted,
        clock: &RunClock,
        viewer: &dyn Viewer,
    ) -> Result<Finished, VerbError> {
        let Counted { counts: tally, key: identity, .. } = counted;
        if tally.groups.values().all(|counts| counts.scores.count == 0) {
            let refused = tally.games.refused.iter().max_by_key(|(_, games)| **games);
            let hint = refused.map_or(String::new(), |(&refusal, _)| error::widen(refusal));
            return Err(VerbError::new(nothing_counts(tally)).with_hint(hint));
        }
        let survey = Survey::of(tally, identity, counted.curve, &counted.calibrations);
        publish(&archive::report(tally, &survey, identity), &out, &self.formats)?;
        if let Some(path) = self.part {
            out.list_beside(&write_part(path, counted)?);
        }
        super::say_removed(&out.finish(&clock.record(RunKind::Archive, NoFacts::default()))?, viewer);
        viewer.note(&format!("see {}", full_path(self.folder.path())));
        Ok(Finished::new(tables::archive(&survey, identity, viewer.screen()), RunEnding::Complete))
    }
}

/// Writes the counts themselves, sealed.
fn write_part(path: &Path, counted: &Counted) -> Result<FileBeside, VerbError> {
    let frame = part::frame(&counted.counts, &counted.key, &counted.inputs)?;
    let mut parquet = Vec::new();
    let failed = |source| ReportError::Export { path: path.to_owned(), source };
    write_frame(frame, &mut parquet).map_err(failed)?;
    let failed = |source| FileError::Write { path: path.to_owned(), source };
    FileBeside::write(path, |file| Ok(file.write_all(&part::sealed(&parquet)).map_err(failed)?))
}

/// Tells why there is no table: what became of the games instead.
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
