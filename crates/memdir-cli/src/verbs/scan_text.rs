//! What is suspicious in a text: secrets, hidden characters, orders to a model.

#![expect(clippy::disallowed_methods, reason = "the file that a person names, which lies anywhere")]

use std::fs::File;
use std::io::{IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};

use clap::Args;
use memdir::guard::{Finding, Kind, scan};
use serde::Serialize;

use crate::error::{CliError, Exit};
use crate::output::{Out, Style};
use crate::place::Session;

/// Most bytes that are read. Ours: far over any text for a model, and a bound for a pipe without end.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Look for secrets, hidden characters and orders to a model in a text
///
/// Prints line, column, kind and rule of each finding, never a secret itself. Needs no memory directory. Bytes that are
/// not UTF-8 count as one character each. Exits with 1 on findings.
#[derive(Debug, Args)]
pub(crate) struct ScanText {
    /// The text [default: read from stdin]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print `{"findings": […]}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire {
    findings: Vec<WireFinding>,
}

#[derive(Serialize)]
struct WireFinding {
    /// From 1, as columns are, which count characters.
    line: usize,
    column: usize,
    /// Bytes from the start of the text.
    start: usize,
    end: usize,
    kind: &'static str,
    rule: &'static str,
    /// What hidden characters say.
    #[serde(skip_serializing_if = "Option::is_none")]
    decoded: Option<String>,
    message: String,
}

pub(crate) fn run(args: &ScanText, session: &mut Session) -> Result<Exit, CliError> {
    let file = args.file.as_deref().filter(|file| *file != Path::new("-"));
    let bytes = match file {
        Some(file) => File::open(file).and_then(read).map_err(|error| {
            CliError::io("the text cannot be read", &error).at(file.display().to_string())
        })?,
        None => from_stdin(&mut session.out)?,
    };
    if bytes.len() as u64 > MAX_BYTES {
        return Err(CliError::refused(format!("the text is larger than {MAX_BYTES} bytes")));
    }
    let found = scan(&String::from_utf8_lossy(&bytes));
    let exit = if found.is_empty() { Exit::Done } else { Exit::Nothing };
    let wire = Wire { findings: found.into_iter().map(WireFinding::from).collect() };
    if args.json {
        session.out.json(&wire)?;
        return Ok(exit);
    }
    for finding in &wire.findings {
        let WireFinding { line, column, kind, rule, .. } = finding;
        let place = session.out.paint(Style::Bold, &format!("{line}:{column}"));
        let said = finding.decoded.as_ref();
        let said = said.map(|text| format!(" \"{}\"", text.escape_debug())).unwrap_or_default();
        session.out.line(&format!("{place} {kind} {rule}{said}"));
    }
    Ok(exit)
}

fn from_stdin(out: &mut Out) -> Result<Vec<u8>, CliError> {
    if stdin().is_terminal() {
        out.note("reading the text from the terminal; end it with Ctrl-D on a line of its own");
    }
    read(stdin().lock()).map_err(|error| CliError::io("stdin cannot be read", &error))
}

/// One byte more than may be, so that a longer text is told from a cut one.
fn read(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl From<Finding> for WireFinding {
    fn from(finding: Finding) -> Self {
        Self {
            line: finding.line,
            column: finding.column,
            start: finding.span.start,
            end: finding.span.end,
            kind: finding.kind.name(),
            rule: finding.kind.rule(),
            message: finding.kind.to_string(),
            decoded: match finding.kind {
                Kind::Hidden { decoded, .. } => decoded,
                _ => None,
            },
        }
    }
}
