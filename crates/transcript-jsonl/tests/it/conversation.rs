//! Conversations as models see them.

use std::io::Cursor;

use transcript_jsonl::{Conversation, Limits, Part, Resume, Role};

use crate::session::{chain, file, message};

fn read(lines: &[String], limits: &Limits) -> Conversation {
    let bytes = file(lines);
    let mut source = Cursor::new(&bytes);
    let resume = Resume::read(&mut source).expect("it is in memory");
    Conversation::read(&resume, &mut source, limits).expect("it is in memory")
}

fn shown(conversation: &Conversation) -> Vec<(Role, String)> {
    let part = |part: &Part| match part {
        Part::Text(text) => format!("{}|{}", text.text, text.cut),
        Part::ToolCall { name, input, .. } => format!("{name} {}|{}", input.text, input.cut),
        Part::ToolResult { text, is_error, .. } => format!("{}|{} {is_error}", text.text, text.cut),
        _ => "another part".to_owned(),
    };
    let turn = |turn: &transcript_jsonl::Turn| {
        (turn.role, turn.parts.iter().map(part).collect::<Vec<_>>().join("; "))
    };
    conversation.turns.iter().map(turn).collect()
}

#[track_caller]
fn check(lines: &[String], limits: &Limits, expect: &[(Role, &str)]) {
    let expect: Vec<_> = expect.iter().map(|(role, text)| (*role, (*text).to_owned())).collect();
    assert_eq!(shown(&read(lines, limits)), expect);
}

#[test]
fn what_the_client_mixes_in_is_left_out() {
    let attachment = "{\"type\":\"attachment\",\"uuid\":\"at\",\"parentUuid\":\"u5\",\"attachment\":\
        {\"type\":\"nested_memory\",\"content\":\"a memory\"}}";
    let lines = [
        message("user", "u1", "", "<local-command-caveat>x</local-command-caveat>")
            .replace("\"isSidechain\":false", "\"isMeta\":true"),
        message("user", "u2", "u1", "<command-name>/model</command-name>"),
        message("user", "u3", "u2", "<system-reminder>\\nremember\\n</system-reminder>"),
        message("user", "u4", "u3", "Fix it\\n<system-reminder>x</system-reminder>\\nplease"),
        message("assistant", "u5", "u4", "\\n"),
        attachment.to_owned(),
        message("user", "u6", "at", "<memory path=\\\"a.md\\\">\\n> secret\\n</memory>\\nNow this"),
    ];
    check(
        &lines,
        &Limits::default(),
        &[(Role::User, "Fix it\nplease|0"), (Role::User, "Now this|0")],
    );
}

#[test]
fn thoughts_and_pictures_are_left_out_and_long_parts_are_cut() {
    let blocks = "[{\"type\":\"thinking\",\"thinking\":\"hm\"},{\"type\":\"text\",\"text\":\"l\u{e4}nger\"},\
        {\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{\"command\":\"ls\"}}]";
    let results = "[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"is_error\":true,\"content\":\
        [{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"image\"},{\"type\":\"text\",\"text\":\"two\"}]}]";
    let lines = [
        message("user", "u", "", "hi"),
        message("assistant", "a", "u", "x").replace("\"x\"", blocks),
        message("user", "r", "a", "x").replace("\"x\"", results),
    ];
    let mut limits = Limits::default();
    (limits.text_bytes, limits.tool_bytes) = (2, 5);
    check(
        &lines,
        &limits,
        &[
            (Role::User, "hi|0"),
            (Role::Assistant, "l|6; Bash {\"com|11"),
            (Role::User, "one\nt|2 true"),
        ],
    );
}

#[test]
fn the_latest_turns_fit_and_earlier_ones_are_counted() {
    let mut limits = Limits::default();
    limits.total_bytes = 25;
    let conversation = read(&chain(6), &limits);
    let expect =
        [(Role::User, "message 5|0".to_owned()), (Role::Assistant, "message 6|0".to_owned())];
    assert_eq!(shown(&conversation), expect);
    assert_eq!(conversation.left_out, 4);
}

#[test]
fn the_summary_of_a_compaction_is_part_of_the_conversation() {
    let summary = message("user", "s", "", "what was")
        .replace("\"isSidechain\":false", "\"isCompactSummary\":true");
    let lines = [summary, message("user", "u", "s", "go on")];
    check(&lines, &Limits::default(), &[(Role::User, "what was|0"), (Role::User, "go on|0")]);
}
