//! [`FileMark`]: size and digest by which a written file is recognized.

use std::{fs::File, io, io::BufWriter, io::Read, io::Write, path::Path};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// Size and digest of a file. The digest is fast but not secure: it detects changes, not malice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMark {
    bytes: u64,
    /// 128-bit XXH3 in hexadecimal.
    xxh3: String,
}

impl FileMark {
    pub fn of(path: &Path) -> io::Result<FileMark> {
        let (mut file, mut marking) = (File::open(path)?, Marking::new(io::sink()));
        let mut part = vec![0; 1 << 16];
        loop {
            match file.read(&mut part)? {
                0 => return Ok(marking.mark()),
                read => marking.write_all(&part[..read])?,
            }
        }
    }

    /// Returns whether `path` is a regular file, not a link, and has this mark.
    pub fn is_of(&self, path: &Path) -> io::Result<bool> {
        let data = path.symlink_metadata()?;
        Ok(data.is_file() && data.len() == self.bytes && FileMark::of(path)? == *self)
    }
}

pub struct StagedFile(BufWriter<Marking<File>>);

impl StagedFile {
    pub(super) fn new(file: File) -> StagedFile {
        StagedFile(BufWriter::with_capacity(1 << 16, Marking::new(file)))
    }

    pub(super) fn finish(mut self) -> io::Result<FileMark> {
        self.0.flush()?;
        Ok(self.0.get_ref().mark())
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A writer that counts the bytes written and computes their digest.
struct Marking<W> {
    to: W,
    bytes: u64,
    digest: Xxh3,
}

impl<W> Marking<W> {
    fn new(to: W) -> Marking<W> {
        Marking { to, bytes: 0, digest: Xxh3::new() }
    }

    fn mark(&self) -> FileMark {
        FileMark { bytes: self.bytes, xxh3: format!("{:032x}", self.digest.digest128()) }
    }
}

impl<W: Write> Write for Marking<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_known_again_until_a_byte_of_it_changes() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let path = temp.path().join("players.csv");
        let mut file = StagedFile::new(File::create(&path).expect("a new file"));
        file.write_all(b"player,elo\n").expect("room");
        let mark = file.finish().expect("room");
        assert!(mark.is_of(&path).expect("a file"));
        fs::write(&path, "player,ELO\n").expect("a writable file");
        assert!(!mark.is_of(&path).expect("a file"));
        fs::write(&path, "player,elo\n\n").expect("a writable file");
        assert!(!mark.is_of(&path).expect("a file"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_of_ours_is_not_ours() {
        let temp = tempfile::tempdir().expect("a temporary directory");
        let path = temp.path().join("players.csv");
        let file = StagedFile::new(File::create(&path).expect("a new file"));
        let mark = file.finish().expect("room");
        // XXH128 of nothing, from the test vectors of xxHash 0.8.
        assert_eq!((mark.bytes, mark.xxh3.as_str()), (0, "99aa06d3014798d86001c324468d497f"));
        let link = temp.path().join("link.csv");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        assert!(mark.is_of(&path).expect("a file") && !mark.is_of(&link).expect("a link"));
    }
}
