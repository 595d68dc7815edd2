//! Integration tests of `memdir-recall`.
#![cfg(test)]

mod attach;
mod cases;
mod hostile;
mod model;
mod props;
mod questions;
mod ranking;
mod shelf;
mod silence;
mod summons;
mod verify;
