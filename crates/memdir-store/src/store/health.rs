//! What state the directory is in, and mending it.

use std::{collections::BTreeMap, sync::Arc};

use memdir_core::MemPath;

use crate::{
    Error, FileKind, Holder, Listed, OpId, ReadStore, Recovered, Revision,
    disk::Disk,
    store::{
        Store,
        files::Files,
        heads::Heads,
        journal::{self, LoggedState, Past, Position, Step, Unread},
        layout::{HEADS, JOURNAL, LOCK, OBJECTS, OLD_TRAIL, PRIVATE, TRAIL},
        retention, sweep,
    },
};

/// What state the store's own files are in, as far as can be seen without the lock.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Health {
    /// Who writes at this moment, or died writing.
    pub writer: Option<Holder>,
    /// An operation that is being carried out, or whose writer died; the next writer finishes it.
    pub unfinished: Option<OpId>,
    /// Temporary files; without a writer they are left over from one that died.
    pub temps: Vec<String>,
    /// Lines of the journal that are torn or say nothing.
    pub unread_lines: usize,
    /// Size of the journal in bytes, its objects included.
    pub journal_bytes: u64,
    /// Files of the store's own that cannot be read, at most one finding each; what is said above is without them.
    pub faults: Vec<StateFault>,
}

/// A file or folder of the store's own that cannot be read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StateFault {
    /// The file or folder, relative to the memory directory.
    pub path: String,
    /// Why.
    pub error: Arc<Error>,
    /// What is to be done about it.
    pub remedy: Remedy,
}

/// What is to be done about a file of the store's own that cannot be read. No memory is ever lost by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// It can be moved away; it is made anew and nothing is lost.
    Remake,
    /// It can be moved away, and with it goes what `log` and `undo` know from it.
    LoseHistory,
    /// A newer version of this program wrote it and can read it.
    Update,
}

/// What mending came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mended {
    /// Operations that were finished or taken back.
    pub recovered: Vec<Recovered>,
    /// Temporary files that were removed.
    pub temps_removed: usize,
}

/// A file that somebody changed without this store.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outside {
    /// The file.
    pub path: MemPath,
    /// Its content as the journal knows it last; absent: the journal does not know the file.
    pub known: Option<Revision>,
    /// Its content now; absent: it is gone.
    pub found: Option<Revision>,
}

impl<D: Disk> Store<D> {
    /// Finishes or takes back what writers that died have left, and removes their temporary files.
    ///
    /// Every writer finishes what was left; this also looks for files that no trace in the journal leads to.
    ///
    /// # Errors
    ///
    /// When another writer is at work or the disk is in the way.
    pub fn fix(&self) -> Result<Mended, Error> {
        self.session("fix", |session| {
            session.sweep()?;
            let recovered = std::mem::take(&mut session.recovered);
            Ok(Mended { recovered, temps_removed: session.swept })
        })
    }

    /// Looks at the store's own files without changing or locking anything.
    ///
    /// # Errors
    ///
    /// When the memory directory itself cannot be listed. What is wrong with single files is among the
    /// [`faults`](Health::faults).
    pub fn health(&self) -> Result<Health, Error> {
        let files = self.files();
        let mut health = Health {
            writer: None,
            unfinished: None,
            temps: sweep::find(files)?,
            unread_lines: 0,
            journal_bytes: 0,
            faults: Vec::new(),
        };
        if !health.has_folder(files, PRIVATE) {
            return Ok(health);
        }
        match files.read_own(LOCK) {
            Ok(note) => health.writer = note.as_deref().and_then(Holder::from_line),
            Err(error) => health.fault(LOCK, error, Remedy::Remake),
        }
        for file in [HEADS, TRAIL, OLD_TRAIL] {
            if let Err(error) = files.read_own(file) {
                health.fault(file, error, Remedy::Remake);
            }
        }
        if health.has_folder(files, OBJECTS) {
            match retention::object_sizes(files) {
                Ok(sizes) => health.journal_bytes += sizes.values().sum::<u64>(),
                Err(error) => health.fault(OBJECTS, error, Remedy::LoseHistory),
            }
        }
        if health.has_folder(files, JOURNAL) {
            health.look_at_journal(files);
        }
        Ok(health)
    }

