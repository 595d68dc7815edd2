//! Folders that have to lie within another one.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use memdir_store::{
    Error, LocalDir, Options,
    disk::{CapDisk, Disk},
    project::ProjectPath,
};

use super::{read, root, save, sh};

const BELOW: &str = ".claude/agent-memory/reviewer";

fn below() -> ProjectPath {
    ProjectPath::parse(BELOW).expect("a plain path")
}

/// What opening says, and that nothing came about outside of `p`.
fn check(setup: &str, expect: &str) {
    let temp = root();
    sh(&format!("mkdir -p p out; {setup}"), temp.path());
    let real = temp.path().canonicalize().expect("it is there");
    let said = |result: Result<CapDisk, Error>| match result {
        Ok(disk) => format!("opened, {}", disk.stat("").is_ok_and(|stat| stat.is_some())),
        Err(error) => error.to_string().replace(&real.display().to_string(), "$T"),
    };
    let names = |folder: &str| fs::read_dir(real.join(folder)).expect("readable").count();
    let outside = (names(""), names("out"));
    assert_eq!(said(CapDisk::open_within(&real.join("p"), &below())), expect, "{setup}");
    let created = said(CapDisk::open_or_create_within(&real.join("p"), &below()));
    let expect = if expect.starts_with("there is no") { "opened, true" } else { expect };
    assert_eq!(created, expect, "{setup}");
    assert_eq!((names(""), names("out")), outside, "{setup}");
}

#[test]
fn a_folder_opens_where_no_link_leads_out() {
    check("", "there is no directory `$T/p/.claude/agent-memory/reviewer`");
    check(
        "mkdir -p p/.claude/agent-memory",
        "there is no directory `$T/p/.claude/agent-memory/reviewer`",
    );
    check("mkdir -p p/.claude/agent-memory/reviewer", "opened, true");
    check("mkdir -p p/kept/agent-memory/reviewer; ln -s kept p/.claude", "opened, true");
    check(
        "mkdir p/.claude; > p/.claude/agent-memory",
        "`$T/p/.claude/agent-memory/reviewer` is not a directory",
    );
    let out = "`$T/p/.claude` leads out of `$T/p` by a symbolic link";
    check("ln -s ../out p/.claude", out);
    check("ln -s $PWD/out p/.claude", out);
    check("ln -s $PWD/nowhere p/.claude", out);
    check("ln -s ../nowhere p/.claude", out);
    let out = "`$T/p/.claude/agent-memory` leads out of `$T/p` by a symbolic link";
    check("mkdir p/.claude; ln -s ../../out p/.claude/agent-memory", out);
    let out = "`$T/p/.claude/agent-memory/reviewer` leads out of `$T/p` by a symbolic link";
    check("mkdir -p p/.claude/agent-memory; ln -s $PWD/out p/.claude/agent-memory/reviewer", out);
}

#[test]
fn what_is_created_is_for_its_owner_and_takes_writes() {
    let temp = root();
    let disk = CapDisk::open_or_create_within(temp.path(), &below()).expect("created");
    let mode = |path: &Path| fs::metadata(path).expect("there").mode() & 0o777;
    for folder in [".claude", ".claude/agent-memory", BELOW] {
        assert_eq!(mode(&temp.path().join(folder)), 0o700, "{folder}");
    }
    let store = LocalDir::over(disk, Options::default());
    save(&store, "a.md", "text").expect("written");
    assert_eq!(read(&store, "a.md").as_deref(), Some("text"));
}
