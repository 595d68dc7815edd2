//! Bad input and broken disks: a clear message that names file and cause, everything else listed, nothing lost.

use std::fs;

use insta::assert_snapshot;

use crate::sandbox::{Sandbox, names};

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
    assert_snapshot!(sandbox.run(["list"]), @"
    ------- stderr -------
    error: `$TEST_ENV/memory` is not a directory
      try: move the file away, or name another directory with --memory-dir DIR
    [exit status: 4]
    ");
    assert_snapshot!(sandbox.run(["list", "--json"]), @r#"
    ------- stderr -------
    {
      "error": {
        "exit": 4,
        "kind": "io",
        "try": [
          "move the file away, or name another directory with --memory-dir DIR"
        ],
        "what": "`$TEST_ENV/memory` is not a directory"
      }
    }
    [exit status: 4]
    "#);
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
    assert_snapshot!(sandbox.run(["list", "--type", "user"]), @r"
    2  user  good  good.md  today  63 B  fine
    ------- stderr -------
    warning: 9 problems
      - `CON.md`: name `CON.md` is reserved by Windows
      - `b\c.md`: path `b\c.md` holds a backslash (U+005C)
      - `binary.md`: holds NUL bytes, so it is no text
      - `binary.md`: line 1: not UTF-8; unreadable bytes are shown as `�`
      - `caf�.md`: its name is not UTF-8
      - `dangling.md`: a link to nothing
      - `huge.md`: too large: 1099511627776 bytes of at most 4194304
      - `leak.md`: a link that leads out of the memory directory
      - `pipe.md`: a named pipe, not a file
      try: `memdir check` tells all of them
    [exit status: 0]
    ");
    assert_snapshot!(sandbox.run(["show", "pipe.md"]), @"
    ------- stderr -------
    error: `pipe.md` is a named pipe, not a file
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run(["show", "leak.md"]), @"
    ------- stderr -------
    error: `leak.md` is not read: a link that leads out of the memory directory
    [exit status: 3]
    ");
    assert_snapshot!(sandbox.run(["show", "huge.md"]), @"
    ------- stderr -------
    error: `huge.md` is larger than 4194304 bytes
      try: move what is not a memory out of the file
    [exit status: 4]
    ");
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
    assert_snapshot!(sandbox.run(["edit", "n", "--description", "d"]), @"
    ------- stderr -------
    error: `n.md` is not UTF-8, so it cannot be edited without loss
      try: convert the file to UTF-8 first
    [exit status: 3]
    ");
    assert_eq!(fs::read(sandbox.memory().join("n.md")).unwrap(), bytes);
}

/// Threat 48: what is created is for its owner only, whatever the umask.
#[cfg(unix)]
#[test]
fn nothing_is_created_for_others() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::without_memory_dir();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "umask 000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_memdir")]).args(SAVE);
    shell.env_clear().env("HOME", sandbox.path("home")).current_dir(sandbox.path("project"));
    assert!(shell.output().unwrap().status.success());
    let mut open = vec![sandbox.path("home/.claude")];
    while let Some(path) = open.pop() {
        let metadata = fs::metadata(&path).unwrap();
        let expect = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(metadata.permissions().mode() & 0o777, expect, "{}", path.display());
        if metadata.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

/// Another writer is waited for, and then named; readers do not wait.
#[cfg(unix)]
#[test]
fn a_lock_that_stays_held_is_a_busy_error() {
    use std::process::{Command, Stdio};
    let sandbox = Sandbox::new().env("MEMDIR_LOCK_WAIT", "0");
    assert!(sandbox.run(SAVE).ends_with("[exit status: 0]\n"));
    let lock = sandbox.memory().join(".memdir/lock");
    // Holds the lock until its stdin ends, and says when it has it.
    let mut holder = Command::new("flock");
    holder
        .arg(&lock)
        .args(["sh", "-c", "echo held; cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut holder = holder.spawn().unwrap();
    std::io::Read::read_exact(holder.stdout.as_mut().unwrap(), &mut [0; 4]).unwrap();
    let ran = sandbox.run(["edit", "n", "--description", "new"]);
    let listed = sandbox.run(["list"]);
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert_snapshot!(ran, @"
    ------- stderr -------
    error: the memory directory is being written by somebody else
      try: try again; if that process is gone, nothing has to be removed: its lock went with it
    [exit status: 5]
    ");
    assert!(listed.ends_with("[exit status: 0]\n"), "{listed}");
    assert!(sandbox.run(["edit", "n", "--description", "new"]).ends_with("[exit status: 0]\n"));
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
    assert_snapshot!(sandbox.run(["list", "--type", "wish"]), @"
    ------- stderr -------
    error: invalid value 'wish' for '--type <TYPE>'
      [possible values: user, feedback, project, reference]

    For more information, try '--help'.
    [exit status: 2]
    ");
    assert_snapshot!(sandbox.run(["list", "--json", "--type", "wish"]), @r#"
    ------- stderr -------
    {
      "error": {
        "exit": 2,
        "items": [
          "[possible values: user, feedback, project, reference]"
        ],
        "kind": "usage",
        "try": [
          "For more information, try '--help'."
        ],
        "what": "invalid value 'wish' for '--type <TYPE>'"
      }
    }
    [exit status: 2]
    "#);
    assert_snapshot!(sandbox.run(["lst", "--json"]), @r#"
    ------- stderr -------
    {
      "error": {
        "exit": 2,
        "kind": "usage",
        "try": [
          "a similar subcommand exists: 'list'",
          "Usage: memdir [OPTIONS] <COMMAND>",
          "For more information, try '--help'."
        ],
        "what": "unrecognized subcommand 'lst'"
      }
    }
    [exit status: 2]
    "#);
    assert!(sandbox.run(["lst", "--", "--json"]).starts_with("------- stderr -------\nerror: "));
    assert_snapshot!(sandbox.run(["list", "--project", "/does/not/exist"]), @"
    ------- stderr -------
    error: `/does/not/exist` is not a folder
      where: --project
      try: name the folder of a project
    [exit status: 2]
    ");
}

/// One bad neighbour: an index that cannot be read takes nothing else away.
#[test]
fn an_index_that_cannot_be_read_leaves_instructions_memories_and_status() {
    let sandbox = Sandbox::new();
    sandbox.memorize("a.md", 0, "user", "aa", "alpha thing", "Body of alpha.");
    fs::create_dir(sandbox.memory().join("MEMORY.md")).unwrap();
    let context = sandbox.run(["context", "alpha"]);
    assert!(context.contains("Body of alpha."), "{context}");
    assert!(context.ends_with("[exit status: 0]\n"), "{context}");
    let instructions = sandbox.run(["prompt", "--instructions"]);
    let instructions = instructions.strip_suffix("[exit status: 0]\n").unwrap();
    let prompt = sandbox.run(["prompt"]);
    assert_snapshot!(prompt.strip_prefix(instructions).unwrap(), @"

    ## MEMORY.md

    The index in `$TEST_ENV/memory` cannot be read: `MEMORY.md` is a folder, not a file. The memories themselves are still there; list the directory to find them.
    ------- stderr -------
    warning: the index cannot be read, so the text goes without it
      why: `MEMORY.md` is a folder, not a file
      try: memdir check
    [exit status: 0]
    ");
    assert!(context.starts_with(instructions), "{context}");
    assert_snapshot!(sandbox.run(["status"]), @"
    directory  $TEST_ENV/memory (`MEMDIR_MEMORY_DIR`)
    project    $TEST_ENV/project
    memories   1 (1 user)
    finding    MEMORY.md: cannot be read: `MEMORY.md` is a folder, not a file
    journal    0 B
    [exit status: 0]
    ");
    let status = sandbox.run(["status", "--json"]);
    assert!(status.contains("cannot be read: `MEMORY.md` is a folder, not a file"), "{status}");
    assert!(status.ends_with("[exit status: 0]\n"), "{status}");
}

/// Whatever became of memdir's own files, what is to say about memories is said, and what is to be done.
#[cfg(unix)]
#[test]
fn broken_private_state_is_a_finding_and_hides_nothing_else() {
    type Break = fn(&std::path::Path);
    fn pipe(path: &std::path::Path) {
        drop(fs::remove_file(path));
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    }
    fn file(path: &std::path::Path) {
        fs::remove_dir_all(path).unwrap();
        fs::write(path, "x").unwrap();
    }
    fn link(path: &std::path::Path) {
        fs::rename(path, path.with_extension("moved")).unwrap();
        std::os::unix::fs::symlink("/tmp", path).unwrap();
    }
    fn folder(path: &std::path::Path) {
        fs::create_dir(path).unwrap();
    }
    let cases: [(&str, Break, i32); 9] = [
        (".memdir", file, 3),
        (".memdir", link, 3),
        (".memdir/lock", pipe, 3),
        (".memdir/heads.json", pipe, 0),
        (".memdir/heads.json", folder, 0),
        (".memdir/journal", link, 3),
        (".memdir/journal", file, 3),
        (".memdir/objects", file, 0),
        (".memdir/journal/00000001.jsonl", pipe, 3),
    ];
    for (path, breaks, saved) in cases {
        let sandbox = Sandbox::new();
        assert!(sandbox.run(SAVE).ends_with("[exit status: 0]\n"));
        sandbox.memorize("orphan.md", 0, "user", "orphan", "d", "b");
        breaks(&sandbox.memory().join(path));
        let checked = sandbox.run(["check"]);
        assert!(checked.contains(&format!("error: {path}: `{path}` is ")), "{path}: {checked}");
        assert!(checked.contains("; move it away"), "{path}: {checked}");
        assert!(checked.contains("orphan.md: no line of the index leads to it"), "{checked}");
        assert!(checked.ends_with("[exit status: 1]\n"), "{path}: {checked}");
        let json = sandbox.run(["check", "--json"]);
        assert!(json.contains("state_unreadable") && json.contains("orphan"), "{path}: {json}");
        let status = sandbox.run(["status"]);
        assert!(status.contains("memories   2 (2 user)"), "{path}: {status}");
        assert!(status.contains(&format!("finding    {path}: ")), "{path}: {status}");
        assert!(status.ends_with("[exit status: 0]\n"), "{path}: {status}");
        let log = sandbox.run(["log"]);
        assert!(log.contains(&format!("warning: `{path}` cannot be read\n  why: ")), "{log}");
        assert!(log.contains("; move it away"), "{path}: {log}");
        let ran = sandbox.run([
            "save",
            "--type",
            "user",
            "--name",
            "o",
            "--description",
            "d",
            "--body",
            "b",
        ]);
        assert!(ran.ends_with(&format!("[exit status: {saved}]\n")), "{path}: {ran}");
        assert_eq!(ran.contains("`memdir check` says"), saved != 0, "{path}: {ran}");
    }
}

#[test]
fn a_journal_line_that_says_nothing_is_a_remark_and_an_unfinished_operation_is_nobody_elses() {
    let sandbox = Sandbox::new();
    assert!(sandbox.run(SAVE).ends_with("[exit status: 0]\n"));
    let journal = sandbox.memory().join(".memdir/journal/00000001.jsonl");
    let whole = fs::read(&journal).unwrap();
    fs::write(&journal, [&whole[..], b"hello garbage\n"].concat()).unwrap();
    assert_snapshot!(sandbox.run(["check"]), @"
    remark: .memdir/journal: 1 line says nothing, and what it told is lost to undo; nothing has to be done, it goes with the oldest part of the journal
    [exit status: 0]
    ");
    fs::write(&journal, &whole[..whole.len() - 1]).unwrap();
    assert_snapshot!(sandbox.run(["check"]), @"
    error: .memdir/journal: operation $OP1 was interrupted *
    ------- stderr -------
    note: `memdir check --fix` mends what is marked with *
    [exit status: 1]
    ");
}

/// A dry run says what would be said; a file that cannot be read whole is not led to either.
#[test]
fn a_dry_run_refuses_what_forget_refuses() {
    let sandbox = Sandbox::new().env("CLAUDECODE", "1");
    sandbox.memorize("good.md", 0, "user", "good", "d", "b");
    sandbox.write("memory/pin.md", 0, "---\nname: pin\npinned: true\n---\nb\n");
    let huge = fs::File::create(sandbox.memory().join("huge.md")).unwrap();
    if huge.set_len(1 << 40).is_err() {
        eprintln!("skipped: needs a file system with sparse files");
        return;
    }
    for name in ["huge.md", "pin.md", "MEMORY.md"] {
        let [dry, wet] = [&["forget", name, "--dry-run"][..], &["forget", name]]
            .map(|args| sandbox.run(args).replace(" --dry-run", ""));
        assert_eq!(dry, wet);
        assert!(!dry.ends_with("[exit status: 0]\n"), "{dry}");
    }
    assert_eq!(
        sandbox.run(["forget", "good", "--dry-run"]),
        "would remove good.md\n[exit status: 0]\n"
    );
    let fixed = sandbox.run(["check", "--fix"]);
    assert!(fixed.contains("huge.md: no line of the index leads to it\n"), "{fixed}");
    assert!(!sandbox.read("memory/MEMORY.md").contains("huge"), "{fixed}");
}

/// A limit on the size of files ends a save as a full disk does.
#[cfg(unix)]
#[test]
fn a_file_size_limit_is_an_error_that_leaves_nothing() {
    let sandbox = Sandbox::new();
    sandbox.memorize("a.md", 0, "user", "a", "d", "b");
    let before = names(&sandbox.memory());
    let body = "b".repeat(4_000);
    let ran = sandbox.run_limited(&[
        "save",
        "--type",
        "user",
        "--name",
        "n",
        "--description",
        "d",
        "--body",
        &body,
    ]);
    assert!(ran.contains("File too large"), "{ran}");
    assert!(ran.ends_with("[exit status: 4]\n"), "{ran}");
    assert_eq!(names(&sandbox.memory()), before, "{ran}");
}
