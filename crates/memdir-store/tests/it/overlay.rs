//! Overlays: nothing is seen before the commit, and the commit loses nothing of anybody.
#![cfg(test)]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ops::ControlFlow,
    time::{Duration, SystemTime},
};

use memdir_core::MemPath;
use memdir_store::{
    Actor, ApplyError, Attribution, Batch, Conflict, Entry, Error, Expect, InMemory, IndexOp,
    Listed, OpKind, ReadStore, Receipt, Refusal, Revision, WriteStore,
    overlay::{
        Group, Held, HeldChange, HeldReason, Objection, Outcome, Overlay, Proposal, RecordError,
        Verdict,
    },
};
use proptest::prelude::*;

const A: Group = Group::new(1);
const B: Group = Group::new(2);
const C: Group = Group::new(3);

fn path(text: &str) -> MemPath {
    MemPath::parse(text).unwrap()
}

fn worker() -> Attribution {
    Attribution::new(Actor::Worker("dream".into())).run("run-1")
}

fn upsert(name: &str, hook: &str) -> IndexOp {
    IndexOp::Upsert { path: path(name), title: name.into(), hook: hook.into() }
}

fn store(files: &[(&str, &str)]) -> InMemory {
    let store = InMemory::new();
    write(&store, files);
    store
}

/// Another writer.
fn write(store: &dyn WriteStore, files: &[(&str, &str)]) {
    let batch = files.iter().fold(Batch::new(OpKind::Save), |batch, (name, text)| {
        batch.put(path(name), *text, Expect::Any)
    });
    store.apply(&batch, &Attribution::new(Actor::User)).unwrap();
}

fn remove(store: &dyn WriteStore, name: &str) {
    let batch = Batch::new(OpKind::Forget).remove(path(name), Expect::Any);
    store.apply(&batch, &Attribution::new(Actor::User)).unwrap();
}

fn overlay<S: ReadStore>(base: S) -> Overlay<S> {
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_029_953);
    Overlay::new(base, OpKind::Named("dream".into()), now)
}

fn accept(_: &Proposal<'_>) -> Verdict {
    Verdict::Accepted
}

/// Every file by its name, as text, through `visit` and `read`.
fn contents(store: &dyn ReadStore) -> BTreeMap<String, String> {
    let mut paths = Vec::new();
    store
        .visit(&mut |listed| {
            let Listed::Entry(entry) = listed else { panic!("{listed:?}") };
            paths.push(entry);
            ControlFlow::Continue(())
        })
        .unwrap();
    let text = |entry: Entry| {
        let bytes = store.read(&entry.path).unwrap().unwrap();
        assert_eq!(bytes.len() as u64, entry.len, "{}", entry.path);
        (entry.path.to_string(), String::from_utf8(bytes).unwrap())
    };
    let count = paths.len();
    let contents: BTreeMap<_, _> = paths.into_iter().map(text).collect();
    assert_eq!(contents.len(), count, "each is listed once");
    contents
}

fn expected(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect()
}

fn reasons(outcome: &Outcome) -> Vec<(Vec<u32>, String)> {
    let numbers = |held: &Held| held.groups.iter().map(|group| group.number()).collect();
    outcome.held.iter().map(|held| (numbers(held), held.reason.to_string())).collect()
}

type Act<'a> = dyn Fn(&InMemory) -> Result<(), ApplyError> + 'a;

/// A store where somebody does something right before each of the first batches is applied.
struct Meddled<'a> {
    store: &'a InMemory,
    before: RefCell<Vec<Box<Act<'a>>>>,
    applied: Cell<u32>,
}

impl<'a> Meddled<'a> {
    fn new(store: &'a InMemory) -> Self {
        Self { store, before: RefCell::default(), applied: Cell::new(0) }
    }

    fn once(self, act: impl Fn(&InMemory) -> Result<(), ApplyError> + 'a) -> Self {
        self.before.borrow_mut().push(Box::new(act));
        self
    }
}

impl ReadStore for Meddled<'_> {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> ControlFlow<()>) -> Result<(), Error> {
        self.store.visit(each)
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        self.store.read_head(path, max_bytes)
    }
}

