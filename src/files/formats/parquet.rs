//! Reading of Parquet, as a whole or in slices of bounded size. A panic of the Parquet reader becomes an
//! error.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{io::Cursor, panic, sync::Once};

use polars::prelude::{DataFrame, PolarsError, PolarsResult};
use polars_io::{SerReader, parquet::read::ParquetReader};

use crate::base::work::limit_of;

/// Number of rows of the row groups that this program writes, and of the rows read at a time.
pub const ROW_GROUP: usize = 1 << 18;

/// Row limit of a row group.
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
        return Err(foreign(failed("the row groups and the file have different numbers of rows")));
    }
    for from in (0..rows).step_by(ROW_GROUP) {
        let slice = without_panic(|| {
            let mut reader = ParquetReader::new(Cursor::new(bytes)).with_slice(Some((from, ROW_GROUP)));
            reader.set_metadata(metadata.clone());
            reader.finish()
        });
        let slice = slice.map_err(&foreign)?;
        if slice.height() != ROW_GROUP.min(rows - from) {
            return Err(foreign(failed("the number of rows in a slice is not as expected")));
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

/// Returns the result of `read`, or an error if `read` panics. The panic's message is not printed.
fn without_panic<T>(read: impl FnOnce() -> PolarsResult<T>) -> PolarsResult<T> {
    static READING: AtomicUsize = AtomicUsize::new(0);
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if READING.load(Ordering::Relaxed) == 0 || limit_of(panic).is_some() {
                usual(panic);
            }
        }));
    });
    READING.fetch_add(1, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(read));
    READING.fetch_sub(1, Ordering::Relaxed);
    result.unwrap_or_else(|_| Err(failed("the Parquet reader fails on this file")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_library_is_an_error() {
        let error = without_panic::<()>(|| panic!("as libraries do")).expect_err("an error").to_string();
        assert_eq!(error, "the Parquet reader fails on this file");
        assert_eq!(without_panic(|| Ok(1)).expect("a value"), 1);
    }
}
