//! Integration tests of `memdir`.

#![expect(clippy::unwrap_used, reason = "what a test sets up is there, or the test fails")]

mod audit;
mod find;
mod local;
mod model;
mod save;
mod store;
mod suspicious;
