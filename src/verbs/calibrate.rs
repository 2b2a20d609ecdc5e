//! The verb `calibrate`: a calibration from the games of rated players, with its table and pictures.

use std::{collections::BTreeSet, fmt, io, io::Write, path::Path, path::PathBuf};

use clap::{Args, ValueHint};
use shakmaty::ByColor;

use crate::base::input_file;
use crate::base::output::{FileError, NamedFile, Overwrite, write_named_file};
use crate::base::text::{counted, printable, shown_path, with_causes};
use crate::chess::{EvaluatedGame, Game, pgn};
use crate::files::PictureFormat;
use crate::measure::{
    ANCHOR, COMPARED, CalibratedEngine, Calibration, CalibrationData, CalibrationDesign, CalibrationSample,
    Direction, RatingScale, Statistic, anchor_sums, shipped_events,
};
use crate::report::ReportError;
use crate::report::{
    kinds::calibration::pictures::NAMES, kinds::calibration::pictures::drawings, kinds::calibration::shown,
};
use crate::verbs::{
    args::ConsoleArgs, args::EngineArgs, args::GamesArgs, args::ShardArgs, args::StoreArgs,
    args::check_mixed, args::picture, error::Result, error::VerbError, evaluations, input, input::Input,
    input::analyzed, input::evaluated::Evaluated, plan::EvaluationPlan, plan::EvaluationsFrom, plan::Reach,
    plan::ReadingPlan, plan::rating::CalibrationPlan, runs::Finished, runs::RunEnding, runs::Viewer,
    runs::shard,
};

#[derive(Debug, Clone, Args)]
pub struct CalibrateArgs {
    /// PGN files or folders of them: each file is one event, with players' ratings in its tags [default: the 85
    /// events of the shipped calibrations].
    #[arg(value_name = "EVENT", value_hint = ValueHint::AnyPath)]
    pub events: Vec<PathBuf>,
    /// Calibrate from a file that --keep-sums wrote, without an engine.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "events")]
    pub sums: Option<PathBuf>,
    /// Source of the evaluations to calibrate. With `lichess`, games without lichess's evaluations are skipped, and each player
    /// is in one set; of more than 200,000 games, only a part of the players is used. Ratings from ten games have nearly
    /// the smallest error from 1,000 games of players on; from 500, it is 2 % larger, and from 250 4 %.
    #[arg(long, value_enum, default_value_t, conflicts_with_all = ["sums", "quick"])]
    pub evals: CalibrateEvals,
    /// Calibrate in minutes: search only five of the shipped events, and compare the engine on them with
    /// Stockfish 19 lite, which was calibrated on all events.
    #[arg(long, conflicts_with_all = ["events", "scale", "sets", "statistics", "direction", "block", "drift_from"])]
    pub quick: bool,
    /// Rating scale; with a server's scale, only games rated on that server count.
    #[arg(long, value_enum, default_value_t)]
    pub scale: RatingScale,
    /// Deal the games of all files into N sets (for games of a server); without this option, each file is one
    /// event. All games of a player are in one set, and a copy of a game counts once.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(5..=100))]
    pub sets: Option<u16>,
    /// Statistics to rate by, separated by commas: first_choice_percent,
    /// win_loss_percent, evaluation_loss_cp, log_win_loss, log_evaluation_loss.
    #[arg(long, value_name = "STATISTIC", value_delimiter = ',', default_values_t = CalibrationDesign::default().statistics)]
    pub statistics: Vec<Statistic>,
    /// Direction of the regression between Elo and statistics.
    #[arg(long, value_enum, default_value_t)]
    pub direction: Direction,
    /// Moves per block; a block has players of nearly equal rating.
    #[arg(long, value_name = "MOVES", default_value_t = CalibrationDesign::default().block,
          value_parser = clap::value_parser!(u64).range(100..=10_000))]
    pub block: u64,
    /// Fit a yearly drift of play at equal ratings from this year on; write `0` for all years, `none` for no
    /// drift.
    #[arg(long, value_name = "YEAR", default_value_t = DriftFrom(CalibrationDesign::default().drift_from), value_parser = drift_from)]
    pub drift_from: DriftFrom,
    /// Calibration file to write.
    #[arg(long, short, value_name = "FILE", default_value = "calibration.json", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
    /// Also write the sums behind the calibration (CSV, zstd), for --sums.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub keep_sums: Option<PathBuf>,
    /// Overwrite files that this command did not write, or that have changed since.
    #[arg(long)]
    pub force: bool,
    /// Picture formats of the error charts, separated by commas, or `none`; the files lie next to --output.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "none", value_parser = picture())]
    pub plots: Vec<Option<PictureFormat>>,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub taken: GamesArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub shard: ShardArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum CalibrateEvals {
    /// An engine searches the games.
    #[default]
    Engine,
    /// The evaluations that lichess has recorded in the games.
    Lichess,
}

