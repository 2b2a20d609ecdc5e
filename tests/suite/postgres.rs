//! Stores in PostgreSQL: what a server is told and answers, against a real one.

use gainalyze::postgres::{Access, Address, Connection, PostgresError};

use crate::postgres_server::Server;

/// Opens a connection to an address and returns what came of it.
fn open(address: &str, access: Access) -> Result<(), PostgresError> {
    let address = Address::parse(address)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(Connection::open(&address, access)).map(|_| ())
}

fn said(address: &str, access: Access) -> String {
    open(address, access).expect_err("a refusal").to_string()
}

#[test]
fn a_schema_is_made_once_and_no_other_is_touched() {
    let Some(server) = Server::start() else { return };
    let address = server.address("postgres");
    assert!(said(&address, Access::Read).contains("it has no store yet"));
    open(&address, Access::Work).expect("an empty database");
    open(&address, Access::Work).expect("a store");
    open(&address, Access::Read).expect("a store");
    let versions = "SELECT string_agg(version::text, ',' ORDER BY version) FROM gainalyze.versions";
    let made = server.sql("games", versions);
    assert!(made.starts_with('1'), "{made}");
    server
        .sql("games", "INSERT INTO gainalyze.versions (version, name, program) VALUES (99, 'later', '9.9')");
    assert!(said(&address, Access::Work).contains("version 99"), "a later program's");
    server.sql(
        "games",
        "DROP SCHEMA gainalyze CASCADE; CREATE SCHEMA gainalyze; CREATE TABLE gainalyze.t (i int)",
    );
    assert!(said(&address, Access::Work).contains("not one that this program has made"));
    assert_eq!(server.sql("games", "SELECT count(*) FROM pg_tables WHERE schemaname = 'gainalyze'"), "1");
}

#[test]
fn what_keeps_a_server_from_being_used_is_said_in_a_sentence_each() {
    let Some(server) = Server::start() else { return };
    assert!(said("postgres://a@127.0.0.1:1/games", Access::Work).contains("it cannot be reached"));
    let other = server.address("postgres").replace("/games", "/chess");
    assert!(said(&other, Access::Work).contains("database \"chess\" does not exist"));
    server.sql("games", "CREATE ROLE anna LOGIN PASSWORD 'right'");
    let anna = server.address("anna");
    assert!(said(&anna, Access::Work).contains("its owner makes one"), "no right to make a schema");
    server.end();
    server.rules("host all anna 127.0.0.1/32 scram-sha-256\nlocal all all trust\n");
    server.begin();
    assert!(said(&anna, Access::Work).contains("it asks for a password"));
    let tls = format!("{anna}?sslmode=verify-full");
    assert!(said(&tls, Access::Work).contains("does not support TLS"));
}
