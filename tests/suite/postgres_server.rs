//! A PostgreSQL server for a single test, in a temporary folder. It ends with the test.

use std::{
    fs,
    net::TcpListener,
    os::unix::{
        fs::{MetadataExt, PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Output},
};

use tempfile::TempDir;

use crate::program::installed;

/// The number of the user and of the group `nobody`. The server runs as this user if the test runs as root.
const NOBODY: u32 = 65_534;

/// A running server with a database `games`. It accepts every user by its socket and on 127.0.0.1, unless
/// [`Server::rules`] change that.
pub struct Server {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
    is_root: bool,
}

impl Server {
    /// Starts a server; `None` if PostgreSQL is not installed.
    pub fn start() -> Option<Server> {
        let programs = installed("PostgreSQL", programs())?;
        let folder = TempDir::new().expect("a temporary folder");
        let is_root = fs::metadata(folder.path()).expect("a folder").uid() == 0;
        if is_root {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("root may do that");
        }
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let server = Server { folder, programs, port, is_root };
        server.run(
            "initdb",
            &["-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--no-locale"],
        );
        let settings = format!(
            "port = {port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{}'\nfsync = off\n",
            server.folder.path().display()
        );
        server.configure(&settings);
        server.begin();
        server.sql("postgres", "CREATE DATABASE games");
        Some(server)
    }

    /// Returns the address by which `user` reaches the database `games`.
    pub fn address(&self, user: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/games", self.port)
    }

    /// Returns the server's port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the server's folder. Its subfolder `data` has the server's data.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Makes a file in the folder private to the server.
    pub fn own(&self, name: &str) {
        let path = self.folder.path().join(name);
        fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).expect("rights");
        if self.is_root {
            chown(&path, Some(NOBODY), Some(NOBODY)).expect("root may do that");
        }
    }

    /// Adds settings, which apply from the server's next start on.
    pub fn configure(&self, settings: &str) {
        let path = self.folder.path().join("data/postgresql.conf");
        let before = fs::read_to_string(&path).expect("settings");
        fs::write(path, before + settings).expect("a file");
    }

    /// Sets the rules of access (`pg_hba.conf`) for the server's next start.
    pub fn rules(&self, rules: &str) {
        fs::write(self.folder.path().join("data/pg_hba.conf"), rules).expect("a file");
    }

    /// Starts the server again after [`Server::end`].
    pub fn begin(&self) {
        self.run("pg_ctl", &["-D", "data", "-l", "log", "-w", "start"]);
    }

    /// Stops the server at once, with all connections.
    pub fn end(&self) {
        self.run("pg_ctl", &["-D", "data", "-m", "immediate", "-w", "stop"]);
    }

    /// Runs statements in a database as superuser. Returns psql's output: cells separated by `|`, no
    /// headings.
    pub fn sql(&self, database: &str, statements: &str) -> String {
        self.try_sql("postgres", database, &["-c", statements]).expect("statements that work")
    }

    /// Runs psql as `user` with the arguments `told`; `Err` has the server's message.
    pub fn try_sql(&self, user: &str, database: &str, told: &[&str]) -> Result<String, String> {
        let (socket, port) = (self.folder.path().display().to_string(), self.port.to_string());
        let to = ["-h", &*socket, "-p", &*port, "-U", user, "-d", database];
        let how = ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1"];
        let Output { status, stdout, stderr } = self.try_run("psql", &[&to[..], &how, told].concat());
        match status.success() {
            true => Ok(String::from_utf8_lossy(&stdout).trim_end().to_owned()),
            false => Err(String::from_utf8_lossy(&stderr).into_owned()),
        }
    }

    /// Starts another program in the server's folder, as the server's user.
    pub fn start_beside(&self, program: &Path, args: &[&str]) -> Child {
        self.as_server(Command::new(program).args(args)).spawn().expect("an installed program")
    }

    fn as_server<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        if self.is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.current_dir(self.folder.path()).env("LC_ALL", "C")
    }

    fn run(&self, program: &str, args: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.try_run(program, args);
        let told = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "{program} {args:?}: {told}");
        String::from_utf8_lossy(&stdout).trim_end().to_owned()
    }

    fn try_run(&self, program: &str, args: &[&str]) -> Output {
        let mut command = Command::new(self.programs.join(program));
        self.as_server(command.args(args));
        // The output goes to a file. Otherwise a reader of pg_ctl's output would wait for the server too.
        let told = self.folder.path().join(format!("{program}.out"));
        if program == "pg_ctl" {
            let file = fs::File::create(&told).expect("a file");
            let status = command.stdout(file).status().expect("an installed program");
            return Output { status, stdout: fs::read(told).expect("a file"), stderr: Vec::new() };
        }
        command.output().expect("an installed program")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        self.try_run("pg_ctl", &["-D", "data", "-m", "immediate", "-w", "stop"]);
    }
}

/// Returns the folder of PostgreSQL's programs: the newest in `/usr/lib/postgresql`, Debian's place, or else
/// a folder on PATH. `None` if PostgreSQL is not installed.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<(u32, PathBuf)> = versions
        .filter_map(|version| Some((version.file_name().to_str()?.parse().ok()?, version.path().join("bin"))))
        .filter(|(_, programs)| programs.join("initdb").is_file())
        .collect();
    found.sort();
    let on_path = || {
        let folders = std::env::var_os("PATH")?;
        std::env::split_paths(&folders).find(|folder| folder.join("initdb").is_file())
    };
    found.pop().map(|(_, programs)| programs).or_else(on_path)
}
