//! Owns how a lost connection is told while it is waited for: whoever shows things listens, once for the program.

use std::sync::OnceLock;

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// Has remarks told to `listener`; the first one stays.
pub fn listen(listener: fn(&str)) {
    _ = LISTENER.set(listener);
}

/// Tells a remark, if anybody listens.
pub fn tell(text: &str) {
    if let Some(listener) = LISTENER.get() {
        listener(text);
    }
}
