//! Answers to mistakes on the command line: the nearest word, the command that has an option, the right address.

use std::{error::Error, fs, num::ParseIntError, path::Path};

use clap::{Arg, Command, error::ContextKind, error::ContextValue};

use crate::base::{output::now, text::printable};
use crate::verbs::{deep::is_fen, error::ErrorKind, error::VerbError, help::EXAMPLES};

/// Smallest similarity at which a word counts as misspelled. Equal words have the similarity 1.
const NEARLY: f64 = 0.85;

/// Returns the text that follows an error and its hint; empty for most errors. Without input, the text has
/// examples. For a missing file, it has the command that downloads an address or analyzes a FEN, a similar
/// file or command, or the note that no such command exists.
pub fn afterword(error: &VerbError, program: &Command, words: &[String]) -> String {
    match error.kind() {
        ErrorKind::NoInput => format!("\n\n{}", EXAMPLES.trim_end()),
        ErrorKind::NotFound(address) if address.contains("://") => format!(": {}", download(address)),
        ErrorKind::NotFound(word) if is_fen(word) => {
            "; to analyze a position, write gainalyze deep \"FEN\", with the whole FEN in quotes".to_owned()
        }
        // The first word may be a file or a command.
        ErrorKind::NotFound(word) => match (nearest_verb(word, program), nearest_file(word)) {
            (Some(verb), _) if !word.contains('.') => {
                format!("; did you mean the command 'gainalyze {verb}'?")
            }
            (_, Some(file)) => format!("; did you mean {}?", printable(&file)),
            _ if words.first() == Some(word) && !word.contains(['.', '/']) => {
                ", and no command has this name; gainalyze -h lists the commands".to_owned()
            }
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// Returns the command that downloads the PGN behind an address and analyzes it. Pages of lichess and
/// chess.com have other addresses for their PGN.
fn download(address: &str) -> String {
    let (server, path) = address
        .split_once("://")
        .map_or(("", address), |(_, rest)| rest.split_once('/').unwrap_or((rest, "")));
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let parts: Vec<&str> = path.split('/').collect();
    let month = now::<chrono::Utc>().format("%Y/%m");
    let from = |address: &str, verb: &str| {
        format!("this is an address; download it first, as in curl -sL '{address}' | gainalyze {verb}")
    };
    let of_lichess = |path: String| from(&format!("https://lichess.org/{path}"), "-");
    match (server.trim_start_matches("www."), parts.as_slice()) {
        ("lichess.org", ["@", name, ..]) => from(
            &format!("https://lichess.org/api/games/user/{name}?evals=true&clocks=true&opening=true&max=200"),
            &format!("player {name} -"),
        ),
        ("lichess.org", ["study", study, ..]) => of_lichess(format!("api/study/{study}.pgn")),
        ("lichess.org", ["broadcast", .., round]) => of_lichess(format!("api/broadcast/round/{round}.pgn")),
        ("lichess.org", [game] | [game, "white" | "black"])
            if game.is_ascii() && (8..=12).contains(&game.len()) =>
        {
            of_lichess(format!("game/export/{}?evals=true&clocks=true", &game[..8]))
        }
        ("chess.com", ["member", name, ..] | ["games", "archive", name, ..]) => from(
            &format!("https://api.chess.com/pub/player/{name}/games/{month}/pgn"),
            &format!("player {name} -"),
        ),
        ("chess.com", _) => format!(
            "chess.com has no address for the PGN of one game: on the game's page choose Share, PGN, Download, and name \
             the file; or read a player's month: curl -sL 'https://api.chess.com/pub/player/NAME/games/{month}/pgn' \
             | gainalyze player NAME -"
        ),
        _ => from(address, "-"),
    }
}

fn nearest_verb(word: &str, program: &Command) -> Option<String> {
    nearest(word, program.get_subcommands().map(|verb| verb.get_name().to_owned()))
}

/// Returns the path of a file or folder next to a missing one, with a similar name.
fn nearest_file(missing: &str) -> Option<String> {
    let path = Path::new(missing);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?.flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let name = nearest(&path.file_name()?.to_string_lossy(), names)?;
    Some(path.with_file_name(name).display().to_string())
}

/// Returns the name that is most like `word`; `None` if no name is similar.
fn nearest(word: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let likeness = |name: &String| strsim::jaro_winkler(name, word);
    let nearest = names.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(&nearest) >= NEARLY).then_some(nearest)
}

/// Returns an error of the command line in plainer words, with the usage of its command. For an invalid number,
/// it gives the accepted range; for an unknown option, it names a similar option or the commands that have the
/// option. Other errors are returned unchanged.
pub fn explained(error: clap::Error, mut program: Command, words: &[String]) -> clap::Error {
    program.build();
    let typed = words.iter().filter(|word| !word.starts_with('-'));
    let down = typed.scan(&program, |at, word| {
        *at = at.find_subcommand(word)?;
        Some(*at)
    });
    let mut command = down.last().unwrap_or(&program).clone();
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let taken_for_command = text(ContextKind::InvalidSubcommand);
    let Some(argument) = text(ContextKind::InvalidArg).or_else(|| taken_for_command.clone()) else {
        return error;
    };
    let message = match error.kind() {
        clap::error::ErrorKind::ValueValidation => {
            let (value, accepted) = (text(ContextKind::InvalidValue), accepted(&error));
            value.zip(accepted).map(|(value, accepted)| {
                format!("invalid value '{}' for '{argument}': write {accepted}", printable(&value))
            })
        }
        clap::error::ErrorKind::UnknownArgument => Some(unknown(&argument, &command, &program, words)),
        _ if command.get_name() == "deep" && taken_for_command.is_some() => Some(
            "'gainalyze deep' takes one file, or one FEN in quotes; moves follow --moves, as in gainalyze deep --moves \"e4 e5 Nf3\""
                .to_owned(),
        ),
        _ => None,
    };
    match message {
        Some(message) => command.error(error.kind(), message),
        None => error,
    }
}

/// Returns the range of numbers that an option accepts, taken from clap's error message; `None` if the error
/// is not about a whole number.
fn accepted(error: &clap::Error) -> Option<String> {
    let cause = error.source()?;
    let said = cause.to_string();
    let Some((_, range)) = said.split_once(" is not in ") else {
        return cause.is::<ParseIntError>().then(|| "a whole number".to_owned());
    };
    let (least, most) = range.split_once("..")?;
    let most = most.trim_start_matches('=');
    let is_limit = most.is_empty() || most.parse::<u64>().is_ok_and(|most| most >= u64::from(u32::MAX));
    Some(match is_limit {
        true => format!("a whole number, {} or more", if least.is_empty() { "0" } else { least }),
        false => format!("a whole number from {least} to {most}"),
    })
}

/// Hints for options of other commands or programs: the command, the option without its dashes, and the hint.
const HINTS: [(&str, &str, &str); 2] = [
    (
        "rate",
        "depth",
        "; rate searches to the depth of the calibration; for another depth, write gainalyze games.pgn --depth N",
    ),
    ("spar", "elo", "; did you mean '--level'?"),
];

/// Returns the message for an unknown option or argument of `command`. If possible, it names a similar command
/// or option, or the commands that have the option.
fn unknown(option: &str, command: &Command, program: &Command, words: &[String]) -> String {
    let name = command.get_bin_name().unwrap_or("gainalyze");
    let is_main = command.get_name() == program.get_name();
    let first = words.iter().find(|word| !word.starts_with('-'));
    let misspelled = first.filter(|word| is_main && !Path::new(word).exists());
    if let Some((word, verb)) = misspelled.and_then(|word| Some((word, nearest_verb(word, program)?))) {
        return format!("no command '{}': did you mean 'gainalyze {verb}'?", printable(word));
    }
    let shown = printable(option);
    if !option.starts_with('-') {
        let needed = command.get_arguments().find(|arg| arg.is_required_set() && !arg.is_positional());
        let hint = needed.and_then(Arg::get_long).map(|needed| format!("; did you mean --{needed} {shown}?"));
        return format!("'{name}' takes no file or name here: '{shown}'{}", hint.unwrap_or_default());
    }
    let long = option.trim_start_matches('-');
    let longs = |command: &Command| {
        command.get_arguments().filter_map(Arg::get_long).map(str::to_owned).collect::<Vec<_>>()
    };
    let known = HINTS.iter().find(|(of, typed, _)| (*of, *typed) == (command.get_name(), long));
    let (own, any) =
        (nearest(long, longs(command).into_iter()), nearest(long, program.get_subcommands().flat_map(longs)));
    let hint = match (known, own, any) {
        (Some((.., hint)), ..) => (*hint).to_owned(),
        (_, Some(own), any) if !is_main || any.as_deref() != Some(long) => {
            format!("; did you mean '--{own}'?")
        }
        (.., Some(any)) => {
            let having = program.get_subcommands().filter(|verb| longs(verb).contains(&any));
            let having: Vec<&str> = having.map(Command::get_name).collect();
            format!("; commands that have --{any}: {}", having.join(", "))
        }
        _ => format!("; {name} --help lists its options"),
    };
    format!("'{name}' has no option '{shown}'{hint}")
}
