//! Tests of PostgreSQL stores on a real server.

use gainalyze::store::server::{Address, Connection, PostgresError, ServerAccess};

use crate::postgres_relay::Mischief;
use crate::postgres_relay::Relay;
use crate::postgres_server::Server;
use crate::program::Bench;
use crate::program::Run;

/// Opens a connection to the store at `address`. Fails if the store cannot be used with this `access`.
fn open(address: &str, access: ServerAccess) -> Result<(), PostgresError> {
    let address = Address::parse(address)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(Connection::open(&address, access)).map(|_| ())
}

fn said(address: &str, access: ServerAccess) -> String {
    open(address, access).expect_err("a refusal").to_string()
}

#[test]
fn a_schema_is_made_once_and_no_other_is_touched() {
    let Some(server) = Server::start() else { return };
    let address = server.address("postgres");
    assert!(said(&address, ServerAccess::Read).contains("the database has no store yet"));
    open(&address, ServerAccess::Work).expect("an empty database");
    open(&address, ServerAccess::Work).expect("a store");
    open(&address, ServerAccess::Read).expect("a store");
    let versions = "SELECT string_agg(version::text, ',' ORDER BY version) FROM gainalyze.versions";
    let made = server.sql("games", versions);
    assert!(made.starts_with('1'), "{made}");
    server
        .sql("games", "INSERT INTO gainalyze.versions (version, name, program) VALUES (99, 'later', '9.9')");
    assert!(said(&address, ServerAccess::Work).contains("version 99"), "a later program's");
    server.sql(
        "games",
        "DROP SCHEMA gainalyze CASCADE; CREATE SCHEMA gainalyze; CREATE TABLE gainalyze.t (i int)",
    );
    assert!(said(&address, ServerAccess::Work).contains("was not made by this program"));
    assert_eq!(server.sql("games", "SELECT count(*) FROM pg_tables WHERE schemaname = 'gainalyze'"), "1");
}

#[test]
fn a_schema_of_an_earlier_program_is_brought_to_this_version_by_its_owner_alone() {
    let Some(server) = Server::start() else { return };
    let (bench, address) = (Bench::of_games(), server.address("postgres"));
    let run = |store: &str, folder: &str| bench.run(&["games.pgn", "--store", store, "--output", folder]);
    run(&address, "first").ended_with(0);
    // The state that the first version of the program left: a store without a queue.
    server.sql(
        "games",
        "DROP TABLE gainalyze.failures, gainalyze.work_done, gainalyze.workers, gainalyze.tasks, gainalyze.runs; \
         DELETE FROM gainalyze.versions WHERE version = 2; CREATE ROLE anna LOGIN; \
         GRANT USAGE ON SCHEMA gainalyze TO anna; GRANT SELECT ON ALL TABLES IN SCHEMA gainalyze TO anna",
    );
    for access in [ServerAccess::Read, ServerAccess::Work] {
        let said = said(&server.address("anna"), access);
        assert!(said.contains("has version 1, but this program needs version 2"), "{said}");
        assert!(said.contains("the owner upgrades the store with `gainalyze store stats ADDRESS`"), "{said}");
    }
    run(&server.address("anna"), "refused").ended_with(2).said(&["the store has version 1"]);
    bench.run(&["store", "stats", &address]).ended_with(0);
    let versions = "SELECT string_agg(version || ' ' || name, ',' ORDER BY version) FROM gainalyze.versions";
    assert_eq!(server.sql("games", versions), "1 store,2 queue");
    run(&address, "second").ended_with(0);
    assert_eq!(bench.run_json("second")["searches"]["made"], 0, "what was stored before is still there");
    server.sql("games", "INSERT INTO gainalyze.versions (version, name, program) VALUES (3, 'later', '9.9')");
    let newer = "the store has version 3, but this program supports version 2; use a newer gainalyze";
    run(&address, "third").ended_with(2).said(&[newer]);
    bench.run(&["work", &address]).ended_with(2).said(&[newer]);
    bench.run(&["status", &address]).ended_with(2).said(&[newer]);
}

