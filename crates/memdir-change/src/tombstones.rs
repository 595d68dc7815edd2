//! What was forgotten stays so: hashes of names and texts that no run brings back.

use std::collections::BTreeSet;
use std::time::SystemTime;

use memdir_core::MemPath;
use memdir_core::age::format_rfc3339;
use memdir_core::frontmatter::{decode, parse};
use memdir_core::text::fold;
use memdir_store::disk::Disk;
use memdir_store::{ApplyError, Attribution, Batch, Error, Receipt, StateName, Store, Turn};
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::limits::TOMBSTONES;

pub(crate) const STATE: StateName = StateName::new("tombstones.json");

/// The version of the file that this program writes.
const VERSION: u64 = 1;

/// What was forgotten, as hashes: nobody can read from them what it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tombstones {
    stones: Vec<Stone>,
}

/// One forgotten memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Stone {
    /// RFC 3339, UTC.
    at: String,
    path: Digest,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Digest>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Digest>,
}

#[derive(Serialize, Deserialize)]
struct File {
    v: u64,
    stones: Vec<Stone>,
}

impl Stone {
    fn of(path: &MemPath, bytes: &[u8], at: SystemTime) -> Option<Self> {
        let text = decode(bytes).0;
        let parsed = parse(&text);
        let described = parsed.fields.description.as_deref().unwrap_or_default();
        let mut lines = Digest::of_lines(parsed.body);
        lines.extend(Digest::of_lines(described));
        Some(Self {
            at: format_rfc3339(at),
            path: Digest::of(&path.twin_key())?,
            name: parsed.fields.name.as_deref().and_then(name_digest),
            text: Digest::of(parsed.body),
            lines,
        })
    }
}

/// A name counts together with nothing else, so that it is found under another type too.
fn name_digest(name: &str) -> Option<Digest> {
    Digest::of(&fold(name))
}

impl Tombstones {
    /// Reads those of a store; empty where nothing was forgotten.
    ///
    /// # Errors
    ///
    /// [`Error::NewerFormat`], and when the file cannot be read. One that is damaged is an error too: what was forgotten
    /// would come back.
    pub fn read<D: Disk>(store: &Store<D>) -> Result<Self, Error> {
        Self::of_bytes(store.state(STATE)?.as_deref())
    }

    fn of_bytes(bytes: Option<&[u8]>) -> Result<Self, Error> {
        let Some(bytes) = bytes else { return Ok(Self::default()) };
        let file: File = serde_json::from_slice(bytes).map_err(|error| Error::Io {
            op: "read",
            path: STATE.to_string(),
            source: error.into(),
        })?;
        if file.v > VERSION {
            return Err(Error::NewerFormat { path: STATE.to_string(), version: file.v });
        }
        Ok(Self { stones: file.stones })
    }

    /// Tells whether nothing was forgotten.
    pub fn is_empty(&self) -> bool {
        self.stones.is_empty()
    }

    /// Remembers a memory as forgotten.
    pub fn add(&mut self, path: &MemPath, bytes: &[u8], at: SystemTime) {
        let Some(stone) = Stone::of(path, bytes, at) else { return };
        self.stones.retain(|other| (&other.path, &other.text) != (&stone.path, &stone.text));
        self.stones.push(stone);
        let over = self.stones.len().saturating_sub(TOMBSTONES);
        self.stones.drain(..over);
    }

    /// Lets a memory be written again that a person wrote again; returns whether anything stood against it.
    pub fn lift(&mut self, path: &MemPath, bytes: &[u8]) -> bool {
        let Some(written) = Stone::of(path, bytes, SystemTime::UNIX_EPOCH) else { return false };
        let before = self.clone();
        let same = |a: &Option<Digest>, b: &Option<Digest>| a.is_some() && a == b;
        self.stones.retain(|stone| {
            stone.path != written.path
                && !same(&stone.name, &written.name)
                && !same(&stone.text, &written.text)
        });
        for stone in &mut self.stones {
            stone.lines.retain(|line| !written.lines.contains(line));
        }
        *self != before
    }

