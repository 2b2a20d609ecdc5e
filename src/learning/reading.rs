//! Owns the reading of decisions: games of any number stream by, and of those of each band the positions are kept.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use shakmaty::{ByColor, Color};

use super::{
    band::{BandGames, GameMark, RatingBand},
    decision::{Decision, DecisionPlan, Movers},
};
use crate::{
    archive::ArchiveProgress,
    choice::{Fingerprint, GameTally, Headers, RandomSample, Refusal, Selection, Selector},
    game::{Game, GameSource},
    pgn::{
        BadGame, BadGameReason, FileCount, FileFault, GameBlock, GameReader, StreamContent, StreamPart,
        TornFile, Unpacked, stream,
    },
};

/// What is read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadingPlan {
    /// Whose games.
    pub bands: Vec<RatingBand>,
    /// Whose decisions.
    pub movers: Movers,
    /// Which of a game's positions.
    pub decisions: DecisionPlan,
    /// Which games, whoever plays.
    pub selection: Selection,
    /// As many games of a band are taken.
    pub most_games: usize,
    /// The games that are held out.
    pub held_out: RandomSample,
}

/// What a reader hears of, in the order of the files.
#[derive(Debug)]
pub enum ReadingEvent {
    /// A game that cannot be read.
    Bad(Box<BadGame>),
    /// A file that breaks off.
    Torn(TornFile),
    /// A file that gives no game.
    Useless(FileFault),
    /// A block is done.
    Advanced(ArchiveProgress),
}

/// What was read.
#[derive(Debug, Clone)]
pub struct BandReading {
    /// The bands, in the order in which they were asked for.
    pub bands: Vec<BandGames>,
    /// How many games were taken, and what the others were refused for.
    pub tally: GameTally,
    /// Games that no player of a band played.
    pub outside: u64,
    /// Games of programs, which have the title BOT.
    pub robots: u64,
    /// Games that had no decision to take: too short, or of bands that have games enough.
    pub without_decision: u64,
    /// Games read.
    pub read: u64,
    /// Whether there is more that was not read, the games being enough.
    pub ended_early: bool,
}

/// Reads `files` by `jobs` workers, and tells `watch` what is in them. Nothing depends on the number of workers. Ends early
/// where that breaks, and where all bands have games enough.
pub fn read_bands<B: Send>(
    files: &[PathBuf],
    plan: &ReadingPlan,
    jobs: usize,
    watch: impl FnMut(ReadingEvent) -> ControlFlow<B> + Send,
) -> Result<BandReading, B> {
    let size = files.iter().map(|file| Unpacked::size_of(file).unwrap_or_default()).sum();
    let mut taking = Taking {
        plan,
        watch,
        selector: Selector::new(&plan.selection),
        file: FileCount::default(),
        progress: ArchiveProgress { size, ..ArchiveProgress::default() },
        reading: BandReading {
            bands: plan.bands.iter().map(|&band| BandGames::new(band)).collect(),
            tally: GameTally::default(),
            outside: 0,
            robots: 0,
            without_decision: 0,
            read: 0,
            ended_early: false,
        },
    };
    match stream(files, jobs, |block| read_block(block, plan), |part| taking.part(part)) {
        ControlFlow::Break(Some(end)) => Err(end),
        ControlFlow::Break(None) | ControlFlow::Continue(()) => Ok(taking.reading),
    }
}

/// What a game became, whose copies are not known yet.
enum ReadGame {
    Refused(Refusal),
    Outside,
    Robot,
    Bad(Box<BadGame>),
    Fits(Box<BandedGame>),
}

/// A game with a player of a band.
struct BandedGame {
    copies: Option<Fingerprint>,
    mark: GameMark,
    /// The decisions of each side that is in a band.
    sides: Vec<(usize, Vec<Decision>)>,
}

fn read_block(block: GameBlock<'_>, plan: &ReadingPlan) -> (Vec<ReadGame>, bool) {
    let unseen = |reason| ReadGame::Bad(Box::new(BadGame::unseen(GameSource::default(), reason)));
    let GameBlock::Games { text, torn } = block else {
        return (vec![unseen(BadGameReason::TooLarge)], false);
    };
    let mut games = GameReader::new(text, "").with_aliases(&plan.selection.aliases);
    let mut read = Vec::new();
    while let Some(game) = games.next_wanted(|headers| {
        let refusal = plan.refusal(headers);
        let is_wanted = refusal.is_none();
        read.extend(refusal);
        is_wanted
    }) {
        read.push(match game {
            _ if torn && games.is_open() => unseen(BadGameReason::CutOff),
            Err(bad) => ReadGame::Bad(Box::new(bad)),
            Ok(game) => plan.take(&game),
        });
    }
    (read, text.trim().is_empty())
}

impl ReadingPlan {
    /// Tells what speaks against a game with such tags.
    fn refusal(&self, headers: &Headers<'_>) -> Option<ReadGame> {
        let refused = self.selection.filter.refusal(headers).map(ReadGame::Refused);
        let is_banded = |color| self.band(headers.elo, color).is_some();
        refused.or_else(|| (!Color::ALL.into_iter().any(is_banded)).then_some(ReadGame::Outside))
    }

