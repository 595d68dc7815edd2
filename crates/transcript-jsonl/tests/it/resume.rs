//! What sessions resume with: compactions of every kind, kept messages, backups of files.

use std::io::Cursor;

use transcript_jsonl::{Compaction, Origin, Preserved, Reach, Resume, last_messages};

use crate::session::{chain, file, members, message, resume, resumed, tree};

fn boundary(uuid: &str, logical: &str, metadata: &str) -> String {
    format!(
        "{{\"parentUuid\":null,\"logicalParentUuid\":\"{logical}\",\"isSidechain\":false,\"type\":\"system\",\
         \"subtype\":\"compact_boundary\",\"uuid\":\"{uuid}\",\"compactMetadata\":{{\"trigger\":\"auto\",\
         \"preTokens\":1000{metadata}}}}}"
    )
}

fn summary(uuid: &str, parent: &str) -> String {
    message("user", uuid, parent, "summary")
        .replace("\"isSidechain\":false", "\"isSidechain\":false,\"isCompactSummary\":true")
}

/// Six messages, a compaction, and three more.
fn compacted(metadata: &str) -> Vec<String> {
    let mut lines = chain(6);
    lines.push(boundary("b", "m6", metadata));
    lines.push(summary("s", "b"));
    lines.push(message("user", "n1", "s", "go on"));
    lines.push(message("assistant", "n2", "n1", "done"));
    lines
}

#[track_caller]
fn check(lines: &[String], expect: &[(&str, Origin)]) -> Resume {
    let bytes = file(lines);
    let resume = resume(&bytes);
    let origins = resume.members.iter().map(|member| member.origin);
    let found: Vec<_> = members(&bytes, &resume.members).into_iter().zip(origins).collect();
    let expect: Vec<_> =
        expect.iter().map(|(uuid, origin)| ((*uuid).to_owned(), *origin)).collect();
    assert_eq!(found, expect);
    resume
}

const REST: [(&str, Origin); 4] = [
    ("b", Origin::Boundary),
    ("s", Origin::Summary),
    ("n1", Origin::Branch),
    ("n2", Origin::Branch),
];

#[test]
fn a_boundary_that_keeps_nothing_begins_the_conversation() {
    let resume = check(&compacted(""), &REST);
    let (_, compaction) = resume.compaction.unwrap();
    let mut expect = Compaction::default();
    expect.trigger = Some("auto".into());
    expect.tokens_before = Some(1000);
    assert_eq!(compaction, expect);
}

#[test]
fn a_kept_segment_follows_its_anchor() {
    let kept =
        ",\"preservedSegment\":{\"headUuid\":\"m5\",\"anchorUuid\":\"s\",\"tailUuid\":\"m6\"}";
    let [b, s, n1, n2] = REST;
    check(&compacted(kept), &[b, s, ("m5", Origin::Kept), ("m6", Origin::Kept), n1, n2]);
    let kept =
        ",\"preservedSegment\":{\"headUuid\":\"m5\",\"anchorUuid\":\"b\",\"tailUuid\":\"m6\"}";
    check(&compacted(kept), &[b, ("m5", Origin::Kept), ("m6", Origin::Kept), s, n1, n2]);
}

#[test]
fn kept_messages_are_found_by_name_and_lost_ones_are_listed() {
    let kept = ",\"preservedSegment\":{\"headUuid\":\"m4\",\"anchorUuid\":\"s\",\"tailUuid\":\"m6\"},\
        \"preservedMessages\":{\"anchorUuid\":\"s\",\"uuids\":[\"m4\",\"gone\",\"m6\"],\"allUuids\":[]}";
    let [b, s, n1, n2] = REST;
    let resume =
        check(&compacted(kept), &[b, s, ("m4", Origin::Kept), ("m6", Origin::Kept), n1, n2]);
    assert_eq!(resume.lost, ["gone"]);
    let (_, compaction) = resume.compaction.unwrap();
    let uuids = ["m4", "gone", "m6"].map(String::from).to_vec();
    assert_eq!(compaction.preserved, Preserved::Messages(uuids));
}

#[test]
fn kept_messages_that_were_copied_behind_the_summary_stand_once() {
    // As a fork writes them: the copy follows the summary, and has the same uuid.
    let kept = ",\"preservedMessages\":{\"anchorUuid\":\"s\",\"uuids\":[\"m6\"]}";
    let lines = [
        boundary("b", "m6", kept),
        summary("s", "b"),
        message("assistant", "m6", "s", "kept"),
        message("user", "n1", "m6", "go on"),
    ];
    check(&lines, &[REST[0], REST[1], ("m6", Origin::Branch), ("n1", Origin::Branch)]);
}

#[test]
fn a_segment_that_is_not_there_is_listed_as_lost() {
    let kept = ",\"preservedSegment\":{\"headUuid\":\"x\",\"anchorUuid\":\"s\",\"tailUuid\":\"y\"}";
    assert_eq!(check(&compacted(kept), &REST).lost, ["x", "y"]);
}

