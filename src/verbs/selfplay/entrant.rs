//! The written form of an entrant of a round robin: a name, a method, an engine with its options, and a
//! limit.

use std::{path::PathBuf, str::FromStr, time::Duration};

use crate::base::text::shown_path;
use crate::chess::{Clock, Limit, MoveLimit};
use crate::engine::{
    EngineChoice, Purpose, Setting, Setup, builtin::WEIGHTS_OPTION, builtin::is_of_weights, choice::BUILTIN,
    uci::engine_line::MAX_DEPTH,
};
use crate::lab::{MoveMethod, SparSettings, TreeSettings};
use crate::verbs::{deep, error::Result, error::VerbError};

/// An entrant of a round robin: `NAME=[WAY:]ENGINE[,OPTION=VALUE…][@LIMIT]`. `WAY` is `deep` or `spar`.
#[derive(Debug, Clone, PartialEq)]
pub struct EntrantPlan {
    pub name: String,
    /// `builtin`, a program, or a file of weights for the built-in engine.
    pub engine: PathBuf,
    pub setup: Setup,
    /// The limit of a search, or the clock of a game; `None` for the default limit of the method.
    pub limit: Option<MoveLimit>,
    /// The method that chooses a move from searches.
    pub way: MoveMethod,
}

/// The accepted form, for messages.
const FORM: &str = "write NAME=ENGINE[,OPTION=VALUE…][@LIMIT], as in sf=stockfish,UCI_Elo=1500@8; ENGINE is builtin, a program or a \
    file of weights; LIMIT is a depth, nodes=50000, or a clock such as tc=8+0.08";

/// A function that reads a method's settings, and removes them from the text after the method's word.
type ReadMethod = fn(&mut Keys) -> Result<MoveMethod, String>;

/// The methods of choosing a move, by the word after `NAME=`. Each method has its own settings, besides the
/// options of the engine. The engine is the built-in engine, unless the text names another.
const WAYS: [(&str, ReadMethod); 2] = [("deep:", tree), ("spar:", spar)];

impl EntrantPlan {
    pub fn new(name: &str, way: MoveMethod, engine: PathBuf, limit: Option<MoveLimit>) -> EntrantPlan {
        let purpose = match way {
            MoveMethod::Search => Purpose::Play,
            MoveMethod::Tree(_) | MoveMethod::Spar(..) => Purpose::Analysis,
        };
        EntrantPlan {
            name: name.to_owned(),
            engine,
            setup: Setup { purpose, ..Setup::default() },
            limit,
            way,
        }
    }

    pub fn with_settings(mut self, settings: Vec<Setting>) -> EntrantPlan {
        self.setup.settings = settings;
        self
    }

    /// Returns the entrant with the settings that all entrants share: hash table and timeout.
    pub fn set_up(mut self, hash: Option<u32>, timeout: Duration) -> EntrantPlan {
        (self.setup.hash, self.setup.timeout) = (hash, timeout);
        self
    }

    /// Returns the engine with its settings. A file of weights becomes an option of the built-in engine.
    /// Fails if the engine's program does not exist.
    pub fn resolved(&self) -> Result<(EngineChoice, Setup)> {
        let path = &self.engine;
        if is_of_weights(path) {
            let weights =
                Setting { name: WEIGHTS_OPTION.to_owned(), value: Some(path.display().to_string()) };
            let settings = std::iter::once(weights).chain(self.setup.settings.iter().cloned()).collect();
            return Ok((EngineChoice::Builtin { is_named: true }, Setup { settings, ..self.setup.clone() }));
        }
        let choice = EngineChoice::named(path.as_os_str());
        if matches!(&choice, EngineChoice::Program(program) if !program.exists()) {
            let path = shown_path(path);
            return Err(VerbError::new(format!(
                "{path}: no such file: write builtin, an engine's program or a file of weights"
            )));
        }
        Ok((choice, self.setup.clone()))
    }
}

impl FromStr for EntrantPlan {
    type Err = String;

