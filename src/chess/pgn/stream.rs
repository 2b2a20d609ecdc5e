//! [`stream()`]: parallel reading of game files in blocks of whole games, with results in the order of the files.

use std::{
    collections::BTreeMap, io, num::NonZeroUsize, ops::ControlFlow, path::Path, path::PathBuf, sync::Arc,
    sync::Condvar, sync::Mutex, sync::PoisonError, sync::atomic::AtomicU64, sync::atomic::Ordering, thread,
};

use encoding_rs::Encoding;
use xxhash_rust::xxh3::xxh3_64;

use super::{blocks::Block, blocks::Blocks, decode::decode_part, source::ReadError, source::Unpacked};

/// A part of a file, as given to a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameBlock<'a> {
    /// Whole games.
    Games {
        /// The text. Other text may precede its first game.
        text: &'a str,
        /// True if the file breaks off at the end of the text.
        torn: bool,
    },
    /// More than [`super::LARGEST_GAME`] bytes without the end of a game, counted as one unreadable game.
    TooLarge,
}

/// A mark by which a block is recognized. Computing the mark is much cheaper than parsing the block. Blocks
/// with equal first bytes still have different marks if their sizes differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BlockMark {
    /// Unpacked size in bytes.
    pub bytes: u64,
    /// XXH3 of the first 4096 bytes; 0 for a block that is too large.
    pub digest: u64,
}

impl BlockMark {
    const BEGINNING: usize = 1 << 12;

    fn of(block: &Block) -> BlockMark {
        match block {
            Block::Games(bytes) => BlockMark {
                bytes: bytes.len() as u64,
                digest: xxh3_64(&bytes[..bytes.len().min(BlockMark::BEGINNING)]),
            },
            Block::TooLarge(bytes) => BlockMark { bytes: *bytes, digest: 0 },
        }
    }
}

/// A part of a file, as given to the sink.
#[derive(Debug)]
pub struct StreamPart<'a, T> {
    /// The file.
    pub file: &'a Path,
    /// Index among the files, from 0.
    pub index: usize,
    /// Packed bytes read so far, of this file and all files before it.
    pub taken: u64,
    /// The mark of the block. Parts without a block have the default mark.
    pub mark: BlockMark,
    /// The content of the part.
    pub content: StreamContent<T>,
}

/// The content of a part of a file.
#[derive(Debug)]
pub enum StreamContent<T> {
    /// The result of `read` for the block.
    Block(T),
    /// The file breaks off here.
    Torn(io::Error),
    /// The file cannot be opened, or its compression is not supported.
    Failed(ReadError),
    /// The file ends here. The last part of each file is an `End`, and no other part is.
    End,
}