impl WriteStore for Meddled<'_> {
    fn apply(&self, batch: &Batch, by: &Attribution) -> Result<Receipt, ApplyError> {
        if let Some(act) = self.before.borrow_mut().pop() {
            act(self.store)?;
        }
        let receipt = self.store.apply(batch, by)?;
        self.applied.set(self.applied.get() + 1);
        Ok(receipt)
    }
}

#[test]
fn nothing_is_seen_outside_and_everything_within() {
    let before = [("MEMORY.md", "- [a](a.md) — old\n"), ("a.md", "one"), ("b.md", "two")];
    let store = store(&before);
    let mut overlay = overlay(&store);
    assert_eq!(contents(&overlay), expected(&before));
    overlay.put(A, path("a.md"), "changed").unwrap();
    overlay.put(A, path("sub/c.md"), "new").unwrap();
    overlay.remove(A, path("b.md")).unwrap();
    overlay.index(A, upsert("a.md", "new")).unwrap();
    let after = [("MEMORY.md", "- [a.md](a.md) — new\n"), ("a.md", "changed"), ("sub/c.md", "new")];
    assert_eq!(contents(&overlay), expected(&after));
    assert_eq!(overlay.read_head(&path("a.md"), 3).unwrap(), Some(b"cha".to_vec()));
    assert_eq!(overlay.read_head(&path("b.md"), 3).unwrap(), None);
    assert_eq!(overlay.read_head(&MemPath::index(), 3).unwrap(), Some(b"- [".to_vec()));

    assert_eq!(contents(&store), expected(&before));
    drop(overlay);
    assert_eq!(contents(&store), expected(&before), "a run that ends without a commit did nothing");
}

#[test]
fn a_visit_ends_when_told_so_above_the_base_too() {
    let store = store(&[("a.md", "one")]);
    let mut overlay = overlay(&store);
    for name in ["b.md", "c.md"] {
        overlay.put(A, path(name), "new").unwrap();
    }
    for stop in 1..=3 {
        let mut seen = 0;
        let mut count = |_| {
            seen += 1;
            if seen == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        overlay.visit(&mut count).unwrap();
        assert_eq!(seen, stop);
    }
}

#[test]
fn groups_that_do_not_disturb_each_other_are_one_operation() {
    let store = store(&[("a.md", "one")]);
    let meddled = Meddled::new(&store);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "changed").unwrap();
    overlay.put(B, path("b.md"), "new").unwrap();
    overlay.index(B, upsert("b.md", "hook")).unwrap();
    let outcome = overlay.commit(&meddled, &accept, &worker()).unwrap();
    let changes = outcome.applied.unwrap().changes;
    let paths: Vec<_> = changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!((meddled.applied.get(), paths), (1, vec!["a.md", "b.md"]));
    assert_eq!(outcome.held, []);
    let after = [("MEMORY.md", "- [b.md](b.md) — hook\n"), ("a.md", "changed"), ("b.md", "new")];
    assert_eq!(contents(&store), expected(&after));
}

#[test]
fn an_empty_overlay_and_one_that_comes_to_nothing_apply_nothing() {
    let store = store(&[("a.md", "one"), ("b.md", "two")]);
    let meddled = Meddled::new(&store);
    let mut comes_to_nothing = overlay(&store);
    comes_to_nothing.put(A, path("a.md"), "changed").unwrap();
    comes_to_nothing.put(A, path("a.md"), "one").unwrap();
    comes_to_nothing.put(A, path("c.md"), "new").unwrap();
    comes_to_nothing.remove(A, path("c.md")).unwrap();
    comes_to_nothing.put(B, path("b.md"), "done by another meanwhile").unwrap();
    write(&store, &[("b.md", "done by another meanwhile")]);
    for overlay in [overlay(&store), comes_to_nothing] {
        let outcome = overlay.commit(&meddled, &accept, &worker()).unwrap();
        assert!(outcome.applied.is_none() && outcome.held.is_empty());
    }
    assert_eq!(meddled.applied.get(), 0);
}

