//! What is wrong in a memory directory, and mending what needs no judgement.

use clap::Args;
use memdir::core::text::escape_control;
use memdir::store::Outcome;
use memdir::{Finding, FindingKind, Fixed, Level};
use serde::Serialize;

use crate::error::{CliError, Exit};
use crate::output::{Out, Style};
use crate::place::Session;

/// Look for what is wrong in the memory directory
///
/// Files without an index line, lines without a file, duplicates, an index over its limits, frontmatter that could not be
/// read, files that were skipped, interrupted commits, files changed outside. Read-only without --fix. Exits with 1 on
/// findings other than remarks.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Repair what needs no judgement: index lines, interrupted commits, leftover files; `undo` takes it back
    #[arg(long)]
    fix: bool,
    /// Exit with 1 on remarks too
    #[arg(long)]
    strict: bool,
    /// Print `{"findings": […]}`
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire {
    /// With --fix: what was done, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixed: Vec<String>,
    /// What is left.
    findings: Vec<WireFinding>,
}

#[derive(Serialize)]
struct WireFinding {
    kind: &'static str,
    level: &'static str,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    /// Every line of the index that leads to the target of a duplicate.
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    lines: Vec<usize>,
    message: String,
    fixable: bool,
}

pub(crate) fn run(args: &Check, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let mut wire = Wire { fixed: Vec::new(), findings: Vec::new() };
    let (mut worst, mut fault) = (None, None);
    if let Some(memory) = session.open(&place)? {
        if args.fix {
            let fixed = memory.fix();
            wire.fixed = mended(&fixed);
            fault = fixed.fault;
        }
        let findings = memory.check()?;
        worst = findings.first().map(|finding| finding.level);
        wire.findings = findings.iter().map(WireFinding::from).collect();
    }
    let exit = match worst {
        Some(Level::Error | Level::Warning) => Exit::Nothing,
        Some(Level::Remark) if args.strict => Exit::Nothing,
        Some(Level::Remark) | None => Exit::Done,
    };
    if args.json {
        session.out.json(&wire)?;
        return fault.map_or(Ok(exit), |fault| Err(fault.into()));
    }
    for done in &wire.fixed {
        let done = session.out.paint(Style::Green, done);
        session.out.line(&done);
    }
    for finding in &wire.findings {
        print(finding, &mut session.out);
    }
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    if wire.findings.iter().any(|finding| finding.fixable) {
        session.out.note("`memdir check --fix` mends what is marked with *");
    }
    Ok(exit)
}

/// What was mended, one line each.
fn mended(fixed: &Fixed) -> Vec<String> {
    let recovered = fixed.recovered.iter().map(|recovered| match recovered.outcome {
        Outcome::Finished => format!("finished the interrupted operation {}", recovered.op),
        Outcome::TakenBack => format!("took back the interrupted operation {}", recovered.op),
    });
    let temps = (fixed.temps_removed > 0)
        .then(|| format!("removed temporary files: {}", fixed.temps_removed));
    let lines = fixed.lines.iter().map(|line| match &line.after {
        Some(after) => format!("added to MEMORY.md: {after}"),
        None => format!("removed from MEMORY.md: {}", line.before.as_deref().unwrap_or_default()),
    });
    recovered.chain(temps).chain(lines).collect()
}

impl From<&Finding> for WireFinding {
    fn from(finding: &Finding) -> Self {
        let target = match &finding.kind {
            FindingKind::Dangling { target } | FindingKind::Duplicate { target, .. } => {
                Some(target.to_string())
            }
            _ => None,
        };
        Self {
            kind: finding.kind.name(),
            level: match finding.level {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Remark => "remark",
            },
            path: finding.path.clone(),
            line: finding.line,
            target,
            lines: match &finding.kind {
                FindingKind::Duplicate { lines, .. } => lines.clone(),
                _ => Vec::new(),
            },
            message: finding.kind.to_string(),
            fixable: finding.fixable,
        }
    }
}

fn print(finding: &WireFinding, out: &mut Out) {
    let style = match finding.level {
        "error" => Style::Red,
        "warning" => Style::Yellow,
        _ => Style::Dim,
    };
    let level = out.paint(style, finding.level);
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let place = out.paint(Style::Bold, &format!("{}{line}", finding.path));
    let mark = if finding.fixable { " *" } else { "" };
    out.line(&format!("{level}: {place}: {}{mark}", escape_control(&finding.message)));
}
