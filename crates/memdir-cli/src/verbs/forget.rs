//! Removal that never shows what is removed.

use clap::Args;
use memdir::core::MemPath;
use memdir::store::{Action, OpId};
use serde::Serialize;

use super::save::action;
use crate::error::{CliError, Exit};
use crate::output::Style;
use crate::place::Session;

/// Remove memories and their index lines, without printing what they say
///
/// `undo` brings them back, unless --purge removed what it would bring them back from.
#[derive(Debug, Args)]
pub(crate) struct Forget {
    /// Path, file name, name, number in `list`, or the beginning of one of these that fits only one memory
    #[arg(required = true)]
    names: Vec<String>,
    /// Remove the earlier texts from the journal too, beyond undo; only a person may do this
    #[arg(long)]
    purge: bool,
    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,
    /// Why, for the log
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
    /// Absent where nothing was written.
    op: Option<&'a str>,
}

pub(crate) fn run(args: &Forget, session: &mut Session) -> Result<Exit, CliError> {
    if args.purge {
        session.person_only("remove the earlier texts of a memory")?;
    }
    let place = session.place()?;
    let first = args.names.first().map_or("", String::as_str);
    let memory = session.open_for(&place, first)?;
    let mut paths =
        args.names.iter().map(|name| memory.find(name)).collect::<Result<Vec<MemPath>, _>>()?;
    paths.sort_unstable();
    paths.dedup();
    let mut op = None;
    if args.dry_run {
        memory.rehearse_forget(&paths)?;
    } else {
        let receipt = memory.forget(&paths, args.reason.as_deref())?;
        paths.retain(|path| {
            receipt
                .changes
                .iter()
                .any(|changed| changed.path == *path && changed.action == Action::Removed)
        });
        op = receipt.has_changes().then_some(receipt.op);
        if args.purge {
            for path in &paths {
                memory.purge(path)?;
            }
        }
    }
    let out = &mut session.out;
    if args.json {
        let wire = Wire {
            forgotten: paths.iter().map(MemPath::as_str).collect(),
            dry_run: args.dry_run,
            purged: args.purge && !args.dry_run,
            op: op.as_ref().map(OpId::as_str),
        };
        out.json(&wire)?;
        return Ok(Exit::Done);
    }
    let done = match (args.dry_run, args.purge) {
        (true, _) => "would remove",
        (false, true) => "removed for good",
        (false, false) => action(Action::Removed),
    };
    for path in &paths {
        let path = out.paint(Style::Bold, path.as_str());
        out.line(&format!("{done} {path}"));
    }
    Ok(Exit::Done)
}
