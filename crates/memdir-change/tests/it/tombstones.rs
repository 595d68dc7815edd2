//! What was forgotten stays so until a person writes it again.

use memdir_change::{
    Change, Draft, Operation, Policy, Revised, Tombstones, apply, dismiss, forget, lift,
};
use memdir_store::{ApplyError, Batch, Expect, InMemory, IndexOp, OpKind, ReadStore};

use crate::kit::{SAID, create, file, now, numbered, path, person, run, save, verdict, worker};

const BODY: &str = "The old wiki password lies under the doormat of Ines.\nShe likes tulips.";

fn forgotten() -> InMemory {
    let store = numbered(30);
    save(
        &store,
        "project_doormat.md",
        &file("project", "Doormat", "Where the wiki key lies", BODY),
        &person(),
    );
    forget_at(&store, "project_doormat.md").unwrap();
    store
}

fn forget_at(store: &InMemory, at: &str) -> Result<(), ApplyError> {
    let bytes = store.read(&path(at)).unwrap().unwrap_or_default();
    let batch = Batch::new(OpKind::Forget)
        .remove(path(at), Expect::Any)
        .index(IndexOp::Remove { path: path(at) });
    store.turn("test", |turn| forget(turn, &batch, &worker(), &[(path(at), bytes)], now()))?;
    Ok(())
}

fn says(draft: Draft) -> Operation {
    Operation::new(Change::Create(draft), "").quoting("m1", "Ines approves")
}

/// What a run is told that writes this.
fn check(store: &InMemory, operation: Operation, expect: &str) {
    let told = verdict(store, &Policy::default(), vec![operation]);
    assert_eq!(told.trim_end(), format!("0 {expect}"));
}

#[test]
fn no_run_brings_back_what_was_forgotten() {
    let store = forgotten();
    let draft = |name: &str, body: &str| Draft::new("project", name, "d", body);
    check(
        &store,
        says(draft("Doormat", "Something else.")),
        "forgotten: a memory at this path was forgotten",
    );
    let renamed = draft("Key", "Something else.").at("project_doormat.md");
    check(&store, says(renamed), "forgotten: a memory at this path was forgotten");
    let typed = Draft::new("user", "DOORMAT", "d", "Something else.");
    check(&store, says(typed), "forgotten: a memory of this name was forgotten");
    let same = "the old wiki password lies under the doormat of Ines! She likes *tulips*";
    check(&store, says(draft("Key", same)), "forgotten: a memory with this text was forgotten");
    let part = "New.\n- The old Wiki password lies under the doormat of Ines\n";
    let line = "forgotten: a line of it stood in a memory that was forgotten";
    check(&store, says(draft("Key", part)), line);
    let described = Draft::new("project", "Key", "Where the wiki key lies", "New.");
    check(&store, says(described), line);
    let update = Change::Update { path: "m00.md".to_owned(), revised: Revised::body(part) };
    check(&store, Operation::new(update, "").quoting("m1", "Ines approves"), line);
    let index = Change::Index {
        path: "m00.md".to_owned(),
        title: "Where the wiki key lies".to_owned(),
        hook: String::new(),
    };
    check(&store, Operation::new(index, ""), line);
    // What has nothing to do with it, and lines too short to be anybody's own, are free.
    check(&store, says(draft("Key", "She likes tulips.\nNew.")), "accepted");
}

#[test]
fn the_file_tells_nobody_what_was_forgotten() {
    let store = forgotten();
    let files = store.disk().files();
    let text = String::from_utf8(files[".memdir/state/tombstones.json"].clone()).unwrap();
    for word in ["oormat", "wiki", "Ines", "tulips", "project"] {
        assert!(!text.contains(word), "{text}");
    }
}

#[test]
fn what_a_person_writes_again_is_free_again() {
    let store = forgotten();
    let again = file("project", "Doormat", "Where the wiki key lies", BODY);
    save(&store, "project_doormat.md", &again, &person());
    lift(&store, &path("project_doormat.md"), again.as_bytes()).unwrap();
    assert!(Tombstones::read(&store).unwrap().is_empty());
    let update =
        Change::Update { path: "project_doormat.md".to_owned(), revised: Revised::body(SAID) };
    check(&store, Operation::new(update, "").quoting("m1", "Ines approves"), "accepted");
}

#[test]
fn what_came_back_by_undo_can_be_worked_on() {
    let store = forgotten();
    // As `undo` does: the file is there again, and nothing was lifted.
    save(
        &store,
        "project_doormat.md",
        &file("project", "Doormat", "Where the wiki key lies", BODY),
        &person(),
    );
    let body = format!("{BODY}\nShe approves deploys.");
    let update =
        Change::Update { path: "project_doormat.md".to_owned(), revised: Revised::body(body) };
    check(&store, Operation::new(update, "").quoting("m1", "Ines approves"), "accepted");
}

#[test]
fn a_refused_removal_leaves_no_hash() {
    let store = numbered(1);
    let pinned =
        "---\nname: a\ndescription: d\nmetadata:\n  type: user\n  pinned: true\n---\n\nOld.\n";
    save(&store, "a.md", pinned, &person());
    assert!(matches!(forget_at(&store, "a.md"), Err(ApplyError::Refused { .. })));
    assert!(Tombstones::read(&store).unwrap().is_empty());
    assert!(store.read(&path("a.md")).unwrap().is_some());
}

#[test]
fn a_dismissed_memory_is_not_proposed_again_and_an_applied_one_is_free() {
    let store = numbered(3);
    let outside = || create("deploys", SAID).quoting("tool1", "the deploy token lives in the wiki");
    assert_eq!(run(&store, &Policy::default(), vec![outside()]).inbox.waiting, [1]);
    assert_eq!(run(&store, &Policy::default(), vec![outside()]).inbox.waiting, [1]);
    dismiss(&store, 1, now()).unwrap();
    check(&store, outside(), "forgotten: a memory at this path was forgotten");

    let store = numbered(3);
    run(&store, &Policy::default(), vec![outside()]);
    forget_at(&store, "project_deploys.md").unwrap();
    apply(&store, 1, &person()).unwrap();
    assert!(store.read(&path("project_deploys.md")).unwrap().is_some());
}

#[test]
fn a_file_that_cannot_be_read_lets_nothing_through() {
    let store = numbered(1);
    store.disk().put(".memdir/state/tombstones.json", "{\"v\":1,\"stones\":[{");
    assert!(Tombstones::read(&store).is_err());
    store.disk().put(".memdir/state/tombstones.json", "{\"v\":2,\"stones\":[]}");
    let error = Tombstones::read(&store).unwrap_err().to_string();
    assert_eq!(
        error,
        "`.memdir/state/tombstones.json` is of version 2, which is newer than this program"
    );
}
