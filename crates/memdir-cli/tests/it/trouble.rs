//! Bad input and broken disks: a clear message that names file and cause, everything else listed, nothing lost.

use std::fs;

use insta::assert_snapshot;

use crate::sandbox::Sandbox;

const SAVE: [&str; 9] =
    ["save", "--type", "user", "--name", "n", "--description", "d", "--body", "b"];

#[test]
fn a_memory_directory_that_is_a_file() {
    let sandbox = Sandbox::new();
    sandbox.write("memory", 0, "I am a file.\n");
    for args in [
        &["list"][..],
        &["show", "x"],
        &["recall", "x"],
        &["check"],
        &["status"],
        &["prompt"],
        &SAVE,
    ] {
        let ran = sandbox.run(args);
        assert!(ran.ends_with("[exit status: 4]\n"), "{args:?}: {ran}");
    }
    assert_snapshot!(sandbox.run(["list"]), @"");
    assert_snapshot!(sandbox.run(["list", "--json"]), @"");
    assert_eq!(sandbox.read("memory"), "I am a file.\n");
}

/// Threat 18 and what else can bear the name of a memory.
#[cfg(unix)]
#[test]
fn what_is_no_memory_is_named_and_the_rest_is_listed() {
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new();
    sandbox.memorize("good.md", 0, "user", "good", "fine", "b");
    let memory = sandbox.memory();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(memory.join("pipe.md"))
            .status()
            .unwrap()
            .success()
    );
    fs::create_dir(memory.join("folder.md")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", memory.join("leak.md")).unwrap();
    std::os::unix::fs::symlink("nowhere", memory.join("dangling.md")).unwrap();
    sandbox.write("memory/b\\c.md", 0, "x\n");
    sandbox.write("memory/CON.md", 0, "x\n");
    sandbox.write("memory/binary.md", 0, b"\0\x01\xff\xfe");
    let not_utf8 = memory.join(std::ffi::OsStr::from_bytes(b"caf\xe9.md"));
    if fs::write(&not_utf8, "x\n").is_err() {
        eprintln!("skipped: needs a file system with names that are not UTF-8");
    }
    let huge = fs::File::create(memory.join("huge.md")).unwrap();
    if huge.set_len(1 << 40).is_err() {
        eprintln!("skipped: needs a file system with sparse files");
    }
    assert_snapshot!(sandbox.run(["list", "--type", "user"]), @"");
    assert_snapshot!(sandbox.run(["show", "pipe.md"]), @"");
    assert_snapshot!(sandbox.run(["show", "leak.md"]), @"");
    assert_snapshot!(sandbox.run(["show", "huge.md"]), @"");
}

/// Threat 47: reading goes on where writing cannot.
#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_written_is_read_and_writes_say_so() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    sandbox.memorize("a.md", 0, "user", "a", "d", "b");
    let mode =
        |mode| fs::set_permissions(sandbox.memory(), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o500);
    if fs::write(sandbox.memory().join("probe"), "").is_ok() {
        mode(0o700);
        eprintln!("skipped: needs a plain user: permission bits do not bind root");
        return;
    }
    let (listed, saved) = (sandbox.run(["list"]), sandbox.run(SAVE));
    mode(0o700);
    assert!(listed.contains("a.md"), "{listed}");
    assert!(saved.contains("permission") && saved.ends_with("[exit status: 4]\n"), "{saved}");
}

#[test]
fn a_file_that_is_not_utf8_is_shown_and_not_edited() {
    let sandbox = Sandbox::new();
    let bytes = b"---\nname: n\n---\ncaf\xe9\n";
    sandbox.write("memory/n.md", 0, bytes);
    assert_snapshot!(sandbox.run(["edit", "n", "--description", "d"]), @"");
    assert_eq!(fs::read(sandbox.memory().join("n.md")).unwrap(), bytes);
}

#[test]
fn usage_errors_exit_with_2() {
    let sandbox = Sandbox::new();
    for args in [
        &["lists"][..],
        &["list", "--jason"],
        &["save"],
        &["list", "--type", "wish"],
        &["list", "--full"],
    ] {
        let ran = sandbox.run(args);
        assert!(ran.ends_with("[exit status: 2]\n"), "{args:?}: {ran}");
    }
    assert_snapshot!(sandbox.run(["list", "--type", "wish"]), @"");
    assert_snapshot!(sandbox.run(["list", "--project", "/does/not/exist"]), @"");
}
