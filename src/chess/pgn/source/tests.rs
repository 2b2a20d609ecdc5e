//! Tests that files are opened and unpacked, or rejected with a one-line message that names the file.

use std::io::Write;

use super::*;

fn error(path: &str) -> String {
    read_source(path).expect_err("unreadable").to_string()
}

#[test]
fn a_file_that_cannot_be_read_is_named_in_one_line() {
    assert_eq!(error("no/such.pgn"), "no/such.pgn: no such file");
    assert_eq!(ReadError::Empty("-".to_owned()).to_string(), "standard input: is empty");
    assert_eq!(error("src"), "src: is a directory, not a file of games");
    let empty = tempfile::NamedTempFile::new().expect("temporary file");
    let path = empty.path().to_str().expect("path in UTF-8");
    assert_eq!(error(path), format!("{path}: is empty"));
    fs::write(path, b"PK\x03\x04").expect("temporary file");
    let told = format!("{path}: is compressed (zip): unpack it, or pack it as .zst, .gz or .bz2");
    assert_eq!(error(path), told);
}

/// Packs each of `parts` separately, and returns the concatenation.
fn packed(parts: &[&[u8]], pack: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    parts.iter().flat_map(|part| pack(part)).collect()
}

#[test]
fn packed_files_are_known_by_their_bytes_and_read_to_their_last_member() {
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory")
    };
    let bzip2 = |bytes: &[u8]| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory")
    };
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 1).expect("memory");
    let skippable = [&b"\x50\x2a\x4d\x18\x02\0\0\0ab"[..], &zstd(b"1. e4 e5 *")].concat();
    let parts: [&[u8]; 3] = [b"1. e4 ", b"", b"e5 *"];
    let file = tempfile::NamedTempFile::with_suffix(".txt").expect("temporary file");
    for bytes in [packed(&parts, gzip), packed(&parts, bzip2), packed(&parts, zstd), skippable] {
        fs::write(file.path(), bytes).expect("temporary file");
        assert_eq!(read_source(file.path()).expect("games"), "1. e4 e5 *");
    }
    let utf_16: Vec<u8> = "\u{feff}1. e4 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(file.path(), zstd(&utf_16)).expect("temporary file");
    assert_eq!(read_source(file.path()).expect("games"), "1. e4 *");
}

#[test]
fn a_window_that_takes_too_much_memory_is_refused_with_what_would_be_read() {
    // A frame with one raw block (RFC 8878, 3.1.1): magic number, descriptor, exponent of the window size
    // minus ten, size of the last block.
    let frame =
        |window: u8| [&b"\x28\xb5\x2f\xfd\0"[..], &[(window - 10) << 3], b"\x51\0\0", b"1. e4 e5 *"].concat();
    let file = tempfile::NamedTempFile::new().expect("temporary file");
    fs::write(file.path(), frame(27)).expect("temporary file");
    assert_eq!(read_source(file.path()).expect("games"), "1. e4 e5 *");
    for window in [28, 31] {
        fs::write(file.path(), frame(window)).expect("temporary file");
        let error = read_source(file.path()).expect_err("too large a window");
        assert!(crate::base::text::with_causes(&error).ends_with(
            ": cannot be read: its zstd window is larger than 128 MiB: pack it again with zstd --long=27 or \
             less"
        ));
    }
}

#[test]
fn a_folder_is_its_files_of_games_in_order() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("b")).expect("temporary folder");
    for name in ["c.PGN", "a.pgn.zst", "b/x.pgn", "notes.txt", "games.gz"] {
        fs::write(at(name), "*").expect("temporary folder");
    }
    let found = files(&[folder.path().to_path_buf(), PathBuf::from("-")]).expect("games");
    assert_eq!(found.files, [at("a.pgn.zst"), at("b/x.pgn"), at("c.PGN"), PathBuf::from("-")]);
    let empty = tempfile::tempdir().expect("temporary folder");
    let error = files(&[empty.path().to_path_buf()]).expect_err("nothing in it").to_string();
    assert!(error.ends_with(": no file in this folder ends in .pgn, .pgn.zst, .pgn.gz or .pgn.bz2"));
}
