//! Sends arbitrary bytes to the built-in engine's UCI server. The server must end without an error, answer
//! every search once, and write output that can be parsed.

#![no_main]

use gainalyze::engine::{chess_engine::EngineWeights, server::serve, Command, EngineLine};
use libfuzzer_sys::fuzz_target;

/// Returns whether a line is too costly for the fuzzer: it requests a large hash table or the slow bench.
fn is_costly(line: &[u8]) -> bool {
    match Command::from_bytes(line) {
        Ok(Command::SetOption { name, value }) => {
            name.eq_ignore_ascii_case("hash") && value.is_some_and(|value| value.trim().len() > 1)
        }
        _ => line.trim_ascii_start().starts_with(b"bench"),
    }
}

/// Returns the number of `wanted` commands before the first `quit`.
fn count(script: &[u8], wanted: impl Fn(&Command<'_>) -> bool) -> usize {
    let commands = script.split(|&byte| byte == b'\n').filter_map(|line| Command::from_bytes(line).ok());
    commands.take_while(|command| *command != Command::Quit).filter(wanted).count()
}

fuzz_target!(|bytes: &[u8]| {
    let mut script = b"setoption name Hash value 1\n".to_vec();
    for line in bytes.split(|&byte| byte == b'\n').filter(|line| !is_costly(line)) {
        script.extend_from_slice(line);
        script.push(b'\n');
    }
    let mut said = Vec::new();
    serve(script.as_slice(), &mut said, EngineWeights::default()).expect("streams of memory do not fail");
    let said = String::from_utf8(said).expect("text");
    let lines = |start: &str| said.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(lines("bestmove"), count(&script, |command| matches!(command, Command::Go(_))));
    assert_eq!(lines("readyok"), count(&script, |command| *command == Command::IsReady));
    for line in said.lines().filter(|line| line.starts_with("info") || line.starts_with("bestmove")) {
        assert_eq!(EngineLine::from_bytes(line.as_bytes()).to_string(), line.trim_end());
    }
});
