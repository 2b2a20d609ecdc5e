//! Reads decisions from any number of games, and keeps only the positions of each band.

use std::{num::NonZeroUsize, ops::ControlFlow, path::Path, path::PathBuf};

use shakmaty::{ByColor, Color};

use super::{
    band::BandGames, band::RatingBand, decision::Decision, decision::DecisionFacts, decision::DecisionPlan,
    decision::Movers,
};
use crate::chess::{
    BadGame, BadGameReason, FileCount, FileFault, Fingerprint, Game, GameBlock, GameReader, GameSource,
    GameTally, Headers, RandomSample, Refusal, Selection, Selector, StreamContent, StreamPart, TornFile,
    Unpacked, pgn::stream,
};
use crate::measure::ArchiveProgress;

#[derive(Debug, Clone, PartialEq)]
pub struct BandPlan {
    pub bands: Vec<RatingBand>,
    pub movers: Movers,
    pub decisions: DecisionPlan,
    pub selection: Selection,
    pub most_games: usize,
    pub held_out: RandomSample,
}

#[derive(Debug)]
pub enum ReadingEvent {
    Bad(Box<BadGame>),
    Torn(TornFile),
    Useless(FileFault),
    Advanced(ArchiveProgress),
}

#[derive(Debug, Clone, Default)]
pub struct BandReading {
    /// The games of each band, in the order of [`BandPlan::bands`].
    pub bands: Vec<BandGames>,
    /// Numbers of games taken, and of refused games by reason.
    pub tally: GameTally,
    /// Number of games without a player of any band.
    pub outside: u64,
    /// Number of games in which a player has the title BOT, which marks programs.
    pub robots: u64,
    /// Number of games without a usable decision: they are too short, or their bands already have enough
    /// games.
    pub without_decision: u64,
    pub read: u64,
    /// True if reading ended early because there are enough games.
    pub ended_early: bool,
}

/// Reads `files` with `jobs` workers, and reports progress and bad content to `watch`. If `watch` breaks, its
/// value is the error. Reading also ends early if the selection or all bands have enough games. The result
/// does not depend on the number of workers.
pub fn read_bands<B: Send>(
    files: &[PathBuf],
    plan: &BandPlan,
    jobs: NonZeroUsize,
    watch: impl FnMut(ReadingEvent) -> ControlFlow<B> + Send,
) -> Result<BandReading, B> {
    let size = files.iter().map(|file| Unpacked::size_of(file)).sum();
    let mut taking = BandTaker {
        plan,
        watch,
        selector: Selector::new(&plan.selection),
        file: FileCount::default(),
        progress: ArchiveProgress { size, ..ArchiveProgress::default() },
        reading: BandReading {
            bands: plan.bands.iter().map(|&band| BandGames::new(band)).collect(),
            ..BandReading::default()
        },
    };
    match stream(
        files,
        plan.selection.encoding,
        jobs,
        |block| read_block(block, plan),
        |part| taking.part(part),
    ) {
        ControlFlow::Break(Some(end)) => Err(end),
        ControlFlow::Break(None) | ControlFlow::Continue(()) => Ok(taking.reading),
    }
}

/// A game after reading, not yet checked for copies.
enum LearningGame {
    Refused(Refusal),
    Outside,
    Robot,
    Bad(Box<BadGame>),
    Fits(Box<BandedGame>),
}

struct BandedGame {
    copies: Option<Fingerprint>,
    held_out: bool,
    /// The decisions of each side whose rating is in a band, with the index of that band.
    sides: Vec<(usize, Vec<Decision>)>,
}

fn read_block(block: GameBlock<'_>, plan: &BandPlan) -> (Vec<LearningGame>, bool) {
    let unseen = |reason| LearningGame::Bad(Box::new(BadGame::unseen(GameSource::default(), reason)));
    let GameBlock::Games { text, torn } = block else {
        return (vec![unseen(BadGameReason::TooLarge)], false);
    };
    let mut games = GameReader::new(text, "").of_selection(&plan.selection);
    let mut read = Vec::new();
    while let Some(game) = games.next_wanted(|headers| {
        let refusal = plan.refusal(headers);
        let is_wanted = refusal.is_none();
        read.extend(refusal);
        is_wanted
    }) {
        read.push(match game {
            _ if torn && games.is_open() => unseen(BadGameReason::CutOff),
            Err(bad) => LearningGame::Bad(Box::new(bad)),
            Ok(game) => plan.take(&game),
        });
    }
    (read, text.trim().is_empty())
}

impl BandPlan {
    fn refusal(&self, headers: &Headers<'_>) -> Option<LearningGame> {
        let refused = self.selection.filter.refusal(headers).map(LearningGame::Refused);
        let is_banded = |color| self.band(headers.elo, color).is_some();
        refused.or_else(|| (!Color::ALL.into_iter().any(is_banded)).then_some(LearningGame::Outside))
    }

    fn band(&self, elo: ByColor<Option<u32>>, color: Color) -> Option<usize> {
        RatingBand::find(&self.bands, (*elo.get(color)).filter(|_| self.movers.has(color))?)
    }

    fn take(&self, game: &Game) -> LearningGame {
        let is_robot = |tag| game.tags.get(tag).is_some_and(|title| title.eq_ignore_ascii_case("BOT"));
        let fingerprint = Fingerprint::of(game);
        if ["WhiteTitle", "BlackTitle"].into_iter().any(is_robot) {
            return LearningGame::Robot;
        } else if !self.selection.filter.sampled(fingerprint) {
            return LearningGame::Refused(Refusal::Sample);
        }
        let headers = Headers::of_game(game);
        let side = |color| Some((self.band(headers.elo, color)?, self.decisions.take(game, color)));
        LearningGame::Fits(Box::new(BandedGame {
            copies: fingerprint.of_copies(&headers, game.moves.len()),
            held_out: self.held_out.has(fingerprint),
            sides: Color::ALL.into_iter().filter_map(side).collect(),
        }))
    }
}

