//! Where the memory directory is, whose it is, and what makes it.
#![cfg(test)]
#![cfg(feature = "fs")]
#![expect(clippy::disallowed_methods, reason = "tests arrange and inspect what is on disk")]

mod claim;
mod create;
mod decide;
mod discover;
mod moved;

#[cfg(unix)]
fn make_pipe(path: &std::path::Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}