#[test]
fn what_another_changed_in_other_lines_is_merged() {
    let store = store(&[("a.md", "1\n2\n3\n4\n5\n")]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "1\n2\n3\n4\nfive\n").unwrap();
    write(&store, &[("a.md", "one\n2\n3\n4\n5\n")]);
    let seen = RefCell::new(Vec::new());
    let validate = |proposal: &Proposal<'_>| {
        for change in &proposal.changes {
            let text = |bytes: Option<&[u8]>| bytes.map(|b| String::from_utf8(b.to_vec()).unwrap());
            seen.borrow_mut().push((text(change.before), text(change.after), change.merged));
        }
        Verdict::Accepted
    };
    let outcome = overlay.commit(&store, &validate, &worker()).unwrap();
    assert_eq!(outcome.held, []);
    assert_eq!(contents(&store), expected(&[("a.md", "one\n2\n3\n4\nfive\n")]));
    let expect = (Some("one\n2\n3\n4\n5\n".into()), Some("one\n2\n3\n4\nfive\n".into()), true);
    assert_eq!(seen.into_inner(), [expect], "what is validated is what is written");
}

#[test]
fn what_cannot_be_merged_holds_its_group_and_no_other() {
    let store = store(&[("a.md", "one\n"), ("b.md", "two\n"), ("c.md", "three\n")]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "ours\n").unwrap();
    overlay.remove(A, path("b.md")).unwrap();
    overlay.index(A, upsert("a.md", "hook")).unwrap();
    overlay.put(B, path("c.md"), "kept\n").unwrap();
    write(&store, &[("a.md", "theirs\n")]);
    let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
    let held = Held::new(
        vec![A],
        HeldReason::Changed(path("a.md")),
        vec![
            HeldChange::new(path("a.md"), Some(b"one\n".into()), Some(b"ours\n".into())),
            HeldChange::new(path("b.md"), Some(b"two\n".into()), None),
        ],
        vec![upsert("a.md", "hook")],
    );
    assert_eq!(outcome.held, [held]);
    assert!(outcome.applied.is_some());
    let after = [("a.md", "theirs\n"), ("b.md", "two\n"), ("c.md", "kept\n")];
    assert_eq!(contents(&store), expected(&after));
}

#[test]
fn what_another_created_changed_or_removed_is_never_overwritten() {
    let check =
        |ours: &dyn Fn(&mut Overlay<&InMemory>), theirs: &dyn Fn(&InMemory), reason: &str| {
            let store = store(&[("a.md", "one\n")]);
            let mut overlay = overlay(&store);
            ours(&mut overlay);
            theirs(&store);
            let before = contents(&store);
            let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
            assert_eq!(reasons(&outcome), [(vec![1], reason.to_owned())]);
            assert!(outcome.applied.is_none());
            assert_eq!(contents(&store), before);
        };
    let put = |name: &'static str| {
        move |overlay: &mut Overlay<&InMemory>| overlay.put(A, path(name), "ours\n").unwrap()
    };
    check(
        &put("new.md"),
        &|store| write(store, &[("new.md", "theirs\n")]),
        "`new.md` was created meanwhile",
    );
    check(&put("a.md"), &|store| remove(store, "a.md"), "`a.md` was removed meanwhile");
    check(
        &|overlay| overlay.remove(A, path("a.md")).unwrap(),
        &|store| write(store, &[("a.md", "theirs\n")]),
        "`a.md` was changed meanwhile in the same lines",
    );
    check(
        &|overlay| overlay.index(A, upsert("a.md", "hook")).unwrap(),
        &|store| remove(store, "a.md"),
        "`a.md` was removed meanwhile",
    );
}

