//! Completion scripts in real shells.

use std::{
    path::Path,
    process::{Command, Output},
};

use crate::program::{Bench, installed};

/// Returns a folder with games and with the script for a shell, as `completions` prints it.
fn bench(shell: &str) -> Bench {
    let bench = Bench::of_games();
    let script = bench.run(&["completions", shell]).ended_with(0).stdout;
    bench.write("script", script.as_bytes());
    bench
}

/// Runs `code` in a shell that finds the program; `None` if the shell is not installed.
fn run(bench: &Bench, shell: &str, args: &[&str], code: &str) -> Option<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_gainalyze")).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a path");
    let output: std::io::Result<Output> = Command::new(shell)
        .args(args)
        .arg(code)
        .current_dir(bench.path(""))
        .env("PATH", format!("{}:{path}", program.display()))
        .env("HOME", bench.path(""))
        .output();
    let output = installed(shell, output.ok())?;
    assert!(output.status.success(), "{shell}: {output:?}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Typed lines, each with the words that may come next.
const CASES: [(&str, &[&str]); 10] = [
    ("gainalyze repo", &["report"]),
    ("gainalyze games.pgn --metric ", &["cp", "win", "wdl"]),
    ("gainalyze report --forma", &["--format"]),
    ("gainalyze games.pgn --format ", &["csv", "parquet", "json"]),
    ("gainalyze games.pgn --format csv,p", &["csv,parquet"]),
    ("gainalyze archive --by t", &["time-control", "title"]),
    ("gainalyze rate gam", &["games.pgn"]),
    ("gainalyze rate --engine buil", &["builtin"]),
    ("gainalyze rate --calibration built", &["builtin-depth-10", "builtin-depth-10-lichess-rapid"]),
    ("gainalyze selfplay --pairs a", &["all", "adjacent"]),
];

#[test]
fn bash_completes_verbs_options_values_and_files() {
    let bench = bench("bash");
    for (typed, expected) in CASES {
        let mut words: Vec<String> = typed.split(' ').map(|word| format!("'{word}'")).collect();
        let (count, last) = (words.len() - 1, words.last().expect("a word").clone());
        let before = words[count - 1].clone();
        let line = words.join(" ");
        words.clear();
        let code = format!(
            "source ./script; COMP_WORDS=({line}); COMP_CWORD={count}; \
             _clap_complete_gainalyze gainalyze {last} {before}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let found = run(&bench, "bash", &["--norc", "-c"], &code).expect("bash");
        assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{typed}");
    }
}

#[test]
fn fish_completes_verbs_options_values_and_files() {
    let bench = bench("fish");
    for (typed, expected) in CASES {
        let code = format!("source ./script; complete -C '{typed}'");
        let Some(found) = run(&bench, "fish", &["--no-config", "-c"], &code) else { return };
        let words: Vec<&str> = found.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(words, expected, "{typed}");
    }
}

/// A script that types into an interactive zsh, and prints its screen when the expected text is there.
const TYPIST: &str = r#"
zmodload zsh/zpty
zpty -b shell 'PS1= PROMPT= TERM=dumb zsh -f -i'
screen() {
    local text all= turn
    for turn in {1..100}; do
        while zpty -r -t shell text; do all+=$text; done
        [[ $all == *$1* ]] && break
        sleep 0.1
    done
    print -r -- "$all"
}
zpty -w shell 'fpath=(./functions $fpath); autoload -U compinit; compinit -u -D; unsetopt beep; echo rea''dy'
screen ready >/dev/null
zpty -w -n shell "$TYPED"$'\t\t'
screen "$AWAITED"
"#;

#[test]
fn zsh_completes_the_first_time_and_leads_no_verb_to_the_options_of_another() {
    let bench = bench("zsh");
    std::fs::create_dir(bench.path("functions")).expect("a folder");
    bench.write("functions/_gainalyze", &bench.read("script"));
    for (typed, expected) in CASES {
        // A single word is inserted. Several words are listed.
        let awaited = expected.last().expect("a word");
        let code = format!("TYPED='{typed}' AWAITED='{awaited}'\n{TYPIST}");
        let Some(found) = run(&bench, "zsh", &["-f", "-c"], &code) else { return };
        for word in expected {
            assert!(found.contains(word), "{typed}: {word} is not in {found:?}");
        }
    }
}

#[test]
fn options_come_once_a_hyphen_is_typed() {
    let bench = bench("fish");
    let words = |typed: &str| {
        let found =
            run(&bench, "fish", &["--no-config", "-c"], &format!("source ./script; complete -C '{typed}'"))?;
        Some(found.lines().filter_map(|line| line.split('\t').next()).map(str::to_owned).collect::<Vec<_>>())
    };
    let Some(verbs) = words("gainalyze ") else { return };
    assert!(verbs.contains(&"analyze".to_owned()) && verbs.contains(&"games.pgn".to_owned()), "{verbs:?}");
    assert!(!verbs.iter().any(|word| word.starts_with('-') || word == "tune"), "{verbs:?}");
    let options = words("gainalyze report reports --").expect("fish");
    assert!(options.contains(&"--split".to_owned()) && options.contains(&"--help".to_owned()), "{options:?}");
    assert!(!options.contains(&"--engine".to_owned()), "of another verb: {options:?}");
}
