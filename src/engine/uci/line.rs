//! Bounded reading of single lines from a program that may write anything.

use std::io::{self, BufRead};

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// A line that cannot be parsed as the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a line of the expected kind: {0:?}")]
pub struct ParseLineError(pub String);

/// Returns the next line without its line feed, cut to `limit` bytes; `None` at the end of input.
pub async fn read_line<R: AsyncBufRead + Unpin>(reader: &mut R, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = LineBytes::cut_to(limit);
    loop {
        let taken = line.take(reader.fill_buf().await?);
        reader.consume(taken);
        if taken == 0 || line.is_whole {
            return Ok(line.into_bytes());
        }
    }
}

/// Like [`read_line`], but blocks its thread.
pub fn read_line_blocking<R: BufRead>(reader: &mut R, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = LineBytes::cut_to(limit);
    loop {
        let taken = line.take(reader.fill_buf()?);
        reader.consume(taken);
        if taken == 0 || line.is_whole {
            return Ok(line.into_bytes());
        }
    }
}

/// A partly read line.
struct LineBytes {
    bytes: Vec<u8>,
    limit: usize,
    seen_any: bool,
    /// True if the end of the line has been read.
    is_whole: bool,
}

impl LineBytes {
    fn cut_to(limit: usize) -> LineBytes {
        LineBytes { bytes: Vec::new(), limit, seen_any: false, is_whole: false }
    }

    /// Takes the bytes of `buffer` that belong to the line, and returns their number, including the line end.
    fn take(&mut self, buffer: &[u8]) -> usize {
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        let room = self.limit.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&buffer[..taken.min(room)]);
        self.seen_any |= !buffer.is_empty();
        self.is_whole = end.is_some();
        end.map_or(taken, |end| end + 1)
    }

    fn into_bytes(self) -> Option<Vec<u8>> {
        self.seen_any.then_some(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::BufReader;

    use super::*;

    #[test]
    fn a_line_is_cut_to_its_limit_and_the_next_one_is_whole() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            // A small buffer, so that a line comes in pieces.
            let mut reader = BufReader::with_capacity(4, &b"0123456789\nab\n\nlast"[..]);
            let mut next = async || read_line(&mut reader, 6).await.expect("bytes in memory");
            assert_eq!(next().await.as_deref(), Some(&b"012345"[..]));
            assert_eq!(next().await.as_deref(), Some(&b"ab"[..]));
            assert_eq!(next().await.as_deref(), Some(&b""[..]));
            assert_eq!(next().await.as_deref(), Some(&b"last"[..]));
            assert_eq!(next().await, None);
        });
    }

    #[test]
    fn a_thread_that_waits_reads_the_same_lines() {
        for text in ["0123456789\nab\n\nlast", "\n", "", "0123456", "012345\n0123456\n"] {
            let mut reader = std::io::BufReader::with_capacity(4, text.as_bytes());
            for line in text.lines() {
                let read = read_line_blocking(&mut reader, 6).expect("bytes in memory");
                assert_eq!(read.as_deref(), Some(&line.as_bytes()[..line.len().min(6)]), "{text:?}");
            }
            assert_eq!(read_line_blocking(&mut reader, 6).expect("bytes in memory"), None, "{text:?}");
        }
    }
}
