//! What the crates' errors mean for a person: which exit code, where, why, what to try.

use memdir::core::MemPath;
use memdir::store::{ApplyError, Conflict, Error as StoreError, OpId, Refusal, UndoError};
use memdir::{Error, Unreadable, store};

use crate::error::{CliError, Exit, chain};

impl From<Error> for CliError {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::Missing { reference, near } => Self::not_found(&reference, &near),
            Error::Ambiguous { candidates, .. } => {
                let names = candidates.iter().map(MemPath::as_str).collect::<Vec<_>>().join(", ");
                Self::usage(text)
                    .because(format!("it fits {names}"))
                    .hint("name one of them by its path")
            }
            Error::Blank { .. } => Self::usage(text),
            Error::Taken { path, .. } => Self::refused(text)
                .because("a save never overwrites another memory")
                .hint("save under another --name, or elsewhere with --file PATH")
                .hint(format!("memdir edit {path} … to change that memory")),
            Error::NotAMemory { .. } => Self::refused(text).because(
                "memories are the `.md` files besides MEMORY.md, which memdir keeps itself, and outside `logs/` and `team/`",
            ),
            Error::NotUtf8 { .. } => Self::refused(text).hint("convert the file to UTF-8 first"),
            Error::Edit { ref source, .. } => Self::refused(text).because(source.to_string()),
            Error::Unreadable { source, .. } => {
                let error = Self::refused(text).because(source.to_string());
                match source {
                    Unreadable::TooLong { .. } => {
                        error.hint("keep the description to one line; the detail belongs in the text")
                    }
                    Unreadable::TooDeep { .. } => error.hint("name fewer folders with --file PATH"),
                    _ => error,
                }
            }
            Error::NotAsWritten { .. } => {
                Self::refused(text).hint("look at it with `memdir show`, and at `memdir log`")
            }
            Error::UnknownOperation { candidates, .. } => {
                let names = candidates.iter().map(OpId::as_str).collect::<Vec<_>>().join(", ");
                let error = Self::usage(text).hint("`memdir log` lists the operations");
                if candidates.is_empty() {
                    error
                } else {
                    error.because(format!("it fits {names}"))
                }
            }
            Error::Apply(error) => error.into(),
            Error::Undo(error) => error.into(),
            Error::Store(error) => error.into(),
            _ => Self::refused(chain(&error)),
        }
    }
}

impl From<ApplyError> for CliError {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::Conflict(conflicts) => conflict(&conflicts),
            ApplyError::Refused { path, refusal } => refused(&path, &refusal),
            ApplyError::Store(error) => error.into(),
            _ => Self::refused(chain(&error)),
        }
    }
}

fn conflict(conflicts: &[Conflict]) -> CliError {
    let what = conflicts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let found = conflicts.iter().filter_map(|conflict| {
        Some(format!("`{}` now has the revision {}", conflict.path, conflict.found?))
    });
    let error = CliError::refused(what).because(found.collect::<Vec<_>>().join(", "));
    error.hint("look at it with `memdir show`, then make the change again on what is there")
}

fn refused(path: &MemPath, refusal: &Refusal) -> CliError {
    let error = CliError::refused(format!("`{path}` {refusal}"));
    match refusal {
        Refusal::Pinned | Refusal::PersonOnly => error.by_person(),
        Refusal::Twin { existing } => error.hint(format!("use `{existing}`, or rename it first")),
        Refusal::Link => error.hint("replace the link by a file, or change what it leads to"),
        Refusal::NotAFile(_) | Refusal::NotInAFolder => {
            error.hint("move it away; memories are plain files")
        }
        Refusal::IndexNotUtf8 => error.hint("convert it to UTF-8 first"),
        _ => error,
    }
}

impl From<UndoError> for CliError {
    fn from(error: UndoError) -> Self {
        match error {
            UndoError::Unknown { .. } => {
                Self::new(Exit::Usage, error.to_string()).hint("`memdir log` lists the operations")
            }
            UndoError::Apply { source, .. } => source.into(),
            UndoError::Store(error) => error.into(),
            _ => Self::refused(chain(&error)),
        }
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        let text = chain(&error);
        match error {
            StoreError::Busy { .. } => Self::new(Exit::Busy, text)
                .hint("try again; if that process is gone, nothing has to be removed: its lock went with it"),
            StoreError::NoSpace { .. } => Self::new(Exit::Io, text)
                .hint("make room and try again; nothing was changed"),
            StoreError::ReadOnly { .. } => Self::new(Exit::Io, text)
                .hint("reading works; to write, name another directory with --memory-dir DIR"),
            StoreError::Denied { .. } => Self::new(Exit::Io, text).hint("check who owns it and its mode"),
            StoreError::TooLarge { .. } => Self::new(Exit::Io, text)
                .hint("move what is not a memory out of the file"),
            StoreError::NotADirectory { path } | StoreError::NotAFile { path, .. }
                if path.starts_with(".memdir") =>
            {
                Self::refused(text).hint("`memdir check` says what is to be done about it")
            }
            StoreError::NotADirectory { .. } => Self::new(Exit::Io, text)
                .hint("move the file away, or name another directory with --memory-dir DIR"),
            StoreError::LockUnsupported { .. } => Self::new(Exit::Io, text)
                .hint("keep the directory on a file system with locks; network file systems need their lock service"),
            StoreError::NewerFormat { .. } => Self::refused(text).hint("update memdir"),
            StoreError::NotAFile { .. }
            | StoreError::Link { .. }
            | StoreError::LeadsOut { .. } => Self::refused(text),
            StoreError::NotInJournal { .. } => Self::usage(text).hint("`memdir log` lists the operations"),
            _ => Self::new(Exit::Io, text),
        }
    }
}

impl From<store::location::Error> for CliError {
    fn from(error: store::location::Error) -> Self {
        use store::location::Error as E;
        let text = chain(&error);
        match error {
            E::Invalid(_) => Self::usage(text),
            E::NoHome | E::NoDataFolder => {
                Self::usage(text).hint("set HOME, or name the directory with --memory-dir DIR")
            }
            E::NotAFolder { .. } => {
                Self::new(Exit::Io, text).hint("move it away, or name another folder")
            }
            E::Occupied { .. } => Self::refused(text)
                .hint("move memories from the old folder one by one, then memdir check --fix"),
            E::Record { path, .. } => Self::new(Exit::Io, text)
                .hint(format!("move {} away; it is written anew", path.display())),
            _ => Self::new(Exit::Io, text),
        }
    }
}
