//! [`Address`]: location and user of a PostgreSQL server, from the user's text and libpq's other sources.

use std::{collections::BTreeMap, fmt, net::IpAddr, path::Path, path::PathBuf, time::Duration};

use percent_encoding::percent_decode_str;
use tokio_postgres::{Config, config::Host, config::SslMode};

use super::{PostgresError, Result, secrets::Environment};
use crate::base::{address::SCHEMES, address::has_password, variable::VariableError};

const TIMEOUT: Duration = Duration::from_secs(10);

/// Location and user of a server. Its displayed form never contains a password.
#[derive(Clone)]
pub struct Address {
    pub(super) config: Config,
    pub(super) authorities: Authorities,
    shown: String,
}

/// The certificate authorities by which a server is verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Authorities {
    /// No authority: the connection is not encrypted, so there is no certificate.
    Nobody,
    System,
    In(PathBuf),
}

impl Address {
    /// Parses `postgres://USER@HOST:PORT/DATABASE`. Completes it like libpq from the environment, a service
    /// file and a password file. An address with a password is rejected.
    pub fn parse(text: &str) -> Result<Address> {
        Address::parse_in(text, &Environment::own())
    }

    fn parse_in(text: &str, around: &Environment) -> Result<Address> {
        if has_password(text) {
            return Err(PostgresError::PasswordInAddress);
        }
        let (text, mut ours) = without_our_parameters(&in_small_letters(text)?)?;
        let parsed = |text: &str| text.parse::<Config>().map_err(|error| refused(&error));
        // The parameter's name may be percent-encoded.
        if parsed(&text)?.get_password().is_some() {
            return Err(PostgresError::PasswordInAddress);
        }
        let service = ours.remove("service").or_else(|| around.variable("PGSERVICE"));
        let mut given = service.map(|service| around.service(&service)).transpose()?.unwrap_or_default();
        given.extend(ours);
        let settings = Settings { given, around };
        let port = settings.get("port", "PGPORT").map(|port| port.parse());
        let port =
            port.transpose().map_err(|_| settings.invalid("port", "PGPORT", "a number up to 65535"))?;
        let mut config = parsed(&port.map_or(text.clone(), |port| with_port(&text, port)))?;
        complete(&mut config, port, &settings)?;
        let authorities = authorities(&config, &settings)?;
        config.ssl_mode(match authorities {
            Authorities::Nobody => SslMode::Disable,
            Authorities::System | Authorities::In(_) => SslMode::Require,
        });
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(TIMEOUT);
        }
        config.keepalives_idle(Duration::from_secs(30));
        config.application_name(concat!("gainalyze ", env!("CARGO_PKG_VERSION")));
        let shown = shown(&config);
        Ok(Address { config, authorities, shown })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Address").field(&self.shown).finish()
    }
}

fn address_error(reason: impl Into<String>) -> PostgresError {
    PostgresError::Address(reason.into())
}

/// Returns an address in the form that the driver accepts: trimmed, with its scheme in lower case.
fn in_small_letters(text: &str) -> Result<String> {
    let (scheme, rest) = text.trim().split_once("://").unwrap_or_default();
    match SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        true => Ok(format!("{}://{rest}", scheme.to_ascii_lowercase())),
        false => Err(address_error("it does not begin with postgres://")),
    }
}

/// Returns an error without any part of the address, because any part may contain a password.
fn refused(error: &tokio_postgres::Error) -> PostgresError {
    let cause = std::error::Error::source(error).map_or_else(String::new, ToString::to_string);
    address_error(match cause.split_once('`') {
        Some((what, _)) => what.trim().to_owned(),
        None => cause,
    })
}

/// Parameters of an address that libpq supports but the driver does not, or not fully.
const OURS: [&str; 3] = ["service", "sslmode", "sslrootcert"];

