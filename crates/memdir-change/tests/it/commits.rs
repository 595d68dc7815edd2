//! From a verdict to files, and back by undo.

use insta::assert_snapshot;
use memdir_change::limits::REASON_BYTES;
use memdir_change::{Change, Draft, Inbox, OpWord, Operation, Plan, Policy, Revised, commit};
use memdir_store::{Batch, Expect, OpKind, UndoTarget, WriteStore};

use crate::kit::{
    SAID, create, delete, file, files, judge, memory, now, numbered, path, person, run, save, text,
    worker,
};
use crate::verdicts::auto;

fn quoted(change: Change) -> Operation {
    Operation::new(change, "merged by the night run").quoting("m1", "Ines approves")
}

fn merge() -> Operation {
    let body =
        "Fact number 0 is about the thing called t0.\nFact number 1 is about the thing called t1.";
    let into = Draft::new("project", "facts", "about t0 and t1", body).at("m01.md");
    quoted(Change::Merge { sources: vec!["m01.md".to_owned(), "m02.md".to_owned()], into })
}

#[test]
fn a_merge_is_one_operation_with_reason_and_hashes_and_comes_back_whole() {
    let store = numbered(30);
    let before = files(&store);
    let done = run(&store, &Policy::default(), vec![merge()]);
    let receipt = done.receipt.unwrap();
    let logged = store.history().unwrap().next().unwrap().unwrap();
    let by = logged.by.unwrap();
    assert_eq!(logged.id, receipt.op);
    assert_eq!((by.run.as_deref(), by.session.as_deref()), (Some("run-1"), Some("s1")));
    assert_eq!(by.reason.as_deref(), Some("merged by the night run"));
    let touched: Vec<_> = logged
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.before.is_some(), file.after.is_some()))
        .collect();
    assert_eq!(
        touched,
        [("m01.md", true, true), ("MEMORY.md", true, true), ("m02.md", true, false)]
    );
    assert_snapshot!(text(&store, "m01.md"), @r#"
    ---
    name: facts
    description: about t0 and t1
    metadata:
      type: project
      origin: agent
      modified: "2026-11-30T09:00:00Z"
      supersedes: ["fact 2"]
    ---

    Fact number 0 is about the thing called t0.
    Fact number 1 is about the thing called t1.
    "#);
    let index = text(&store, "MEMORY.md");
    assert!(index.contains("(m01.md)") && !index.contains("(m02.md)"), "{index}");
    store.undo(&UndoTarget::run("run-1"), &person()).unwrap();
    assert_eq!(files(&store), before);
}

#[test]
fn a_secret_at_the_end_of_a_long_reason_is_not_in_the_journal() {
    let store = numbered(30);
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0);
    let shown = "ghp_a1B2c3D4e5";
    let reason = format!("{} {secret}", "a ".repeat((REASON_BYTES - shown.len()) / 2));
    let mut operation = create("deploys", SAID);
    operation.reason = reason;
    run(&store, &Policy::default(), vec![operation]).receipt.unwrap();
    let logged = store.history().unwrap().next().unwrap().unwrap();
    let told = logged.by.unwrap().reason.unwrap();
    assert!(told.len() <= REASON_BYTES && !told.contains("ghp_a1B2"), "{told}");
}

