//! Owns the choosing of games as they are read, and what is said of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::{CmdError, console::Console};
use crate::{
    archive::{CountOptions, Grouping},
    choice::{Aliases, Date, Duplicates, Fingerprint, GameFilter, GameTally, Headers, Refusal},
    cli::ChoiceArgs,
    formats::facts::ChoiceFacts,
    game::Game,
    pgn,
    text::{brief, counted, path_text, printable},
};

/// Duplicates that are named one by one.
const NAMED: usize = 5;

/// What the user wants of the games.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    choice: GameFilter,
    aliases: Aliases,
    max_games: Option<u64>,
    keep_duplicates: bool,
    strict: bool,
}

impl Wish {
    /// That of a command line.
    pub fn of(args: &ChoiceArgs, seed: u64) -> Result<Wish, CmdError> {
        args.problem().map_or(Ok(()), |problem| Err(CmdError::Usage(problem)))?;
        Ok(Wish {
            choice: args.choice(seed),
            aliases: args.aliases.as_deref().map(read_aliases).transpose()?.unwrap_or_default(),
            max_games: args.max_games,
            keep_duplicates: args.keep_duplicates,
            strict: false,
        })
    }

    /// The same, to stop at the first game that cannot be read, or not.
    pub fn strictly(self, strict: bool) -> Wish {
        Wish { strict, ..self }
    }

    /// All games that there are, copies too, with the names that count.
    pub fn everything(&self) -> Wish {
        Wish { aliases: self.aliases.clone(), keep_duplicates: true, ..Wish::default() }
    }

    /// The same as terms of an archive's counts, which are grouped `by`.
    pub fn terms(&self, by: Grouping) -> CountOptions {
        CountOptions {
            choice: self.choice.clone(),
            aliases: self.aliases.clone(),
            max_games: self.max_games,
            keep_duplicates: self.keep_duplicates,
            ..CountOptions::new(by)
        }
    }

    /// Each choice in force, in words.
    fn names(&self) -> Vec<String> {
        self.choice.names(self.max_games)
    }
}

fn read_aliases(path: &Path) -> Result<Aliases, CmdError> {
    let shown = path_text(&path.to_string_lossy());
    let bytes = fs::read(path)
        .map_err(|error| CmdError::Usage(format!("--aliases {shown}: cannot be read: {error}")))?;
    Aliases::parse(&pgn::decode(bytes))
        .map_err(|error| CmdError::Usage(format!("--aliases {shown}: {error}")))
}

/// The games of one report as they are chosen.
#[derive(Debug)]
pub struct Chooser<'a> {
    wish: &'a Wish,
    seen: Duplicates,
    chosen: Chosen,
}

/// What came of choosing.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    /// How many games there were of each kind; those that cannot be read are none of them.
    pub tally: GameTally,
    /// The choices in force, in words.
    names: Vec<String>,
    /// The first games that were there again.
    again: Vec<String>,
    /// What the games have for which they were refused.
    refused: BTreeMap<Refusal, Had>,
    /// Whether there is more that was not read, the games being enough.
    ended_early: bool,
}

impl<'a> Chooser<'a> {
    /// One that has seen no game.
    pub fn new(wish: &'a Wish) -> Chooser<'a> {
        let chosen = Chosen { names: wish.names(), ..Chosen::default() };
        Chooser { wish, seen: Duplicates::new(), chosen }
    }

    /// Whether a game with such tags is worth reading.
    pub fn wants(&mut self, headers: &Headers<'_>) -> bool {
        let enough = || self.has_enough().then_some(Refusal::MaxGames);
        let refusal = self.wish.choice.refusal(headers).or_else(enough);
        if let Some(refusal) = refusal {
            self.chosen.tally.refuse(refusal);
            self.chosen.refused.entry(refusal).or_default().note(refusal, headers);
        }
        refusal.is_none()
    }

    /// Whether no more games are taken, whatever they are.
    pub fn has_enough(&self) -> bool {
        self.wish.max_games.is_some_and(|most| self.chosen.tally.chosen >= most)
    }

    /// Notes that the rest is not read, so that nobody knows how many games there are behind those that are
    /// enough.
    pub fn end_early(&mut self) {
        self.chosen.ended_early = true;
        self.chosen.tally.refused.remove(&Refusal::MaxGames);
    }

    /// Whether a game that was read is taken.
    pub fn takes(&mut self, game: &Game) -> bool {
        let fingerprint = Fingerprint::of(game);
        let tally = &mut self.chosen.tally;
        if !self.wish.choice.sampled(fingerprint) {
            tally.refuse(Refusal::Sample);
        } else if !self.wish.keep_duplicates && !self.seen.is_new(fingerprint) {
            tally.duplicates += 1;
            if self.chosen.again.len() < NAMED {
                self.chosen.again.push(game.title());
            }
        } else {
            tally.chosen += 1;
            return true;
        }
        false
    }

    /// The names that count.
    pub fn aliases(&self) -> &'a Aliases {
        &self.wish.aliases
    }

