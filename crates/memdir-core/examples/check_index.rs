//! Checks an index given on the command line against files named after it, and prints what is wrong.
//!
//! `cargo run --example check_index -- '- [Role](user_role.md)' user_role.md orphan.md`

use std::{
    env,
    io::{self, Write},
};

use memdir_core::{MemPath, PathFault, index};

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let text = arguments.next().unwrap_or_else(|| "- [Gone](gone.md) — no such file\n".to_owned());
    let (names, faults): (Vec<Result<MemPath, PathFault>>, Vec<_>) =
        arguments.map(|name| MemPath::parse(&name)).partition(Result::is_ok);
    let names: Vec<MemPath> = names.into_iter().flatten().collect();

    let mut out = io::stdout().lock();
    for fault in faults.into_iter().filter_map(Result::err) {
        writeln!(out, "refused: {fault}")?;
    }
    let found = index::check(&text, &names, |_| None);
    for path in &found.orphans {
        writeln!(out, "no line in the index: {path}")?;
    }
    for dangling in &found.dangling {
        writeln!(out, "line {} leads to no file: {}", dangling.line, dangling.target)?;
    }
    Ok(())
}
