//! Owns what goes to the user interface: whole lines from two threads, each sent as soon as it is written.

use std::{
    fmt::Display,
    io::{self, Write},
    sync::{Mutex, PoisonError},
};

use crate::chess::text::printable;
use crate::engine::uci::engine_line::EngineLine;

/// The stream that answers are written to.
pub(crate) struct Output<W>(Mutex<Stream<W>>);

struct Stream<W> {
    writer: W,
    /// Why nothing can be written any more.
    broken: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub(crate) fn new(writer: W) -> Output<W> {
        Output(Mutex::new(Stream { writer, broken: None }))
    }

    /// Writes a line, or several that belong together. That nobody reads any more shows in [`Output::broken`].
    pub(crate) fn say(&self, lines: &impl Display) {
        let mut stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if stream.broken.is_none() {
            let written = writeln!(stream.writer, "{lines}").and_then(|()| stream.writer.flush());
            stream.broken = written.err();
        }
    }

    /// Tells of something that is not as it should be.
    pub(crate) fn remark(&self, text: &impl Display) {
        self.say(&EngineLine::Remark(printable(&text.to_string())));
    }

    /// Returns why nothing can be written any more, once.
    pub(crate) fn broken(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).broken.take()
    }
}
