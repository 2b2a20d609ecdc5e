//! The possible contents of a cell: texts, whole numbers, flags, numbers and estimates, known or unknown.

use super::{Cells, EndColumns, Values};
use crate::measure::{Measured, Quantity};
use crate::numbers::Estimate;

/// A text, a whole number or a flag as the content of a cell.
pub trait PlainCell: Sized {
    fn cells(values: Vec<Self>) -> Values;
}

/// A number as the content of a cell, with or without an interval.
pub trait NumberCell: Sized {
    fn cells(quantity: Quantity, ends: EndColumns, values: Vec<Self>) -> Cells;
}

macro_rules! plain_cells {
    ($($plain:ty => $variant:ident),*) => {$(
        impl PlainCell for $plain {
            fn cells(values: Vec<$plain>) -> Values {
                Values::$variant(values.into_iter().map(|value| Some(value.into())).collect())
            }
        }

        impl PlainCell for Option<$plain> {
            fn cells(values: Vec<Option<$plain>>) -> Values {
                Values::$variant(values.into_iter().map(|value| value.map(Into::into)).collect())
            }
        }
    )*};
}

plain_cells!(String => Text, &str => Text, &String => Text, bool => Flag);
plain_cells!(u64 => Count, u32 => Whole, i64 => Whole, i32 => Whole32);

impl PlainCell for usize {
    fn cells(values: Vec<usize>) -> Values {
        Values::Count(values.into_iter().map(|value| Some(value as u64)).collect())
    }
}

impl PlainCell for Option<usize> {
    fn cells(values: Vec<Option<usize>>) -> Values {
        Values::Count(values.into_iter().map(|value| value.map(|value| value as u64)).collect())
    }
}

impl NumberCell for Option<f64> {
    fn cells(quantity: Quantity, _: EndColumns, values: Vec<Option<f64>>) -> Cells {
        Cells::Values(Values::Number(quantity, values))
    }
}

impl NumberCell for Option<Estimate> {
    fn cells(quantity: Quantity, ends: EndColumns, values: Vec<Option<Estimate>>) -> Cells {
        Cells::Estimate(quantity, ends, values.into_iter().map(|value| value.map(Measured::from)).collect())
    }
}

impl NumberCell for Option<Measured> {
    fn cells(quantity: Quantity, ends: EndColumns, values: Vec<Option<Measured>>) -> Cells {
        Cells::Estimate(quantity, ends, values)
    }
}

macro_rules! known_cells {
    ($($number:ty),*) => {$(
        impl NumberCell for $number {
            fn cells(quantity: Quantity, ends: EndColumns, values: Vec<$number>) -> Cells {
                NumberCell::cells(quantity, ends, values.into_iter().map(Some).collect::<Vec<_>>())
            }
        }
    )*};
}

known_cells!(f64, Estimate, Measured);
