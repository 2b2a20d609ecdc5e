//! Measures the built-in engine: its speed, the test positions it solves, and the strength that each part adds.
//!
//! ```text
//! cargo bench --bench engine                              nodes a second, seconds
//! cargo bench --bench engine -- suites                    the positions in data/suites, minutes
//! cargo bench --bench engine -- tables                    tables of several sizes, a minute
//! cargo bench --bench engine -- heuristics [NAME...]      the search without each of its short cuts, minutes;
//!                                                         heuristics NODES GAMES [NAME...] sets nodes (2000)
//!                                                         and games (120); NAME+NAME leaves out both
//! cargo bench --bench engine -- weights FILE [NODES]      its weights against those of a file, minutes
//! ```
//!
//! Only the speed depends on the machine.

mod heuristics;
mod matches;
mod speed;
mod suites;

fn main() {
    // `cargo bench` adds an option of its own.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => speed::measure(),
        ["tables"] => speed::compare_tables(),
        ["suites"] => suites::solve_all(),
        ["heuristics", nodes, games, names @ ..] if nodes.parse::<u64>().is_ok() => {
            heuristics::measure(names, number(nodes), number(games) as usize);
        }
        ["heuristics", names @ ..] => heuristics::measure(names, heuristics::NODES, heuristics::GAMES),
        ["weights", file] => heuristics::against_weights(file, heuristics::NODES),
        ["weights", file, nodes] => {
            heuristics::against_weights(file, number(nodes));
        }
        other => panic!("unknown word {other:?}: write suites, tables, heuristics or weights"),
    }
}

fn number(word: &str) -> u64 {
    word.parse().expect("a number")
}
