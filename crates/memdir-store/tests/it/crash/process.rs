//! Real processes on a real disk: killed at every step, many at once.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use memdir_core::index;
use memdir_store::{
    ApplyError, Batch, Expect, IndexOp, LocalDir, OpKind, Options, ReadStore, Revision, Store,
    WriteStore,
    disk::{CapDisk, Faulty},
};
use tempfile::TempDir;

use super::{is_full, operations::upsert, path, person};

/// For a child: where to write, what, and when to die.
const DIRECTORY: &str = "MEMDIR_TEST_DIRECTORY";
const NUMBER: &str = "MEMDIR_TEST_NUMBER";
const DEATH: &str = "MEMDIR_TEST_DEATH";

fn local(root: &Path) -> LocalDir {
    // Twenty writers on a busy machine with a slow disk take their time.
    let options = Options::default().lock_wait(Duration::from_secs(60));
    LocalDir::open(root, options).expect("the directory is there")
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn child(test: &str, root: &Path, number: u64, death: Option<u64>) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("a test has a file"));
    command.args(["--exact", test, "--nocapture"]).env(DIRECTORY, root);
    command.env(NUMBER, number.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Some(death) = death {
        command.env(DEATH, death.to_string());
    }
    command.spawn().expect("a child can be started")
}

/// Names of files that must not be there, wherever they are.
fn temps(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("readable") {
            let entry = entry.expect("readable");
            if entry.file_type().expect("readable").is_dir() {
                folders.push(entry.path());
            } else if entry.file_name().to_string_lossy().starts_with(".memdir-") {
                found.push(entry.path().display().to_string());
            }
        }
    }
    found
}

fn index_paths(store: &impl ReadStore) -> Vec<String> {
    let bytes = store.read(&path("MEMORY.md")).expect("readable").unwrap_or_default();
    let text = String::from_utf8(bytes).expect("no index is ever torn");
    let paths = index::lines(&text).filter_map(|line| line.pointer?.path());
    paths.map(|path| path.to_string()).collect()
}

/// The batch that the children of this file apply.
fn save(number: u64) -> Batch {
    let name = format!("memory_{number}.md");
    Batch::new(OpKind::Save)
        .put(path(&name), format!("number {number}\n"), Expect::Absent)
        .append(path("logs/day.md"), format!("line {number}\n"), Expect::Any)
        .index(upsert(&name))
}

#[test]
fn child_saves_and_may_be_killed() {
    let Some(root) = variable(DIRECTORY) else { return };
    let number = variable(NUMBER).expect("set").parse().expect("a number");
    let options = Options::default().lock_wait(Duration::from_secs(60));
    let disk = CapDisk::open(Path::new(&root)).expect("the directory is there");
    match variable(DEATH) {
        None => {
            Store::over(disk, options).apply(&save(number), &person()).expect("applied");
        }
        Some(death) => {
            let death = death.parse().expect("a number");
            let disk = Faulty::new(disk).before(death, || std::process::abort());
            let store = Store::over(disk, options);
            // Where this is reached at all, the operation has fewer steps.
            store.apply(&save(number), &person()).expect("applied");
        }
    }
}

#[test]
fn a_process_killed_at_any_step_leaves_a_directory_that_the_next_one_completes() {
    let test = "crash::process::child_saves_and_may_be_killed";
    for death in 1.. {
        let root = TempDir::new().expect("a place for tests");
        local(root.path()).apply(&save(0), &person()).expect("applied");
        let status = child(test, root.path(), 1, Some(death)).wait().expect("it ends");
        let store = local(root.path());
        let receipt = store.apply(&save(2), &person()).expect("the next writer finds its way");
        let has = |number: u64| {
            let name = path(&format!("memory_{number}.md"));
            store.read(&name).expect("readable").is_some()
        };
        assert!(has(0) && has(2), "death at step {death}");
        let mut expected = vec!["memory_0.md"];
        let mut log = "line 0\n".to_owned();
        if has(1) {
            expected.push("memory_1.md");
            log.push_str("line 1\n");
        }
        expected.push("memory_2.md");
        log.push_str("line 2\n");
        assert_eq!(index_paths(&store), expected, "death at step {death}");
        let found = store.read(&path("logs/day.md")).expect("readable");
        assert_eq!(found.as_deref(), Some(log.as_bytes()), "death at step {death}");
        assert_eq!(temps(root.path()), Vec::<String>::new(), "death at step {death}");
        assert_eq!(store.health().expect("readable").unfinished, None);
        if status.success() {
            assert!(has(1) && receipt.recovered.is_empty(), "the operation was complete");
            assert!(death > 30, "the operation has {death} steps");
            return;
        }
    }
}

