//! What state the directory is in, and mending it.

use memdir_core::MemPath;

use crate::{
    Error, Holder, Listed, OpId, ReadStore, Recovered, Revision,
    disk::Disk,
    store::{
        Store,
        heads::Heads,
        journal::{self, LoggedState, Past, Position},
        layout::{LOCK, OBJECTS},
        retention, sweep,
    },
};

/// What state the store's own files are in, as far as can be seen without the lock.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// When they cannot be read.
    pub fn health(&self) -> Result<Health, Error> {
        let files = self.files();
        let mut journal_bytes = 0;
        let mut unread_lines = 0;
        for segment in journal::segments(files)? {
            let path = journal::path(segment);
            journal_bytes += files.stat(&path)?.map_or(0, |stat| stat.len);
            let records = journal::records(files, Position { segment, offset: 0 })?;
            unread_lines += records.iter().filter(|(_, record)| record.is_err()).count();
        }
        if files.kind(OBJECTS)?.is_some() {
            journal_bytes += retention::object_sizes(files)?.values().sum::<u64>();
        }
        let newest = Past::open(files)?.next().transpose()?;
        let unfinished = newest.filter(|event| event.state == LoggedState::Unfinished);
        Ok(Health {
            writer: files.read_own(LOCK)?.as_deref().and_then(Holder::from_line),
            unfinished: unfinished.map(|event| event.operation.id),
            temps: sweep::find(files)?,
            unread_lines,
            journal_bytes,
        })
    }

    /// Returns the revision of every file as the journal knows it last.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn heads(&self) -> Result<std::collections::BTreeMap<MemPath, Revision>, Error> {
        Ok(Heads::read(self.files())?.files)
    }

    /// Finds files that are not as the journal knows them, by path; those it never knew are among them.
    ///
    /// It reads every file. No lock is taken, so a change of this very moment may be among them.
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
        outside.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(outside)
    }
}