struct BandTaker<'a, W> {
    plan: &'a BandPlan,
    watch: W,
    selector: Selector,
    file: FileCount,
    progress: ArchiveProgress,
    reading: BandReading,
}

impl<B, W: FnMut(ReadingEvent) -> ControlFlow<B>> BandTaker<'_, W> {
    /// Handles a part of the stream. Breaks with `watch`'s value if `watch` breaks, and without a value if
    /// there are enough games.
    fn part(&mut self, part: StreamPart<'_, (Vec<LearningGame>, bool)>) -> ControlFlow<Option<B>> {
        let StreamPart { file, index, taken, content, .. } = part;
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

    fn game(&mut self, file: &Path, game: LearningGame) -> ControlFlow<Option<B>> {
        if self.has_enough() {
            self.reading.ended_early = true;
            return ControlFlow::Break(None);
        }
        self.file.games += 1;
        self.reading.read += 1;
        match game {
            LearningGame::Bad(bad) => {
                let (number, ordinal) = (self.file.games, self.reading.read as usize);
                let source = GameSource { file: file.to_string_lossy().into_owned(), number, ordinal };
                let bad = Box::new(BadGame { source, ..*bad });
                self.file.add_bad(&bad);
                return self.tell(ReadingEvent::Bad(bad));
            }
            LearningGame::Refused(refusal) => self.reading.tally.refuse(refusal),
            LearningGame::Outside => self.reading.outside += 1,
            LearningGame::Robot => self.reading.robots += 1,
            LearningGame::Fits(game) => self.fits(*game),
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
                band.games.push(game.held_out);
                let ordinal = self.reading.read;
                band.decisions.extend(sides.flat_map(|(_, decisions)| decisions).map(|decision| Decision {
                    game: number as u32,
                    facts: DecisionFacts { ordinal, ..decision.facts },
                    ..decision.clone()
                }));
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
        (self.watch)(event).map_break(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 1-0";

    fn game(players: [&str; 2], elos: [u32; 2], more: &str, moves: &str) -> String {
        let [white, black] = players;
        let [white_elo, black_elo] = elos;
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"2021.01.01\"]\n[Result \"1-0\"]\n\
             [WhiteElo \"{white_elo}\"]\n[BlackElo \"{black_elo}\"]\n{more}\n{moves}\n\n"
        )
    }

    fn plan(movers: Movers, most_games: usize) -> BandPlan {
        BandPlan {
            bands: [1000, 1200].map(|elo| RatingBand { elo, tolerance: 25 }).to_vec(),
            movers,
            decisions: DecisionPlan { every: 4, plies_from: 0 },
            selection: Selection::default(),
            most_games,
            held_out: RandomSample { share: "0.5".parse().expect("a share"), seed: 1 },
        }
    }

    fn read(text: &str, plan: &BandPlan, jobs: usize) -> (BandReading, usize) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, text).expect("a file");
        let mut bad = 0;
        let watch = |event| {
            bad += usize::from(matches!(event, ReadingEvent::Bad(_)));
            ControlFlow::<()>::Continue(())
        };
        let jobs = NonZeroUsize::new(jobs).expect("a number above 0");
        (read_bands(&[path], plan, jobs, watch).expect("no break"), bad)
    }

    fn games() -> String {
        [
            game(["a", "b"], [1010, 1190], "", MOVES),
            game(["a", "b"], [1010, 1190], "", MOVES),
            game(["c", "d"], [1000, 1000], "[BlackTitle \"BOT\"]\n", MOVES),
            game(["e", "f"], [1500, 1100], "", MOVES),
            game(["g", "h"], [990, 1000], "", "1. e4 e4 1-0"),
            game(["i", "j"], [1020, 980], "", MOVES),
        ]
        .concat()
    }

    #[test]
    fn each_side_is_taken_by_its_own_rating_and_copies_programs_and_strangers_are_not() {
        let (found, bad) = read(&games(), &plan(Movers::Both, 100), 1);
        let counts = |place: usize| (found.bands[place].games.len(), found.bands[place].decisions.len());
        // Six moves of a side give decisions at its plies 0, 4 and 8: White's in the first game, both sides'
        // in the last.
        assert_eq!((counts(0), counts(1)), ((2, 3 + 6), (1, 3)));
        assert_eq!((found.tally.chosen, found.tally.duplicates, found.robots, found.outside), (2, 1, 1, 1));
        assert_eq!((bad, found.read), (1, 6));
        let (white, _) = read(&games(), &plan(Movers::White, 100), 1);
        assert_eq!(white.bands.iter().map(|band| band.decisions.len()).collect::<Vec<_>>(), [6, 0]);
    }

    #[test]
    fn bands_have_so_many_games_at_most_and_nothing_depends_on_the_workers() {
        let many: String = (0..40).map(|n| game([&format!("w{n}"), "b"], [1000, 1200], "", MOVES)).collect();
        let (found, _) = read(&many, &plan(Movers::Both, 15), 1);
        assert_eq!(found.bands.iter().map(|band| band.games.len()).collect::<Vec<_>>(), [15, 15]);
        assert!(found.ended_early);
        assert!(found.bands[0].count(true) > 0 && found.bands[0].count(false) > 0);
        let (again, _) = read(&many, &plan(Movers::Both, 15), 3);
        assert_eq!(again.bands[1].decisions, found.bands[1].decisions);
        assert_eq!(again.bands[1].games, found.bands[1].games);
    }
}
