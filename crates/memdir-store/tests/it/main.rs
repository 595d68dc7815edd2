//! Integration tests of `memdir-store`.

mod apply;
mod conform;
mod crash;
mod files;
mod folding;
mod journal;
mod lease;
mod local;
mod location;
mod model;
mod overlay;
mod project;
mod state;
mod trail;
mod undo;
