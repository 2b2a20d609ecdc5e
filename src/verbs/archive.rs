//! The verb `archive`: counts games by group without keeping them, and reports the counts in tables, files
//! and pictures.

use std::{collections::BTreeMap, io::Write, path::Path, path::PathBuf};

use clap::{Args, ValueEnum, ValueHint, builder::PossibleValuesParser, builder::TypedValueParser};

use crate::base::output::{FileError, NoFacts, OutputFolder, OutsideFile, Publication, RunClock, RunKind};
use crate::base::text::{counted, full_path};
use crate::chess::{Aliases, Metric, NameMatcher};
use crate::files::formats::part;
use crate::measure::{
    ArchiveCounts, Calibration, CountKey, CountOptions, GameCounts, Grouping, Inputs, Survey,
};
use crate::numbers::{Bootstrap, EloCurve};
use crate::report::{ReportError, publish::PAGE, publish::ReportFormats, table::write_frame};
use crate::report::{kinds::archive, kinds::archive::moves::write_moves};
use crate::verbs::{
    analyze, args::CalibrationArgs, args::ConsoleArgs, args::FilterArgs, args::GainArgs, args::GamesArgs,
    args::ReportArgs, args::ResultArgs, args::TableArgs, args::or_cores, args::parse_jobs, args::player_name,
    args::values, error, error::Result, error::VerbError, input, input::Input, input::counting::Counter,
    plan::EvaluationPlan, plan::EvaluationsFrom, runs, runs::Finished, runs::Plan, runs::Viewer,
};

#[derive(Debug, Clone, Args)]
pub struct ArchiveArgs {
    /// PGN files, compressed or not, and folders of them; `-` reads standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Group by `player`, `elo-band` (or `elo-band:200`), `speed,elo-band`, `time-control`, `speed`, `title`, `year` or
    /// `event`.
    #[arg(long, value_name = "GROUP", add = values(Grouping::NAMES))]
    pub by: Grouping,
    /// Count only the moves of players with these words in their names; repeatable.
    #[arg(long, value_name = "NAME", value_parser = player_name())]
    pub player: Vec<NameMatcher>,
    /// Replay every move, and leave out games with illegal moves.
    #[arg(long)]
    pub check_moves: bool,
    /// Also write each event's own report, and link to it from the page (with --by event).
    #[arg(long)]
    pub separately: bool,
    /// Also count single games by accuracy, centipawn loss, top moves, blunders and time per move, in the whole
    /// game and by phase. With --by speed,elo-band --partial FILE, FILE can serve as --reference.
    #[arg(long)]
    pub quantiles: bool,
    /// Reader threads [default: number of cores].
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u32>,
    /// Random seed of --sample.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub taken: GamesArgs,
    #[command(flatten)]
    pub gain: GainArgs,
    /// Unit of gain.
    #[arg(long, default_value = "cp", value_parser = metric())]
    pub metric: Metric,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub results: ResultArgs,
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    /// Also write every move, to the table archive-moves.
    #[arg(long)]
    pub moves: bool,
    /// Write the raw counts to a Parquet file, for `gainalyze merge`.
    #[arg(long, value_name = "PART.parquet", value_hint = ValueHint::FilePath)]
    pub partial: Option<PathBuf>,
}

/// Returns a parser of the metrics that need only scores. Counts of an archive ignore the engine's chances of
/// a win, a draw and a loss.
fn metric() -> impl TypedValueParser<Value = Metric> {
    let metrics = [Metric::Centipawns, Metric::WinProbability];
    let names = metrics.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(names).map(|name| Metric::from_str(&name, false).unwrap_or_default())
}

impl ArchiveArgs {
    fn options(&self) -> Result<CountOptions, String> {
        Ok(CountOptions {
            method: self.gain.method(self.metric, &self.filter)?,
            selection: self.taken.plan(&[], self.seed)?.selection,
            players: self.player.iter().cloned().collect(),
            check_moves: self.check_moves,
            quantiles: self.quantiles,
            keep_moves: self.moves,
            ..CountOptions::new(self.by)
        })
    }

