//! Owns what a cell may be made of: texts, whole numbers and flags, known or not.

use super::Values;

/// A text that a cell may be made of.
pub trait TextCell {
    /// The text; `None` where it is not known.
    fn text(self) -> Option<String>;
}

/// A whole number, or a flag, that a cell may be made of.
pub trait CountCell: Sized {
    /// The cells of a column of these.
    fn cells(values: Vec<Self>) -> Values;
}

impl TextCell for String {
    fn text(self) -> Option<String> {
        Some(self)
    }
}

impl TextCell for &str {
    fn text(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl TextCell for &String {
    fn text(self) -> Option<String> {
        Some(self.clone())
    }
}

impl<T: TextCell> TextCell for Option<T> {
    fn text(self) -> Option<String> {
        self.and_then(TextCell::text)
    }
}

/// Makes cells of a type, and of what may be missing of it.
macro_rules! count_cells {
    ($($whole:ty => $variant:ident),*) => {$(
        impl CountCell for $whole {
            fn cells(values: Vec<$whole>) -> Values {
                Values::$variant(values.into_iter().map(|value| Some(value.into())).collect())
            }
        }

        impl CountCell for Option<$whole> {
            fn cells(values: Vec<Option<$whole>>) -> Values {
                Values::$variant(values.into_iter().map(|value| value.map(Into::into)).collect())
            }
        }
    )*};
}

count_cells!(u64 => Count, u32 => Count32, i64 => Whole, i32 => Whole32, bool => Flag);

impl CountCell for usize {
    fn cells(values: Vec<usize>) -> Values {
        Values::Count(values.into_iter().map(|value| Some(value as u64)).collect())
    }
}

impl CountCell for Option<usize> {
    fn cells(values: Vec<Option<usize>>) -> Values {
        Values::Count(values.into_iter().map(|value| value.map(|value| value as u64)).collect())
    }
}
