//! Measures how long an answer takes: `cargo run --release --example recall_latency -- DIRECTORY QUESTION…`
//!
//! Prints medians of wall time: of the whole from opening the directory to the attachments, of its parts, and of a
//! question alone once the memories are indexed.
#![expect(clippy::disallowed_methods, reason = "a program that measures reads the clock")]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::{
    error::Error,
    hint::black_box,
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use memdir_recall::{Document, Lexical, Options, Query, recall};
use memdir_scan::{scan, scan_with};
use memdir_store::LocalDir;

/// Times that each part is measured.
const ROUNDS: usize = 101;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((directory, questions)) = arguments.split_first().filter(|(_, rest)| !rest.is_empty())
    else {
        return Err("usage: recall_latency DIRECTORY QUESTION…".into());
    };
    let open = || LocalDir::open(Path::new(directory), memdir_store::Options::default());
    let (store, now, lexical) = (open()?, SystemTime::now(), Lexical::new());
    let scanning = memdir_scan::Options::new(now);
    let (headers, bodies) = scan_with(&store, &scanning, |_, head| head.body.to_owned())?;
    let memories = headers.headers.iter().zip(&bodies);
    let documents: Vec<_> = memories.map(|(header, body)| Document::of(header, body)).collect();
    let index = lexical.index(&documents);
    println!(
        "{} of {} memories, {} bytes of bodies",
        documents.len(),
        headers.total,
        bodies.concat().len()
    );

    say("scan", || black_box(open().and_then(|store| scan(&store, &scanning))).is_ok());
    say("index", || !black_box(lexical.index(&documents)).rank(&Query::new("")).hits.is_empty());
    for question in questions {
        let query = Query::new(question);
        println!("{question}");
        let whole = || recall(&open()?, &lexical, &query, &Options::new(now));
        say("  open, scan, read, rank, attach", || black_box(whole()).is_ok());
        say("  rank without an index", || {
            black_box(lexical.rank(&query, &documents)).silence.is_none()
        });
        say("  rank with an index", || black_box(index.rank(&query)).silence.is_none());
        for attachment in &whole()?.attachments {
            println!("    {} ({})", attachment.path, attachment.why);
        }
    }
    Ok(())
}

fn say(what: &str, mut part: impl FnMut() -> bool) {
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(part());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    println!("{what}: median {:?}, best {:?}", at(50), at(0));
}
