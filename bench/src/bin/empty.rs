//! Does nothing: what the start of a process costs.

fn main() {}
