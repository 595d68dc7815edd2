#![doc = include_str!("../README.md")]

pub use memdir_core as core;
pub use memdir_store as store;
