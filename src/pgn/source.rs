//! Owns the way from a file's bytes to text.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use thiserror::Error;

use crate::text::path_text;

/// Why a file gives no text.
#[derive(Debug, Error)]
pub enum ReadError {
    /// There is nothing of that name.
    #[error("{}: no such file", shown(.0))]
    NotFound(String),
    /// It is a directory.
    #[error("{}: is a directory, not a file of games", shown(.0))]
    Directory(String),
    /// The user may not read it.
    #[error("{}: no permission to read it", shown(.0))]
    Permission(String),
    /// It holds nothing but white space.
    #[error("{}: is empty", shown(.0))]
    Empty(String),
    /// It is packed by a program that its first bytes tell.
    #[error("{}: is compressed ({packer}), unpack it first", shown(.path))]
    Compressed {
        /// The file.
        path: String,
        /// The name of the packed format.
        packer: &'static str,
    },
    /// Anything else that the system says.
    #[error("{}: cannot be read", shown(.0))]
    Io(String, #[source] io::Error),
}

/// The name of a file as messages have it.
fn shown(path: &str) -> String {
    if path == "-" { "standard input".to_owned() } else { path_text(path) }
}

/// First bytes by which compressed files are known.
const PACKERS: [(&[u8], &str); 5] = [
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PK\x03\x04", "zip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
];

/// The text of the file at `path`, or of standard input where it is `-`.
///
/// # Errors
///
/// If it cannot be read, is compressed or holds nothing but white space.
pub fn read_source(path: impl AsRef<Path>) -> Result<String, ReadError> {
    let (bytes, path) = (read_bytes(path.as_ref()), path.as_ref().to_string_lossy());
    let bytes = bytes.map_err(|error| ReadError::from_io(&path, error))?;
    if let Some((_, packer)) = PACKERS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(ReadError::Compressed { path: path.into_owned(), packer });
    }
    let text = decode(bytes);
    if text.trim().is_empty() {
        return Err(ReadError::Empty(path.into_owned()));
    }
    Ok(text)
}

impl ReadError {
    fn from_io(path: &str, error: io::Error) -> ReadError {
        let path = path.to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => ReadError::NotFound(path),
            io::ErrorKind::IsADirectory => ReadError::Directory(path),
            io::ErrorKind::PermissionDenied => ReadError::Permission(path),
            _ => ReadError::Io(path, error),
        }
    }
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() != "-" {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a PGN file's bytes, its lines ended by `\n`.
///
/// UTF-8, or UTF-16 as a byte order mark or the first character tells. Each line that is no
/// UTF-8 is Windows-1252, which Latin-1 is a part of: files put together from several sources mix
/// encodings. Byte order marks between games go, and the end mark (`^Z`) of old systems too.
pub fn decode(bytes: Vec<u8>) -> String {
    let text = match utf16(&bytes) {
        Some(encoding) => encoding.decode(&bytes).0.into_owned(),
        None => String::from_utf8(bytes).unwrap_or_else(|error| decode_lines(error.as_bytes())),
    };
    tidy(text)
}

fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [0xff, 0xfe, ..] | [b'[', 0, ..] => Some(UTF_16LE),
        [0xfe, 0xff, ..] | [0, b'[', ..] => Some(UTF_16BE),
        _ => None,
    }
}

fn decode_lines(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match std::str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => text.push_str(&WINDOWS_1252.decode_without_bom_handling(line).0),
        }
    }
    text
}

fn tidy(mut text: String) -> String {
    if text.contains('\u{feff}') {
        text = text.replace('\u{feff}', "");
    }
    if text.contains('\u{1a}') {
        text = text.replace('\u{1a}', "\n");
    }
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    // Old systems fill the last block of a file.
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
    fn utf_16_is_known_by_its_mark_or_by_its_first_bracket() {
        let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        for bytes in [little("\u{feff}[ć"), little("[ć"), big("\u{feff}[ć"), big("[ć")] {
            assert_eq!(decoded(&bytes), "[ć");
        }
    }

    #[test]
    fn a_line_that_is_no_utf_8_is_windows_1252() {
        assert_eq!(decoded(b"H\xfcbner \x96\nH\xc3\xbcbner\n"), "Hübner –\nHübner\n");
    }

    #[test]
    fn line_ends_become_one_character() {
        assert_eq!(decoded(b"a\r\nb\rc\x1ad\0\0"), "a\nb\nc\nd");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_in_one_line() {
        let error = |path: &str| read_source(path).expect_err("unreadable").to_string();
        assert_eq!(error("no/such.pgn"), "no/such.pgn: no such file");
        assert_eq!(ReadError::Empty("-".to_owned()).to_string(), "standard input: is empty");
        assert_eq!(error("src"), "src: is a directory, not a file of games");
        let empty = tempfile::NamedTempFile::new().expect("temporary file");
        let path = empty.path().to_str().expect("path in UTF-8");
        assert_eq!(error(path), format!("{path}: is empty"));
        fs::write(path, b"\x1f\x8b\x08").expect("temporary file");
        assert_eq!(error(path), format!("{path}: is compressed (gzip), unpack it first"));
    }
}
