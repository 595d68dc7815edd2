//! Lists of sessions from the ends of their files.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use transcript_jsonl::{FileKind, Id, Outline, Resumable, limits};

use crate::session::{chain, file, message};

fn outline(bytes: &[u8]) -> Outline {
    Outline::read(&mut Cursor::new(bytes)).expect("it is in memory")
}

/// The files of a folder as users have reported them: what is listed, and why not.
#[test]
fn sessions_are_told_from_what_is_none() {
    let meta = message("user", "u0", "", "<local-command-caveat>x</local-command-caveat>")
        .replace("\"isSidechain\":false", "\"isMeta\":true");
    let full = file(&[
        meta,
        message("user", "u1", "u0", "<command-name>/model</command-name>"),
        message("user", "u2", "u1", "Fix the\\n importer"),
        message("assistant", "a1", "u2", "ok"),
    ]);
    let found = outline(&full);
    assert_eq!((found.standing, found.title()), (Resumable::Yes, Some("Fix the importer")));
    assert_eq!((found.messages, found.complete), (4, true));
    assert_eq!(found.first_message, Some(Id::of("u0")));

    let tail = [b"{\"type\":\"user\",\"uu\n".to_vec(), file(&chain(4)[2..])].concat();
    let found = outline(&tail);
    assert_eq!((found.standing, found.title()), (Resumable::Yes, Some("message 3")));
    let notes: Vec<_> = found.notes.kept.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["byte 0: 18 bytes that are no JSON object"]);

    let side = String::from_utf8(file(&chain(2))).unwrap();
    let side = side.replace("\"isSidechain\":false", "\"isSidechain\":true");
    let standing = |bytes: &[u8]| outline(bytes).standing;
    assert_eq!(standing(side.as_bytes()), Resumable::SidechainOnly);
    assert_eq!(standing(b""), Resumable::Empty);
    assert_eq!(standing(b"{\"type\":\"mode\"}\n"), Resumable::NoMessages);
    let summary = b"{\"type\":\"summary\",\"summary\":\"Old title\",\"leafUuid\":\"zz\"}\n";
    let found = outline(summary);
    assert_eq!((found.standing, found.title()), (Resumable::TitlesOnly, Some("Old title")));
}

#[test]
fn names_tell_sessions_from_subagents() {
    assert_eq!(FileKind::of("agent-x.jsonl"), FileKind::Subagent { session: None, agent: "x" });
    assert_eq!(
        FileKind::of("id/subagents/deep/agent-y.jsonl"),
        FileKind::Subagent { session: Some("id"), agent: "y" }
    );
    for other in
        ["notes.txt", ".jsonl", "id/x.jsonl", "id/other/agent-y.jsonl", "agent-y.meta.json"]
    {
        assert_eq!(FileKind::of(other), FileKind::Other, "{other}");
    }
}

#[test]
fn titles_have_an_order() {
    let mut lines = chain(2);
    lines.insert(0, "{\"type\":\"summary\",\"summary\":\"of another\",\"leafUuid\":\"zz\"}".into());
    let title = |lines: &[String]| outline(&file(lines)).title().map(String::from);
    assert_eq!(title(&lines).as_deref(), Some("message 1"));
    lines.push("{\"type\":\"ai-title\",\"aiTitle\":\"made\",\"sessionId\":\"s\"}".into());
    assert_eq!(title(&lines).as_deref(), Some("made"));
    lines.push("{\"type\":\"custom-title\",\"customTitle\":\"given\",\"sessionId\":\"s\"}".into());
    assert_eq!(title(&lines).as_deref(), Some("given"));
}

#[test]
fn a_session_belongs_where_it_began() {
    let line = |cwd: &str| format!("{{\"type\":\"user\",\"uuid\":\"{cwd}\",\"cwd\":\"{cwd}\"}}\n");
    let found = outline([line("/project"), line("/elsewhere")].concat().as_bytes());
    assert_eq!(found.started_in.as_deref(), Some("/project"));
    assert_eq!(found.folder.as_deref(), Some("/elsewhere"));
}

#[test]
fn a_fork_names_its_origin_and_begins_with_the_same_message() {
    let original = file(&chain(3));
    let copy = String::from_utf8(original.clone()).unwrap();
    let copy =
        copy.replace("\"sessionId\":\"s\"", "\"sessionId\":\"t\",\"requestSessionId\":\"s\"");
    let (original, copy) = (outline(&original), outline(copy.as_bytes()));
    assert_eq!((original.forked_from, copy.forked_from.as_deref()), (None, Some("s")));
    assert_eq!(
        (original.first_message, copy.session_id.as_deref()),
        (copy.first_message, Some("t"))
    );
}

struct Counting<'a> {
    bytes: Cursor<&'a [u8]>,
    read: usize,
}

impl Read for Counting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.read += read;
        Ok(read)
    }
}

impl Seek for Counting<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn of_a_large_file_only_the_ends_are_read() {
    let mut lines = chain(2000);
    lines.push(message("user", "last", "m2000", "the last thing"));
    let bytes = file(&lines);
    assert!(bytes.len() > 4 * limits::LISTING_BYTES);
    let mut source = Counting { bytes: Cursor::new(&bytes), read: 0 };
    let found = Outline::read(&mut source).unwrap();
    assert!(source.read <= 2 * limits::LISTING_BYTES, "{} bytes read", source.read);
    assert_eq!(found.first_prompt.as_deref(), Some("message 1"));
    assert_eq!(found.last_prompt.as_deref(), Some("the last thing"));
    assert_eq!((found.complete, found.notes.kept), (false, Vec::new()));
}
