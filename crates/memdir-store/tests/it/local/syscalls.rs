//! What the system is really asked to make safe, and in which order.

use std::{fs, process::Command};

use memdir_store::{Actor, Attribution, Batch, Expect, IndexOp, OpKind, WriteStore, disk::MemDisk};

use super::{DIRECTORY, child_directory, open, path, root};

fn save(number: u32) -> Batch {
    let name = format!("m{number}.md");
    Batch::new(OpKind::Save).put(path(&name), "a memory\n", Expect::Absent).index(IndexOp::Upsert {
        path: path(&name),
        title: name.clone(),
        hook: "a hook".into(),
    })
}

#[test]
fn child_saves_one_memory() {
    let Some(directory) = child_directory() else { return };
    let store = open(&directory);
    store.apply(&save(2), &Attribution::new(Actor::User)).expect("applied");
}

#[test]
fn a_save_makes_safe_two_files_the_intent_and_the_folder_in_this_order() {
    let root = root();
    open(root.path()).apply(&save(1), &Attribution::new(Actor::User)).expect("applied");
    let log = root.path().join("strace");
    let traced = Command::new("strace")
        .args(["-f", "-y", "-e", "trace=fsync,fdatasync,renameat2,rename,renameat,unlinkat", "-o"])
        .arg(&log)
        .arg(std::env::current_exe().expect("a test has a file"))
        .args(["--exact", "local::syscalls::child_saves_one_memory"])
        .env(DIRECTORY, root.path())
        .output();
    match traced {
        Ok(output) if output.status.success() => {}
        other => {
            println!(
                "skipped: needs strace: it does not run here: {:?}",
                other.map(|output| output.status)
            );
            return;
        }
    }
    let log = fs::read_to_string(log).expect("readable");
    let home = fs::canonicalize(root.path()).expect("there").display().to_string();
    let kinds: Vec<&str> = log
        .lines()
        .filter_map(|line| {
            let (_, call) = line.split_once(char::is_whitespace)?;
            let call = call.trim_start();
            let is_sync = call.starts_with("fsync(") || call.starts_with("fdatasync(");
            let is_rename = call.starts_with("rename");
            match call {
                _ if !call.contains(&home) => None,
                _ if is_sync && call.contains(".tmp>") => Some("temporary file"),
                _ if is_sync && call.contains("/journal/") => Some("intent"),
                _ if is_sync && call.contains(&format!("{home}>")) => Some("folder"),
                _ if is_sync => Some("something else"),
                _ if is_rename && call.contains("m2.md") => Some("rename memory"),
                _ if is_rename && call.contains("MEMORY.md") => Some("rename index"),
                _ if is_rename => Some("rename something else"),
                _ => None,
            }
        })
        .collect();
    assert_eq!(
        kinds,
        ["temporary file", "temporary file", "intent", "rename memory", "rename index", "folder"],
        "{log}"
    );
}

#[test]
fn a_listing_opens_no_file_and_a_read_opens_one() {
    let store = memdir_store::InMemory::new();
    let disk: &MemDisk = store.disk();
    for number in 0..100 {
        disk.put(&format!("sub/m{number}.md"), "x".repeat(5_000));
    }
    let before = disk.counts();
    memdir_store::ReadStore::visit(&store, &mut |_| std::ops::ControlFlow::Continue(()))
        .expect("listable");
    let after = disk.counts();
    assert_eq!((after.reads, after.lists), (before.reads, before.lists + 2));
    memdir_store::ReadStore::read_head(&store, &path("sub/m1.md"), 1_000).expect("readable");
    let read = disk.counts();
    assert_eq!((read.reads, read.bytes_read), (after.reads + 1, after.bytes_read + 1_000));
}
