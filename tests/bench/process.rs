//! Measurement of a whole process: its time and its memory.

use std::{
    fs,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// One finished process.
#[derive(Clone, Copy)]
pub struct Measured {
    pub wall: Duration,
    /// Largest memory of the process itself in kilobytes, without its children.
    pub peak_kb: u64,
}

/// Time between two measurements of a running process's memory.
const GLANCE: Duration = Duration::from_millis(2);

/// Runs `command`, which must succeed. Its output is dropped.
pub fn measure(command: &mut Command) -> Measured {
    let start = Instant::now();
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a program that starts");
    let status = format!("/proc/{}/status", child.id());
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut peak_kb = 0;
            while !ended.load(Ordering::Relaxed) {
                peak_kb = peak_kb.max(high_water_mark(&status));
                thread::sleep(GLANCE);
            }
            peak_kb
        });
        let status = child.wait().expect("a child");
        let wall = start.elapsed();
        ended.store(true, Ordering::Relaxed);
        assert!(status.success(), "the command fails: {command:?}");
        Measured { wall, peak_kb: watcher.join().expect("the watcher's answer") }
    })
}

/// Returns the largest memory since `exec`, as Linux records it; 0 on other systems. The resource usage of an
/// ended child would include the memory before `exec`.
fn high_water_mark(status: &str) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
