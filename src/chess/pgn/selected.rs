//! [`read_selected`]: reads the games that fit a [`Selection`].

use std::{collections::BTreeMap, ops::ControlFlow, path::Path};

use thiserror::Error;

use super::{
    bad::{BadGame, BadGameReason},
    file_fault::{FileCount, FileFault, TornFile},
    read::GameReader,
    stream::{BlockMark, GameBlock, StreamContent, StreamPart},
};
use crate::chess::{
    choice::{Fingerprint, GameTally, Headers, People, Refusal, Seen, Selection, Selector, near_copies},
    first_few::FirstFew,
    game::{Game, GameSource},
};

#[derive(Debug, Default)]
pub struct SelectedGames {
    /// The games taken, in the order of the files. The numbers of these games also count games that were not
    /// taken.
    pub games: Vec<Game>,
    pub bad: FirstFew<BadGame>,
    pub read: usize,
    /// Numbers of chosen games, refused games and copies. Unreadable games are not included.
    pub tally: GameTally,
    /// Titles of the first few copies that were left out.
    pub copies: Vec<String>,
    /// Titles of the games that were left out as near copies of other games.
    pub near: Vec<String>,
    pub refused: BTreeMap<Refusal, Seen>,
    /// The players with FIDE ids in the games taken, and in the games refused because of their players.
    pub people: People,
    pub ended_early: bool,
    pub is_open: bool,
    /// Files that could not be read to their end, but have at least one game.
    pub torn: Vec<TornFile>,
    pub useless: Vec<FileFault>,
}

