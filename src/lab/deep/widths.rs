//! [`Widths`]: for each ply of a tree, the distance from the best move within which moves are expanded.

use shakmaty::{ByColor, Color};

/// Widths in centipawns, by side to move and ply.
#[derive(Debug, Clone, PartialEq)]
pub struct Widths(ByColor<Vec<f64>>);

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0:?} is not a list of widths; write centipawns, 0 or more, separated by commas, as in 20,20,10,5")]
pub struct WidthsError(String);

impl Widths {
    /// Returns the widths for a `distance`. It is the width for root moves and for replies to them; from then
    /// on the width is halved at each ply.
    pub fn of_distance(distance: f64) -> Widths {
        Widths::of([distance, distance].to_vec())
    }

    /// Returns the widths `by_ply`, from the root on. After the last given width, the width is halved at each
    /// ply.
    pub fn of(by_ply: Vec<f64>) -> Widths {
        Widths(ByColor { white: by_ply.clone(), black: by_ply })
    }

    /// Replaces the widths for positions with `side` to move by the widths from `other`.
    pub fn with_side(mut self, side: Color, other: Widths) -> Widths {
        *self.0.get_mut(side) = other.0.get(side).clone();
        self
    }

    pub fn parse(text: &str) -> Result<Widths, WidthsError> {
        let width = |word: &str| word.trim().parse().ok().filter(|w: &f64| w.is_finite() && *w >= 0.0);
        let by_ply: Option<Vec<f64>> = text.split(',').map(width).collect();
        by_ply.map(Widths::of).ok_or_else(|| WidthsError(text.to_owned()))
    }

    /// Returns the width at a ply where `side` is to move, not rounded.
    pub fn at(&self, ply: usize, side: Color) -> f64 {
        let by_ply = self.0.get(side);
        match (by_ply.get(ply), by_ply.last()) {
            (Some(&width), _) => width,
            (None, Some(last)) => {
                let halvings = i32::try_from(ply + 1 - by_ply.len()).unwrap_or(i32::MAX);
                last / 2f64.powi(halvings)
            }
            (None, None) => 0.0,
        }
    }

    /// Returns the given widths of `side`, from the root on.
    pub fn given(&self, side: Color) -> &[f64] {
        self.0.get(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(widths: &Widths, side: Color) -> Vec<f64> {
        (0..6).map(|ply| widths.at(ply, side)).collect()
    }

    #[test]
    fn a_distance_halves_from_the_second_ply_on_and_is_not_rounded() {
        assert_eq!(first(&Widths::of_distance(5.0), Color::White), [5.0, 5.0, 2.5, 1.25, 0.625, 0.3125]);
    }

    #[test]
    fn the_last_width_of_a_list_is_repeated_halved() {
        let widths = Widths::parse("20, 20,10,5").expect("widths");
        assert_eq!(first(&widths, Color::Black), [20.0, 20.0, 10.0, 5.0, 2.5, 1.25]);
    }

    #[test]
    fn a_side_may_have_widths_of_its_own() {
        let widths = Widths::of_distance(20.0).with_side(Color::Black, Widths::parse("8").expect("widths"));
        assert_eq!(widths.at(2, Color::White), 10.0);
        assert_eq!((widths.at(0, Color::Black), widths.at(1, Color::Black)), (8.0, 4.0));
    }

    #[test]
    fn what_is_no_width_is_refused() {
        for text in ["", "20,", "-1", "a", "inf", "NaN"] {
            assert!(Widths::parse(text).is_err(), "{text}");
        }
    }
}
