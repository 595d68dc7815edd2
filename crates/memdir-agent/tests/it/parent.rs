//! Going on from the request of a parent.
#![cfg(test)]

use std::sync::Arc;

use memdir_agent::{Calling, DigestReason, Mode, What};
use memdir_model::{Cache, Content, Error, Prefix, Request, Response};
use memdir_store::{ReadStore, overlay::Outcome};
use serde_json::{Value, json};

use crate::stage::{PROJECT, ROOT, answer, call, changes, nothing, options, play, store};

fn body(text: &str, tools: &[&str]) -> String {
    let tools: Vec<_> = tools.iter().map(|name| json!({"name": name})).collect();
    // Odd spaces, which a rewriting would lose.
    format!(
        r#"{{"model":"m","system":[{{"type":"text","text":"s","cache_control":{{"type":"ephemeral"}}}}],"tools":{},"messages":[ {{"role":"user","content":"{text}"}} ],"max_tokens":1.0e3}}"#,
        Value::from(tools)
    )
}

const TOOLS: [&str; 4] = ["Bash", "Read", "Edit", "Write"];

fn parent(body: &str) -> Arc<Prefix> {
    Arc::new(Prefix::parse(body).unwrap())
}

#[tokio::test]
async fn every_request_goes_on_from_the_parent_byte_for_byte() {
    let body = body("hi", &TOOLS);
    let prefix = parent(&body);
    let read = call("1", "Read", json!({"file_path": format!("{ROOT}/MEMORY.md")}));
    let thought = Content::Opaque(json!({"type": "thinking", "signature": "s=="}));
    let first = Response::new(vec![thought, read]);
    let said = first.content.clone();
    let turns = vec![first.into(), Response::words("Done.").into()];
    let played = play(store(), options().prefix(prefix.clone()), turns).await;
    assert_eq!(played.outcome.report.mode, Mode::Prefix);
    let shared = body.split_once(" ],\"max_tokens\"").unwrap().0;
    for request in &played.requests {
        let Request { system, tools, prefix: sent, messages, .. } = request;
        assert!(system.is_empty() && tools.is_empty());
        assert!(messages.iter().all(|message| message.cache == Cache::No));
        let sent = sent.as_ref().unwrap();
        assert!(Arc::ptr_eq(sent, &prefix));
        assert!(sent.body(["{}"]).starts_with(shared));
    }
    assert_eq!(played.requests[0].messages, played.requests[1].messages[..1]);
    assert_eq!(played.requests[1].messages[1].content, said);
}

