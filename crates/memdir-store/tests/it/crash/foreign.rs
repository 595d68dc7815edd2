//! Programs that know neither lock nor journal and rename their files over ours, between any two of our steps.

mod again;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use memdir_core::index;
use memdir_store::{
    ApplyError, Batch, Expect, IndexOp, OpKind, Revision, Store, WriteStore,
    disk::{Fault, Faulty, MemDisk},
};

use super::{
    check_settled, is_full, next_writer,
    operations::{fork, upsert},
    path, person, store, visible,
};

const BASE: &str = "one\ntwo\nthree\nfour\nfive\nsix\n";
const OURS: &str = "one\ntwo\nthree\nfour\nfive\nOURS\n";
const THEIRS: &str = "THEIRS\ntwo\nthree\nfour\nfive\nsix\n";
const BOTH: &str = "THEIRS\ntwo\nthree\nfour\nfive\nOURS\n";
const CLASH: &str = "one\ntwo\nthree\nfour\nfive\nTHEIRS\n";

fn begun() -> MemDisk {
    let disk = MemDisk::new();
    let batch = Batch::new(OpKind::Save)
        .put(path("a.md"), BASE, Expect::Absent)
        .put(path("sub/b.md"), "b\n", Expect::Absent)
        .append(path("logs/day.md"), "one\n", Expect::Absent)
        .index(upsert("a.md"))
        .index(upsert("sub/b.md"));
    store(disk.clone()).apply(&batch, &person()).expect("applied");
    fork(&disk)
}

fn edit() -> Batch {
    Batch::new(OpKind::Edit)
        .put(path("a.md"), OURS, Expect::Unchanged(Revision::of(BASE.as_bytes())))
        .put(path("new.md"), "new\n", Expect::Absent)
        .remove(path("sub/b.md"), Expect::Unchanged(Revision::of(b"b\n")))
        .append(path("logs/day.md"), "two\n", Expect::Any)
        .index(upsert("new.md"))
        .index(IndexOp::Remove { path: path("sub/b.md") })
}

fn steps() -> u64 {
    let store = store(Faulty::new(begun()));
    store.apply(&edit(), &person()).expect("nobody is in the way");
    store.disk().steps()
}

type Outcome = Result<memdir_store::Receipt, ApplyError>;

/// Lets somebody act before each step of the edit, then also kills the writer at each later step.
fn each(act: fn(&MemDisk), check: impl Fn(&MemDisk, Option<&Outcome>, &str)) {
    let (begun, steps) = (begun(), steps());
    for at in 1..=steps + 1 {
        let context = format!("somebody acts before step {at} of {steps}");
        let disk = fork(&begun);
        let theirs = disk.clone();
        let faulty = Faulty::new(disk.clone()).before(at, move || act(&theirs));
        let outcome = store(faulty).apply(&edit(), &person());
        if at > steps {
            // There are more steps where somebody interferes; here nobody did.
            act(&disk);
        }
        check(&disk, Some(&outcome), &context);
        next_writer(&disk);
        check(&disk, Some(&outcome), &context);
        check_settled_but_for_theirs(&disk, &context);

        let stride = if is_full() { 1 } else { 9 };
        for death in (at..steps + 40).step_by(stride) {
            let context = format!("{context}, we die at step {death}");
            let disk = fork(&begun);
            let theirs = disk.clone();
            let faulty = Faulty::new(disk.clone())
                .before(at, move || act(&theirs))
                .fault(death, Fault::Death);
            let dying = store(faulty);
            let outcome = dying.apply(&edit(), &person());
            if dying.disk().steps() < at {
                break;
            }
            next_writer(&disk);
            check(&disk, outcome.is_ok().then_some(&outcome), &context);
            check_settled_but_for_theirs(&disk, &context);
        }
        // What fails just after they acted is what meets theirs.
        for failure in at..at + if is_full() { 40 } else { 6 } {
            let context = format!("{context}, step {failure} fails");
            let disk = fork(&begun);
            let theirs = disk.clone();
            let once = Fault::Once(std::io::ErrorKind::Other);
            let faulty =
                Faulty::new(disk.clone()).before(at, move || act(&theirs)).fault(failure, once);
            let failing = store(faulty);
            let outcome = failing.apply(&edit(), &person());
            if failing.disk().steps() < at {
                break;
            }
            let told = !matches!(outcome, Err(ApplyError::Store(_)));
            if told {
                check(&disk, Some(&outcome), &context);
            }
            next_writer(&disk);
            check(&disk, told.then_some(&outcome), &context);
            check_settled_but_for_theirs(&disk, &context);
        }
    }
}

/// As [`check_settled`], but what others did to the index is theirs.
#[track_caller]
fn check_settled_but_for_theirs(disk: &MemDisk, context: &str) {
    disk.put("theirs.md", "theirs\n");
    if file(disk, "a.md").is_none() {
        disk.put("a.md", "somebody took it away\n");
    }
    check_settled(disk, context);
}