#[test]
fn every_operation_leaves_the_index_true() {
    let store = numbered(30);
    let split = Change::Split {
        source: "m03.md".to_owned(),
        into: vec![
            Draft::new("project", "half one", "the first half", "Ines approves."),
            Draft::new("project", "half two", "the second half", "On Fridays."),
        ],
    };
    let by = Draft::new("project", "new fact", "about t4", "Ines approves now.");
    let revised = Revised::body("Now five.").name("fact five");
    let index = Change::Index {
        path: "m06.md".to_owned(),
        title: "Six".to_owned(),
        hook: "the sixth".to_owned(),
    };
    run(
        &store,
        &auto(),
        vec![
            create("deploys", SAID),
            quoted(split),
            quoted(Change::Supersede { old: "m04.md".to_owned(), by }),
            quoted(Change::Update { path: "m05.md".to_owned(), revised }),
            Operation::new(index, ""),
            delete("m07.md"),
        ],
    );
    let told: Vec<_> = text(&store, "MEMORY.md")
        .lines()
        .filter(|line| !line.ends_with("hook"))
        .map(str::to_owned)
        .collect();
    assert_snapshot!(told.join("\n"), @"
    - [Six](m06.md) — the sixth
    - [deploys](project_deploys.md) — When deploys happen
    - [half one](project_half-one.md) — the first half
    - [half two](project_half-two.md) — the second half
    - [new fact](project_new-fact.md) — about t4
    ");
    assert_snapshot!(text(&store, "project_new-fact.md"), @r#"
    ---
    name: new fact
    description: about t4
    metadata:
      type: project
      originSessionId: s1
      origin: agent
      modified: "2026-11-30T09:00:00Z"
      supersedes: ["fact 4"]
    ---

    Ines approves now.
    "#);
    for gone in ["m03.md", "m04.md", "m07.md"] {
        assert_eq!(text(&store, gone), "", "{gone}");
    }
}

#[test]
fn an_update_leaves_every_other_byte() {
    let store = numbered(3);
    let odd = "---\r\n# kept\r\nname: n\r\nextra: [1, 2]\r\ndescription: d\r\ntype: user\r\n---\r\n\r\nOld.\r\n";
    save(&store, "odd.md", odd, &person());
    let revised = Revised::default().description("new");
    run(
        &store,
        &Policy::default(),
        vec![quoted(Change::Update { path: "odd.md".to_owned(), revised })],
    );
    let now = text(&store, "odd.md");
    let kept: Vec<_> = odd.lines().filter(|line| !line.starts_with("description")).collect();
    assert!(kept.iter().all(|line| now.lines().any(|other| other == *line)), "{now}");
    assert!(now.contains("description: new\r\n") && now.contains("origin: agent"), "{now}");
}

#[test]
fn what_was_changed_meanwhile_waits_and_the_rest_is_done() {
    let store = numbered(30);
    let update = |at: &str| {
        quoted(Change::Update { path: at.to_owned(), revised: Revised::body("By the run.") })
    };
    let plan = Plan::new([
        update("m00.md").group("g"),
        create("deploys", SAID).group("g"),
        update("m01.md"),
        update("m02.md"),
    ]);
    let (snapshot, verdict) = judge(&store, &Policy::default(), &plan);
    save(&store, "m00.md", &memory(0).replace("Fact", "By a person: fact"), &person());
    store
        .apply(&Batch::new(OpKind::Forget).remove(path("m02.md"), Expect::Any), &person())
        .unwrap();
    let done = commit(&store, &snapshot, &verdict, &worker(), now()).unwrap();
    assert_eq!(done.inbox.waiting, [1, 2]);
    let late: Vec<_> = done.late.iter().map(|(groups, why)| format!("{groups:?} {why}")).collect();
    assert_eq!(
        late,
        [
            "[0] `m00.md` was changed meanwhile in the same lines",
            "[3] `m02.md` was removed meanwhile"
        ]
    );
    assert!(text(&store, "m00.md").contains("By a person"));
    assert_eq!(text(&store, "project_deploys.md"), "");
    assert!(text(&store, "m01.md").contains("By the run."));
    assert_eq!(text(&store, "m02.md"), "");
    let items = Inbox::read(&store).unwrap().items;
    let words: Vec<Vec<_>> = items
        .iter()
        .map(|item| {
            item.operations.iter().filter_map(|asked| asked.word).map(OpWord::as_str).collect()
        })
        .collect();
    assert_eq!(words, [vec!["update", "create"], vec!["update"]]);
}

#[test]
fn a_change_of_other_lines_is_kept_beside_that_of_the_run() {
    let store = numbered(30);
    let body = "One.\n\nTwo.\n\nThree.";
    save(&store, "a.md", &file("project", "a", "d", body), &person());
    let revised = Revised::body("One by the run.\n\nTwo.\n\nThree.\n");
    let plan = Plan::new([quoted(Change::Update { path: "a.md".to_owned(), revised })]);
    let (snapshot, verdict) = judge(&store, &Policy::default(), &plan);
    save(
        &store,
        "a.md",
        &file("project", "a", "d", &body.replace("Three.", "Three by a person.")),
        &person(),
    );
    let done = commit(&store, &snapshot, &verdict, &worker(), now()).unwrap();
    assert_eq!(done.late, []);
    let now = text(&store, "a.md");
    assert!(now.contains("One by the run.") && now.contains("Three by a person."), "{now}");
}

#[test]
fn what_a_merge_with_another_would_break_is_held_back() {
    let store = numbered(30);
    save(&store, "a.md", &file("project", "a", "d", "One.\n\nTwo.\n\nThree."), &person());
    let revised = Revised::body("One by the run.\n\nTwo.\n\nThree.\n");
    let plan = Plan::new([quoted(Change::Update { path: "a.md".to_owned(), revised })]);
    let (snapshot, verdict) = judge(&store, &Policy::default(), &plan);
    // Another program took the description away meanwhile.
    let broken = text(&store, "a.md").replace("description: d\n", "");
    store.disk().put("a.md", broken.clone());
    let done = commit(&store, &snapshot, &verdict, &worker(), now()).unwrap();
    assert_eq!(done.late, [(vec![0], "`a.md` is refused: the description is empty".to_owned())]);
    assert_eq!(text(&store, "a.md"), broken);
}

#[test]
fn what_is_forgotten_while_the_run_thinks_stays_so() {
    let store = numbered(30);
    let plan = Plan::new([create("deploys", SAID)]);
    let (snapshot, verdict) = judge(&store, &Policy::default(), &plan);
    save(&store, "project_deploys.md", &file("project", "deploys", "d", "x"), &person());
    let batch = Batch::new(OpKind::Forget).remove(path("project_deploys.md"), Expect::Any);
    let bytes = text(&store, "project_deploys.md").into_bytes();
    let forgotten = [(path("project_deploys.md"), bytes)];
    store
        .turn("test", |turn| memdir_change::forget(turn, &batch, &person(), &forgotten, now()))
        .unwrap();
    let done = commit(&store, &snapshot, &verdict, &worker(), now()).unwrap();
    let why = "`project_deploys.md` is refused: a memory at this path was forgotten meanwhile";
    assert_eq!(done.late, [(vec![0], why.to_owned())]);
    assert_eq!(text(&store, "project_deploys.md"), "");
}

/// What `m00.md` says already.
fn known() -> Operation {
    let body = "Fact number 0 is about the thing called t0.";
    quoted(Change::Create(Draft::new("project", "Fact 0", "about t0", body)))
}

#[test]
fn a_run_that_comes_to_nothing_writes_nothing() {
    let store = numbered(3);
    let before = store.disk().files();
    let done = run(&store, &Policy::default(), vec![delete("team/a.md"), known()]);
    assert!(done.receipt.is_none());
    let mut after = store.disk().files();
    // The lock's note is not a change.
    after.retain(|path, _| before.contains_key(path));
    let update = |files: &std::collections::BTreeMap<String, Vec<u8>>| files.get("m00.md").cloned();
    assert_ne!(update(&after), None);
    assert!(!store.disk().files().contains_key(".memdir/state/notices.jsonl"));
    assert!(!store.disk().files().contains_key(".memdir/state/inbox.json"));
}