#[test]
fn twenty_processes_save_at_once_and_one_is_killed() {
    let test = "crash::process::child_saves_and_may_be_killed";
    let root = TempDir::new().expect("a place for tests");
    let mut children: Vec<Child> = (0..20)
        .map(|number| child(test, root.path(), number, (number == 7).then_some(45)))
        .collect();
    let statuses: Vec<_> =
        children.iter_mut().map(|child| child.wait().expect("it ends")).collect();
    let store = local(root.path());
    let mended = store.fix().expect("nobody writes any more");
    for (number, status) in statuses.iter().enumerate() {
        let name = format!("memory_{number}.md");
        let exists = store.read(&path(&name)).expect("readable").is_some();
        let lines = index_paths(&store).iter().filter(|path| **path == name).count();
        if number == 7 {
            assert!(!status.success());
            assert_eq!(lines, usize::from(exists), "{mended:?}");
        } else {
            assert!(status.success() && exists, "{name}");
            assert_eq!(lines, 1, "{name}");
        }
    }
    assert_eq!(temps(root.path()), Vec::<String>::new());
}

#[test]
fn child_appends_lines() {
    let Some(root) = variable(DIRECTORY) else { return };
    let number: u64 = variable(NUMBER).expect("set").parse().expect("a number");
    let store = local(Path::new(&root));
    for line in 0..appends() {
        let name = format!("m{number}_{line}.md");
        let batch = Batch::new(OpKind::Append)
            .append(path("logs/day.md"), format!("{number} {line}\n"), Expect::Any)
            .index(IndexOp::Upsert { path: path(&name), title: name.clone(), hook: "x".into() });
        store.apply(&batch, &person()).expect("applied");
    }
}

fn appends() -> usize {
    if is_full() { 100 } else { 10 }
}

#[test]
fn sixteen_processes_append_and_no_line_is_lost_or_torn_for_any_reader() {
    let child_test = "crash::process::child_appends_lines";
    let root = TempDir::new().expect("a place for tests");
    local(root.path()).apply(&save(0), &person()).expect("applied");
    let ended = Arc::new(AtomicBool::new(false));
    let reader = {
        let (store, ended) = (local(root.path()), Arc::clone(&ended));
        thread::spawn(move || {
            let mut seen = 0;
            while !ended.load(Ordering::SeqCst) {
                let bytes = store.read(&path("logs/day.md")).expect("readable");
                let text = String::from_utf8(bytes.expect("never gone")).expect("text");
                assert!(text.starts_with("line 0\n") && text.ends_with('\n'), "{text}");
                let lines = text.lines().count();
                assert!(lines >= seen, "a log never shrinks");
                seen = lines;
                let index = store.read(&path("MEMORY.md")).expect("readable").expect("never gone");
                assert!(index.ends_with(b"\n"));
            }
            seen
        })
    };
    let mut children: Vec<Child> =
        (0..16).map(|number| child(child_test, root.path(), number, None)).collect();
    for child in &mut children {
        assert!(child.wait().expect("it ends").success());
    }
    ended.store(true, Ordering::SeqCst);
    assert!(reader.join().expect("every reading was whole") > 0);

    let store = local(root.path());
    let bytes = store.read(&path("logs/day.md")).expect("readable").expect("there");
    let text = String::from_utf8(bytes).expect("text");
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 16 * appends());
    let mut paths = index_paths(&store);
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), 16 * appends() + 1);
    assert_eq!(temps(root.path()), Vec::<String>::new());
}

