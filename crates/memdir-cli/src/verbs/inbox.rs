//! What background runs proposed and a person decides on.

use clap::{Args, Subcommand};
use memdir::change::{self, Inbox as Waiting, InboxError, Item, OpWord, ProposedFile, Standing};
use memdir::core::age::format_rfc3339;
use memdir::store::{OpId, ReadStore};
use serde::Serialize;

use super::log::patch;
use crate::error::{CliError, Exit, chain};
use crate::output::{Out, Style};
use crate::place::{LocalMemory, Session};

/// Look through what background runs propose, and apply or dismiss it
///
/// A run does by itself what the policy allows. The rest waits here with the reason: deletions, what nobody said, what comes
/// from outside, what takes too much away, and what met a change of somebody else. It waits 90 days.
#[derive(Debug, Args)]
pub(crate) struct Inbox {
    #[command(subcommand)]
    part: Part,
}

#[derive(Debug, Subcommand)]
enum Part {
    List(List),
    Show(Show),
    Apply(Apply),
    Dismiss(Dismiss),
}

/// List what waits, oldest first
#[derive(Debug, Args)]
struct List {
    /// Print `{"proposals": […]}`
    #[arg(long)]
    json: bool,
}

/// Show proposals with their changes line by line
#[derive(Debug, Args)]
struct Show {
    /// Number in `inbox list`
    #[arg(required = true)]
    ids: Vec<u64>,
    /// Print `{"proposals": […]}`
    #[arg(long)]
    json: bool,
}

/// Make the changes of proposals; only a person may do this
///
/// Each is checked again and made in full or not at all, as an operation of its own that `undo` takes back. What was changed
/// since it was proposed is stale: it is not applied and stays until it is dismissed.
#[derive(Debug, Args)]
struct Apply {
    /// Number in `inbox list`
    #[arg(required = true)]
    ids: Vec<u64>,
    /// Print what was applied as JSON
    #[arg(long)]
    json: bool,
}

/// Throw proposals away; only a person may do this
///
/// A new memory that is dismissed counts as forgotten: no run proposes it again until a person saves it.
#[derive(Debug, Args)]
struct Dismiss {
    /// Number in `inbox list`
    #[arg(required = true)]
    ids: Vec<u64>,
    /// Print what was dismissed as JSON
    #[arg(long)]
    json: bool,
}

impl Inbox {
    /// `--json` was given.
    pub(crate) fn json(&self) -> bool {
        match &self.part {
            Part::List(args) => args.json,
            Part::Show(args) => args.json,
            Part::Apply(args) => args.json,
            Part::Dismiss(args) => args.json,
        }
    }
}

#[derive(Serialize)]
struct Wire {
    proposals: Vec<WireItem>,
}

#[derive(Serialize)]
struct WireItem {
    id: u64,
    at: String,
    /// Who proposes it: `worker:NAME`.
    actor: String,
    run: Option<String>,
    session: Option<String>,
    /// Why it waits.
    waits: String,
    /// `open`, `done` or `stale`.
    standing: &'static str,
    operations: Vec<WireOperation>,
    files: Vec<WireFile>,
    /// Memories whose line in the index changes.
    index_lines: Vec<String>,
}

#[derive(Serialize)]
struct WireOperation {
    op: &'static str,
    reason: String,
    origin: &'static str,
    evidence: Vec<WireEvidence>,
}

#[derive(Serialize)]
struct WireEvidence {
    session: Option<String>,
    message: String,
    quote: String,
}

