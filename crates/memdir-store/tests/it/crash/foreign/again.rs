//! Programs that write the same file again and again while we are at it.

use memdir_store::{
    ApplyError, Batch, Expect, OpKind, WriteStore,
    disk::{Faulty, MemDisk},
};

use super::{
    super::{is_full, next_writer, path, person, store, visible},
    Outcome, begun, check_rest, edit, file, fork, has_line, steps, upsert,
};

#[test]
fn two_writers_who_write_twice_lose_nothing() {
    let (begun, steps) = (begun(), steps());
    let add = |disk: &MemDisk, line: &str| {
        let now = visible(disk).get("MEMORY.md").cloned().unwrap_or_default();
        disk.put("MEMORY.md", now + line);
    };
    for first in 1..=steps + 30 {
        for second in (first + 1..first + 30).step_by(if is_full() { 1 } else { 4 }) {
            let context = format!("somebody adds lines before steps {first} and {second}");
            let disk = fork(&begun);
            let (one, two) = (disk.clone(), disk.clone());
            let faulty = Faulty::new(disk.clone())
                .before(first, move || add(&one, "- [1](theirs.md)\n"))
                .before(second, move || add(&two, "- [2](other.md)\n"));
            let ours = store(faulty);
            ours.apply(&edit(), &person()).expect("lines can always be put together");
            let done = ours.disk().steps();
            assert!(has_line(&disk, "new.md"), "{context}");
            assert_eq!(has_line(&disk, "theirs.md"), done >= first, "{context}");
            assert_eq!(has_line(&disk, "other.md"), done >= second, "{context}");
        }
    }
}

#[test]
fn a_large_index_that_somebody_writes_without_a_pause_is_left_to_them_in_bounded_time() {
    const FILLER: usize = 1024 * 1024;
    let disk = begun();
    let index = format!("- [A](a.md)\n{}", "filler\n".repeat(FILLER / 7));
    disk.put("MEMORY.md", index.clone());
    let mut faulty = Faulty::new(disk.clone());
    for step in (1_u64..500).step_by(3) {
        let theirs = disk.clone();
        let text = format!("{index}- [T](theirs{step}.md)\n");
        faulty = faulty.before(step, move || theirs.put("MEMORY.md", text.clone()));
    }
    let ours = store(faulty);
    let batch = Batch::new(OpKind::Save)
        .put(path("new.md"), "new\n", Expect::Absent)
        .index(upsert("new.md"));
    let outcome = ours.apply(&batch, &person());
    let Err(ApplyError::Conflict(conflicts)) = outcome else { panic!("{outcome:?}") };
    assert_eq!(conflicts.first().map(|c| c.path.clone()), Some(path("MEMORY.md")));
    assert_eq!(file(&disk, "new.md"), None);
    let written: usize = disk.files().values().map(Vec::len).sum();
    assert!(written < 32 * FILLER, "the journal holds {written} bytes");
    let taken = ours.disk().steps();
    assert!(taken < 400, "{taken} steps were taken");
    let last = (taken - 1) / 3 * 3 + 1;
    assert!(has_line(&disk, &format!("theirs{last}.md")));
}

/// Every version that somebody writes without a pause, and what comes of an edit of ours meanwhile.
fn write_without_a_pause(name: &'static str, stride: usize) -> (MemDisk, Outcome, u64) {
    let disk = begun();
    let mut faulty = Faulty::new(disk.clone());
    for step in (1_u64..3_000).step_by(stride) {
        let theirs = disk.clone();
        faulty = faulty.before(step, move || theirs.put(name, version(step)));
    }
    let ours = store(faulty);
    let outcome = ours.apply(&edit(), &person());
    let taken = ours.disk().steps();
    assert!(taken < 3_000, "{name}, every {stride} steps: {taken} steps were taken");
    (disk, outcome, taken)
}

/// What somebody writes before a step: another line than ours changes.
fn version(step: u64) -> String {
    format!("THEIRS {step}\ntwo\nthree\nfour\nfive\nsix\n")
}

#[test]
fn a_memory_that_somebody_writes_without_a_pause_is_a_conflict_and_theirs_stays() {
    for stride in 1..=6 {
        let (disk, outcome, taken) = write_without_a_pause("a.md", stride);
        let context = format!("every {stride} steps");
        let Err(ApplyError::Conflict(conflicts)) = &outcome else {
            panic!("{context}: {outcome:?}")
        };
        let paths: Vec<_> = conflicts.iter().map(|conflict| conflict.path.clone()).collect();
        assert_eq!(paths, [path("a.md")], "{context}");
        check_rest(&disk, Some(&outcome), "a.md", &context);
        next_writer(&disk);
        let last = version((taken - 1) / stride as u64 * stride as u64 + 1);
        assert_eq!(file(&disk, "a.md"), Some(last), "{context}");
    }
}

/// Lets somebody write before three steps of an edit that is taken back in the end, and looks for the last of it.
fn write_three_times(act: fn(&MemDisk, u64)) {
    let (begun, steps) = (begun(), steps());
    for first in 1..=steps {
        for second in (first + 1..first + 60).step_by(if is_full() { 1 } else { 7 }) {
            for third in second + 1..second + 3 {
                let disk = fork(&begun);
                let refused = disk.clone();
                let mut faulty = Faulty::new(disk.clone())
                    .before(first, move || refused.put("sub/b.md", "not to be removed\n"));
                for step in [first, second, third] {
                    let theirs = disk.clone();
                    faulty = faulty.before(step, move || act(&theirs, step));
                }
                let ours = store(faulty);
                drop(ours.apply(&edit(), &person()));
                let taken = ours.disk().steps();
                next_writer(&disk);
                let last = [third, second, first].into_iter().find(|step| *step <= taken);
                let last = format!("THEIRS {}\n", last.expect("it takes steps to be refused"));
                let found = file(&disk, "a.md").expect("nobody removed it");
                let context = format!("before steps {first}, {second} and {third}");
                assert!(found.starts_with(&last), "{context}: {found}");
            }
        }
    }
}

#[test]
fn taking_back_loses_nothing_that_somebody_writes_meanwhile() {
    write_three_times(|disk, step| disk.put("a.md", version(step)));
}

#[test]
fn taking_ours_out_of_theirs_loses_nothing_that_they_write_meanwhile() {
    write_three_times(|disk, step| {
        let now = file(disk, "a.md").unwrap_or_default();
        let (_, rest) = now.split_once('\n').unwrap_or_default();
        disk.put("a.md", format!("THEIRS {step}\n{rest}"));
    });
}
