//! libpq's other sources for a server's address: environment, service files and password files.

use std::{collections::BTreeMap, env, fs, path::PathBuf};

use super::{PostgresError, Result};

type Variable = dyn Fn(&str) -> Option<String>;

pub(super) struct Environment(Box<Variable>);

impl Environment {
    pub fn own() -> Environment {
        Environment(Box::new(|name| {
            let value = env::var_os(name).map(|value| value.to_string_lossy().into_owned());
            value.filter(|value| !value.is_empty())
        }))
    }

    #[cfg(test)]
    pub fn of(variables: &[(&str, &str)]) -> Environment {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let variables: BTreeMap<String, String> = variables.iter().map(owned).collect();
        Environment(Box::new(move |name| variables.get(name).cloned()))
    }

    pub fn variable(&self, name: &str) -> Option<String> {
        (self.0)(name)
    }

    pub fn of_home(&self, name: &str) -> Option<PathBuf> {
        self.variable("HOME")
            .or_else(|| self.variable("USERPROFILE"))
            .map(|home| PathBuf::from(home).join(name))
    }

    /// Returns the settings of a service: the lines `key=value` of its section in a service file.
    pub fn service(&self, service: &str) -> Result<BTreeMap<String, String>> {
        let refused = |reason: String| PostgresError::Service(service.to_owned(), reason);
        let named = self.variable("PGSERVICEFILE").map(PathBuf::from);
        let path = named.or_else(|| self.of_home(".pg_service.conf"));
        let path =
            path.ok_or_else(|| refused("there is no home directory for .pg_service.conf".to_owned()))?;
        let text =
            fs::read_to_string(&path).map_err(|error| refused(format!("{}: {error}", path.display())))?;
        section(&text, service).ok_or_else(|| refused(format!("not found in {}", path.display())))
    }

    /// Returns the password that a password file has for all of these servers. `None` if the file lacks the
    /// password of a server, or has different passwords. Also `None` if the file is missing, is not a regular
    /// file, or can be read by other users.
    pub fn password(&self, named: Option<String>, places: &[[String; 4]]) -> Option<String> {
        let path = named.map(PathBuf::from).or_else(|| self.of_home(".pgpass"))?;
        if !fs::metadata(&path).is_ok_and(|found| found.is_file() && !is_open_to_others(&found)) {
            return None;
        }
        let text = fs::read_to_string(path).ok()?;
        let mut passwords: Vec<String> =
            places.iter().map(|place| password(&text, place)).collect::<Option<_>>()?;
        passwords.dedup();
        passwords.pop().filter(|_| passwords.is_empty())
    }
}

#[cfg(unix)]
fn is_open_to_others(file: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.permissions().mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn is_open_to_others(_file: &fs::Metadata) -> bool {
    false
}

fn section(text: &str, name: &str) -> Option<BTreeMap<String, String>> {
    let heading = format!("[{name}]");
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != heading);
    lines.next()?;
    let own = lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#'));
    let pair = |line: &str| {
        line.split_once('=').map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
    };
    Some(own.filter_map(pair).collect())
}

/// Returns the password of the first matching line `host:port:database:user:password`, where `*` matches
/// everything.
fn password(text: &str, place: &[String; 4]) -> Option<String> {
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let [host, port, database, user, password] = fields(line)?;
        let fits =
            [host, port, database, user].iter().zip(place).all(|(has, wanted)| has == "*" || has == wanted);
        fits.then_some(password)
    })
}

/// Splits a line into five fields at its first four colons, not counting colons after a backslash; `None` for
/// fewer fields.
fn fields(line: &str) -> Option<[String; 5]> {
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => fields.last_mut()?.extend(letters.next()),
            ':' if fields.len() < 5 => fields.push(String::new()),
            letter => fields.last_mut()?.push(letter),
        }
    }
    fields.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_passwords_gives_that_of_the_first_line_that_fits() {
        let place = |host: &str| [host, "5432", "games", "anna"].map(str::to_owned);
        let text = "# mine\nchess:5432:*:anna:one\\:two\n*:*:*:*:three:four\n";
        assert_eq!(password(text, &place("chess")).as_deref(), Some("one:two"));
        assert_eq!(password(text, &place("other")).as_deref(), Some("three:four"));
        assert_eq!(password("chess:5432:games:bert:x", &place("chess")), None);
    }

    #[test]
    fn a_service_is_a_section_of_its_file() {
        let text = "[a]\nhost=one\n# host=two\n[b]\nhost = three\nport=5433\n";
        let found = section(text, "b").expect("a section");
        assert_eq!((found["host"].as_str(), found["port"].as_str()), ("three", "5433"));
        assert_eq!(section(text, "a").expect("a section").len(), 1);
        assert_eq!(section(text, "c"), None);
    }
}
