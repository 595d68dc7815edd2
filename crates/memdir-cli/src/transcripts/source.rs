//! The bytes of one transcript: a file, or what is piped in.

use std::fs::{self, File, Metadata};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::error::CliError;
use crate::output::{Out, Progress};

/// Most that is taken from a pipe, which cannot be read from its end and is held in memory. Ours.
const MAX_PIPED_BYTES: u64 = 256 << 20;

/// A transcript that is being read; it tells a terminal how far that has come.
#[derive(Debug)]
pub(crate) struct Source {
    bytes: Bytes,
    /// Absent for what is piped in.
    pub(crate) path: Option<PathBuf>,
    read: u64,
    progress: Progress,
}

#[derive(Debug)]
enum Bytes {
    File(File),
    Piped(Cursor<Vec<u8>>),
}

impl Source {
    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// There is none, it is a folder, a pipe or a device, or it cannot be read.
    pub(crate) fn open(path: &Path, out: &Out) -> Result<Self, CliError> {
        let file = open_file(path).map_err(|error| unreadable(path, &error))?;
        Ok(Self::new(Bytes::File(file), Some(path.to_path_buf()), out))
    }

    /// Opens a file of which little is read.
    ///
    /// # Errors
    ///
    /// As [`Source::open`].
    pub(super) fn quiet(path: &Path) -> io::Result<Self> {
        let bytes = Bytes::File(open_file(path)?);
        Ok(Self { bytes, path: Some(path.to_path_buf()), read: 0, progress: Progress::default() })
    }

    /// Takes what is piped in.
    ///
    /// # Errors
    ///
    /// It cannot be read, or there is more than is held in memory.
    pub(crate) fn stdin(out: &Out) -> Result<Self, CliError> {
        let mut piped = Vec::new();
        let stdin = io::stdin().lock();
        stdin
            .take(MAX_PIPED_BYTES + 1)
            .read_to_end(&mut piped)
            .map_err(|error| CliError::io("stdin cannot be read", &error))?;
        if piped.len() as u64 > MAX_PIPED_BYTES {
            return Err(CliError::refused("more is piped in than is held in memory")
                .because(format!("at most {} MiB are", MAX_PIPED_BYTES >> 20))
                .hint("name the file"));
        }
        Ok(Self::new(Bytes::Piped(Cursor::new(piped)), None, out))
    }

    fn new(bytes: Bytes, path: Option<PathBuf>, out: &Out) -> Self {
        Self { bytes, path, read: 0, progress: out.progress() }
    }

    /// Length and time of the file as it is now; absent for what is piped in.
    pub(crate) fn stamp(&self) -> Option<(u64, SystemTime)> {
        let Bytes::File(file) = &self.bytes else { return None };
        let metadata = file.metadata().ok()?;
        Some((metadata.len(), metadata.modified().ok()?))
    }

    /// The file as text; `-` for what is piped in.
    pub(crate) fn shown(&self) -> String {
        self.path.as_ref().map_or_else(|| "-".to_owned(), |path| path.display().to_string())
    }

    /// How many bytes were read so far, those read twice twice.
    pub(crate) const fn bytes_read(&self) -> u64 {
        self.read
    }

    /// What an error of reading it is to a person.
    pub(crate) fn failed(&self, error: &io::Error) -> CliError {
        CliError::io("the transcript cannot be read", error).at(self.shown())
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.bytes {
            Bytes::File(file) => file.read(buffer),
            Bytes::Piped(piped) => piped.read(buffer),
        }?;
        self.read += read as u64;
        self.progress.at(self.read);
        Ok(read)
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.bytes {
            Bytes::File(file) => file.seek(to),
            Bytes::Piped(piped) => piped.seek(to),
        }
    }
}

fn open_file(path: &Path) -> io::Result<File> {
    metadata(path)?;
    File::open(path)
}

/// The metadata of a file that is one: opening a pipe would wait for whoever writes to it.
pub(super) fn metadata(path: &Path) -> io::Result<Metadata> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder, not a file"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is a pipe or a device, not a file"));
    }
    Ok(metadata)
}

fn unreadable(path: &Path, error: &io::Error) -> CliError {
    CliError::io("the transcript cannot be opened", error).at(path.display().to_string()).hint(
        "`memdir transcript list` names the sessions of this project; `-` reads what is piped in",
    )
}
