//! The command as its users see it: what it prints on both streams and how it exits.

#![expect(clippy::unwrap_used, reason = "what a test sets up is there, or the test fails")]
#![expect(clippy::disallowed_methods, reason = "tests set up files and start the command")]

mod agent_memories;
mod agents;
mod checks;
mod config;
mod edits;
mod forgets;
mod help;
mod hooks;
mod inboxes;
mod inits;
mod lists;
mod logs;
mod models;
mod named;
mod places;
mod prompts;
mod recalls;
mod rules;
mod sandbox;
mod saves;
mod scans;
mod sessions;
mod transcripts_listed;
mod transcripts_mended;
mod transcripts_resumed;
mod transcripts_shown;
mod trouble;
mod undos;
