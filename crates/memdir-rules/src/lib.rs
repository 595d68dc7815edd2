#![doc = include_str!("../README.md")]

pub mod limits;
pub mod pattern;
