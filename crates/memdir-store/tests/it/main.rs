//! Integration tests of `memdir-store`.

mod apply;
mod conform;
mod crash;
mod lease;
mod location;
mod overlay;
mod project;
