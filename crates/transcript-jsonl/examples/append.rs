//! Appends lines beside other writers, and says of each that it is there: `cargo run --example append FILE WRITER COUNT`.
#![expect(clippy::disallowed_methods, reason = "an example opens the file that it is given")]

use std::fs::File;
use std::io::{self, Write as _};

use transcript_jsonl::{Appender, Sharing};

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(writer), Some(count)) = (args.next(), args.next(), args.next()) else {
        return Err(io::Error::other("usage: append FILE WRITER COUNT"));
    };
    let count: u64 = count.parse().map_err(io::Error::other)?;
    let file = File::options().read(true).append(true).create(true).open(path)?;
    let mut appender = Appender::open(file, Sharing::Shared).map_err(io::Error::other)?;
    let mut out = io::stdout().lock();
    for at in 0..count {
        let padding = "x".repeat(usize::try_from(at % 97 * 40).map_err(io::Error::other)?);
        let line = format!(
            "{{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"{writer}-{at}\",\"padding\":\"{padding}\"}}"
        );
        appender.append(&line).map_err(io::Error::other)?;
        // Whoever reads this may count on the line.
        writeln!(out, "{writer}-{at}")?;
        out.flush()?;
    }
    Ok(())
}
