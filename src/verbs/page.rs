//! The verb `page`: an analysis page for a browser.

use std::io::{self, IsTerminal};

use askama::Template;

use crate::report::html::STYLE;
use crate::verbs::{error::VerbError, runs::Finished};

/// The library as WebAssembly, packed by gzip, in Base64. Empty if the program was built without it (build.rs).
const CORE: &str = include_str!(concat!(env!("OUT_DIR"), "/core.txt"));

const MISSING: &str = "this build of gainalyze does not contain the analysis page; released programs do, and \
                       GAINALYZE_CORE=$(packaging/page) cargo build --release builds one that does";

const TERMINAL: &str = "the page is a file of HTML; write it to a file: gainalyze page > analyze.html";

const SCRIPT: &str = include_str!("page/page.js");

const WORKER: &str = include_str!("page/worker.js");

#[derive(Template)]
#[template(path = "verbs/page/page.html")]
struct AnalyzePage;

pub fn run() -> Result<Finished, VerbError> {
    if CORE.is_empty() {
        return Err(VerbError::new(MISSING));
    }
    if io::stdout().is_terminal() {
        return Err(VerbError::new(TERMINAL));
    }
    Ok(Finished::complete(AnalyzePage.render().map_err(|error| VerbError::new(error.to_string()))?))
}
