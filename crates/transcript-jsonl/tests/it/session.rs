//! Small sessions for tests, and ways to look at what comes out.

use std::io::Cursor;

use transcript_jsonl::{Entry, Envelope, Member, Node, Place, Reader, Report, Resume, Tree};

/// A message line; `parent` may be empty for none.
pub(crate) fn message(kind: &str, uuid: &str, parent: &str, text: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        "{{\"parentUuid\":{parent},\"isSidechain\":false,\"sessionId\":\"s\",\"type\":\"{kind}\",\
         \"message\":{{\"role\":\"{kind}\",\"content\":\"{text}\"}},\"uuid\":\"{uuid}\",\
         \"timestamp\":\"2026-03-01T10:00:00.000Z\"}}"
    )
}

/// A chain of messages `m1`, `m2`, … in turn of the user and the assistant.
pub(crate) fn chain(count: usize) -> Vec<String> {
    (1..=count)
        .map(|at| {
            let parent = if at == 1 { String::new() } else { format!("m{}", at - 1) };
            let kind = if at % 2 == 1 { "user" } else { "assistant" };
            message(kind, &format!("m{at}"), &parent, &format!("message {at}"))
        })
        .collect()
}

pub(crate) fn file(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_str(), "\n"].concat().into_bytes()).collect()
}

#[expect(clippy::disallowed_methods, reason = "the cases are files")]
pub(crate) fn case(id: &str, name: &str) -> Vec<u8> {
    let root = env!("CARGO_MANIFEST_DIR");
    std::fs::read(format!("{root}/tests/cases/{id}/{name}")).expect("the case is there")
}

/// The uuids that a reader meets.
pub(crate) fn uuids(file: &[u8]) -> Vec<String> {
    let mut reader = Reader::new(file);
    let mut uuids = Vec::new();
    while let Some(line) = reader.next_line().expect("it is in memory") {
        uuids.push(line.envelope.uuid().map_or("-".into(), String::from));
    }
    uuids
}

/// What a reader notes.
pub(crate) fn notes(file: &[u8]) -> Vec<String> {
    let mut reader = Reader::new(file);
    while reader.next_line().expect("it is in memory").is_some() {}
    reader.notes().kept.iter().map(ToString::to_string).collect()
}

pub(crate) fn verify(file: &[u8]) -> Report {
    transcript_jsonl::verify(&mut Cursor::new(file)).expect("it is in memory")
}

pub(crate) fn tree(file: &[u8]) -> Tree {
    Tree::read(file).expect("it is in memory")
}

/// The uuid of the entry at a place.
pub(crate) fn uuid(file: &[u8], place: Place) -> String {
    let entry = Entry::read(&mut Cursor::new(file), place).expect("it is in memory");
    entry.envelope().and_then(|envelope| envelope.uuid().map(String::from)).unwrap_or("-".into())
}

pub(crate) fn uuid_of(file: &[u8], tree: &Tree, node: Node) -> String {
    uuid(file, tree.place(node).expect("it is in memory"))
}

pub(crate) fn members(file: &[u8], members: &[Member]) -> Vec<String> {
    members.iter().map(|member| uuid(file, member.place)).collect()
}

/// What a session resumes with, read backwards; checked against the full pass.
pub(crate) fn resume(file: &[u8]) -> Resume {
    let mut source = Cursor::new(file);
    let backward = Resume::read(&mut source).expect("it is in memory");
    let full = Resume::of(&tree(file), &mut source).expect("it is in memory");
    assert_eq!(without_notes(&backward), without_notes(&full), "backwards and forwards differ");
    backward
}

/// All but the notes, which are about the part that was read.
pub(crate) fn without_notes(resume: &Resume) -> Resume {
    let mut resume = resume.clone();
    resume.notes = transcript_jsonl::Notes::default();
    resume
}

/// The uuids that a session resumes with.
pub(crate) fn resumed(file: &[u8]) -> Vec<String> {
    members(file, &resume(file).members)
}

/// The content of each message that is plain text.
pub(crate) fn texts(file: &[u8]) -> Vec<String> {
    let mut reader = Reader::new(file);
    let mut texts = Vec::new();
    while let Some(line) = reader.next_line().expect("it is in memory") {
        let entry = Entry::of(line.envelope.bytes());
        let Some(message) = entry.message() else { continue };
        for block in message.content {
            match block {
                transcript_jsonl::Block::Text(text)
                | transcript_jsonl::Block::ToolResult { text, .. } => texts.push(text.into_owned()),
                _ => {}
            }
        }
    }
    texts
}

pub(crate) fn envelope(line: &str) -> Envelope<'_> {
    Envelope::of(line.as_bytes()).expect("an object")
}
