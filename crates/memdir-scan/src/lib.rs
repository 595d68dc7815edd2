#![doc = include_str!("../README.md")]

mod candidates;
mod header;
mod manifest;
mod problem;
mod scan;
mod touched;

pub mod limits;

pub use header::{DateFrom, Header};
pub use manifest::manifest;
pub use problem::{Problem, ProblemKind};
pub use scan::{Head, Options, Scan, scan, scan_with};