#[test]
fn a_summary_without_a_boundary_is_an_old_compaction() {
    let mut lines = chain(4);
    lines.push(summary("s", ""));
    lines.push(message("user", "n1", "s", "go on"));
    check(&lines, &[("s", Origin::Summary), ("n1", Origin::Branch)]);
    lines[4] = summary("s", "m4");
    check(&lines, &[("s", Origin::Summary), ("n1", Origin::Branch)]);
}

#[test]
fn a_compaction_without_its_summary_has_not_happened() {
    let mut lines = chain(3);
    lines.push(boundary("b", "m3", ""));
    assert_eq!(resumed(&file(&lines)), ["m1", "m2", "m3"]);
}

/// Out of order, with an entry of a subagent whose parent comes later, and above the summary a parent that comes last.
#[test]
fn a_parent_further_up_is_not_taken_for_a_missing_one() {
    let side = message("assistant", "f", "d", "side")
        .replace("\"isSidechain\":false", "\"isSidechain\":true");
    let lines = [
        boundary("h", "a", ""),
        side,
        boundary("a", "a", ""),
        summary("d", "c"),
        summary("a", "f"),
        message("user", "c", "h", "the parent of the summary"),
        message("assistant", "e", "f", "the last one"),
    ];
    check(&lines, &[("d", Origin::Summary), ("f", Origin::Branch), ("e", Origin::Branch)]);
}

#[test]
fn a_uuid_that_stands_twice_behind_the_compaction_is_noted() {
    let mut lines = compacted("");
    lines.push(message("assistant", "n2", "n1", "done again"));
    let last = file(&lines[..lines.len() - 1]).len();
    let notes = check(&lines, &REST).notes;
    let shown: Vec<_> = notes.kept.iter().map(ToString::to_string).collect();
    assert_eq!(shown, [format!("byte {last} (n2): the uuid stands twice; the later entry counts")]);
}

#[test]
fn the_whole_branch_goes_through_compactions() {
    let bytes = file(&compacted(""));
    let tree = tree(&bytes);
    let whole =
        Resume::at(&tree, tree.leaf().unwrap(), Reach::Whole, &mut Cursor::new(&bytes)).unwrap();
    assert_eq!(
        members(&bytes, &whole.members),
        ["m1", "m2", "m3", "m4", "m5", "m6", "b", "s", "n1", "n2"]
    );
}

#[test]
fn a_branch_from_before_the_last_compaction_is_followed_past_it() {
    let mut lines = compacted("");
    lines.push(message("user", "back", "m4", "from before"));
    let expect = ["m1", "m2", "m3", "m4", "back"];
    assert_eq!(resumed(&file(&lines)), expect);
}

fn snapshot(message: &str, update: bool, files: &str) -> String {
    format!(
        "{{\"type\":\"file-history-snapshot\",\"messageId\":\"{message}\",\"snapshot\":{{\"messageId\":\"{message}\",\
         \"trackedFileBackups\":{{{files}}},\"timestamp\":\"t\"}},\"isSnapshotUpdate\":{update}}}"
    )
}

fn backup(path: &str, version: u8) -> String {
    format!(
        "\"{path}\":{{\"backupFileName\":\"{path}@v{version}\",\"version\":{version},\"backupTime\":\"t{version}\"}}"
    )
}

#[test]
fn the_latest_snapshot_of_each_message_counts() {
    let mut lines = chain(3);
    lines.insert(1, snapshot("m1", false, &backup("a", 1)));
    lines.push(snapshot("m3", false, &[backup("a", 2), backup("gone", 1)].join(",")));
    lines.push(snapshot(
        "m3",
        true,
        &[backup("a", 3), "\"new\":{\"backupFileName\":null}".into()].join(","),
    ));
    lines.push(message("user", "side", "m2", "another branch"));
    lines.push(snapshot("side", false, &backup("a", 9)));
    lines.push(message("assistant", "m4", "m3", "x"));
    let history = resume(&file(&lines)).history;
    let files: Vec<_> = history
        .files()
        .into_iter()
        .map(|backup| (backup.path.as_str(), backup.name.as_deref(), backup.version))
        .collect();
    assert_eq!(files, [("a", Some("a@v3"), Some(3)), ("new", None, None)]);
    assert_eq!(history.missing(|name| name == "a@v3"), ["a@v1"]);
}

#[test]
fn the_last_messages_follow_the_branch_from_its_end() {
    let mut lines = chain(30);
    lines.insert(29, "{\"type\":\"progress\",\"uuid\":\"p\",\"parentUuid\":\"m29\"}".into());
    let bytes = file(&lines);
    let last = last_messages(&mut Cursor::new(&bytes), 3).unwrap();
    assert_eq!(members(&bytes, &last), ["m28", "m29", "m30"]);
    let all = last_messages(&mut Cursor::new(&bytes), 100).unwrap();
    assert_eq!(all.len(), 30);
}

#[test]
fn a_file_without_messages_resumes_with_nothing() {
    for bytes in
        [&b""[..], b"{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"y\"}\n", b"\0\0"]
    {
        let resume = resume(bytes);
        assert_eq!((resume.members, resume.compaction), (Vec::new(), None));
    }
}