#[test]
fn a_server_of_an_older_version_is_refused_with_both_versions() {
    let Some(server) = Server::start() else { return };
    let number: i32 = server.sql("games", "SHOW server_version_num").parse().expect("a number");
    let major = (number / 10_000).to_string();
    // The same server, made to report version 12.
    let told = vec![
        (number.to_be_bytes().to_vec(), (120_000 + number % 10_000).to_be_bytes().to_vec()),
        (format!("{major}.").into_bytes(), b"12.".to_vec()),
    ];
    let relay = Relay::before(&server, Mischief::Replace(told));
    let bench = Bench::of_games();
    for args in [["games.pgn", "--store"].as_slice(), &["work"], &["status"], &["store", "stats"]] {
        let address = relay.address("postgres");
        let run = bench.run(&[args, &[&*address]].concat()).ended_with(2);
        run.said(&["the version of the server is 12.", "this program needs 13 or later"]);
    }
    let made = server.sql("games", "SELECT count(*) FROM pg_namespace WHERE nspname = 'gainalyze'");
    assert_eq!(made, "0", "nothing is made there");
}

#[test]
fn what_keeps_a_server_from_being_used_is_said_in_a_sentence_each() {
    let Some(server) = Server::start() else { return };
    assert!(
        said("postgres://a@127.0.0.1:1/games", ServerAccess::Work).contains("the server cannot be reached")
    );
    let other = server.address("postgres").replace("/games", "/chess");
    assert!(said(&other, ServerAccess::Work).contains("database \"chess\" does not exist"));
    server.sql("games", "CREATE ROLE anna LOGIN PASSWORD 'right'");
    let anna = server.address("anna");
    assert!(
        said(&anna, ServerAccess::Work).contains("the owner creates a store"),
        "no right to make a schema"
    );
    server.end();
    server.rules("host all anna 127.0.0.1/32 scram-sha-256\nlocal all all trust\n");
    server.begin();
    assert!(said(&anna, ServerAccess::Work).contains("the server requires a password"));
    let tls = format!("{anna}?sslmode=verify-full");
    assert!(said(&tls, ServerAccess::Work).contains("does not support TLS"));
}

/// Returns the files whose bytes do not depend on the store. `run.json` is not among them, because it has
/// times of day.
fn report(bench: &Bench, folder: &str) -> std::collections::BTreeMap<String, Vec<u8>> {
    bench.files(folder).into_iter().filter(|(name, _)| name != "run.json").collect()
}

#[test]
fn a_report_is_the_same_to_the_byte_from_a_file_and_from_a_server() {
    let Some(server) = Server::start() else { return };
    let bench = Bench::of_games();
    let address = server.address("postgres");
    let run = |store: &str, folder: &str| {
        bench
            .run(&["games.pgn", "--store", store, "--output", folder, "--tables", "all"])
            .ended_with(0)
            .stdout
    };
    let by_file = run("s.sqlite", "by-file").replace("by-file", "OUT");
    assert_eq!(by_file, run(&address, "by-server").replace("by-server", "OUT"));
    assert_eq!(report(&bench, "by-file"), report(&bench, "by-server"));
    let again = run(&address, "second").replace("second", "OUT");
    assert_eq!(by_file, again);
    assert_eq!(bench.run_json("second")["searches"]["made"], 0, "all of it was stored");
    assert_eq!(report(&bench, "by-file"), report(&bench, "second"));
    let stored = bench.run(&["report", &address, "games.pgn", "--output", "stored"]).ended_with(0);
    assert!(stored.stdout.contains("Alpha, Anna"));
}

#[test]
fn the_upkeep_of_a_store_is_the_same_for_a_file_and_for_a_server() {
    let Some(server) = Server::start() else { return };
    let bench = Bench::of_games();
    let address = server.address("postgres");
    bench.run(&["games.pgn", "--store", "s.sqlite", "--output", "out"]).ended_with(0);
    bench.run(&["store", "merge", &address, "s.sqlite"]).ended_with(0);
    bench.run(&["store", "merge", "back.sqlite", &address]).ended_with(0);
    let told = |args: &[&str], store: &str| bench.run(args).ended_with(0).stdout.replace(store, "STORE");
    for store in ["back.sqlite", &address] {
        assert_eq!(
            told(&["store", "check", "s.sqlite"], "s.sqlite"),
            told(&["store", "check", store], store)
        );
    }
    let exported = |store: &str, to: &str| {
        bench.run(&["store", "export", store, to]).ended_with(0);
        bench.text(to)
    };
    let rows = exported("s.sqlite", "s.csv");
    assert_eq!(rows, exported("back.sqlite", "back.csv"));
    assert_eq!(rows, exported(&address, "server.csv"));
    let stats = bench.run(&["store", "stats", &address]).ended_with(0).stdout;
    assert!(stats.contains("Scripted 1.0") && stats.contains("0 segments set aside"), "{stats}");
    bench.run(&["store", "prune", &address, "--depth", "1", "--dry-run"]).ended_with(0);
}

