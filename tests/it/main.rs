//! The `memdir` command from outside: real processes, real files, and where it is present the real client.

#![expect(clippy::print_stderr, reason = "how a test says that it skipped")]
#![expect(clippy::indexing_slicing, reason = "what a test looks at is there, or the test fails")]
#![expect(clippy::unwrap_used, reason = "what a test sets up is there, or the test fails")]
#![expect(clippy::disallowed_methods, reason = "tests set up files and start processes")]

mod client;
mod client_agents;
mod client_hooks;
mod client_rules;
mod client_sessions;
mod disks;
mod fake_api;
mod guards;
mod hooks;
mod kills;
mod layouts;
mod proofs;
mod provider;
mod readme;
mod rules;
mod sandbox;
mod savers;
