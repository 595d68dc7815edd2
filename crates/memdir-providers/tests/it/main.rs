//! Providers against servers and programs that answer what they are told.

#![expect(clippy::print_stderr, reason = "how a test says that it skipped")]
#![expect(clippy::indexing_slicing, reason = "what a test looks at is there, or the test fails")]
#![expect(clippy::unwrap_used, reason = "what a test sets up is there, or the test fails")]
#![expect(clippy::disallowed_methods, reason = "tests set up files and look at the environment")]

mod bodies;
#[cfg(unix)]
mod command;
mod forms;
mod keys;
mod local;
mod outcomes;
mod requests;
mod server;
