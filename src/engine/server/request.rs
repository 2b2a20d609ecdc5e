//! Parsing of a line: a UCI command or a request beyond UCI.

use std::fmt;

use crate::base::text::brief;
use crate::engine::uci::command::{Command, ParseCommandError};

/// A request beyond UCI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnRequest {
    /// `eval`: lists the terms or features of the evaluation.
    Eval,
    /// `bench [DEPTH]`: reports the nodes and the speed of the bench.
    Bench(Option<u32>),
}

impl fmt::Display for OwnRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OwnRequest::Eval => "eval",
            OwnRequest::Bench(_) => "bench",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Request {
    Uci(Command<'static>),
    /// A request beyond UCI.
    Own(OwnRequest),
    /// `d`: shows the position.
    Show,
}

impl Request {
    /// Parses a line; `None` for a blank line.
    pub(super) fn read(line: &[u8]) -> Result<Option<Request>, ParseCommandError> {
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_whitespace();
        match words.next() {
            None => Ok(None),
            Some("eval") => Ok(Some(Request::Own(OwnRequest::Eval))),
            Some("d") => Ok(Some(Request::Show)),
            Some("bench") => {
                bench_depth(words.next()).map(|depth| Some(Request::Own(OwnRequest::Bench(depth))))
            }
            Some(_) => text.parse().map(|command| Some(Request::Uci(command))),
        }
    }
}

fn bench_depth(word: Option<&str>) -> Result<Option<u32>, ParseCommandError> {
    let depth = |word: &str| word.parse().ok().filter(|&depth| depth > 0);
    let wrong = |word: &str| ParseCommandError::Argument {
        command: "bench",
        problem: format!("{:?} is not a depth; write bench 8, for example", brief(word)),
    };
    word.map(|word| depth(word).ok_or_else(|| wrong(word))).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_of_uci_or_one_of_our_own() {
        let read = |line: &str| Request::read(line.as_bytes());
        assert_eq!(read(" isready\r"), Ok(Some(Request::Uci(Command::IsReady))));
        assert_eq!(read("eval"), Ok(Some(Request::Own(OwnRequest::Eval))));
        assert_eq!(read("d"), Ok(Some(Request::Show)));
        assert_eq!(read("bench"), Ok(Some(Request::Own(OwnRequest::Bench(None)))));
        assert_eq!(read("bench 7"), Ok(Some(Request::Own(OwnRequest::Bench(Some(7))))));
        assert_eq!(read(" \t"), Ok(None));
        let error = |line: &str| read(line).expect_err("an error").to_string();
        assert_eq!(error("bench 0"), "bench: \"0\" is not a depth; write bench 8, for example");
        assert_eq!(error("evaluate"), "\"evaluate\" is not a UCI command");
    }
}
