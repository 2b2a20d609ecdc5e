//! Options of the selection and reading of games.

use std::{
    convert::Infallible, fmt::Display, fs::DirEntry, io, ops::RangeInclusive, path::Path, path::PathBuf,
};

use clap::{Args, ValueHint, builder::NonEmptyStringValueParser, builder::TypedValueParser};
use encoding_rs::Encoding;

use super::values;
use crate::base::{input_file, text::shown_path, text::with_causes};
use crate::chess::{
    Aliases, Date, GameFilter, GameResult, NameMatcher, OpeningNames, RandomSample, Selection, Share,
    TimeClass, TimeControl, pgn,
};
use crate::verbs::plan::ReadingPlan;

#[derive(Debug, Clone, Default, Args)]
pub struct GamesArgs {
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Table of openings (ECO code, name, moves), or a folder with such .tsv files, as in
    /// lichess-org/chess-openings (CC0). Openings are then named by position instead of by tag.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, help_heading = "Reading games")]
    pub openings_names: Option<PathBuf>,
    #[command(flatten)]
    pub choice: ChoiceArgs,
}

impl GamesArgs {
    /// Returns the plan of reading, with the selection by [`ChoiceArgs::selection`].
    pub fn plan(&self, rounds: &[RangeInclusive<u32>], seed: u64) -> Result<ReadingPlan, String> {
        let openings = self.openings_names.as_deref().map(opening_names).transpose()?;
        Ok(ReadingPlan { openings, ..self.reading.plan(self.choice.selection(rounds, seed)?) })
    }
}

#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reading games")]
pub struct ReadingArgs {
    /// Stop at the first game or file that cannot be read.
    #[arg(long)]
    pub strict: bool,
    /// Encoding of lines that are not UTF-8, such as windows-1251 or gbk [default: windows-1252].
    #[arg(long, value_name = "NAME", value_parser = encoding)]
    pub encoding: Option<&'static Encoding>,
}

fn encoding(name: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(name.as_bytes()).ok_or_else(|| {
        "write a label of the Encoding Standard, such as windows-1251, koi8-r, iso-8859-2 or gbk".to_owned()
    })
}

impl ReadingArgs {
    /// Returns the plan for the games of `selection`.
    pub fn plan(&self, selection: Selection) -> ReadingPlan {
        ReadingPlan {
            selection: Selection { strict: self.strict, encoding: self.encoding, ..selection },
            openings: None,
        }
    }
}

#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Choosing games")]
pub struct ChoiceArgs {
    /// Only games of players with these words in their names; repeatable.
    #[arg(long, value_name = "NAME", value_parser = player_name())]
    pub games_of: Vec<NameMatcher>,
    /// File of other names of players, one Name=Alias per line.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub aliases: Option<PathBuf>,
    /// Only games with both players known to be rated ELO or more.
    #[arg(long, value_name = "ELO")]
    pub min_elo: Option<u32>,
    /// Only games with both players known to be rated ELO or less.
    #[arg(long, value_name = "ELO")]
    pub max_elo: Option<u32>,
    /// Only games played on this date or later: 2013, 2013-03 or 2013-03-15.
    #[arg(long, value_name = "DATE")]
    pub since: Option<Date>,
    /// Only games played on this date or earlier; a whole year or month is included.
    #[arg(long, value_name = "DATE")]
    pub until: Option<Date>,
    /// Only games of events with this text in their name; repeatable.
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub event: Vec<String>,
    /// Only games with these time controls, separated by commas: a tag (180+2), or lichess's speeds ultrabullet,
    /// bullet, blitz, rapid, classical (by base + 40 increments).
    #[arg(long, value_name = "CONTROL", value_delimiter = ',', allow_hyphen_values = true, value_parser = control,
          add = values(TimeClass::BY_CLOCK.map(TimeClass::name)))]
    pub time_control: Vec<TimeControl>,
    /// Only games with these results, separated by commas: 1-0, 0-1, 1/2-1/2, 0-0, *.
    #[arg(long, value_name = "RESULT", value_delimiter = ',')]
    pub result: Vec<GameResult>,
    /// Share of the games to draw at random, such as 0.01; another --seed draws other games.
    #[arg(long, value_name = "SHARE")]
    pub sample: Option<Share>,
    /// Maximum number of games, after all other filters.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_games: Option<u64>,
    /// Also count copies of a game (same players, date and moves).
    #[arg(long)]
    pub keep_duplicates: bool,
}

/// Returns a parser of a player's name, or of some words of a name.
pub fn player_name() -> impl TypedValueParser<Value = NameMatcher> {
    NonEmptyStringValueParser::new().map(|name| NameMatcher::new(&name))
}

fn control(text: &str) -> Result<TimeControl, String> {
    match text.trim() {
        "" => Err("write a time control like 180+2, or a speed like blitz".to_owned()),
        text => text.parse().map_err(|never: Infallible| match never {}),
    }
}

