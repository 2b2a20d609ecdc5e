//! The verb `page`: an analysis page for a browser.

use std::io::{self, IsTerminal};

use askama::Template;

use crate::engine::levels::Level;
use crate::report::html::{BOARD_SCRIPT, ENGINE_POLICY, ENGINE_SCRIPT, STYLE, WORKER};
use crate::verbs::{args::NO_WEBASSEMBLY, error::Result, error::VerbError, runs::Finished};

/// The library as WebAssembly, packed by gzip, in Base64. Empty if the program was built without it (build.rs).
const CORE: &str = include_str!(concat!(env!("OUT_DIR"), "/core.txt"));

const TERMINAL: &str = "the page is a file of HTML; write it to a file: gainalyze page > analyze.html";

const SCRIPT: &str = concat!(include_str!("page/page.js"), include_str!("page/play.js"));

#[derive(Template)]
#[template(path = "verbs/page/page.html")]
struct AnalyzePage;

pub fn run() -> Result<Finished> {
    if CORE.is_empty() {
        return Err(VerbError::new(NO_WEBASSEMBLY));
    }
    if io::stdout().is_terminal() {
        return Err(VerbError::new(TERMINAL));
    }
    Ok(Finished::complete(AnalyzePage.render().map_err(|error| VerbError::new(error.to_string()))?))
}