    /// All of them, to look up in.
    pub(crate) fn forgotten(&self) -> Forgotten<'_> {
        Forgotten {
            paths: self.stones.iter().map(|stone| &stone.path).collect(),
            names: self.stones.iter().filter_map(|stone| stone.name.as_ref()).collect(),
            texts: self.stones.iter().filter_map(|stone| stone.text.as_ref()).collect(),
            lines: self.stones.iter().flat_map(|stone| &stone.lines).collect(),
        }
    }

    pub(crate) fn write<D: Disk>(self, turn: &mut Turn<'_, '_, D>) -> Result<(), Error> {
        let file = File { v: VERSION, stones: self.stones };
        let bytes = serde_json::to_vec(&file).map_err(|error| Error::Io {
            op: "write",
            path: STATE.to_string(),
            source: error.into(),
        })?;
        turn.set_state(STATE, &bytes)
    }

    pub(crate) fn in_turn<D: Disk>(turn: &Turn<'_, '_, D>) -> Result<Self, Error> {
        Self::of_bytes(turn.state(STATE)?.as_deref())
    }
}

/// What was forgotten, by its hashes.
#[derive(Debug)]
pub(crate) struct Forgotten<'a> {
    paths: BTreeSet<&'a Digest>,
    names: BTreeSet<&'a Digest>,
    texts: BTreeSet<&'a Digest>,
    lines: BTreeSet<&'a Digest>,
}

impl Forgotten<'_> {
    /// Says why no new memory may have this path and name; `None` where it may.
    pub(crate) fn forbids_new(&self, path: &MemPath, name: &str) -> Option<&'static str> {
        let is_in = |set: &BTreeSet<&Digest>, digest: Option<Digest>| {
            digest.is_some_and(|digest| set.contains(&digest))
        };
        if is_in(&self.paths, Digest::of(&path.twin_key())) {
            return Some("a memory at this path was forgotten");
        }
        is_in(&self.names, name_digest(name)).then_some("a memory of this name was forgotten")
    }

    /// Says why no memory may say this; `None` where it may. What stands in `kept`, of which the memory is made, is no news.
    pub(crate) fn forbids_text(&self, body: &str, kept: &BTreeSet<Digest>) -> Option<&'static str> {
        if self.texts.is_empty() && self.lines.is_empty() {
            return None;
        }
        let is_new = |digest: &Digest| !kept.contains(digest);
        if Digest::of(body).filter(is_new).is_some_and(|text| self.texts.contains(&text)) {
            return Some("a memory with this text was forgotten");
        }
        let mut lines = Digest::of_lines(body).into_iter().filter(is_new);
        lines
            .any(|line| self.lines.contains(&line))
            .then_some("a line of it stood in a memory that was forgotten")
    }
}

/// Removes memories by a batch and remembers what they were, in the turn of a writer.
///
/// The hashes are written first. Where the batch is not applied they are taken back; one that stays behind stands against
/// no memory that is there.
///
/// # Errors
///
/// As [`Turn::apply`], and when what was forgotten cannot be read or written; then nothing is removed.
pub fn forget<D: Disk>(
    turn: &mut Turn<'_, '_, D>,
    batch: &Batch,
    by: &Attribution,
    forgotten: &[(MemPath, Vec<u8>)],
    at: SystemTime,
) -> Result<Receipt, ApplyError> {
    let known = Tombstones::in_turn(turn)?;
    let mut tombstones = known.clone();
    for (path, bytes) in forgotten {
        tombstones.add(path, bytes, at);
    }
    if tombstones == known {
        return turn.apply(batch, by);
    }
    tombstones.write(turn)?;
    let applied = turn.apply(batch, by);
    if applied.is_err() {
        // The first error tells what is wrong.
        drop(known.write(turn));
    }
    applied
}

/// Lets a memory be written by runs again, because a person wrote it again. Takes the lock only where that changes something.
///
/// # Errors
///
/// When the lock cannot be had or the file cannot be read or written.
pub fn lift<D: Disk>(store: &Store<D>, path: &MemPath, bytes: &[u8]) -> Result<(), Error> {
    if !Tombstones::read(store)?.lift(path, bytes) {
        return Ok(());
    }
    store.turn("tombstones", |turn| {
        let mut tombstones = Tombstones::in_turn(turn)?;
        tombstones.lift(path, bytes);
        tombstones.write(turn)
    })
}
