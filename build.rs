//! Puts the WebAssembly for pages into the program, packed as text: core.txt has the library, for the analysis
//! page, and engine.txt the engine alone, for reports with an engine. Builds with the profile `release`, or one
//! that inherits from it, make the WebAssembly if the compiler has its target. Other builds do not wait for it:
//! they take it from the folder in `GAINALYZE_CORE`, or the program has none.

use std::{
    env,
    error::Error,
    fs,
    io::Read,
    path::{Path, PathBuf},
    process::Command,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, read::GzEncoder};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// In this target, plotters measures texts as in the program. In wasm32-unknown-unknown it would ask a browser's
/// window.
const TARGET: &str = "wasm32-wasip1";

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=GAINALYZE_CORE");
    let output = variable("OUT_DIR")?;
    let [core, engine] = match env::var_os("GAINALYZE_CORE") {
        Some(folder) => made_before(Path::new(&folder))?,
        None if env::var("PROFILE")? == "release" && env::var_os("CARGO_FEATURE_PAGE").is_some() => {
            make(&output).unwrap_or_else(|error| {
                println!("cargo::warning=`gainalyze page` and --with-engine will not work: {error}");
                Default::default()
            })
        }
        None => Default::default(),
    };
    fs::write(output.join("core.txt"), core)?;
    Ok(fs::write(output.join("engine.txt"), engine)?)
}

fn variable(name: &str) -> Result<PathBuf> {
    env::var_os(name).map(PathBuf::from).ok_or_else(|| format!("{name} is not set").into())
}

/// Returns the two files of the WebAssembly in `folder`.
fn made_before(folder: &Path) -> Result<[String; 2]> {
    let read = |name| {
        let path = folder.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}; packaging/page makes it", path.display()))
    };
    Ok([read("core.txt")?, read("engine.txt")?])
}

/// Compiles the WebAssembly, and returns its two files.
fn make(output: &Path) -> Result<[String; 2]> {
    let sysroot = run(Command::new(variable("RUSTC")?).args(["--print", "sysroot"]))?;
    let installed = Path::new(sysroot.trim()).join("lib/rustlib");
    // A target that is installed later adds a folder here.
    println!("cargo::rerun-if-changed={}", installed.display());
    if !installed.join(TARGET).is_dir() {
        return Err(
            format!("the compiler lacks a target; `rustup target add {TARGET}`, then build again").into()
        );
    }
    // All profiles share a folder, unless the user has chosen another one for the build.
    let shared = env::current_dir()?.join("target");
    let folder = if output.starts_with(&shared) { &shared } else { output }.join("page");
    compile(&folder)?;
    let built = folder.join(TARGET).join("page");
    let read = sources(&fs::read_to_string(built.join("libgainalyze.d"))?);
    for source in read.iter().filter(|source| !Path::new(source).starts_with(&folder)) {
        println!("cargo::rerun-if-changed={source}");
    }
    println!("cargo::rerun-if-changed=Cargo.toml");
    println!("cargo::rerun-if-changed=Cargo.lock");
    let engine = output.join("engine.wasm");
    link_engine(&installed, &built, &engine)?;
    Ok([packed(&built.join("gainalyze.wasm"))?, packed(&engine)?])
}

/// Compiles the library as a WebAssembly module and as a static library.
fn compile(folder: &Path) -> Result<()> {
    let mut cargo = Command::new(variable("CARGO")?);
    cargo.args(["rustc", "--locked", "--lib", "--crate-type", "cdylib,staticlib", "--no-default-features"]);
    cargo.args(["--profile", "page", "--target", TARGET, "--target-dir"]).arg(folder);
    // Flags, features and wrappers of the outer build are for another target, another crate, or for clippy.
    let is_outer = |name: &str| {
        name.contains("RUSTFLAGS") || name.starts_with("CARGO_FEATURE_") || name == "RUSTC_WORKSPACE_WRAPPER"
    };
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_outer)) {
        cargo.env_remove(name);
    }
    run(&mut cargo).map(drop)
}

/// Links the engine alone: what the function `look` reaches.
fn link_engine(installed: &Path, built: &Path, engine: &Path) -> Result<()> {
    let host = installed.join(variable("HOST")?);
    let system = installed.join(TARGET).join("lib/self-contained");
    let mut linker = Command::new(host.join("bin/rust-lld").with_extension(env::consts::EXE_EXTENSION));
    linker.args(["-flavor", "wasm", "--entry", "_initialize", "--gc-sections", "--strip-all", "-O3"]);
    linker.args(["--stack-first", "-z", "stack-size=1048576"]);
    linker.args(["--export=request", "--export=look", "--export=answer_length"]);
    linker.args([system.join("crt1-reactor.o"), built.join("libgainalyze.a"), system.join("libc.a")]);
    run(linker.arg("-o").arg(engine)).map(drop)
}

/// Runs a command and returns its output. Fails with the command's first error.
fn run(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let ran = command.output().map_err(|error| format!("{name}: {error}"))?;
    if ran.status.success() {
        return Ok(String::from_utf8(ran.stdout)?);
    }
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    eprintln!("{said}");
    let reason = said.lines().find(|line| line.contains("error")).unwrap_or_default();
    Err(format!("{name} failed ({}): {reason}", ran.status).into())
}

/// Returns a file, packed by gzip, as Base64.
fn packed(path: &Path) -> Result<String> {
    let mut packed = Vec::new();
    GzEncoder::new(&*fs::read(path)?, Compression::best()).read_to_end(&mut packed)?;
    Ok(BASE64_STANDARD.encode(packed))
}

/// Returns the files that the compiler read, from its list in the form of a makefile.
fn sources(list: &str) -> Vec<String> {
    let files = list.lines().next().and_then(|line| line.split_once(": ")).map_or("", |(_, files)| files);
    let files = files.replace("\\ ", "\0");
    files.split(' ').map(|file| file.replace('\0', " ")).filter(|file| !file.is_empty()).collect()
}
