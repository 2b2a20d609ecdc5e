//! Reads arbitrary lines as an engine's output. A parsed line must be the same after it is written and parsed
//! again.

#![no_main]

use gainalyze::engine::EngineLine;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for line in bytes.split(|&byte| byte == b'\n') {
        let line = EngineLine::from_bytes(line);
        assert_eq!(EngineLine::from_bytes(line.to_string().as_bytes()), line);
    }
});
