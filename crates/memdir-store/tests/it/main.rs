//! Integration tests of `memdir-store`.

mod apply;
mod lease;
mod location;
mod project;
