//! A directory in memory that also knows what a power cut would leave of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fmt, io,
    ops::Bound,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use memdir_core::{Clock, FixedClock};

use super::{Attempt, Content, Details, Disk, Exchanged, Found, HeldLock, Persist, Renamed, Stat};
use crate::{FileKind, Flow};

#[cfg(feature = "testing")]
mod power;
mod state;

#[cfg(feature = "testing")]
pub use power::Loss;
use state::{Kind, Node, State, apply};

/// A directory in memory. A clone is another handle to the same directory.
#[derive(Clone)]
pub struct MemDisk {
    state: Arc<Mutex<State>>,
    clock: Arc<dyn Clock>,
}

/// How often a disk was asked to do what costs time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counts {
    /// Files made to survive a power cut.
    pub file_syncs: u64,
    /// Folders made to survive a power cut.
    pub folder_syncs: u64,
    /// Files opened for reading.
    pub reads: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Files created or added to.
    pub writes: u64,
    /// Folders listed.
    pub lists: u64,
}

impl MemDisk {
    /// Starts empty, all times being the Unix epoch.
    pub fn new() -> Self {
        Self::with_clock(Arc::new(FixedClock(SystemTime::UNIX_EPOCH)))
    }

    /// Starts empty; files are dated by `clock`.
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        let state = State {
            names: BTreeMap::new(),
            nodes: BTreeMap::new(),
            durable: BTreeMap::new(),
            pending: Vec::new(),
            locks: BTreeSet::new(),
            counts: Counts::default(),
            randoms: 0,
            can_exchange: true,
        };
        Self { state: Arc::new(Mutex::new(state)), clock }
    }

    /// Puts a file there as another program does, which knows neither lock nor journal: a new file renamed over the old
    /// name, with the folders above it, safe from power cuts.
    pub fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        let bytes = bytes.into();
        self.place(path, Kind::File { durable: bytes.clone(), bytes });
    }

    /// Puts a symbolic link there.
    pub fn put_link(&self, path: &str, target: &str) {
        self.place(path, Kind::Link(target.to_owned()));
    }

    /// Puts something there that is neither file nor link, such as a pipe.
    pub fn put_special(&self, path: &str, kind: FileKind) {
        self.place(path, if kind == FileKind::Folder { Kind::Folder } else { Kind::Special(kind) });
    }

    /// Takes a name away, as another program does.
    pub fn take(&self, path: &str) {
        let mut state = self.state();
        state.set_durably(path, None);
    }

    /// Dates a file.
    pub fn set_modified(&self, path: &str, modified: SystemTime) {
        let mut state = self.state();
        if let Some(node) = state.node_mut(path) {
            node.modified = modified;
        }
    }

    /// Returns every file, the private ones included, with its content.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let state = self.state();
        let file = |(path, node): (&String, &u64)| match &state.nodes.get(node)?.kind {
            Kind::File { bytes, .. } => Some((path.clone(), bytes.clone())),
            Kind::Folder | Kind::Link(_) | Kind::Special(_) => None,
        };
        state.names.iter().filter_map(file).collect()
    }

    /// Returns how often it was asked to do what costs time.
    pub fn counts(&self) -> Counts {
        self.state().counts
    }

    /// Makes it a disk that cannot swap two names in one step, as most network file systems.
    #[must_use]
    pub fn without_exchange(self) -> Self {
        self.state().can_exchange = false;
        self
    }

    fn place(&self, path: &str, kind: Kind) {
        let modified = self.clock.now();
        let mut state = self.state();
        for (end, _) in path.match_indices('/') {
            let folder = path.get(..end).unwrap_or_default();
            if state.kind(folder) != Some(FileKind::Folder) {
                let node = state.add(Node { kind: Kind::Folder, modified });
                state.set_durably(folder, Some(node));
            }
        }
        let node = state.add(Node { kind, modified });
        state.set_durably(path, Some(node));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemDisk {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.state().names.keys().cloned().collect();
        f.debug_struct("MemDisk").field("names", &names).finish_non_exhaustive()
    }
}

