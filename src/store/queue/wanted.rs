//! [`WantedEngine`]: an engine that the queue needs, and its difference from another engine.

use std::collections::{BTreeMap, BTreeSet};

use super::Queue;
use crate::base::text::printable;
use crate::store::{EngineStamp, server::Result};

/// An engine that a run of the queue needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedEngine {
    pub name: String,
    pub options: BTreeMap<String, String>,
    /// SHA-256 of the engine's behavior.
    pub behavior: String,
}

impl WantedEngine {
    /// Returns the reason why `engine` is not the wanted engine; `None` if it is.
    pub fn refusal(&self, engine: &EngineStamp) -> Option<String> {
        let name = printable(&self.name);
        if self.name != engine.name {
            return Some(format!("{name} is required, but this engine is {}", printable(&engine.name)));
        }
        let names: BTreeSet<&String> = self.options.keys().chain(engine.options.keys()).collect();
        let differ = names.into_iter().filter(|name| self.options.get(*name) != engine.options.get(*name));
        let told = |value: Option<&String>| value.map_or("missing".to_owned(), |value| printable(value));
        let options: Vec<String> = differ
            .map(|name| {
                let (there, here) = (told(self.options.get(name)), told(engine.options.get(name)));
                format!("{} is {there} in the run and {here} here", printable(name))
            })
            .collect();
        if !options.is_empty() {
            return Some(format!("{name} is required with other options: {}", options.join(", ")));
        }
        let behavior = engine.known_behavior();
        (behavior != self.behavior).then(|| {
            format!(
                "{name} is required with other behavior: the digest of the engine's results is {:.12}… in the \
                 run and {behavior:.12}… here",
                self.behavior
            )
        })
    }
}

impl Queue {
    pub async fn wanted(&mut self) -> Result<Vec<WantedEngine>> {
        let rows = self
            .all(
                "SELECT DISTINCT engine, options, behaviour FROM gainalyze.runs WHERE finished_at IS NULL ORDER BY engine, options",
                &[],
            )
            .await?;
        let wanted = |row: &tokio_postgres::Row| {
            let options: String = row.try_get("options")?;
            Ok(WantedEngine {
                name: row.try_get("engine")?,
                options: serde_json::from_str(&options).unwrap_or_default(),
                behavior: row.try_get("behaviour")?,
            })
        };
        self.read(rows.iter().map(wanted).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(name: &str, hash: &str, behavior: &str) -> EngineStamp {
        EngineStamp {
            name: name.to_owned(),
            options: BTreeMap::from([("Hash".to_owned(), hash.to_owned())]),
            digest: String::new(),
            behavior: Some(behavior.to_owned()),
        }
    }

    #[test]
    fn an_engine_is_told_what_is_wanted_instead() {
        let EngineStamp { name, options, behavior, .. } = engine("Fish", "16", "aaaa");
        let wanted = WantedEngine { name, options, behavior: behavior.unwrap_or_default() };
        assert_eq!(wanted.refusal(&engine("Fish", "16", "aaaa")), None);
        for (other, why) in [
            (engine("Bird", "16", "aaaa"), "Fish is required, but this engine is Bird"),
            (
                engine("Fish", "32", "aaaa"),
                "Fish is required with other options: Hash is 16 in the run and 32 here",
            ),
            (
                engine("Fish", "16", "bbbb"),
                "Fish is required with other behavior: the digest of the engine's results is aaaa… in the run and bbbb… here",
            ),
        ] {
            assert_eq!(wanted.refusal(&other).as_deref(), Some(why));
        }
    }
}
