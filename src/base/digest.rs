//! SHA-256 of files, and digests in hexadecimal.

use std::{io, path::Path};

use sha2::{Digest, Sha256};

use super::input_file;

/// Formats bytes in lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the SHA-256 of a file, in hexadecimal.
pub fn file_digest(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut input_file::open(path)?, &mut DigestWriter(&mut hasher))?;
    Ok(hex(&hasher.finalize()))
}

struct DigestWriter<'a>(&'a mut Sha256);

impl io::Write for DigestWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
