//! Memories for a test, as documents and as a directory.

use std::{
    io,
    time::{Duration, SystemTime},
};

use memdir_core::MemPath;
use memdir_recall::{Document, Lexical, Options, Query, Ranking, Recall, recall};
use memdir_store::{Entry, Error, Flow, Listed, ReadStore, limits::MAX_FILE_BYTES};

/// Noon of a day, counted from 2026-01-01.
pub(crate) fn day(day: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_268_800 + day * 86_400)
}

pub(crate) fn path(text: &str) -> MemPath {
    MemPath::parse(text).unwrap()
}

/// Memories given as name and text, ranked; the file of each is `<place>.md`, so that it says nothing.
pub(crate) struct Memories {
    paths: Vec<MemPath>,
    texts: Vec<(String, String)>,
}

impl Memories {
    pub(crate) fn new<N: AsRef<str>, T: AsRef<str>>(texts: &[(N, T)]) -> Self {
        let file = |at: usize| path(&format!("m{at}.md"));
        let text = |(name, text): &(N, T)| (name.as_ref().to_owned(), text.as_ref().to_owned());
        Self {
            paths: (0..texts.len()).map(file).collect(),
            texts: texts.iter().map(text).collect(),
        }
    }

    pub(crate) fn documents(&self) -> Vec<Document<'_>> {
        let mut documents: Vec<_> =
            self.paths.iter().map(|path| Document::new(path, day(0))).collect();
        for (document, (name, text)) in documents.iter_mut().zip(&self.texts) {
            document.name = Some(&**name).filter(|name| !name.is_empty());
            // Long texts are bodies.
            if text.len() < 200 {
                document.description = Some(text);
            } else {
                document.body = text;
            }
        }
        documents
    }

    pub(crate) fn rank(&self, question: &str) -> Ranking {
        Lexical::new().rank(&Query::new(question), &self.documents())
    }

    /// The places of the memories found, the best first.
    pub(crate) fn find(&self, question: &str) -> Vec<usize> {
        self.rank(question).hits.iter().map(|hit| hit.index).collect()
    }

    /// Why the first memory was found.
    pub(crate) fn why(&self, question: &str) -> String {
        self.rank(question).hits.first().map(|hit| hit.why.to_string()).unwrap_or_default()
    }
}

/// A store in memory, for what a test wants to go wrong.
#[derive(Default)]
pub(crate) struct Shelf {
    files: Vec<(Entry, Content)>,
}

enum Content {
    Bytes(Vec<u8>),
    /// Listed and scanned, and gone or unreadable when it is read whole.
    Fleeting(Vec<u8>, Option<io::ErrorKind>),
}

impl Shelf {
    pub(crate) fn file(mut self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let bytes = content.as_ref().to_vec();
        let modified = day(self.files.len() as u64);
        let entry = Entry::new(path(name), modified, bytes.len() as u64);
        self.files.push((entry, Content::Bytes(bytes)));
        self
    }

    pub(crate) fn memory(self, name: &str, description: &str, body: &str) -> Self {
        self.file(name, format!("---\ndescription: {description}\ntype: project\n---\n\n{body}"))
    }

    pub(crate) fn fleeting(mut self, fault: Option<io::ErrorKind>) -> Self {
        if let Some((entry, Content::Bytes(bytes))) = self.files.pop() {
            self.files.push((entry, Content::Fleeting(bytes, fault)));
        }
        self
    }

    pub(crate) fn recall(&self, query: &Query<'_>) -> Recall {
        self.recall_with(query, |_| {})
    }

    pub(crate) fn recall_with(&self, query: &Query<'_>, set: impl FnOnce(&mut Options)) -> Recall {
        let mut options = Options::new(day(100));
        set(&mut options);
        recall(self, &Lexical::new(), query, &options).unwrap()
    }
}

impl ReadStore for Shelf {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> Flow) -> Result<(), Error> {
        for (entry, _) in &self.files {
            if each(Listed::Entry(entry.clone())).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        let (_, content) = self.files.iter().find(|(entry, _)| entry.path == *path).unwrap();
        let (Content::Bytes(bytes) | Content::Fleeting(bytes, _)) = content;
        let most = usize::try_from(max_bytes).unwrap().min(bytes.len());
        Ok(Some(bytes[..most].to_vec()))
    }

    fn read(&self, path: &MemPath) -> Result<Option<Vec<u8>>, Error> {
        let (_, content) = self.files.iter().find(|(entry, _)| entry.path == *path).unwrap();
        match content {
            Content::Bytes(bytes) if bytes.len() as u64 > MAX_FILE_BYTES => {
                Err(Error::TooLarge { path: path.to_string(), limit: MAX_FILE_BYTES })
            }
            Content::Bytes(bytes) => Ok(Some(bytes.clone())),
            Content::Fleeting(_, None) => Ok(None),
            Content::Fleeting(_, Some(kind)) => {
                Err(Error::Denied { op: "read", path: path.to_string(), source: (*kind).into() })
            }
        }
    }
}

pub(crate) fn paths(recall: &Recall) -> Vec<&str> {
    recall.attachments.iter().map(|attachment| attachment.path.as_str()).collect()
}