#[test]
fn groups_that_touch_one_memory_are_held_together() {
    let check = |touch: &dyn Fn(&mut Overlay<&InMemory>), groups: &[u32]| {
        let store = store(&[("a.md", "one\n"), ("b.md", "two\n"), ("c.md", "three\n")]);
        let mut overlay = overlay(&store);
        overlay.put(A, path("a.md"), "ours\n").unwrap();
        touch(&mut overlay);
        write(&store, &[("a.md", "theirs\n")]);
        let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
        let found: Vec<_> = outcome.held[0].groups.iter().map(|group| group.number()).collect();
        assert_eq!((outcome.held.len(), found.as_slice()), (1, groups));
    };
    check(&|overlay| overlay.put(B, path("b.md"), "x").unwrap(), &[1]);
    check(&|overlay| overlay.put(B, path("a.md"), "x").unwrap(), &[1, 2]);
    check(&|overlay| overlay.index(B, upsert("a.md", "x")).unwrap(), &[1, 2]);
    check(&|overlay| overlay.index(B, IndexOp::Remove { path: path("a.md") }).unwrap(), &[1, 2]);
    let chain = |overlay: &mut Overlay<&InMemory>| {
        overlay.put(C, path("c.md"), "x").unwrap();
        overlay.put(B, path("c.md"), "y").unwrap();
        overlay.put(B, path("b.md"), "x").unwrap();
        overlay.index(A, upsert("b.md", "x")).unwrap();
    };
    check(&chain, &[1, 2, 3]);
}

#[test]
fn lines_that_others_add_to_the_index_meanwhile_stay() {
    let store = store(&[("MEMORY.md", "# Notes\n\n- [a](a.md) — old\n"), ("a.md", "one\n")]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("b.md"), "two\n").unwrap();
    overlay.index(A, upsert("b.md", "hook")).unwrap();
    let line = upsert("c.md", "theirs");
    let batch = Batch::new(OpKind::Save).put(path("c.md"), "three\n", Expect::Any).index(line);
    store.apply(&batch, &Attribution::new(Actor::Agent)).unwrap();
    overlay.commit(&store, &accept, &worker()).unwrap();
    insta::assert_snapshot!(contents(&store)["MEMORY.md"], @r"
    # Notes

    - [a](a.md) — old
    - [c.md](c.md) — theirs
    - [b.md](b.md) — hook
    ");
}

#[test]
fn the_index_is_not_written_as_a_file() {
    let store = store(&[]);
    let mut overlay = overlay(&store);
    for refused in [overlay.put(A, MemPath::index(), "x"), overlay.remove(A, MemPath::index())] {
        assert!(matches!(refused, Err(RecordError::IsIndex)), "{refused:?}");
    }
    assert!(overlay.is_empty());
}

#[test]
fn what_is_refused_is_held_with_its_group_and_the_rest_is_asked_about_again() {
    let store = store(&[("a.md", "one"), ("b.md", "two")]);
    let mut overlay = overlay(&store);
    overlay.remove(A, path("a.md")).unwrap();
    overlay.put(A, path("c.md"), "new").unwrap();
    overlay.put(B, path("b.md"), "changed").unwrap();
    let asked = RefCell::new(Vec::new());
    let validate = |proposal: &Proposal<'_>| {
        let paths: Vec<_> = proposal.changes.iter().map(|c| c.path.to_string()).collect();
        asked.borrow_mut().push(paths.clone());
        if paths.iter().any(|path| path == "a.md") {
            Verdict::Refused(vec![Objection::new(path("a.md"), "needs a person")])
        } else {
            Verdict::Accepted
        }
    };
    let outcome = overlay.commit(&store, &validate, &worker()).unwrap();
    assert_eq!(reasons(&outcome), [(vec![1], "`a.md` is refused: needs a person".to_owned())]);
    assert_eq!(asked.into_inner(), [vec!["a.md", "b.md", "c.md"], vec!["b.md"]]);
    assert_eq!(contents(&store), expected(&[("a.md", "one"), ("b.md", "changed")]));
}

#[test]
fn nothing_happens_when_everything_is_refused() {
    let objection = |name: &str| Verdict::Refused(vec![Objection::new(path(name), "no")]);
    let all = Verdict::RefusedAll { reason: "no".into() };
    for (verdict, said) in [
        (all, "everything is refused: no"),
        (objection("unknown.md"), "`unknown.md` is refused: no"),
        (objection("MEMORY.md"), "`MEMORY.md` is refused: no"),
    ] {
        let store = store(&[("a.md", "one")]);
        let mut overlay = overlay(&store);
        overlay.put(A, path("a.md"), "changed").unwrap();
        overlay.index(A, upsert("a.md", "x")).unwrap();
        overlay.put(B, path("b.md"), "new").unwrap();
        overlay.index(B, upsert("b.md", "x")).unwrap();
        let validate = |_: &Proposal<'_>| verdict.clone();
        let outcome = overlay.commit(&store, &validate, &worker()).unwrap();
        assert_eq!(reasons(&outcome), [(vec![1], said.to_owned()), (vec![2], said.to_owned())]);
        assert!(outcome.applied.is_none());
        assert_eq!(contents(&store), expected(&[("a.md", "one")]));
    }
}

