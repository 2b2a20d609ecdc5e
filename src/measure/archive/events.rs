//! [`read_archive`], and the events that it reports.

use std::{num::NonZeroUsize, ops::ControlFlow, path::Path, path::PathBuf};

use super::{
    clip_table::ClipTable, facts::LeftOutReason, inputs::CountedFile, inputs::InputDigest,
    options::CountOptions, reading::GameOutcome, reading::read_block,
};
use crate::chess::{
    FileCount, FileFault, GameBlock, Selector, StreamContent, StreamPart, TornFile, Unpacked, pgn::stream,
};

/// An event of reading an archive. Events come in the order of the files.
#[derive(Debug)]
pub enum ArchiveEvent<'a> {
    /// A game was read.
    Game {
        /// The file that contains the game.
        file: &'a Path,
        /// The number of the game in the file, from 1.
        number: u64,
        /// The outcome of the game.
        item: &'a GameOutcome,
    },
    /// A file that breaks off.
    Torn(TornFile),
    /// A file from which no game could be read.
    Useless(FileFault),
    /// From this event on, a copy of a game is recognized only if the game is among the last
    /// [`Duplicates::CAPACITY`](crate::chess::choice::Duplicates::CAPACITY) different games.
    Forgetful,
    /// The end of a file that is not empty, or the place where reading ended early because there are enough
    /// games.
    Ended(CountedFile),
    /// The progress after a block of games.
    Advanced(ArchiveProgress),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArchiveProgress {
    /// Number of bytes read, counted as stored in the files (packed).
    pub taken: u64,
    /// Size of all files as stored, in bytes, if known.
    pub size: Option<u64>,
    pub games: u64,
}

/// Reads `files` with `jobs` workers, and reports their contents to `watch`. Ends early if `watch` breaks, or
/// if there are enough games.
pub fn read_archive<B: Send>(
    files: &[PathBuf],
    options: &CountOptions,
    jobs: NonZeroUsize,
    watch: impl FnMut(ArchiveEvent<'_>) -> ControlFlow<B> + Send,
) -> ControlFlow<B> {
    // A file that cannot be opened is reported later, in the order of the files.
    let size = files.iter().map(|file| Unpacked::size_of(file)).sum();
    let progress = ArchiveProgress { size, ..ArchiveProgress::default() };
    let selector = Selector::new(&options.selection);
    let (file, input) = (FileCount::default(), InputDigest::default());
    let mut watcher = Watcher { watch, selector, file, input, last: None, forgetful: false, progress };
    let scale = ClipTable::new(options.method.scale());
    let read = |block: GameBlock<'_>| match block {
        GameBlock::Games { text, torn } => read_block(text, torn, options, &scale),
        GameBlock::TooLarge => vec![GameOutcome::LeftOut(LeftOutReason::TooLarge.into())],
    };
    match stream(files, options.selection.encoding, jobs, read, |part| watcher.part(part)) {
        ControlFlow::Break(Some(end)) => ControlFlow::Break(end),
        ControlFlow::Break(None) => watcher.end_early(),
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
    }
}

struct Watcher<W> {
    watch: W,
    selector: Selector,
    file: FileCount,
    input: InputDigest,
    /// The file of the last block.
    last: Option<PathBuf>,
    forgetful: bool,
    progress: ArchiveProgress,
}

impl<B, W: FnMut(ArchiveEvent<'_>) -> ControlFlow<B>> Watcher<W> {
    /// Handles a part of the stream. Breaks with `watch`'s value if `watch` breaks, and without a value if
    /// there are enough games.
    fn part(&mut self, part: StreamPart<'_, Vec<GameOutcome>>) -> ControlFlow<Option<B>> {
        let StreamPart { file, index, taken, mark, content } = part;
        self.file.enter(index);
        self.input.add(mark);
        match content {
            StreamContent::Block(items) => {
                self.file.add_text(false);
                self.last = Some(file.to_owned());
                items.into_iter().try_for_each(|item| self.game(file, item))?;
                self.progress = ArchiveProgress { taken, ..self.progress };
                return self.tell(ArchiveEvent::Advanced(self.progress));
            }
            StreamContent::Failed(error) => self.file.fail(error),
            StreamContent::Torn(error) => {
                if let Some(torn) = self.file.tear(file, error) {
                    return self.tell(ArchiveEvent::Torn(torn));
                }
            }
            StreamContent::End => {
                if let Some(input) = self.input.take(file) {
                    self.tell(ArchiveEvent::Ended(input))?;
                }
                if let Some(fault) = self.file.end(file) {
                    return self.tell(ArchiveEvent::Useless(fault));
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn game(&mut self, file: &Path, item: GameOutcome) -> ControlFlow<Option<B>> {
        self.file.games += 1;
        self.progress.games += 1;
        let item = match item {
            GameOutcome::Counted(game) if self.selector.take(game.copies, ()).is_some() => GameOutcome::Copy,
            item => item,
        };
        self.tell(ArchiveEvent::Game { file, number: self.file.games as u64, item: &item })?;
        if !self.forgetful && self.selector.has_forgotten() {
            self.forgetful = true;
            self.tell(ArchiveEvent::Forgetful)?;
        }
        if self.selector.has_enough() { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
    }

    fn end_early(&mut self) -> ControlFlow<B> {
        match self.last.take().and_then(|file| self.input.take(&file)) {
            Some(input) => (self.watch)(ArchiveEvent::Ended(input)),
            None => ControlFlow::Continue(()),
        }
    }

    fn tell(&mut self, event: ArchiveEvent<'_>) -> ControlFlow<Option<B>> {
        (self.watch)(event).map_break(Some)
    }
}
