//! Waiting for a lost server: [`Pause`] between attempts, and remarks for a listener.

use std::{hash::BuildHasher, hash::RandomState, sync::OnceLock, time::Duration};

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(60);

/// Pauses that double from half a second to a minute. Each is randomly shortened by up to a quarter, so that
/// many clients of one server do not reconnect at the same moment.
#[derive(Debug, Clone, Default)]
pub struct Pause {
    tries: u32,
}

impl Pause {
    pub fn tries(&self) -> u32 {
        self.tries
    }

    pub fn lengthen(&mut self) -> Duration {
        let whole = FIRST.saturating_mul(1 << self.tries.min(7)).min(LONGEST);
        self.tries = self.tries.saturating_add(1);
        let chance = RandomState::new().hash_one(self.tries) % 256;
        whole - whole.mul_f64(chance as f64 / 1024.0)
    }
}

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// Sets the listener of remarks, unless there is one already.
#[cfg(feature = "program")]
pub fn listen(listener: fn(&str)) {
    _ = LISTENER.set(listener);
}

pub fn tell(text: &str) {
    if let Some(listener) = LISTENER.get() {
        listener(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_minute_and_no_further() {
        let mut pause = Pause::default();
        for seconds in [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0] {
            let found = pause.lengthen().as_secs_f64();
            assert!(found <= seconds && found >= 0.75 * seconds, "{found} of {seconds} s");
        }
        assert_eq!(pause.tries(), 9);
    }
}
