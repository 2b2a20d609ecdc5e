//! Tests of shell completions and manual pages, which follow from the definition of the command line.

use crate::program::Bench;

#[test]
fn every_shell_has_a_script_and_bash_accepts_its_own() {
    let bench = Bench::of_games();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = bench.run(&["completions", shell]).ended_with(0).stdout;
        assert!(script.contains("GAINALYZE_COMPLETE"), "{shell} asks the program");
        bench.write(shell, script.as_bytes());
    }
    let check = std::process::Command::new("bash").arg("-n").arg(bench.path("bash")).output();
    let check = check.expect("bash");
    assert!(check.status.success() && check.stderr.is_empty(), "{check:?}");
    bench.run(&["completions", "tcsh"]).ended_with(2).said(&["bash, elvish, fish, powershell, zsh"]);
}

#[test]
fn the_manual_has_every_verb_with_its_options() {
    let page = Bench::of_games().run(&["man"]).ended_with(0).stdout;
    // roff escapes hyphens that must not be broken.
    let plain = page.replace("\\-", "-");
    assert!(plain.contains(".TH gainalyze 1"), "{plain}");
    for word in [
        ".SH EXAMPLES\n.nf\n",
        "gainalyze rate games.pgn",
        ".SH NOTES\n.nf\nMeasures:",
        ".SH \"VERB ANALYZE\"",
        ".SH \"VERB ARCHIVE\"",
        ".SH \"VERB SENSITIVITY\"",
        ".SH \"VERB REPRODUCE\"",
        ".SH \"VERB COMPLETIONS\"",
        ".SH \"VERB MAN\"",
        "--engine-histogram",
        "--against",
        "--skip-forced",
        "Exit codes",
    ] {
        assert!(plain.contains(word), "{word} is not in {plain}");
    }
    let entries = plain.lines().filter(|line| line.starts_with("\\fB--skip-forced"));
    assert_eq!(entries.count(), 5, "of the program, of player, of watch, of archive and of sensitivity");
}

#[test]
fn each_verb_has_a_page_of_its_own_where_a_folder_is_named() {
    let bench = Bench::of_games();
    assert_eq!(bench.run(&["man", "--output", "man1"]).ended_with(0).stdout, "");
    let pages = bench.files("man1");
    let names: Vec<&str> = pages.keys().map(String::as_str).collect();
    for verb in ["", "-analyze", "-sensitivity", "-reproduce", "-completions", "-man"] {
        assert!(names.contains(&format!("gainalyze{verb}.1").as_str()), "{verb} is not among {names:?}");
    }
    let page = bench.text("man1/gainalyze-sensitivity.1").replace("\\-", "-");
    assert!(page.contains(".TH GAINALYZE-SENSITIVITY 1") && page.contains("--against"), "{page}");
    for section in ["ENVIRONMENT", "FILES", "\"SEE ALSO\"", "EXAMPLES"] {
        assert!(page.contains(&format!(".SH {section}\n")), "{section}: {page}");
    }
    let synopsis =
        page.split(".SH SYNOPSIS\n").nth(1).and_then(|rest| rest.split(".SH ").next()).expect("one");
    assert!(synopsis.contains("gainalyze sensitivity [OPTIONS]") && synopsis.len() < 200, "{synopsis}");
}