/// Returns the address without the parameters [`OURS`], and the values of these parameters.
fn without_our_parameters(text: &str) -> Result<(String, BTreeMap<String, String>)> {
    let Some((place, parameters)) = text.split_once('?') else {
        return Ok((text.to_owned(), BTreeMap::new()));
    };
    let (mut ours, mut others) = (BTreeMap::new(), Vec::new());
    for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
        match parameter.split_once('=') {
            Some((name, value)) if OURS.contains(&name) => {
                let value =
                    percent_decode_str(value).decode_utf8().map_err(|_| address_error("it is not UTF-8"))?;
                ours.insert(name.to_owned(), value.into_owned());
            }
            _ => others.push(parameter),
        }
    }
    let rest = if others.is_empty() { String::new() } else { format!("?{}", others.join("&")) };
    Ok((format!("{place}{rest}"), ours))
}

/// The settings of an address and its service. A setting that both lack is read from the environment.
struct Settings<'e> {
    given: BTreeMap<String, String>,
    around: &'e Environment,
}

impl Settings<'_> {
    fn get(&self, name: &str, variable: &str) -> Option<String> {
        self.given.get(name).cloned().or_else(|| self.around.variable(variable))
    }

    /// Returns the error of an invalid setting. The error shows a value from the environment. It shows no
    /// value from an address, because any part of an address could contain a password.
    fn invalid(&self, name: &str, variable: &'static str, accepted: &str) -> PostgresError {
        match self.around.variable(variable).filter(|_| !self.given.contains_key(name)) {
            Some(value) => VariableError { name: variable, value, accepted: accepted.to_owned() }.into(),
            None => address_error(format!("{name} must be {accepted}")),
        }
    }
}

/// Adds a port to all hosts of an address, unless one of them has a port. Without this change, the driver
/// would set port 5432 and ignore a port that is set later.
fn with_port(text: &str, port: u16) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or_default();
    let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let hosts = authority.rsplit_once('@').map_or(authority, |(_, hosts)| hosts);
    // The colons of an IPv6 address are in brackets.
    let has_port = |host: &str| host.rsplit(']').next().is_some_and(|after| after.contains(':'));
    if hosts.is_empty() || hosts.split(',').any(has_port) {
        return text.to_owned();
    }
    format!("{scheme}://{}:{port}{rest}", authority.replace(',', &format!(":{port},")))
}

/// Adds missing parts of the address: from its service, else from the environment, else libpq's defaults.
fn complete(config: &mut Config, port: Option<u16>, settings: &Settings) -> Result<()> {
    let told = |name, variable| settings.get(name, variable);
    if config.get_hosts().is_empty()
        && let Some(hosts) = told("host", "PGHOST")
    {
        hosts.split(',').for_each(|host| _ = config.host(host));
    }
    if config.get_hostaddrs().is_empty()
        && let Some(numbers) = told("hostaddr", "PGHOSTADDR")
    {
        for number in numbers.split(',') {
            let number = number.trim().parse();
            config.hostaddr(number.map_err(|_| settings.invalid("hostaddr", "PGHOSTADDR", "an IP address"))?);
        }
    }
    name_hosts(config)?;
    if let Some(port) = port.filter(|_| config.get_ports().is_empty()) {
        config.port(port);
    }
    if config.get_user().is_none()
        && let Some(user) = told("user", "PGUSER").or_else(|| settings.around.variable("USER"))
    {
        config.user(user);
    }
    if config.get_dbname().is_none()
        && let Some(database) = told("dbname", "PGDATABASE")
    {
        config.dbname(database);
    }
    let of_file = || settings.around.password(told("passfile", "PGPASSFILE"), &places(config));
    if let Some(password) = told("password", "PGPASSWORD").or_else(of_file) {
        config.password(password);
    }
    Ok(())
}

/// The socket folder of Debian's servers. Debian's libpq uses it as the default.
const SOCKET: &str = "/var/run/postgresql";

