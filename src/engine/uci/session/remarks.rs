//! Owns what an engine says in free text, where it says why it gives up.

use crate::chess::text::{cut, has_words, printable};

/// Longest free text kept, in columns.
const LONGEST: usize = 300;

/// The `info string` lines of an engine.
#[derive(Debug, Default)]
pub struct Remarks(Vec<u8>);

impl Remarks {
    /// Keeps a line if it is one of them.
    pub fn hear(&mut self, line: &[u8]) {
        if let Some(remark) = line.strip_prefix(b"info string ")
            && self.0.len() < LONGEST
        {
            self.0.extend_from_slice(remark);
            self.0.push(b' ');
        }
    }

    /// Returns what has been said, if it has words.
    pub fn text(&self) -> Option<String> {
        let remarks = String::from_utf8_lossy(&self.0);
        has_words(&remarks).then(|| cut(&printable(&remarks), LONGEST))
    }
}