    fn from_str(text: &str) -> Result<EntrantPlan, String> {
        let (name, rest) = text.split_once('=').ok_or_else(|| format!("= is missing; {FORM}"))?;
        let name = name.trim();
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(format!("the name before = is missing; {FORM}"));
        }
        let (engine, limit) = match rest.rsplit_once('@') {
            Some((engine, text)) => (engine, Some(limit(text.trim())?)),
            None => (rest, None),
        };
        let way = WAYS.iter().find_map(|(word, way)| Some((engine.trim().strip_prefix(word)?, way)));
        if let Some((text, way)) = way {
            let mut keys = Keys::of(text);
            let (way, depth) = (way(&mut keys)?, keys.take("depth", depth)?);
            let engine = keys.engine()?;
            if limit.is_some() && depth.is_some() {
                return Err("the limit is given twice, by depth= and after @".to_owned());
            }
            return Ok(EntrantPlan::new(name, way, engine, limit.or(depth)).with_settings(keys.settings()?));
        }
        let mut parts = engine.split(',');
        let engine = parts.next().map(str::trim).filter(|engine| !engine.is_empty());
        let engine = PathBuf::from(engine.ok_or_else(|| format!("the engine after = is missing; {FORM}"))?);
        let settings = parts.map(setting).collect::<Result<_, _>>()?;
        Ok(EntrantPlan::new(name, MoveMethod::Search, engine, limit).with_settings(settings))
    }
}

/// The unread part of the text after a method's word.
struct Keys<'t> {
    /// The leading words without `=`.
    words: Vec<&'t str>,
    /// The other parts, `KEY=VALUE`.
    pairs: Vec<&'t str>,
}

impl<'t> Keys<'t> {
    /// Splits `WORD,…,KEY=VALUE,…`.
    fn of(text: &'t str) -> Keys<'t> {
        let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let words: Vec<&str> = parts().take_while(|part| !part.contains('=')).collect();
        Keys { pairs: parts().skip(words.len()).collect(), words }
    }

    /// Takes the first word if it can be parsed as a `T`.
    fn take_word<T: FromStr>(&mut self) -> Option<T> {
        let read = self.words.first()?.parse().ok()?;
        self.words.remove(0);
        Some(read)
    }

    /// Returns the engine: the remaining word, or else the built-in engine. Fails if several words remain.
    fn engine(&self) -> Result<PathBuf, String> {
        match self.words.as_slice() {
            [] => Ok(PathBuf::from(BUILTIN)),
            [engine] => Ok(PathBuf::from(engine)),
            [_, other, ..] => Err(format!("{other:?} is not OPTION=VALUE; {FORM}")),
        }
    }

    /// Takes the value of a key; `None` if the key is missing.
    fn take<T>(&mut self, key: &str, read: fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
        let is_key = |part: &&str| part.split_once('=').is_some_and(|(name, _)| name.trim() == key);
        let Some(place) = self.pairs.iter().position(is_key) else { return Ok(None) };
        let value = self.pairs.remove(place).split_once('=').map_or("", |(_, value)| value.trim());
        read(value).map(Some).map_err(|problem| format!("{key}={value:?}: {problem}"))
    }

    /// Returns the remaining pairs as options of the engine.
    fn settings(self) -> Result<Vec<Setting>, String> {
        self.pairs.into_iter().map(setting).collect()
    }
}

/// Reads the settings of a tree, such as `distance=20,plies=2,searches=50`. Each of them may be missing.
fn tree(keys: &mut Keys) -> Result<MoveMethod, String> {
    Ok(MoveMethod::Tree(TreeSettings {
        distance: keys.take("distance", deep::distance)?.unwrap_or(deep::DISTANCE),
        plies: keys.take("plies", plies)?.unwrap_or(2),
        searches: keys.take("searches", whole)?,
    }))
}

/// Reads a skill function such as `even`, and its settings, such as `seed=1,elo=1500`. Each of them may be
/// missing.
fn spar(keys: &mut Keys) -> Result<MoveMethod, String> {
    let usual = SparSettings::default();
    let settings = SparSettings {
        seed: keys.take("seed", seed)?.unwrap_or(usual.seed),
        elo: keys.take("elo", elo)?.unwrap_or(usual.elo),
        ..usual
    };
    Ok(MoveMethod::Spar(keys.take_word().unwrap_or_default(), settings))
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write a whole number, 0 or more".to_owned())
}

fn elo(text: &str) -> Result<f64, String> {
    let elo = text.parse().ok().filter(|elo| (100..=4000).contains(elo)).map(|elo: u32| elo.into());
    elo.ok_or_else(|| "write a rating from 100 to 4000".to_owned())
}

fn plies(text: &str) -> Result<usize, String> {
    let plies = text.parse().ok().filter(|plies| (1..=deep::MOST_PLIES as usize).contains(plies));
    plies.ok_or_else(|| format!("write a number of plies from 1 to {}", deep::MOST_PLIES))
}

fn whole(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "write a whole number, 1 or more".to_owned())
}

