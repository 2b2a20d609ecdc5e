//! Owns the typeface of the pictures, compiled in: a machine without fonts draws the same.

use std::sync::LazyLock;

use plotters::style::{FontStyle, register_font};

/// The name under which plotters finds it.
pub const FAMILY: &str = "gainalyze sans";

static REGULAR: &[u8] = include_bytes!("../fonts/DejaVuSans.ttf");
static BOLD: &[u8] = include_bytes!("../fonts/DejaVuSans-Bold.ttf");

static REGISTERED: LazyLock<bool> = LazyLock::new(|| {
    let regular = register_font(FAMILY, FontStyle::Normal, REGULAR);
    let bold = register_font(FAMILY, FontStyle::Bold, BOLD);
    regular.is_ok() && bold.is_ok()
});

/// Makes the typeface known to plotters; false if it cannot be read.
pub fn register() -> bool {
    *REGISTERED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_typeface_is_compiled_in() {
        assert!(register());
    }
}
