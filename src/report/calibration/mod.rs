//! Owns what is shown of a calibration: how far ratings of play are off, as tables and pictures.

pub mod pictures;
pub mod tables;
