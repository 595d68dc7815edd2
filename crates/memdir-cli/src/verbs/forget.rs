//! Removal that never shows what is removed.

mod session;

use clap::Args;
use memdir::core::MemPath;
use memdir::store::{Action, Changed, OpId, Purged, ReadStore};
use serde::Serialize;

use self::session::WireLeft;
use super::save::action;
use crate::error::{CliError, Exit};
use crate::output::{Out, Style};
use crate::place::{LocalMemory, Session};

/// Remove memories and their index lines, without printing what they say
///
/// `undo` brings them back, unless --purge removed what it would bring them back from. With --purge also a memory that is gone
/// already can be named, by its path or its title in the index. No background run writes again what was forgotten, until a
/// person saves it.
#[derive(Debug, Args)]
pub(crate) struct Forget {
    /// Path, file name, name, number in `list`, or the beginning of one of these that fits only one memory
    #[arg(required_unless_present = "session", conflicts_with = "session")]
    names: Vec<String>,
    /// The memories that come from this conversation, and what it proposed; told with what stays of it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Remove earlier texts, index lines and reasons from the journal too, beyond undo; only a person may do this
    #[arg(long)]
    purge: bool,
    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,
    /// Why, for the log; --purge removes this too
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Print what was removed as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    forgotten: Vec<&'a str>,
    dry_run: bool,
    purged: bool,
    /// With --purge: what the journal held of each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    from_journal: Vec<WirePurged<'a>>,
    /// With --session: proposals of it in the inbox, which go too.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposals: Option<usize>,
    /// With --session: what stays of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_covered: Vec<WireLeft>,
    /// Absent where nothing was written.
    op: Option<&'a str>,
}

#[derive(Serialize)]
struct WirePurged<'a> {
    path: &'a str,
    records: usize,
    reasons: usize,
    objects: usize,
    torn_lines: usize,
    /// Paths that it had before another program renamed it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    former: Vec<&'a str>,
}

pub(crate) fn run(args: &Forget, session: &mut Session) -> Result<Exit, CliError> {
    if args.purge {
        session.person_only("remove the earlier texts of a memory")?;
    }
    let place = session.place()?;
    let first = args.names.first().or(args.session.as_ref()).map_or("", String::as_str);
    let memory = session.open_for(&place, first)?;
    let lineage = args.session.as_deref().map(|id| memory.lineage(id)).transpose()?;
    let paths = match &lineage {
        Some(lineage) => lineage.memories.iter().map(|derived| derived.path.clone()).collect(),
        None => named(args, &memory)?,
    };
    let mut proposals = lineage.as_ref().map(|lineage| lineage.proposals.len());
    let mut there = Vec::new();
    let mut purged = Vec::new();
    let mut op = None;
    if args.dry_run {
        memory.rehearse_forget(&paths)?;
        for path in &paths {
            there.extend(memory.store().read_head(path, 0)?.map(|_| path));
        }
    } else if !paths.is_empty() {
        let receipt = memory.forget(&paths, args.reason.as_deref())?;
        let is_removed = |path: &&MemPath| {
            let removed = |changed: &Changed| changed.action == Action::Removed;
            receipt.changes.iter().any(|changed| changed.path == **path && removed(changed))
        };
        there.extend(paths.iter().filter(is_removed));
        op = receipt.has_changes().then_some(&receipt.op).cloned();
        if args.purge {
            for path in &paths {
                purged.push((path, memory.purge(path)?));
            }
        }
    }
    if let Some(id) = args.session.as_deref().filter(|_| !args.dry_run) {
        proposals = Some(memory.forget_proposals(id)?);
    }
    let exit = match proposals {
        Some(0) if paths.is_empty() => Exit::Nothing,
        _ => Exit::Done,
    };
    let not_covered = lineage.as_ref().map(session::left).unwrap_or_default();
    let done = Done { paths: &paths, there, purged };
    if args.json {
        let wire = Wire {
            forgotten: done.there.iter().map(|path| path.as_str()).collect(),
            dry_run: args.dry_run,
            purged: args.purge && !args.dry_run,
            from_journal: done.purged.iter().map(|(path, purged)| wire(path, purged)).collect(),
            proposals,
            not_covered,
            op: op.as_ref().map(OpId::as_str),
        };
        session.out.json(&wire)?;
    } else {
        print(args, &done, &mut session.out);
        if let Some(id) = &args.session {
            let count = proposals.unwrap_or_default();
            session::print(id, count, args.dry_run, &not_covered, &mut session.out);
        }
    }
    Ok(exit)
}

fn named(args: &Forget, memory: &LocalMemory) -> Result<Vec<MemPath>, CliError> {
    let find = |name| if args.purge { memory.find_kept(name) } else { memory.find(name) };
    let mut paths =
        args.names.iter().map(|name| find(name)).collect::<Result<Vec<MemPath>, _>>()?;
    paths.sort_unstable();
    paths.dedup();
    Ok(paths)
}

/// What was removed or, in a dry run, would be.
struct Done<'a> {
    /// The memories named, by path.
    paths: &'a [MemPath],
    /// Those of them that had a file.
    there: Vec<&'a MemPath>,
    /// What the journal held of each; empty without --purge and in a dry run.
    purged: Vec<(&'a MemPath, Purged)>,
}

fn print(args: &Forget, done: &Done<'_>, out: &mut Out) {
    let Done { paths, there, purged } = done;
    let mut say = |verb: &str, path: &MemPath, rest: &str| {
        let path = out.paint(Style::Bold, path.as_str());
        out.line(&format!("{verb} {path}{rest}"));
    };
    if args.dry_run {
        let from_journal = if args.purge { ", and what the journal holds of it" } else { "" };
        for path in *paths {
            if there.contains(&path) {
                say("would remove", path, from_journal);
            } else if args.purge {
                say("would remove what the journal holds of", path, "");
            }
        }
    } else if args.purge {
        for (path, purged) in purged {
            match counts(there.contains(path), purged) {
                Some(all) => say("removed for good", path, &format!(": {all}")),
                None => say("nothing is kept of", path, ""),
            }
            for former in &purged.former {
                say("  with what was kept of", former, ", as it was named before");
            }
        }
    } else {
        for path in there {
            say(action(Action::Removed), path, "");
        }
    }
}

fn wire<'a>(path: &'a MemPath, purged: &'a Purged) -> WirePurged<'a> {
    let Purged { records, reasons, objects, torn_lines, .. } = *purged;
    let former = purged.former.iter().map(MemPath::as_str).collect();
    WirePurged { path: path.as_str(), records, reasons, objects, torn_lines, former }
}

/// Counts what was removed for good, in words; `None` if nothing was.
fn counts(was_there: bool, purged: &Purged) -> Option<String> {
    let Purged { records, reasons, objects, torn_lines, .. } = *purged;
    let kinds = [
        (records, "record of the journal", "records of the journal"),
        (reasons, "reason", "reasons"),
        (objects, "object", "objects"),
        (torn_lines, "torn line", "torn lines"),
    ];
    let counted = kinds
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }));
    let file = was_there.then(|| "its file".to_owned());
    let all: Vec<_> = file.into_iter().chain(counted).collect();
    (!all.is_empty()).then(|| all.join(", "))
}
