//! Instructions that not every processor has: for prefetching, for wide registers, and for counting bits.
#![allow(unsafe_code)] // No safe function uses them. A search without them takes about a tenth more time.

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

/// Work that is compiled twice: for every processor, and for processors with newer instructions.
pub(super) trait Task {
    type Output;

    /// Does the work. Only code that is inlined into this method is compiled twice, so its hot functions are
    /// `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs a task, with newer instructions if this processor has them. They do not change the result.
#[inline(always)]
pub(super) fn run<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if *IS_NEWER {
        // SAFETY: this processor has the instructions that the function enables.
        return unsafe { run_newer(task) };
    }
    task.run()
}

/// True if this processor has the instructions that [`run_newer`] enables. Most since about 2015 have them.
#[cfg(target_arch = "x86_64")]
static IS_NEWER: LazyLock<bool> = LazyLock::new(|| {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
});

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_newer<T: Task>(task: T) -> T::Output {
    task.run()
}