fn file(disk: &MemDisk, name: &str) -> Option<String> {
    visible(disk).get(name).cloned()
}

fn has_line(disk: &MemDisk, name: &str) -> bool {
    let text = file(disk, "MEMORY.md").unwrap_or_default();
    index::lines(&text).any(|line| line.pointer.is_some_and(|p| p.path() == Some(path(name))))
}

/// What a finished or refused edit leaves of the files that nobody else touched.
#[track_caller]
fn check_rest(disk: &MemDisk, outcome: Option<&Outcome>, touched: &str, context: &str) {
    let is_done = match outcome {
        Some(Ok(_)) => true,
        Some(Err(ApplyError::Conflict(conflicts))) => {
            assert!(conflicts.iter().any(|c| c.path.as_str() == touched), "{context}");
            false
        }
        Some(Err(error)) => panic!("{context}: {error:?}"),
        // The next writer finished it or took it back: one or the other, for all files.
        None => file(disk, "new.md").is_some(),
    };
    let state = |name: &str, before: Option<&str>, after: Option<&str>| {
        if name != touched {
            let expected = if is_done { after } else { before };
            assert_eq!(file(disk, name).as_deref(), expected, "{name}, {context}");
        }
    };
    state("a.md", Some(BASE), Some(OURS));
    state("new.md", None, Some("new\n"));
    state("sub/b.md", Some("b\n"), None);
    state("logs/day.md", Some("one\n"), Some("one\ntwo\n"));
    if touched != "MEMORY.md" {
        assert_eq!(has_line(disk, "new.md"), is_done, "{context}");
        assert_eq!(has_line(disk, "sub/b.md"), !is_done, "{context}");
    }
}

/// Whether the journal still has a content.
fn is_kept(disk: &MemDisk, name: &str, text: &str) -> bool {
    let revision = Revision::of(text.as_bytes());
    let content = store(disk.clone()).content(&path(name), revision).expect("readable");
    content.as_deref() == Some(text.as_bytes())
}

#[test]
fn an_edit_of_other_lines_is_merged_or_comes_before_or_after_ours() {
    each(
        |disk| disk.put("a.md", THEIRS),
        |disk, outcome, context| {
            let found = file(disk, "a.md").expect("nobody removed it");
            assert!(found == BOTH || found == THEIRS, "{context}: {found}");
            let is_done = outcome.map_or_else(|| file(disk, "new.md").is_some(), Result::is_ok);
            if is_done && found == THEIRS {
                // They wrote over ours without looking; the journal has it.
                assert!(is_kept(disk, "a.md", OURS), "{context}");
            }
            if let Some(Ok(receipt)) = outcome {
                let ours = &receipt.changes[0];
                assert_eq!(ours.merged, ours.after == Some(Revision::of(BOTH.as_bytes())));
            }
            check_rest(disk, outcome, "a.md", context);
        },
    );
}

#[test]
fn an_edit_of_the_same_line_stays_and_ours_is_refused_or_kept() {
    each(
        |disk| disk.put("a.md", CLASH),
        |disk, outcome, context| {
            assert_eq!(file(disk, "a.md").as_deref(), Some(CLASH), "{context}");
            if let Some(Err(ApplyError::Conflict(conflicts))) = outcome {
                let [conflict] = conflicts.as_slice() else { panic!("{context}") };
                assert_eq!(conflict.expected, Some(Revision::of(BASE.as_bytes())), "{context}");
                assert_eq!(conflict.found, Some(Revision::of(CLASH.as_bytes())), "{context}");
                assert_eq!(conflict.wanted, Some(Revision::of(OURS.as_bytes())), "{context}");
            }
            if outcome.is_some_and(Result::is_ok) {
                assert!(is_kept(disk, "a.md", OURS), "{context}");
            }
            check_rest(disk, outcome, "a.md", context);
        },
    );
}

#[test]
fn a_file_that_somebody_takes_away_does_not_come_back_unasked() {
    each(
        |disk| disk.take("a.md"),
        |disk, outcome, context| {
            let found = file(disk, "a.md");
            match outcome {
                Some(Ok(_)) => assert!(found.is_none() || found.as_deref() == Some(OURS)),
                Some(Err(_)) => assert_eq!(found, None, "{context}"),
                // Ours may be put there by the next writer, as for all that it knows a power cut took it.
                None => assert!(found.is_none() || found.as_deref() == Some(OURS), "{context}"),
            }
            check_rest(disk, outcome, "a.md", context);
        },
    );
}

