//! Seal of a part file: a digest of all its other bytes, in a place that readers of Parquet ignore.
//!
//! A Parquet file ends with its metadata, their length and four letters. Everything before the metadata is
//! located by offsets from the beginning of the file. So the seal fits directly before the metadata, and
//! other programs do not notice it.

use sha2::{Digest, Sha256};

use crate::base::digest::hex;

const WORDS: &[u8] = b"gainalyze part, SHA-256 of all but this line: ";

const HEX: usize = 64;

/// Size of a seal in bytes, including the line end.
const SEAL: usize = WORDS.len() + HEX + 1;

/// Size in bytes of the end of a Parquet file, after its metadata.
const TRAILER: usize = 8;

pub fn sealed(parquet: &[u8]) -> Vec<u8> {
    let at = metadata(parquet).unwrap_or(parquet.len());
    let (before, behind) = parquet.split_at(at);
    [before, &seal(before, behind), behind].concat()
}

/// Returns whether the bytes match their seal; `None` without a seal.
pub fn is_unbroken(bytes: &[u8]) -> Option<bool> {
    let end = metadata(bytes)?;
    let (before, behind) = (&bytes[..end.checked_sub(SEAL)?], &bytes[end..]);
    let found = &bytes[before.len()..end];
    found.starts_with(WORDS).then(|| found == seal(before, behind))
}

fn seal(before: &[u8], behind: &[u8]) -> Vec<u8> {
    let digest = Sha256::new().chain_update(before).chain_update(behind).finalize();
    [WORDS, hex(&digest).as_bytes(), b"\n"].concat()
}

fn metadata(parquet: &[u8]) -> Option<usize> {
    let trailer = parquet.len().checked_sub(TRAILER)?;
    let length: [u8; 4] = parquet[trailer..trailer + 4].try_into().ok()?;
    trailer.checked_sub(u32::from_le_bytes(length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_sealed_file_counts() {
        let parquet = b"PAR1 columns metadata\x08\0\0\0PAR1";
        let whole = sealed(parquet);
        assert_eq!(whole.len(), parquet.len() + SEAL);
        assert!(whole.ends_with(b"metadata\x08\0\0\0PAR1"));
        // By sha256sum of GNU coreutils 9.1, of the bytes before the seal.
        let digest = "154f50f09e61771de834a2e6f48c0245e6ade93279632e214fc8ed90e012c511";
        assert!(String::from_utf8_lossy(&whole).contains(digest), "{}", String::from_utf8_lossy(&whole));
        assert_eq!((is_unbroken(&whole), is_unbroken(parquet), is_unbroken(b"")), (Some(true), None, None));
        for bit in 0..8 * whole.len() {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(is_unbroken(&flipped), Some(true), "bit {bit}");
        }
        for length in 0..whole.len() {
            assert_ne!(is_unbroken(&whole[..length]), Some(true), "{length} bytes");
        }
    }
}
