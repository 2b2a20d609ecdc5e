//! Searches by other processes: their results are looked up in the store.

use std::time::Duration;

use super::{Search, SearchNotice, pending::Pending};
use crate::store::{EvaluationStore, Recall, StoreError};

impl Search {
    pub fn report_complete(&self, mut watch: impl FnMut(SearchNotice<'_>)) {
        for game in self.games.iter().filter(|_| self.reports_games).filter_map(Pending::evaluated) {
            watch(SearchNotice::Completed(&game));
        }
    }

    /// Takes missing segments from the store if they have arrived there meanwhile.
    pub fn recall_missing(
        &mut self,
        store: &dyn EvaluationStore,
        mut watch: impl FnMut(SearchNotice<'_>),
    ) -> Result<(), StoreError> {
        let tasks = std::mem::take(&mut self.tasks);
        let recalled = self.recall_all(&tasks, Some(store))?;
        for (task, found) in tasks.into_iter().zip(recalled) {
            match found {
                Recall::Known(_) => self.report_if_complete(&task, &mut watch),
                other => self.begin_without(task, other),
            }
        }
        watch(SearchNotice::Advanced(self.progress()));
        Ok(())
    }

    /// Gives up the games with failed segments. Each failed segment is given by its index in
    /// [`Search::missing`], with the engine's error.
    pub fn give_up(&mut self, failed: Vec<(usize, String)>, mut watch: impl FnMut(SearchNotice<'_>)) {
        for (place, error) in failed {
            let Some(task) = self.tasks.get(place) else { continue };
            self.games[task.game].report_failure(error, &mut watch);
        }
        let games = &self.games;
        self.tasks.retain(|task| games[task.game].failure().is_none());
        watch(SearchNotice::Advanced(self.progress()));
    }

    pub fn took(&mut self, wall: Duration) {
        self.counts.wall = wall;
    }
}
