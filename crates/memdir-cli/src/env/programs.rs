//! Programs that this one starts or is: found by absolute path or by `PATH`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::CliError;

/// The command that starts this program: `memdir` where that is what `PATH` finds first, else its path.
///
/// # Errors
///
/// The system does not tell the path, or it is not UTF-8.
pub(crate) fn own_command() -> Result<String, CliError> {
    let unknown = |error| CliError::io("the path of this program cannot be told", &error);
    let own = std::env::current_exe().and_then(fs::canonicalize).map_err(unknown)?;
    if found("memdir").and_then(|first| fs::canonicalize(first).ok()).as_deref() == Some(&*own) {
        return Ok("memdir".to_owned());
    }
    own.into_os_string().into_string().map_err(|own| {
        CliError::refused("the path of this program is not UTF-8, so no settings file can name it")
            .because(own.to_string_lossy().into_owned())
            .hint("move the program, or put a folder that holds it into PATH")
    })
}

/// The program that a setting names: by its absolute path, or by the name that `PATH` finds.
///
/// # Errors
///
/// There is none. A path that is relative would name another program in each project.
pub(crate) fn program(name: &str) -> Result<PathBuf, String> {
    let path = Path::new(name);
    if path.is_absolute() {
        return Ok(path.to_owned());
    }
    if path.components().count() != 1 {
        return Err(format!(
            "`{name}` is neither an absolute path nor a name that PATH could find"
        ));
    }
    found(name).ok_or_else(|| format!("`{name}` is not in PATH"))
}

/// What `PATH` leads to first.
fn found(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    // From the first relative folder on the name leads to different programs in different places.
    std::env::split_paths(&path)
        .take_while(|folder| folder.is_absolute())
        .map(|folder| folder.join(&name))
        .find(|found| is_program(found))
}

/// Whether a file is one that `PATH` would lead to.
fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| {
        #[cfg(unix)]
        let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
        #[cfg(not(unix))]
        let may_run = true;
        metadata.is_file() && may_run
    })
}
