//! Reading of the games in a plan's files, by tournament, and messages about them.

pub mod analyzed;
pub mod counting;
pub mod evaluated;
pub mod people;
pub mod recording;

use std::{collections::BTreeMap, path::Path, path::PathBuf};

use shakmaty::Color;

use crate::base::text::{brief, counted, first_of, games_path, printable, without_accents};
use crate::chess::{
    BadGame, FileFault, Fingerprint, FirstFew, FoundFiles, Game, GameTally, Headers, Refusal, RepairTally,
    Seen, SelectedGames, Selection, Selector, openings, pgn,
};
use crate::files::{ChoiceFacts, NameSuffix, UniqueNames};
use crate::measure::{Filter, PlayerNameError, archive, players};
use crate::verbs::{error, error::ErrorKind, error::VerbError, observer::Observer, plan::ReadingPlan};

/// The default folder of reports.
pub const REPORTS: &str = "reports";

/// The folder in [`REPORTS`] with published reports. A run writes into it only if the user names it.
const PUBLISHED: &str = "published";

/// Number of left-out games that are reported individually. `summary.json` lists more games.
pub const TOLD: usize = 10;

/// The games of one report, and the results of their selection.
#[derive(Debug, Clone, Default)]
pub struct Input {
    /// Name of the report: the file's name without its extension, or the result of [`name_together`] for
    /// several files.
    pub name: String,
    /// Readable games, in the order of the files.
    pub games: Vec<Game>,
    pub bad: FirstFew<BadGame>,
    /// Number of games in the files, unwanted ones included.
    pub read: usize,
    /// True if the files are still being written, and one ends with a game that may be incomplete.
    pub is_open: bool,
    /// Number of games by outcome of the selection. Unreadable games are not counted.
    tally: GameTally,
    /// The selection options in force, as text.
    choices: Vec<String>,
    /// The titles of the first few copies that were discarded.
    copies: Vec<String>,
    /// The titles of the games that were discarded because they are nearly equal to others.
    near: Vec<String>,
    /// Values of the refused games' tags, by reason of refusal.
    refused: BTreeMap<Refusal, Seen>,
    /// The error if all games are left out because they have no wanted player.
    unknown: Option<PlayerNameError>,
    /// True if reading stopped early because there were enough games.
    ended_early: bool,
}

impl Input {
    fn new(name: String, selected: SelectedGames, reading: &ReadingPlan) -> Input {
        let SelectedGames {
            mut games, bad, read, tally, copies, near, refused, ended_early, is_open, ..
        } = selected;
        games.iter_mut().for_each(|game| openings::name_by_url(&mut game.tags));
        let choices = reading.selection.names();
        reading.openings.iter().for_each(|names| games.iter_mut().for_each(|game| names.name(game)));
        let wanted = reading.selection.filter.games_of.first();
        let by_name = refused.get(&Refusal::GamesOf).filter(|_| games.is_empty() && tally.refused.len() == 1);
        let unknown = wanted.zip(by_name).map(|(wanted, seen)| players::unknown(seen.players(), wanted));
        Input { name, games, bad, read, is_open, tally, choices, copies, near, refused, unknown, ended_early }
    }

    /// Returns an input of games that belong to no file.
    pub fn of_games(name: String, games: Vec<Game>) -> Input {
        Input { name, read: games.len(), games, ..Input::default() }
    }

    pub fn folder(&self) -> PathBuf {
        Path::new(REPORTS).join(&self.name)
    }

    /// Returns the default folder of another result of the input. `what` is the end of the folder's name.
    pub fn folder_of(&self, what: &str) -> PathBuf {
        Path::new(REPORTS).join(format!("{}-{what}", self.name))
    }

    /// Returns the error if there is no game to analyze; `first` is the first file of the input.
    fn nothing_left(&self, first: &Path) -> Option<VerbError> {
        let unreadable = self.bad.first().first().map_or(String::new(), |bad| {
            format!("; {} cannot be read; the first is {bad}", counted(self.bad.count(), "game"))
        });
        let fault = || format!("{}: {}{unreadable}", games_path(first), self.nothing_fits());
        let most = || self.tally.refused.iter().max_by_key(|(_, games)| **games);
        self.games.is_empty().then(|| match most() {
            Some((&refusal, _)) if let Some(unknown) = &self.unknown => {
                let error = format!("{}: {unknown}{unreadable}", games_path(first));
                VerbError::new(error).of_kind(ErrorKind::NoneChosen(refusal))
            }
            Some((&refusal, _)) => VerbError::new(fault())
                .with_hint(error::widen(refusal))
                .of_kind(ErrorKind::NoneChosen(refusal)),
            None => VerbError::no_games(fault()),
        })
    }

