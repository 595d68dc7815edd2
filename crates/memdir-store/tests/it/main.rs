//! Integration tests of `memdir-store`.

mod apply;
mod crash;
mod lease;
mod location;
mod overlay;
mod project;
