//! Owns the way of an archive through the program: unpacked, cut into blocks, read, and told in the order of
//! the files.

use std::{
    collections::BTreeMap,
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use super::{
    options::{ClipTable, CountOptions},
    reading::{GameOutcome, LeftOutReason, read_block},
};
use crate::pgn::{Block, Blocks, ReadError, Unpacked, decode_part};

/// What a reader of an archive hears of, in the order of the files.
#[derive(Debug)]
pub enum ArchiveEvent<'a> {
    /// A game, with its number in its file from 1.
    Game { file: &'a Path, number: u64, item: &'a GameOutcome },
    /// A file that breaks off after so many games.
    Torn { file: &'a Path, games: u64, error: &'a io::Error },
    /// A block is done.
    Advanced(ArchiveProgress),
}

/// How far the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ArchiveProgress {
    /// Bytes of the files themselves.
    pub taken: u64,
    /// All of their bytes, where that is known.
    pub size: Option<u64>,
    /// Games.
    pub games: u64,
}

/// Reads `files` by `jobs` workers, and tells `watch` what is in them. Ends early where that breaks.
///
/// # Errors
///
/// If a file cannot be opened.
pub fn read_archive<B: Send>(
    files: &[PathBuf],
    options: &CountOptions,
    jobs: usize,
    watch: impl FnMut(ArchiveEvent<'_>) -> ControlFlow<B> + Send,
) -> Result<ControlFlow<B>, ReadError> {
    // Before the long work: whether each can be opened, and how much there is.
    let sizes: Vec<Option<u64>> =
        files.iter().map(|file| Unpacked::size_of(file)).collect::<Result<_, _>>()?;
    let teller = Teller {
        files,
        numbers: vec![0; files.len()],
        size: sizes.into_iter().sum(),
        watch,
        due: 0,
        waiting: BTreeMap::new(),
        spare: Vec::new(),
        end: None,
    };
    let line = Line {
        cutter: Mutex::new(Cutter::new(files)),
        teller: Mutex::new(teller),
        told: Condvar::new(),
        most: IN_FLIGHT * jobs as u64,
    };
    let scale = ClipTable::new(options);
    let work = || line.work(|cut| read_cut(cut, options, &scale));
    thread::scope(|scope| {
        (1..jobs).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let teller = line.teller.into_inner().expect("no thread has panicked");
    teller.end.unwrap_or(Ok(ControlFlow::Continue(())))
}

/// Blocks in flight for each worker, so that a slow one need not be waited for at once.
const IN_FLIGHT: u64 = 6;

/// What the workers have in common: each cuts a block, reads it, and tells of it when those before it are
/// told, so that as a rule a block stays in the memory nearest to one core.
struct Line<'a, W, B> {
    cutter: Mutex<Cutter<'a>>,
    teller: Mutex<Teller<'a, W, B>>,
    /// Whenever the teller has got further.
    told: Condvar,
    /// Blocks in flight.
    most: u64,
}

impl<B, W: FnMut(ArchiveEvent<'_>) -> ControlFlow<B>> Line<'_, W, B> {
    /// Works until the files end, or the teller does.
    fn work(&self, read: impl Fn(Cut) -> Outcome) {
        let _alarm = Alarm(self);
        while let Some(piece) = self.cut() {
            let Piece { place, file, cut, taken } = piece;
            let outcome = read(cut);
            let mut teller = self.teller.lock().expect("no thread has panicked");
            teller.waiting.insert(place, (file, outcome, taken));
            teller.tell_all_due();
            self.told.notify_all();
        }
    }

    /// The next piece, once there are not too many in flight.
    fn cut(&self) -> Option<Piece> {
        let mut cutter = self.cutter.lock().expect("no thread has panicked");
        let teller = self.teller.lock().expect("no thread has panicked");
        let is_early =
            |teller: &mut Teller<'_, W, B>| teller.end.is_none() && cutter.place >= teller.due + self.most;
        let mut teller = self.told.wait_while(teller, is_early).expect("no thread has panicked");
        if teller.end.is_some() {
            return None;
        }
        let spare = std::mem::take(&mut teller.spare);
        drop(teller);
        cutter.next(spare)
    }
}

/// Ends the others' work where a worker panics: they would wait for its block for ever.
struct Alarm<'l, 'a, W, B>(&'l Line<'a, W, B>);

impl<W, B> Drop for Alarm<'_, '_, W, B> {
    fn drop(&mut self) {
        if thread::panicking() {
            let mut teller = self.0.teller.lock().unwrap_or_else(PoisonError::into_inner);
            teller.end.get_or_insert(Ok(ControlFlow::Continue(())));
            self.0.told.notify_all();
        }
    }
}

/// A part of a file, on its way to a worker.
struct Piece {
    /// Its number among all of them.
    place: u64,
    file: usize,
    cut: Cut,
    /// Bytes of the files up to its end.
    taken: u64,
}

/// What comes next in a file.
enum Cut {
    /// A block, at the end of which the file may be torn.
    Block { block: Block, torn: bool },
    /// The end of a file that breaks off.
    Torn(io::Error),
    /// A file that cannot be opened any more.
    Failed(ReadError),
}

/// What becomes of it.
enum Outcome {
    /// With memory that another block may have.
    Items(Vec<GameOutcome>, Vec<u8>),
    Torn(io::Error),
    Failed(ReadError),
}

fn read_cut(cut: Cut, options: &CountOptions, scale: &ClipTable) -> Outcome {
    match cut {
        Cut::Block { block: Block::Games(bytes), torn } => {
            let text = decode_part(bytes);
            Outcome::Items(read_block(&text, torn, options, scale), text.into_bytes())
        }
        Cut::Block { block: Block::TooLarge(_), .. } => {
            Outcome::Items(vec![GameOutcome::LeftOut(LeftOutReason::TooLarge.into())], Vec::new())
        }
        Cut::Torn(error) => Outcome::Torn(error),
        Cut::Failed(error) => Outcome::Failed(error),
    }
}

/// Cuts files one after the other.
struct Cutter<'a> {
    files: std::iter::Enumerate<std::slice::Iter<'a, PathBuf>>,
    /// The file that is being cut, its number, and how much of it was read.
    open: Option<(usize, Blocks<Unpacked>, Arc<AtomicU64>)>,
    /// The end of a file that breaks off, while its last block is on its way.
    torn: Option<(usize, io::Error)>,
    /// The number of the next piece.
    place: u64,
    /// Bytes of the files so far.
    taken: u64,
    /// The same of those before the one that is open.
    before: u64,
}

impl<'a> Cutter<'a> {
    fn new(files: &'a [PathBuf]) -> Cutter<'a> {
        let files = files.iter().enumerate();
        Cutter { files, open: None, torn: None, place: 0, taken: 0, before: 0 }
    }

    /// The next piece, made with the memory of one that is done with.
    fn next(&mut self, spare: Vec<u8>) -> Option<Piece> {
        let (file, cut) = self.next_cut(spare)?;
        let place = self.place;
        self.place += 1;
        Some(Piece { place, file, cut, taken: self.taken })
    }

    fn next_cut(&mut self, mut spare: Vec<u8>) -> Option<(usize, Cut)> {
        if let Some((file, error)) = self.torn.take() {
            return Some((file, Cut::Torn(error)));
        }
        loop {
            let Some((file, blocks, taken)) = &mut self.open else {
                let (file, path) = self.files.next()?;
                match Unpacked::open(path) {
                    Ok(unpacked) => {
                        let taken = unpacked.taken();
                        self.open = Some((file, Blocks::new(unpacked), taken));
                        continue;
                    }
                    Err(error) => return Some((file, Cut::Failed(error))),
                }
            };
            let file = *file;
            blocks.reuse(std::mem::take(&mut spare));
            let next = blocks.next();
            self.taken = self.before + taken.load(Ordering::Relaxed);
            match next {
                Some(Ok(block)) => return Some((file, Cut::Block { block, torn: false })),
                Some(Err(error)) => {
                    let last = blocks.next();
                    self.close();
                    let Some(Ok(block)) = last else { return Some((file, Cut::Torn(error))) };
                    self.torn = Some((file, error));
                    return Some((file, Cut::Block { block, torn: true }));
                }
                None => self.close(),
            }
        }
    }

    fn close(&mut self) {
        (self.open, self.before) = (None, self.taken);
    }
}

/// Tells what is read in the order of the files.
struct Teller<'a, W, B> {
    files: &'a [PathBuf],
    /// Games so far of each file.
    numbers: Vec<u64>,
    size: Option<u64>,
    watch: W,
    /// The number of the piece that is told next.
    due: u64,
    /// What came before its turn, by number: its file, what became of it, and bytes of the files up to its end.
    waiting: BTreeMap<u64, (usize, Outcome, u64)>,
    /// Memory that another block may have.
    spare: Vec<u8>,
    /// What the reading came to, where that was before the files' end.
    end: Option<Result<ControlFlow<B>, ReadError>>,
}

impl<B, W: FnMut(ArchiveEvent<'_>) -> ControlFlow<B>> Teller<'_, W, B> {
    /// Tells whatever has its turn.
    fn tell_all_due(&mut self) {
        while self.end.is_none()
            && let Some((file, outcome, taken)) = self.waiting.remove(&self.due)
        {
            self.due += 1;
            match self.tell(file, outcome, taken) {
                Ok(ControlFlow::Continue(())) => {}
                end => self.end = Some(end),
            }
        }
    }

    fn tell(&mut self, file: usize, outcome: Outcome, taken: u64) -> Result<ControlFlow<B>, ReadError> {
        let (path, number) = (&self.files[file], &mut self.numbers[file]);
        let flow = match outcome {
            Outcome::Failed(error) => return Err(error),
            Outcome::Torn(error) => {
                (self.watch)(ArchiveEvent::Torn { file: path, games: *number, error: &error })
            }
            Outcome::Items(items, spare) => {
                self.spare = spare;
                items.iter().try_for_each(|item| {
                    *number += 1;
                    (self.watch)(ArchiveEvent::Game { file: path, number: *number, item })
                })
            }
        };
        if flow.is_break() {
            return Ok(flow);
        }
        let games = self.numbers.iter().sum();
        Ok((self.watch)(ArchiveEvent::Advanced(ArchiveProgress { taken, size: self.size, games })))
    }
}
