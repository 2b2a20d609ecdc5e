//! Reads any line as an engine's output. It is parsed or ignored; a parsed line must survive writing and
//! reading.

#![no_main]

use gainalyze::engine::EngineLine;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for line in bytes.split(|&byte| byte == b'\n') {
        let line = EngineLine::from_bytes(line);
        assert_eq!(EngineLine::from_bytes(line.to_string().as_bytes()), line);
    }
});