    /// Reports the number of chosen games if options select games, the copies that are left out, repaired
    /// games, undated games, and a name in another encoding. The messages name the report if it is
    /// `one_of_several`.
    fn report_chosen(&self, one_of_several: bool, observer: &dyn Observer) {
        let of = if one_of_several { format!("{}: ", printable(&self.name)) } else { String::new() };
        if !self.choices.is_empty() {
            let rest =
                if self.ended_early { "; later games were not read, because of --max-games" } else { "" };
            observer.note(&format!("{of}{}{rest}", self.tally));
        }
        let mut repairs = RepairTally::default();
        self.games.iter().for_each(|game| repairs.add(game.repairs, || game.title()));
        repairs.sentences().for_each(|repaired| observer.note(&format!("{of}{repaired}")));
        let mut names = self.games.iter().flat_map(|game| Color::ALL.map(|color| game.player(color)));
        if let Some(name) = names.find(|name| is_garbled(name)) {
            observer.note(&format!(
                "{of}the name \"{}\" seems to be in another encoding; --encoding windows-1251 reads Russian names",
                brief(name)
            ));
        }
        for (refusal, seen) in self.refused.iter().filter(|(_, seen)| seen.undated > 0) {
            let games = counted(seen.undated, "game");
            observer.note(&format!("{of}{refusal} leaves out {games} of unknown or uncertain date"));
        }
        let near = self.near.len();
        let duplicates = self.tally.duplicates - near as u64;
        if duplicates > 0 {
            let more = duplicates - self.copies.len() as u64;
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            let games = match duplicates {
                1 => "1 game is a copy of another".to_owned(),
                _ => format!("{duplicates} games are copies of others"),
            };
            observer.note(&format!(
                "{of}{games} (same players, date and moves) and left out: {}{more}; \
                 --keep-duplicates counts every copy",
                self.copies.join("; ")
            ));
        }
        if near > 0 {
            let games = counted(near as u64, "game");
            observer.note(&format!(
                "{of}{games} joined with others (same players, event or date; the moves of one begin the other) and \
                 left out: {}; --keep-duplicates counts every game",
                first_of(people::TOLD, &self.near, "; ")
            ));
        }
    }

    fn nothing_fits(&self) -> String {
        let refused = self.tally.refused.iter().map(|(refusal, games)| {
            let had = self.refused.get(refusal).map(Seen::to_string).unwrap_or_default();
            format!("{games} by {refusal}{had}")
        });
        let refused: Vec<String> = refused.collect();
        format!(
            "no game fits; the options leave out {}: {}",
            counted(self.tally.games(), "game"),
            refused.join(", ")
        )
    }

    /// Returns the results of the selection for the report; `None` if no option selects games and there are
    /// no copies.
    pub fn choice(&self) -> Option<ChoiceFacts> {
        ChoiceFacts::of(&self.tally, self.choices.clone())
    }
}

/// Reads every file before any other work. All files are one tournament, unless the user wants them
/// separately. Of each tournament, takes the games that `reading` selects. A tournament without games is left
/// out, or is an error if there is no other.
pub fn read(
    pgn: &[PathBuf],
    separately: bool,
    reading: &ReadingPlan,
    observer: &dyn Observer,
) -> Result<Vec<Input>, VerbError> {
    if !separately {
        return Ok(vec![read_together(pgn, reading, observer)?]);
    }
    let (mut some, mut none) = (Vec::new(), Vec::new());
    for path in files(pgn, reading.selection.strict, observer)? {
        let input = match read_one(&path, reading, observer)? {
            Ok(input) => input,
            Err(fault) => {
                none.push(fault.into());
                continue;
            }
        };
        match input.nothing_left(&path) {
            None => {
                input.report_chosen(true, observer);
                some.push(input);
            }
            Some(error) => none.push(error),
        }
    }
    if some.is_empty() {
        return Err(none.remove(0));
    }
    none.iter().for_each(|error| observer.warn(&passed_over(error)));
    // A game of two events would count as two independent games.
    let mut some = without_copies(some, &reading.selection, observer);
    people::name_players(&mut some, reading, observer);
    warn_of_unmet(&some, reading, observer);
    Ok(with_different_names(some))
}

/// Removes and reports copies of earlier games, unless `selection` keeps copies. Then removes the inputs that
/// have no games.
pub fn without_copies(inputs: Vec<Input>, selection: &Selection, observer: &dyn Observer) -> Vec<Input> {
    let mut selector = Selector::new(selection);
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    let mut kept = Vec::new();
    for (place, mut input) in inputs.into_iter().enumerate() {
        let all = input.games.len();
        let mut first = None;
        input.games.retain(|game| {
            let copies = Fingerprint::of(game).of_copies(&Headers::of_game(game), game.moves.len());
            let earlier = selector.take(copies, place);
            first = first.or(earlier);
            earlier.is_none()
        });
        if let Some(first) = first {
            let copies = (all - input.games.len()) as u64;
            observer.warn(&format!(
                "{}: {} left out, copied from earlier games (same players, date and moves; the first is in {}); \
                 --keep-duplicates counts every copy",
                printable(&input.name),
                counted(copies, "game"),
                printable(&names[first])
            ));
        }
        if !input.games.is_empty() {
            kept.push(input);
        }
    }
    kept
}

