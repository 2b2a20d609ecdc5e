//! Owns the way of an archive through the program: unpacked, cut into blocks, read, and told in the order of
//! the files.

use std::{
    collections::BTreeMap,
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use crossbeam_channel::{Receiver, bounded};

use super::{
    reading::{Item, Reason, read_block},
    terms::{Scale, Terms},
};
use crate::pgn::{Block, Blocks, ReadError, Unpacked, decode_part};

/// What a reader of an archive hears of, in the order of the files.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game, with its number in its file from 1.
    Game { file: &'a Path, number: u64, item: &'a Item },
    /// A file that breaks off after so many games.
    Torn { file: &'a Path, games: u64, error: &'a io::Error },
    /// A block is done.
    Advanced(Progress),
}

/// How far the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
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
pub fn read_archive<B>(
    files: &[PathBuf],
    terms: &Terms,
    jobs: usize,
    watch: impl FnMut(Event<'_>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, ReadError> {
    // Before the long work: whether each can be opened, and how much there is.
    let sizes: Vec<Option<u64>> =
        files.iter().map(|file| Unpacked::size_of(file)).collect::<Result<_, _>>()?;
    let teller = Teller { files, numbers: vec![0; files.len()], size: sizes.into_iter().sum(), watch };
    let (cutter, scale) = (Cutter::new(files), Scale::new(terms));
    let read = |cut| read_cut(cut, terms, &scale);
    if jobs == 1 {
        read_in_turn(cutter, &read, teller)
    } else {
        read_side_by_side(cutter, &read, jobs, teller)
    }
}

/// By one thread, which has each block at hand from its cut to its count.
fn read_in_turn<B>(
    mut cutter: Cutter<'_>,
    read: &impl Fn(Cut) -> Outcome,
    mut teller: Teller<'_, impl FnMut(Event<'_>) -> ControlFlow<B>>,
) -> Result<ControlFlow<B>, ReadError> {
    while let Some((file, cut)) = cutter.next() {
        match teller.tell(file, read(cut), cutter.taken)? {
            ControlFlow::Continue(spare) => cutter.reuse(spare),
            ControlFlow::Break(value) => return Ok(ControlFlow::Break(value)),
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// By a thread that cuts, `jobs` that read, and this one, which counts in the order of the files.
fn read_side_by_side<B>(
    mut cutter: Cutter<'_>,
    read: &(impl Fn(Cut) -> Outcome + Sync),
    jobs: usize,
    mut teller: Teller<'_, impl FnMut(Event<'_>) -> ControlFlow<B>>,
) -> Result<ControlFlow<B>, ReadError> {
    let taken = &AtomicU64::new(0);
    let permits = IN_FLIGHT * jobs + 1;
    let (permit, permitted) = bounded(permits);
    (0..permits).for_each(|_| permit.send(Vec::new()).expect("room for all permits"));
    let (task, tasks) = bounded(permits);
    let (outcome, outcomes) = bounded(permits);
    thread::scope(move |scope| {
        scope.spawn(move || {
            // Until the end of the files, or until nobody listens.
            for place in 0u64.. {
                let Ok(spare) = permitted.recv() else { return };
                cutter.reuse(spare);
                let Some((file, cut)) = cutter.next() else { return };
                taken.store(cutter.taken, Ordering::Relaxed);
                if task.send((place, file, cut)).is_err() {
                    return;
                }
            }
        });
        for _ in 0..jobs {
            let (tasks, outcome) = (tasks.clone(), outcome.clone());
            scope.spawn(move || {
                for (place, file, cut) in tasks {
                    if outcome.send((place, (file, read(cut)))).is_err() {
                        return;
                    }
                }
            });
        }
        drop((tasks, outcome));
        for (file, outcome) in in_order(outcomes) {
            match teller.tell(file, outcome, taken.load(Ordering::Relaxed))? {
                // The thread that cuts may be done.
                ControlFlow::Continue(spare) => drop(permit.send(spare)),
                // The channels go with this, and the threads with them.
                ControlFlow::Break(value) => return Ok(ControlFlow::Break(value)),
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Blocks in flight for each worker: more than the one that is read and one that waits, so that no thread
/// waits for another that the system lets wait.
const IN_FLIGHT: usize = 6;

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
    Items(Vec<Item>, Vec<u8>),
    Torn(io::Error),
    Failed(ReadError),
}

fn read_cut(cut: Cut, terms: &Terms, scale: &Scale) -> Outcome {
    match cut {
        Cut::Block { block: Block::Games(bytes), torn } => {
            let text = decode_part(bytes);
            Outcome::Items(read_block(&text, torn, terms, scale), text.into_bytes())
        }
        Cut::Block { block: Block::TooLarge(_), .. } => {
            Outcome::Items(vec![Item::LeftOut(Reason::TooLarge.into())], Vec::new())
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
    spare: Vec<u8>,
    /// Bytes of the files so far.
    taken: u64,
    /// The same of those before the one that is open.
    before: u64,
}

impl<'a> Cutter<'a> {
    fn new(files: &'a [PathBuf]) -> Cutter<'a> {
        let files = files.iter().enumerate();
        Cutter { files, open: None, torn: None, spare: Vec::new(), taken: 0, before: 0 }
    }

    /// Takes the memory of a block that is done with.
    fn reuse(&mut self, spare: Vec<u8>) {
        self.spare = spare;
    }

    /// What is next, and in which file.
    fn next(&mut self) -> Option<(usize, Cut)> {
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
            blocks.reuse(std::mem::take(&mut self.spare));
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
struct Teller<'a, W> {
    files: &'a [PathBuf],
    /// Games so far of each file.
    numbers: Vec<u64>,
    size: Option<u64>,
    watch: W,
}

impl<B, W: FnMut(Event<'_>) -> ControlFlow<B>> Teller<'_, W> {
    /// Tells of `outcome`, and gives back memory.
    fn tell(
        &mut self,
        file: usize,
        outcome: Outcome,
        taken: u64,
    ) -> Result<ControlFlow<B, Vec<u8>>, ReadError> {
        let (path, number) = (&self.files[file], &mut self.numbers[file]);
        let mut memory = Vec::new();
        let mut flow = match outcome {
            Outcome::Failed(error) => return Err(error),
            Outcome::Torn(error) => (self.watch)(Event::Torn { file: path, games: *number, error: &error }),
            Outcome::Items(items, spare) => {
                memory = spare;
                items.iter().try_for_each(|item| {
                    *number += 1;
                    (self.watch)(Event::Game { file: path, number: *number, item })
                })
            }
        };
        if flow.is_continue() {
            let games = self.numbers.iter().sum();
            flow = (self.watch)(Event::Advanced(Progress { taken, size: self.size, games }));
        }
        Ok(match flow {
            ControlFlow::Continue(()) => ControlFlow::Continue(memory),
            ControlFlow::Break(value) => ControlFlow::Break(value),
        })
    }
}

/// What the workers give, in the order of the files.
fn in_order<T>(outcomes: Receiver<(u64, T)>) -> impl Iterator<Item = T> {
    let mut waiting: BTreeMap<u64, T> = BTreeMap::new();
    let mut due = 0;
    std::iter::from_fn(move || {
        let outcome = loop {
            if let Some(outcome) = waiting.remove(&due) {
                break outcome;
            }
            let (place, outcome) = outcomes.recv().ok()?;
            waiting.insert(place, outcome);
        };
        due += 1;
        Some(outcome)
    })
}