impl Disk for MemDisk {
    fn list(
        &self,
        folder: &str,
        mut details: Details,
        each: &mut dyn FnMut(Found<'_>) -> Flow,
    ) -> io::Result<()> {
        let mut state = self.state();
        state.counts.lists += 1;
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        state.check_parent(&prefix)?;
        let from = (Bound::Excluded(prefix.clone()), Bound::Unbounded);
        let children: Vec<(String, Stat)> = state
            .names
            .range::<String, _>(from)
            .map_while(|(path, _)| Some((path, path.strip_prefix(&*prefix)?)))
            .filter(|(_, name)| !name.contains('/'))
            .filter_map(|(path, name)| Some((name.to_owned(), state.stat(path)?)))
            .collect();
        // The visitor may call the disk.
        drop(state);
        for (name, stat) in children {
            let kind = stat.kind;
            let name = OsStr::new(&name);
            let stat = (kind == FileKind::File && details.ask(name)).then_some(stat);
            if each(Found { name, kind, stat }).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn stat(&self, path: &str) -> io::Result<Option<Stat>> {
        Ok(self.state().stat(path))
    }

    fn read(&self, path: &str, from: u64, max: u64) -> io::Result<Content> {
        let mut state = self.state();
        state.counts.reads += 1;
        let Some(stat) = state.stat(path) else { return Ok(Content::Absent) };
        let Some(Node { kind: Kind::File { bytes, .. }, .. }) = state.node(path) else {
            return Ok(Content::NotAFile(stat.kind));
        };
        let skip = usize::try_from(from).unwrap_or(usize::MAX);
        let take = usize::try_from(max).unwrap_or(usize::MAX);
        let rest = bytes.get(skip..).unwrap_or_default();
        let bytes = rest.get(..take).unwrap_or(rest).to_vec();
        state.counts.bytes_read += bytes.len() as u64;
        Ok(Content::Bytes(bytes, stat))
    }

    fn read_link(&self, path: &str) -> io::Result<Option<String>> {
        match self.state().node(path).map(|node| &node.kind) {
            Some(Kind::Link(target)) => Ok(Some(target.clone()).filter(|to| !to.starts_with('/'))),
            Some(_) => Err(io::ErrorKind::InvalidInput.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn create(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        let modified = self.clock.now();
        let mut state = self.state();
        state.check_parent(path)?;
        if state.kind(path).is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let kind = Kind::File { bytes: Vec::new(), durable: Vec::new() };
        let node = state.add(Node { kind, modified });
        state.set(vec![(path.to_owned(), Some(node))]);
        state.write(path, bytes, persist, modified);
        Ok(())
    }

    fn append(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        let exists = self.state().kind(path);
        match exists {
            None => self.create(path, bytes, persist),
            Some(FileKind::File) => {
                self.state().write(path, bytes, persist, self.clock.now());
                Ok(())
            }
            Some(_) => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn truncate(&self, path: &str, len: u64) -> io::Result<()> {
        match self.state().node_mut(path).map(|node| &mut node.kind) {
            Some(Kind::File { bytes, .. }) => {
                bytes.truncate(usize::try_from(len).unwrap_or(usize::MAX));
                Ok(())
            }
            Some(_) => Err(io::ErrorKind::InvalidInput.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.state();
        let node = *state.names.get(from).ok_or(io::ErrorKind::NotFound)?;
        if state.kind(to) == Some(FileKind::Folder) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        state.set(vec![(from.to_owned(), None), (to.to_owned(), Some(node))]);
        Ok(())
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<Renamed> {
        let mut state = self.state();
        let node = *state.names.get(from).ok_or(io::ErrorKind::NotFound)?;
        if state.kind(to).is_some() {
            return Ok(Renamed::Exists);
        }
        state.set(vec![(from.to_owned(), None), (to.to_owned(), Some(node))]);
        Ok(Renamed::Done)
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<Exchanged> {
        let mut state = self.state();
        if !state.can_exchange {
            return Ok(Exchanged::Unsupported);
        }
        match (state.names.get(one).copied(), state.names.get(other).copied()) {
            (Some(first), Some(second)) => {
                state.set(vec![(one.to_owned(), Some(second)), (other.to_owned(), Some(first))]);
                Ok(Exchanged::Done)
            }
            _ => Ok(Exchanged::Absent),
        }
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let mut state = self.state();
        match state.kind(path) {
            None => Ok(()),
            Some(FileKind::Folder) => Err(io::ErrorKind::IsADirectory.into()),
            Some(_) => {
                state.set(vec![(path.to_owned(), None)]);
                Ok(())
            }
        }
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        let modified = self.clock.now();
        let mut state = self.state();
        state.check_parent(path)?;
        match state.kind(path) {
            Some(FileKind::Folder) => Ok(()),
            Some(_) => Err(io::ErrorKind::NotADirectory.into()),
            None => {
                let node = state.add(Node { kind: Kind::Folder, modified });
                state.set(vec![(path.to_owned(), Some(node))]);
                Ok(())
            }
        }
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        let mut state = self.state();
        let prefix = format!("{path}/");
        if state.kind(path) != Some(FileKind::Folder) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        if state.names.keys().any(|name| name.starts_with(&prefix)) {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        state.set(vec![(path.to_owned(), None)]);
        Ok(())
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        let mut state = self.state();
        state.counts.folder_syncs += 1;
        if state.kind(folder) != Some(FileKind::Folder) {
            return Err(io::ErrorKind::NotFound.into());
        }
        let pending = std::mem::take(&mut state.pending);
        let (now, later): (Vec<_>, Vec<_>) =
            pending.into_iter().partition(|change| change.folder == folder);
        for (path, node) in now.into_iter().flat_map(|change| change.sets) {
            apply(&mut state.durable, &path, node);
        }
        state.pending = later;
        Ok(())
    }

    fn try_lock(&self, path: &str, _: &str) -> io::Result<Attempt> {
        if self.stat(path)?.is_none() {
            self.append(path, b"", Persist::Later)?;
        }
        let Content::Bytes(found, _) = self.read(path, 0, u64::MAX)? else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        if !self.state().locks.insert(path.to_owned()) {
            return Ok(Attempt::Busy(found));
        }
        Ok(Attempt::Held(Box::new(Held { disk: self.clone(), path: path.to_owned(), found })))
    }

    /// Numbers that differ, and are the same in every run of a test.
    fn random(&self) -> io::Result<[u8; 16]> {
        let mut state = self.state();
        state.randoms += 1;
        let mixed =
            u128::from(state.randoms).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        Ok(mixed.to_be_bytes())
    }
}

struct Held {
    disk: MemDisk,
    path: String,
    found: Vec<u8>,
}

impl HeldLock for Held {
    fn found(&self) -> &[u8] {
        &self.found
    }

    fn write_note(&mut self, note: &[u8]) -> io::Result<()> {
        self.disk.truncate(&self.path, 0)?;
        self.disk.append(&self.path, note, Persist::Later)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.disk.state().locks.remove(&self.path);
    }
}
