//! Integration tests of `transcript-jsonl`.

mod append;
mod cases;
mod conversation;
mod copy;
mod listing;
mod memory;
mod processes;
mod properties;
mod reader;
mod resume;
mod session;
mod tree;
