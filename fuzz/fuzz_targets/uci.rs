//! Any line of an engine is understood or passed over, and what is understood is written and read as the
//! same.

#![no_main]

use gainalyze::engine::EngineLine;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for line in bytes.split(|&byte| byte == b'\n') {
        let line = EngineLine::from_bytes(line);
        assert_eq!(EngineLine::from_bytes(line.to_string().as_bytes()), line);
    }
});
