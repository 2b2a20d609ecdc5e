//! [`Aliases`]: a map from alternative names of players to their main names.

use std::{
    collections::HashMap, collections::HashSet, sync::Arc, sync::atomic::AtomicBool, sync::atomic::Ordering,
};

use thiserror::Error;

use crate::base::text::{brief, folded_name};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
// The aliases with their main names, and the set of main names, which are looked up for each player.
pub struct Aliases(HashMap<String, Counting>, HashSet<String>);

#[derive(Debug, Clone)]
struct Counting {
    name: String,
    met: Arc<AtomicBool>,
}

impl PartialEq for Counting {
    fn eq(&self, other: &Counting) -> bool {
        self.name == other.name
    }
}

impl Eq for Counting {}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct AliasError {
    pub line: usize,
    pub fault: AliasFault,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AliasFault {
    /// A line that does not have the form `Name=Alias`.
    #[error("\"{}\" does not have the form Name=Alias, with the main name first", brief(.0))]
    Form(String),
    #[error("\"{}\" is already an alias of \"{}\", so it cannot also be one of \"{}\"", brief(.alias), brief(.first), brief(.second))]
    Ambiguous {
        alias: String,
        /// The main name of the alias in an earlier line.
        first: String,
        /// The main name of the alias in this line.
        second: String,
    },
    /// An alias that is also a main name.
    #[error("\"{}\" is both an alias and a main name; point each alias directly at its main name", brief(.0))]
    Chain(String),
}

impl Aliases {
    /// Parses lines of the form `Name=Alias`: a player's main name, and an alternative name that the player
    /// has in some games. Blank lines and lines that begin with `#` are ignored. Runs of white space in names
    /// count as one space.
    pub fn parse(text: &str) -> Result<Aliases, AliasError> {
        let mut aliases = Aliases::default();
        for (line, text) in (1..).zip(text.lines()) {
            let at = |fault| AliasError { line, fault };
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let (name, alias) = pair(text).map_err(at)?;
            if name == alias {
                continue;
            }
            if aliases.0.contains_key(&name) {
                return Err(at(AliasFault::Chain(name)));
            }
            if aliases.1.contains(&alias) {
                return Err(at(AliasFault::Chain(alias)));
            }
            aliases.1.insert(name.clone());
            aliases.add(name, alias).map_err(at)?;
        }
        Ok(aliases)
    }

    fn add(&mut self, name: String, alias: String) -> Result<(), AliasFault> {
        match self.0.get(&alias) {
            Some(first) if first.name != name => {
                Err(AliasFault::Ambiguous { alias, first: first.name.clone(), second: name })
            }
            _ => {
                self.0.insert(alias, Counting { name, met: Arc::default() });
                Ok(())
            }
        }
    }

    /// Returns the main name of `name`, or `name` itself if it is not an alias.
    pub fn canonical<'a>(&'a self, name: &'a str) -> &'a str {
        self.behind(name).unwrap_or(name)
    }

    /// Returns the main name of `alias`; `None` if it is not an alias.
    pub fn behind(&self, alias: &str) -> Option<&str> {
        // Most runs have no aliases. Then the name need not be normalized.
        if self.0.is_empty() {
            return None;
        }
        let counting = self.0.get(&folded_name(alias))?;
        // Many threads read the flag, so it is written only once.
        if !counting.met.load(Ordering::Relaxed) {
            counting.met.store(true, Ordering::Relaxed);
        }
        Some(&counting.name)
    }

    /// Returns whether `name` is a main name.
    pub fn has_main(&self, name: &str) -> bool {
        self.1.contains(name)
    }

    /// Returns the aliases that were never looked up, in alphabetical order.
    pub fn unmet(&self) -> Vec<&str> {
        let unmet = self.0.iter().filter(|(_, counting)| !counting.met.load(Ordering::Relaxed));
        let mut unmet: Vec<&str> = unmet.map(|(alias, _)| alias.as_str()).collect();
        unmet.sort_unstable();
        unmet
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn pair(text: &str) -> Result<(String, String), AliasFault> {
    let form = || AliasFault::Form(text.to_owned());
    let (name, alias) = text.split_once('=').ok_or_else(form)?;
    let (name, alias) = (folded_name(name), folded_name(alias));
    if name.is_empty() || alias.is_empty() || alias.contains('=') { Err(form()) } else { Ok((name, alias)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Aliases::parse(text).expect_err("an error").to_string()
    }

    #[test]
    fn an_alias_stands_for_the_name_before_the_equals_sign() {
        let text =
            "# names\n\nCarlsen, Magnus = DrNykterstein\r\nCarlsen, Magnus=Carlsen,  M\nAnand, V=Anand, V\n";
        let aliases = Aliases::parse(text).expect("aliases");
        for name in ["DrNykterstein", "Carlsen, M", " Carlsen,   M", "Carlsen, Magnus"] {
            assert_eq!(aliases.canonical(name), "Carlsen, Magnus");
        }
        assert_eq!(aliases.canonical("Anand, V"), "Anand, V");
        assert_eq!(Aliases::default().canonical(" x "), " x ");
    }

    #[test]
    fn an_alias_that_nobody_was_met_under_is_told() {
        let aliases = Aliases::parse("A=x\nA=y\nB=z\n").expect("aliases");
        let reader = aliases.clone();
        assert_eq!([reader.canonical("y"), reader.canonical("A"), reader.canonical("C")], ["A", "A", "C"]);
        assert_eq!(aliases.unmet(), ["x", "z"]);
    }

    #[test]
    fn a_line_that_cannot_be_understood_is_named() {
        assert_eq!(
            error("\nA B"),
            "line 2: \"A B\" does not have the form Name=Alias, with the main name first"
        );
        assert!(error("=B").contains("the form Name=Alias"));
        assert!(error("A=B=C").contains("the form Name=Alias"));
        assert_eq!(
            error("A=x\nA=x\nB=x"),
            "line 3: \"x\" is already an alias of \"A\", so it cannot also be one of \"B\""
        );
        let chain =
            "line 2: \"B\" is both an alias and a main name; point each alias directly at its main name";
        assert_eq!(error("A=B\nB=C"), chain);
        assert_eq!(error("B=C\nA=B"), chain);
    }
}
