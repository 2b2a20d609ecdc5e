//! Puts the WebAssembly for pages into the program: the library of the analysis page, and the engine of reports.
//! packaging/page builds both, and the variable `GAINALYZE_CORE` names their folder. Without the variable, the
//! program has neither.

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=GAINALYZE_CORE");
    let folder = env::var_os("GAINALYZE_CORE");
    if folder.as_ref().is_some_and(|folder| folder.is_empty()) {
        return Err("GAINALYZE_CORE is empty; packaging/page prints its value".into());
    }
    let output = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    for name in ["core.txt", "engine.txt"] {
        let content = match &folder {
            None => Vec::new(),
            Some(folder) => {
                let path = Path::new(folder).join(name);
                println!("cargo::rerun-if-changed={}", path.display());
                fs::read(&path)
                    .map_err(|error| format!("{}: {error}; packaging/page builds it", path.display()))?
            }
        };
        fs::write(Path::new(&output).join(name), content)?;
    }
    Ok(())
}
