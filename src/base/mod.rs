//! Code that all other modules use. It handles texts for the user, enums with names, digests and seals,
//! environment variables, long parallel work, and files for input and output.

#[cfg(feature = "native")]
pub(crate) mod address;
#[cfg(feature = "native")]
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