#[derive(Debug, Error)]
pub enum StrictFault {
    #[error(transparent)]
    Game(#[from] Box<BadGame>),
    #[error(transparent)]
    Torn(#[from] TornFile),
    #[error(transparent)]
    File(#[from] FileFault),
}

/// Reads the games of `files` that fit `selection`, with `jobs` workers. The number of workers does not
/// affect the result.
///
/// The result also lists unreadable games, incomplete files, and files without games. If the selection is
/// strict, the first of these faults is returned as the error. Reading ends early when the requested number of games
/// is taken.
#[cfg(feature = "program")]
pub fn read_selected(
    files: &[std::path::PathBuf],
    selection: &Selection,
    jobs: std::num::NonZeroUsize,
) -> Result<SelectedGames, StrictFault> {
    let mut taking = GameTaker::new(selection);
    let read = |block: GameBlock<'_>| read_block(block, selection);
    match super::stream(files, selection.encoding, jobs, read, |part| taking.take_part(part)) {
        ControlFlow::Break(Some(fault)) => Err(fault),
        ControlFlow::Break(None) | ControlFlow::Continue(()) => Ok(taking.finish()),
    }
}

/// Reads the games of `text` that fit `selection`. The result names the text `name`.
pub fn select(name: &str, text: &str, selection: &Selection) -> SelectedGames {
    let mut taking = GameTaker::new(selection);
    let block = read_block(GameBlock::Games { text, torn: false }, selection);
    for content in [StreamContent::Block(block), StreamContent::End] {
        let (file, mark) = (Path::new(name), BlockMark::default());
        if taking.take_part(StreamPart { file, index: 0, taken: 0, mark, content }).is_break() {
            break;
        }
    }
    taking.finish()
}

/// Number of copies that are named individually.
const NAMED: usize = 5;

#[derive(Default)]
struct ReadBlock {
    games: Vec<ReadGame>,
    refused: BTreeMap<Refusal, Seen>,
    people: People,
    blank: bool,
    open: bool,
}

enum ReadGame {
    Refused(Refusal),
    Bad(Box<BadGame>),
    /// A game that fits, with its fingerprint if it can identify copies.
    Fits(Box<Game>, Option<Fingerprint>),
}

/// Reads the games of a block. Steps that depend on the games of earlier blocks follow in [`GameTaker`].
fn read_block(block: GameBlock<'_>, selection: &Selection) -> ReadBlock {
    let unseen = |reason| ReadGame::Bad(Box::new(BadGame::unseen(GameSource::default(), reason)));
    let mut read = ReadBlock::default();
    let GameBlock::Games { text, torn } = block else {
        read.games.push(unseen(BadGameReason::TooLarge));
        return read;
    };
    read.blank = text.trim().is_empty();
    let mut games = GameReader::new(text, "").of_selection(selection);
    while let Some(game) = games.next_wanted(|headers| read.wants(headers, selection)) {
        read.games.push(match game {
            _ if torn && games.is_open() => unseen(BadGameReason::CutOff),
            Err(bad) => ReadGame::Bad(Box::new(bad)),
            Ok(game) => {
                let fingerprint = Fingerprint::of(&game);
                match selection.filter.sampled(fingerprint) {
                    true => {
                        let copies = fingerprint.of_copies(&Headers::of_game(&game), game.moves.len());
                        ReadGame::Fits(Box::new(game), copies)
                    }
                    false => ReadGame::Refused(Refusal::Sample),
                }
            }
        });
    }
    read.open = selection.growing && games.passed() > 0 && games.is_open();
    read
}

impl ReadBlock {
    fn wants(&mut self, headers: &Headers<'_>, selection: &Selection) -> bool {
        let refusal = selection.filter.refusal(headers);
        if let Some(refusal) = refusal {
            self.games.push(ReadGame::Refused(refusal));
            self.refused.entry(refusal).or_default().note(refusal, headers);
        }
        if matches!(refusal, None | Some(Refusal::GamesOf)) {
            self.people.note(headers);
        }
        refusal.is_none()
    }
}

/// Facts about a game already taken, for comparison with its copies.
#[derive(Debug, Clone, Copy)]
struct TakenGame {
    place: usize,
    evaluations: usize,
}

/// Takes the games of the blocks in the order of the files, without copies.
struct GameTaker {
    strict: bool,
    keep_duplicates: bool,
    selector: Selector<TakenGame>,
    games: Vec<Option<Game>>,
    file: FileCount,
    selected: SelectedGames,
}

/// The control flow of reading. It breaks with a fault in strict mode, or without a fault when the requested
/// number of games is taken.
type Flow = ControlFlow<Option<StrictFault>>;

impl GameTaker {
    fn new(selection: &Selection) -> GameTaker {
        GameTaker {
            strict: selection.strict,
            keep_duplicates: selection.keep_duplicates,
            selector: Selector::new(selection),
            games: Vec::new(),
            file: FileCount::default(),
            selected: SelectedGames::default(),
        }
    }

    fn take_part(&mut self, part: StreamPart<'_, ReadBlock>) -> Flow {
        let StreamPart { file, index, content, .. } = part;
        self.file.enter(index);
        // The end of a partly read file is not a remaining part of the input.
        let is_rest = !matches!(content, StreamContent::End) || self.file.games == 0;
        if self.selector.has_enough() && is_rest {
            self.end_early();
            return ControlFlow::Break(None);
        }
        match content {
            StreamContent::Block(block) => return self.take_block(file, block),
            StreamContent::Failed(error) => self.file.fail(error),
            StreamContent::Torn(error) => {
                if let Some(torn) = self.file.tear(file, error) {
                    return self.note(torn, |selected, torn| selected.torn.push(torn));
                }
            }
            StreamContent::End => {
                if let Some(fault) = self.file.end(file) {
                    return self.note(fault, |selected, fault| selected.useless.push(fault));
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Records that reading ends early. Since the number of remaining games is unknown, the tally does not
    /// count them.
    fn end_early(&mut self) {
        self.selected.ended_early = true;
        self.selected.tally.refused.remove(&Refusal::MaxGames);
    }

    fn take_block(&mut self, path: &Path, block: ReadBlock) -> Flow {
        self.file.add_text(block.blank);
        self.selected.is_open |= block.open;
        self.selected.people.merge(&block.people);
        for (refusal, seen) in &block.refused {
            self.selected.refused.entry(*refusal).or_default().add(seen);
        }
        block.games.into_iter().try_for_each(|game| self.take_read(path, game))
    }

    fn take_read(&mut self, path: &Path, game: ReadGame) -> Flow {
        self.file.games += 1;
        self.selected.read += 1;
        let (number, ordinal) = (self.file.games, self.selected.read);
        let source = || GameSource { file: path.to_string_lossy().into_owned(), number, ordinal };
        let has_enough = self.selector.has_enough();
        match game {
            ReadGame::Bad(bad) if !has_enough => {
                let bad = Box::new(BadGame { source: source(), ..*bad });
                self.file.add_bad(&bad);
                return self.note(bad, |selected, bad| {
                    let kind = bad.reason.kind();
                    selected.bad.add(*bad, kind);
                });
            }
            ReadGame::Fits(game, copies) if !has_enough => {
                self.take_game(Game { source: source(), ..*game }, copies);
            }
            ReadGame::Refused(refusal) => self.selected.tally.refuse(refusal),
            ReadGame::Fits(..) | ReadGame::Bad(_) => self.selected.tally.refuse(Refusal::MaxGames),
        }
        self.file.add_readable();
        ControlFlow::Continue(())
    }

    /// Takes a game. Of a game and its copy, only the game with more evaluations is kept, or the earlier game
    /// if the numbers are equal.
    fn take_game(&mut self, game: Game, copies: Option<Fingerprint>) {
        let evaluations = game.moves.iter().filter(|played| played.eval.is_some()).count();
        let this = TakenGame { place: self.games.len(), evaluations };
        let copy = match self.selector.take(copies, this) {
            None => {
                self.selected.tally.chosen += 1;
                self.games.push(Some(game));
                return;
            }
            Some(earlier) if earlier.evaluations < evaluations => {
                copies.into_iter().for_each(|game| self.selector.replace(game, this));
                self.games.push(Some(game));
                self.games[earlier.place].take()
            }
            Some(_) => Some(game),
        };
        self.selected.tally.duplicates += 1;
        if self.selected.copies.len() < NAMED {
            self.selected.copies.extend(copy.map(|copy| copy.title()));
        }
    }

    /// Records a fault of a game or a file. In strict mode, breaks with the fault instead, which ends the
    /// reading.
    fn note<F: Into<StrictFault>>(&mut self, fault: F, add: impl FnOnce(&mut SelectedGames, F)) -> Flow {
        if self.strict {
            return ControlFlow::Break(Some(fault.into()));
        }
        add(&mut self.selected, fault);
        ControlFlow::Continue(())
    }

    /// Returns the games. Of games that are nearly equal, only one is kept: see [`near_copies`].
    fn finish(self) -> SelectedGames {
        let (mut games, mut selected) = (self.games.into_iter().flatten().collect::<Vec<_>>(), self.selected);
        if !self.keep_duplicates {
            let left_out = near_copies(&games);
            selected.near = left_out.iter().map(|&place| games[place].title()).collect();
            selected.tally.chosen -= left_out.len() as u64;
            selected.tally.duplicates += left_out.len() as u64;
            let mut places = 0..;
            games.retain(|_| places.next().is_none_or(|place| left_out.binary_search(&place).is_err()));
        }
        SelectedGames { games, ..selected }
    }
}
