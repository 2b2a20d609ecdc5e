//! Holds the page of files and columns to the tables that the program writes.

use std::{env, fs, path::Path};

use gainalyze::report::manual;

#[test]
fn files_and_columns_are_documented_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/files.md");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, manual::page()).expect("a writable docs/files.md");
    }
    let documented = fs::read_to_string(&path).expect("docs/files.md");
    assert!(
        documented == manual::page(),
        "docs/files.md is not current; renew it by UPDATE_DOCS=1 cargo test --test suite files_and_columns"
    );
}
