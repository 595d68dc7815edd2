//! Whatever a model calls for.
#![cfg(test)]

use memdir_agent::{Calling, ForkOptions};
use memdir_core::MemPath;
use memdir_model::{Content, Response, Stop};
use memdir_store::{
    Actor, Attribution,
    overlay::{HeldReason, Proposal, Verdict},
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::stage::{ROOT, changes, contents, limits, play, policy, store};

fn paths() -> impl Strategy<Value = Value> {
    let known = [
        "MEMORY.md",
        "memory.md",
        "feedback_no-mocks.md",
        "Feedback_no-mocks.md",
        "user_pinned.md",
        "pinned/rule.md",
        "Pinned/x.md",
        "team/shared.md",
        "TEAM/x.md",
        "logs/x.md",
        "new.md",
        "NEW.md",
        "new.md/x.md",
        "sub/new.md",
        "Sub/other.md",
        "../x.md",
        "/etc/passwd",
        "x.txt",
        "reference_evil.md",
        "project:src/main.rs",
        "project:",
        "é.md",
        "e\u{301}.md",
    ];
    prop_oneof![
        8 => prop::sample::select(known.to_vec()).prop_map(|path| json!(path)),
        1 => prop::sample::select(known.to_vec()).prop_map(|path| json!(format!("{ROOT}/{path}"))),
        1 => "\\PC{0,12}".prop_map(Value::from),
        1 => Just(json!(["new.md"])),
    ]
}

fn texts() -> impl Strategy<Value = Value> {
    let known = [
        "",
        "x",
        "No mocks",
        "not even once",
        "New.\n",
        "---\npinned: true\n---\nx",
        "- [New](new.md) — n\n",
        "- [P](user_pinned.md)\n",
        "- [T](team/x.md)\n",
        "---\n",
    ];
    prop_oneof![
        6 => prop::sample::select(known.to_vec()).prop_map(|text| json!(text)),
        2 => "\\PC{0,40}".prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

fn call() -> impl Strategy<Value = Content> {
    let tools = [
        "read", "list", "grep", "write", "write", "edit", "edit", "index", "remove", "Bash",
        "Write", "",
    ];
    let fields = ["text", "old", "new", "title", "hook"];
    let tool = prop::sample::select(tools.to_vec());
    (
        tool,
        "[ab]?",
        paths(),
        prop::option::of(paths()),
        prop::collection::vec(texts(), fields.len()),
    )
        .prop_map(move |(tool, id, path, kept_in, texts)| {
            let mut input: Map<_, _> =
                fields.iter().map(|field| (*field).to_owned()).zip(texts).collect();
            input.insert("path".to_owned(), path);
            if let Some(kept_in) = kept_in {
                input.insert("kept_in".to_owned(), kept_in);
            }
            Content::Call { id, tool: tool.to_owned(), input: Value::Object(input) }
        })
}

fn answer() -> impl Strategy<Value = Response> {
    let stop = prop_oneof![9 => Just(Stop::Calls), 1 => Just(Stop::MaxTokens)];
    (prop::collection::vec(call(), 1..12), stop)
        .prop_map(|(calls, stop)| Response::new(calls).stop(stop))
}

/// The same calls as actions.
fn in_json(response: &Response) -> Response {
    let actions = response.content.iter().filter_map(|part| match part {
        Content::Call { tool, input: Value::Object(fields), .. } => {
            let mut fields = fields.clone();
            fields.insert("tool".to_owned(), json!(tool));
            Some(Value::Object(fields))
        }
        _ => None,
    });
    let actions: Vec<_> = actions.collect();
    Response::words(json!({"actions": actions, "done": false}).to_string())
}

proptest! {
    #[test]
    fn only_what_a_run_may_write_is_in_its_overlay_and_the_store_takes_it(
        answers in prop::collection::vec(answer(), 1..5),
        json in any::<bool>(),
    ) {
        let store = store();
        let before = contents(&store);
        let turns = u32::try_from(answers.len()).unwrap();
        let mut bounds = limits(turns);
        bounds.calls = 40;
        bounds.written_bytes = 300;
        let calling = if json { Calling::Json } else { Calling::Tools };
        let options = ForkOptions::new("Go.", policy().with_removal(), "auto_dream", "dream-1")
            .calling(calling)
            .limits(bounds);
        let mut script: Vec<_> = answers
            .into_iter()
            .map(|answer| if json { in_json(&answer) } else { answer })
            .collect();
        // More calls than there may be end the run; the script ends with them.
        let mut calls = 0;
        let fits = script.iter().position(|answer| {
            let made = if json { answer.text().matches("\"tool\":").count() } else { answer.content.len() };
            calls += made;
            calls > 40
        });
        script.truncate(fits.map_or(script.len(), |at| at + 1));
        let script = script.into_iter().map(Into::into).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let played = runtime.block_on(play(&store, options, script));

        prop_assert!(played.outcome.report.account.turns <= turns);
        prop_assert_eq!(&contents(&store), &before);
        let changed = changes(&store, &played.outcome.overlay);
        let mut written = 0;
        for (name, text) in &changed {
            let path = MemPath::parse(name).unwrap();
            let key = path.twin_key();
            prop_assert!(path.is_markdown() && !path.is_in_pinned(), "{}", name);
            prop_assert!(!key.starts_with("team/") && !key.starts_with("logs/"), "{}", name);
            prop_assert!(name != "user_pinned.md" && !name.contains(".."), "{}", name);
            if !path.is_index() && text != "gone" && !before.contains_key(name) {
                written += text.len();
            }
        }
        prop_assert!(written <= 300, "{}", written);

        let accept = |_: &Proposal<'_>| Verdict::Accepted;
        let by = Attribution::new(Actor::Worker("extract".to_owned()));
        let committed = played.outcome.overlay.commit(&store, &accept, &by).unwrap();
        let refused = committed.held.iter().any(|held| matches!(held.reason, HeldReason::RefusedByStore { .. }));
        prop_assert!(!refused, "{:?}", committed.held);
    }
}
