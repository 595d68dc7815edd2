//! State that parts above keep beside the journal, and one turn for several steps.

use std::fmt;

use crate::{
    ApplyError, Attribution, Batch, Error, Receipt,
    disk::{Content, Disk, Persist},
    limits,
    store::{
        Store,
        files::Files,
        layout::{self, STATE},
        session::Session,
        trail,
    },
};

/// Names a file of state that a part keeps in the private folder, such as `inbox.json`.
///
/// No memory can have that name, so no model and no person reaches it through a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StateName(&'static str);

impl StateName {
    /// Takes a name of lower-case letters, dashes and dots that begins with a letter.
    ///
    /// # Panics
    ///
    /// For any other name; in a constant that is an error of the compiler.
    pub const fn new(name: &'static str) -> Self {
        let mut rest = name.as_bytes();
        assert!(matches!(rest, [b'a'..=b'z', ..]), "a name of state begins with a letter");
        while let [byte, after @ ..] = rest {
            let is_plain = byte.is_ascii_lowercase() || *byte == b'-' || *byte == b'.';
            assert!(is_plain, "a name of state has lower-case letters, dashes and dots");
            rest = after;
        }
        Self(name)
    }

    fn path(self) -> String {
        layout::join(STATE, self.0)
    }
}

/// Displays as the path of the file within the memory directory.
impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.path())
    }
}

/// The turn of one writer, for what must not be parted: to read state, to change memories, and to write what became of it.
pub struct Turn<'t, 's, D>(&'t mut Session<'s, D>);

impl<D> fmt::Debug for Turn<'_, '_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").finish_non_exhaustive()
    }
}

impl<D: Disk> Turn<'_, '_, D> {
    /// Does everything in the batch, or nothing; see [`WriteStore::apply`](crate::WriteStore::apply).
    ///
    /// # Errors
    ///
    /// As [`WriteStore::apply`](crate::WriteStore::apply).
    pub fn apply(&mut self, batch: &Batch, by: &Attribution) -> Result<Receipt, ApplyError> {
        self.0.apply(batch, by)
    }

    /// Returns a file of state; `None` where there is none.
    ///
    /// # Errors
    ///
    /// As [`Store::state`].
    pub fn state(&self, name: StateName) -> Result<Option<Vec<u8>>, Error> {
        read(self.0.files, name)
    }

    /// Replaces a file of state in one step. After `Ok` it survives a power cut; a failure leaves what was there.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] above [`limits::STATE_BYTES`], and when the disk is in the way.
    pub fn set_state(&mut self, name: StateName, bytes: &[u8]) -> Result<(), Error> {
        let path = name.path();
        if bytes.len() as u64 > limits::STATE_BYTES {
            return Err(Error::TooLarge { path, limit: limits::STATE_BYTES });
        }
        self.0.files.create_folder(STATE)?;
        self.0.files.replace_own(&path, bytes, Persist::Now)?;
        self.0.files.sync_folder(STATE)
    }
}

impl<D: Disk> Store<D> {
    /// Works with every other writer locked out; `what` tells those who wait what they wait for.
    ///
    /// Within, only the turn may write: the store itself would wait for its own lock.
    ///
    /// # Errors
    ///
    /// Those of `work`, and as [`WriteStore::apply`](crate::WriteStore::apply) when the lock cannot be had.
    pub fn turn<T, E: From<Error>>(
        &self,
        what: &str,
        work: impl FnOnce(&mut Turn<'_, '_, D>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.session(what, |session| work(&mut Turn(session)))
    }

    /// Returns a file of state as it was before or after a change, never between; `None` where there is none. Takes no lock.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] above [`limits::STATE_BYTES`], and when it cannot be read.
    pub fn state(&self, name: StateName) -> Result<Option<Vec<u8>>, Error> {
        read(self.files(), name)
    }

    /// Adds a line to a file of state with one write and without a lock. It need not survive a power cut.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] when the file is as long as [`limits::STATE_BYTES`], and when the disk is in the way.
    pub fn append_to_state(&self, name: StateName, line: &str) -> Result<(), Error> {
        let (files, path) = (self.files(), name.path());
        let mut text = String::with_capacity(line.len() + 2);
        let len = files.stat(&path)?.map_or(0, |stat| stat.len);
        if len + line.len() as u64 >= limits::STATE_BYTES {
            return Err(Error::TooLarge { path, limit: limits::STATE_BYTES });
        }
        if trail::is_torn(files, &path, len)? {
            text.push('\n');
        }
        text.push_str(line);
        text.push('\n');
        trail::make_private(files)?;
        files.create_folder(STATE)?;
        files.append(&path, text.as_bytes(), Persist::Later)
    }
}

fn read<D: Disk>(files: Files<'_, D>, name: StateName) -> Result<Option<Vec<u8>>, Error> {
    let path = name.path();
    match files.read(&path, 0, limits::STATE_BYTES + 1)? {
        Content::Absent => Ok(None),
        Content::NotAFile(kind) => Err(Error::NotAFile { path, kind }),
        Content::Bytes(bytes, _) if bytes.len() as u64 > limits::STATE_BYTES => {
            Err(Error::TooLarge { path, limit: limits::STATE_BYTES })
        }
        Content::Bytes(bytes, _) => Ok(Some(bytes)),
    }
}