#[tokio::test]
async fn calls_of_the_clients_tools_are_read_as_actions_and_filtered() {
    let store = store();
    let memory = |name: &str| format!("{ROOT}/{name}");
    let code = |name: &str| format!("{PROJECT}/{name}");
    let looks = vec![
        call("1", "Read", json!({"file_path": memory("MEMORY.md")})),
        call("2", "Read", json!({"file_path": memory("feedback_no-mocks.md"), "offset": 0})),
        call("3", "Read", json!({"file_path": code("src/main.rs"), "offset": 2, "limit": 1})),
        call(
            "4",
            "Grep",
            json!({"pattern": "dock|berth", "path": PROJECT, "output_mode": "content"}),
        ),
        call("5", "Grep", json!({"pattern": "mocks", "path": ROOT, "-i": true})),
        call("6", "Glob", json!({"pattern": "**/*.md", "path": ROOT})),
        call("7", "Glob", json!({"pattern": "*"})),
        call("13", "Glob", json!({"pattern": format!("{ROOT}/team/**/*.md")})),
        call("14", "Glob", json!({"pattern": "/etc/*"})),
        call("8", "Bash", json!({"command": "cat /etc/passwd"})),
        call("9", "Grep", json!({"pattern": "fn .*\\("})),
        call("10", "Read", json!({"file_path": "/etc/passwd"})),
        call("11", "Task", json!({"prompt": "do it for me"})),
        call("12", "read", json!({"path": "MEMORY.md"})),
    ];
    let edit = |file: String, old: &str, new: &str| json!({"file_path": file, "old_string": old, "new_string": new});
    let writes = vec![
        call(
            "1",
            "Edit",
            edit(
                memory("MEMORY.md"),
                "real database\n",
                "real database, always\n- [New](user_new.md) — fresh\n",
            ),
        ),
        call(
            "2",
            "Edit",
            edit(memory("feedback_no-mocks.md"), "> No mocks.\n> No", "> Never mock.\n> No"),
        ),
        call("3", "Write", json!({"file_path": memory("user_new.md"), "content": "New.\n"})),
        call("4", "Write", json!({"file_path": code("src/main.rs"), "content": "evil"})),
        call("5", "Write", json!({"file_path": format!("{ROOT}-evil/x.md"), "content": "evil"})),
        call("6", "Write", json!({"file_path": memory("../x.md"), "content": "evil"})),
        call("7", "Write", json!({"file_path": "x.md", "content": "evil"})),
        call("8", "Write", json!({"file_path": memory("team/x.md"), "content": "evil"})),
        call("9", "Edit", edit(memory("user_pinned.md"), "Mine.", "Yours.")),
    ];
    let turns = vec![
        Response::new(looks).into(),
        Response::new(writes).into(),
        Response::words("Done.").into(),
    ];
    let played = play(&store, options().prefix(parent(&body("hi", &TOOLS))), turns).await;
    let results = |at: usize| {
        let told = played.requests[at].messages.last().unwrap();
        told.content
            .iter()
            .map(|part| match part {
                Content::Result { id, text, .. } => {
                    format!("{id}. {}", text.trim_end())
                }
                other => format!("{other:?}"),
            })
            .collect::<Vec<_>>()
            .join("\n")
    };
    insta::assert_snapshot!("parent__looks", results(1));
    insta::assert_snapshot!("parent__writes", results(2));
    insta::assert_debug_snapshot!(changes(&store, &played.outcome.overlay), @r##"
    {
        "MEMORY.md": "# Memory\n- [Mocks](feedback_no-mocks.md) — real database, always\n- [New](user_new.md) — fresh\n",
        "feedback_no-mocks.md": "Never mock.\nNo mocks anywhere, not even once.\n",
        "user_new.md": "New.\n",
    }
    "##);
}

#[tokio::test]
async fn the_index_as_a_whole_becomes_operations_and_lines_of_others_stay() {
    let store = store();
    let index = format!("{ROOT}/MEMORY.md");
    let read = call("1", "Read", json!({"file_path": index}));
    let write = vec![
        call(
            "1",
            "Write",
            json!({"file_path": index, "content": "# Mine\n- [New](user_new.md) — n\n"}),
        ),
        call(
            "2",
            "Write",
            json!({"file_path": format!("{ROOT}/user_new.md"), "content": "New.\n"}),
        ),
    ];
    let turns = vec![
        Response::new(vec![read]).into(),
        Response::new(write).into(),
        Response::words("Done.").into(),
    ];
    let played = play(&store, options().prefix(parent(&body("hi", &TOOLS))), turns).await;
    // Somebody else adds a line before the run is committed.
    let line = memdir_store::IndexOp::Upsert {
        path: crate::stage::path("user_pinned.md"),
        title: "Pinned".to_owned(),
        hook: "mine".to_owned(),
    };
    let by = memdir_store::Attribution::new(memdir_store::Actor::User);
    let batch = memdir_store::Batch::new(memdir_store::OpKind::Save).index(line);
    memdir_store::WriteStore::apply(&store, &batch, &by).unwrap();
    let accept = |_: &memdir_store::overlay::Proposal<'_>| memdir_store::overlay::Verdict::Accepted;
    let by = memdir_store::Attribution::new(memdir_store::Actor::Worker("extract".to_owned()));
    let Outcome { held, .. } = played.outcome.overlay.commit(&store, &accept, &by).unwrap();
    assert!(held.is_empty(), "{held:?}");
    let index = store.read(&memdir_core::MemPath::index()).unwrap().unwrap();
    insta::assert_snapshot!(String::from_utf8(index).unwrap(), @r"
    # Memory
    - [Pinned](user_pinned.md) — mine
    - [New](user_new.md) — n
    ");
}

#[tokio::test]
async fn a_parent_that_cannot_be_shared_is_not_sent_and_the_reason_is_told() {
    // Put together here, so that no scan of this file finds one.
    let key = ["AKIA", "QYLPMN5HFIQR7XYA"].concat();
    let secret = parent(&body(&key, &TOOLS));
    let bare = parent(&body("hi", &["Bash"]));
    let good = parent(&body("hi", &TOOLS));
    let mut reasons = Vec::new();
    for (prefix, calling) in
        [(secret, Calling::Tools), (bare, Calling::Tools), (good, Calling::Json)]
    {
        let options = options().prefix(prefix).calling(calling);
        let played = play(store(), options, vec![nothing(calling).into()]).await;
        assert_eq!(played.outcome.report.mode, Mode::Digest);
        assert_eq!(played.requests[0].prefix, None);
        assert!(!format!("{:?}{:?}", played.requests, played.events).contains(&key));
        reasons.extend(played.events.into_iter().filter_map(|event| match event.what {
            What::Digest(reason) => Some(reason.to_string()),
            _ => None,
        }));
    }
    insta::assert_snapshot!(reasons.join("\n"), @r"
    the parent's request holds a secret (line 1: looks like a secret (rule aws-access-token))
    the parent's request offers no tool that the run can use
    the model answers in JSON
    ");
}

#[tokio::test]
async fn a_model_that_calls_no_tools_is_asked_for_json_instead() {
    let write = ("write", json!({"path": "user_new.md", "text": "New.\n"}));
    let turns = vec![
        Error::ToolsUnsupported.into(),
        answer(Calling::Json, &[write]).into(),
        nothing(Calling::Json).into(),
    ];
    let store = store();
    let played = play(&store, options().prefix(parent(&body("hi", &TOOLS))), turns).await;
    assert_eq!(
        (played.outcome.report.mode, played.outcome.report.account.turns),
        (Mode::Digest, 2)
    );
    let whats: Vec<_> = played.events.iter().map(|event| &event.what).collect();
    assert!(
        whats.contains(&&What::Digest(DigestReason::Json)) && whats.contains(&&What::JsonInstead)
    );
    assert_eq!(changes(&store, &played.outcome.overlay).len(), 1);
    let forms: Vec<_> = played
        .requests
        .iter()
        .map(|it| (it.prefix.is_some(), it.tools.len(), it.output == memdir_model::Output::Words))
        .collect();
    assert_eq!(forms, [(true, 0, true), (false, 0, false), (false, 0, false)]);
}

#[tokio::test]
async fn a_model_that_loses_its_tools_in_the_middle_ends_the_run() {
    let turns =
        vec![answer(Calling::Tools, &[("list", json!({}))]).into(), Error::ToolsUnsupported.into()];
    let played = play(store(), options(), turns).await;
    assert_eq!(
        played.outcome.report.end.to_string(),
        "there was no answer: the model calls no tools"
    );
}