#[test]
fn a_pinned_memory_holds_its_group_and_no_other() {
    let pinned = "---\nname: a\nmetadata:\n  pinned: true\n---\nbody\n";
    let store = store(&[("a.md", pinned), ("b.md", "two")]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "changed").unwrap();
    overlay.put(B, path("b.md"), "changed").unwrap();
    let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
    let [held] = outcome.held.as_slice() else { panic!("{:?}", outcome.held) };
    let reason = HeldReason::RefusedByStore { path: path("a.md"), refusal: Refusal::Pinned };
    assert_eq!((held.groups.as_slice(), &held.reason), ([A].as_slice(), &reason));
    assert_eq!(contents(&store), expected(&[("a.md", pinned), ("b.md", "changed")]));
}

#[test]
fn an_index_that_cannot_be_changed_holds_only_what_needs_it() {
    let store = InMemory::new();
    let batch = Batch::new(OpKind::Save).put(MemPath::index(), b"\xff".as_slice(), Expect::Any);
    store.apply(&batch, &Attribution::new(Actor::User)).unwrap();
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "new").unwrap();
    overlay.index(A, upsert("a.md", "hook")).unwrap();
    overlay.put(B, path("b.md"), "new").unwrap();
    let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
    let said = "`MEMORY.md` is not UTF-8 and cannot be changed line by line".to_owned();
    assert_eq!(reasons(&outcome), [(vec![1], said)]);
    assert_eq!(store.read(&path("a.md")).unwrap(), None);
    assert_eq!(store.read(&path("b.md")).unwrap(), Some(b"new".to_vec()));
    assert_eq!(store.read(&MemPath::index()).unwrap(), Some(b"\xff".to_vec()));
}

#[test]
fn a_file_that_is_too_large_holds_its_group_and_no_other() {
    let store = store(&[]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), vec![b'x'; 4 * 1024 * 1024 + 1]).unwrap();
    overlay.put(B, path("b.md"), "new").unwrap();
    let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
    assert_eq!(reasons(&outcome), [(vec![1], "`a.md` would be too large".to_owned())]);
    assert_eq!(contents(&store), expected(&[("b.md", "new")]));
}

#[test]
fn a_failure_hands_the_overlay_back_and_nothing_has_happened() {
    let store = store(&[("a.md", "one")]);
    let busy = || ApplyError::Store(Error::Busy { holder: None, waited: Duration::ZERO });
    let meddled = Meddled::new(&store).once(|_| Err(busy()));
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "changed").unwrap();
    let failed = overlay.commit(&meddled, &accept, &worker()).unwrap_err();
    assert!(matches!(failed.error, Error::Busy { .. }));
    assert_eq!(contents(&store), expected(&[("a.md", "one")]));
    failed.overlay.commit(&meddled, &accept, &worker()).unwrap();
    assert_eq!(contents(&store), expected(&[("a.md", "changed")]));
}

#[test]
fn a_writer_between_plan_and_application_is_planned_around() {
    let store = store(&[("a.md", "1\n2\n3\n4\n5\n"), ("b.md", "two\n")]);
    let meddled = Meddled::new(&store)
        .once(|store| {
            write(store, &[("b.md", "theirs\n")]);
            Ok(())
        })
        .once(|store| {
            write(store, &[("a.md", "one\n2\n3\n4\n5\n")]);
            Ok(())
        });
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "1\n2\n3\n4\nfive\n").unwrap();
    overlay.put(B, path("b.md"), "ours\n").unwrap();
    let outcome = overlay.commit(&meddled, &accept, &worker()).unwrap();
    assert_eq!(
        reasons(&outcome),
        [(vec![2], "`b.md` was changed meanwhile in the same lines".to_owned())]
    );
    let after = [("a.md", "one\n2\n3\n4\nfive\n"), ("b.md", "theirs\n")];
    assert_eq!(contents(&store), expected(&after));
}

