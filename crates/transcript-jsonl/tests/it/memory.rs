//! Large sessions: what is read and what is held.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use transcript_jsonl::{Conversation, Kind, Limits, Outline, Reach, Resume, Tree, last_messages};

use crate::session::{chain, file, message};

/// Most of the lines are progress, and one line is a result of 12 MB.
fn large(messages: usize, pad: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let pad = "x".repeat(pad);
    let mut parent = String::new();
    for at in 0..messages {
        let uuid = format!("m{at:06}");
        let kind = if at % 2 == 0 { "user" } else { "assistant" };
        bytes.extend_from_slice(
            message(kind, &uuid, &parent, &format!("msg {at} {pad}")).as_bytes(),
        );
        bytes.push(b'\n');
        for tick in 0..=at % 2 {
            let progress = format!(
                "{{\"type\":\"progress\",\"data\":{{\"output\":\"{pad}\"}},\"parentUuid\":\"{uuid}\",\
                 \"uuid\":\"p{at:06}{tick}\",\"sessionId\":\"s\"}}\n"
            );
            bytes.extend_from_slice(progress.as_bytes());
        }
        parent = uuid;
        if at == messages / 2 {
            let result = format!(
                "[{{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"{}\"}}]",
                "z".repeat(12_000_000)
            );
            let huge = message("user", "huge", &parent, "x").replace("\"x\"", &result);
            bytes.extend_from_slice(huge.as_bytes());
            bytes.push(b'\n');
            parent = "huge".into();
        }
    }
    bytes
}

/// The size that users reported, where asked.
#[expect(clippy::disallowed_methods, reason = "a test may be asked for more")]
fn session() -> (usize, Vec<u8>) {
    let full = std::env::var_os("MEMDIR_FULL").is_some();
    let (messages, pad) = if full { (40_000, 2_900) } else { (3_000, 400) };
    (messages, large(messages, pad))
}

struct Counting<'a> {
    bytes: Cursor<&'a [u8]>,
    read: u64,
    /// The most that was asked for at once.
    most: usize,
}

impl<'a> Counting<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes: Cursor::new(bytes), read: 0, most: 0 }
    }
}

impl Read for Counting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.read += read as u64;
        self.most = self.most.max(buffer.len());
        Ok(read)
    }
}

impl Seek for Counting<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn a_session_of_progress_and_a_huge_line_is_read_in_bounded_memory() {
    let (messages, bytes) = session();
    let mut source = Counting::new(&bytes);
    let tree = Tree::read(&mut source).unwrap();
    assert_eq!(source.read, bytes.len() as u64, "each byte is read once");
    // The buffer holds the longest line, twice over at most.
    assert!(source.most <= 32 << 20, "{} bytes asked for", source.most);
    let lines = usize::try_from(tree.counts().lines).unwrap();
    assert!(tree.bytes() <= 48 * lines + 160 * 1024, "{} bytes for {lines} lines", tree.bytes());

    let branch = tree.branch(tree.leaf().unwrap(), Reach::Resumed);
    assert_eq!(branch.len(), messages + 1);
    assert!(branch.iter().all(|step| tree.kind(step.node) != Kind::Progress));

    let resume = Resume::of(&tree, &mut Cursor::new(&bytes)).unwrap();
    let limits = Limits::default();
    let shown = Conversation::read(&resume, &mut Cursor::new(&bytes), &limits).unwrap();
    assert_eq!(shown.turns.len() + shown.left_out, messages + 1);
}

#[test]
fn the_last_messages_of_a_large_session_cost_what_they_weigh() {
    let (_, bytes) = session();
    let mut source = Counting::new(&bytes);
    let last = last_messages(&mut source, 20).unwrap();
    assert_eq!(last.len(), 20);
    let weight = bytes.len() as u64 - last[0].place.offset;
    assert!(source.read <= weight * 11 / 10 + 4096, "{} bytes read for {weight}", source.read);
    let mut source = Counting::new(&bytes);
    Outline::read(&mut source).unwrap();
    assert!(source.read <= 128 * 1024);
}

#[test]
fn resuming_reads_little_more_than_what_follows_the_compaction() {
    let before = file(&chain(4000));
    for after in [1, 100, 1000, 4000] {
        let mut lines = vec![
            "{\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"b\",\"parentUuid\":null}".to_owned(),
            message("user", "s", "b", "summary")
                .replace("\"isSidechain\":false", "\"isCompactSummary\":true"),
        ];
        let mut parent = "s".to_owned();
        for at in 0..after {
            let uuid = format!("n{at}");
            lines.push(message("user", &uuid, &parent, "further on"));
            parent = uuid;
        }
        let after_boundary = file(&lines);
        let bytes = [before.clone(), after_boundary.clone()].concat();
        let mut source = Counting::new(&bytes);
        let resume = Resume::read(&mut source).unwrap();
        assert_eq!(resume.members.len(), lines.len());
        // A page is the least that can be read.
        let limit = after_boundary.len() as u64 * 11 / 10 + 4096;
        assert!(source.read <= limit, "{} bytes read, {limit} allowed", source.read);
        assert!(source.most <= 256 * 1024);
    }
}
