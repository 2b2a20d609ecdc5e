//! Owns the reading of single lines from a program that may write anything, without end.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// A line does not begin as its kind must.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a line of the expected kind: {0:?}")]
pub struct ParseLineError(pub String);

/// Returns the next line without its end, cut to `limit` bytes; `None` when there are no more.
pub async fn read_line<R: AsyncBufRead + Unpin>(reader: &mut R, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut seen_any = false;
    loop {
        let buffer = reader.fill_buf().await?;
        if buffer.is_empty() {
            return Ok(seen_any.then_some(line));
        }
        seen_any = true;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        let room = limit.saturating_sub(line.len());
        line.extend_from_slice(&buffer[..taken.min(room)]);
        reader.consume(end.map_or(taken, |end| end + 1));
        if end.is_some() {
            return Ok(Some(line));
        }
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
}
