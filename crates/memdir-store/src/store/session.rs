//! The turn of one writer: lock, mend what a predecessor left, work, unlock.

use std::{collections::BTreeSet, time::Duration};

use memdir_core::MemPath;

use crate::{
    Error, FileKind, Holder, Recovered,
    disk::{Attempt, Disk, HeldLock, Persist},
    store::{
        Options, Store,
        files::Files,
        journal::Journal,
        layout::{IGNORE, JOURNAL, LOCK, OBJECTS, PRIVATE},
        sweep,
    },
};

/// Pauses between two tries for the lock: short at first, as most writers need a few milliseconds.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(16);

/// Keeps the private folder out of version control.
pub(crate) const IGNORE_ALL: &[u8] = b"*\n";

/// A writer whose turn it is.
pub(crate) struct Session<'s, D> {
    pub(crate) files: Files<'s, D>,
    pub(crate) options: &'s Options,
    pub(crate) journal: Journal<'s, D>,
    /// What predecessors had left.
    pub(crate) recovered: Vec<Recovered>,
    /// Files in which the operation at hand met what somebody else wrote and could not put it together with.
    pub(crate) clashed: BTreeSet<MemPath>,
    /// Temporary files that predecessors had left.
    pub(crate) swept: usize,
    /// Whether something stays behind that the next writer has to sweep.
    pub(crate) leaves_rest: bool,
    lock: Box<dyn HeldLock>,
}

impl<D: Disk> Store<D> {
    /// Works with everybody else locked out and the directory in order.
    pub(crate) fn session<T, E: From<Error>>(
        &self,
        what: &str,
        work: impl FnOnce(&mut Session<'_, D>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut session = Session::open(self, what)?;
        let result = work(&mut session);
        session.close();
        result
    }
}

impl<'s, D: Disk> Session<'s, D> {
    fn open(store: &'s Store<D>, what: &str) -> Result<Self, Error> {
        let (files, options) = (store.files(), &store.options);
        make_private(files)?;
        let mut lock = acquire(files, options.lock_wait)?;
        let is_dirty = !lock.found().is_empty();
        let note = Holder::this_process(options.clock.now(), what).to_line();
        lock.write_note(note.as_bytes()).map_err(|e| Error::io("write", LOCK, e))?;

        let journal = Journal::open(files)?;
        let unfinished = journal.unfinished()?;
        let mut session = Self {
            files,
            options,
            journal,
            recovered: Vec::new(),
            clashed: BTreeSet::new(),
            swept: 0,
            leaves_rest: false,
            lock,
        };
        if let Some(operation) = unfinished {
            session.recover(operation)?;
        }
        // Before there is a journal, nothing tells whether a first writer died.
        let is_first = session.journal.is_empty();
        if is_dirty || is_first {
            session.sweep()?;
        }
        if is_first && files.read_own(IGNORE)?.as_deref() != Some(IGNORE_ALL) {
            files.replace_own(IGNORE, IGNORE_ALL, Persist::Now)?;
        }
        Ok(session)
    }

    /// Removes temporary files that nobody will finish any more.
    pub(crate) fn sweep(&mut self) -> Result<(), Error> {
        let swept = sweep::sweep(self.files)?;
        self.swept += swept.removed;
        self.leaves_rest |= swept.failed;
        Ok(())
    }

    fn close(mut self) {
        if !self.leaves_rest {
            // A note that stays makes the next writer look around, which is all that it can do wrong.
            drop(self.lock.write_note(b""));
        }
    }
}

/// Makes the folders that locking needs; the journal's comes last, so its being there means that all are.
fn make_private<D: Disk>(files: Files<'_, D>) -> Result<(), Error> {
    if files.kind(JOURNAL)? == Some(FileKind::Folder) {
        return Ok(());
    }
    for folder in [PRIVATE, OBJECTS, JOURNAL] {
        files.create_folder(folder).map_err(|error| match files.kind(folder) {
            Ok(Some(kind)) if kind != FileKind::Folder => {
                Error::NotADirectory { path: folder.to_owned() }
            }
            _ => error,
        })?;
    }
    Ok(())
}

fn acquire<D: Disk>(files: Files<'_, D>, wait: Duration) -> Result<Box<dyn HeldLock>, Error> {
    let (mut waited, mut pause) = (Duration::ZERO, FIRST_PAUSE);
    loop {
        let attempt = files.try_lock(LOCK, JOURNAL).map_err(|error| match files.kind(LOCK) {
            Ok(Some(kind)) if kind != FileKind::File => {
                Error::NotAFile { path: LOCK.to_owned(), kind }
            }
            _ => error,
        });
        match attempt? {
            Attempt::Held(lock) => return Ok(lock),
            Attempt::Busy(note) if waited >= wait => {
                return Err(Error::Busy { holder: Holder::from_line(&note), waited });
            }
            Attempt::Busy(_) => {}
        }
        // Writers that began to wait together part ways.
        let [chance, ..] = files.random()?;
        let pause_now = pause.mul_f64(0.5 + f64::from(chance) / 256.0);
        sleep(pause_now);
        waited += pause_now;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[expect(clippy::disallowed_methods, reason = "kernel locks cannot be waited for with a deadline")]
fn sleep(pause: Duration) {
    std::thread::sleep(pause);
}
