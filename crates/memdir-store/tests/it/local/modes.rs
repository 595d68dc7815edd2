//! Files and folders are their owner's alone, whatever the umask.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{Arc, Mutex},
};

use memdir_store::{
    Actor, ApplyError, Attribution, Batch, Error, Expect, LocalDir, OpKind, Options, Store,
    WriteStore,
    disk::{CapDisk, Faulty},
};

use super::{again_in_shell, child_directory, is_root, open, path, read, root, save, sh, tree};

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("there").permissions().mode() & 0o7777
}

#[track_caller]
fn check_modes(root: &Path) {
    for found in tree(root) {
        let full = root.join(&found);
        let expected = if full.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&full), expected, "{}", found.display());
    }
}

#[test]
fn child_writes_under_any_umask() {
    let Some(directory) = child_directory() else { return };
    let home = directory.join("new/memory");
    LocalDir::open_or_create(&home, Options::default()).expect("created");
    fs::write(home.join("old.md"), "old").expect("written");
    let old = fs::Permissions::from_mode(0o666);
    fs::set_permissions(home.join("old.md"), old).expect("set");

    // Also in the middle of everything: before each step, all that is there is narrow enough.
    let seen = Arc::new(Mutex::new(0));
    let mut disk = Faulty::new(CapDisk::open(&home).expect("open"));
    for step in 1..120 {
        let (home, seen) = (home.clone(), Arc::clone(&seen));
        disk = disk.before(step, move || {
            for found in tree(&home) {
                let full = home.join(&found);
                // It is as wide as it was, also while it waits to be removed.
                if full.is_file() && fs::read(&full).expect("readable") == b"old" {
                    continue;
                }
                assert_eq!(mode(&full) & 0o077, 0, "{} before step {step}", found.display());
                *seen.lock().expect("whole") += 1;
            }
        });
    }
    let batch = Batch::new(OpKind::Save)
        .put(path("old.md"), "new", Expect::Any)
        .put(path("sub/deep/new.md"), vec![0xff; 100], Expect::Any)
        .append(path("logs/day.md"), "line\n", Expect::Any);
    let store = Store::over(disk, Options::default());
    store.apply(&batch, &Attribution::new(Actor::User)).expect("applied");
    assert!(*seen.lock().expect("whole") > 50, "the files were looked at on the way");
    check_modes(&directory);
}

#[test]
fn folders_are_0700_and_files_0600_under_any_umask() {
    for umask in ["000", "022", "077"] {
        let root = root();
        let before = format!("umask {umask};");
        let test = "local::modes::child_writes_under_any_umask";
        let output = again_in_shell(&before, test, root.path());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{umask}: {said}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
    }
}

#[test]
fn a_directory_that_may_not_be_written_is_read_and_says_so() {
    let root = root();
    let home = root.path().join("m");
    fs::create_dir(&home).expect("created");
    let mounted = is_root();
    if mounted {
        if let Err(why) = mount(&home, "size=256k") {
            println!("skipped: needs mount: {why}");
            return;
        }
        fs::write(home.join("a.md"), "a").expect("written");
        sh("mount -o remount,ro m", root.path());
    } else {
        fs::write(home.join("a.md"), "a").expect("written");
        fs::set_permissions(&home, fs::Permissions::from_mode(0o500)).expect("set");
    }
    let store = open(&home);
    assert_eq!(read(&store, "a.md").as_deref(), Some("a"));
    assert!(store.history().expect("readable").next().is_none());
    assert!(store.health().expect("readable").temps.is_empty());
    match save(&store, "b.md", "b") {
        Err(ApplyError::Store(Error::ReadOnly { .. })) if mounted => {}
        Err(ApplyError::Store(Error::Denied { .. })) if !mounted => {}
        other => panic!("{other:?}"),
    }
    drop(store);
    if mounted {
        sh("umount m", root.path());
    } else {
        fs::set_permissions(&home, fs::Permissions::from_mode(0o700)).expect("set");
    }
}

/// Mounts a small file system in memory, or says why not.
pub(super) fn mount(home: &Path, options: &str) -> Result<(), String> {
    let mut command = std::process::Command::new("mount");
    command.args(["-t", "tmpfs", "-o", options, "memdir-test"]).arg(home);
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        other => Err(format!("no file system can be mounted here: {other:?}")),
    }
}
