//! The ground of all other rooms: texts for the user, names of closed sets, seals, and output files.

pub(crate) mod address;
pub(crate) mod digest;
pub(crate) mod input_file;
pub(crate) mod named;
#[cfg(feature = "program")]
pub mod output;
pub(crate) mod seal;
pub mod text;
#[cfg(feature = "native")]
pub mod variable;
pub mod work;