    /// Returns the plan of the events' own reports, from the evaluations in the games.
    pub fn plan(&self) -> Result<Plan, String> {
        let method = self.gain.method(self.metric, &self.filter)?;
        let report = self.results.report();
        let table =
            TableArgs { output: report.table.output.map(|folder| folder.join(EVENTS)), ..report.table };
        Ok(Plan {
            files: self.files.clone(),
            separately: true,
            reading: self.taken.plan(&method.filter.rounds, self.seed)?,
            evaluations: EvaluationPlan {
                from: EvaluationsFrom::Pgn,
                calibrations: self.calibration.plan(),
                ..EvaluationPlan::default()
            },
            method,
            report: ReportArgs { table, ..report },
            ..Plan::default()
        })
    }

    /// Writes each event's own report into a folder in `folder`. Returns the addresses of the pages, relative to `folder`, by
    /// event.
    fn report_events(
        &self,
        folder: &Path,
        clock: &RunClock,
        viewer: &mut dyn Viewer,
    ) -> Result<BTreeMap<String, String>> {
        let mut plan = self.plan()?;
        plan.report.table.output = Some(folder.join(EVENTS));
        let input = input::read_together(&plan.files, &plan.reading, viewer)?;
        let events = input.by_event();
        let address =
            |(event, input): &(String, Input)| (event.clone(), format!("{EVENTS}/{}/{PAGE}", input.name));
        let links: Vec<(String, String)> = events.iter().map(address).collect();
        let inputs = events.into_iter().map(|(_, input)| input).collect();
        analyze::analyze(inputs, &plan, clock, viewer)?;
        // An event has no report if none of its games has evaluations.
        Ok(links.into_iter().filter(|(_, address)| folder.join(address).exists()).collect())
    }
}

/// The folder of the events' own reports.
const EVENTS: &str = "events";

const SEPARATELY: &str =
    "--separately writes a report of each event, so it needs --by event, and files that can be read twice";

pub fn run(args: &ArchiveArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let is_stream = args.files.iter().any(|file| file.as_os_str() == "-");
    if args.separately && (args.by != Grouping::Event || is_stream) {
        return Err(SEPARATELY.to_owned().into());
    }
    let options = args.options()?;
    let clock = RunClock::start();
    let paths = input::files(&args.files, args.taken.reading.strict, viewer)?;
    let name = format!("{}-by-{}", input::name_together(&args.files), args.by);
    let output = ArchiveOutput::new(&args.results, &name, args.partial.as_deref())?;
    let calibrations = args.calibration.plan().load()?;
    let rated_kinds = calibrations.iter().map(|one| (one.kind(), one.scale, one.filter)).collect();
    let options = CountOptions { rated_kinds, ..options };
    let jobs = or_cores(args.jobs);
    let mut counter = Counter::new(&options, viewer);
    let key = options.identity();
    let out = output.publication(&key)?;
    if args.moves {
        write_moves(&out, &output.formats.tables, |moves| {
            let mut keep = |file: &Path, number: u64, counts: &GameCounts| {
                moves.add(&file.to_string_lossy(), number, counts);
            };
            counter.read(&paths, jobs, Some(&mut keep))
        })?;
    } else {
        counter.read(&paths, jobs, None)?;
    }
    let (counts, inputs) = counter.finish()?;
    let aliases = options.selection.aliases.clone();
    let links = match args.separately {
        true => args.report_events(output.folder.path(), &clock, viewer)?,
        false => BTreeMap::new(),
    };
    let counted = Counted { counts, inputs, key, aliases, curve: options.method.curve, calibrations, links };
    output.write(out, counted, &clock, viewer)
}

pub struct Counted {
    pub counts: ArchiveCounts,
    pub inputs: Inputs,
    pub key: CountKey,
    pub aliases: Aliases,
    pub curve: EloCurve,
    pub calibrations: Vec<Calibration>,
    /// The addresses of the reports of single events.
    pub links: BTreeMap<String, String>,
}

