//! Parses a command line without options and does nothing else: what the start of a program with clap costs.

use clap::Parser;

/// Does nothing.
#[derive(Debug, Parser)]
struct Nothing {}

fn main() {
    std::hint::black_box(Nothing::parse());
}
