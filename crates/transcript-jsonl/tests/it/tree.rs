//! Trees: parents, bridges, copies, cycles, what stands beside a branch.

use transcript_jsonl::{Gap, Kind, Reach, Standing, Tree};

use crate::session::{chain, file, message, resumed, tree, uuid_of};

fn names(tree: &Tree, bytes: &[u8], reach: Reach) -> Vec<String> {
    let leaf = tree.leaf().expect("there is a message");
    tree.branch(leaf, reach).iter().map(|step| uuid_of(bytes, tree, step.node)).collect()
}

fn bridges(tree: &Tree, bytes: &[u8]) -> Vec<(String, Option<String>, Gap)> {
    tree.bridges()
        .iter()
        .map(|bridge| {
            let to = bridge.to.map(|to| uuid_of(bytes, tree, to));
            (uuid_of(bytes, tree, bridge.entry), to, bridge.why)
        })
        .collect()
}

#[track_caller]
fn check(lines: &[String], branch: &[&str], bridged: &[(&str, Option<&str>, Gap)]) {
    let bytes = file(lines);
    let tree = tree(&bytes);
    assert_eq!(names(&tree, &bytes, Reach::Resumed), branch);
    let bridged: Vec<_> = bridged
        .iter()
        .map(|(entry, to, why)| ((*entry).to_owned(), to.map(str::to_owned), *why))
        .collect();
    assert_eq!(bridges(&tree, &bytes), bridged);
    assert_eq!(resumed(&bytes), branch);
}

#[test]
fn an_entry_that_names_itself_follows_the_one_before() {
    let mut lines = chain(2);
    lines.push(message("user", "m3", "m3", "x"));
    lines.push(message("assistant", "m4", "m3", "x"));
    check(&lines, &["m1", "m2", "m3", "m4"], &[("m3", Some("m2"), Gap::Itself)]);
}

#[test]
fn a_cycle_is_cut_above_its_earliest_entry() {
    let mut lines = chain(5);
    lines[1] = message("assistant", "m2", "m4", "x");
    check(&lines, &["m1", "m2", "m3", "m4", "m5"], &[("m2", Some("m1"), Gap::Cycle)]);
}

#[test]
fn a_cycle_of_everything_is_cut_at_the_start() {
    let mut lines = chain(3);
    lines[0] = message("user", "m1", "m3", "x");
    check(&lines, &["m1", "m2", "m3"], &[("m1", None, Gap::Cycle)]);
}

#[test]
fn a_missing_parent_of_a_subagent_is_bridged_to_nothing() {
    let side = message("assistant", "s2", "gone", "x")
        .replace("\"isSidechain\":false", "\"isSidechain\":true");
    let mut lines = chain(3);
    lines.insert(2, side);
    check(&lines, &["m1", "m2", "m3"], &[("s2", None, Gap::Missing)]);
    let bytes = file(&lines);
    let tree = tree(&bytes);
    let side = tree.node("s2").unwrap();
    assert!(tree.is_sidechain(side));
    assert_eq!(tree.branch(side, Reach::Whole).len(), 1, "a subagent's branch is its own");
}

#[test]
fn of_two_entries_with_one_uuid_the_later_counts_once() {
    let mut lines = chain(4);
    lines.push(message("user", "m3", "m2", "written again"));
    lines.push(message("user", "m5", "m4", "x"));
    let bytes = file(&lines);
    check(&lines, &["m1", "m2", "m3", "m4", "m5"], &[]);
    let tree = tree(&bytes);
    assert_eq!(tree.nodes().count(), 5);
    let place = tree.place(tree.node("m3").unwrap()).unwrap();
    let entry = transcript_jsonl::Entry::read(&mut std::io::Cursor::new(&bytes), place).unwrap();
    assert!(entry.json().contains("written again"));
    let notes: Vec<_> = tree.notes().kept.iter().map(|note| note.reason.to_string()).collect();
    assert_eq!(notes, ["the uuid stands twice; the later entry counts"]);
}