/// Folder, formats and part file of the results, checked to be writable before the long work.
pub struct ArchiveOutput<'a> {
    folder: OutputFolder,
    formats: ReportFormats,
    part: Option<&'a Path>,
}

impl<'a> ArchiveOutput<'a> {
    /// Claims the folder that `results` names, or else the folder `name` among the reports. Also checks that
    /// the file `part` for the raw counts can be written, if there is one.
    pub fn new(results: &ResultArgs, name: &str, part: Option<&'a Path>) -> Result<ArchiveOutput<'a>> {
        results.pictures.check()?;
        let (formats, table) = (results.formats(), &results.table);
        let folder = table.folder(|| Path::new(input::REPORTS).join(name));
        let folder = table.claim(folder, RunKind::Archive, archive::ARCHIVE.file_names(&formats, []))?;
        part.map_or(Ok(()), |path| folder.check_outside(path))?;
        Ok(ArchiveOutput { folder, formats, part })
    }

    /// Begins to write files. Each file states the counting method if its format has room for it.
    pub fn publication(&self, key: &CountKey) -> Result<Publication<'_>, FileError> {
        Ok(self.folder.publication()?.saying("method", key.to_json()))
    }

    /// Writes the report and the part file, and returns the tables for the terminal.
    pub fn write(
        &self,
        out: Publication<'_>,
        mut counted: Counted,
        clock: &RunClock,
        viewer: &dyn Viewer,
    ) -> Result<Finished> {
        // A part keeps all names and ids. Players are joined only after `merge` knows the names of all parts.
        let part = self.part.map(|path| write_part(path, &counted)).transpose()?;
        if [Grouping::Player, Grouping::Event].contains(&counted.key.by) {
            let joined = counted.counts.join_players(counted.key.by, &counted.aliases);
            input::people::note_names(joined, "", viewer);
        }
        let Counted { counts: tally, key: identity, .. } = &counted;
        if tally.groups.values().all(|counts| counts.scores.count == 0) {
            let refused = tally.games.refused.iter().max_by_key(|(_, games)| **games);
            let hint = refused.map_or(String::new(), |(&refusal, _)| error::widen(refusal));
            return Err(VerbError::new(nothing_counts(tally)).with_hint(hint));
        }
        let survey = Survey::of(tally, identity, counted.curve, &counted.calibrations);
        let report = archive::write(&out, tally, &survey, identity, &self.formats, &counted.links)?;
        part.into_iter().for_each(|part| out.add_outside(part));
        runs::report_removed(&out.finish(&clock.record(RunKind::Archive, NoFacts::default()))?, viewer);
        viewer.note(&format!("see {}", full_path(self.folder.path())));
        Ok(Finished::complete(report.text(viewer.screen())))
    }
}

fn write_part(path: &Path, counted: &Counted) -> Result<OutsideFile> {
    let frame = part::frame(&counted.counts, &counted.key, &counted.inputs)?;
    let mut parquet = Vec::new();
    let failed = |source| ReportError::Export { path: path.to_owned(), source };
    write_frame(frame, &mut parquet).map_err(failed)?;
    Ok(OutsideFile::write(path, |file| file.write_all(&part::sealed(&parquet)))?)
}

/// Returns the reason why there is no table: the number of games left out, by reason.
fn nothing_counts(tally: &ArchiveCounts) -> String {
    let left_out = tally.left_out.iter().map(|(reason, games)| format!("{games} left out ({reason})"));
    let refused =
        tally.games.refused.iter().map(|(refusal, games)| format!("{games} not chosen by {refusal}"));
    let reasons: Vec<String> = left_out.chain(refused).collect();
    let of = counted(tally.read(), "game");
    match reasons.as_slice() {
        // The filters leave no move of these games, or only the first one.
        [] => format!("no move of {of} is counted"),
        reasons => format!("no move of {of} is counted: {}", reasons.join(", ")),
    }
}
