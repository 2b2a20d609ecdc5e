//! Owns [`Viewer`]: whoever hears of a run and is shown its tables.

use super::LiveRanking;
use crate::report::table::Screen;
use crate::verbs::app::Observer;

/// An [`Observer`] who is shown tables too.
pub trait Viewer: Observer {
    /// Returns what the tables at the end are shown on.
    fn screen(&self) -> Screen;

    /// Shows the ranking that `make` begins beside the progress of the searches to come. A viewer who sees no
    /// progress need not ask for it.
    fn rank(&mut self, make: &mut dyn FnMut() -> Option<LiveRanking>);
}

#[cfg(test)]
pub mod tests {
    use std::io;

    use super::*;
    use crate::verbs::app::Interrupts;

    /// A viewer who looks away.
    pub struct Nobody;

    impl Observer for Nobody {
        fn note(&self, _: &str) {}
        fn warn(&self, _: &str) {}

        fn interrupts(&self, _: &'static str) -> io::Result<Interrupts> {
            Ok(Interrupts::default())
        }
    }

    impl Viewer for Nobody {
        fn screen(&self) -> Screen {
            Screen::default()
        }

        fn rank(&mut self, _: &mut dyn FnMut() -> Option<LiveRanking>) {}
    }
}
