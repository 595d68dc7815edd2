//! Transcripts: the envelope of every line, the tree and the active branch, with nothing but what that needs.

use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use memchr::{memchr, memchr_iter, memchr2, memrchr};

/// What the references take from a line.
#[derive(Clone, Copy, Default)]
struct Line<'a> {
    uuid: &'a [u8],
    parent: &'a [u8],
    side: bool,
}

/// Lines that were seen, and entries of the active branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Branch {
    /// Lines of the file, or of the part that was read.
    pub lines: usize,
    /// Entries from the last one of the conversation to its root.
    pub entries: usize,
}

/// Follows the active branch of a session that is in memory as a whole.
pub fn branch(bytes: &[u8]) -> Branch {
    let mut parents: HashMap<u128, u128, BuildHasherDefault<Multiply>> = HashMap::default();
    let (mut last, mut lines, mut start) = (0, 0, 0);
    for end in memchr_iter(b'\n', bytes) {
        let line = scan(bytes.get(start..end).unwrap_or_default()).unwrap_or_default();
        start = end + 1;
        lines += 1;
        if line.uuid.is_empty() {
            continue;
        }
        let id = number(line.uuid);
        parents.insert(id, number(line.parent));
        if !line.side {
            last = id;
        }
    }
    let mut entries = 0;
    while last != 0 {
        entries += 1;
        last = parents.get(&last).copied().unwrap_or(0);
    }
    Branch { lines, entries }
}

/// Bytes that [`tail`] reads at once.
const BLOCK: u64 = 1 << 18;

/// Reads a file backwards until the active branch meets its root.
pub fn tail(path: &Path) -> io::Result<Branch> {
    let file = File::open(path)?;
    let mut end = file.metadata()?.len();
    let mut found = Branch::default();
    let mut places = Vec::new();
    let mut wanted = None;
    // The start of a line whose other part is in the block before.
    let mut carried: Vec<u8> = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        let block = usize::try_from(end - start).unwrap_or(0);
        let mut buffer = vec![0; block];
        file.read_exact_at(&mut buffer, start)?;
        buffer.extend_from_slice(&carried);
        let first = if start == 0 { Some(0) } else { memchr(b'\n', &buffer).map(|at| at + 1) };
        let Some(first) = first else {
            carried = buffer;
            end = start;
            continue;
        };
        let mut rest = buffer.get(first..).unwrap_or_default();
        while !rest.is_empty() {
            let line = rest.strip_suffix(b"\n").unwrap_or(rest);
            let at = memrchr(b'\n', line).map_or(0, |at| at + 1);
            let (before, line) = line.split_at(at);
            rest = before;
            found.lines += 1;
            let Some(envelope) = scan(line).filter(|envelope| !envelope.uuid.is_empty()) else {
                continue;
            };
            let id = number(envelope.uuid);
            let on_branch = wanted.map_or(!envelope.side, |wanted| wanted == id);
            if on_branch {
                found.entries += 1;
                places.push((start + (first + at) as u64, line.len()));
                let parent = number(envelope.parent);
                if parent == 0 {
                    std::hint::black_box(&places);
                    return Ok(found);
                }
                wanted = Some(parent);
            }
        }
        carried = buffer.get(..first).unwrap_or_default().to_vec();
        end = start;
    }
    Ok(found)
}

/// The keys of one object, without looking whether it is one.
fn scan(line: &[u8]) -> Option<Line<'_>> {
    let mut found = Line::default();
    let mut at = 1;
    loop {
        match line.get(at)? {
            b',' | b' ' => at += 1,
            b'"' => {
                let key_end = string_end(line, at + 1)?;
                let key = line.get(at + 1..key_end - 1)?;
                let mut value = key_end;
                while matches!(line.get(value)?, b':' | b' ') {
                    value += 1;
                }
                let end = value_end(line, value)?;
                let text = || match line.get(value) {
                    Some(b'"') => line.get(value + 1..end - 1).unwrap_or_default(),
                    _ => b"",
                };
                match key {
                    b"uuid" => found.uuid = text(),
                    b"parentUuid" => found.parent = text(),
                    b"isSidechain" => found.side = line.get(value) == Some(&b't'),
                    _ => {}
                }
                at = end;
            }
            _ => return Some(found),
        }
    }
}

fn string_end(line: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let found = at + memchr2(b'"', b'\\', line.get(at..)?)?;
        if line.get(found) == Some(&b'"') {
            return Some(found + 1);
        }
        at = found + 2;
    }
}

fn value_end(line: &[u8], mut at: usize) -> Option<usize> {
    match line.get(at)? {
        b'"' => string_end(line, at + 1),
        b'{' | b'[' => {
            let mut depth = 0;
            loop {
                match line.get(at)? {
                    b'"' => {
                        at = string_end(line, at + 1)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth -= 1;
                        if depth == 0 {
                            return Some(at + 1);
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
        }
        _ => {
            while !matches!(line.get(at)?, b',' | b'}' | b']') {
                at += 1;
            }
            Some(at)
        }
    }
}

/// The hexadecimal digits of a uuid as a number.
fn number(uuid: &[u8]) -> u128 {
    uuid.iter().fold(0, |number, byte| match byte {
        b'0'..=b'9' => number << 4 | u128::from(byte - b'0'),
        b'a'..=b'f' => number << 4 | u128::from(byte - b'a' + 10),
        _ => number,
    })
}

/// The cheapest hash that spreads random numbers: one multiplication a word.
#[derive(Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(chunk) {
                *to = *from;
            }
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[expect(clippy::cast_possible_truncation, reason = "the two halves of the number")]
    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}
