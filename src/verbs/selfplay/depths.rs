//! Owns [`Depths`]: the depths that an engine plays to, as they are written.

use std::str::FromStr;

use crate::engine::uci::engine_line::MAX_DEPTH;

/// Depths in ascending order, at least one, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Depths(Vec<u32>);

impl Depths {
    /// Returns the depths in ascending order.
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }
}

impl FromStr for Depths {
    type Err = String;

    fn from_str(text: &str) -> Result<Depths, String> {
        let mut depths = Vec::new();
        for part in text.split(',') {
            depths.extend(range(part.trim())?);
        }
        depths.sort_unstable();
        match depths.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(format!("depth {} is there twice", two[0])),
            None => Ok(Depths(depths)),
        }
    }
}

/// Reads one depth, or those from one to another, both included.
fn range(text: &str) -> Result<std::ops::RangeInclusive<u32>, String> {
    let (first, last) = match text.split_once("..=").or_else(|| text.split_once('-')) {
        Some((first, last)) => (depth(first)?, depth(last)?),
        None if text.contains("..") => {
            return Err(format!("{text:?} may or may not have its end in it: write 6..=12 or 6-12"));
        }
        None => (depth(text)?, depth(text)?),
    };
    if first > last {
        return Err(format!("depth {first} comes after depth {last}: write {last}-{first}"));
    }
    Ok(first..=last)
}

fn depth(text: &str) -> Result<u32, String> {
    let depth = text.trim().parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth));
    depth.ok_or_else(|| match text.trim() {
        "" => format!("a depth is missing: write depths from 1 to {MAX_DEPTH} as in 6..=12, 6-12 or 1,2,4"),
        other => format!("{other:?} is no depth from 1 to {MAX_DEPTH}: write 6..=12, 6-12 or 1,2,4"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_written_as_ranges_and_lists() {
        let depths = |text: &str| text.parse::<Depths>().expect("depths").0;
        assert_eq!(depths("6..=9"), [6, 7, 8, 9]);
        assert_eq!(depths("6-9"), depths("6..=9"));
        assert_eq!(depths("8, 1,2-4"), [1, 2, 3, 4, 8]);
    }

    #[test]
    fn depths_that_are_empty_reversed_or_doubled_are_refused() {
        let problem = |text: &str| text.parse::<Depths>().expect_err("bad depths");
        assert_eq!(problem("12..=6"), "depth 12 comes after depth 6: write 6-12");
        assert_eq!(problem("1,3-5,4"), "depth 4 is there twice");
        assert!(problem("").starts_with("a depth is missing"));
        assert!(problem("1,,2").starts_with("a depth is missing"));
        assert!(problem("6..12").contains("write 6..=12 or 6-12"));
        for bad in ["0", "246", "deep", "-3", "3-", "99999999999"] {
            assert!(bad.parse::<Depths>().is_err(), "{bad}");
        }
    }
}