impl Input {
    /// Returns the games of each event with the event's name, in alphabetical order. Each input is called after its event. Events
    /// without any move are left out.
    pub fn by_event(self) -> Vec<(String, Input)> {
        let mut events: BTreeMap<String, Vec<Game>> = BTreeMap::new();
        for game in self.games {
            events.entry(archive::event_of_game(&game).to_string()).or_default().push(game);
        }
        let is_bare = |games: &Vec<Game>| games.iter().all(|game| game.moves.is_empty());
        let bare: Vec<String> =
            events.iter().filter(|(_, games)| is_bare(games)).map(|(event, _)| event.clone()).collect();
        for event in bare {
            let games = events.remove(&event).unwrap_or_default();
            // A forfeit shows no clock, so its event's name may lack the speed.
            let timed = events.iter_mut().find(|(name, _)| name.starts_with(&format!("{event} (")));
            timed.into_iter().for_each(|(_, others)| {
                others.extend(games.iter().cloned());
                others.sort_by_key(|game| game.source.ordinal);
            });
        }
        let mut names = UniqueNames::new(NameSuffix::Hyphen);
        let input = |(event, games): (String, Vec<Game>)| {
            let name = names.take(&folder_name(&event));
            (
                event,
                Input { read: games.len(), name, games, choices: self.choices.clone(), ..Input::default() },
            )
        };
        events.into_iter().map(input).collect()
    }
}

/// Returns an event's name as the name of a folder: letters and digits, with hyphens between the words.
fn folder_name(event: &str) -> String {
    let plain = without_accents(event, true).to_lowercase();
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-");
    if name.is_empty() { "event".to_owned() } else { name.chars().take(LONGEST_NAME).collect() }
}

/// Length limit of the name of a folder.
const LONGEST_NAME: usize = 80;

/// Returns whether a name looks like letters of another alphabet read as Windows-1252: more than half of its letters,
/// and at least four, are accented.
fn is_garbled(name: &str) -> bool {
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let accented = name.chars().filter(|c| ('À'..='ÿ').contains(c)).count();
    accented >= 4 && 2 * accented > letters
}

/// Returns the games that `reading` selects from all files, as one tournament.
pub fn read_together(
    pgn: &[PathBuf],
    reading: &ReadingPlan,
    observer: &dyn Observer,
) -> Result<Input, VerbError> {
    let paths = files(pgn, reading.selection.strict, observer)?;
    let mut selected = people::read_games(&paths, reading, observer)?;
    if let ([_], Some(_)) = (paths.as_slice(), selected.useless.first()) {
        return Err(selected.useless.remove(0).into());
    }
    selected.torn.iter().for_each(|torn| observer.warn(&torn.to_string()));
    selected.useless.iter().for_each(|fault| observer.warn(&passed_over(fault)));
    if selected.useless.len() == paths.len() {
        return Err(VerbError::no_games(format!("none of the {} files has a readable game", paths.len())));
    }
    let mut input = Input::new(name_together(pgn), selected, reading);
    if let Some(error) = input.nothing_left(&paths[0]) {
        return Err(error);
    }
    input.report_chosen(false, observer);
    people::name_players(std::slice::from_mut(&mut input), reading, observer);
    warn_of_unmet([&input], reading, observer);
    Ok(input)
}

/// Warns of aliases and time controls that fit no game, unless reading ended early.
fn warn_of_unmet<'i>(
    inputs: impl IntoIterator<Item = &'i Input> + Clone,
    reading: &ReadingPlan,
    observer: &dyn Observer,
) {
    if inputs.clone().into_iter().any(|input| input.ended_early) {
        return;
    }
    let games = inputs.into_iter().flat_map(|input| &input.games).collect::<Vec<_>>();
    let tags = games.iter().map(|game| [game.tags.time_control(), game.tags.raw("TimeControl")]);
    let unmet = [reading.selection.unmet_aliases(), reading.selection.unmet_controls(tags)];
    unmet.iter().flatten().for_each(|words| observer.warn(words));
}

