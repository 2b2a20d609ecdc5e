//! Tests with a pooler between program and server. With session pooling nothing changes. With transaction
//! pooling, the program works or names `pool_mode` as the fault.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::Child,
    thread::sleep,
    time::{Duration, Instant},
};

use crate::postgres_server::Server;
use crate::program::{Bench, installed};
use crate::queue::{SEARCH, coordinate, end_of, is_worked_off, work};

/// PgBouncer in front of a server. Unless it pools sessions, it has a single connection to the server.
struct Pooler {
    child: Child,
    port: u16,
}

impl Pooler {
    /// Starts PgBouncer with the pooling `mode`; `None` if it is not installed.
    fn before(server: &Server, mode: &str) -> Option<Pooler> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
        let program = folders.map(|folder| folder.join("pgbouncer")).find(|program| program.is_file());
        let program = installed("PgBouncer", program)?;
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let settings = format!(
            "[databases]\ngames = host=127.0.0.1 port={} dbname=games\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = trust\nauth_file = users\npool_mode = {mode}\n\
             default_pool_size = {}\n",
            server.port(),
            if mode == "session" { 20 } else { 1 },
        );
        fs::write(server.folder().join("pgbouncer.ini"), settings).expect("a file");
        fs::write(server.folder().join("users"), "\"postgres\" \"\"\n").expect("a file");
        let child = server.start_beside(&program, &["-q", "pgbouncer.ini"]);
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "the pooler does not listen");
            sleep(Duration::from_millis(20));
        }
        Some(Pooler { child, port })
    }

    fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/games?sslmode=disable", self.port)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        // It may have ended before.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn a_pooler_that_keeps_a_connection_for_each_session_changes_nothing() {
    let Some(server) = Server::start() else { return };
    let Some(pooler) = Pooler::before(&server, "session") else { return };
    let (bench, address) = (Bench::of_games(), pooler.address());
    bench.run(&[&SEARCH[..], &["--no-store", "--output", "whole"]].concat()).ended_with(0);
    let coordinator = coordinate(&bench, &server, &address, &["--output", "queued"]);
    let workers = [(); 2].map(|()| work(&bench, &address, &["--until-empty"]));
    end_of(coordinator).ended_with(0);
    for worker in workers {
        end_of(worker).ended_with(0);
    }
    assert_eq!(bench.files("whole"), bench.files("queued"));
    is_worked_off(&server);
    bench.run(&["status", &address]).ended_with(0);
    bench.run(&["store", "stats", &address]).ended_with(0);
}

#[test]
fn a_pooler_that_gives_each_transaction_another_connection_is_named() {
    let Some(server) = Server::start() else { return };
    let Some(pooler) = Pooler::before(&server, "transaction") else { return };
    let (bench, address) = (Bench::of_games(), pooler.address());
    bench.run(&[&SEARCH[..], &["--no-store", "--output", "whole"]].concat()).ended_with(0);
    bench.run(&["store", "stats", &address]).ended_with(0);
    let search = [&SEARCH[..], &["--store", &address, "--output", "pooled"]].concat();
    let commands = [&["status", &*address][..], &["work", &address, "--until-empty"], &search];
    // A program that gets a fresh connection sees no settings of others, and works.
    let runs: Vec<_> = (0..3).flat_map(|_| commands.map(|command| bench.run(command))).collect();
    let refused: Vec<_> = runs.into_iter().filter(|run| run.code != Some(0)).collect();
    assert!(!refused.is_empty(), "no command met what another has left");
    for run in refused {
        run.ended_with(2).said(&["pool_mode"]);
    }
    if bench.path("pooled/report.html").exists() {
        assert_eq!(bench.files("whole"), bench.files("pooled"), "nothing wrong is stored");
    }
}