    /// Whether a game that cannot be read ends the reading.
    pub fn is_strict(&self) -> bool {
        self.wish.strict
    }

    /// What came of it.
    pub fn finish(self) -> Chosen {
        self.chosen
    }
}

impl Chosen {
    /// Tells how many games were chosen, where not all were; of which report, where there are several.
    pub fn say(&self, report: Option<&str>, console: &Console) {
        let of = report.map_or(String::new(), |name| format!("{}: ", printable(name)));
        if !self.names.is_empty() {
            let rest = if self.ended_early { "; the rest was not read (--max-games)" } else { "" };
            console.note(&format!("{of}{}{rest}", self.tally));
        }
        let GameTally { duplicates, .. } = self.tally;
        if duplicates > 0 {
            let more = duplicates - self.again.len() as u64;
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            let games = if duplicates == 1 { "1 game is" } else { &format!("{duplicates} games are") };
            console.note(&format!(
                "{of}{games} there again, with the same players, date and moves, and counted once (--keep-duplicates \
                 counts each): {}{more}",
                self.again.join("; ")
            ));
        }
    }

    /// Why no game was chosen, and what the games have.
    pub fn nothing_fits(&self) -> String {
        let refused = self.tally.refused.iter().map(|(refusal, games)| {
            let had = self.refused.get(refusal).map(Had::in_words).unwrap_or_default();
            format!("{refusal} refuses {games}{had}")
        });
        let refused: Vec<String> = refused.collect();
        format!("no game fits; of {}, {}", counted(self.tally.games(), "game"), refused.join(", "))
    }

    /// The same for the report; `None` where every game was taken without being asked anything.
    pub fn facts(&self) -> Option<ChoiceFacts> {
        let GameTally { chosen, refused, duplicates } = &self.tally;
        let silent = self.names.is_empty() && refused.is_empty() && *duplicates == 0;
        (!silent).then(|| ChoiceFacts {
            choices: self.names.clone(),
            chosen: *chosen,
            not_chosen: refused.iter().map(|(refusal, games)| (refusal.to_string(), *games)).collect(),
            duplicates: *duplicates,
        })
    }
}

/// What games have of that for which they were refused.
#[derive(Debug, Clone, Default)]
struct Had {
    /// The lowest and the highest rating.
    elo: Option<(u32, u32)>,
    /// The first and the last date; of two that may be the same day, the first that was seen.
    dates: Option<(Date, Date)>,
    /// Names, a few of them.
    names: BTreeSet<String>,
}

/// Names that are given as examples.
const EXAMPLES: usize = 5;

impl Had {
    fn note(&mut self, refusal: Refusal, headers: &Headers<'_>) {
        match refusal {
            Refusal::GamesOf | Refusal::Player => self.add_names([headers.white, headers.black]),
            Refusal::MinElo | Refusal::MaxElo => {
                for elo in headers.elo.into_iter().flatten() {
                    let (low, high) = self.elo.unwrap_or((elo, elo));
                    self.elo = Some((low.min(elo), high.max(elo)));
                }
            }
            Refusal::Since | Refusal::Until => {
                if let Some(date) = headers.date {
                    let (first, last) = self.dates.unwrap_or((date, date));
                    self.dates = Some((
                        if first.is_after(date) { date } else { first },
                        if date.is_after(last) { date } else { last },
                    ));
                }
            }
            Refusal::Event => self.add_names(headers.event),
            Refusal::TimeControl => self.add_names(headers.time_control),
            Refusal::Result => self.add_names([headers.result.to_string().as_str()]),
            Refusal::Sample | Refusal::MaxGames => {}
        }
    }

    fn add_names<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) {
        for name in names {
            if self.names.len() < EXAMPLES && !self.names.contains(name) {
                self.names.insert(name.to_owned());
            }
        }
    }

    /// In brackets, with a space before them; nothing where nothing is known.
    fn in_words(&self) -> String {
        match (self.elo, self.dates) {
            (Some((low, high)), _) if low == high => format!(" (with an Elo of {low})"),
            (Some((low, high)), _) => format!(" (with Elos from {low} to {high})"),
            (_, Some((first, last))) if first == last => format!(" (of {first})"),
            (_, Some((first, last))) => format!(" (from {first} to {last})"),
            _ if self.names.is_empty() => String::new(),
            _ => {
                let names: Vec<String> =
                    self.names.iter().map(|name| format!("\"{}\"", brief(name))).collect();
                format!(" (with {})", names.join(", "))
            }
        }
    }
}
