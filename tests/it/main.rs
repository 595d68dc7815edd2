//! The `memdir` command from outside: real processes, real files, and where it is present the real client.

#![expect(clippy::disallowed_methods, reason = "tests set up files and start processes")]

mod client;
mod fake_api;
mod guards;
mod kills;
mod proofs;
mod sandbox;
mod savers;
