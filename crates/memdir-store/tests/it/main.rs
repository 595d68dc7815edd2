//! Integration tests of `memdir-store`.

mod lease;
mod location;
mod project;