#[test]
fn of_two_new_files_of_one_name_none_is_lost() {
    each(
        |disk| disk.put("new.md", "theirs\n"),
        |disk, outcome, context| {
            assert_eq!(file(disk, "new.md").as_deref(), Some("theirs\n"), "{context}");
            if outcome.is_some_and(Result::is_ok) {
                assert!(is_kept(disk, "new.md", "new\n"), "{context}");
            }
        },
    );
}

#[test]
fn what_somebody_writes_into_a_file_that_we_remove_stays() {
    each(
        |disk| disk.put("sub/b.md", "b\ntheirs\n"),
        |disk, outcome, context| {
            assert_eq!(file(disk, "sub/b.md").as_deref(), Some("b\ntheirs\n"), "{context}");
            check_rest(disk, outcome, "sub/b.md", context);
        },
    );
}

#[test]
fn lines_that_somebody_adds_to_a_log_stand_beside_ours() {
    each(
        |disk| {
            let now = visible(disk).get("logs/day.md").cloned().unwrap_or_default();
            disk.put("logs/day.md", now + "theirs\n");
        },
        |disk, outcome, context| {
            let found = file(disk, "logs/day.md").expect("nobody removed it");
            assert_eq!(found.matches("theirs\n").count(), 1, "{context}: {found}");
            let ours = found.matches("two\n").count();
            let is_done = outcome.map_or_else(|| file(disk, "new.md").is_some(), Result::is_ok);
            assert_eq!(ours, usize::from(is_done), "{context}: {found}");
            check_rest(disk, outcome, "logs/day.md", context);
        },
    );
}

#[test]
fn lines_that_somebody_adds_to_the_index_stand_beside_ours() {
    each(
        |disk| {
            let now = visible(disk).get("MEMORY.md").cloned().unwrap_or_default();
            disk.put("MEMORY.md", now + "- [T](theirs.md)\n");
        },
        |disk, outcome, context| {
            let is_done = outcome.map_or_else(|| file(disk, "new.md").is_some(), Result::is_ok);
            assert!(has_line(disk, "theirs.md"), "{context}");
            assert!(has_line(disk, "a.md"), "{context}");
            assert_eq!(has_line(disk, "new.md"), is_done, "{context}");
            assert_eq!(has_line(disk, "sub/b.md"), !is_done, "{context}");
            check_rest(disk, outcome, "MEMORY.md", context);
        },
    );
}

#[test]
fn an_index_that_becomes_a_folder_takes_nothing_with_it() {
    each(
        |disk| {
            disk.take("MEMORY.md");
            disk.put("MEMORY.md/inside.md", "inside\n");
        },
        |disk, _, context| {
            assert_eq!(file(disk, "MEMORY.md/inside.md").as_deref(), Some("inside\n"), "{context}");
            let is_done = file(disk, "new.md").is_some();
            assert_eq!(file(disk, "a.md").as_deref(), Some(if is_done { OURS } else { BASE }));
        },
    );
}

#[test]
fn what_somebody_wrote_is_out_of_sight_at_one_moment_alone() {
    let (begun, steps) = (begun(), steps());
    let mut hidden = BTreeSet::new();
    for at in 1..=steps {
        let disk = fork(&begun);
        let theirs = disk.clone();
        let mut faulty = Faulty::new(disk.clone()).before(at, move || theirs.put("a.md", THEIRS));
        let seen = Arc::new(Mutex::new(false));
        for later in at + 1..steps + 60 {
            let (disk, seen) = (disk.clone(), Arc::clone(&seen));
            faulty = faulty.before(later, move || {
                let found = file(&disk, "a.md").unwrap_or_default();
                *seen.lock().expect("whole") |= !found.contains("THEIRS");
            });
        }
        drop(store(faulty).apply(&edit(), &person()));
        if *seen.lock().expect("whole") {
            hidden.insert(at);
        }
    }
    assert_eq!(hidden.len(), 1, "between looking and swapping: {hidden:?}");
}

#[test]
fn where_names_cannot_be_swapped_one_moment_alone_is_unguarded() {
    let begun = fork(&begun().without_exchange());
    let batch = Batch::new(OpKind::Edit).put(
        path("a.md"),
        OURS,
        Expect::Unchanged(Revision::of(BASE.as_bytes())),
    );
    let counting: Store<_> = store(Faulty::new(fork(&begun)));
    counting.apply(&batch, &person()).expect("nobody is in the way");
    let mut lost = Vec::new();
    for at in 1..=counting.disk().steps() {
        let disk = fork(&begun);
        let theirs = disk.clone();
        let faulty = Faulty::new(disk.clone()).before(at, move || theirs.put("a.md", THEIRS));
        drop(store(faulty).apply(&batch, &person()));
        let found = file(&disk, "a.md").expect("nobody removed it");
        if !found.contains("THEIRS") {
            lost.push(at);
        }
    }
    assert_eq!(lost.len(), 1, "between looking and renaming: {lost:?}");
}
