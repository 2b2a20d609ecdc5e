//! The store in PostgreSQL: a database that many machines share and people may query.

mod link;
mod origins;
mod segments;
mod upkeep;
mod writing;

use std::collections::BTreeMap;

use tokio_postgres::Client;

use self::{link::FinishedSegment, link::LinkThread, link::Work, segments::FoundSegment};
#[cfg(feature = "program")]
pub(super) use self::{link::offer, writing::write_all};
use super::{
    EngineStamp, EvaluationStore, KnownSegment, Origin, Recall, Result, StoreError, StoredBehavior,
    columns::SearchColumns, rows,
};
use crate::chess::{PlyEvaluation, Segment};
use crate::store::server::{Address, PostgresError, ServerAccess, ServerFault};

const AT_ONCE: usize = 500;

#[derive(Debug)]
pub struct PostgresStore {
    link: LinkThread,
    name: String,
    is_read_only: bool,
}

impl PostgresStore {
    /// Connects to the store at an address. With [`ServerAccess::Work`], missing tables are created. The
    /// store is read-only with [`ServerAccess::Read`], or if the user has no right to write.
    pub fn open(address: Address, access: ServerAccess) -> Result<PostgresStore> {
        let name = address.to_string();
        let link = LinkThread::start(address, access)?;
        let mut store = PostgresStore { link, name, is_read_only: access == ServerAccess::Read };
        if access == ServerAccess::Work {
            store.is_read_only = !store.ask(origins::is_writable)?;
        }
        Ok(store)
    }

    fn ask<T: Send + 'static>(&self, work: impl Work<T> + Send + 'static) -> Result<T> {
        self.link.call(&self.name, move |link| link.ask(&work))
    }

    /// Sets a damaged segment aside if this user may do that. In any case, the segment is not used.
    fn set_aside(&self, key: Vec<u8>, origin: i32, reason: String) -> Result<()> {
        if self.is_read_only {
            return Ok(());
        }
        let work = async move |client: &mut Client| segments::set_aside(client, &key, origin, &reason).await;
        match self.ask(work) {
            Err(StoreError::Postgres(PostgresError::Of {
                fault: ServerFault::NotAllowed(_) | ServerFault::ReadOnly(_),
                ..
            })) => Ok(()),
            other => other,
        }
    }

    /// Returns the result of the lookup of `segment`, and sets the segment aside if it is damaged. `found`
    /// are the stored segments with the same key, by any build of the engine.
    fn recall(
        &self,
        found: &[FoundSegment],
        engine: &EngineStamp,
        columns: &SearchColumns,
        segment: &Segment,
    ) -> Result<Recall> {
        let is_of_engine = |one: &&FoundSegment| engine.is_of_build(&one.behavior, &one.digest);
        let Some(ours) = found.iter().find(is_of_engine) else {
            return Ok(match found.last() {
                Some(other) => Recall::OtherBuild { digest: other.digest.clone() },
                None => Recall::Missing,
            });
        };
        let evaluations = ours.rows.clone().and_then(|known| rows::in_order(known, segment));
        match evaluations {
            Ok(evaluations) => Ok(Recall::Known(KnownSegment { evaluations, digest: ours.digest.clone() })),
            Err(fault) => {
                self.set_aside(ours.key.clone(), ours.origin, fault.to_string())?;
                Ok(Recall::Damaged { what: format!("{} ({fault})", columns.describe()) })
            }
        }
    }
}

impl EvaluationStore for PostgresStore {
    /// Looks up a segment. If the connection is lost, a read-only store waits for it. A writable store finds
    /// nothing meanwhile, and keeps new results until the connection is restored.
    fn get(&self, origin: &Origin, segment: &Segment) -> Result<Recall> {
        let columns = SearchColumns::of(origin, segment);
        let work = looking_up(vec![columns.key().to_vec()]);
        let is_read_only = self.is_read_only;
        let found = self.link.call(&self.name, move |link| match is_read_only {
            true => link.ask(&work).map(Some),
            false => link.ask_if_there(&work),
        })?;
        self.recall(&found.unwrap_or_default(), &origin.engine, &columns, segment)
    }

    fn get_all(&self, origin: &Origin, segments: &[&Segment]) -> Result<Vec<Recall>> {
        let mut recalled = Vec::with_capacity(segments.len());
        for segments in segments.chunks(AT_ONCE) {
            let columns: Vec<_> = segments.iter().map(|of| SearchColumns::of(origin, of)).collect();
            let keys: Vec<Vec<u8>> = columns.iter().map(|columns| columns.key().to_vec()).collect();
            let mut by_key: BTreeMap<Vec<u8>, Vec<FoundSegment>> = BTreeMap::new();
            for one in self.ask(looking_up(keys.clone()))? {
                by_key.entry(one.key.clone()).or_default().push(one);
            }
            for ((segment, columns), key) in segments.iter().zip(&columns).zip(&keys) {
                let found = by_key.get(key).map(Vec::as_slice).unwrap_or_default();
                recalled.push(self.recall(found, &origin.engine, columns, segment)?);
            }
        }
        Ok(recalled)
    }

    fn put(&mut self, origin: &Origin, segment: &Segment, evaluations: &[PlyEvaluation]) -> Result<()> {
        let (origin, segment, evaluations) = (origin.clone(), segment.clone(), evaluations.to_vec());
        let finished = FinishedSegment { origin, segment, evaluations };
        self.link.call(&self.name, move |link| link.store(finished))
    }

    fn origins(&self) -> Result<Vec<Origin>> {
        self.ask(origins::all)
    }

    fn behavior(&self, engine: &EngineStamp, program: &str) -> Result<Option<StoredBehavior>> {
        let (engine, program) = (engine.clone(), program.to_owned());
        self.ask(async move |client: &mut Client| origins::behavior(client, &engine, &program).await)
    }

    fn keep_behavior(
        &mut self,
        engine: &EngineStamp,
        program: &str,
        behavior: &StoredBehavior,
    ) -> Result<()> {
        if self.is_read_only {
            return Ok(());
        }
        let (engine, program, behavior) = (engine.clone(), program.to_owned(), behavior.clone());
        self.ask(async move |client: &mut Client| {
            origins::keep_behavior(client, &engine, &program, &behavior).await
        })
    }

    fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    fn describe(&self) -> String {
        self.name.clone()
    }
}

fn looking_up(keys: Vec<Vec<u8>>) -> impl Work<Vec<FoundSegment>> + Send {
    async move |client: &mut Client| segments::of_searches(client, &keys).await
}