/// Reads `files` with `jobs` workers. Lines that are not UTF-8 have the given encoding, by default
/// Windows-1252. `read` converts each block, on any worker and in any order. `sink` receives the results in
/// the order of the files. Reading ends early if `sink` returns `Break`. Blocks that are still being read are
/// then dropped.
///
/// The number of blocks in flight is bounded, so files of any size are read in bounded memory. The sink's
/// input does not depend on the number of workers.
///
/// ```
/// use std::{num::NonZeroUsize, ops::ControlFlow};
///
/// use gainalyze::chess::pgn::{GameBlock, GameReader, StreamContent, stream};
///
/// // Training data: positions, and the results of their games.
/// fn labels(block: GameBlock<'_>) -> Vec<(String, String)> {
///     let GameBlock::Games { text, .. } = block else { return Vec::new() };
///     let games = GameReader::new(text, "").flatten();
///     games
///         .flat_map(|game| {
///             let result = game.result.to_string();
///             let fens: Vec<String> = game.positions().map(|position| gainalyze::chess::game::fen(&position)).collect();
///             fens.into_iter().map(move |fen| (fen, result.clone()))
///         })
///         .collect()
/// }
///
/// let files = ["data/london-chess-classic-2011.pgn".into()];
/// let mut count = 0;
/// let end = stream(&files, None, NonZeroUsize::MIN, labels, |part| match part.content {
///     StreamContent::Block(labels) => {
///         count += labels.len();
///         ControlFlow::Continue(())
///     }
///     StreamContent::Torn(error) => ControlFlow::Break(error.to_string()),
///     StreamContent::Failed(error) => ControlFlow::Break(error.to_string()),
///     StreamContent::End => ControlFlow::Continue(()),
/// });
/// assert_eq!((end, count), (ControlFlow::Continue(()), 3466));
/// ```
pub fn stream<T: Send, B: Send>(
    files: &[PathBuf],
    encoding: Option<&'static Encoding>,
    jobs: NonZeroUsize,
    read: impl Fn(GameBlock<'_>) -> T + Sync,
    sink: impl FnMut(StreamPart<'_, T>) -> ControlFlow<B> + Send,
) -> ControlFlow<B> {
    let pipeline = Pipeline {
        reader: Mutex::new(BlockReader::new(files)),
        sink: Mutex::new(OrderedSink::new(files, sink)),
        advanced: Condvar::new(),
        encoding,
        most: IN_FLIGHT * jobs.get() as u64,
    };
    let work = || pipeline.work(&read);
    thread::scope(|scope| {
        // If the system has no further thread, there are fewer workers.
        (1..jobs.get()).for_each(|_| drop(thread::Builder::new().spawn_scoped(scope, work)));
        work();
    });
    let sink = pipeline.sink.into_inner().expect("no thread has panicked");
    sink.end.unwrap_or(ControlFlow::Continue(()))
}

/// Maximum number of blocks in flight per worker. With several blocks, a slow block does not stop the other
/// workers at once.
const IN_FLIGHT: u64 = 6;

/// The state shared by the workers. Each worker cuts a block and reads it itself, so the block usually stays
/// in the caches of one core. Results are handed on in the order of the blocks.
struct Pipeline<'a, T, W, B> {
    reader: Mutex<BlockReader<'a>>,
    sink: Mutex<OrderedSink<'a, T, W, B>>,
    /// Signals progress of the sink.
    advanced: Condvar,
    encoding: Option<&'static Encoding>,
    most: u64,
}

impl<T, B, W: FnMut(StreamPart<'_, T>) -> ControlFlow<B>> Pipeline<'_, T, W, B> {
    /// Processes blocks until the files end or the sink stops.
    fn work(&self, read: &impl Fn(GameBlock<'_>) -> T) {
        let _alarm = Alarm(self);
        while let Some(job) = self.next_job() {
            let PartJob { place, file, cut, taken } = job;
            let mark = match &cut {
                Cut::Block { block, .. } => BlockMark::of(block),
                Cut::Torn(_) | Cut::Failed(_) | Cut::End => BlockMark::default(),
            };
            let (content, spare) = read_cut(cut, self.encoding, read);
            let mut sink = self.sink.lock().expect("no thread has panicked");
            sink.waiting.insert(place, Done { file, taken, mark, content, spare });
            sink.hand_on_all_due();
            self.advanced.notify_all();
        }
    }

    /// Waits until there are few enough jobs in flight, and returns the next job; `None` when the files end
    /// or the sink stops.
    fn next_job(&self) -> Option<PartJob> {
        let mut reader = self.reader.lock().expect("no thread has panicked");
        let sink = self.sink.lock().expect("no thread has panicked");
        let is_early =
            |sink: &mut OrderedSink<'_, T, W, B>| sink.end.is_none() && reader.place >= sink.due + self.most;
        let mut sink = self.advanced.wait_while(sink, is_early).expect("no thread has panicked");
        if sink.end.is_some() {
            return None;
        }
        let spare = std::mem::take(&mut sink.spare);
        drop(sink);
        reader.next(spare)
    }
}

/// Ends the other workers' work if a worker panics. Otherwise they would wait forever for the block of that
/// worker.
struct Alarm<'l, 'a, T, W, B>(&'l Pipeline<'a, T, W, B>);

impl<T, W, B> Drop for Alarm<'_, '_, T, W, B> {
    fn drop(&mut self) {
        if thread::panicking() {
            let mut sink = self.0.sink.lock().unwrap_or_else(PoisonError::into_inner);
            sink.end.get_or_insert(ControlFlow::Continue(()));
            self.0.advanced.notify_all();
        }
    }
}

struct PartJob {
    /// Index among all jobs, from 0.
    place: u64,
    file: usize,
    cut: Cut,
    /// Packed bytes of all files up to the end of this part.
    taken: u64,
}

enum Cut {
    /// A block. If `torn`, the file breaks off after it.
    Block {
        block: Block,
        torn: bool,
    },
    /// The end of a file that breaks off.
    Torn(io::Error),
    Failed(ReadError),
    End,
}

struct Done<T> {
    file: usize,
    taken: u64,
    mark: BlockMark,
    content: StreamContent<T>,
    spare: Vec<u8>,
}

fn read_cut<T>(
    cut: Cut,
    encoding: Option<&'static Encoding>,
    read: &impl Fn(GameBlock<'_>) -> T,
) -> (StreamContent<T>, Vec<u8>) {
    let content = match cut {
        Cut::Block { block: Block::Games(bytes), torn } => {
            let text = decode_part(bytes, encoding);
            let made = read(GameBlock::Games { text: &text, torn });
            return (StreamContent::Block(made), text.into_bytes());
        }
        Cut::Block { block: Block::TooLarge(_), .. } => StreamContent::Block(read(GameBlock::TooLarge)),
        Cut::Torn(error) => StreamContent::Torn(error),
        Cut::Failed(error) => StreamContent::Failed(error),
        Cut::End => StreamContent::End,
    };
    (content, Vec::new())
}

/// Cuts the files into blocks, in order.
struct BlockReader<'a> {
    files: std::iter::Enumerate<std::slice::Iter<'a, PathBuf>>,
    /// The current file and its index.
    open: Option<(usize, OpenFile)>,
    place: u64,
    /// Packed bytes read so far, of all files.
    taken: u64,
    /// Packed bytes of the files before the current file.
    before: u64,
}

enum OpenFile {
    /// The blocks, and the number of packed bytes read from the file.
    Blocks(Box<Blocks<Unpacked>>, Arc<AtomicU64>),
    /// An error still to be reported, after the last block.
    Torn(io::Error),
    End,
}

impl<'a> BlockReader<'a> {
    fn new(files: &'a [PathBuf]) -> BlockReader<'a> {
        BlockReader { files: files.iter().enumerate(), open: None, place: 0, taken: 0, before: 0 }
    }

    /// Returns the next job, reusing a spare buffer.
    fn next(&mut self, spare: Vec<u8>) -> Option<PartJob> {
        let (file, cut) = self.next_cut(spare)?;
        let place = self.place;
        self.place += 1;
        Some(PartJob { place, file, cut, taken: self.taken })
    }

    fn next_cut(&mut self, spare: Vec<u8>) -> Option<(usize, Cut)> {
        let (file, open) = match self.open.take() {
            Some(open) => open,
            None => {
                let (file, path) = self.files.next()?;
                match Unpacked::open(path) {
                    Ok(unpacked) => {
                        let taken = unpacked.taken();
                        (file, OpenFile::Blocks(Box::new(Blocks::new(unpacked)), taken))
                    }
                    Err(error) => {
                        self.open = Some((file, OpenFile::End));
                        return Some((file, Cut::Failed(error)));
                    }
                }
            }
        };
        let (cut, rest) = match open {
            OpenFile::Blocks(blocks, taken) => self.cut(blocks, taken, spare),
            OpenFile::Torn(error) => (Cut::Torn(error), Some(OpenFile::End)),
            OpenFile::End => (Cut::End, None),
        };
        self.open = rest.map(|rest| (file, rest));
        if self.open.is_none() {
            self.before = self.taken;
        }
        Some((file, cut))
    }

    /// Returns the next part of an open file, and the state of the file after that part; `None` after the
    /// last part.
    fn cut(
        &mut self,
        mut blocks: Box<Blocks<Unpacked>>,
        taken: Arc<AtomicU64>,
        spare: Vec<u8>,
    ) -> (Cut, Option<OpenFile>) {
        blocks.reuse(spare);
        let next = blocks.next();
        self.taken = self.before + taken.load(Ordering::Relaxed);
        match next {
            Some(Ok(block)) => (Cut::Block { block, torn: false }, Some(OpenFile::Blocks(blocks, taken))),
            Some(Err(error)) => match blocks.next() {
                Some(Ok(block)) => (Cut::Block { block, torn: true }, Some(OpenFile::Torn(error))),
                _ => (Cut::Torn(error), Some(OpenFile::End)),
            },
            None => (Cut::End, None),
        }
    }
}

/// Hands results to the sink in the order of the files.
struct OrderedSink<'a, T, W, B> {
    files: &'a [PathBuf],
    sink: W,
    due: u64,
    waiting: BTreeMap<u64, Done<T>>,
    /// A buffer that another block can reuse.
    spare: Vec<u8>,
    end: Option<ControlFlow<B>>,
}

impl<'a, T, W, B> OrderedSink<'a, T, W, B> {
    fn new(files: &'a [PathBuf], sink: W) -> OrderedSink<'a, T, W, B> {
        OrderedSink { files, sink, due: 0, waiting: BTreeMap::new(), spare: Vec::new(), end: None }
    }
}

impl<T, B, W: FnMut(StreamPart<'_, T>) -> ControlFlow<B>> OrderedSink<'_, T, W, B> {
    /// Hands the results that are next in order to the sink.
    fn hand_on_all_due(&mut self) {
        while self.end.is_none()
            && let Some(Done { file, taken, mark, content, spare }) = self.waiting.remove(&self.due)
        {
            self.due += 1;
            self.spare = spare;
            let flow = (self.sink)(StreamPart { file: &self.files[file], index: file, taken, mark, content });
            if flow.is_break() {
                self.end = Some(flow);
            }
        }
    }
}

#[cfg(test)]
mod tests;