/// A store that takes every batch for a conflict.
struct Contended<'a>(&'a InMemory, Vec<Conflict>);

impl ReadStore for Contended<'_> {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> ControlFlow<()>) -> Result<(), Error> {
        self.0.visit(each)
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        self.0.read_head(path, max_bytes)
    }
}

impl WriteStore for Contended<'_> {
    fn apply(&self, _: &Batch, _: &Attribution) -> Result<Receipt, ApplyError> {
        Err(ApplyError::Conflict(self.1.clone()))
    }
}

#[test]
fn a_commit_ends_even_where_every_batch_is_a_conflict() {
    let store = store(&[("a.md", "one")]);
    let commit = |conflicts| {
        let mut overlay = overlay(&store);
        overlay.put(A, path("a.md"), "changed").unwrap();
        overlay.commit(&Contended(&store, conflicts), &accept, &worker())
    };
    let revision = Some(Revision::of(b"one"));
    let conflict = Conflict::new(path("a.md"), revision, None, revision);
    let said = "`a.md` was changed meanwhile in the same lines".to_owned();
    assert_eq!(reasons(&commit(vec![conflict]).unwrap()), [(vec![1], said)]);
    assert!(matches!(commit(vec![]).unwrap_err().error, Error::Busy { .. }));
}

#[derive(Debug, Clone)]
enum Step {
    Put(usize, String),
    Remove(usize),
    Line(usize, String),
    NoLine(usize),
}

const NAMES: [&str; 5] = ["a.md", "b.md", "sub/c.md", "d.md", "e.md"];

fn step() -> impl Strategy<Value = Step> {
    let name = 0..NAMES.len();
    let text = "[a-c\n記]{0,12}";
    prop_oneof![
        3 => (name.clone(), text).prop_map(|(name, text)| Step::Put(name, text)),
        1 => name.clone().prop_map(Step::Remove),
        2 => (name.clone(), "[a-z ]{0,9}").prop_map(|(name, hook)| Step::Line(name, hook)),
        1 => name.prop_map(Step::NoLine),
    ]
}

proptest! {
    /// On a store that nobody else touches, a commit comes to the same as a batch.
    #[test]
    fn a_commit_on_an_unchanged_store_equals_direct_application(
        before in prop::collection::vec(step(), 0..8),
        steps in prop::collection::vec((step(), 0_u32..4), 0..16),
    ) {
        let direct = |store: &InMemory, steps: &mut dyn Iterator<Item = &Step>| {
            let batch = steps.fold(Batch::new(OpKind::Save), |batch, step| match step {
                Step::Put(name, text) => batch.put(path(NAMES[*name]), text.as_str(), Expect::Any),
                Step::Remove(name) => batch.remove(path(NAMES[*name]), Expect::Any),
                Step::Line(name, hook) => batch.index(upsert(NAMES[*name], hook)),
                Step::NoLine(name) => batch.index(IndexOp::Remove { path: path(NAMES[*name]) }),
            });
            store.apply(&batch, &worker()).unwrap();
        };
        let (plain, layered) = (InMemory::new(), InMemory::new());
        for store in [&plain, &layered] {
            direct(store, &mut before.iter());
        }
        let mut overlay = overlay(&layered);
        for (step, group) in &steps {
            let group = Group::new(*group);
            match step {
                Step::Put(name, text) => {
                    overlay.put(group, path(NAMES[*name]), text.as_str()).unwrap();
                }
                Step::Remove(name) => overlay.remove(group, path(NAMES[*name])).unwrap(),
                Step::Line(name, hook) => overlay.index(group, upsert(NAMES[*name], hook)).unwrap(),
                Step::NoLine(name) => {
                    overlay.index(group, IndexOp::Remove { path: path(NAMES[*name]) }).unwrap();
                }
            }
        }
        direct(&plain, &mut steps.iter().map(|(step, _)| step));
        let within = contents(&overlay);
        let outcome = overlay.commit(&layered, &accept, &worker()).unwrap();
        prop_assert_eq!(outcome.held, []);
        prop_assert_eq!(contents(&layered), contents(&plain));
        prop_assert_eq!(within, contents(&plain), "what the run saw is what was committed");
    }
}
