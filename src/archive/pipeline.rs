//! Owns the way of an archive through the program: one thread unpacks and cuts, several read blocks,
//! and one counts in the order of the files.

use std::{
    collections::BTreeMap,
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::{
    reading::{Item, Reason, read_block},
    terms::{Scale, Terms},
};
use crate::pgn::{Block, Blocks, ReadError, Unpacked, decode_part};

/// Blocks in flight: one that a worker reads and one that waits, and the one that is cut. Several workers
/// need more, so that no thread waits for another that the system lets wait; more memory than it takes is
/// further away than the cores' own caches.
fn in_flight(jobs: usize) -> usize {
    if jobs == 1 { 3 } else { 6 * jobs + 1 }
}

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

/// A block on its way to a worker.
struct Task {
    place: u64,
    file: usize,
    block: Block,
    /// Whether the file breaks off at the end of the block.
    torn: bool,
}

/// What becomes of it.
enum Outcome {
    /// With memory that the next block may have.
    Items(usize, Vec<Item>, Vec<u8>),
    Torn(usize, io::Error),
    /// A file that cannot be opened any more.
    Failed(ReadError),
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
    mut watch: impl FnMut(Event<'_>) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, ReadError> {
    // Before the long work: whether each can be opened, and how much there is.
    let sizes: Vec<Option<u64>> =
        files.iter().map(|file| Unpacked::size_of(file)).collect::<Result<_, _>>()?;
    let size = sizes.into_iter().sum();
    let (scale, taken) = (Scale::new(terms), AtomicU64::new(0));
    let permits = in_flight(jobs);
    let (permit, permitted) = bounded(permits);
    (0..permits).for_each(|_| permit.send(Vec::new()).expect("room for all permits"));
    let (task, tasks) = bounded(permits);
    let (outcome, outcomes) = bounded(permits);
    let (scale, taken) = (&scale, &taken);
    thread::scope(move |scope| {
        let cutter =
            Cutter { permitted, tasks: task, outcomes: outcome.clone(), taken, place: 0, may_cut: false };
        scope.spawn(move || cutter.cut(files));
        for _ in 0..jobs {
            let (tasks, outcome) = (tasks.clone(), outcome.clone());
            scope.spawn(move || read_blocks(tasks, &outcome, terms, scale));
        }
        drop((tasks, outcome));
        let mut numbers = vec![0; files.len()];
        for outcome in in_order(outcomes) {
            let flow = match outcome {
                Outcome::Failed(error) => return Err(error),
                Outcome::Torn(file, error) => {
                    watch(Event::Torn { file: &files[file], games: numbers[file], error: &error })
                }
                Outcome::Items(file, items, spare) => {
                    let flow = items.iter().try_for_each(|item| {
                        numbers[file] += 1;
                        watch(Event::Game { file: &files[file], number: numbers[file], item })
                    });
                    // The thread that cuts may be done.
                    let _ = permit.send(spare);
                    flow
                }
            };
            let games = numbers.iter().sum();
            let progress = Progress { taken: taken.load(Ordering::Relaxed), size, games };
            let flow = if flow.is_continue() { watch(Event::Advanced(progress)) } else { flow };
            if let ControlFlow::Break(value) = flow {
                // The channels go with this, and the threads with them.
                return Ok(ControlFlow::Break(value));
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// The thread that reads files and cuts them into blocks.
struct Cutter<'a> {
    permitted: Receiver<Vec<u8>>,
    tasks: Sender<Task>,
    outcomes: Sender<(u64, Outcome)>,
    taken: &'a AtomicU64,
    place: u64,
    /// Whether there is a permit for another block: that which the end of a file left is for the next one.
    may_cut: bool,
}

/// Nobody waits for what a thread does any more.
struct Hangup;

impl Cutter<'_> {
    /// Cuts `files` to their end, or until nobody listens.
    fn cut(mut self, files: &[PathBuf]) {
        let mut before = 0;
        for (file, path) in files.iter().enumerate() {
            match Unpacked::open(path) {
                Ok(unpacked) => {
                    let taken = unpacked.taken();
                    if self.cut_file(file, unpacked, before).is_err() {
                        return;
                    }
                    before += taken.load(Ordering::Relaxed);
                }
                Err(error) => {
                    let _ = self.report(Outcome::Failed(error));
                    return;
                }
            }
        }
    }

    fn cut_file(&mut self, file: usize, unpacked: Unpacked, before: u64) -> Result<(), Hangup> {
        let taken = unpacked.taken();
        let mut blocks = Blocks::new(unpacked);
        loop {
            if !self.may_cut {
                blocks.reuse(self.permitted.recv().map_err(|_| Hangup)?);
                self.may_cut = true;
            }
            let next = blocks.next();
            self.taken.store(before + taken.load(Ordering::Relaxed), Ordering::Relaxed);
            match next {
                None => return Ok(()),
                Some(Ok(block)) => self.hand_on(file, block, false)?,
                Some(Err(error)) => {
                    if let Some(Ok(block)) = blocks.next() {
                        self.hand_on(file, block, true)?;
                    }
                    return self.report(Outcome::Torn(file, error));
                }
            }
        }
    }

    fn hand_on(&mut self, file: usize, block: Block, torn: bool) -> Result<(), Hangup> {
        let task = Task { place: self.place, file, block, torn };
        self.place += 1;
        self.may_cut = false;
        self.tasks.send(task).map_err(|_| Hangup)
    }

    fn report(&mut self, outcome: Outcome) -> Result<(), Hangup> {
        let place = self.place;
        self.place += 1;
        self.outcomes.send((place, outcome)).map_err(|_| Hangup)
    }
}

/// A worker: reads blocks until there are none.
fn read_blocks(tasks: Receiver<Task>, outcomes: &Sender<(u64, Outcome)>, terms: &Terms, scale: &Scale) {
    for Task { place, file, block, torn } in tasks {
        let (items, spare) = match block {
            Block::Games(bytes) => {
                let text = decode_part(bytes);
                (read_block(&text, torn, terms, scale), text.into_bytes())
            }
            Block::TooLarge(_) => (vec![Item::LeftOut(Reason::TooLarge.into())], Vec::new()),
        };
        if outcomes.send((place, Outcome::Items(file, items, spare))).is_err() {
            return;
        }
    }
}

/// What the workers give, in the order of the files.
fn in_order(outcomes: Receiver<(u64, Outcome)>) -> impl Iterator<Item = Outcome> {
    let mut waiting: BTreeMap<u64, Outcome> = BTreeMap::new();
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
