//! Owns how an entrant of a round robin is written: a name, an engine with its options, and a limit.

use std::{path::PathBuf, str::FromStr, time::Duration};

use crate::{
    app::plan::EntrantPlan,
    evaluation::Limit,
    uci::{
        engine_line::MAX_DEPTH,
        options::Setting,
        session::{Purpose, Setup},
    },
};

/// Somebody who plays: `NAME=ENGINE[,OPTION=VALUE…][@LIMIT]`.
#[derive(Debug, Clone, PartialEq)]
pub struct EntrantArg {
    name: String,
    engine: PathBuf,
    settings: Vec<Setting>,
    limit: Option<Limit>,
}

/// What would be accepted.
const FORM: &str = "write NAME=ENGINE[,OPTION=VALUE…][@LIMIT], as in sf=stockfish,UCI_Elo=1500@8; ENGINE is builtin, a program or a \
    file of weights, and LIMIT a depth, or nodes=50000";

impl EntrantArg {
    /// Returns the entrant as a plan has it.
    pub fn plan(&self, hash: Option<u32>, timeout: Duration) -> EntrantPlan {
        let EntrantArg { name, engine, settings, limit } = self.clone();
        EntrantPlan { name, engine, setup: Setup { hash, settings, timeout, purpose: Purpose::Play }, limit }
    }
}

impl FromStr for EntrantArg {
    type Err = String;

    fn from_str(text: &str) -> Result<EntrantArg, String> {
        let (name, rest) = text.split_once('=').ok_or_else(|| format!("there is no =; {FORM}"))?;
        let name = name.trim();
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(format!("the name before = is missing; {FORM}"));
        }
        let (engine, limit) = match rest.rsplit_once('@') {
            Some((engine, text)) => (engine, Some(limit(text.trim())?)),
            None => (rest, None),
        };
        let mut parts = engine.split(',');
        let engine = parts.next().map(str::trim).filter(|engine| !engine.is_empty());
        let engine = engine.ok_or_else(|| format!("the engine behind = is missing; {FORM}"))?;
        Ok(EntrantArg {
            name: name.to_owned(),
            engine: PathBuf::from(engine),
            settings: parts.map(setting).collect::<Result<_, _>>()?,
            limit,
        })
    }
}

fn setting(text: &str) -> Result<Setting, String> {
    match text.contains('=') {
        true => text.trim().parse().map_err(|error| format!("{error}; {FORM}")),
        false => Err(format!("option {text:?} has no value; {FORM}")),
    }
}

fn limit(text: &str) -> Result<Limit, String> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let depth = |number: u64| u32::try_from(number).ok().filter(|depth| (1..=MAX_DEPTH).contains(depth));
    let limit = match text.split_once('=').map(|(key, value)| (key.trim(), value)) {
        None => number(text).and_then(depth).map(Limit::Depth),
        Some(("depth", value)) => number(value).and_then(depth).map(Limit::Depth),
        Some(("nodes", value)) => number(value).filter(|&nodes| nodes > 0).map(Limit::Nodes),
        Some(_) => None,
    };
    limit.ok_or_else(|| {
        format!("{text:?} is no limit: write a depth from 1 to {MAX_DEPTH} as in @8, or @nodes=50000")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> EntrantArg {
        text.parse().expect(text)
    }

    #[test]
    fn an_entrant_has_a_name_an_engine_options_and_a_limit() {
        let full = read("level 1500=stockfish,UCI_LimitStrength=true,UCI_Elo=1500@depth=2");
        assert_eq!((full.name.as_str(), full.limit), ("level 1500", Some(Limit::Depth(2))));
        assert_eq!(full.engine, PathBuf::from("stockfish"));
        assert_eq!(
            full.settings,
            ["UCI_LimitStrength=true", "UCI_Elo=1500"].map(|text| text.parse().expect(text))
        );
        assert_eq!(read("a=builtin@8").limit, Some(Limit::Depth(8)));
        assert_eq!(read("a=builtin@nodes=50000").limit, Some(Limit::Nodes(50_000)));
        assert_eq!(read("a=weights/1000.txt").limit, None);
        assert_eq!(read("a=/home/x@y/engine@3").engine, PathBuf::from("/home/x@y/engine"));
        assert_eq!(read("a=e,Skill Level=3").settings[0].name, "Skill Level");
    }

    #[test]
    fn what_is_no_entrant_says_what_would_be() {
        for (bad, word) in [
            ("builtin", "there is no ="),
            ("=builtin", "the name"),
            ("a=", "the engine"),
            ("a=@8", "the engine"),
            ("a=builtin,Hash", "has no value"),
            ("a=builtin,=4", "write NAME"),
            ("a=builtin@", "is no limit"),
            ("a=builtin@0", "from 1 to"),
            ("a=builtin@nodes=0", "nodes=50000"),
            ("a=builtin@time=5", "is no limit"),
            ("a=/home/x@y/engine", "is no limit"),
        ] {
            let error = bad.parse::<EntrantArg>().expect_err(bad);
            assert!(error.contains(word), "{bad}: {error}");
        }
    }
}
