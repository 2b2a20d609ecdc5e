//! A UCI engine that sleeps SLEEP_MS milliseconds per search, to measure the cost of a queue alone. Scores
//! and nodes follow from the position. Searches to depth 6, which identify engines, take no time, and neither
//! does the search that checks the scores of engines, with Black a queen ahead. In other searches, the engine exits if the moves end with the value of DEADLY. SLEEP_MS and DEADLY are environment
//! variables.
//!
//! rustc -O tests/cluster/sleeper.rs -o target/sleeper

use std::{env, hash::Hasher, io::BufRead, thread, time::Duration};

/// The hash FNV-1a, which is the same on every machine and in every version of Rust.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn main() {
    let sleep = env::var("SLEEP_MS").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let deadly = env::var("DEADLY").ok();
    let mut position = String::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => println!("id name Sleeper 1\noption name Hash type spin default 16 min 1 max 1024\nuciok"),
            Some("isready") => println!("readyok"),
            Some("position") => position = line.clone(),
            Some("go") => {
                if position.contains("RNB1KBNR b") {
                    println!("info depth 1 score cp 900 nodes 1\nbestmove (none)");
                    continue;
                }
                let depth = line.split_whitespace().last().unwrap_or("1").to_owned();
                if deadly.as_deref().is_some_and(|moves| depth != "6" && position.ends_with(moves)) {
                    std::process::exit(9);
                }
                if depth != "6" {
                    thread::sleep(Duration::from_millis(sleep));
                }
                let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
                hasher.write(position.as_bytes());
                let found = hasher.finish();
                println!("info depth {depth} score cp {} nodes {}", found % 200, found % 100_000 + 1);
                println!("bestmove (none)");
            }
            Some("quit") => return,
            _ => {}
        }
    }
}