/// The first year of the yearly drift of play at equal ratings; `None` for no drift.
#[derive(Debug, Clone, Copy)]
pub struct DriftFrom(Option<u16>);

impl fmt::Display for DriftFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(year) => year.fmt(f),
            None => f.write_str("none"),
        }
    }
}

fn drift_from(written: &str) -> Result<DriftFrom, String> {
    if written == "none" {
        return Ok(DriftFrom(None));
    }
    let year = written.parse().ok().filter(|year| *year < 3000);
    year.map(|year| DriftFrom(Some(year)))
        .ok_or_else(|| "write a year such as 2019, `0` for all years, or `none` for no drift".to_owned())
}

impl CalibrateArgs {
    fn design(&self) -> Result<CalibrationDesign, String> {
        self.engine.check_single("calibrate")?;
        let repeated = |(place, name)| self.statistics[..place].contains(name);
        if let Some((_, name)) = self.statistics.iter().enumerate().find(|&one| repeated(one)) {
            return Err(format!("--statistics has {name} twice"));
        }
        check_mixed(&self.plots)?;
        let CalibrateArgs { scale, direction, block, drift_from: DriftFrom(drift_from), .. } = *self;
        Ok(CalibrationDesign { scale, statistics: self.statistics.clone(), direction, block, drift_from })
    }

    /// Checks, before the long work, that the files can be written, and that existing files were written by
    /// this command (unless `force` is set).
    fn check_files(&self) -> Result<()> {
        let overwrite = Overwrite::forced(self.force);
        if let Some(path) = &self.keep_sums {
            NamedFile { path, overwrite }
                .check("gainalyze calibrate --keep-sums", |path| read_sums(path).is_ok())?;
        }
        let earlier = input_file::read_text(&self.output, input_file::SETTINGS)
            .ok()
            .and_then(|text| Calibration::parse(&text).ok());
        NamedFile { path: &self.output, overwrite }.check("gainalyze calibrate", |_| earlier.is_some())?;
        // A picture has no digest. A file is recognized as a picture of this command if it equals the picture
        // drawn again from the earlier calibration.
        let drawn = earlier.as_ref().map(drawings).unwrap_or_default();
        for (name, format) in
            NAMES.into_iter().flat_map(|name| self.formats().map(move |format| (name, format)))
        {
            let bytes =
                drawn.iter().find(|(known, _)| *known == name).map(|(_, drawing)| format.encode(drawing, 1));
            let is_ours = |path: &Path| {
                let found = input_file::read(path, input_file::TABLE).ok();
                found.is_some() && found == bytes.and_then(Result::ok)
            };
            let path = picture_path(&self.output, name, format);
            NamedFile { path: &path, overwrite }.check("gainalyze calibrate --plots", is_ours)?;
        }
        Ok(())
    }

    fn formats(&self) -> impl Iterator<Item = PictureFormat> {
        self.plots.iter().copied().flatten().collect::<BTreeSet<_>>().into_iter()
    }

