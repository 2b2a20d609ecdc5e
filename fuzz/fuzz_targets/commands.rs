//! Reads arbitrary lines as UCI commands from a user interface. A command that can be parsed must be the same
//! after it is written and parsed again.

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
