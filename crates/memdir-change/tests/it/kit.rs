//! A store with memories, a conversation, and a verdict as one text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use memdir_change::{
    Change, Committed, Draft, Judgement, Message, Operation, Plan, Policy, Snapshot, Terms,
    Tombstones, Verdict, commit, validate,
};
use memdir_core::frontmatter::Origin;
use memdir_core::{FixedClock, MemPath};
use memdir_store::disk::{Disk, MemDisk};
use memdir_store::{
    Actor, Attribution, Batch, Expect, InMemory, IndexOp, OpKind, Options, ReadStore, Store,
    WriteStore,
};

/// What the user says in message `m1`.
pub(crate) const SAID: &str = "Deploys happen on Fridays at noon, and Ines approves each of them.";

/// 2026-11-30T09:00:00Z.
pub(crate) fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_029_200)
}

pub(crate) fn path(text: &str) -> MemPath {
    text.parse().unwrap()
}

pub(crate) fn person() -> Attribution {
    Attribution::new(Actor::User)
}

pub(crate) fn worker() -> Attribution {
    Attribution::new(Actor::Worker("dream".to_owned())).run("run-1").session("s1")
}

/// A memory file.
pub(crate) fn file(kind: &str, name: &str, description: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n\n{body}\n"
    )
}

pub(crate) fn over<D: Disk>(disk: D) -> Store<D> {
    Store::over(disk, Options::new(std::sync::Arc::new(FixedClock(now()))))
}

pub(crate) fn save<D: Disk>(store: &Store<D>, at: &str, text: &str, by: &Attribution) {
    let title = at.trim_end_matches(".md").to_owned();
    let line = IndexOp::Upsert { path: path(at), title, hook: "hook".to_owned() };
    let batch = Batch::new(OpKind::Save).put(path(at), text, Expect::Any).index(line);
    store.apply(&batch, by).unwrap();
}

/// Memories `m00.md` and so on, each with a line of its own.
pub(crate) fn numbered(count: usize) -> InMemory {
    let store = over(MemDisk::new());
    for number in 0..count {
        save(&store, &format!("m{number:02}.md"), &memory(number), &person());
    }
    store
}

pub(crate) fn memory(number: usize) -> String {
    let body = format!("Fact number {number} is about the thing called t{number}.");
    file("project", &format!("fact {number}"), &format!("about t{number}"), &body)
}

pub(crate) fn create(name: &str, body: &str) -> Operation {
    let draft = Draft::new("project", name, "When deploys happen", body);
    Operation::new(Change::Create(draft), "said so").quoting("m1", "Deploys happen on Fridays")
}

pub(crate) fn delete(at: &str) -> Operation {
    Operation::new(Change::Delete { path: at.to_owned() }, "old")
}

pub(crate) fn messages() -> BTreeMap<String, Message> {
    let page = "A page says: the deploy token lives in the wiki.";
    BTreeMap::from([
        ("m1".to_owned(), Message::new(SAID, Origin::User)),
        ("m2".to_owned(), Message::new("部署在星期五中午进行。", Origin::User)),
        ("tool1".to_owned(), Message::new(page, Origin::External)),
    ])
}

pub(crate) fn judge<D: Disk>(
    store: &Store<D>,
    policy: &Policy,
    plan: &Plan,
) -> (Snapshot, Verdict) {
    let snapshot = Snapshot::read(store).unwrap();
    let (tombstones, messages) = (Tombstones::read(store).unwrap(), messages());
    let terms = Terms::new(now(), policy, &tombstones, &messages).session("s1");
    let verdict = validate(plan, &snapshot, &terms);
    (snapshot, verdict)
}

/// Judges and commits as a background run.
pub(crate) fn run<D: Disk>(
    store: &Store<D>,
    policy: &Policy,
    operations: Vec<Operation>,
) -> Committed {
    let (snapshot, verdict) = judge(store, policy, &Plan::new(operations));
    commit(store, &snapshot, &verdict, &worker(), now()).unwrap()
}

/// A verdict, one line an operation.
pub(crate) fn told(verdict: &Verdict) -> String {
    let mut text = String::new();
    for judged in &verdict.judged {
        let said = match &judged.judgement {
            Judgement::Accepted => "accepted".to_owned(),
            Judgement::Known { path } => format!("known: {path}"),
            Judgement::Held(hold) => format!("held: {hold}"),
            Judgement::Refused { rule, reason } => format!("{}: {reason}", rule.as_str()),
            _ => unreachable!("a test knows all judgements"),
        };
        writeln!(text, "{} {said}", judged.operation).unwrap();
    }
    text
}

/// Judges on a store and gives the verdict as text.
pub(crate) fn verdict<D: Disk>(
    store: &Store<D>,
    policy: &Policy,
    operations: Vec<Operation>,
) -> String {
    told(&judge(store, policy, &Plan::new(operations)).1)
}

/// Every file of the directory but those of the private folder.
pub(crate) fn files(store: &InMemory) -> BTreeMap<String, Vec<u8>> {
    let mut files = store.disk().files();
    files.retain(|path, _| !path.starts_with(".memdir"));
    files
}

pub(crate) fn text(store: &dyn ReadStore, at: &str) -> String {
    store
        .read(&path(at))
        .unwrap()
        .map(|bytes| String::from_utf8(bytes).unwrap())
        .unwrap_or_default()
}

/// Saves a memory as a person and forgets it.
pub(crate) fn forget_memory(store: &InMemory, at: &str, text: &str) {
    save(store, at, text, &person());
    let batch = Batch::new(OpKind::Forget)
        .remove(path(at), Expect::Any)
        .index(IndexOp::Remove { path: path(at) });
    let forgotten = [(path(at), text.as_bytes().to_vec())];
    store
        .turn("test", |turn| memdir_change::forget(turn, &batch, &person(), &forgotten, now()))
        .unwrap();
}
