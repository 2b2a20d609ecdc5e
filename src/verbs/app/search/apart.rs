//! Owns what is heard of a search whose games have been heard of before: all but these.

use std::io;

use crate::store::SearchProgress;
use crate::verbs::app::{Interrupts, Observer};

/// Tells of a search of games that another one has rated before: nobody hears of them once more.
pub struct Apart<'o>(pub &'o mut dyn Observer);

impl Observer for Apart<'_> {
    fn note(&self, text: &str) {
        self.0.note(text);
    }

    fn warn(&self, text: &str) {
        self.0.warn(text);
    }

    fn begin_search(&mut self, what: &'static str, progress: SearchProgress) {
        self.0.begin_search(what, progress);
    }

    fn advance_search(&mut self, progress: SearchProgress) {
        self.0.advance_search(progress);
    }

    fn finish(&mut self) {
        self.0.finish();
    }

    fn interrupts(&self, finishing: &'static str) -> io::Result<Interrupts> {
        self.0.interrupts(finishing)
    }
}
