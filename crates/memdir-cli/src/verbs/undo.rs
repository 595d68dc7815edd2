//! Taking operations back.

use clap::Args;
use memdir::core::MemPath;
use memdir::store::{OpId, UndoReport, UndoTarget, UndoWhat};
use serde::Serialize;

use super::save::action;
use crate::error::{CliError, Exit};
use crate::output::{Out, Style};
use crate::place::Session;

/// Take back an operation or a whole run
///
/// Files that nobody changed since get their old bytes again; from others the change is taken out where it can be told from
/// what came later, and where it cannot they are left and named, each with its index line, and the command exits with 3; then
/// it can be tried again. Where nothing is left to undo, or the last operation was purged, it exits with 1. An undo can be undone
/// by its id.
#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// Operation, as printed by `log`, or the beginning of its id [default: the last one that was not undone]
    #[arg(value_name = "OP", conflicts_with_all = ["run", "last"])]
    operation: Option<String>,
    /// Take back all operations of this run
    #[arg(long, value_name = "RUN", conflicts_with = "last")]
    run: Option<String>,
    /// The last operation that was not undone
    #[arg(long)]
    last: bool,
    /// Only say what would be taken back now, and what would be left
    #[arg(long)]
    dry_run: bool,
    /// Print what was taken back as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire {
    /// The operations taken back, wholly or in part, newest first.
    undone: Vec<String>,
    /// Those of them of which something was left.
    incomplete: Vec<String>,
    /// Operations meant that were undone before.
    undone_before: Vec<String>,
    dry_run: bool,
    /// The undo itself; absent where nothing was written.
    op: Option<String>,
    files: Vec<WireFile>,
    conflicts: Vec<WireConflict>,
}

#[derive(Serialize)]
struct WireFile {
    path: String,
    action: &'static str,
}

#[derive(Serialize)]
struct WireConflict {
    path: String,
    /// Whether a line of the index was left with it.
    index_line: bool,
    message: String,
}

pub(crate) fn run(args: &Undo, session: &mut Session) -> Result<Exit, CliError> {
    let place = session.place()?;
    let nothing = || {
        CliError::new(Exit::Nothing, "there is nothing to undo")
            .at(place.directory())
            .hint("`memdir log` lists the operations")
    };
    let memory = session.open(&place)?.ok_or_else(nothing)?;
    let target = match (&args.run, &args.operation) {
        (Some(run), _) => UndoTarget::run(run.as_str()),
        (None, Some(prefix)) => UndoTarget::op(memory.operation(prefix)?),
        (None, None) => {
            let last = memory.last_standing_operation()?.ok_or_else(nothing)?;
            let undoable = memory.last_operation()?;
            if undoable.as_ref() != Some(&last) {
                return Err(not_kept(&last, undoable.as_ref()));
            }
            UndoTarget::op(last)
        }
    };
    let report =
        if args.dry_run { memory.rehearse_undo(&target)? } else { memory.undo(&target, None)? };
    let wire = wire(&report, args.dry_run);
    // What conflicts once does so again: without an id the next undo would try the same operation.
    let earlier = match &target.what {
        UndoWhat::Op(op) if wire.undone.is_empty() && !wire.conflicts.is_empty() => {
            memory.operation_before(op)?
        }
        _ => None,
    };
    let exit = match (wire.conflicts.is_empty(), wire.undone.is_empty()) {
        (false, _) => Exit::Refused,
        (true, true) => Exit::Nothing,
        (true, false) => Exit::Done,
    };
    if args.json {
        session.out.json(&wire)?;
        return Ok(exit);
    }
    print(&wire, earlier.as_ref(), &mut session.out);
    if exit == Exit::Nothing {
        session.out.warn(&CliError::warning(nothing_left(&target, &wire)));
    }
    Ok(exit)
}

/// Who asks for the last operation means that one, so an earlier one is only named.
fn not_kept(last: &OpId, earlier: Option<&OpId>) -> CliError {
    let message = format!("the last operation, `{last}`, cannot be taken back");
    let error = CliError::new(Exit::Nothing, message)
        .because("what it replaced is not kept any more: it was purged, or is too old");
    match earlier {
        Some(op) => error.hint(format!("`memdir undo {op}` takes back the operation before it")),
        None => error.hint("`memdir log` lists the operations"),
    }
}

/// Says what was undone and what was left; `earlier` is the operation to go on with where nothing could be undone.
fn print(wire: &Wire, earlier: Option<&OpId>, out: &mut Out) {
    let verb = if wire.dry_run { "would undo" } else { "undid" };
    for op in &wire.undone {
        let part = if wire.incomplete.contains(op) { " in part" } else { "" };
        let op = out.paint(Style::Bold, op);
        out.line(&format!("{verb} {op}{part}"));
    }
    for file in &wire.files {
        let path = out.escaped(&file.path);
        out.line(&format!("  {} {path}", file.action));
    }
    for conflict in &wire.conflicts {
        let left = match (wire.dry_run, conflict.index_line) {
            (false, true) => "and its index line were left as they are",
            (false, false) => "was left as it is",
            (true, true) => "and its index line would be left as they are",
            (true, false) => "would be left as it is",
        };
        let warning =
            CliError::warning(format!("`{}` {left}: {}", conflict.path, conflict.message));
        let mut warning = warning.hint(format!("memdir log {} --diff", conflict.path));
        if let Some(op) = earlier {
            warning = warning.hint(format!("memdir undo {op}, which is the operation before it"));
        }
        out.warn(&warning);
    }
}

/// Says why nothing was undone though nothing was in the way.
fn nothing_left(target: &UndoTarget, wire: &Wire) -> String {
    let is_undone = !wire.undone_before.is_empty();
    match &target.what {
        UndoWhat::Op(op) if is_undone => format!("operation `{op}` is undone already"),
        UndoWhat::Run(run) if is_undone => format!("no operation of run `{run}` stands"),
        _ => "nothing was changed: all files are as they were before".to_owned(),
    }
}

fn wire(report: &UndoReport, dry_run: bool) -> Wire {
    let receipt = report.receipt.as_ref();
    let files = receipt.iter().flat_map(|receipt| {
        let index =
            receipt.index.as_ref().map(|index| (MemPath::index().to_string(), index.action));
        receipt
            .changes
            .iter()
            .map(|changed| (changed.path.to_string(), changed.action))
            .chain(index)
    });
    let ids = |ops: &[OpId]| {
        // What nothing was done about is not undone in part either.
        let ops = ops.iter().filter(|_| receipt.is_some());
        ops.map(OpId::to_string).collect()
    };
    Wire {
        undone: ids(&report.ops),
        incomplete: ids(&report.incomplete),
        undone_before: report.undone_before.iter().map(OpId::to_string).collect(),
        dry_run,
        op: receipt.filter(|_| !dry_run).map(|receipt| receipt.op.to_string()),
        files: files.map(|(path, done)| WireFile { path, action: action(done) }).collect(),
        conflicts: report
            .conflicts
            .iter()
            .map(|conflict| WireConflict {
                path: conflict.path.to_string(),
                index_line: conflict.has_line,
                message: conflict.reason.to_string(),
            })
            .collect(),
    }
}