/// Gives each server a name. A server that has only an IP address is named by that address, and its
/// certificate must be for that address. If there is no server, adds this machine.
fn name_hosts(config: &mut Config) -> Result<()> {
    let numbers = config.get_hostaddrs().to_vec();
    match (config.get_hosts().len(), numbers.len()) {
        (0, 0) if Path::new(SOCKET).is_dir() => _ = config.host(SOCKET),
        (0, 0) => _ = config.host("localhost"),
        (0, _) => numbers.iter().for_each(|number| _ = config.host(number.to_string())),
        (hosts, numbers) if numbers > 0 && numbers != hosts => {
            return Err(address_error(format!(
                "the number of hosts ({hosts}) differs from the number of addresses in hostaddr ({numbers}); write one \
                 address for each host",
            )));
        }
        _ => {}
    }
    Ok(())
}

/// Returns for each server the first four fields of a line in a password file: host, port, database and user.
fn places(config: &Config) -> Vec<[String; 4]> {
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    let ports = config.get_ports();
    let place = |(place, host): (usize, &Host)| {
        let host = match host {
            Host::Tcp(host) => host.clone(),
            #[cfg(unix)]
            Host::Unix(path) if path == Path::new(SOCKET) => "localhost".to_owned(),
            #[cfg(unix)]
            Host::Unix(path) => path.to_string_lossy().into_owned(),
        };
        let port = ports.get(place).or(ports.first()).copied().unwrap_or(5432);
        [host, port.to_string(), database.to_owned(), user.to_owned()]
    };
    config.get_hosts().iter().enumerate().map(place).collect()
}

/// Returns the trusted authorities; `Nobody` for a connection without encryption. By default, only
/// connections to this machine are not encrypted.
fn authorities(config: &Config, settings: &Settings) -> Result<Authorities> {
    let root = match settings.get("sslrootcert", "PGSSLROOTCERT") {
        Some(name) if name == "system" => Some(Authorities::System),
        Some(path) => Some(Authorities::In(PathBuf::from(path))),
        None => None,
    };
    match settings.get("sslmode", "PGSSLMODE").as_deref() {
        Some("disable") => Ok(Authorities::Nobody),
        Some("require" | "verify-ca" | "verify-full") => Ok(root.unwrap_or(Authorities::System)),
        Some("allow" | "prefer") | None if is_this_machine(config) => Ok(root.unwrap_or(Authorities::Nobody)),
        None => Ok(root.unwrap_or(Authorities::System)),
        Some(_) => Err(settings.invalid(
            "sslmode",
            "PGSSLMODE",
            "verify-full, which encrypts and checks the certificate, or disable, which does neither",
        )),
    }
}

/// Returns whether all servers are this machine. If `config` has the servers' IP addresses, the addresses
/// decide; otherwise the names.
fn is_this_machine(config: &Config) -> bool {
    match config.get_hostaddrs() {
        [] => config.get_hosts().iter().all(|host| match host {
            Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback()),
            #[cfg(unix)]
            Host::Unix(_) => true,
        }),
        numbers => numbers.iter().all(IpAddr::is_loopback),
    }
}

