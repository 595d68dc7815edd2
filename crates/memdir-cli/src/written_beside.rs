//! Files that are written beside their place, for their owner alone, and what calls that were killed have left of them.

#![expect(clippy::disallowed_methods, reason = "files outside any memory directory")]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;

/// What follows the number of the writer in the name of a file that is being written.
const TEMP: &str = ".tmp";

/// Where this process writes what becomes a file.
pub(crate) fn temp(path: &Path) -> PathBuf {
    temp_of(path, process::id())
}

fn temp_of(path: &Path, writer: u32) -> PathBuf {
    let mut temp = path.to_path_buf().into_os_string();
    temp.push(format!(".{writer}{TEMP}"));
    PathBuf::from(temp)
}

/// Removes what calls that were killed have left beside a file; where the system does not tell who runs it stays.
///
/// # Errors
///
/// The folder cannot be listed, or something of it cannot be removed.
pub(crate) fn sweep(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = match fs::read_dir(folder.unwrap_or(Path::new("."))) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name();
        let writer = name.to_str().and_then(|name| name.strip_suffix(TEMP)?.rsplit_once('.'));
        let Some(writer) = writer.and_then(|(_, writer)| writer.parse().ok()) else { continue };
        let temp = temp_of(path, writer);
        let is_own = temp.file_name() == Some(&name);
        // This process has written nothing yet: what has its number is of one before it.
        if is_own && (writer == process::id() || !is_running(writer)) {
            remove(&temp)?;
        }
    }
    Ok(())
}

/// Creates a file for the owner alone where nothing has the name.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Removes a file that another call may have removed already.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whether a process runs; a system that cannot be asked says yes.
#[cfg(unix)]
fn is_running(process: u32) -> bool {
    let id = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    id.is_some_and(|id| rustix::process::test_kill_process(id) != Err(rustix::io::Errno::SRCH))
}

/// Whether a process runs; a system that cannot be asked says yes.
#[cfg(not(unix))]
fn is_running(_: u32) -> bool {
    true
}