    fn evaluations(&self) -> EvaluationPlan {
        EvaluationPlan {
            from: EvaluationsFrom::Engine,
            engine: self.engine.plan(),
            protocol: self.engine.protocol(),
            is_usual_limit: false,
            store: self.store.plan(),
            reach: Reach::Search,
            calibrations: CalibrationPlan::Nowhere,
            ..EvaluationPlan::default()
        }
    }
}

pub fn run(args: &CalibrateArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let design = args.design()?;
    let reading = args.taken.plan(&[], 1)?;
    args.check_files()?;
    let anchor = args.quick.then(anchor_sums);
    let (data, ending) = match &args.sums {
        Some(path) => {
            let data = read_sums(path)?;
            if !reading.selection.keep_duplicates {
                check_copies(path, &data.sample)?;
            }
            (Some(data), RunEnding::Complete)
        }
        None if args.evals == CalibrateEvals::Lichess => {
            let files = pgn::files(&args.events)?.files;
            let data = analyzed::sums(&files, design.scale, u64::from(args.sets.unwrap_or(SETS)))?;
            (Some(data), RunEnding::Complete)
        }
        None => {
            let inputs = match args.events.as_slice() {
                [] => shipped_inputs(&reading, args.quick)?,
                events => input::read(events, true, &reading, viewer)?,
            };
            input::warn_of_bad_games(&inputs, viewer);
            let mut inputs = input::without_copies(inputs, &reading.selection, viewer);
            inputs.iter_mut().for_each(|input| input.games.retain(|game| design.scale.takes(game)));
            let (events, moves) = rated(&inputs, design.scale);
            design.check_counts(args.sets.map_or(events, usize::from), moves)?;
            let evaluations = args.shard.of(args.evaluations());
            if let Some(part) = evaluations.shard {
                return shard::run(inputs, &evaluations, part, viewer);
            }
            evaluated(inputs, args.sets, &evaluations, viewer)?
        }
    };
    let Some(data) = data else { return Ok(Finished::new(String::new(), ending)) };
    if let Some(path) = &args.keep_sums {
        write_sums(path, &data)?;
    }
    let calibration = match &anchor {
        Some(anchor) => data.equated(anchor, ANCHOR)?,
        None => design.calibrate(&data)?,
    };
    write_bytes(&args.output, calibration.to_json().as_bytes())?;
    for (name, drawing) in drawings(&calibration) {
        for format in args.formats() {
            let bytes = format.encode(&drawing, 1).map_err(ReportError::from)?;
            write_bytes(&picture_path(&args.output, name, format), &bytes)?;
        }
    }
    viewer.note(&told(&calibration, &args.output));
    Ok(Finished::new(shown(&calibration, viewer.screen()), ending))
}

/// Returns the shipped events or, to compare an engine with the anchor, the events for that.
fn shipped_inputs(reading: &ReadingPlan, is_quick: bool) -> Result<Vec<Input>> {
    if !reading.selection.names().is_empty() {
        return Err(VerbError::new("the events that come with the program cannot be filtered")
            .with_hint(": to filter games, name EVENT files"));
    }
    let is_taken = |name: &str| !is_quick || COMPARED.contains(&name);
    let events = shipped_events().filter(|(name, _)| is_taken(name));
    Ok(events.map(|(name, games)| Input::of_games(name.to_owned(), games)).collect())
}

/// Returns the number of events with rated players, and the number of these players' moves. If these numbers
/// are too small, the caller refuses the events before the search.
fn rated(inputs: &[Input], scale: RatingScale) -> (usize, u64) {
    let moves_of = |game: &Game| -> u64 {
        let is_rated = ByColor::new_with(|color| scale.of_game(game, color).is_some());
        game.movers().filter(|mover| *is_rated.get(*mover)).count() as u64
    };
    let moves =
        inputs.iter().map(|input| input.games.iter().map(moves_of).sum::<u64>()).filter(|&moves| moves > 0);
    moves.fold((0, 0), |(events, all), moves| (events + 1, all + moves))
}