#[test]
fn no_password_is_in_a_message_a_file_or_the_list_of_processes() {
    const SECRET: &str = "aVerySecretWord";
    let Some(server) = Server::start() else { return };
    server.sql("games", &format!("CREATE ROLE anna LOGIN SUPERUSER PASSWORD '{SECRET}'"));
    server.end();
    server.rules("host all anna 127.0.0.1/32 scram-sha-256\nlocal all all trust\n");
    server.begin();
    let address = server.address("anna");
    let bench = Bench::of_games().with("PGPASSWORD", SECRET);
    let run = bench.run(&["games.pgn", "--store", &address, "--output", "out"]).ended_with(0);
    assert!(!run.stdout.contains(SECRET) && !run.stderr.contains(SECRET));
    for (name, bytes) in bench.files("out") {
        assert!(!String::from_utf8_lossy(&bytes).contains(SECRET), "{name}");
    }
    let log = std::fs::read_to_string(server.folder().join("log")).expect("the server's log");
    assert!(!log.contains(SECRET), "the server's log");
    let wrong = Bench::of_games().with("PGPASSWORD", "another");
    let run = wrong
        .run(&["games.pgn", "--store", &address])
        .ended_with(2)
        .said(&["password authentication failed"]);
    assert!(!run.stderr.contains("another"), "{}", run.stderr);
    let named = address.replace("anna@", &format!("anna:{SECRET}@"));
    let capitals = named.replace("postgres://", " POSTGRES://");
    let bare = format!("host=127.0.0.1 user=anna password={SECRET}");
    let slashed = named.replace("://", ":/");
    let unknown = format!("{address}?pass={SECRET}");
    for named in [&*named, &*capitals, &*slashed, &*bare, &*unknown] {
        let stores: [&[&str]; 6] = [
            &["games.pgn", "--store", named],
            &["store", "stats", named],
            &["store", "check", named],
            &["work", named],
            &["status", named],
            &["report", named, "games.pgn"],
        ];
        // Without a store in this place, the program cannot know that `pass` is a password.
        let others: [&[&str]; 2] = [&[named], &["status", &address, named]];
        let others = others.into_iter().filter(|_| named != unknown);
        for args in stores.into_iter().chain(others) {
            let run = bench.run(args).ended_with(2);
            assert!(!run.stderr.contains(SECRET), "{args:?}: {}", run.stderr);
        }
    }
    let left: Vec<String> = std::fs::read_dir(bench.path("."))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert!(
        !left.iter().any(|name| name.to_lowercase().contains("postgres")),
        "a file or a folder: {left:?}"
    );
}

