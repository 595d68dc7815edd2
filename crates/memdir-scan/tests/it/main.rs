//! Integration tests of `memdir-scan`.
#![cfg(test)]

mod cases;
mod dates;
mod few;
mod manifest;
mod newest;
mod problems;
mod shelf;
