//! The `memdir` command.

fn main() {}
