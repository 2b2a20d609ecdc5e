//! Splits a stream of games into blocks of whole games, so that a file of any size can be read with limited
//! memory.

use std::io::{self, Read};

use memchr::memrchr_iter;

use super::tags::begins_tag;

/// Usual block size in bytes. A block of this size and the data made from it fit in the cache of a core. A
/// block with a larger game is larger.
const BLOCK: usize = 1 << 18;

/// Size limit of a game in bytes, far above the longest annotated games.
pub const LARGEST_GAME: usize = 4 << 20;

/// Number of bytes that are kept when older bytes are skipped, so that [`begins_game`] can examine the text
/// before a bracket.
const CONTEXT: usize = 1 << 16;

/// A part of a stream.
#[derive(Debug)]
pub enum Block {
    /// The bytes of whole games.
    Games(Vec<u8>),
    /// Number of bytes skipped, up to the next beginning of a game, because no end of a game was found in
    /// [`LARGEST_GAME`] bytes.
    TooLarge(u64),
}

/// Cuts a stream at places where a game certainly begins.
///
/// Such a place is a line that begins with a tag pair. Any tag pair is enough if moves and a blank line are
/// before it. The pair `Event` is enough after a blank line, or directly after moves. Games can also begin at
/// other places, for example if they have no tags. So if [`LARGEST_GAME`] bytes contain no such place, the
/// stream is cut at a blank line after a result outside comments.
#[derive(Debug)]
pub struct Blocks<R> {
    reader: R,
    buffer: Vec<u8>,
    /// Number of bytes at the start of `buffer` that were read from `reader`.
    filled: usize,
    /// A spare buffer, which becomes `buffer` when the present buffer is returned as a block.
    spare: Vec<u8>,
    size: usize,
    ended: bool,
    failed: Option<io::Error>,
    /// True before the first block. Comments at the head of a file belong to its first game.
    at_head: bool,
}

impl<R: Read> Blocks<R> {
    /// Returns an iterator over the blocks of `reader`.
    pub fn new(reader: R) -> Blocks<R> {
        Blocks::of_size(reader, BLOCK)
    }

    /// Returns an iterator over blocks of about `size` bytes. `size` is limited to [`LARGEST_GAME`].
    pub fn of_size(reader: R, size: usize) -> Blocks<R> {
        Blocks {
            reader,
            buffer: Vec::new(),
            filled: 0,
            spare: Vec::new(),
            size: size.min(LARGEST_GAME),
            ended: false,
            failed: None,
            at_head: true,
        }
    }

    /// Takes the buffer of a block that is no longer needed, and uses it for a later block.
    pub fn reuse(&mut self, spare: Vec<u8>) {
        self.spare = spare;
    }

