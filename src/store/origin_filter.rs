//! [`OriginFilter`]: selection of evaluations in a store by their origin.

use super::Origin;
use crate::chess::{Limit, Order};
use crate::engine::Setting;

/// Conditions on origins; the default accepts all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct OriginFilter {
    /// Text that the engine's name must contain; upper and lower case are equal.
    pub engine_name: Option<String>,
    /// Options that the engine must have, with these values if given.
    pub engine_options: Vec<Setting>,
    /// The search limit.
    pub limit: Option<Limit>,
    /// Number of positions per segment.
    pub segment: Option<usize>,
    /// The search order.
    pub order: Option<Order>,
    /// The beginning of the SHA-256 of the engine's executable, in hexadecimal.
    pub build: Option<String>,
}

impl OriginFilter {
    /// Returns whether an origin meets all conditions.
    pub fn wants(&self, Origin { engine, protocol }: &Origin) -> bool {
        let name = |wanted: &String| engine.name.to_lowercase().contains(&wanted.to_lowercase());
        let set = |setting: &Setting| {
            let mut options = engine.options.iter();
            options.any(|(name, value)| {
                let same = |wanted: &String| value.eq_ignore_ascii_case(wanted);
                name.eq_ignore_ascii_case(&setting.name) && setting.value.as_ref().is_none_or(same)
            })
        };
        self.engine_name.as_ref().is_none_or(name)
            && self.engine_options.iter().all(set)
            && self.limit.is_none_or(|limit| protocol.limit == limit)
            && self.segment.is_none_or(|segment| protocol.segment == segment)
            && self.order.is_none_or(|order| protocol.order == order)
            && self.build.as_ref().is_none_or(|build| engine.digest.starts_with(&build.to_lowercase()))
    }
}