/// Returns an equivalent address without passwords and certificates.
fn shown(config: &Config) -> String {
    let host = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.to_string_lossy().replace('/', "%2F"),
    };
    let ports = config.get_ports();
    let port =
        |place: usize| ports.get(place).or(ports.first()).map(|port| format!(":{port}")).unwrap_or_default();
    let hosts: Vec<String> = config.get_hosts().iter().map(host).collect();
    let numbers: Vec<String> = config.get_hostaddrs().iter().map(ToString::to_string).collect();
    let number = match numbers.is_empty() || numbers == hosts {
        true => String::new(),
        false => format!("?hostaddr={}", numbers.join(",")),
    };
    let hosts: Vec<String> =
        hosts.iter().enumerate().map(|(place, host)| format!("{host}{}", port(place))).collect();
    let user = config.get_user().map(|user| format!("{user}@")).unwrap_or_default();
    let database = config.get_dbname().or(config.get_user()).unwrap_or_default();
    format!("postgres://{user}{}/{database}{number}", hosts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, variables: &[(&str, &str)]) -> Result<Address> {
        Address::parse_in(text, &Environment::of(variables))
    }

    #[test]
    fn an_address_is_completed_by_the_environment_and_shown_without_its_password() {
        let around = [("PGPASSWORD", "secret"), ("PGUSER", "anna"), ("PGDATABASE", "games")];
        let found = parse("postgres://chess.example:5433", &around).expect("an address");
        assert_eq!(found.to_string(), "postgres://anna@chess.example:5433/games");
        assert_eq!(found.config.get_password(), Some(&b"secret"[..]));
        assert!(!format!("{found:?} {found}").contains("secret"));
    }

    #[test]
    fn a_port_of_the_environment_is_that_of_hosts_without_one() {
        let of =
            |text: &str| parse(text, &[("PGPORT", "6000"), ("PGUSER", "a")]).map(|found| found.to_string());
        for (text, meant) in [
            ("postgres://b@chess.example/d", "postgres://b@chess.example:6000/d"),
            ("postgres://chess.example", "postgres://a@chess.example:6000/a"),
            ("postgres://chess.example:7000/d", "postgres://a@chess.example:7000/d"),
            ("postgres://one,two/d?sslmode=disable", "postgres://a@one:6000,two:6000/d"),
            ("postgres://one:7000,two:7001/d", "postgres://a@one:7000,two:7001/d"),
            ("postgres://[::1]/d", "postgres://a@::1:6000/d"),
            ("postgres:///d?host=chess.example", "postgres://a@chess.example:6000/d"),
        ] {
            assert_eq!(of(text).expect("an address"), meant, "{text}");
        }
    }

    #[test]
    fn an_address_with_a_password_is_refused_and_not_repeated() {
        for text in [
            "postgres://anna:secret@host/db",
            "postgres://host/db?password=secret",
            "postgres://a:secret@h:x/d",
            "postgres://a:12/secret@h/d",
            "postgres://a%3Asecret@h/d",
            "postgres://h/d?p%61ssword=secret",
            "postgres:/a:secret@h/d",
        ] {
            let error = parse(text, &[]).expect_err("a password").to_string();
            assert!(!error.contains("secret"), "{error}");
        }
        let error =
            parse("postgres://host/db?colour=secret", &[]).expect_err("no such parameter").to_string();
        assert!(error.contains("unknown option") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn a_certificate_is_checked_unless_the_server_is_this_machine_or_the_user_says_otherwise() {
        let of = |text: &str| parse(text, &[("HOME", "/nowhere")]).map(|address| address.authorities);
        assert_eq!(of("postgres://a@chess.example/d").ok(), Some(Authorities::System));
        assert_eq!(of("postgres://a@127.0.0.1/d").ok(), Some(Authorities::Nobody));
        assert_eq!(of("postgres://a@%2Ftmp%2Fx/d").ok(), Some(Authorities::Nobody));
        assert_eq!(of("postgres://a@chess.example/d?sslmode=disable").ok(), Some(Authorities::Nobody));
        assert_eq!(
            of("postgres://a@127.0.0.1/d?sslmode=verify-full&sslrootcert=%2Fa%20b.pem").ok(),
            Some(Authorities::In(PathBuf::from("/a b.pem")))
        );
        assert!(of("postgres://a@chess.example/d?sslmode=prefer").is_err());
    }

    #[test]
    fn a_number_decides_which_server_is_asked_and_whether_it_is_this_machine() {
        let foreign = Authorities::System;
        for (text, variables, shown, authorities) in [
            ("postgres:///d?user=a&hostaddr=192.0.2.1", &[][..], "postgres://a@192.0.2.1/d", &foreign),
            (
                "postgres://a@localhost/d?hostaddr=192.0.2.1",
                &[],
                "postgres://a@localhost:5432/d?hostaddr=192.0.2.1",
                &foreign,
            ),
            (
                "postgres://a@localhost/d",
                &[("PGHOSTADDR", "192.0.2.1")],
                "postgres://a@localhost:5432/d?hostaddr=192.0.2.1",
                &foreign,
            ),
            (
                "postgres:///d?user=a",
                &[("PGHOSTADDR", "192.0.2.1"), ("PGHOST", "/tmp")],
                "postgres://a@%2Ftmp/d?hostaddr=192.0.2.1",
                &foreign,
            ),
            (
                "postgres://a@one,two/d?hostaddr=127.0.0.1,192.0.2.1",
                &[],
                "postgres://a@one:5432,two:5432/d?hostaddr=127.0.0.1,192.0.2.1",
                &foreign,
            ),
            (
                "postgres://a@chess.example/d?hostaddr=127.0.0.1",
                &[],
                "postgres://a@chess.example:5432/d?hostaddr=127.0.0.1",
                &Authorities::Nobody,
            ),
        ] {
            let found = parse(text, variables).expect("an address");
            assert_eq!((found.to_string().as_str(), &found.authorities), (shown, authorities), "{text}");
        }
        let error = parse("postgres://one,two/d", &[("PGHOSTADDR", "192.0.2.1")]).expect_err("one number");
        assert!(error.to_string().contains("hostaddr"), "{error}");
    }

    #[test]
    fn an_invalid_variable_is_named_with_its_value_and_the_accepted_ones() {
        for (name, value, accepted) in [
            ("PGPORT", "60000000", "a number up to 65535"),
            ("PGHOSTADDR", "192.0.2", "an IP address"),
            ("PGSSLMODE", "on", "verify-full"),
        ] {
            let around = [(name, value), ("PGPASSWORD", "secret")];
            let error = parse("postgres://chess.example/d", &around).expect_err("an invalid variable");
            let error = error.to_string();
            let expected = format!("the environment variable {name} is {value:?}, but it must be {accepted}");
            assert!(error.starts_with(&expected) && !error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_service_and_a_file_of_passwords_name_a_server() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file");
            #[cfg(unix)]
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600))
                .expect("rights");
            path.to_string_lossy().into_owned()
        };
        let service = write(
            "services",
            "[chess]\nhost=chess.example\nport=5433\nuser=anna\ndbname=games\n[number]\nhostaddr=192.0.2.1\nhost=localhost\n",
        );
        let passwords = write("passwords", "chess.example:5433:games:anna:secret\n");
        let around = [("PGSERVICEFILE", &*service), ("PGPASSFILE", &*passwords)];
        let found = parse("postgres://?service=chess", &around).expect("an address");
        assert_eq!(found.to_string(), "postgres://anna@chess.example:5433/games");
        assert_eq!(found.config.get_password(), Some(&b"secret"[..]));
        let found = parse("postgres://bert@other.example/games?service=chess", &around).expect("an address");
        assert_eq!(
            found.to_string(),
            "postgres://bert@other.example:5433/games",
            "the rest is the service's"
        );
        let found = parse("postgres://a@/d?service=number", &around).expect("an address");
        assert_eq!(
            (found.to_string().as_str(), found.authorities),
            ("postgres://a@localhost/d?hostaddr=192.0.2.1", Authorities::System)
        );
        // One server's password is not sent to another, whatever their names.
        for other in [
            "postgres://anna@chess.example:5433,other:5433/games",
            "postgres://anna@/games?port=5433&hostaddr=192.0.2.1",
        ] {
            assert_eq!(parse(other, &around).expect("an address").config.get_password(), None, "{other}");
        }
        let error = parse("postgres://?service=other", &around).expect_err("no such service").to_string();
        assert!(error.contains("\"other\"") && error.contains("not found in "), "{error}");
    }
}
