//! Functions that read a whole regular file into memory, up to a size limit.

use std::{fs, fs::File, io, io::Read, path::Path};

const MIB: u64 = 1 << 20;

/// Size limit, in bytes, of files such as calibrations, designs, summaries and records of opponents.
#[cfg(feature = "program")]
pub const SETTINGS: u64 = 64 * MIB;

/// Size limit, in bytes, of a table after unpacking.
pub const TABLE: u64 = 256 * MIB;

/// Opens a regular file.
///
/// # Errors
///
/// If the file cannot be opened, or is a folder, a pipe or a device. A pipe might deliver nothing, and a
/// device might have no end.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    match kind {
        _ if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ if kind.is_file() => File::open(path),
        _ => Err(io::Error::other("it is a pipe or a device, not a regular file")),
    }
}

/// Reads a regular file of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(open(path)?, most)
}

/// Reads a regular file of at most `most` bytes in UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    String::from_utf8(read(path, most)?).map_err(|error| invalid(error.utf8_error()))
}

/// Reads all bytes of `reader`. It is an error if there are more than `most` bytes.
pub fn read_all(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {}", size(most)))),
        false => Ok(bytes),
    }
}

fn size(bytes: u64) -> String {
    if bytes >= MIB { format!("{} MiB", bytes / MIB) } else { format!("{bytes} bytes") }
}

#[cfg(test)]
mod tests {
    use crate::base::input_file::*;

    #[test]
    fn a_file_is_read_up_to_its_bound_and_not_beyond() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("settings.json");
        fs::write(&path, "12345678").expect("room");
        assert_eq!(read_text(&path, 8).expect("a file"), "12345678");
        assert_eq!(read_text(&path, 7).expect_err("too large").to_string(), "it is larger than 7 bytes");
        assert_eq!(read_all(io::repeat(0), MIB).expect_err("endless").to_string(), "it is larger than 1 MiB");
        fs::write(&path, b"\xff").expect("room");
        assert_eq!(read_text(&path, 8).expect_err("no text").kind(), io::ErrorKind::InvalidData);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_devices_and_folders_are_no_files() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        for path in [&pipe, Path::new("/dev/zero")] {
            let error = read(path, SETTINGS).expect_err("no file").to_string();
            assert_eq!(error, "it is a pipe or a device, not a regular file");
        }
        assert_eq!(read(folder.path(), 8).expect_err("a folder").kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read(&folder.path().join("none"), 8).expect_err("none").kind(), io::ErrorKind::NotFound);
    }
}
