//! Reads any line as a command of a user interface. It is parsed or refused; a parsed command must survive
//! writing and reading.

#![no_main]

use gainalyze::engine::Command;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for line in bytes.split(|&byte| byte == b'\n') {
        if let Ok(command) = Command::from_bytes(line) {
            assert_eq!(Command::from_bytes(command.to_string().as_bytes()), Ok(command));
        }
    }
});
