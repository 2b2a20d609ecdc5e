//! The verb `expect`: the usual play at a given rating, from the available calibrations and from single
//! games.

use std::collections::BTreeSet;

use clap::Args;

use crate::measure::{
    Calibration, RatingScale, peers::PlayMeasure, peers::Reference, peers::ReferencePool, peers::UsualRow,
    peers::length_class,
};
use crate::report::{kinds::calibration, kinds::calibration::UsualByCalibration};
use crate::report::{tables, words::reference as reference_words, words::reference::kind_in_words};
use crate::verbs::{
    args::CalibrationArgs, args::ExportArgs, args::ReferenceArgs, error::Result, error::VerbError,
    plan::rating::ReferencePlan, runs::Finished, runs::Viewer,
};

#[derive(Debug, Args)]
pub struct ExpectArgs {
    /// Rating, on the scale of --scale or of the --calibration file.
    #[arg(long, value_name = "ELO", value_parser = elo)]
    pub elo: f64,
    /// Rating scale.
    #[arg(long, value_enum, default_value_t)]
    pub scale: RatingScale,
    /// Number of moves; a game has about forty.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub moves: u64,
    /// Year of the games; at equal ratings, later players play better [default: the calibration's last year].
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(u16).range(1500..3000))]
    pub year: Option<u16>,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    #[command(flatten)]
    pub reference: ReferenceArgs,
    #[command(flatten)]
    pub export: ExportArgs,
}

/// The result of one game, whose odds are wanted.
#[derive(Debug, Args)]
#[command(next_help_heading = "How unusual is a game?")]
pub struct GameArgs {
    /// Accuracy in percent; prints only how many games were as accurate.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub accuracy: Option<f64>,
    /// Centipawns lost per move; prints how many games lost as few.
    #[arg(long, value_name = "CP", value_parser = loss)]
    pub centipawns: Option<f64>,
    /// Top moves in percent of the moves (over the board).
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub top_moves: Option<f64>,
    /// Blunders in percent of the moves.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub blunders: Option<f64>,
    /// The player's moves, 10 or more; longer games are compared too.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(10..=1000))]
    pub game_moves: u32,
}

impl GameArgs {
    /// Returns the wanted values, in tenths.
    fn values(&self) -> impl Iterator<Item = (PlayMeasure, u32)> {
        let given = [
            (PlayMeasure::Accuracy, self.accuracy),
            (PlayMeasure::CentipawnLoss, self.centipawns),
            (PlayMeasure::FirstChoice, self.top_moves),
            (PlayMeasure::Blunders, self.blunders),
        ];
        let tenths = |value: f64| (value / PlayMeasure::STEP).round() as u32;
        given.into_iter().filter_map(move |(measure, value)| Some((measure, tenths(value?))))
    }
}

fn percent(written: &str) -> Result<f64, String> {
    number(written, 100.0).ok_or_else(|| "write a percentage from 0 to 100".to_owned())
}

fn loss(written: &str) -> Result<f64, String> {
    number(written, 2000.0).ok_or_else(|| "write a number of centipawns from 0 to 2000".to_owned())
}

fn number(written: &str, most: f64) -> Option<f64> {
    written.parse().ok().filter(|number| (0.0..=most).contains(number))
}

fn elo(written: &str) -> Result<f64, String> {
    let elo: Option<f64> = written.parse().ok();
    elo.filter(|elo| (1.0..=4000.0).contains(elo)).ok_or_else(|| "write a rating from 1 to 4000".to_owned())
}