#[test]
fn progress_and_unknown_entries_are_links_but_no_leaves() {
    let mut lines = chain(2);
    lines.push("{\"type\":\"progress\",\"uuid\":\"p1\",\"parentUuid\":\"m2\"}".into());
    lines.push(message("user", "m3", "p1", "x"));
    lines.push("{\"type\":\"novelty\",\"uuid\":\"n1\",\"parentUuid\":\"m3\"}".into());
    let bytes = file(&lines);
    let tree = tree(&bytes);
    assert_eq!(names(&tree, &bytes, Reach::Whole), ["m1", "m2", "p1", "m3"]);
    assert_eq!(resumed(&bytes), ["m1", "m2", "m3"], "progress is no part of the conversation");
    assert_eq!(tree.kind(tree.node("n1").unwrap()), Kind::Other);
}

#[test]
fn the_branch_after_a_rewind_is_the_later_one() {
    let mut lines = chain(4);
    lines.push(message("user", "b3", "m2", "instead"));
    lines.push(message("assistant", "b4", "b3", "x"));
    check(&lines, &["m1", "m2", "b3", "b4"], &[]);
}

fn call(uuid: &str, parent: &str, reply: &str, tool: &str) -> String {
    format!(
        "{{\"type\":\"assistant\",\"uuid\":\"{uuid}\",\"parentUuid\":\"{parent}\",\"message\":{{\"id\":\"{reply}\",\
         \"content\":[{{\"type\":\"tool_use\",\"id\":\"{tool}\",\"name\":\"Read\",\"input\":{{}}}}]}}}}"
    )
}

fn result(uuid: &str, parent: &str, tool: &str) -> String {
    format!(
        "{{\"type\":\"user\",\"uuid\":\"{uuid}\",\"parentUuid\":\"{parent}\",\"message\":{{\"content\":\
         [{{\"type\":\"tool_result\",\"tool_use_id\":\"{tool}\",\"content\":\"{uuid}\"}}]}}}}"
    )
}

#[test]
fn blocks_and_results_beside_the_chain_are_found() {
    // The chain leads through the first block; the others stand beside it.
    let lines = [
        message("user", "u", "", "x"),
        call("a1", "u", "msg", "t1"),
        result("r1", "a1", "t1"),
        call("a2", "a1", "msg", "t2"),
        call("a3", "a2", "msg", "t3"),
        result("r3", "a3", "t3"),
        result("r2", "a2", "t2"),
        call("b1", "r1", "next", "t4"),
    ];
    check(&lines, &["u", "a1", "a2", "a3", "r1", "r3", "r2", "b1"], &[]);
    let bytes = file(&lines);
    let tree = tree(&bytes);
    let branch = tree.branch(tree.leaf().unwrap(), Reach::Resumed);
    let beside: Vec<_> = branch
        .iter()
        .filter(|step| step.standing == Standing::Parallel)
        .map(|step| uuid_of(&bytes, &tree, step.node))
        .collect();
    assert_eq!(beside, ["a2", "a3", "r3", "r2"]);
}

#[test]
fn a_result_that_answers_no_call_of_the_reply_is_left_out() {
    let lines = [
        message("user", "u", "", "x"),
        call("a1", "u", "msg", "t1"),
        result("r1", "a1", "t1"),
        result("other", "a1", "t9"),
        message("user", "edited", "a1", "a rewind"),
        message("assistant", "b1", "r1", "done"),
    ];
    assert_eq!(resumed(&file(&lines)), ["u", "a1", "r1", "b1"]);
}

#[test]
fn of_two_results_of_one_call_the_one_on_the_chain_counts() {
    let lines = [
        message("user", "u", "", "x"),
        call("a1", "u", "msg", "t1"),
        result("r1", "a1", "t1"),
        result("again", "a1", "t1"),
        message("assistant", "b1", "r1", "done"),
    ];
    check(&lines, &["u", "a1", "r1", "b1"], &[]);
}

#[test]
fn the_index_takes_at_most_48_bytes_a_line() {
    for count in [6_000, 50_000] {
        let lines: Vec<String> = (1..=count)
            .map(|at| {
                format!("{{\"type\":\"user\",\"uuid\":\"{at}\",\"parentUuid\":\"{}\"}}", at - 1)
            })
            .collect();
        let bytes = file(&lines);
        let tree = tree(&bytes);
        // The last block of records may not be full.
        let limit = 48 * count + 160 * 1024;
        assert!(tree.bytes() <= limit, "{} bytes for {count} lines", tree.bytes());
        assert_eq!(tree.bridges().len(), 1, "the parent of the first is missing");
    }
}
