//! Puts the WebAssembly of the analysis page into the program. packaging/page builds it, and the variable
//! `GAINALYZE_CORE` names its file. Without the variable, the program has no such page.

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=GAINALYZE_CORE");
    let core = match env::var_os("GAINALYZE_CORE") {
        None => Vec::new(),
        Some(path) if path.is_empty() => {
            return Err("GAINALYZE_CORE is empty; packaging/page prints its value".into());
        }
        Some(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            fs::read(&path)
                .map_err(|error| format!("{}: {error}; packaging/page builds it", path.display()))?
        }
    };
    let folder = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    Ok(fs::write(Path::new(&folder).join("core.txt"), core)?)
}
