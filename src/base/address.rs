//! Names of stores: the path of a file, or the address (without a password) of a server.

use std::path::Path;

use percent_encoding::percent_decode_str;

pub(crate) const SCHEMES: [&str; 2] = ["postgres", "postgresql"];

/// The reason why an address with a password is rejected.
#[cfg(any(feature = "program", feature = "postgres"))]
pub(crate) const PASSWORD_IN_ADDRESS: &str = "the address contains a password, which every user of this \
                                              machine could read; put it into PGPASSWORD, ~/.pgpass or a \
                                              service file";

/// Returns the address if the user names a server instead of a file. Text that looks like an address is never
/// used as a file name, because it could contain a password.
pub(crate) fn server_address(path: &Path) -> Option<String> {
    let text = path.to_string_lossy();
    let is_meant = text.contains("://") || after_scheme(&text).is_some_and(|rest| rest.starts_with(':'));
    (is_meant || has_password(&text)).then(|| text.into_owned())
}

/// Returns whether the user names a server instead of a file.
pub fn is_on_server(path: &Path) -> bool {
    server_address(path).is_some()
}

/// Returns whether a word of a command line, or an option's value, contains the password of a server. The
/// password can be in an address, or in libpq's form without an address (`host=… password=…`).
#[cfg(feature = "program")]
pub(crate) fn is_secret(word: &str) -> bool {
    let value = word.strip_prefix('-').and_then(|option| option.split_once('='));
    has_password(word) || value.is_some_and(|(_, value)| has_password(value))
}

/// Returns whether an address has a password, even if the address is misspelled.
pub(crate) fn has_password(text: &str) -> bool {
    let decoded = percent_decode_str(text).decode_utf8_lossy();
    is_with_password(text) || is_with_password(&decoded)
}

fn is_with_password(text: &str) -> bool {
    let close: String = text.to_ascii_lowercase().split_whitespace().collect();
    let is_named = close.contains("password=");
    let rest = match (close.split_once("://"), after_scheme(&close)) {
        (Some((_, rest)), _) => rest,
        (None, Some(rest)) => rest.trim_start_matches(':'),
        (None, None) => return is_named && PLACES.iter().any(|place| close.contains(place)),
    };
    // Everything before the last `@` belongs to the user and password, even a slash.
    let (place, _) = rest.split_once('?').unwrap_or((rest, ""));
    is_named || place.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'))
}

/// The keys that locate a server in a connection string of the form `host=… password=…`.
const PLACES: [&str; 5] = ["host=", "hostaddr=", "dbname=", "user=", "service="];

/// Returns the text after the scheme of an address, whose case is ignored; `None` without a known scheme.
fn after_scheme(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let end = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (scheme, rest) = text.split_at(end);
    SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)).then_some(rest)
}

#[cfg(all(test, feature = "program"))]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_no_file_however_it_is_misspelled() {
        for text in [
            "postgres://anna@db/games",
            "POSTGRES://anna:s3cret@db/games",
            "  postgresql://anna@db/games",
            "Postgres:/anna:s3cret@db/games",
            "postgres:anna@db/games",
            "postgres//anna:s3cret@db/games",
            "jdbc:postgresql://anna:s3cret@db/games",
            "postgresql+psycopg2://anna:s3cret@db/games",
            "host=db user=anna password = s3cret dbname=games",
        ] {
            assert!(is_on_server(Path::new(text)), "{text}");
        }
        for text in [
            "evaluations.sqlite",
            "postgres",
            "postgres.sqlite",
            "./postgres:/x",
            "by/host=a/1.sqlite",
            "postgresdb:x@y",
        ] {
            assert!(!is_on_server(Path::new(text)), "{text}");
        }
    }

    #[test]
    fn a_password_is_found_wherever_its_writer_has_put_it() {
        for text in [
            "postgres://anna:s3cret@db/games",
            "postgres://anna:s3/cret@db/games",
            "postgres://anna:12/cret@db/games",
            "postgres://anna:s3@cret@db/games",
            "postgres://anna%3As3cret@db/games",
            "postgres://:s3cret@db/games",
            "postgres:/anna:s3cret@db/games",
            "PostgreSQL//anna:s3cret@db/games",
            "postgres://db/games?password=s3cret",
            "postgres://db/games?user=anna&PASSWORD=s3cret",
            "postgres://db/games?p%61ssword=s3cret",
            "--store=POSTGRES:anna:s3cret@db/games",
            "dbname=games password=s3cret",
        ] {
            assert!(is_secret(text), "{text}");
        }
        for text in [
            "postgres://anna@db:5432/games",
            "postgres://db:5432/games?user=anna@chess",
            "postgres://anna@[::1]:5432/games",
            "--engine-option=Password=x",
            "c:/games@home.pgn",
            "postgres:5432/games",
            "games.pgn",
        ] {
            assert!(!is_secret(text), "{text}");
        }
    }
}
