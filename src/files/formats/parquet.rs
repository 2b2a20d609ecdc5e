//! Owns the reading of Parquet: in slices of bounded size, and without a panic whatever the bytes are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{io::Cursor, panic, sync::Once};

use polars::prelude::{DataFrame, PolarsError, PolarsResult};
use polars_io::{SerReader, parquet::read::ParquetReader};

/// Rows that are read at a time, as many as a row group of ours has at most.
const SLICE: usize = 1 << 18;

/// The most rows that a row group may have.
const MOST_ROWS: usize = 1 << 20;

const MOST_BYTES: usize = 1 << 30;

pub fn read_in_slices<E>(
    bytes: &[u8],
    foreign: impl Fn(PolarsError) -> E,
    mut take: impl FnMut(&DataFrame) -> Result<(), E>,
) -> Result<(), E> {
    let metadata = without_panic(|| ParquetReader::new(Cursor::new(bytes)).get_metadata().cloned());
    let metadata = metadata.map_err(&foreign)?;
    let mut rows = 0usize;
    for group in &metadata.row_groups {
        if group.num_rows() > MOST_ROWS || group.total_byte_size() > MOST_BYTES {
            return Err(foreign(failed("a row group is too large")));
        }
        rows = rows.saturating_add(group.num_rows());
    }
    if rows != metadata.num_rows {
        return Err(foreign(failed("the row groups have other rows than the file")));
    }
    for from in (0..rows).step_by(SLICE) {
        let slice = without_panic(|| {
            let mut reader = ParquetReader::new(Cursor::new(bytes)).with_slice(Some((from, SLICE)));
            reader.set_metadata(metadata.clone());
            reader.finish()
        });
        let slice = slice.map_err(&foreign)?;
        if slice.height() != SLICE.min(rows - from) {
            return Err(foreign(failed("a slice has other rows than it should")));
        }
        take(&slice)?;
    }
    Ok(())
}

pub fn read_whole(bytes: impl polars_io::mmap::MmapBytesReader) -> PolarsResult<DataFrame> {
    without_panic(|| ParquetReader::new(bytes).finish())
}

pub fn failed(why: impl Into<String>) -> PolarsError {
    PolarsError::ComputeError(why.into().into())
}

/// Returns what `read` returns, and an error where it panics, without a word of that on the terminal.
fn without_panic<T>(read: impl FnOnce() -> PolarsResult<T>) -> PolarsResult<T> {
    static READING: AtomicUsize = AtomicUsize::new(0);
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if READING.load(Ordering::Relaxed) == 0 {
                usual(panic);
            }
        }));
    });
    READING.fetch_add(1, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(read));
    READING.fetch_sub(1, Ordering::Relaxed);
    result.unwrap_or_else(|_| Err(failed("the reader of Parquet fails on it")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_library_is_an_error() {
        let error = without_panic::<()>(|| panic!("as libraries do")).expect_err("an error").to_string();
        assert_eq!(error, "the reader of Parquet fails on it");
        assert_eq!(without_panic(|| Ok(1)).expect("a value"), 1);
    }
}