/// Returns the games that `reading` selects from one file, or the reason why there are none.
pub fn read_one(
    path: &Path,
    reading: &ReadingPlan,
    observer: &dyn Observer,
) -> Result<Result<Input, FileFault>, VerbError> {
    let mut selected = people::read_games(&[path.to_owned()], reading, observer)?;
    selected.torn.iter().for_each(|torn| observer.warn(&torn.to_string()));
    Ok(match selected.useless.pop() {
        Some(fault) => Err(fault),
        None => Ok(Input::new(name_of(path), selected, reading)),
    })
}

pub fn passed_over(fault: &(dyn std::error::Error + 'static)) -> String {
    format!("skipped: {}", crate::base::text::with_causes(fault))
}

/// Returns the files that `pgn` names, directly or by their folder; there is at least one. Unreadable files
/// are reported, or are an error if the reading is `strict`.
pub fn files(pgn: &[PathBuf], strict: bool, observer: &dyn Observer) -> Result<Vec<PathBuf>, VerbError> {
    if pgn.is_empty() {
        return Err(VerbError::no_input());
    }
    if pgn.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return Err(VerbError::new("standard input (-) can be read only once"));
    }
    let FoundFiles { files, passed_over: faults } = pgn::files(pgn)?;
    match faults.first() {
        Some(fault) if strict => return Err(VerbError::strict(crate::base::text::with_causes(fault))),
        _ => faults.iter().for_each(|fault| observer.warn(&passed_over(fault))),
    }
    Ok(files)
}

/// Fails if no move of any game passes the filters, before anything is searched.
pub fn check_counted(inputs: &[Input], filter: &Filter) -> Result<(), VerbError> {
    let filters = filter.names();
    let mut games = inputs.iter().flat_map(|input| &input.games);
    match filters.is_empty() || games.any(|game| filter.may_keep(game)) {
        true => Ok(()),
        false => Err(VerbError::new(format!("no move passes the filters: {}", filters.join("; ")))),
    }
}

pub fn warn_of_bad_games<'a>(inputs: impl IntoIterator<Item = &'a Input>, observer: &dyn Observer) {
    for bad in inputs.into_iter().map(|input| &input.bad) {
        let told = &bad.first()[..bad.first().len().min(TOLD)];
        told.iter().for_each(|bad| observer.warn(&format!("left out: {bad}")));
        bad.rest(told.len(), "game").iter().for_each(|rest| observer.warn(&format!("left out: {rest}")));
    }
}

/// Returns the name of the report of all files together: the name of the first file, and the number of the
/// other files.
pub fn name_together(paths: &[PathBuf]) -> String {
    let name = paths.first().map(|path| name_of(path)).unwrap_or_default();
    match paths.len() {
        0 | 1 => name,
        several => format!("{name}-and-{}-more", several - 1),
    }
}

/// Returns the file's name without folder and extension. A compressed file loses both extensions.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.strip_suffix(".pgn").unwrap_or(&stem);
    match stem {
        "-" => "stdin".to_owned(),
        // The published reports of this repository are in that folder. No run replaces them unless the user
        // names it.
        stem if stem.eq_ignore_ascii_case(PUBLISHED) => format!("{stem}-games"),
        // A name that consists of dots would lead out of the folder of reports.
        stem if stem.chars().all(|c| c == '.') => "games".to_owned(),
        stem => stem.to_owned(),
    }
}

fn with_different_names(mut files: Vec<Input>) -> Vec<Input> {
    let mut names = UniqueNames::new(NameSuffix::Hyphen);
    files.iter_mut().for_each(|file| file.name = names.take(&file.name));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Input {
        Input { name: name.to_owned(), ..Input::default() }
    }

    #[test]
    fn a_name_of_another_alphabet_is_noticed_and_accents_are_not() {
        assert!(is_garbled("Èâàíîâ, Ï¸òð") && is_garbled("Ïåòðîâ"));
        assert!(!["Ágústsson, Þór", "Müller, Jörg", "Éric"].into_iter().any(is_garbled));
    }

    #[test]
    fn a_report_is_called_after_its_file() {
        assert_eq!(name_of(Path::new("data/candidates-2013.pgn")), "candidates-2013");
        assert_eq!(name_of(Path::new("archive/2013-01.pgn.zst")), "2013-01");
        assert_eq!(name_of(Path::new("published.pgn")), "published-games");
        assert_eq!(name_of(Path::new("Published.pgn.gz")), "Published-games");
        assert_eq!(name_of(Path::new("-")), "stdin");
        assert_eq!(name_of(Path::new("data/...pgn")), "games");
        assert_eq!(name_together(&["x/a.pgn", "b.pgn", "c"].map(PathBuf::from)), "a-and-2-more");
    }

    #[test]
    fn two_files_of_one_name_get_two_folders() {
        let files = with_different_names(vec![named("round"), named("Round"), named("round-2")]);
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["round", "Round-2", "round-2-2"]);
    }
}
