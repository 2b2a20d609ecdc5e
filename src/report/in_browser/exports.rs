//! The functions that the WebAssembly module exports to the page's script.

use std::sync::{Mutex, MutexGuard, PoisonError};

static REQUEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<String> = Mutex::new(String::new());

fn lock<T>(content: &Mutex<T>) -> MutexGuard<'_, T> {
    content.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a request of `length` bytes, and returns the address where the script writes it.
#[unsafe(no_mangle)]
extern "C" fn request(length: usize) -> *mut u8 {
    let mut request = lock(&REQUEST);
    request.clear();
    request.resize(length, 0);
    request.as_mut_ptr()
}

/// Does the requested task, and returns the address of the answer in JSON.
#[unsafe(no_mangle)]
extern "C" fn answer() -> *const u8 {
    answered(super::answer)
}

/// Looks at the requested position, and returns the address of the answer in JSON.
#[unsafe(no_mangle)]
extern "C" fn look() -> *const u8 {
    answered(super::look)
}

fn answered(by: fn(&[u8]) -> String) -> *const u8 {
    let found = by(&lock(&REQUEST));
    let mut answer = lock(&ANSWER);
    *answer = found;
    answer.as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn answer_length() -> usize {
    lock(&ANSWER).len()
}
