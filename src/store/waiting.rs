//! Waiting for a lost server or a locked file: [`Pause`] between attempts, and remarks for a listener.

use std::{sync::OnceLock, time::Duration};

#[cfg(feature = "postgres")]
const FIRST: Duration = Duration::from_millis(500);
#[cfg(feature = "postgres")]
const LONGEST: Duration = Duration::from_secs(60);

/// Pauses that double from half a second to a minute. Each is randomly shortened by up to a quarter, so that
/// many clients of one server do not reconnect at the same moment.
#[cfg(feature = "postgres")]
#[derive(Debug, Clone, Default)]
pub struct Pause {
    tries: u32,
}

#[cfg(feature = "postgres")]
impl Pause {
    pub fn tries(&self) -> u32 {
        self.tries
    }

    pub fn lengthen(&mut self) -> Duration {
        let whole = FIRST.saturating_mul(1 << self.tries.min(7)).min(LONGEST);
        self.tries = self.tries.saturating_add(1);
        let chance = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), self.tries) % 256;
        whole - whole.mul_f64(chance as f64 / 1024.0)
    }
}

/// Longest time between two attempts to use a locked file.
const LOCKED: Duration = Duration::from_millis(50);

/// Waits for a locked file after `tries` attempts. Returns false after a minute. SQLite calls this.
pub fn for_lock(tries: i32) -> bool {
    // Three seconds.
    if tries == 60 {
        tell("another program is writing to the store; waiting for it, up to a minute");
    }
    std::thread::sleep(LOCKED.min(Duration::from_millis(1 << tries.clamp(0, 6))));
    tries < 1200
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

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_waited_for_with_growing_pauses_up_to_a_minute() {
        assert!(for_lock(0) && for_lock(1199) && !for_lock(1200));
    }

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