#[derive(Serialize)]
struct WireFile {
    path: String,
    action: &'static str,
    /// Only in `show`.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

/// What became of the proposals that were named.
#[derive(Serialize)]
struct WireDecided {
    /// `applied` or `dismissed`.
    decision: &'static str,
    done: Vec<WireDone>,
    failed: Vec<WireFailed>,
}

#[derive(Serialize)]
struct WireDone {
    id: u64,
    /// Absent where nothing was left to change.
    op: Option<String>,
}

#[derive(Serialize)]
struct WireFailed {
    id: u64,
    reason: String,
}

pub(crate) fn run(args: &Inbox, session: &mut Session) -> Result<Exit, CliError> {
    match &args.part {
        Part::List(_) => list(session),
        Part::Show(args) => show(&args.ids, session),
        Part::Apply(args) => {
            session.person_only("apply what a run proposes")?;
            decide(&args.ids, "applied", session, |memory, id| {
                let receipt = change::apply(memory.store(), id, memory.by())?;
                Ok(receipt.has_changes().then_some(receipt.op))
            })
        }
        Part::Dismiss(args) => {
            session.person_only("dismiss what a run proposes")?;
            let now = session.world.now();
            decide(&args.ids, "dismissed", session, |memory, id| {
                change::dismiss(memory.store(), id, now).map(|_| None)
            })
        }
    }
}

fn list(session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let mut proposals = Vec::new();
    if let Some(memory) = session.open(&place)? {
        for item in &Waiting::read(memory.store())?.items {
            proposals.push(wire(item, &memory, Detail::Names)?);
        }
    }
    let out = &mut session.out;
    if out.form == crate::output::Form::Json {
        out.json(&Wire { proposals })?;
    } else if proposals.is_empty() {
        out.note("nothing waits for you");
    } else {
        for item in &proposals {
            print(item, out);
        }
    }
    Ok(Exit::Done)
}

fn show(ids: &[u64], session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let first = ids.first().copied().unwrap_or_default();
    let memory = session.open(&place)?.ok_or_else(|| missing(first))?;
    let inbox = Waiting::read(memory.store())?;
    let mut proposals = Vec::new();
    for id in ids {
        let item = inbox.item(*id).ok_or_else(|| missing(*id))?;
        proposals.push(wire(item, &memory, Detail::Lines)?);
    }
    let out = &mut session.out;
    if out.form == crate::output::Form::Json {
        out.json(&Wire { proposals })?;
    } else {
        for item in &proposals {
            print(item, out);
        }
    }
    Ok(Exit::Done)
}

/// Decides on each proposal; what fails is told, and the others are decided on all the same.
fn decide(
    ids: &[u64],
    decision: &'static str,
    session: &mut Session,
    work: impl Fn(&LocalMemory, u64) -> Result<Option<OpId>, InboxError>,
) -> Result<Exit, CliError> {
    let place = session.place()?;
    let first = ids.first().copied().unwrap_or_default();
    let memory = session.open(&place)?.ok_or_else(|| missing(first))?;
    let mut wire = WireDecided { decision, done: Vec::new(), failed: Vec::new() };
    let mut exit = Exit::Done;
    for id in ids {
        match work(&memory, *id) {
            Ok(op) => wire.done.push(WireDone { id: *id, op: op.map(|op| op.to_string()) }),
            Err(error) => {
                let reason = chain(&error);
                let error = failed(error);
                exit = error.exit;
                if ids.len() == 1 {
                    return Err(error);
                }
                wire.failed.push(WireFailed { id: *id, reason });
                session.out.warn(&error);
            }
        }
    }
    let out = &mut session.out;
    if out.form == crate::output::Form::Json {
        out.json(&wire)?;
        return Ok(exit);
    }
    for done in &wire.done {
        let op = done.op.as_ref().map(|op| format!(", undo with `memdir undo {op}`"));
        out.line(&format!("{decision} {}{}", done.id, op.unwrap_or_default()));
    }
    Ok(exit)
}

fn missing(id: u64) -> CliError {
    CliError::new(Exit::Nothing, InboxError::Missing { id }.to_string())
        .hint("`memdir inbox list` shows what waits")
}

fn failed(error: InboxError) -> CliError {
    let text = error.to_string();
    match error {
        InboxError::Missing { id } => missing(id),
        InboxError::Stale { id, path } => CliError::refused(text)
            .hint(format!("memdir log {path} --diff"))
            .hint(format!("memdir inbox dismiss {id}")),
        InboxError::Store(error) => error.into(),
        InboxError::Apply(error) => error.into(),
        _ => CliError::refused(text),
    }
}

/// How much of a file is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Names,
    Lines,
}

fn wire(item: &Item, memory: &LocalMemory, detail: Detail) -> Result<WireItem, CliError> {
    let operations = item.operations.iter().map(|asked| WireOperation {
        op: asked.word.map_or("unknown", OpWord::as_str),
        reason: asked.reason.clone(),
        origin: asked.origin.as_str(),
        evidence: asked
            .evidence
            .iter()
            .map(|evidence| WireEvidence {
                session: evidence.session.clone(),
                message: evidence.message.clone(),
                quote: evidence.quote.clone(),
            })
            .collect(),
    });
    let files = item.files.iter().map(|file| wire_file(file, memory, detail));
    Ok(WireItem {
        id: item.id,
        at: format_rfc3339(item.at),
        actor: item.actor.clone(),
        run: item.run.clone(),
        session: item.session.clone(),
        waits: item.waits.clone(),
        standing: match item.standing(memory.store())? {
            Standing::Open => "open",
            Standing::Done => "done",
            Standing::Stale { .. } => "stale",
        },
        operations: operations.collect(),
        files: files.collect::<Result<_, _>>()?,
        index_lines: item.index.iter().map(|op| op.path().to_string()).collect(),
    })
}

fn wire_file(
    file: &ProposedFile,
    memory: &LocalMemory,
    detail: Detail,
) -> Result<WireFile, CliError> {
    let action = match (file.before, &file.after) {
        (None, _) => "create",
        (Some(_), Some(_)) => "update",
        (Some(_), None) => "remove",
    };
    let diff = match detail {
        Detail::Names => None,
        Detail::Lines => {
            let now = memory.store().read(&file.path)?.unwrap_or_default();
            let after = file.after.clone().unwrap_or_default();
            Some(patch(Some(now), Some(after.into_bytes())))
        }
    };
    Ok(WireFile { path: file.path.to_string(), action, diff })
}

fn print(item: &WireItem, out: &mut Out) {
    let id = out.paint(Style::Bold, &item.id.to_string());
    let run = item.run.as_ref().map(|run| format!(", run {run}")).unwrap_or_default();
    let stale =
        if item.standing == "open" { String::new() } else { format!(" ({})", item.standing) };
    let head = out.escaped(&format!("by {}{run}, {}{stale}", item.actor, item.at));
    out.line(&format!("{id}  {head}"));
    let mut line = |text: &str| {
        let text = out.escaped(text);
        out.line(&format!("   {text}"));
    };
    line(&format!("waits: {}", item.waits));
    for operation in &item.operations {
        line(&format!("{}: {}", operation.op, operation.reason));
        for WireEvidence { message, quote, .. } in &operation.evidence {
            line(&format!("  {message} says: {quote}"));
        }
    }
    for file in &item.files {
        line(&format!("{} {}", file.action, file.path));
    }
    for diff in item.files.iter().filter_map(|file| file.diff.as_ref()) {
        out.text(diff);
    }
}
