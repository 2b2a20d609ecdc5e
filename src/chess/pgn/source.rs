//! Opens the game files named on the command line, and decompresses them while they are read.

use std::{
    fs, fs::File, io, io::Cursor, io::Read, path::Path, path::PathBuf, sync::Arc, sync::atomic::AtomicU64,
    sync::atomic::Ordering, sync::mpsc, thread, time::Duration,
};

use bzip2::read::MultiBzDecoder;
use encoding_rs::{UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;
use thiserror::Error;
use walkdir::WalkDir;

use super::decode::{ByteOrder, decode_part, utf16};
use crate::base::{input_file, text::games_path};

#[derive(Debug, Error)]
pub enum ReadError {
    #[error("{}: no such file", games_path(.0))]
    NotFound(String),
    #[error("{}: is a link to a missing file", games_path(.0))]
    DanglingLink(String),
    #[error("{}: is a link to one of its parent folders", games_path(.0))]
    Circle(String),
    #[error("{}: is a directory, not a file of games", games_path(.0))]
    Directory(String),
    #[error("{}: no file in this folder ends in .pgn, .pgn.zst, .pgn.gz or .pgn.bz2", games_path(.0))]
    NoGamesInFolder(String),
    #[error("{}: no permission to read it", games_path(.0))]
    Permission(String),
    #[error("{}: is empty", games_path(.0))]
    Empty(String),
    #[error("{}: is a device, not a file of games", games_path(.0))]
    Device(String),
    /// The first bytes of the file belong to a compression format that is not supported.
    #[error("{}: is compressed ({packer}): unpack it, or pack it as {SUPPORTED}", games_path(.path))]
    Compressed {
        path: String,
        /// Name of the format.
        packer: &'static str,
    },
    #[error("{}: cannot be read", games_path(.0))]
    Io(String, #[source] io::Error),
}

/// The supported compression formats. The decoder of zstd is written in C, so it needs the feature `native`.
const SUPPORTED: &str = if cfg!(feature = "native") { ".zst, .gz or .bz2" } else { ".gz or .bz2" };

/// A compression format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packer {
    Gzip,
    Zstd,
    Bzip2,
    Other(&'static str),
}

/// The first bytes of files in each compression format.
const PACKERS: [(&[u8], Packer); 5] = [
    (b"\x1f\x8b", Packer::Gzip),
    (b"\x28\xb5\x2f\xfd", Packer::Zstd),
    (b"BZh", Packer::Bzip2),
    (b"PK\x03\x04", Packer::Other("zip")),
    (b"\xfd7zXZ", Packer::Other("xz")),
];

/// Number of bytes needed to recognize a compression format or UTF-16.
const HEAD: usize = 8;

impl Packer {
    fn of(head: &[u8]) -> Option<Packer> {
        // Some programs begin a zstd file with a skippable frame.
        if let [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] = head {
            return Some(Packer::Zstd);
        }
        PACKERS.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, packer)| packer)
    }
}

/// The bytes of a game file or of standard input. Compressed files are decompressed, whatever their name.
/// UTF-16 is converted to UTF-8.
pub struct Unpacked {
    reader: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
}

impl Unpacked {
    /// Opens the file at `path`, or standard input if it is `-`.
    pub fn open(path: &Path) -> Result<Unpacked, ReadError> {
        let name = path.to_string_lossy();
        let reader: Box<dyn Read + Send> = match open(path)? {
            Some(file) => Box::new(file),
            None => Box::new(io::stdin()),
        };
        let taken = Arc::new(AtomicU64::new(0));
        let reader = unpack(CountedReader { reader, taken: Arc::clone(&taken) }, &name)?;
        let reader = in_utf_8(reader).map_err(|error| ReadError::from_io(&name, error))?;
        Ok(Unpacked { reader, taken })
    }

