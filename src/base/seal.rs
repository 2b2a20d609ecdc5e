//! [`Seal`]: the form of a digest at the end of a text file, such as a calibration or a weights file.

use std::borrow::Cow;

use memchr::memmem;
use xxhash_rust::xxh3::xxh3_128;

/// The form of a digest at the end of a text.
///
/// The digest is 128-bit XXH3 in hexadecimal. It detects accidents and edits, but not a forger who recomputes
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seal {
    /// The text directly before the digest.
    mark: &'static str,
    /// The text after the digest, up to the end of the file.
    end: &'static str,
    /// The end of the unsealed text. It is replaced by the mark, the digest and `end`.
    replaced: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    #[error("it has no digest, so this version of gainalyze did not write it")]
    Missing,
    #[error("it has changed since gainalyze wrote it: its digest does not match")]
    Broken,
}

impl Seal {
    /// Seals a JSON object by adding a last field, `digest`.
    pub const JSON: Seal = Seal::of_field(",\n  \"digest\": \"");

    /// Seals the record of a run by adding a last field, `record_digest`.
    #[cfg(feature = "program")]
    pub const RECORD: Seal = Seal::of_field(",\n  \"record_digest\": \"");

    /// Seals a CSV table: the digest becomes the last cell of the last row.
    #[cfg(feature = "program")]
    pub const CELL: Seal = Seal { mark: ",", end: "\n", replaced: ",\n" };

    /// Seals a text by adding a last line: a comment with the digest.
    #[cfg(feature = "program")]
    pub const LINE: Seal = Seal { mark: "# digest: ", end: "\n", replaced: "" };

    /// Seals a file of weights by adding a last line: a comment with the digest. The comment has a longer
    /// mark than `Seal::LINE`, because another comment of the file has the digest of the games.
    pub const WEIGHTS: Seal = Seal { mark: "# digest of the lines above: ", end: "\n", replaced: "" };

    const fn of_field(mark: &'static str) -> Seal {
        Seal { mark, end: "\"\n}\n", replaced: "\n}" }
    }

    /// Returns `text` with its digest.
    pub fn seal(self, text: &str) -> String {
        let body = text.strip_suffix(self.replaced).unwrap_or(text);
        format!("{body}{}{}{}", self.mark, digest(body.as_bytes()), self.end)
    }

    /// Checks the digest, and returns the text without it.
    pub fn open(self, text: &str) -> Result<Cow<'_, str>, SealError> {
        match self.is_unbroken(text.as_bytes()) {
            None => Err(SealError::Missing),
            Some(false) => Err(SealError::Broken),
            Some(true) => {
                let body = text.rfind(self.mark).map_or(text, |at| &text[..at]);
                Ok(if self.replaced.is_empty() { body.into() } else { [body, self.replaced].concat().into() })
            }
        }
    }

    /// Like [`Seal::open`], but returns a text without a digest unchanged: a person may have written it.
    pub fn open_if_sealed(self, text: &str) -> Result<Cow<'_, str>, SealError> {
        match self.open(text) {
            Err(SealError::Missing) => Ok(text.into()),
            opened => opened,
        }
    }

    /// Returns whether the text before the digest is unchanged; `None` if there is no digest.
    pub fn is_unbroken(self, text: &[u8]) -> Option<bool> {
        let at = memmem::rfind(text, self.mark.as_bytes())?;
        let (body, digest) = (&text[..at], &text[at + self.mark.len()..]);
        Some(digest == [self::digest(body).as_str(), self.end].concat().as_bytes())
    }
}

/// Returns the 128-bit XXH3 of `bytes` in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

#[cfg(test)]
mod tests {
    use crate::base::seal::*;

    #[test]
    fn every_byte_of_a_sealed_text_counts() {
        let line = ("# sums\na,b\n1,2\n", Seal::LINE);
        let rows = ("a,digest\n1,\n2,\n", Seal::CELL);
        for (text, seal) in [line, rows, ("{\n  \"a\": 1\n}", Seal::JSON), ("{\n  \"a\": 1\n}", Seal::RECORD)]
        {
            let sealed = seal.seal(text);
            assert_eq!(seal.open(&sealed).as_deref(), Ok(text));
            assert_eq!(seal.open_if_sealed(&sealed).as_deref(), Ok(text));
            assert!(seal.open(text).is_err());
            for at in 0..sealed.len() {
                let mut flipped = sealed.clone().into_bytes();
                flipped[at] ^= 1;
                assert_ne!(seal.is_unbroken(&flipped), Some(true), "byte {at} of {sealed}");
                assert!(seal.open(&sealed[..at]).is_err(), "{at} bytes of {sealed}");
            }
            assert!(seal.open(&[&sealed, "\n"].concat()).is_err());
        }
    }

    #[test]
    fn a_text_that_a_person_wrote_has_no_digest() {
        assert_eq!(Seal::LINE.open("a = 1\n"), Err(SealError::Missing));
        assert_eq!(Seal::LINE.open_if_sealed("a = 1\n").as_deref(), Ok("a = 1\n"));
        assert_eq!(Seal::LINE.open_if_sealed("a = 1\n# digest: 0\n"), Err(SealError::Broken));
    }

    #[test]
    fn the_digest_is_xxh128() {
        // The digest of nothing, from the test vectors of xxHash 0.8.
        assert_eq!(Seal::LINE.seal(""), "# digest: 99aa06d3014798d86001c324468d497f\n");
    }

    #[test]
    fn json_with_a_digest_is_json() {
        let value: serde_json::Value =
            serde_json::from_str(&Seal::JSON.seal("{\n  \"a\": 1\n}")).expect("JSON");
        assert!(value["a"] == 1 && value["digest"].as_str().is_some_and(|digest| digest.len() == 32));
    }
}