/// Returns the arguments and the environment of a process and of each of its descendants.
fn shown_by_processes(root: u32) -> Vec<(String, String)> {
    let listed = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids: Vec<u32> = listed.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let read = |id: u32, what: &str| {
        let bytes = std::fs::read(format!("/proc/{id}/{what}")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).replace('\0', " ")
    };
    let parent = |id: u32| read(id, "stat").rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok();
    let mut family = vec![root];
    let mut place = 0;
    while let Some(&above) = family.get(place) {
        family.extend(ids.iter().filter(|&&id| parent(id) == Some(above)));
        place += 1;
    }
    family.into_iter().map(|id| (read(id, "cmdline"), read(id, "environ"))).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn no_password_is_in_the_list_of_processes_nor_given_to_an_engine() {
    const SECRET: &str = "aVerySecretWord";
    let Some(server) = Server::start() else { return };
    server.sql("games", &format!("CREATE ROLE anna LOGIN SUPERUSER PASSWORD '{SECRET}'"));
    server.end();
    server.rules("host all anna 127.0.0.1/32 scram-sha-256\nlocal all all trust\n");
    server.begin();
    let address = server.address("anna");
    let by_file = Bench::of_games().with_fault("slow").with("PGPASSFILE", "passwords");
    by_file.write("passwords", format!("*:*:*:anna:{SECRET}\n").as_bytes());
    let rights = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(by_file.path("passwords"), rights).expect("rights");
    let by_variable = Bench::of_games().with_fault("slow").with("PGPASSWORD", SECRET);
    for (bench, own) in [(by_file, 0), (by_variable, 1)] {
        server.sql("games", "DROP SCHEMA IF EXISTS gainalyze CASCADE");
        let args = ["games.pgn", "--store", &address, "--output", "out", "--jobs", "1"];
        let started = bench.start(&args);
        wait_for_a_segment(&server);
        let shown = shown_by_processes(started.id());
        assert!(shown.iter().any(|(arguments, _)| arguments.contains("scripted-engine")), "{shown:?}");
        for (arguments, _) in &shown {
            assert!(!arguments.contains(SECRET), "{arguments}");
        }
        // The program keeps the variable that the user has set. No engine gets it.
        let with = shown.iter().filter(|(_, environment)| environment.contains(SECRET)).count();
        assert_eq!(with, own, "{shown:?}");
        let activity =
            server.sql("games", "SELECT string_agg(query || application_name, ' ') FROM pg_stat_activity");
        assert!(!activity.contains(SECRET), "what the server shows of its work");
        Run::new(started.wait_with_output().expect("a process")).ended_with(0);
        assert!(!bench.text("out/run.json").contains(SECRET));
    }
}

#[test]
fn a_certificate_is_refused_unless_its_authority_is_named() {
    let Some(server) = Server::start() else { return };
    let made = std::process::Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", "key.pem", "-out", "certificate.pem"])
        .current_dir(server.folder())
        .output();
    let Ok(made) = made else { return };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    server.own("key.pem");
    server.configure("ssl = on\nssl_cert_file = '../certificate.pem'\nssl_key_file = '../key.pem'\n");
    server.end();
    server.begin();
    let address = server.address("postgres");
    let refused = said(&format!("{address}?sslmode=verify-full"), ServerAccess::Work);
    assert!(refused.contains("certificate"), "{refused}");
    let root = server.folder().join("certificate.pem").display().to_string();
    open(&format!("{address}?sslmode=verify-full&sslrootcert={root}"), ServerAccess::Work)
        .expect("a trusted server");
    let elsewhere = address.replace("127.0.0.1", "localhost");
    let refused = said(&format!("{elsewhere}?sslrootcert={root}"), ServerAccess::Work);
    assert!(refused.contains("certificate"), "the name is checked too: {refused}");
    assert!(
        said(&format!("{address}?sslrootcert=/no/such.pem"), ServerAccess::Work).contains("/no/such.pem")
    );
}

#[test]
fn each_role_has_the_rights_of_its_file_and_no_others() {
    let Some(server) = Server::start() else { return };
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/postgres");
    let grant = |file: &str| {
        // The user of the server may not read this folder.
        let text = std::fs::read_to_string(folder.join(file)).expect("a file");
        std::fs::write(server.folder().join(file), text).expect("a file");
        server.try_sql("postgres", "games", &["-f", file]).expect("roles");
    };
    grant("owner.sql");
    let bench = Bench::of_games();
    bench.run(&["store", "stats", &server.address("gainalyze_owner")]).ended_with(0);
    for file in ["worker.sql", "coordinator.sql", "reader.sql", "worker.sql", "reader.sql"] {
        grant(file);
    }
    server.sql(
        "games",
        "CREATE ROLE anna LOGIN IN ROLE gainalyze_worker; CREATE ROLE bert LOGIN IN ROLE gainalyze_reader",
    );
    let (worker, reader) = (server.address("anna"), server.address("bert"));
    let run = |address: &str| bench.run(&["games.pgn", "--store", address, "--output", "out", "--force"]);
    run(&reader).ended_with(1).said(&["the store is read-only"]);
    run(&worker).ended_with(0);
    run(&reader).ended_with(0);
    bench.run(&["store", "check", &reader]).ended_with(0);
    bench
        .run(&["store", "prune", &worker, "--depth", "20"])
        .ended_with(2)
        .said(&["this user lacks a permission"]);
    for (user, statement) in [
        ("bert", "INSERT INTO gainalyze.set_aside (reason, content) VALUES ('x', '{}')"),
        ("bert", "UPDATE gainalyze.segments SET seal = seal"),
        ("bert", "SELECT gainalyze.put_aside(key, origin, 'x') FROM gainalyze.segments"),
        ("anna", "DROP TABLE gainalyze.segments"),
        ("anna", "DELETE FROM gainalyze.segments"),
        ("anna", "UPDATE gainalyze.segments SET seal = seal"),
        ("anna", "UPDATE gainalyze.origins SET lines = 2"),
        ("anna", "DELETE FROM gainalyze.set_aside"),
        ("anna", "DELETE FROM gainalyze.workers"),
        ("anna", "UPDATE gainalyze.workers SET lease = '1 s'"),
        ("anna", "UPDATE gainalyze.tasks SET moves = ''"),
        ("anna", "INSERT INTO gainalyze.tasks (positions) VALUES (1)"),
        ("anna", "DELETE FROM gainalyze.work_done"),
        ("anna", "DELETE FROM gainalyze.failures"),
        ("anna", "UPDATE gainalyze.runs SET priority = 9"),
        ("anna", "TRUNCATE gainalyze.segments"),
        ("anna", "CREATE TABLE gainalyze.mine (i int)"),
        ("anna", "UPDATE gainalyze.versions SET version = 9"),
    ] {
        let said = server.try_sql(user, "games", &["-c", statement]).expect_err(statement);
        assert!(said.contains("permission denied") || said.contains("must be owner"), "{statement}: {said}");
    }
    // A worker sets damaged segments aside, and searches them again.
    server.sql("games", "UPDATE gainalyze.segments SET cp[1] = 7777 WHERE moves = 'f2f3 e7e5 g2g4 d8h4'");
    run(&worker).ended_with(0).said(&["damaged"]);
    assert_eq!(server.sql("games", "SELECT count(*) FROM gainalyze.set_aside"), "1");
    // The owner restores segments that a worker set aside without a reason.
    let kept =
        server.sql("games", "SELECT md5(string_agg(s::text, ',' ORDER BY key)) FROM gainalyze.segments s");
    server.sql("games", "DELETE FROM gainalyze.set_aside");
    let aside = ["-c", "SELECT gainalyze.put_aside(key, origin, 'x') FROM gainalyze.segments"];
    server.try_sql("anna", "games", &aside).expect("a worker's right");
    assert_eq!(server.sql("games", "SELECT count(*) FROM gainalyze.segments"), "0");
    server
        .try_sql("gainalyze_owner", "games", &["-c", &in_docs("INSERT INTO gainalyze.segments")])
        .expect("rights");
    let back =
        server.sql("games", "SELECT md5(string_agg(s::text, ',' ORDER BY key)) FROM gainalyze.segments s");
    assert_eq!(kept, back);
    // Workers and coordinators have all rights that a queue needs.
    server.sql("games", "CREATE ROLE carla LOGIN IN ROLE gainalyze_coordinator");
    let queued =
        ["games.pgn", "--depth", "3", "--queue", "--store", &server.address("carla"), "--output", "queued"];
    let run = bench.start(&queued);
    let worker = bench.start(&["work", &worker, "--jobs", "1"]);
    Run::new(run.wait_with_output().expect("a process")).ended_with(0);
    let stopped = std::process::Command::new("kill").args(["-INT", &worker.id().to_string()]).status();
    assert!(stopped.expect("kill").success());
    Run::new(worker.wait_with_output().expect("a process")).ended_with(130);
    bench.run(&["status", &server.address("carla"), "--retry"]).ended_with(0);
    bench.run(&["store", "prune", &server.address("gainalyze_owner"), "--set-aside"]).ended_with(0);
}

#[test]
fn what_anybody_may_hold_or_write_stops_no_owner() {
    let Some(server) = Server::start() else { return };
    server.sql(
        "games",
        "CREATE ROLE mallory LOGIN; CREATE ROLE anna LOGIN; GRANT CREATE ON DATABASE games TO anna",
    );
    let holder = ["-c", "SELECT pg_advisory_lock(1734437230)", "-c", "SELECT pg_sleep(600)"];
    let (address, bench) = (server.address("anna"), Bench::of_games());
    std::thread::scope(|scope| {
        let held = scope.spawn(|| server.try_sql("mallory", "games", &holder));
        let is_held =
            || server.sql("games", "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == "1";
        while !is_held() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        // Several programs at once: one makes the tables, and the others find them.
        let makers: Vec<_> = (0..4).map(|_| bench.start(&["store", "stats", &address])).collect();
        for maker in makers {
            Run::new(maker.wait_with_output().expect("a process")).ended_with(0);
        }
        server
            .sql("games", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'mallory'");
        held.join().expect("a thread").expect_err("a session that is ended");
    });
}

#[test]
fn a_table_that_keeps_nothing_ends_a_run_with_a_sentence() {
    let Some(server) = Server::start() else { return };
    let (address, bench) = (server.address("postgres"), Bench::of_games());
    bench.run(&["store", "stats", &address]).ended_with(0);
    server.sql(
        "games",
        "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; \
         CREATE TRIGGER nothing BEFORE INSERT ON gainalyze.origins FOR EACH ROW EXECUTE FUNCTION nothing()",
    );
    let run = |address: &str| bench.run(&["games.pgn", "--store", address, "--output", "out"]);
    run(&address).ended_with(2).said(&["do not keep added rows"]);
    server.sql(
        "games",
        "DROP TRIGGER nothing ON gainalyze.origins; \
         CREATE RULE nothing AS ON INSERT TO gainalyze.origins DO INSTEAD NOTHING",
    );
    assert_eq!(run(&address).code, Some(2));
    server.sql(
        "games",
        "DROP RULE nothing ON gainalyze.origins; \
         CREATE TRIGGER nothing BEFORE INSERT ON gainalyze.segments FOR EACH ROW EXECUTE FUNCTION nothing()",
    );
    run(&address).ended_with(2).said(&["do not keep added rows"]);
    server.sql("games", "DROP TRIGGER nothing ON gainalyze.segments");
    run(&address).ended_with(0);
}

#[test]
fn a_time_to_wait_that_is_no_number_of_seconds_is_refused() {
    let Some(server) = Server::start() else { return };
    let address = server.address("postgres");
    for name in ["GAINALYZE_SERVER_TIMEOUT", "GAINALYZE_SERVER_PATIENCE"] {
        for value in ["abc", "-1", "18446744073709551615"] {
            let run = Bench::of_games().with(name, value).run(&["games.pgn", "--store", &address]);
            let fault =
                format!("the environment variable {name} is {value:?}, but it must be a number of seconds");
            run.ended_with(2).said(&[&fault]);
        }
    }
    let longest = Bench::of_games().with("GAINALYZE_SERVER_TIMEOUT", &u32::MAX.to_string());
    longest.run(&["games.pgn", "--store", &address]).ended_with(0);
}

#[test]
fn evaluations_that_an_earlier_run_kept_stay_and_are_offered() {
    let Some(server) = Server::start() else { return };
    let bench = Bench::of_games().with_fault("slow").with("GAINALYZE_SERVER_TIMEOUT", "1");
    let relay = Relay::before(&server, Mischief::Replace(Vec::new()));
    let address = relay.address("postgres");
    let kept = || {
        let files = std::fs::read_dir(bench.path(".")).expect("a folder").flatten();
        let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with("unsent") && name.ends_with(".sqlite")).collect::<Vec<_>>()
    };
    let search =
        ["games.pgn", "--store", &address, "--segment", "1", "--jobs", "1", "--output", "out", "--force"];
    let mut earlier = Vec::new();
    for number in 1..=2 {
        // These searches differ from those before.
        let depth = ["--depth", if number == 1 { "3" } else { "4" }];
        let started = bench.start(&[&search[..], &depth].concat());
        if number == 1 {
            wait_for_a_segment(&server);
        } else {
            let deeper = "SELECT count(*) FROM gainalyze.origins WHERE search_limit = 'depth 4'";
            while server.sql("games", deeper) == "0" {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
        server.end();
        let said =
            String::from_utf8_lossy(&started.wait_with_output().expect("a process").stderr).into_owned();
        server.begin();
        assert!(said.contains("could not be stored"), "{said}");
        assert_eq!(
            said.contains("an earlier run could not store some of its evaluations"),
            number == 2,
            "{said}"
        );
        let now = kept();
        assert_eq!(now.len(), number, "each run has a file of its own: {now:?}");
        assert!(earlier.iter().all(|name| now.contains(name)), "{now:?}");
        earlier = now;
    }
    let merge =
        [&["store", "merge", &address][..], &earlier.iter().map(String::as_str).collect::<Vec<_>>()].concat();
    bench.run(&merge).ended_with(0);
    bench
        .run(&[&search[..], &["--depth", "3"]].concat())
        .ended_with(0)
        .said(&["an earlier run could not store some of its evaluations"]);
    assert_eq!(bench.run_json("out")["searches"]["made"], 0);
    assert_eq!(kept().len(), 2, "only who has made a file removes it");
}

/// Returns the statement in docs/cluster.md that begins with this text.
fn in_docs(words: &str) -> String {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cluster.md");
    let text = std::fs::read_to_string(docs).expect("a page");
    let place = text.find(words).expect("a statement");
    text[place..].split_once(';').expect("its end").0.to_owned()
}

/// Waits until a run has stored a segment.
fn wait_for_a_segment(server: &Server) {
    let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let stored =
        || server.try_sql("postgres", "games", &["-c", "SELECT count(*) > 0 FROM gainalyze.segments"]);
    while stored().as_deref() != Ok("t") {
        assert!(std::time::Instant::now() < until, "nothing is stored");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn a_run_that_loses_its_server_goes_on_and_stores_everything_when_it_is_back() {
    let Some(server) = Server::start() else { return };
    let bench = Bench::of_games().with_fault("slow");
    let address = server.address("postgres");
    let started =
        bench.start(&["games.pgn", "--store", &address, "--output", "out", "--segment", "1", "--jobs", "1"]);
    wait_for_a_segment(&server);
    server.end();
    std::thread::sleep(std::time::Duration::from_millis(700));
    server.begin();
    let output = started.wait_with_output().expect("a process");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("trying again in") && said.contains("connected again"), "{said}");
    let made = bench.run_json("out")["searches"]["made"].as_u64().expect("a number");
    let stored = server.sql("games", "SELECT count(*) FROM gainalyze.segments");
    assert_eq!(stored, made.to_string(), "{said}");
    let left = std::fs::read_dir(bench.path(".")).expect("a folder").flatten();
    assert!(left.into_iter().all(|file| !file.file_name().to_string_lossy().starts_with("unsent")));
}

#[test]
fn what_cannot_be_stored_is_kept_in_a_file_that_a_merge_adds() {
    let Some(server) = Server::start() else { return };
    let bench = Bench::of_games().with_fault("slow").with("GAINALYZE_SERVER_TIMEOUT", "1");
    let address = server.address("postgres");
    let started =
        bench.start(&["games.pgn", "--store", &address, "--output", "out", "--segment", "1", "--jobs", "1"]);
    wait_for_a_segment(&server);
    server.end();
    let output = started.wait_with_output().expect("a process");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    server.begin();
    let left = std::fs::read_dir(bench.path(".")).expect("a folder").flatten();
    let mut kept = left.map(|file| file.file_name().to_string_lossy().into_owned());
    let kept = kept
        .find(|name| name.starts_with("unsent") && name.ends_with(".sqlite"))
        .unwrap_or_else(|| panic!("{said}"));
    bench.run(&["store", "merge", &address, &kept]).ended_with(0);
    let again =
        bench.run(&["games.pgn", "--store", &address, "--segment", "1", "--output", "again"]).ended_with(0);
    assert_eq!(bench.run_json("again")["searches"]["made"], 0, "{} {said}", again.stderr);
}

#[test]
fn a_connection_that_is_lost_in_mid_commit_stores_a_segment_once() {
    let Some(server) = Server::start() else { return };
    let bench = Bench::of_games();
    let search = ["games.pgn", "--segment", "2", "--jobs", "1", "--store"];
    bench.run(&[&search[..], &["one.sqlite", "--output", "whole"]].concat()).ended_with(0);
    bench.run(&["store", "stats", &server.address("postgres")]).ended_with(0);
    let (asked, answered) = ("INSERT INTO gainalyze.segments", "SELECT 1\0");
    let relay = Relay::before(&server, Mischief::Cut { asked, answered, times: 4 });
    let run = bench.run(&[&search[..], &[&*relay.address("postgres"), "--output", "cut"]].concat());
    let run = run.ended_with(0).said(&["the connection was lost", "trying again in", "connected again"]);
    assert_eq!(relay.cuts(), 4, "{}", run.stderr);
    assert_eq!(report(&bench, "whole"), report(&bench, "cut"));
    let exported = |store: &str, to: &str| {
        bench.run(&["store", "export", store, to]).ended_with(0);
        bench.text(to)
    };
    let rows = exported("one.sqlite", "one.csv");
    assert_eq!(rows, exported(&server.address("postgres"), "server.csv"), "nothing lost, nothing twice");
}
