//! Integration tests of `memdir-store`.

mod apply;
mod conform;
mod crash;
mod lease;
mod local;
mod location;
mod overlay;
mod project;
