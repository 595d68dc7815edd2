//! The checks and chores of the memdir workspace, run as `cargo xtask <verb>`.
//!
//! Plain std: building it costs seconds, and no check of dependencies has dependencies of its own.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for developers: it prints, reads files and the clock, and runs cargo"
)]

use std::process::ExitCode;

mod bench;
mod ci;
mod deny;
mod docs;
mod features;
mod fuzz;
mod layers;
mod lint;
mod manifest;
mod marked;
mod metadata;
mod msrv;
mod package;
mod report;
mod session;
mod shell;
mod skips;
mod snapshots;
mod spdx;
mod suite;
mod tidy;
mod workspace;

use crate::report::{Outcome, Verdict};
use crate::session::{Depth, Generated, Session};

/// Errors that end a chore: a program that cannot be started, a file that cannot be read.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// One check of the workspace.
type Check = fn(&Session) -> Result<Outcome>;

const USAGE: &str = "\
usage: cargo xtask <verb>

  ci [--full]            what a change must pass; --full: what a release must pass
  fmt | clippy           rustfmt --check; clippy with warnings denied
  tidy                   house rules: docs, sizes, manifests, licences, words
  layers [--check]       dependencies only point down; writes the map in docs/architecture.md
  test                   unit, integration and end-to-end tests (nextest), then doctests
  snapshots              no pending and no orphaned snapshot files
  features [--full]      each crate alone with no and with all features
  docs [--check]         rustdoc without warnings; writes the generated parts of docs/
  msrv                   layers 0 to 2 keep to the oldest supported release of Rust
  package [--full]       every crate packs; --full: and builds from its package
  deny                   bans, licences and sources (cargo-deny)
  bench [args…]          the benchmarks, with their arguments
  fuzz [<target> [<s>]]  one fuzz target for some seconds (60); none: all bodies on their seeds
";

/// What may follow a verb.
const FLAGS: &[&str] = &["--full", "--check"];

/// The verbs that take other words too.
const TAKES_WORDS: &[&str] = &["bench", "fuzz"];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(code) => code,
        Err(error) => {
            println!("xtask: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Result<ExitCode> {
    let Some((verb, rest)) = args.split_first() else {
        println!("{USAGE}");
        return Ok(ExitCode::from(2));
    };
    if let Some(stray) = stray(verb, rest) {
        println!("xtask: `{verb}` takes no `{stray}`\n\n{USAGE}");
        return Ok(ExitCode::from(2));
    }
    let flag = |name: &str| rest.iter().any(|arg| arg == name);
    let depth = if flag("--full") { Depth::Full } else { Depth::Quick };
    let generated = if flag("--check") { Generated::Compare } else { Generated::Write };
    let session = Session::load(depth, generated)?;
    match verb.as_str() {
        "ci" => return ci::run(&session),
        "bench" => return bench::run(&session, rest),
        "fuzz" if !rest.is_empty() => return fuzz::run_one(&session, rest),
        "-h" | "--help" | "help" => {
            println!("{USAGE}");
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let Some((name, check)) = ci::CHECKS.iter().find(|(name, _)| name == verb) else {
        println!("xtask: no verb `{verb}`\n\n{USAGE}");
        return Ok(ExitCode::from(2));
    };
    let outcome = check(&session)?;
    print!("{}", outcome.describe(name));
    Ok(match outcome.verdict() {
        Verdict::Failed => ExitCode::FAILURE,
        Verdict::Passed | Verdict::Skipped => ExitCode::SUCCESS,
    })
}

/// The first word that the verb does not take: a mistyped `--check` must not write.
fn stray<'a>(verb: &str, rest: &'a [String]) -> Option<&'a str> {
    let is_known = |arg: &&String| FLAGS.contains(&arg.as_str()) || TAKES_WORDS.contains(&verb);
    rest.iter().find(|arg| !is_known(arg)).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_flag_is_found_and_words_of_other_programs_are_passed_on() {
        let words = |words: [&str; 2]| words.map(str::to_owned);
        assert_eq!(stray("docs", &words(["--full", "--chek"])), Some("--chek"));
        assert_eq!(stray("ci", &words(["--full", "--check"])), None);
        assert_eq!(stray("bench", &words(["scan", "--quick"])), None);
    }
}
