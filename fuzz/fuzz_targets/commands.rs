//! Any line of a user interface is read or refused, and what is read is written and read as the same.

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