    /// Returns the size on disk, in bytes, of the file at `path`; `None` if it is not a regular file, such as
    /// standard input or a pipe.
    pub fn size_of(path: &Path) -> Option<u64> {
        fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|facts| facts.len())
    }

    /// Returns a counter of the bytes read from the file, before decompression. Other threads may use it.
    pub fn taken(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.taken)
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// Opens the file at `path`, or a pipe such as `<(command)`. `None` for standard input.
fn open(path: &Path) -> Result<Option<File>, ReadError> {
    if path.as_os_str() == "-" {
        return Ok(None);
    }
    let name = path.to_string_lossy();
    let failed = |error| ReadError::from_io(&name, error);
    let kind = fs::metadata(path).map_err(failed)?.file_type();
    match kind {
        _ if kind.is_dir() => Err(ReadError::Directory(name.into_owned())),
        _ if kind.is_file() => File::open(path).map(Some).map_err(failed),
        _ if is_pipe(kind) => open_pipe(path.to_owned()).map(Some).map_err(failed),
        _ => Err(ReadError::Device(name.into_owned())),
    }
}

#[cfg(unix)]
fn is_pipe(kind: fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
fn is_pipe(_: fs::FileType) -> bool {
    false
}

/// Time limit for the start of a writer at the other end of a pipe. A shell starts both ends at the same
/// time.
const PIPE_WAIT: Duration = Duration::from_secs(10);

/// Opens a pipe in a separate thread, because opening waits for a writer.
fn open_pipe(path: PathBuf) -> io::Result<File> {
    let (opened, file) = mpsc::channel();
    thread::spawn(move || opened.send(File::open(path)));
    let unwritten = |_| Err(io::Error::new(io::ErrorKind::TimedOut, "nothing writes to this pipe"));
    file.recv_timeout(PIPE_WAIT).unwrap_or_else(unwritten)
}

/// Returns the bytes of a file in memory, decompressed. It is an error if there are more than `most`.
pub fn unpacked(name: &str, bytes: Vec<u8>, most: u64) -> Result<Vec<u8>, ReadError> {
    let all = input_file::read_all(unpack(Cursor::new(bytes), name)?, most);
    all.map_err(|error| ReadError::from_io(name, error))
}

fn unpack(reader: impl Read + Send + 'static, name: &str) -> Result<Box<dyn Read + Send>, ReadError> {
    let failed = |error| ReadError::from_io(name, error);
    let (head, reader) = peek(reader).map_err(failed)?;
    Ok(match Packer::of(&head) {
        None => Box::new(reader),
        Some(Packer::Gzip) => Box::new(MultiGzDecoder::new(reader)),
        Some(Packer::Bzip2) => Box::new(MultiBzDecoder::new(reader)),
        #[cfg(not(feature = "native"))]
        Some(Packer::Zstd) => {
            return Err(ReadError::Compressed { path: name.to_owned(), packer: "zstd" });
        }
        // This decoder reads all frames of the file.
        #[cfg(feature = "native")]
        Some(Packer::Zstd) => Box::new(Frames(zstd::Decoder::new(reader).map_err(failed)?)),
        Some(Packer::Other(packer)) => {
            return Err(ReadError::Compressed { path: name.to_owned(), packer });
        }
    })
}

fn in_utf_8(reader: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let (head, reader) = peek(reader)?;
    Ok(match utf16(&head) {
        None => Box::new(reader),
        Some(order) => {
            let encoding = match order {
                ByteOrder::Little => UTF_16LE,
                ByteOrder::Big => UTF_16BE,
            };
            Box::new(DecodeReaderBytesBuilder::new().encoding(Some(encoding)).build(reader))
        }
    })
}

/// Reads from a zstd decoder with the default memory limit. If a frame needs more memory, the error says so
/// clearly.
#[cfg(feature = "native")]
struct Frames<R>(R);

#[cfg(feature = "native")]
impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            // The crate reports this error only by its text.
            if error.to_string() == "Frame requires too much memory for decoding" {
                io::Error::other(
                    "its zstd window is larger than 128 MiB: pack it again with zstd --long=27 or less",
                )
            } else {
                error
            }
        })
    }
}

/// A reader whose first bytes were already read, and are returned again.
type Peeked<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// Returns the first bytes of `reader`, and a reader of all its bytes.
fn peek<R: Read>(mut reader: R) -> io::Result<(Vec<u8>, Peeked<R>)> {
    let mut head = Vec::with_capacity(HEAD);
    // If an error occurs after the first byte, it is ignored here and occurs again in a later read.
    match reader.by_ref().take(HEAD as u64).read_to_end(&mut head) {
        Err(error) if head.is_empty() => Err(error),
        _ => Ok((head.clone(), Cursor::new(head).chain(reader))),
    }
}

