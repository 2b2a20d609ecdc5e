//! Converts the bytes of PGN files to text.

use encoding_rs::Encoding;
use memchr::{memchr, memmem};

/// The mark `^Z`, with which old systems end a file.
const END_MARK: u8 = 0x1a;

/// Decodes the bytes of a PGN file. In the text, lines end with `\n`.
///
/// The bytes are read as UTF-16 if a byte order mark or the first characters show it, and otherwise as UTF-8.
/// A line that is not UTF-8 is read as Windows-1252, a superset of Latin-1, because files put together from
/// several sources mix encodings. Byte order marks are removed. The end marks `^Z` of old systems become line
/// ends, even in the middle of the file. Zero bytes at the end of the file are removed.
pub fn decode(bytes: Vec<u8>) -> String {
    match utf16(&bytes) {
        Some(order) => tidy(decode_utf16(&bytes, order)),
        None => decode_part(bytes, None),
    }
}

/// Decodes whole lines of a file, like [`decode`], but never as UTF-16. Lines that are not UTF-8 have the encoding
/// `other`, by default Windows-1252.
pub fn decode_part(bytes: Vec<u8>, other: Option<&'static Encoding>) -> String {
    // Most texts need no cleaning, and one pass over the bytes shows this. EF is the first byte of a byte
    // order mark; other characters with this byte are rare in games.
    let is_tidy = |&byte: &u8| byte != b'\r' && byte != END_MARK && byte != 0 && byte != 0xef;
    let tidied = bytes.iter().fold(true, |tidied, byte| tidied & is_tidy(byte));
    match String::from_utf8(bytes) {
        Ok(text) if tidied => text,
        Ok(text) => tidy(text),
        Err(error) => tidy(decode_lines(error.as_bytes(), other)),
    }
}

/// The order of the two bytes of a character in UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// Detects UTF-16 by the first bytes of a file: a byte order mark, or a bracket and a letter, each with a
/// zero byte. One zero byte alone would not be enough.
pub(super) fn utf16(bytes: &[u8]) -> Option<ByteOrder> {
    match bytes {
        [0xff, 0xfe, ..] => Some(ByteOrder::Little),
        [0xfe, 0xff, ..] => Some(ByteOrder::Big),
        [b'[', 0, letter, 0, ..] if *letter != 0 => Some(ByteOrder::Little),
        [0, b'[', 0, letter, ..] if *letter != 0 => Some(ByteOrder::Big),
        _ => None,
    }
}

fn decode_utf16(bytes: &[u8], order: ByteOrder) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    let unit = |&pair: &[u8; 2]| match order {
        ByteOrder::Little => u16::from_le_bytes(pair),
        ByteOrder::Big => u16::from_be_bytes(pair),
    };
    char::decode_utf16(pairs.iter().map(unit))
        .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The characters from 80 to 9F in Windows-1252. The other characters are those of Unicode. Unassigned bytes
/// are control characters, as in the Encoding Standard. A table of 32 characters takes the place of
/// encoding_rs here, because that crate adds all encodings of the web to the analysis page.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

fn decode_lines(bytes: &[u8], other: Option<&'static Encoding>) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for line in bytes.split_inclusive(|&byte| matches!(byte, b'\n' | b'\r')) {
        match (std::str::from_utf8(line), other) {
            (Ok(line), _) => text.push_str(line),
            (Err(_), Some(other)) => text.push_str(&other.decode_without_bom_handling(line).0),
            (Err(_), None) => text.extend(line.iter().copied().map(windows_1252)),
        }
    }
    text
}

fn tidy(mut text: String) -> String {
    if memmem::find(text.as_bytes(), "\u{feff}".as_bytes()).is_some() {
        text = text.replace('\u{feff}', "");
    }
    if memchr(END_MARK, text.as_bytes()).is_some() {
        text = text.replace(char::from(END_MARK), "\n");
    }
    if memchr(b'\r', text.as_bytes()).is_some() {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    // Old systems pad the last block of a file.
    let end = text.trim_end_matches('\0').len();
    text.truncate(end);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> String {
        decode(bytes.to_vec())
    }

    #[test]
    fn utf_8_needs_no_mark_and_may_have_one() {
        assert_eq!(decoded("Đurić\n".as_bytes()), "Đurić\n");
        assert_eq!(decoded("\u{feff}a\n\u{feff}b".as_bytes()), "a\nb");
    }

    #[test]
    fn utf_16_is_known_by_its_mark_or_by_its_first_tag() {
        let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        for bytes in [little("\u{feff}[Eć"), little("[Eć"), big("\u{feff}[Eć"), big("[Eć")] {
            assert_eq!(decoded(&bytes), "[Eć");
        }
        assert_eq!(decoded(b"\0[Event"), "\0[Event", "a byte astray");
        assert_eq!(decoded(b"[\0Event"), "[\0Event", "a byte astray");
    }

    #[test]
    fn windows_1252_is_that_of_the_encoding_standard() {
        let bytes: Vec<u8> = (0..=255).collect();
        let standard = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes).0;
        assert!(bytes.iter().copied().map(windows_1252).eq(standard.chars()));
    }

    #[test]
    fn a_line_that_is_no_utf_8_is_windows_1252() {
        assert_eq!(decoded(b"H\xfcbner \x96\nH\xc3\xbcbner\n"), "Hübner –\nHübner\n");
    }

    #[test]
    fn a_line_that_is_no_utf_8_has_the_encoding_that_is_named() {
        let other = Encoding::for_label(b"cp1251");
        assert_eq!(decode_part(b"\xc8\xe2\xe0\xed\nH\xc3\xbcbner\n".to_vec(), other), "Иван\nHübner\n");
    }

    #[test]
    fn line_ends_become_one_character() {
        assert_eq!(decoded(b"a\r\nb\rc\x1ad\0\0"), "a\nb\nc\nd");
    }
}