    /// Returns the revision of every file as the journal knows it last.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn heads(&self) -> Result<BTreeMap<MemPath, Revision>, Error> {
        Ok(Heads::read(self.files())?.files)
    }

    /// Finds files that are not as the journal knows them, by path; those it never knew are among them.
    ///
    /// It reads every file. No lock is taken; what an operation of this store is doing meanwhile, or began and did not
    /// finish, is not among them.
    ///
    /// # Errors
    ///
    /// When the journal or the directory cannot be read; a single file that cannot be read is left out.
    pub fn outside_changes(&self) -> Result<Vec<Outside>, Error> {
        let mut heads = self.heads()?;
        let mut paths = Vec::new();
        self.visit(&mut |listed| {
            if let Listed::Entry(entry) = listed {
                paths.push(entry.path);
            }
            std::ops::ControlFlow::Continue(())
        })?;
        let mut outside = Vec::new();
        for path in paths {
            let known = heads.remove(&path);
            let Ok(bytes) = self.read(&path) else { continue };
            let found = bytes.as_deref().map(Revision::of);
            if found != known {
                outside.push(Outside { path, known, found });
            }
        }
        for (path, known) in heads {
            // Not every file that was written is one that is listed.
            let Ok(bytes) = self.read(&path) else { continue };
            let found = bytes.as_deref().map(Revision::of);
            if found != Some(known) {
                outside.push(Outside { path, known: Some(known), found });
            }
        }
        self.confirmed(outside)
    }

    /// Leaves out what operations of this store did while the files were read; the rest by path.
    fn confirmed(&self, mut suspected: Vec<Outside>) -> Result<Vec<Outside>, Error> {
        let mut outside = Vec::new();
        for _ in 0..LOOKS {
            if suspected.is_empty() {
                break;
            }
            let before = Known::read(self.files())?;
            for change in &mut suspected {
                // One that cannot be read is as it was found a moment before.
                if let Ok(bytes) = self.read(&change.path) {
                    change.found = bytes.as_deref().map(Revision::of);
                }
            }
            let after = Known::read(self.files())?;
            suspected.retain(|change| !before.explains(change) && !after.explains(change));
            // Where operations ended meanwhile, what was read may be of one in between.
            let is_settled = |change: &mut Outside| {
                change.known = after.heads.get(&change.path).copied();
                before.heads.get(&change.path) == after.heads.get(&change.path)
            };
            outside.extend(suspected.extract_if(.., is_settled));
        }
        outside.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(outside)
    }
}

/// How often a file is looked at that operations of this store keep changing. Ours: one that changes faster is theirs.
const LOOKS: usize = 8;

/// What files hold as far as this store's operations go, the one under way included.
struct Known {
    heads: BTreeMap<MemPath, Revision>,
    /// The steps of an operation that is being carried out, or whose writer died.
    under_way: Vec<Step>,
}

impl Known {
    fn read<D: Disk>(files: Files<'_, D>) -> Result<Self, Error> {
        // In this order an operation that ends meanwhile is in the heads.
        let newest = Past::open(files)?.next().transpose()?;
        let unfinished = newest.filter(|newest| newest.state == LoggedState::Unfinished);
        let under_way = unfinished.map(|newest| newest.operation.steps).unwrap_or_default();
        Ok(Self { heads: Heads::read(files)?.files, under_way })
    }

    fn explains(&self, change: &Outside) -> bool {
        let is_of = |step: &&Step| step.path == change.path;
        self.heads.get(&change.path).copied() == change.found
            || self.under_way.iter().filter(is_of).any(|step| match change.found {
                Some(found) => step.knows(found),
                None => step.before.is_none() || step.after.is_none(),
            })
    }
}

impl Health {
    /// Tells whether a folder is there to be looked into.
    fn has_folder<D: Disk>(&mut self, files: Files<'_, D>, path: &str) -> bool {
        let error = match files.kind(path) {
            Ok(None) => return false,
            Ok(Some(FileKind::Folder)) => return true,
            Ok(Some(_)) => Error::NotADirectory { path: path.to_owned() },
            Err(error) => error,
        };
        self.fault(path, error, Remedy::LoseHistory);
        false
    }

    fn look_at_journal<D: Disk>(&mut self, files: Files<'_, D>) {
        let segments = match journal::segments(files) {
            Ok(segments) => segments,
            Err(error) => return self.fault(JOURNAL, error, Remedy::LoseHistory),
        };
        for segment in segments {
            let path = journal::path(segment);
            let read = files.stat(&path).and_then(|stat| {
                let records = journal::records(files, Position { segment, offset: 0 })?;
                Ok((stat.map_or(0, |stat| stat.len), records))
            });
            let (len, records) = match read {
                Ok(read) => read,
                Err(error) => {
                    self.fault(&path, error, Remedy::LoseHistory);
                    continue;
                }
            };
            self.journal_bytes += len;
            let mut newer = None;
            for (_, record) in records {
                match record {
                    Ok(_) => {}
                    Err(Unread::Garbage) => self.unread_lines += 1,
                    Err(Unread::Newer(version)) => newer = newer.max(Some(version)),
                }
            }
            if let Some(version) = newer {
                let error = Error::NewerFormat { path: path.clone(), version };
                self.fault(&path, error, Remedy::Update);
            }
        }
        // Where the end cannot be read there is a fault that says so.
        if let Ok(Some(Ok(newest))) = Past::open(files).map(|mut past| past.next()) {
            self.unfinished =
                (newest.state == LoggedState::Unfinished).then_some(newest.operation.id);
        }
    }

    fn fault(&mut self, path: &str, error: Error, remedy: Remedy) {
        self.faults.push(StateFault { path: path.to_owned(), error: Arc::new(error), remedy });
    }
}