fn setting(text: &str) -> Result<Setting, String> {
    match text.contains('=') {
        true => text.trim().parse().map_err(|error| format!("{error}; {FORM}")),
        false => Err(format!("option {text:?} has no value; {FORM}")),
    }
}

fn depth(text: &str) -> Result<MoveLimit, String> {
    limit(&format!("depth={text}"))
}

/// Reads the seconds of a clock and of its increment: `8+0.08`, or `60`.
fn clock(text: &str) -> Option<MoveLimit> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |text: &str| {
        let seconds = text.trim().parse().ok().filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds))?;
        Some(Duration::from_secs_f64(seconds))
    };
    let (base, increment) = (seconds(base)?, seconds(increment)?);
    (base > Duration::ZERO).then(|| MoveLimit::Clock(Clock::of(base, increment)))
}

/// The largest number of seconds of a clock: a day.
const MOST_SECONDS: f64 = 86_400.0;

fn limit(text: &str) -> Result<MoveLimit, String> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let depth = |number: u64| u32::try_from(number).ok().filter(|depth| (1..=MAX_DEPTH).contains(depth));
    let limit = match text.split_once('=').map(|(key, value)| (key.trim(), value)) {
        None => number(text).and_then(depth).map(|depth| Limit::Depth(depth).into()),
        Some(("depth", value)) => number(value).and_then(depth).map(|depth| Limit::Depth(depth).into()),
        Some(("nodes", value)) => {
            number(value).filter(|&nodes| nodes > 0).map(|nodes| Limit::Nodes(nodes).into())
        }
        Some(("tc", value)) => clock(value),
        Some(_) => None,
    };
    limit.ok_or_else(|| {
        format!(
            "{text:?} is not a limit: write a depth from 1 to {MAX_DEPTH} (@8), a number of nodes \
                 (@nodes=50000) or a clock (@tc=8+0.08)"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> EntrantPlan {
        text.parse().expect(text)
    }

    #[test]
    fn an_entrant_has_a_name_an_engine_options_and_a_limit() {
        let full = read("level 1500=stockfish,UCI_LimitStrength=true,UCI_Elo=1500@depth=2");
        assert_eq!((full.name.as_str(), full.limit), ("level 1500", Some(Limit::Depth(2).into())));
        assert_eq!(full.engine, PathBuf::from("stockfish"));
        assert_eq!(
            full.setup.settings,
            ["UCI_LimitStrength=true", "UCI_Elo=1500"].map(|text| text.parse().expect(text))
        );
        assert_eq!(read("a=builtin@8").limit, Some(Limit::Depth(8).into()));
        assert_eq!(read("a=builtin@nodes=50000").limit, Some(Limit::Nodes(50_000).into()));
        let clock = |text: &str| read(text).limit.expect("a clock").to_string();
        assert_eq!(clock("a=builtin@tc=8+0.08"), "tc=8+0.08");
        assert_eq!(clock("a=builtin@tc=60"), "tc=60+0");
        assert_eq!(read("a=weights/1000.txt").limit, None);
        assert_eq!(read("a=/home/x@y/engine@3").engine, PathBuf::from("/home/x@y/engine"));
        assert_eq!(read("a=e,Skill Level=3").setup.settings[0].name, "Skill Level");
    }

    #[test]
    fn an_entrant_may_play_by_a_tree_of_an_engine() {
        let tree = |distance, plies, searches| MoveMethod::Tree(TreeSettings { distance, plies, searches });
        let full = read("t=deep:depth=6,distance=12.5,plies=3,searches=40");
        assert_eq!((full.way, full.limit), (tree(12.5, 3, Some(40)), Some(Limit::Depth(6).into())));
        assert_eq!((full.engine, full.setup.settings), (PathBuf::from("builtin"), Vec::new()));
        let other = read("t=deep:stockfish,Hash=4,distance=0@nodes=5000");
        assert_eq!((other.way, other.limit), (tree(0.0, 2, None), Some(Limit::Nodes(5000).into())));
        assert_eq!(other.engine, PathBuf::from("stockfish"));
        assert_eq!(other.setup.settings, ["Hash=4".parse().expect("a setting")]);
        assert_eq!(read("t=deep:@6").way, tree(20.0, 2, None));
        assert_eq!(read("t=deep").engine, PathBuf::from("deep"), "an engine of that name");
    }

    #[test]
    fn an_entrant_may_play_by_a_skill_function_over_an_engine() {
        let spar = |skill: &str, seed, elo| {
            let settings = SparSettings { seed, elo, ..SparSettings::default() };
            MoveMethod::Spar(skill.parse().expect(skill), settings)
        };
        let short = read("e=spar:even");
        assert_eq!((short.way, short.limit), (spar("even", 1, 1500.0), None));
        assert_eq!(short.engine, PathBuf::from("builtin"));
        let full = read("f=spar:fixed:4:0.2,stockfish,seed=7,elo=2000,Hash=4@nodes=5000");
        assert_eq!((full.way, full.limit), (spar("fixed:4:0.2", 7, 2000.0), Some(Limit::Nodes(5000).into())));
        assert_eq!(full.engine, PathBuf::from("stockfish"));
        assert_eq!(full.setup.settings, ["Hash=4".parse().expect("a setting")]);
        let unnamed = read("s=spar:stockfish");
        assert_eq!((unnamed.way, unnamed.engine), (spar("even", 1, 1500.0), PathBuf::from("stockfish")));
    }

    #[test]
    fn what_is_no_entrant_says_what_would_be() {
        for (bad, word) in [
            ("builtin", "= is missing"),
            ("=builtin", "the name"),
            ("a=", "the engine"),
            ("a=@8", "the engine"),
            ("a=builtin,Hash", "has no value"),
            ("a=builtin,=4", "write NAME"),
            ("a=builtin@", "is not a limit"),
            ("a=builtin@0", "from 1 to"),
            ("a=spar:even,stockfish,random", "\"random\" is not OPTION=VALUE"),
            ("a=spar:even,seed=-1", "0 or more"),
            ("a=spar:even,elo=99", "from 100 to 4000"),
            ("a=builtin@nodes=0", "nodes=50000"),
            ("a=builtin@time=5", "is not a limit"),
            ("a=builtin@tc=0+1", "is not a limit"),
            ("a=builtin@tc=8+x", "@tc=8+0.08"),
            ("a=/home/x@y/engine", "is not a limit"),
            ("a=deep:distance=-1", "distance=\"-1\": write a number of centipawns"),
            ("a=deep:plies=0", "write a number of plies from 1 to 64"),
            ("a=deep:searches=0", "write a whole number, 1 or more"),
            ("a=deep:depth=0", "from 1 to"),
            ("a=deep:depth=6@6", "given twice"),
            ("a=deep:plies=2,Hash", "has no value"),
        ] {
            let error = bad.parse::<EntrantPlan>().expect_err(bad);
            assert!(error.contains(word), "{bad}: {error}");
        }
    }
}
