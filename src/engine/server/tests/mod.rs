//! Tests of the dialogue in this process, over streams in memory.

mod answers;
mod garbage;
mod limits;

use std::{
    io, io::BufReader, io::Read, io::Write, sync::mpsc::Receiver, sync::mpsc::Sender, sync::mpsc::channel,
    thread, thread::JoinHandle, time::Duration,
};

use super::serve;
use crate::engine::{chess_engine::EngineWeights, uci::engine_line::EngineLine, uci::engine_line::Info};

/// Time limit of an output line, after which a test fails. No answer takes so long.
const TEST_LIMIT: Duration = Duration::from_secs(120);

/// A user interface with its engine.
struct Dialogue {
    /// `None` once input has ended.
    to_engine: Option<Sender<Vec<u8>>>,
    from_engine: Receiver<String>,
    engine: JoinHandle<io::Result<()>>,
}

/// The engine's input: bytes as they are sent. It ends when the sender is dropped.
struct Incoming {
    sent: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.sent.recv().unwrap_or_default();
        }
        let count = self.rest.as_slice().read(buffer)?;
        self.rest.drain(..count);
        Ok(count)
    }
}

/// The engine's output: lines, sent whole when flushed.
struct Outgoing {
    lines: Sender<String>,
    waiting: Vec<u8>,
}

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.waiting)).expect("text");
        assert!(text.ends_with('\n'), "{text:?} is no whole line");
        text.lines().for_each(|line| self.lines.send(line.to_owned()).expect("a reader"));
        Ok(())
    }
}

impl Dialogue {
    fn begin() -> Dialogue {
        let (to_engine, sent) = channel();
        let (lines, from_engine) = channel();
        let engine = thread::spawn(move || {
            let input = BufReader::new(Incoming { sent, rest: Vec::new() });
            serve(input, Outgoing { lines, waiting: Vec::new() }, EngineWeights::default())
        });
        Dialogue { to_engine: Some(to_engine), from_engine, engine }
    }

    fn send(&self, lines: &str) {
        self.send_bytes(format!("{lines}\n").into_bytes());
    }

    fn send_bytes(&self, bytes: Vec<u8>) {
        self.to_engine.as_ref().expect("an open stream").send(bytes).expect("an engine that reads");
    }

    fn line(&self) -> String {
        self.from_engine.recv_timeout(TEST_LIMIT).expect("an answer in time")
    }

    /// Returns all lines up to and including the first that begins with `start`.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines.last().is_some_and(|line| line.starts_with(start)) {
            lines.push(self.line());
        }
        lines
    }

    /// Sends `lines` and returns the output before the answer to a following `isready`.
    fn ask(&self, lines: &str) -> Vec<String> {
        self.send(&format!("{lines}\nisready"));
        let mut answer = self.until("readyok");
        answer.pop();
        answer
    }

    /// Sends a `go`, and returns the output of the search and its best move.
    fn search(&self, go: &str) -> Search {
        self.send(go);
        Search::read(&self.until("bestmove"))
    }

    /// Closes the stream and returns the remaining output.
    fn end(mut self) -> Vec<String> {
        self.to_engine = None;
        self.engine.join().expect("no panic").expect("no error");
        self.from_engine.iter().collect()
    }
}

/// The output of a search.
#[derive(Debug, Clone, PartialEq)]
struct Search {
    infos: Vec<Info>,
    best: Option<String>,
    ponder: Option<String>,
}

impl Search {
    fn read(lines: &[String]) -> Search {
        let mut search = Search { infos: Vec::new(), best: None, ponder: None };
        for line in lines {
            match EngineLine::from_bytes(line.as_bytes()) {
                EngineLine::Info(info) => search.infos.push(info),
                EngineLine::BestMove { best, ponder } => {
                    search.best = best.map(|best| best.to_string());
                    search.ponder = ponder.map(|ponder| ponder.to_string());
                }
                EngineLine::Remark(_) => {}
                other => panic!("{line:?} is {other:?}"),
            }
        }
        search
    }

    fn last(&self) -> &Info {
        self.infos.last().expect("something told")
    }

    fn best(&self) -> &str {
        self.best.as_deref().expect("a best move")
    }

    /// Removes the machine-dependent parts: speeds, times, and the lines that only show progress.
    fn timeless(mut self) -> Search {
        self.infos.retain(|info| info.score.is_some());
        self.infos.iter_mut().for_each(|info| (info.nps, info.time_ms) = (None, None));
        self
    }
}

const FOOLS_MATE: &str = "position startpos moves f2f3 e7e5 g2g4";
const STALEMATE: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const KIWIPETE: &str = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
