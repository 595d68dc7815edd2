//! From a question to attachments.

use std::time::SystemTime;

use memdir_core::{
    frontmatter::{self, NoteKind, Parsed},
    text::prefix,
};
use memdir_scan::{Header, Problem, ProblemKind};
use memdir_store::{Error, ReadStore, Revision};

use crate::{
    Attachment, BadPattern, Basis, Candidate, Cause, Draft, Lexical, Query, Silence, Usage,
    Verifier, limits,
};

/// How to recall.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Attachments at most; [`limits::MAX_ATTACHMENTS`] by default.
    pub max: usize,
    /// Bytes of each; [`limits::ATTACHMENT_BYTES`] by default.
    pub bytes_each: usize,
    /// Bytes of all together; [`limits::TOTAL_BYTES`] by default.
    pub bytes_in_all: usize,
    /// Memories that are considered, the newest; [`memdir_scan::limits::MAX_HEADERS`] by default.
    pub considered: usize,
    /// How memories were used before; of those that fit about equally, one that has helped comes first. None by default.
    pub usage: Usage,
    /// The time, from which ages are told.
    pub now: SystemTime,
}

impl Options {
    /// The defaults at a time.
    pub fn new(now: SystemTime) -> Self {
        Self {
            max: limits::MAX_ATTACHMENTS,
            bytes_each: limits::ATTACHMENT_BYTES,
            bytes_in_all: limits::TOTAL_BYTES,
            considered: memdir_scan::limits::MAX_HEADERS,
            usage: Usage::new(),
            now,
        }
    }
}

/// What an agent should be told, and what was in the way.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Recall {
    /// The memories that fit: first those that a trigger or a file in play brought up, the newest first, then the others,
    /// the best first.
    pub attachments: Vec<Attachment>,
    /// What was looked at, in the same order, and why some of it is not attached.
    pub candidates: Vec<Candidate>,
    /// Why there is none; `None` if there is one.
    pub silence: Option<Silence>,
    /// What the selection rests on.
    pub basis: Basis,
    /// What the owner of the directory may want to know.
    pub problems: Vec<Problem>,
    /// Patterns of `paths` that cannot be used; only looked at where files are in play.
    pub bad_patterns: Vec<BadPattern>,
    /// Memories that were considered.
    pub considered: usize,
}

impl Recall {
    /// Adds to each attachment what it names that the project does not have.
    pub fn verify(&mut self, verifier: &mut Verifier<'_>) {
        for attachment in &mut self.attachments {
            // The mark under a cut text is ours.
            let content = match attachment.content.rsplit_once('\n') {
                Some((content, _)) if attachment.is_cut => content,
                _ => &attachment.content,
            };
            let found = verifier.verify(content);
            attachment.findings.extend(found.iter().map(ToString::to_string));
        }
    }
}

/// Answers a question from a memory directory: selects the memories that help and reads them.
///
/// Nothing is written, and no modification time changes. What is in the conversation already is passed over while its file
/// is unchanged.
///
/// # Errors
///
/// When the directory cannot be listed. A file that cannot be read is a problem beside the answer.
pub fn recall<S: ReadStore + ?Sized>(
    store: &S,
    lexical: &Lexical,
    query: &Query<'_>,
    options: &Options,
) -> Result<Recall, Error> {
    Ok(Draft::new(store, lexical, query, options)?.attach(store))
}

pub(crate) struct Attach<'a, S: ?Sized> {
    store: &'a S,
    options: &'a Options,
    pub(crate) problems: Vec<Problem>,
    /// Bytes that are left for further attachments.
    left: usize,
}

impl<'a, S: ReadStore + ?Sized> Attach<'a, S> {
    pub(crate) fn new(store: &'a S, options: &'a Options, problems: Vec<Problem>) -> Self {
        Self { store, options, problems, left: options.bytes_in_all }
    }

    /// Reads a memory that was chosen; `None` if it cannot be read or has vanished since.
    pub(crate) fn read(&mut self, header: &Header, cause: &Cause) -> Option<Attachment> {
        let (bytes, revision) = match self.store.read(&header.path) {
            Ok(bytes) => {
                let bytes = bytes?;
                let revision = Revision::of(&bytes);
                (bytes, Some(revision))
            }
            Err(Error::TooLarge { .. }) => (self.read_head(header)?, None),
            Err(error) => return self.report(header, error),
        };
        let room = self.options.bytes_each.min(self.left);
        let (text, _) = frontmatter::decode(&bytes);
        let Parsed { fields, body, .. } = frontmatter::parse(&text);
        let whole = compose(fields.description.as_deref(), body);
        let content = cut(&whole, room, header);
        self.left -= content.len();
        Some(Attachment {
            path: header.path.clone(),
            memory_type: header.kind,
            is_cut: content != whole,
            content,
            age: header.age(self.options.now),
            freshness_caveat: header.caveat(self.options.now),
            origin: header.origin,
            findings: self.findings(header),
            why: cause.to_string(),
            revision,
        })
    }

    fn read_head(&mut self, header: &Header) -> Option<Vec<u8>> {
        let bytes = self.options.bytes_each + memdir_core::limits::MAX_BLOCK_BYTES;
        match self.store.read_head(&header.path, bytes as u64) {
            Ok(head) => head,
            Err(error) => self.report(header, error),
        }
    }

    fn report<T>(&mut self, header: &Header, error: Error) -> Option<T> {
        self.problems.push(Problem::unreadable(&header.path, error));
        None
    }

    /// What of the problems with a file matters to whoever reads its content.
    fn findings(&self, header: &Header) -> Vec<String> {
        let of_file = self.problems.iter().filter(|problem| problem.path == header.path.as_str());
        let telling = of_file.filter_map(|problem| match &problem.kind {
            kind @ (ProblemKind::TooLarge { .. }
            | ProblemKind::Binary
            | ProblemKind::HardLinks { .. }
            | ProblemKind::FutureDate) => Some(kind.to_string()),
            ProblemKind::Note(note) if note.kind == NoteKind::NotUtf8 => {
                Some(note.kind.to_string())
            }
            _ => None,
        });
        telling.collect()
    }
}

/// The body, below the description if it does not say the same.
fn compose(description: Option<&str>, body: &str) -> String {
    let body = body.trim();
    match description {
        Some(description) if body.is_empty() => description.to_owned(),
        Some(description) if !body.contains(description) => format!("{description}\n\n{body}"),
        _ => body.to_owned(),
    }
}

/// Cuts a text behind a line if one ends in the second half of the room, else behind a character, and says where it goes on.
fn cut(text: &str, room: usize, header: &Header) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let mark = format!("\n[cut: the file has {} bytes; read on in `{}`]", header.len, header.path);
    let Some(room) = room.checked_sub(mark.len()) else { return String::new() };
    let mut kept = prefix(text, room);
    if let Some((lines, _)) = kept.rsplit_once('\n').filter(|(lines, _)| lines.len() >= room / 2) {
        kept = lines;
    }
    format!("{}{mark}", kept.trim_end())
}
