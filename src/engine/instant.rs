//! [`Instant`]: a point in time. WebAssembly in a browser has no clock that the standard library knows; there,
//! all times are equal, so only depths and nodes limit a search.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use self::timeless::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod timeless {
    use std::time::Duration;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Instant;

    impl Instant {
        pub fn now() -> Instant {
            Instant
        }

        pub fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
    }
}
