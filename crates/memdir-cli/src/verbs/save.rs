//! A new memory or a new version of one; what is printed is what lies on the disk.

use std::io::{IsTerminal, Read, stdin};

use clap::Args;
use memdir::core::frontmatter::NewMemory;
use memdir::core::limits::INDEX_LINE_CHARS;
use memdir::core::{MemPath, MemoryType};
use memdir::guard::secrets;
use memdir::store::limits::MAX_FILE_BYTES;
use memdir::store::{Action, OpId};
use memdir::{Remark, Saved};
use serde::Serialize;

use super::memory_type;
use crate::error::{CliError, Exit, chain};
use crate::output::{Out, Style};
use crate::place::{LocalMemory, Session};

/// Save a memory and its line in the index
///
/// The memory with the same name and type is updated; where nothing would change nothing is written. The file of
/// another memory is never overwritten. Warns of secrets, hidden characters and orders to a model, and refuses a secret in
/// name, file or title, which are printed wherever the memory is listed. Prints path, action, bytes and SHA-256 after the file was synced and read again.
#[derive(Debug, Args)]
pub(crate) struct Save {
    /// What kind of memory: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE", value_parser = memory_type(), hide_possible_values = true)]
    kind: MemoryType,
    /// Short name, a few words
    #[arg(long)]
    name: String,
    /// One line that tells when the memory matters; recall reads it first
    #[arg(long)]
    description: String,
    /// The text [default: read from stdin]
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    body: Option<String>,
    /// File below the memory directory [default: made from type and name]
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Title of the index line [default: the name]
    #[arg(long)]
    title: Option<String>,
    /// Text of the index line after the title [default: the description]
    #[arg(long, value_name = "TEXT")]
    hook: Option<String>,
    /// Only a person may change it later; only a person may set this
    #[arg(long)]
    pinned: bool,
    /// Recall it whenever the question contains these words; may be given again
    #[arg(long = "trigger", value_name = "WORDS")]
    triggers: Vec<String>,
    /// Recall it when files matching this pattern are in use; may be given again
    #[arg(long = "path", value_name = "GLOB")]
    paths: Vec<String>,
    /// Why, for the log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Print path, action, bytes and SHA-256 as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    path: &'a str,
    action: &'static str,
    bytes: u64,
    sha256: String,
    index_line: Option<&'a str>,
    /// Absent where nothing was written.
    op: Option<&'a str>,
    merged: bool,
    /// At most [`REMARKS_IN_JSON`], and one that counts the others.
    remarks: Vec<String>,
}

/// Most warnings that are printed. Ours: more would push what was done off the screen.
const REMARKS_SHOWN: usize = 5;
/// Most remarks under `--json`. Ours: a client may read them all to its model.
const REMARKS_IN_JSON: usize = 100;

pub(crate) fn run(args: &Save, session: &mut Session) -> Result<Exit, CliError> {
    refuse_secrets(args)?;
    let file = args.file.as_deref().map(parse_path).transpose()?;
    let body = match &args.body {
        Some(body) => body.clone(),
        None => body_from_stdin(&mut session.out)?,
    };
    let place = session.place()?;
    let memory = session.open_to_write(&place)?;
    let mut new = NewMemory::new(args.name.trim(), args.description.trim(), Some(args.kind), &body);
    new.pinned = args.pinned;
    new.triggers = &args.triggers;
    new.paths = &args.paths;
    let mut save = memdir::Save::new(new);
    save.file = file.as_ref();
    save.title = args.title.as_deref();
    save.hook = args.hook.as_deref();
    save.reason = args.reason.as_deref();
    let saved = memory.save(&save)?;
    remember(&memory, &saved, session);
    for finding in save.reason.map(secrets).into_iter().flatten().take(1) {
        let told = format!("the reason, which `memdir log` prints, {}", finding.kind);
        session.out.warn(&CliError::warning(told));
    }
    print(&saved, session)
}

