//! From a question to attachments.

use std::time::SystemTime;

use memdir_core::{
    frontmatter::{self, NoteKind, Parsed},
    text::prefix,
};
use memdir_scan::{Header, Problem, ProblemKind, scan_with};
use memdir_store::{Error, ReadStore, Revision};

use crate::{Attachment, Document, Hit, Lexical, Query, Silence, Surfaced, limits};

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
            now,
        }
    }
}

/// What an agent should be told, and what was in the way.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Recall {
    /// The memories that fit, the best first.
    pub attachments: Vec<Attachment>,
    /// Why there is none; `None` if there is one.
    pub silence: Option<Silence>,
    /// What the owner of the directory may want to know.
    pub problems: Vec<Problem>,
    /// Memories that were considered.
    pub considered: usize,
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
    let mut scanning = memdir_scan::Options::new(options.now);
    scanning.max = options.considered;
    let (scan, bodies) = scan_with(store, &scanning, |_, head| head.body.to_owned())?;
    let memories = scan.headers.iter().zip(&bodies);
    let documents: Vec<_> = memories.map(|(header, body)| Document::of(header, body)).collect();
    let query = query.most(options.max.max(query.most));
    let ranking = lexical.rank_where(&query, &documents, |at| {
        scan.headers.get(at).is_some_and(|header| !is_surfaced(store, header, query.surfaced))
    });
    let mut attach = Attach { store, options, problems: scan.problems, left: options.bytes_in_all };
    let mut attachments = Vec::new();
    for hit in ranking.best(options.max) {
        let Some(header) = scan.headers.get(hit.index) else { continue };
        attachments.extend(attach.read(header, hit));
    }
    let unread = attachments.is_empty().then_some(Silence::Unreadable);
    Ok(Recall {
        silence: ranking.silence.or(unread),
        attachments,
        problems: attach.problems,
        considered: documents.len(),
    })
}

/// Whether the conversation has this memory as it is now.
fn is_surfaced<S: ReadStore + ?Sized>(store: &S, header: &Header, surfaced: &[Surfaced]) -> bool {
    let mut shown = surfaced.iter().filter(|shown| shown.path == header.path).peekable();
    if shown.peek().is_none() {
        return false;
    }
    // Unreadable now counts as unchanged: there is nothing new to show.
    let now = store.read(&header.path).ok().flatten().map(|bytes| Revision::of(&bytes));
    shown.any(|shown| shown.revision.is_none() || now.is_none() || shown.revision == now)
}

struct Attach<'a, S: ?Sized> {
    store: &'a S,
    options: &'a Options,
    problems: Vec<Problem>,
    /// Bytes that are left for further attachments.
    left: usize,
}

impl<S: ReadStore + ?Sized> Attach<'_, S> {
    /// Reads a memory that was chosen; `None` if it cannot be read or has vanished since.
    fn read(&mut self, header: &Header, hit: &Hit) -> Option<Attachment> {
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
            why: hit.why.to_string(),
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
