//! A settings file of a client: read whole, replaced in one step, its state before us kept beside it.

#![expect(
    clippy::disallowed_methods,
    reason = "a client's file, which lies outside any memory directory"
)]

mod system;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::CliError;
use crate::written_beside::{create_private, remove, sweep, temp};
use system::{exchange, is_unsupported, rename_new};

/// Settings larger than this are left alone; the largest in use are a few kilobytes.
const MAX_BYTES: u64 = 4 << 20;

/// What follows the name of the file in that of its backup; from the second on with a number.
const BACKUP: &str = ".before-memdir";

/// Most backups beside a file. Ours: each but the last few is forgotten by everybody.
const MAX_BACKUPS: usize = 99;

/// A settings file, which need not be there yet.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    /// Free of links.
    path: PathBuf,
}

/// A file beside the settings that bears the name of a backup, whoever made it.
#[derive(Debug)]
pub(crate) struct Backup {
    path: PathBuf,
    pub(crate) text: String,
}

impl Backup {
    pub(crate) fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// Removes the file, whose text stands elsewhere by now; another call may have done so already.
    pub(crate) fn remove(&self) -> Result<(), CliError> {
        remove(&self.path).map_err(|error| failed("removed", &self.path, &error))
    }
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

    /// Names for backups, in the order of their use.
    fn backup_paths(&self) -> impl Iterator<Item = PathBuf> + '_ {
        (1..=MAX_BACKUPS).map(|number| {
            let mut name = self.path.clone().into_os_string();
            name.push(BACKUP);
            if number > 1 {
                name.push(format!("-{number}"));
            }
            PathBuf::from(name)
        })
    }

    /// The text; `None` where there is no file.
    ///
    /// # Errors
    ///
    /// It cannot be read, is no text, or larger than settings are.
    pub(crate) fn read(&self) -> Result<Option<String>, CliError> {
        read(&self.path)
    }

    /// What bears the name of a backup and could be one; folders, links and what is no text of settings are not ours.
    pub(crate) fn backups(&self) -> Vec<Backup> {
        let backup = |path: PathBuf| match read(&path) {
            Ok(Some(text)) => Some(Backup { path, text }),
            Ok(None) | Err(_) => None,
        };
        self.backup_paths().filter_map(backup).collect()
    }

    /// Keeps the text from before us under a name that nothing has yet, as private as the file is, and tells where.
    ///
    /// # Errors
    ///
    /// It cannot be written, or all names are taken.
    pub(crate) fn back_up(&self, text: &str) -> Result<String, CliError> {
        for path in self.backup_paths() {
            let failed = |error| failed("written", &path, &error);
            match create_private(&path) {
                Ok(file) => self.fill(file, text).map_err(|error| {
                    // What it was about is told; half a copy is of no use.
                    drop(fs::remove_file(&path));
                    failed(error)
                })?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match read(&path) {
                    Ok(Some(kept)) if kept == text => {}
                    Ok(_) | Err(_) => continue,
                },
                Err(error) => return Err(failed(error)),
            }
            return Ok(path.display().to_string());
        }
        Err(CliError::refused("there are too many copies of earlier settings")
            .at(format!("{}{BACKUP}-{MAX_BACKUPS}", self.shown()))
            .hint("remove those that you do not need"))
    }

    /// Removes what calls that were killed have left beside the file; where the system does not tell who runs it stays.
    ///
    /// # Errors
    ///
    /// The folder cannot be listed, or something of it cannot be removed.
    pub(crate) fn sweep(&self) -> Result<(), CliError> {
        sweep(&self.path).map_err(|error| failed("looked for", self.folder(), &error))
    }

    /// Replaces the text `before` in one step; makes the folder where there is none. As private as the settings are, and for
    /// the owner alone where there are none.
    ///
    /// What another program writes by a rename meanwhile is kept on Linux, Android and macOS, where two files can be exchanged.
    /// Elsewhere, and from one that writes into the file as it stands, it is lost if it comes between the last look and the
    /// rename.
    ///
    /// # Errors
    ///
    /// The file is not as it was read, or cannot be written; it is as it was then.
    pub(crate) fn replace(&self, before: Option<&str>, after: &str) -> Result<(), CliError> {
        let folder = self.folder();
        create_folder(folder).map_err(|error| failed("created", folder, &error))?;
        let temp = temp(&self.path);
        let written = create_private(&temp).and_then(|file| self.fill(file, after));
        let written = written.map_err(|error| failed("written", &self.path, &error));
        written.and_then(|()| self.put(&temp, before)).inspect_err(|_| {
            // What it was about is told; the rest of a name that was never used is not.
            drop(fs::remove_file(&temp));
        })?;
        self.settle(&temp, before)
    }

    /// Puts a file in the place of the settings, which take its name where the system can exchange two files.
    fn put(&self, temp: &Path, before: Option<&str>) -> Result<(), CliError> {
        let failed = |error| failed("written", &self.path, &error);
        self.expect(before)?;
        let put = match before {
            Some(_) => exchange(temp, &self.path),
            None => rename_new(temp, &self.path),
        };
        match put {
            Err(error) if is_unsupported(&error) => fs::rename(temp, &self.path).map_err(failed),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(self.changed()),
            put => put.map_err(failed),
        }
    }

    /// Removes what was in the place of the settings, or puts it back if another program wrote it after the last look.
    fn settle(&self, temp: &Path, before: Option<&str>) -> Result<(), CliError> {
        match read(temp) {
            Ok(None) => Ok(()),
            Ok(found) if found.as_deref() == before => {
                // The settings are written; where this fails the next call sweeps it.
                drop(fs::remove_file(temp));
                Ok(())
            }
            Ok(_) | Err(_) => {
                let back = fs::rename(temp, &self.path);
                back.map_err(|error| failed("put back", temp, &error))?;
                Err(self.changed())
            }
        }
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
        if self.read()?.as_deref() == before { Ok(()) } else { Err(self.changed()) }
    }

    fn changed(&self) -> CliError {
        CliError::refused("another program changed the settings meanwhile")
            .at(self.shown())
            .hint("call this again")
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// Writes a new file, as private as the settings are.
    fn fill(&self, mut file: File, text: &str) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::SettingsFile;

    #[test]
    fn a_backup_that_another_call_removed_is_no_failure() {
        let folder = tempfile::tempdir().unwrap();
        let Ok(file) = SettingsFile::find(folder.path(), "settings.json", None) else {
            panic!("a folder of its own");
        };
        assert!(file.back_up("{}").is_ok());
        let [first, second] =
            [file.backups(), file.backups()].map(|found| found.into_iter().next());
        let (first, second) = (first.unwrap(), second.unwrap());
        assert!(first.remove().is_ok() && second.remove().is_ok());
        assert_eq!(file.backups().len(), 0);
    }

    #[test]
    fn what_another_program_writes_after_the_last_look_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let Ok(file) = SettingsFile::find(folder.path(), "settings.json", None) else {
            panic!("a folder of its own");
        };
        let temp = super::temp(&path);
        // What stands under the name of the settings after `put`, and under the other, which has what it was exchanged for.
        for (found, is_settled, expect) in
            [("before", true, "after"), ("another's", false, "another's")]
        {
            std::fs::write(&path, "after").unwrap();
            std::fs::write(&temp, found).unwrap();
            assert_eq!(file.settle(&temp, Some("before")).is_ok(), is_settled, "{found}");
            let left = [&path, &temp].map(|path| super::read(path).ok().unwrap());
            assert_eq!(left, [Some(expect.to_owned()), None]);
        }
        // A file that is not there yet is not put over one that is by now.
        std::fs::write(&temp, "after").unwrap();
        assert!(file.put(&temp, None).is_err());
        assert_eq!(super::read(&path).ok().unwrap().as_deref(), Some("another's"));
    }
}
