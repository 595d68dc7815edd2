//! A file that is written beside its place and put there when it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use memdir::core::text::escape_control_lines;

use super::Source;
use crate::error::CliError;
use crate::output::Out;
use crate::written_beside::{create_private, sweep, temp};

/// What happens to a file that is in the place already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    Keep,
    Replace,
}

/// The name of stdout, as `-` is what is piped in.
pub(crate) const STDOUT: &str = "-";

/// Where what is made of a session goes.
#[derive(Debug)]
pub(crate) enum Sink<'a> {
    Stdout(&'a mut Out),
    File(Target),
}

impl<'a> Sink<'a> {
    /// # Errors
    ///
    /// Those of [`Target::create`]; the path is that of the session itself.
    pub(crate) fn open(
        path: &Path,
        existing: Existing,
        source: &Source,
        out: &'a mut Out,
    ) -> Result<Self, CliError> {
        if path == Path::new(STDOUT) {
            return Ok(Self::Stdout(out));
        }
        check_apart(path, source)?;
        Ok(Self::File(Target::create(path, existing)?))
    }

    pub(crate) fn takes_more(&self) -> bool {
        match self {
            Self::Stdout(out) => !out.is_broken(),
            Self::File(_) => true,
        }
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => {
                if out.columns().is_some() {
                    out.raw(escape_control_lines(&String::from_utf8_lossy(bytes)).as_bytes());
                } else {
                    out.raw(bytes);
                }
                out.flow();
                // That it cannot be written is said at the end.
                Ok(bytes.len())
            }
            Self::File(target) => target.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(_) => Ok(()),
            Self::File(target) => target.flush(),
        }
    }
}

/// A file for the owner alone, because sessions hold secrets. Unless it is committed nothing stays of it.
#[derive(Debug)]
pub(crate) struct Target {
    file: BufWriter<File>,
    temp: PathBuf,
    path: PathBuf,
    existing: Existing,
}

impl Target {
    /// # Errors
    ///
    /// There is a file that is to be kept, or something that is no file, or none can be made there.
    pub(crate) fn create(path: &Path, existing: Existing) -> Result<Self, CliError> {
        if let Ok(there) = fs::symlink_metadata(path) {
            if existing == Existing::Keep {
                return Err(not_replaced(path));
            }
            // A device or a pipe would be gone, and so would a link, with what it leads to left as it is.
            if !there.is_file() {
                return Err(CliError::refused("what is there is no file that could be replaced")
                    .at(path.display().to_string())
                    .hint("name a file, or one that is not there yet"));
            }
        }
        if path.file_name().is_none() {
            return Err(CliError::usage("the path names no file").at(path.display().to_string()));
        }
        sweep(path).map_err(|error| failed(path, &error))?;
        let temp = temp(path);
        let file = create_private(&temp).map_err(|error| failed(path, &error))?;
        Ok(Self { file: BufWriter::new(file), temp, path: path.to_path_buf(), existing })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// It cannot be written in full, or another file came into the place meanwhile.
    pub(crate) fn commit(mut self) -> Result<(), CliError> {
        self.sync().map_err(|error| failed(&self.path, &error))?;
        if self.existing == Existing::Replace {
            return fs::rename(&self.temp, &self.path).map_err(|error| failed(&self.path, &error));
        }
        // A link takes no place that is taken; the other name goes with `self`.
        match fs::hard_link(&self.temp, &self.path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(not_replaced(&self.path))
            }
            // File systems without links.
            Err(_) if fs::symlink_metadata(&self.path).is_ok() => Err(not_replaced(&self.path)),
            Err(_) => {
                fs::rename(&self.temp, &self.path).map_err(|error| failed(&self.path, &error))
            }
        }
    }

    /// Puts the file in the place of another, which stays under the name of the backup.
    ///
    /// # Errors
    ///
    /// As [`Target::commit`]; there is a backup already.
    pub(crate) fn replace_and_back_up(mut self, backup: &Path) -> Result<(), CliError> {
        let result = fs::metadata(&self.path)
            .and_then(|of| self.file.get_ref().set_permissions(of.permissions()))
            .and_then(|()| self.sync());
        result.map_err(|error| failed(&self.path, &error))?;
        fs::hard_link(&self.path, backup).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                CliError::refused("there is a backup of that name already, and it stays")
                    .at(backup.display().to_string())
                    .hint("move the backup of the earlier repair away")
            }
            _ => failed(backup, &error),
        })?;
        fs::rename(&self.temp, &self.path).map_err(|error| failed(&self.path, &error))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // After a rename there is nothing under this name any more.
        drop(fs::remove_file(&self.temp));
    }
}

fn not_replaced(path: &Path) -> CliError {
    taken(path).hint("name another with --output FILE, or add --force")
}

/// Refuses to put what is made of a transcript in the place of the transcript itself.
///
/// # Errors
///
/// It would be.
fn check_apart(path: &Path, source: &Source) -> Result<(), CliError> {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let is_source = source.path.as_deref().and_then(real).is_some_and(|of| real(path) == Some(of));
    if !is_source {
        return Ok(());
    }
    Err(CliError::refused("the output would take the place of the session that it is made of")
        .at(path.display().to_string())
        .hint("name another file; `memdir transcript repair --in-place` keeps a backup"))
}

fn taken(path: &Path) -> CliError {
    CliError::refused("there is a file of that name already, and it stays")
        .at(path.display().to_string())
}

fn failed(path: &Path, error: &io::Error) -> CliError {
    CliError::io("the file cannot be written", error).at(path.display().to_string())
}
