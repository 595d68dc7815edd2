//! A settings file of a client: read whole, replaced in one step, its state before us kept beside it.

#![expect(
    clippy::disallowed_methods,
    reason = "a client's file, which lies outside any memory directory"
)]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::error::CliError;

/// Settings larger than this are left alone; the largest in use are a few kilobytes.
const MAX_BYTES: u64 = 4 << 20;

/// What follows the name of the file in that of its backup.
const BACKUP: &str = ".before-memdir";

/// A settings file, which need not be there yet.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    /// Free of links.
    path: PathBuf,
}

impl SettingsFile {
    /// Finds the file in its folder, which must lie within `project` where there is one.
    ///
    /// # Errors
    ///
    /// A link leads out of the folder or the project, or to nothing.
    pub(crate) fn find(
        folder: &Path,
        name: &str,
        project: Option<&Path>,
    ) -> Result<Self, CliError> {
        let shown = folder.join(name);
        let out = |why: &str| {
            CliError::refused("the settings are not written through a link")
                .because(why.to_owned())
                .at(shown.display().to_string())
                .hint("enter the hooks where the link leads, or put a file in its place")
        };
        let real = match fs::canonicalize(folder) {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return match fs::symlink_metadata(folder) {
                    Ok(_) => Err(out("the folder is a link to nothing")),
                    Err(_) => Ok(Self { path: shown }),
                };
            }
            Err(error) => return Err(failed("looked at", folder, &error)),
        };
        if let Some(project) = project {
            let project =
                fs::canonicalize(project).map_err(|e| failed("looked at", project, &e))?;
            if !real.starts_with(project) {
                return Err(out("the folder is a link out of the project"));
            }
        }
        let path = real.join(name);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => match fs::canonicalize(&path) {
                Ok(target) if target.parent() == Some(&real) => Ok(Self { path: target }),
                Ok(target) => Err(out(&format!("it leads to {}", target.display()))),
                Err(_) => Err(out("it leads to nothing")),
            },
            Ok(_) => Ok(Self { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self { path }),
            Err(error) => Err(failed("looked at", &path, &error)),
        }
    }

    pub(crate) fn shown(&self) -> String {
        self.path.display().to_string()
    }

    pub(crate) fn backup_shown(&self) -> String {
        self.backup().display().to_string()
    }

    fn backup(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(BACKUP);
        name.into()
    }

    /// The text; `None` where there is no file.
    ///
    /// # Errors
    ///
    /// It cannot be read, is no text, or larger than settings are.
    pub(crate) fn read(&self) -> Result<Option<String>, CliError> {
        read(&self.path)
    }

    pub(crate) fn read_backup(&self) -> Result<Option<String>, CliError> {
        read(&self.backup())
    }

    /// Keeps the text from before us, as private as the file is.
    pub(crate) fn back_up(&self, text: &str) -> Result<(), CliError> {
        self.write(&self.backup(), text)
    }

    pub(crate) fn remove_backup(&self) -> Result<(), CliError> {
        let backup = self.backup();
        fs::remove_file(&backup).map_err(|error| failed("removed", &backup, &error))
    }

    /// Replaces the text `before` in one step; makes the folder where there is none.
    ///
    /// # Errors
    ///
    /// The file is not as it was read, or cannot be written; it is as it was then.
    pub(crate) fn replace(&self, before: Option<&str>, after: &str) -> Result<(), CliError> {
        self.expect(before)?;
        self.write(&self.path, after)
    }

    /// Removes the file, which held the text `before`.
    ///
    /// # Errors
    ///
    /// As [`Self::replace`].
    pub(crate) fn remove(&self, before: &str) -> Result<(), CliError> {
        self.expect(Some(before))?;
        fs::remove_file(&self.path).map_err(|error| failed("removed", &self.path, &error))
    }

    fn expect(&self, before: Option<&str>) -> Result<(), CliError> {
        if self.read()?.as_deref() == before {
            return Ok(());
        }
        Err(CliError::refused("another program changed the settings meanwhile")
            .at(self.shown())
            .hint("call this again"))
    }

    /// Writes beside the file and renames; as private as the settings are, and for the owner alone where there are none.
    fn write(&self, path: &Path, text: &str) -> Result<(), CliError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        create_folder(folder).map_err(|error| failed("created", folder, &error))?;
        let mut temp = self.path.clone().into_os_string();
        temp.push(format!(".{}.tmp", process::id()));
        let temp = PathBuf::from(temp);
        let written = self.write_temp(&temp, text).and_then(|()| fs::rename(&temp, path));
        written.map_err(|error| {
            // What it was about is told; the rest of a name that was never used is not.
            drop(fs::remove_file(&temp));
            failed("written", path, &error)
        })
    }

    fn write_temp(&self, temp: &Path, text: &str) -> io::Result<()> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(temp)?;
        file.write_all(text.as_bytes())?;
        match fs::metadata(&self.path) {
            Ok(metadata) => file.set_permissions(metadata.permissions())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        file.sync_all()
    }
}

fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn read(path: &Path) -> Result<Option<String>, CliError> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(|error| failed("looked at", path, &error))?,
    };
    let refuse = |what: &str| CliError::refused(what.to_owned()).at(path.display().to_string());
    if !metadata.is_file() {
        return Err(refuse("the settings are no file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(refuse("the settings are larger than any client's"));
    }
    let bytes = fs::read(path).map_err(|error| failed("read", path, &error))?;
    String::from_utf8(bytes).map(Some).map_err(|_| refuse("the settings are not UTF-8"))
}

fn failed(done: &str, path: &Path, error: &io::Error) -> CliError {
    CliError::io(format!("the settings cannot be {done}"), error).at(path.display().to_string())
}
