//! Any line of an engine is understood or passed over.

#![no_main]

use gainalyze::engine::uci::EngineLine;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for line in bytes.split(|&byte| byte == b'\n') {
        EngineLine::from_bytes(line);
    }
});