/// What names a memory is printed with each mention of it, and makes up the name of its file.
fn refuse_secrets(args: &Save) -> Result<(), CliError> {
    let names = [
        ("--name", Some(args.name.as_str())),
        // A token that is a whole name ends at the dot.
        ("--file", args.file.as_deref().map(|file| file.strip_suffix(".md").unwrap_or(file))),
        ("--title", args.title.as_deref()),
    ];
    for (option, text) in names {
        if let Some(finding) = text.and_then(|text| secrets(text).into_iter().next()) {
            let error = CliError::refused(format!("what {option} gives {}", finding.kind));
            return Err(error
                .because("it would be printed wherever the memory is listed")
                .hint("name what it is for, not what it is"));
        }
    }
    Ok(())
}

/// What a person writes is not forgotten any more.
pub(super) fn remember(memory: &LocalMemory, saved: &Saved, session: &mut Session) {
    if let Err(error) = memory.remember(&saved.path) {
        let what = "it may have been forgotten before, so background runs may leave it out";
        session.out.warn(&CliError::warning(what).because(chain(&error)));
    }
}

/// What `save` and `edit` print.
pub(super) fn print(saved: &Saved, session: &mut Session) -> Result<Exit, CliError> {
    let out = &mut session.out;
    let shown = if out.form == crate::output::Form::Json { REMARKS_IN_JSON } else { REMARKS_SHOWN };
    let more = saved.remarks.len().saturating_sub(shown);
    let more = (more > 0).then(|| format!("and {more} more; `memdir scan-text FILE` lists all"));
    let remarks = saved.remarks.iter().take(shown).map(remark).chain(more).collect();
    let wire = Wire {
        path: saved.path.as_str(),
        action: action(saved.action),
        bytes: saved.bytes,
        sha256: saved.revision.to_string(),
        index_line: saved.index_line.as_deref(),
        op: saved.op.as_ref().map(OpId::as_str),
        merged: saved.merged,
        remarks,
    };
    if out.form == crate::output::Form::Json {
        out.json(&wire)?;
        return Ok(Exit::Done);
    }
    let path = out.paint(Style::Bold, wire.path);
    out.line(&format!("{} {path}, {} bytes, sha256 {}", wire.action, wire.bytes, wire.sha256));
    if wire.merged {
        out.warn(&CliError::warning(
            "another program wrote the file at the same moment; both changes are in it",
        ));
    }
    for remark in &wire.remarks {
        out.warn(&CliError::warning(remark.as_str()));
    }
    Ok(Exit::Done)
}

pub(super) fn action(action: Action) -> &'static str {
    match action {
        Action::Created => "created",
        Action::Updated => "updated",
        Action::Unchanged => "unchanged",
        Action::Removed => "removed",
    }
}

fn remark(remark: &Remark) -> String {
    match remark {
        Remark::LongIndexLine { chars } => format!(
            "the index line has {chars} characters; keep it under {INDEX_LINE_CHARS} with a short --hook, the detail belongs in the file"
        ),
        Remark::IndexOverLimit(over) => format!(
            "the index has {} lines and {} bytes, more than is loaded; `memdir check` says what to do",
            over.lines, over.bytes
        ),
        Remark::Suspicious(finding) => finding.to_string(),
        _ => "the memory may need a look; run `memdir check`".to_owned(),
    }
}

pub(super) fn parse_path(text: &str) -> Result<MemPath, CliError> {
    MemPath::parse(text).map_err(|fault| {
        CliError::usage("no memory can have that path").at(text).because(fault.to_string())
    })
}

/// The text that is piped in.
pub(super) fn body_from_stdin(out: &mut Out) -> Result<String, CliError> {
    if stdin().is_terminal() {
        out.note("reading the text from the terminal; end it with Ctrl-D on a line of its own");
    }
    let mut bytes = Vec::new();
    stdin()
        .lock()
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| CliError::io("stdin cannot be read", &error))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(CliError::refused(format!("the text is larger than {MAX_FILE_BYTES} bytes"))
            .at("stdin"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        CliError::usage("the text is not UTF-8").at("stdin").because(error.to_string())
    })?;
    if text.trim().is_empty() {
        return Err(CliError::usage("the text is empty")
            .at("stdin")
            .hint("pipe the text in, or give it with --body TEXT; --body \"\" saves a memory without a text"));
    }
    Ok(text)
}
