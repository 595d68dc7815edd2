//! A disk that fails, or whose program dies, at a chosen step.

use std::{
    fmt, io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{Attempt, Content, Details, Disk, Exchanged, Found, HeldLock, Persist, Renamed, Stat};
use crate::Flow;

/// Passes every call on to another disk, except where it was told not to.
///
/// Every call counts as a step, beginning with 1, and so does writing into a held lock.
pub struct Faulty<D> {
    inner: D,
    faults: Arc<Faults>,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The step fails, later ones work again. A write leaves half of its data for want of space, else all of it, as when
    /// making it safe fails.
    Once(io::ErrorKind),
    /// This step and all later ones fail so.
    FromThenOn(io::ErrorKind),
    /// The program dies before the step: neither it nor any later one happens.
    Death,
    /// The program dies in the middle of the step: a write leaves half of its data, other steps do not happen.
    DeathWithin,
}

struct Faults {
    steps: AtomicU64,
    planned: Mutex<Vec<(u64, Planned)>>,
}

enum Planned {
    Fault(Fault),
    Action(Box<dyn FnMut() + Send>),
}

/// What becomes of a step.
enum Step {
    Whole,
    /// It fails; of a write, that many halves of the data are left.
    Fails(io::Error, usize),
}

impl<D> Faulty<D> {
    /// Fails nowhere, and counts.
    pub fn new(inner: D) -> Self {
        let (steps, planned) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        Self { inner, faults: Arc::new(Faults { steps, planned }) }
    }

    /// Lets something go wrong at a step.
    #[must_use]
    pub fn fault(self, step: u64, fault: Fault) -> Self {
        self.faults.planned().push((step, Planned::Fault(fault)));
        self
    }

    /// Does something just before a step: another program writes, or the process aborts.
    #[must_use]
    pub fn before(self, step: u64, action: impl FnMut() + Send + 'static) -> Self {
        self.faults.planned().push((step, Planned::Action(Box::new(action))));
        self
    }

    /// Returns the number of steps so far.
    pub fn steps(&self) -> u64 {
        self.faults.steps.load(Ordering::SeqCst)
    }

    /// Returns the disk below.
    pub fn inner(&self) -> &D {
        &self.inner
    }
}

impl<D: fmt::Debug> fmt::Debug for Faulty<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faulty").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl Faults {
    fn planned(&self) -> MutexGuard<'_, Vec<(u64, Planned)>> {
        self.planned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn step(&self) -> Step {
        let now = self.steps.fetch_add(1, Ordering::SeqCst) + 1;
        let mut outcome = Step::Whole;
        for (at, planned) in self.planned().iter_mut() {
            let is_now = *at == now;
            match planned {
                Planned::Action(action) if is_now => action(),
                Planned::Fault(Fault::Once(kind)) if is_now => outcome = failure(*kind),
                Planned::Fault(Fault::FromThenOn(kind)) if now >= *at => outcome = failure(*kind),
                Planned::Fault(Fault::Death | Fault::DeathWithin) if now > *at => outcome = dead(0),
                Planned::Fault(Fault::Death) if is_now => outcome = dead(0),
                Planned::Fault(Fault::DeathWithin) if is_now => outcome = dead(1),
                Planned::Action(_) | Planned::Fault(_) => {}
            }
        }
        outcome
    }

    /// Counts a step that either happens or does not.
    fn whole(&self) -> io::Result<()> {
        match self.step() {
            Step::Whole => Ok(()),
            Step::Fails(error, _) => Err(error),
        }
    }

    /// Counts a step that writes, and writes what is left of it.
    fn write(
        &self,
        bytes: &[u8],
        persist: Persist,
        write: impl Fn(&[u8], Persist) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.step() {
            Step::Whole => write(bytes, persist),
            Step::Fails(error, 0) => Err(error),
            Step::Fails(error, halves) => {
                let (left, _) =
                    bytes.split_at_checked(bytes.len() * halves / 2).unwrap_or_default();
                write(left, Persist::Later)?;
                Err(error)
            }
        }
    }
}

fn failure(kind: io::ErrorKind) -> Step {
    let halves = if kind == io::ErrorKind::StorageFull { 1 } else { 2 };
    Step::Fails(kind.into(), halves)
}

fn dead(halves: usize) -> Step {
    Step::Fails(io::Error::other("the program died"), halves)
}

impl<D: Disk> Disk for Faulty<D> {
    fn list(
        &self,
        folder: &str,
        details: Details,
        each: &mut dyn FnMut(Found<'_>) -> Flow,
    ) -> io::Result<()> {
        self.faults.whole()?;
        self.inner.list(folder, details, each)
    }

    fn stat(&self, path: &str) -> io::Result<Option<Stat>> {
        self.faults.whole()?;
        self.inner.stat(path)
    }

    fn read(&self, path: &str, from: u64, max: u64) -> io::Result<Content> {
        self.faults.whole()?;
        self.inner.read(path, from, max)
    }

    fn read_link(&self, path: &str) -> io::Result<Option<String>> {
        self.faults.whole()?;
        self.inner.read_link(path)
    }

    fn create(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        self.faults.write(bytes, persist, |bytes, persist| self.inner.create(path, bytes, persist))
    }

    fn append(&self, path: &str, bytes: &[u8], persist: Persist) -> io::Result<()> {
        self.faults.write(bytes, persist, |bytes, persist| self.inner.append(path, bytes, persist))
    }

    fn truncate(&self, path: &str, len: u64) -> io::Result<()> {
        self.faults.whole()?;
        self.inner.truncate(path, len)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.faults.whole()?;
        self.inner.rename(from, to)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<Renamed> {
        self.faults.whole()?;
        self.inner.rename_new(from, to)
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<Exchanged> {
        self.faults.whole()?;
        self.inner.exchange(one, other)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.faults.whole()?;
        self.inner.remove(path)
    }

    fn create_folder(&self, path: &str) -> io::Result<()> {
        self.faults.whole()?;
        self.inner.create_folder(path)
    }

    fn remove_folder(&self, path: &str) -> io::Result<()> {
        self.faults.whole()?;
        self.inner.remove_folder(path)
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        self.faults.whole()?;
        self.inner.sync_folder(folder)
    }

    fn try_lock(&self, path: &str, anchor: &str) -> io::Result<Attempt> {
        self.faults.whole()?;
        Ok(match self.inner.try_lock(path, anchor)? {
            Attempt::Held(lock) => {
                Attempt::Held(Box::new(Held { lock, faults: Arc::clone(&self.faults) }))
            }
            Attempt::Busy(note) => Attempt::Busy(note),
        })
    }

    fn random(&self) -> io::Result<[u8; 16]> {
        self.faults.whole()?;
        self.inner.random()
    }
}

struct Held {
    lock: Box<dyn HeldLock>,
    faults: Arc<Faults>,
}

impl HeldLock for Held {
    fn found(&self) -> &[u8] {
        self.lock.found()
    }

    fn write_note(&mut self, note: &[u8]) -> io::Result<()> {
        self.faults.whole()?;
        self.lock.write_note(note)
    }
}