    /// Returns the band of a side whose decisions are taken.
    fn band(&self, elo: ByColor<Option<u32>>, color: Color) -> Option<usize> {
        RatingBand::find(&self.bands, (*elo.get(color)).filter(|_| self.movers.has(color))?)
    }

    fn take(&self, game: &Game) -> ReadGame {
        let is_robot = |tag| game.tags.get(tag).is_some_and(|title| title.eq_ignore_ascii_case("BOT"));
        let fingerprint = Fingerprint::of(game);
        if ["WhiteTitle", "BlackTitle"].into_iter().any(is_robot) {
            return ReadGame::Robot;
        } else if !self.selection.filter.sampled(fingerprint) {
            return ReadGame::Refused(Refusal::Sample);
        }
        let headers = Headers::of_game(game);
        let side = |color| Some((self.band(headers.elo, color)?, self.decisions.take(game, color)));
        ReadGame::Fits(Box::new(BandedGame {
            copies: fingerprint.of_copies(&headers, game.moves.len()),
            mark: GameMark { held_out: self.held_out.has(fingerprint) },
            sides: Color::ALL.into_iter().filter_map(side).collect(),
        }))
    }
}

/// Takes what was read, in the order of the files.
struct Taking<'a, W> {
    plan: &'a ReadingPlan,
    watch: W,
    selector: Selector,
    file: FileCount,
    progress: ArchiveProgress,
    reading: BandReading,
}

impl<B, W: FnMut(ReadingEvent) -> ControlFlow<B>> Taking<'_, W> {
    /// Breaks as the watch does, or with nothing where there are games enough.
    fn part(&mut self, part: StreamPart<'_, (Vec<ReadGame>, bool)>) -> ControlFlow<Option<B>> {
        let StreamPart { file, index, taken, content } = part;
        self.file.enter(index);
        match content {
            StreamContent::Block((games, is_blank)) => {
                self.file.add_text(is_blank);
                games.into_iter().try_for_each(|game| self.game(file, game))?;
                self.progress = ArchiveProgress { taken, games: self.reading.read, ..self.progress };
                return self.tell(ReadingEvent::Advanced(self.progress));
            }
            StreamContent::Failed(error) => self.file.fail(error),
            StreamContent::Torn(error) => {
                if let Some(torn) = self.file.tear(file, error) {
                    return self.tell(ReadingEvent::Torn(torn));
                }
            }
            StreamContent::End => {
                if let Some(fault) = self.file.end(file) {
                    return self.tell(ReadingEvent::Useless(fault));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn game(&mut self, file: &Path, game: ReadGame) -> ControlFlow<Option<B>> {
        if self.has_enough() {
            self.reading.ended_early = true;
            return ControlFlow::Break(None);
        }
        self.file.games += 1;
        self.reading.read += 1;
        match game {
            ReadGame::Bad(bad) => {
                let (number, ordinal) = (self.file.games, self.reading.read as usize);
                let source = GameSource { file: file.to_string_lossy().into_owned(), number, ordinal };
                let bad = Box::new(BadGame { source, ..*bad });
                self.file.add_bad(&bad);
                return self.tell(ReadingEvent::Bad(bad));
            }
            ReadGame::Refused(refusal) => self.reading.tally.refuse(refusal),
            ReadGame::Outside => self.reading.outside += 1,
            ReadGame::Robot => self.reading.robots += 1,
            ReadGame::Fits(game) => self.fits(*game),
        }
        self.file.add_readable();
        ControlFlow::Continue(())
    }

    fn fits(&mut self, game: BandedGame) {
        if self.selector.take(game.copies, ()).is_some() {
            self.reading.tally.duplicates += 1;
            return;
        }
        let mut is_taken = false;
        for (index, band) in self.reading.bands.iter_mut().enumerate() {
            let sides =
                game.sides.iter().filter(|(place, decisions)| *place == index && !decisions.is_empty());
            let number = band.games.len();
            if number < self.plan.most_games && sides.clone().next().is_some() {
                is_taken = true;
                band.games.push(game.mark);
                let decisions = sides.flat_map(|(_, decisions)| decisions.iter().cloned());
                band.decisions.extend(decisions.map(|decision| Decision { game: number as u32, ..decision }));
            }
        }
        self.reading.tally.chosen += u64::from(is_taken);
        self.reading.without_decision += u64::from(!is_taken);
    }

    fn has_enough(&self) -> bool {
        self.selector.has_enough()
            || self.reading.bands.iter().all(|band| band.games.len() >= self.plan.most_games)
    }

    fn tell(&mut self, event: ReadingEvent) -> ControlFlow<Option<B>> {
        match (self.watch)(event) {
            ControlFlow::Break(end) => ControlFlow::Break(Some(end)),
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
        }
    }
}
