//! What std does not offer of the system: renames that lose nothing, and whether a process runs.

use std::io;
use std::path::Path;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod renames {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    use super::{Path, io};

    pub(in super::super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }

    pub(in super::super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
        Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod renames {
    use super::{Path, io};

    pub(in super::super) fn exchange(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(in super::super) fn rename_new(_: &Path, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub(super) use renames::{exchange, rename_new};

/// Whether the system, or the file system, has no rename of this kind.
pub(super) fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

/// Whether a process runs; a system that cannot be asked says yes.
#[cfg(unix)]
pub(super) fn is_running(process: u32) -> bool {
    let id = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    id.is_some_and(|id| rustix::process::test_kill_process(id) != Err(rustix::io::Errno::SRCH))
}

/// Whether a process runs; a system that cannot be asked says yes.
#[cfg(not(unix))]
pub(super) fn is_running(_: u32) -> bool {
    true
}
