//! Whole files: copied as they are, or mended.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::entry::Entry;
use crate::json;
use crate::line::Place;
use crate::note::{Notes, Reason};
use crate::piece::is_json;
use crate::reader::{Counts, Reader};
use crate::tree::{Bridge, Brief, Node, Tree};

/// What was met on the way through a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// What was met.
    pub counts: Counts,
    /// What was odd, in the order of the file.
    pub notes: Notes,
}

/// Copies a session byte by byte, damage included, and reports what is odd about it.
///
/// # Errors
///
/// Those of the source and of the target.
pub fn copy<R: Read, W: Write>(source: R, target: W) -> io::Result<Report> {
    let mut reader = Reader::new(Tee { source, target });
    let mut notes = Notes::default();
    while let Some(line) = reader.next_line()? {
        inspect(line.place, Entry::of(line.envelope.bytes()).reasons(), &mut notes);
    }
    Ok(report(reader, notes))
}

/// Looks at a whole session: everything that is odd about it, from the text of its lines to the tree that they make.
///
/// It takes the memory of a [`Tree`], and reads the entries that the notes are about a second time, to name them.
///
/// # Errors
///
/// Those of the source.
pub fn verify<R: Read + Seek>(source: &mut R) -> io::Result<Report> {
    source.seek(SeekFrom::Start(0))?;
    let mut reader = Reader::new(&mut *source);
    let mut notes = Notes::default();
    let mut tree = Tree::default();
    let mut messages = false;
    while let Some(line) = reader.next_line()? {
        inspect(line.place, Entry::of(line.envelope.bytes()).reasons(), &mut notes);
        tree.add(line.place, &Brief::of(&line.envelope));
        messages |= line.envelope.kind().is_message();
    }
    tree.mend();
    if !messages && reader.counts().bytes > 0 {
        notes.add(0, Reason::NoMessages);
    }
    notes.merge(tree.notes().clone());
    let Report { counts, mut notes } = report(reader, notes);
    let mut of_parents = Notes::default();
    for bridge in tree.bridges() {
        if of_parents.is_full() {
            of_parents.more += 1;
        } else if let Some(place) = tree.place(bridge.entry) {
            of_parents.add(place.offset, bridged(bridge, &tree, source)?);
        }
    }
    notes.merge(of_parents);
    notes.name(&tree, source)?;
    Ok(Report { counts, notes })
}

fn bridged<R: Read + Seek>(bridge: &Bridge, tree: &Tree, source: &mut R) -> io::Result<Reason> {
    let mut text = |node: Node, field| match tree.place(node) {
        Some(place) => Ok(Entry::read(source, place)?.id_text(field)),
        None => Ok::<_, io::Error>(None),
    };
    let parent = text(bridge.entry, "parentUuid")?.unwrap_or_default();
    let to = bridge.to.map(|to| text(to, "uuid")).transpose()?.flatten();
    Ok(Reason::Bridged { why: bridge.why, parent, to })
}

/// Writes every entry that can be read on a line of its own, as valid JSON; the notes say what changed.
///
/// Nothing that can be read is left out; an entry that is well stays byte by byte what it was.
/// Of what looks like an object but is no JSON, also when mended, the fields that are JSON stay; see [`Reason::NotJson`].
///
/// # Errors
///
/// Those of the source and of the target.
pub fn repair<R: Read, W: Write>(source: R, mut target: W) -> io::Result<Report> {
    let mut reader = Reader::new(source);
    let mut notes = Notes::default();
    let mut written = Vec::new();
    while let Some(line) = reader.next_line()? {
        let entry = Entry::of(line.envelope.bytes());
        let reasons = entry.reasons();
        inspect(line.place, reasons.iter().cloned(), &mut notes);
        written.clear();
        if reasons.contains(&Reason::NotJson) {
            salvage(entry.json().as_bytes(), &mut written);
        } else {
            written.extend_from_slice(entry.json().as_bytes());
        }
        written.push(b'\n');
        target.write_all(&written)?;
    }
    target.flush()?;
    Ok(report(reader, notes))
}

/// Writes an object of the fields that are JSON.
///
/// Of a key that stands twice the last counts, so where that is no JSON the field is absent, as it is for a reader.
fn salvage(object: &[u8], to: &mut Vec<u8>) {
    let mut fields = Vec::new();
    let mut is_last_json = HashMap::new();
    json::object(object, 0, |key, at| {
        let end = json::value_end(object, at)?;
        let value = object.get(at..end)?;
        let name = [b"\"", key, b"\""].concat();
        is_last_json.insert(key, is_json(&name) && is_json(value));
        fields.push((key, name, value));
        Some(end)
    });
    to.push(b'{');
    for (key, name, value) in fields {
        // An earlier value of the same key may be none.
        if is_last_json.get(key) == Some(&true) && is_json(value) {
            if to.last() != Some(&b'{') {
                to.push(b',');
            }
            to.extend_from_slice(&name);
            to.push(b':');
            to.extend_from_slice(value);
        }
    }
    to.push(b'}');
}

fn inspect(place: Place, reasons: impl IntoIterator<Item = Reason>, notes: &mut Notes) {
    for reason in reasons {
        notes.add(place.offset, reason);
    }
}

fn report<R: Read>(mut reader: Reader<R>, of_lines: Notes) -> Report {
    let mut notes = reader.take_notes();
    notes.merge(of_lines);
    Report { counts: reader.counts(), notes }
}

/// Writes what is read.
#[derive(Debug)]
struct Tee<R, W> {
    source: R,
    target: W,
}

impl<R: Read, W: Write> Read for Tee<R, W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.target.write_all(buffer.get(..read).unwrap_or_default())?;
        if read == 0 {
            self.target.flush()?;
        }
        Ok(read)
    }
}
