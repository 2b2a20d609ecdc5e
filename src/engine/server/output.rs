//! [`Output`]: writes whole lines to the user interface, from two threads. Each line is sent at once.

use std::{fmt::Display, io, io::Write, sync::Mutex, sync::PoisonError};

use crate::base::text::printable;
use crate::engine::uci::engine_line::EngineLine;

pub(crate) struct Output<W>(Mutex<Stream<W>>);

struct Stream<W> {
    writer: W,
    /// The first write error.
    broken: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub(crate) fn new(writer: W) -> Output<W> {
        Output(Mutex::new(Stream { writer, broken: None }))
    }

    /// Writes a line, or several lines that belong together. A write error is kept for [`Output::broken`].
    pub(crate) fn say(&self, lines: &impl Display) {
        let mut stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if stream.broken.is_none() {
            let written = writeln!(stream.writer, "{lines}").and_then(|()| stream.writer.flush());
            stream.broken = written.err();
        }
    }

    /// Writes a remark about a problem.
    pub(crate) fn remark(&self, text: &impl Display) {
        self.say(&EngineLine::Remark(printable(&text.to_string())));
    }

    /// Returns the first write error, and clears it.
    pub(crate) fn broken(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).broken.take()
    }
}