impl ChoiceArgs {
    /// Returns the contradiction between two options that together admit no game.
    fn problem(&self) -> Option<String> {
        if let (Some(least), Some(most)) = (self.min_elo, self.max_elo)
            && least > most
        {
            return Some(format!("--min-elo {least} is above --max-elo {most}: no game can fit both"));
        }
        match (self.since, self.until) {
            (Some(since), Some(until)) if since.is_after(until) => {
                Some(format!("--since {since} is after --until {until}: no game can fit both"))
            }
            _ => None,
        }
    }

    /// Returns the selection of games: of `rounds`, or of all rounds if `rounds` is empty. A random sample is
    /// drawn by `seed`. Fails if two options admit no game, or if the file of aliases is unusable.
    pub fn selection(&self, rounds: &[RangeInclusive<u32>], seed: u64) -> Result<Selection, String> {
        self.problem().map_or(Ok(()), Err)?;
        let aliases = |path: &PathBuf| read_with("--aliases", path, Aliases::parse);
        Ok(Selection {
            filter: self.filter(rounds, seed),
            aliases: self.aliases.as_ref().map(aliases).transpose()?.unwrap_or_default(),
            max_games: self.max_games,
            keep_duplicates: self.keep_duplicates,
            ..Selection::default()
        })
    }

    fn filter(&self, rounds: &[RangeInclusive<u32>], seed: u64) -> GameFilter {
        let ChoiceArgs { games_of, min_elo, max_elo, since, until, event, time_control, result, .. } =
            self.clone();
        let sample = self.sample.map(|share| RandomSample { share, seed });
        let rounds = rounds.to_vec();
        let games_of = games_of.into_iter().collect();
        GameFilter { games_of, min_elo, max_elo, since, until, event, time_control, result, rounds, sample }
    }
}

/// Reads the table of openings at `path`, or all tables if `path` is a folder: lichess has a file for each
/// letter of ECO.
fn opening_names(path: &Path) -> Result<OpeningNames, String> {
    let option = "--openings-names";
    if !path.is_dir() {
        return read_with(option, path, OpeningNames::parse);
    }
    let failed = |error: io::Error| format!("{option} {}: {}", shown_path(path), with_causes(&error));
    let entries = path.read_dir().map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let mut tables: Vec<PathBuf> = entries.iter().map(DirEntry::path).collect();
    tables.retain(|table| table.extension().is_some_and(|extension| extension == "tsv"));
    tables.sort();
    let mut names = OpeningNames::default();
    for table in &tables {
        names.add(read_with(option, table, OpeningNames::parse)?);
    }
    match tables.is_empty() {
        true => Err(format!("{option} {}: no .tsv file in this folder", shown_path(path))),
        false => Ok(names),
    }
}

fn read_with<T, E: Display>(
    option: &str,
    path: &Path,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, String> {
    let shown = shown_path(path);
    let bytes = input_file::read(path, input_file::SETTINGS)
        .map_err(|error| format!("{option} {shown}: {}", with_causes(&error)))?;
    parse(&pgn::decode(bytes)).map_err(|error| format!("{option} {shown}: {error}"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::verbs::Cli;

    fn args(options: &[&str]) -> Result<ChoiceArgs, clap::Error> {
        let line = [&["gainalyze", "a.pgn"], options].concat();
        Cli::try_parse_from(line).map(|cli| cli.analyze.tournament.taken.choice)
    }

    #[test]
    fn several_values_of_a_kind_are_separated_by_commas_or_given_one_by_one() {
        let given = args(&[
            "--games-of",
            "Carlsen, Magnus",
            "--games-of",
            "Anand",
            "--time-control",
            "blitz,180+2,-",
            "--result",
            "1-0,1/2-1/2",
        ]);
        let choice = given.expect("options").filter(&[], 1);
        assert_eq!(
            *choice.games_of,
            ["Carlsen, Magnus", "Anand"].map(NameMatcher::new),
            "a comma is part of a name"
        );
        assert_eq!(choice.time_control.len(), 3);
        assert_eq!(choice.result, [GameResult::WhiteWins, GameResult::Draw]);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for bad in [
            &["--games-of", ""][..],
            &["--since", "spring"],
            &["--result", "2-0"],
            &["--sample", "0"],
            &["--sample", "1.5"],
            &["--max-games", "0"],
            &["--min-elo", "-1"],
            &["--time-control", "blitz,"],
        ] {
            assert!(args(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn choices_that_leave_nothing_are_a_problem() {
        for (options, fine) in [
            (&["--min-elo", "2000", "--max-elo", "2000"][..], true),
            (&["--min-elo", "2001", "--max-elo", "2000"], false),
            (&["--since", "2013-03", "--until", "2013"], true),
            (&["--since", "2013", "--until", "2013-03"], true),
            (&["--since", "2014", "--until", "2013-03"], false),
        ] {
            assert_eq!(args(options).expect("options").problem().is_none(), fine, "{options:?}");
        }
    }
}