    /// Returns the bytes read but not yet returned.
    fn pending(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Reads until `wanted` bytes are pending, or to the end of the stream.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        while !self.ended && self.filled < wanted {
            match self.reader.read(&mut self.buffer[self.filled..wanted]) {
                Ok(count) => (self.filled, self.ended) = (self.filled + count, count == 0),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn give(&mut self, at: usize) -> Block {
        let mut block = std::mem::replace(&mut self.buffer, std::mem::take(&mut self.spare));
        let rest = &block[at..self.filled];
        if self.buffer.len() < rest.len() {
            self.buffer.resize(rest.len(), 0);
        }
        self.buffer[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
        block.truncate(at);
        self.at_head = false;
        Block::Games(block)
    }

    fn last_beginning(&self) -> Option<usize> {
        let mut beginnings = memrchr_iter(b'[', self.pending()).filter(|&at| begins_game(self.pending(), at));
        let last = beginnings.next()?;
        let has_tags = !self.at_head || self.pending().trim_ascii_start().starts_with(b"[");
        // If there is only one beginning in the first block, the text before it may be a comment on the first
        // game.
        (has_tags || beginnings.next().is_some()).then_some(last)
    }

    /// Skips all bytes before the next beginning of a game, and returns their number.
    fn skip(&mut self) -> u64 {
        let mut skipped = 0;
        loop {
            skipped += self.drop_before(self.filled.saturating_sub(CONTEXT));
            if let Err(error) = self.fill(self.filled + BLOCK) {
                (self.ended, self.failed) = (true, Some(error));
            }
            let found = memchr::memchr_iter(b'[', self.pending()).find(|&at| begins_game(self.pending(), at));
            if let Some(at) = found {
                skipped += self.drop_before(at);
                self.at_head = false;
                return skipped;
            }
            if self.ended {
                return skipped + self.drop_before(self.filled);
            }
        }
    }

    fn drop_before(&mut self, at: usize) -> u64 {
        self.buffer.copy_within(at..self.filled, 0);
        self.filled -= at;
        at as u64
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = io::Result<Block>;

    /// Returns the next block. After an error, the next call returns the bytes read before the error, and
    /// then the stream ends.
    fn next(&mut self) -> Option<io::Result<Block>> {
        if let Some(error) = self.failed.take() {
            return Some(Err(error));
        }
        let mut wanted = self.size;
        loop {
            if let Err(error) = self.fill(wanted) {
                // The next call returns the remaining bytes, as at the end of the stream.
                self.ended = true;
                return Some(Err(error));
            }
            if self.ended {
                let rest = self.filled;
                return (rest > 0).then(|| Ok(self.give(rest)));
            }
            if let Some(at) = self.last_beginning() {
                return Some(Ok(self.give(at)));
            }
            if self.filled >= LARGEST_GAME {
                return Some(Ok(match last_end(self.pending()) {
                    Some(at) => self.give(at),
                    None => Block::TooLarge(self.skip()),
                }));
            }
            wanted = (2 * wanted).min(LARGEST_GAME);
        }
    }
}

/// Returns whether a game certainly begins at the bracket at byte `at`, so that the stream can be cut there.
fn begins_game(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    if at == 0 || !before.ends_with(b"\n") && !before.ends_with(b"\r") {
        return false;
    }
    // A line with other white space, such as a form feed, is not blank: inside a comment, readers keep it.
    let end = before.iter().rposition(|byte| !b" \t\r\n".contains(byte)).map_or(0, |last| last + 1);
    let line = &before[..end];
    let blank = before[line.len()..].iter().filter(|&&byte| byte == b'\n').count() >= 2;
    let start = memchr::memrchr2(b'\n', b'\r', line).map_or(0, |end| end + 1);
    // Readers skip a vertical tab like a space.
    let is_shown = |byte: &u8| !byte.is_ascii_whitespace() && !byte.is_ascii_control();
    let Some(shown) = line[start..].iter().position(is_shown) else { return false };
    let line = &line[start + shown..];
    let Some(name) = tag_name(&text[at..]) else { return false };
    // After a tag or a line escaped by %, the tag section may continue.
    let has_tag = || memchr::memchr_iter(b'[', line).any(|at| line.get(at + 1) != Some(&b'%'));
    let after_tags = line.starts_with(b"[") || line.starts_with(b"%") || has_tag();
    if name == b"Event" { blank || !after_tags } else { blank && !after_tags }
}

/// Returns the name of the tag pair at the start of `text`. `None` for names that are not ASCII, because
/// their letters depend on the encoding of the whole block.
fn tag_name(text: &[u8]) -> Option<&[u8]> {
    if text.starts_with(b"[%") {
        return None;
    }
    // Only the text before the quote is examined, so the encoding of the value does not matter.
    let end = memchr::memchr2(b'"', b'\n', &text[..text.len().min(300)])?;
    let head = std::str::from_utf8(&text[..=end]).ok().filter(|head| head.is_ascii())?;
    begins_tag(head).map(str::as_bytes)
}

/// Finds the last result outside comments that is followed by a blank line, zero bytes or a tag pair. Returns
/// the place after all blank lines and zero bytes that follow the result. `text` must begin outside a comment.
fn last_end(text: &[u8]) -> Option<usize> {
    let (mut last, mut from) = (None, 0);
    while from < text.len() {
        let open = memchr::memchr(b'{', &text[from..]).map_or(text.len(), |open| from + open);
        let outside = &text[from..open];
        let mut ends =
            memchr::memchr3_iter(b'\n', b'\r', 0, outside).filter_map(|at| end_of_game(outside, at));
        let glued = memrchr_iter(b'[', outside)
            .find(|&at| is_end(&outside[..at]) && tag_name(&text[from + at..]).is_some());
        last = ends.next_back().max(glued).map(|end| from + end).or(last);
        from = open + memchr::memchr(b'}', &text[open..]).map_or(text.len() - open, |close| close + 1);
    }
    last
}

/// Returns the end of the blank lines or zero bytes at `at`, if a result is directly before them.
fn end_of_game(text: &[u8], at: usize) -> Option<usize> {
    let line = &text[..at];
    let line = &line[..line.iter().rposition(|byte| !b" \t".contains(byte)).map_or(0, |last| last + 1)];
    if !is_end(line) {
        return None;
    }
    let blank = text[at..].iter().take_while(|byte| b" \t\n\r\0".contains(byte)).count();
    let gap = &text[at..at + blank];
    let lines = [b'\n', b'\r'].map(|end| gap.iter().filter(|&&byte| byte == end).count());
    (gap.contains(&0) || lines.iter().any(|&lines| lines >= 2)).then_some(at + blank)
}

fn is_end(line: &[u8]) -> bool {
    let results: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
    results.iter().any(|result| line.ends_with(result))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::parse_games;

    /// Returns the blocks of `text`, cut as often as possible. An error is the number of skipped bytes.
    fn blocks(text: &[u8]) -> Vec<Result<String, u64>> {
        let mut blocks = Blocks::of_size(text, 1);
        let block = |block| match block {
            Block::Games(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Block::TooLarge(bytes) => Err(bytes),
        };
        std::iter::from_fn(|| blocks.next()).map(|next| block(next.expect("memory"))).collect()
    }

    #[test]
    fn a_section_of_tags_goes_on_after_a_tag_behind_a_vertical_tab() {
        let text = b"[Event \"odd\"]\n\x0b[Eeit hW\"mil\"]\n\n\n[Black \"Fred\"]\n\n1. e4 *\n";
        let at = text.iter().rposition(|&byte| byte == b'[').expect("a tag");
        assert!(!begins_game(text, at));
    }

    #[test]
    fn a_line_of_form_feeds_is_not_blank() {
        let text = b"[Event \"odd\"]\n\n1. e4 { [%evbest ]\n\x0c\x0c\n[Black \"Fred\"]\n\n1. e4 *\n";
        let at = text.iter().rposition(|&byte| byte == b'[').expect("a tag");
        assert!(!begins_game(text, at));
    }

    #[test]
    fn a_name_that_depends_on_the_encoding_begins_nothing() {
        let text =
            b"[Event \"odd\"]\n\n1. e4 *\n\n[EVEN\xc3\x87T \"odd\"]\xc7\n[White \"Emil\"]\n\n1. e4 *\n";
        assert!(!memchr::memchr_iter(b'[', text).any(|at| begins_game(text, at)));
    }

    #[test]
    fn a_cut_is_where_a_game_begins() {
        let text = "[Event \"a\"]\n[White \"b\"]\n\n1. e4 { [%eval 0.1]\n [White \"c\"] } *\n[Event \"d\"]\n\n\
                    [Event \"e\"]\r\n\r\n*\r\n\r\n[Site \"f\"]\n\n[White \"g\"]\n%x\n\n[Black \"h\"]\n*";
        let starts: Vec<usize> = memchr::memchr_iter(b'[', text.as_bytes())
            .filter(|&at| begins_game(text.as_bytes(), at))
            .collect();
        let names: Vec<&str> = starts.iter().map(|&at| &text[at..at + 9]).collect();
        // The line before d begins like a tag, and there is no blank line between the two.
        assert_eq!(names, ["[Event \"e", "[Site \"f\""]);
    }

    #[test]
    fn blocks_put_together_are_the_stream_and_have_its_games() {
        let texts = [
            include_str!("../../../data/london-chess-classic-2011.pgn"),
            "{head}\n\n[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n",
            "; head\n[White \"a\"]\n\n[Black \"b\"]\n\n1. e4 {\n\n[Event \"c\"]\n\n1. e4 *\n\nx\n\n[Event \"d\"]\n*",
            "1. e4 *\n\n1. d4 *",
            "",
        ];
        for text in texts {
            let cut = blocks(text.as_bytes()).into_iter().map(|block| block.expect("games"));
            let cut: Vec<String> = cut.collect();
            assert_eq!(cut.concat(), text);
            let moves = |text: &str| {
                let games = parse_games(text, "test").into_iter();
                games.map(|game| game.map(|game| game.moves).map_err(|bad| bad.reason)).collect::<Vec<_>>()
            };
            assert_eq!(cut.iter().flat_map(|block| moves(block)).collect::<Vec<_>>(), moves(text));
        }
    }

    #[test]
    fn a_game_that_is_too_large_is_skipped_and_nothing_else() {
        let game = "[Event \"a\"]\n\n1. e4 *\n\n";
        let large = format!("[Event \"b\"]\n\n1. e4 {{{}}} *\n\n", " x".repeat(LARGEST_GAME));
        let text = [game, game, &large, game].concat();
        let twice = Ok(game.to_owned());
        let skipped = Err(large.len() as u64);
        assert_eq!(blocks(text.as_bytes()), [twice.clone(), twice.clone(), skipped.clone(), twice.clone()]);
        assert_eq!(blocks([game, &large].concat().as_bytes()), [twice, skipped]);
    }

    #[test]
    fn games_without_tags_are_cut_after_a_result() {
        let text = "1. e4 e5 1-0\n\n".repeat(LARGEST_GAME / 10);
        let cut: Vec<String> =
            blocks(text.as_bytes()).into_iter().map(|block| block.expect("games")).collect();
        assert!(
            cut.len() > 1
                && cut.iter().all(|block| block.starts_with("1. e4") && block.len() <= LARGEST_GAME)
        );
        assert_eq!(cut.concat(), text);
    }

    #[test]
    fn what_was_read_before_an_error_is_not_lost() {
        struct Torn(bool);
        impl Read for Torn {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                if std::mem::replace(&mut self.0, true) {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                buffer[..4].copy_from_slice(b"e4 *");
                Ok(4)
            }
        }
        let mut blocks = Blocks::of_size(Torn(false), 100);
        assert!(blocks.next().expect("an error").is_err());
        assert!(matches!(blocks.next(), Some(Ok(Block::Games(bytes))) if bytes == b"e4 *"));
        assert!(blocks.next().is_none());
    }
}