pub fn run(args: &ExpectArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let known = args.calibration.plan().load()?;
    let is_wanted = |calibration: &&Calibration| known.len() == 1 || calibration.scale == args.scale;
    // Of several calibrations of one engine, only the first is used, because ratings by that engine use it.
    let mut engines = BTreeSet::new();
    let rates = |calibration: &&Calibration| engines.insert(calibration.engine.name.clone());
    let is_of_lichess = args.scale == RatingScale::LichessRapid;
    let pool = if is_of_lichess { ReferencePool::Lichess } else { ReferencePool::OverTheBoard };
    let reference = args.reference.plan().load(pool)?;
    let reference =
        reference.filter(|reference| !reference.is_over_the_board() || args.scale.is_over_the_board());
    if args.game.values().next().is_some() {
        return odds(args, reference.as_ref()).map(Finished::complete);
    }
    let single = reference.and_then(|reference| single_games(&reference, args.elo as u32, viewer));
    let found = known.iter().filter(is_wanted).filter(rates).filter_map(|calibration| {
        let drift = calibration.model.drift.as_ref();
        let year = drift.map(|drift| args.year.unwrap_or(drift.years[1]));
        let usual = calibration.expected(args.elo, args.moves, year)?;
        Some(UsualByCalibration { calibration, usual, year })
    });
    let found: Vec<_> = found.collect();
    let mut told: Vec<String> = Vec::new();
    if !found.is_empty() {
        told.push(calibration::expected(&found, args.elo, args.moves, viewer.screen()));
    }
    let is_of_file = matches!(args.reference.plan(), ReferencePlan::File(_));
    told.extend(single.filter(|_| is_of_file || !told.is_empty()));
    if told.is_empty() {
        let range = |calibration: &Calibration| {
            let [low, high] = calibration.model.elo_range;
            format!("{low:.0} to {high:.0} on {}", calibration.scale)
        };
        let ranges: BTreeSet<String> = known.iter().map(range).collect();
        let known = match ranges.into_iter().collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "no calibration is available".to_owned(),
            ranges => format!("the calibrations cover {ranges}"),
        };
        let wanted =
            format!("no usual values are known for the rating {} on the scale {}", args.elo, args.scale);
        return Err(
            VerbError::new(format!("{wanted}: {known}")).with_hint("; choose another --elo or --scale")
        );
    }
    Ok(Finished::complete(told.join("\n")))
}

/// Returns how unusual the values of one game are, one sentence for each; an error if there are no games to compare with.
fn odds(args: &ExpectArgs, reference: Option<&Reference>) -> Result<String> {
    let length = length_class(args.game.game_moves as usize).unwrap_or_default();
    let mut told = String::new();
    for value in args.game.values() {
        let found = reference.map_or_else(Vec::new, |of| of.odds_at(args.elo as u32, value, length));
        if found.is_empty() {
            let of = reference_words::title(value.0);
            let why = format!(
                "no reference games on the scale {} near {} with known values: {of}",
                args.scale, args.elo
            );
            return Err(VerbError::new(why).with_hint("; choose another --elo, --scale or --reference"));
        }
        for odds in found {
            let range = reference_words::odds_range(&odds)
                .map_or_else(String::new, |range| format!("; 95 % interval: {range}"));
            told.push_str(&format!("{}{range}.\n", reference_words::odds(&odds)));
        }
    }
    let kinds = reference.map_or_else(BTreeSet::new, Reference::kinds);
    let kinds: Vec<&str> = kinds.into_iter().map(kind_in_words).collect();
    let caution = "Rare games happen: of a hundred games, one is a game in a hundred.";
    Ok(told + &format!("Evaluations: {}. {caution}\n", kinds.join("; ")))
}

/// Returns a table of the usual results of single games at a rating; `None` if the reference has none.
fn single_games(reference: &Reference, elo: u32, viewer: &dyn Viewer) -> Option<String> {
    let usual = reference.usual(elo);
    let rows: Vec<&UsualRow> = usual.iter().collect();
    let kinds: BTreeSet<&str> = rows.iter().map(|row| kind_in_words(&row.kind)).collect();
    let notes = vec![format!(
        "Percentiles of single games. Evaluations: {}. To compare with other games, use --reference FILE.",
        kinds.into_iter().collect::<Vec<_>>().join("; ")
    )];
    (!rows.is_empty()).then(|| {
        tables::peers::usual(
            &rows,
            ("", &|key| reference.label(key)),
            "Single games at this rating",
            notes,
            viewer.screen(),
        )
    })
}
