//! The least that saves one memory so that a crash leaves the state before or after.

use std::io;
use std::path::Path;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{CWD, FlockOperation, Mode, OFlags, RenameFlags, flock, fsync, openat, renameat};
use rustix::fs::{mkdirat, renameat_with};

/// A directory that is kept open between saves.
#[derive(Debug)]
pub struct Saver {
    root: OwnedFd,
    lock: OwnedFd,
    journal: OwnedFd,
    index: Vec<u8>,
}

const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);
const NEW: OFlags = OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::CLOEXEC);

impl Saver {
    /// Opens an existing directory and makes the folder for its journal.
    pub fn open(root: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = openat(CWD, root, flags, Mode::empty())?;
        mkdirat(&root, ".saver", Mode::RWXU)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::CLOEXEC;
        let journal = openat(&root, ".saver/journal", flags, PRIVATE)?;
        let lock = openat(&root, ".saver/lock", flags, PRIVATE)?;
        let index = openat(&root, "MEMORY.md", NEW, PRIVATE)?;
        fsync(&index)?;
        fsync(&root)?;
        Ok(Self { root, lock, journal, index: Vec::new() })
    }

    /// Saves `text` under a name that is new and adds a line to the index: four fsyncs.
    pub fn save(&mut self, name: &str, text: &[u8]) -> io::Result<()> {
        flock(&self.lock, FlockOperation::LockExclusive)?;
        self.index.extend_from_slice(format!("- [{name}]({name}) - hook\n").as_bytes());
        self.temp(".memory.tmp", text)?;
        self.temp(".index.tmp", &self.index)?;
        write_all(&self.journal, format!("{{\"intent\":\"{name}\"}}\n").as_bytes())?;
        fsync(&self.journal)?;
        renameat_with(&self.root, ".memory.tmp", &self.root, name, RenameFlags::NOREPLACE)?;
        renameat(&self.root, ".index.tmp", &self.root, "MEMORY.md")?;
        fsync(&self.root)?;
        write_all(&self.journal, b"{\"done\":true}\n")?;
        flock(&self.lock, FlockOperation::Unlock)?;
        Ok(())
    }

    fn temp(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let file = openat(&self.root, name, NEW, PRIVATE)?;
        write_all(&file, bytes)?;
        fsync(&file)?;
        Ok(())
    }
}

fn write_all(file: impl AsFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = rustix::io::write(&file, bytes)?;
        bytes = bytes.get(written..).unwrap_or_default();
    }
    Ok(())
}
