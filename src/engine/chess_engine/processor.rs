//! Abilities of the processor that not every machine has: prefetching and wide registers.
#![allow(unsafe_code)] // Safe functions reach neither. Without them, a search takes a third more time.

#[cfg(target_arch = "x86_64")]
use std::sync::LazyLock;

/// Begins to load the cache line of `place`, without waiting for it. Does nothing on processors other than
/// x86-64.
#[inline(always)]
pub(super) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the hint reads and writes nothing, and every x86-64 processor has it.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Work that is compiled twice: for every processor, and for processors with wide registers.
pub(super) trait Task {
    type Output;

    /// Does the work. It must be `#[inline(always)]`, like all that it calls: other functions are compiled
    /// only once.
    fn run(self) -> Self::Output;
}

/// Runs a task, with wide registers if this machine has them. The result is the same.
#[inline(always)]
pub(super) fn run<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if *HAS_WIDE {
        // SAFETY: this processor has the instructions.
        return unsafe { run_wide(task) };
    }
    task.run()
}

/// Whether this processor has the instructions of most processors since 2013 (x86-64-v3).
#[cfg(target_arch = "x86_64")]
static HAS_WIDE: LazyLock<bool> = LazyLock::new(|| {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
});

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_wide<T: Task>(task: T) -> T::Output {
    task.run()
}
