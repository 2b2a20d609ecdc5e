//! Reading of a [`Reference`]: from a file of `archive --quantiles --partial`, or the shipped reference.

use std::path::{Path, PathBuf};

use crate::base::text::shown_path;
use crate::files::{Part, formats::part, formats::part::PartError};
use crate::measure::peers::{NoReference, Reference};
use crate::verbs::error::VerbError;

/// The shipped reference: single games of over-the-board events. data/reference/README.md says how it was
/// made.
const SHIPPED: &[u8] = include_bytes!("../../../data/reference/over-the-board.parquet");

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ReferencePlan {
    /// The shipped reference.
    #[default]
    Shipped,
    File(PathBuf),
    /// No reference: games are not compared.
    Nowhere,
}

impl ReferencePlan {
    pub fn load(&self) -> Result<Option<Reference>, VerbError> {
        match self {
            ReferencePlan::Nowhere => Ok(None),
            ReferencePlan::Shipped => {
                let part = part::read_bytes(Path::new("the built-in reference"), SHIPPED);
                Ok(Some(of(part)?.map_err(|error| VerbError::new(error.to_string()))?.over_the_board()))
            }
            ReferencePlan::File(path) => {
                let no = |error: NoReference| {
                    VerbError::new(format!(
                        "{}: not a reference: {error}; write one with archive --by speed,elo-band --quantiles --partial FILE",
                        shown_path(path)
                    ))
                };
                Ok(Some(of(part::read(path))?.map_err(no)?))
            }
        }
    }
}

fn of(part: Result<Part, PartError>) -> Result<Result<Reference, NoReference>, PartError> {
    let Part { identity, tally, .. } = part?;
    let groups = tally.groups.into_iter().map(|(group, counts)| (group, counts.usual));
    Ok(Reference::new(identity.by, identity.quantiles, groups))
}