/// Evaluates events. Returns no data if the user interrupts the evaluation.
fn evaluated(
    inputs: Vec<Input>,
    sets: Option<u16>,
    plan: &EvaluationPlan,
    viewer: &mut dyn Viewer,
) -> Result<(Option<CalibrationData>, RunEnding)> {
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    let Evaluated { inputs, engine, interrupted, .. } = evaluations::evaluate(inputs, plan, viewer)?;
    let Some(engine) = engine.filter(|_| !interrupted) else {
        viewer.note("interrupted: no calibration was written; the same command resumes");
        return Ok((None, RunEnding::Interrupted));
    };
    let has_failed = inputs.iter().any(|games| games.engine_failed);
    let games = inputs.into_iter().map(|input| input.games);
    let events: Vec<(String, Vec<EvaluatedGame>)> = match sets {
        None => names.into_iter().zip(games).collect(),
        Some(sets) => {
            let sets = CalibrationSample::dealt(games.flatten(), usize::from(sets)).into_iter();
            (1..).zip(sets).map(|(number, games)| (format!("set {number}"), games)).collect()
        }
    };
    let mut sample = CalibrationSample::default();
    events.iter().filter(|(_, games)| !games.is_empty()).for_each(|(name, games)| sample.add(name, games));
    let engine = CalibratedEngine {
        name: engine.name,
        behavior: plan.engine.behavior()?.1.digest,
        options: engine.options,
    };
    let data = CalibrationData { engine, protocol: plan.protocol, sample };
    Ok((Some(data), RunEnding::of(false, has_failed)))
}

fn told(calibration: &Calibration, path: &Path) -> String {
    let moves = calibration.events.iter().map(|event| event.moves).sum();
    format!(
        "{} of {}: see {}",
        counted(moves, "move"),
        counted(calibration.events.len() as u64, calibration.scale.event()),
        shown_path(path)
    )
}

fn picture_path(output: &Path, name: &str, format: PictureFormat) -> PathBuf {
    let stem = output.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    output.with_file_name(format!("{stem}-{name}.{format}"))
}

/// The usual number of sets of players.
const SETS: u16 = 5;

/// Compression level of zstd. Higher levels would make the file smaller, but take many times as long.
const LEVEL: i32 = 19;

fn write_sums(path: &Path, data: &CalibrationData) -> Result<()> {
    let packed = data.to_csv().and_then(|text| zstd::encode_all(text.as_bytes(), LEVEL));
    write_bytes(path, &packed.map_err(|source| FileError::Write(path.to_owned(), source))?)
}

/// Reads a file of [`write_sums`], still compressed (`.zst`) or unpacked.
pub(super) fn read_sums(path: &Path) -> Result<CalibrationData> {
    let wrong = |why: String| VerbError::new(format!("{}: {why}", shown_path(path)));
    let text = text_of(path).map_err(|error| wrong(format!("cannot be read: {}", with_causes(&error))))?;
    CalibrationData::parse(&text).map_err(|error| wrong(with_causes(&error)))
}

fn check_copies(path: &Path, sample: &CalibrationSample) -> Result<()> {
    let Some([(event, game), (other, again)]) = sample.repeated() else { return Ok(()) };
    let why = format!(
        "{}: game {again} of {} is a copy of game {game} of {}; validation needs events without common games",
        shown_path(path),
        printable(other),
        printable(event)
    );
    Err(VerbError::new(why).with_hint(": leave out one copy, or count both with --keep-duplicates"))
}

fn text_of(path: &Path) -> io::Result<String> {
    let file = input_file::open(path)?;
    let bytes = match path.extension().is_some_and(|extension| extension == "zst") {
        true => input_file::read_all(zstd::Decoder::new(file)?, input_file::TABLE)?,
        false => input_file::read_all(file, input_file::TABLE)?,
    };
    String::from_utf8(bytes).map_err(io::Error::other)
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    Ok(write_named_file(path, |file| file.write_all(bytes))?)
}
