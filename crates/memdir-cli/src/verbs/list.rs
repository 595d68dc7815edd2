//! All memories in a line each, and the problems met on the way.

use clap::Args;
use memdir::core::MemoryType;
use memdir::core::age::{Age, format_rfc3339};
use memdir::core::frontmatter::{DateSource, Origin};
use memdir::scan::{DateFrom, Header, Problem};
use serde::Serialize;

use super::memory_type;
use crate::error::{CliError, Exit};
use crate::output::{Align, Out, Style, Table};
use crate::place::Session;

/// List memories, newest first
///
/// Prints a number, type, name, file, age, size and description. The number, as well as the file, the name or the
/// beginning of either, names the memory to `show`, `edit` and `forget`. What could not be read is listed on stderr.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Print nothing that is written inside the files except name and type
    #[arg(long)]
    no_description: bool,
    /// With --json: descriptions, dates, flags and notes as well
    #[arg(long, requires = "json", conflicts_with = "no_description")]
    full: bool,
    /// Only memories of this type: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE", value_parser = memory_type(), hide_possible_values = true)]
    kind: Option<MemoryType>,
    /// At most this many, the newest [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print `{"memories": […]}`; without --full nothing from inside the files except name and type
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    memories: Vec<WireMemory<'a>>,
    problems: Vec<WireProblem>,
    /// Problems beyond those.
    #[serde(skip_serializing_if = "is_zero")]
    more_problems: usize,
}

/// Something that could not be read, in full or at all.
#[derive(Serialize)]
pub(super) struct WireProblem {
    path: String,
    message: String,
}

impl From<&Problem> for WireProblem {
    fn from(problem: &Problem) -> Self {
        Self { path: problem.path.clone(), message: problem.to_string() }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Serialize)]
struct WireMemory<'a> {
    /// Place in the list of all, from 1.
    number: usize,
    path: &'a str,
    name: Option<&'a str>,
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    age_days: Option<u64>,
    date: String,
    bytes: u64,
    #[serde(flatten)]
    full: Option<WireFull<'a>>,
}

#[derive(Serialize)]
struct WireFull<'a> {
    description: Option<&'a str>,
    /// `modified`, `updated` or `created` in its frontmatter, or `file`.
    date_from: &'static str,
    last_verified: Option<String>,
    pinned: bool,
    origin: Option<&'static str>,
    triggers: &'a [String],
    paths: &'a [String],
    notes: Vec<String>,
}

pub(crate) fn run(args: &List, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let scan = session.open(&place)?.map(|memory| memory.scan()).transpose()?;
    let headers = scan.as_ref().map_or(&[][..], |scan| &scan.headers);
    let chosen = headers
        .iter()
        .zip(1..)
        .filter(|(header, _)| args.kind.is_none_or(|kind| header.kind == Some(kind)))
        .take(args.limit.unwrap_or(usize::MAX));
    let problems: Vec<_> =
        scan.iter().flat_map(|scan| &scan.problems).map(WireProblem::from).collect();
    let more_problems = scan.as_ref().map_or(0, |scan| scan.more_problems);
    let now = session.world.now();
    if args.json {
        let memories = chosen
            .map(|(header, number)| WireMemory {
                number,
                path: header.path.as_str(),
                name: header.name.as_deref(),
                kind: header.kind.map(MemoryType::as_str),
                age_days: header.age(now).map(Age::days),
                date: format_rfc3339(header.date),
                bytes: header.len,
                full: args.full.then(|| full(header)),
            })
            .collect();
        session.out.json(&Wire { memories, problems, more_problems })?;
        return Ok(Exit::Done);
    }
    let columns = [
        (Align::Right, Style::Dim),
        (Align::Left, Style::Plain),
        (Align::Left, Style::Bold),
        (Align::Left, Style::Plain),
        (Align::Left, Style::Dim),
        (Align::Right, Style::Dim),
        (Align::Left, Style::Plain),
    ];
    let mut table = Table::new(columns);
    for (header, number) in chosen {
        let description = header.description.as_deref().filter(|_| !args.no_description);
        table.row([
            &number.to_string(),
            header.kind.map_or("-", MemoryType::as_str),
            header.title(),
            header.path.as_str(),
            &header.age(now).map_or_else(|| "age unknown".to_owned(), |age| age.to_string()),
            &size(header.len),
            description.unwrap_or_default(),
        ]);
    }
    table.print(&mut session.out);
    say_problems(&mut session.out, &problems, more_problems);
    Ok(Exit::Done)
}

fn full(header: &Header) -> WireFull<'_> {
    WireFull {
        description: header.description.as_deref(),
        date_from: match header.date_from {
            DateFrom::Own(DateSource::Modified) => "modified",
            DateFrom::Own(DateSource::Updated) => "updated",
            DateFrom::Own(DateSource::Created) => "created",
            _ => "file",
        },
        last_verified: header.last_verified.map(format_rfc3339),
        pinned: header.pinned,
        origin: header.origin.map(Origin::as_str),
        triggers: &header.triggers,
        paths: &header.paths,
        notes: header.notes.iter().map(ToString::to_string).collect(),
    }
}

/// Names on stderr what could not be read.
pub(super) fn say_problems(out: &mut Out, problems: &[WireProblem], more: usize) {
    let count = problems.len() + more;
    if count == 0 {
        return;
    }
    let what = if count == 1 { "1 problem".to_owned() } else { format!("{count} problems") };
    let warning = CliError::warning(what).hint("`memdir check` tells all of them");
    out.warn(&problems.iter().fold(warning, |warning, problem| warning.item(&problem.message)));
}

/// Bytes for people: `82 B`, `4.1 KiB`.
pub(super) fn size(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    const GIB: u64 = 1 << 30;
    let (unit, name) = match bytes {
        0..KIB => return format!("{bytes} B"),
        KIB..MIB => (KIB, "KiB"),
        MIB..GIB => (MIB, "MiB"),
        GIB.. => (GIB, "GiB"),
    };
    let tenths = bytes.saturating_mul(10) / unit;
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}