struct CountedReader {
    reader: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
}

impl Read for CountedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.taken.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[derive(Debug, Default)]
pub struct FoundFiles {
    pub files: Vec<PathBuf>,
    pub passed_over: Vec<ReadError>,
}

/// Returns the files of `paths`. A folder is replaced by all game files in it and its subfolders, compressed
/// or not, sorted by path. Entries of a folder that cannot be read are listed in `passed_over`. It is an
/// error if a path does not exist or cannot be opened, or if a folder has no game file.
pub fn files(paths: &[PathBuf]) -> Result<FoundFiles, ReadError> {
    let mut found = FoundFiles::default();
    for path in paths {
        if path.as_os_str() != "-" && is_folder(path)? {
            found.add_folder(path)?;
        } else {
            found.files.push(path.clone());
        }
    }
    Ok(found)
}

/// Returns whether `path` is a folder. It is an error if `path` does not exist, or is a file that cannot be
/// opened.
fn is_folder(path: &Path) -> Result<bool, ReadError> {
    let failed = |error| ReadError::from_io(&path.to_string_lossy(), error);
    let facts = fs::metadata(path).map_err(failed)?;
    // Only regular files are opened here. If a pipe were opened and closed, its writer would fail.
    if facts.is_file() {
        File::open(path).map_err(failed)?;
    }
    Ok(facts.is_dir())
}

impl FoundFiles {
    /// Adds the game files in a folder and its subfolders. It is an error if there are none.
    fn add_folder(&mut self, folder: &Path) -> Result<(), ReadError> {
        let (files, faults) = (self.files.len(), self.passed_over.len());
        for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_file() && is_called_games(entry.path()) => {
                    self.files.push(entry.into_path());
                }
                Ok(_) => {}
                Err(error) => self.pass_over(folder, error),
            }
        }
        if self.files.len() > files {
            return Ok(());
        }
        let nothing = || ReadError::NoGamesInFolder(folder.to_string_lossy().into_owned());
        Err(self.passed_over.drain(faults..).next().unwrap_or_else(nothing))
    }

    /// Records an entry of a folder that cannot be read. A broken link is recorded only if it has the name of
    /// a game file.
    fn pass_over(&mut self, folder: &Path, error: walkdir::Error) {
        let path = error.path().unwrap_or(folder).to_owned();
        let name = path.to_string_lossy().into_owned();
        match error.into_io_error() {
            None => self.passed_over.push(ReadError::Circle(name)),
            Some(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
                let games = is_called_games(&path).then_some(ReadError::DanglingLink(name));
                self.passed_over.extend(games);
            }
            Some(error) => self.passed_over.push(ReadError::from_io(&name, error)),
        }
    }
}

/// Returns whether `path` has the extension of a game file.
pub fn is_called_games(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    [".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"].iter().any(|end| name.ends_with(end))
}

/// Returns the decompressed text of the file at `path`, or of standard input if `path` is `-`. It is an error
/// if the text is only white space, or larger than 256 MiB.
pub fn read_source(path: impl AsRef<Path>) -> Result<String, ReadError> {
    let path = path.as_ref();
    let name = path.to_string_lossy();
    let bytes = input_file::read_all(Unpacked::open(path)?, input_file::TABLE);
    let text = decode_part(bytes.map_err(|error| ReadError::from_io(&name, error))?, None);
    if text.trim().is_empty() { Err(ReadError::Empty(name.into_owned())) } else { Ok(text) }
}

impl ReadError {
    pub(super) fn from_io(path: &str, error: io::Error) -> ReadError {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => ReadError::NotFound(path),
            io::ErrorKind::IsADirectory => ReadError::Directory(path),
            io::ErrorKind::PermissionDenied => ReadError::Permission(path),
            _ => ReadError::Io(path, error),
        }
    }
}

#[cfg(test)]
mod tests;