/// A program as people use: it reads, changes, writes beside and renames over, and knows of nobody.
fn rename_over(root: &Path, name: &str, number: usize) {
    let before = fs::read_to_string(root.join(name)).unwrap_or_default();
    let temp = root.join(format!("{name}.tmp.{number}"));
    fs::write(&temp, format!("- [T{number}](theirs_{number}.md)\n{before}")).expect("written");
    fs::rename(&temp, root.join(name)).expect("renamed");
}

#[test]
fn of_a_program_that_renames_over_us_all_the_time_every_line_is_in_place_or_in_the_journal() {
    let root = TempDir::new().expect("a place for tests");
    let store = local(root.path());
    store.apply(&save(0), &person()).expect("applied");
    let rounds: usize = if is_full() { 2_000 } else { 150 };
    let theirs = {
        let root = root.path().to_owned();
        thread::spawn(move || {
            for number in 0..rounds {
                rename_over(&root, "MEMORY.md", number);
                thread::yield_now();
            }
        })
    };
    let mut ours = 1;
    while !theirs.is_finished() {
        match store.apply(&save(ours), &person()) {
            Ok(_) => ours += 1,
            // They write faster than anything can be made safe; giving up is allowed, losing is not.
            Err(ApplyError::Conflict(conflicts)) => {
                assert!(conflicts.iter().all(|conflict| conflict.path.is_index()), "{conflicts:?}");
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    theirs.join().expect("they were let write");
    store.apply(&save(ours), &person()).expect("applied");
    let paths = index_paths(&store);
    let segments = fs::read_dir(root.path().join(".memdir/journal")).expect("readable");
    let segment = |entry: std::io::Result<fs::DirEntry>| {
        fs::read_to_string(entry.expect("readable").path()).expect("readable")
    };
    let journal: String = segments.map(segment).collect();
    for number in 0..rounds {
        let line = format!("theirs_{number}.md");
        let times = paths.iter().filter(|path| **path == line).count();
        // Who reads between our look and our swap, and writes after it, writes without what was swapped out.
        assert!(times == 1 || (times == 0 && journal.contains(&line)), "{line} {times} times");
    }
    for number in 0..=ours {
        let name = path(&format!("memory_{number}.md"));
        assert!(store.read(&name).expect("readable").is_some(), "{name}");
    }
    assert!(paths.contains(&format!("memory_{ours}.md")));
    assert_eq!(temps(root.path()), Vec::<String>::new());
}

#[test]
fn a_lock_file_that_somebody_replaces_lets_no_second_writer_in() {
    let root = TempDir::new().expect("a place for tests");
    local(root.path()).apply(&save(0), &person()).expect("applied");
    // Just before the intent is written, that is in the middle of the first writer's turn.
    let lock = root.path().join(".memdir/lock");
    let (second_root, at) = (root.path().to_owned(), 30);
    let disk = CapDisk::open(root.path()).expect("open");
    let disk = Faulty::new(disk).before(at, move || {
        fs::remove_file(&lock).expect("removed");
        let impatient = Options::default().lock_wait(Duration::ZERO);
        let second = LocalDir::open(&second_root, impatient).expect("open");
        let refused = second.apply(&save(2), &person());
        let busy = memdir_store::ApplyError::Store(memdir_store::Error::Busy {
            holder: None,
            waited: Duration::ZERO,
        });
        assert_eq!(refused.expect_err("locked").to_string(), busy.to_string());
    });
    let first = Store::over(disk, Options::default());
    first.apply(&save(1), &person()).expect("applied");
    assert!(first.disk().steps() > at);
    let revision = Revision::of(b"number 1\n");
    assert_eq!(first.heads().expect("readable").get(&path("memory_1.md")), Some(&revision));
}
