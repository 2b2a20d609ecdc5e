//! [`Inputs`]: the counted files. The list prevents counting a file twice.

use std::{collections::BTreeMap, ops::AddAssign, path::Path};

use xxhash_rust::xxh3::Xxh3;

use crate::chess::BlockMark;

/// A counted file. Two files are the same file if their sizes and digests are equal, whatever their names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CountedFile {
    /// Unpacked size in bytes, as far as it was read.
    pub bytes: u64,
    /// 128-bit XXH3 over the lengths and digests of the file's blocks, in order.
    pub digest: u128,
    /// The file's name without the folder.
    pub name: String,
}

impl CountedFile {
    /// Returns whether this file and `other` have the same text.
    pub fn is_same(&self, other: &CountedFile) -> bool {
        (self.bytes, self.digest) == (other.bytes, other.digest)
    }
}

#[derive(Clone, Default)]
pub(super) struct InputDigest {
    bytes: u64,
    digest: Xxh3,
}

impl InputDigest {
    pub fn add(&mut self, mark: BlockMark) {
        self.bytes += mark.bytes;
        self.digest.update(&mark.bytes.to_le_bytes());
        self.digest.update(&mark.digest.to_le_bytes());
    }

    /// Ends the digest of the file at `path`, and returns the counted file; `None` if no bytes were read.
    pub fn take(&mut self, path: &Path) -> Option<CountedFile> {
        let InputDigest { bytes, digest } = std::mem::take(self);
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        (bytes > 0).then(|| CountedFile { bytes, digest: digest.digest128(), name })
    }
}

/// Counted files, each with the number of times that it was counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inputs(BTreeMap<CountedFile, u64>);

impl Inputs {
    /// Adds a file counted `times` times.
    pub fn add(&mut self, input: CountedFile, times: u64) {
        let count = self.0.entry(input).or_default();
        *count = count.saturating_add(times);
    }

    /// Returns each file with the number of times it was counted.
    pub fn iter(&self) -> impl Iterator<Item = (&CountedFile, u64)> {
        self.0.iter().map(|(input, &times)| (input, times))
    }

    /// Returns the first of these files whose text is also in `other`.
    pub fn common(&self, other: &Inputs) -> Option<&CountedFile> {
        let is_there = |input: &&CountedFile| {
            // Files with the same text are adjacent, whatever their names.
            let first = CountedFile { name: String::new(), ..(*input).clone() };
            other.0.range(first..).next().is_some_and(|(found, _)| found.is_same(input))
        };
        self.0.keys().find(is_there)
    }
}

impl AddAssign for Inputs {
    fn add_assign(&mut self, more: Inputs) {
        more.0.into_iter().for_each(|(input, times)| self.add(input, times));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(bytes: u64, digest: u128, name: &str) -> CountedFile {
        CountedFile { bytes, digest, name: name.to_owned() }
    }

    #[test]
    fn a_file_is_known_by_its_text_whatever_it_is_called() {
        let mut one = Inputs::default();
        one.add(input(5, 7, "b.pgn"), 1);
        one.add(input(9, 1, "a.pgn"), 1);
        let of = |input| {
            let mut other = Inputs::default();
            other.add(input, 1);
            other
        };
        assert_eq!(of(input(5, 7, "zz.pgn")).common(&one).map(|input| input.name.as_str()), Some("zz.pgn"));
        assert_eq!(one.common(&of(input(5, 7, "")).clone()).map(|input| input.name.as_str()), Some("b.pgn"));
        for other in [input(5, 8, "b.pgn"), input(6, 7, "b.pgn")] {
            assert_eq!(of(other).common(&one), None);
        }
        one += of(input(5, 7, "b.pgn"));
        assert_eq!(one.iter().map(|(_, times)| times).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn the_order_of_blocks_and_their_lengths_tell() {
        let of = |marks: &[(u64, u64)]| {
            let mut digest = InputDigest::default();
            marks.iter().for_each(|&(bytes, mark)| digest.add(BlockMark { bytes, digest: mark }));
            digest.take(Path::new("folder/a.pgn")).expect("bytes")
        };
        assert_eq!(of(&[(1, 2), (3, 4)]), of(&[(1, 2), (3, 4)]));
        assert_eq!((of(&[(1, 2), (3, 4)]).bytes, of(&[(1, 2)]).name.as_str()), (4, "a.pgn"));
        for other in [&[(3, 4), (1, 2)][..], &[(1, 2), (3, 5)], &[(2, 2), (2, 4)]] {
            assert!(!of(&[(1, 2), (3, 4)]).is_same(&of(other)));
        }
        assert_eq!(InputDigest::default().take(Path::new("-")), None);
    }
}
