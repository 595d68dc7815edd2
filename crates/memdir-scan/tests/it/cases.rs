//! Faults that users of such systems reported, on a real directory.
#![expect(clippy::disallowed_methods, reason = "tests lay out files")]

use std::{collections::BTreeMap, fs, path::Path, time::SystemTime};

use memdir_core::{age::Age, age::parse_date};
use memdir_scan::{Options, Scan, scan};
use memdir_store::{LocalDir, Revision};

use crate::shelf::{paths, problems};

fn scan_dir(root: &Path, now: SystemTime) -> Scan {
    scan(&LocalDir::open(root, memdir_store::Options::default()).unwrap(), &Options::new(now))
        .unwrap()
}

fn now() -> SystemTime {
    parse_date("2026-03-31").unwrap()
}

#[cfg(unix)]
#[test]
fn scan_01_one_bad_neighbour_does_not_hide_the_others() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    let good = "---\nname: g1\ndescription: d\ntype: user\n---\nB\n";
    fs::create_dir(root.join("dir.md")).unwrap();
    for name in ["good1.md", "good2.md", "noread.md"] {
        fs::write(root.join(name), good).unwrap();
    }
    fs::write(root.join("latin1.md"), b"---\nname: caf\xe9\ndescription: d\ntype: user\n---\n")
        .unwrap();
    fs::write(root.join("empty.md"), "").unwrap();
    fs::write(root.join("nul.md"), "\0\0\0").unwrap();
    fs::set_permissions(root.join("noread.md"), fs::Permissions::from_mode(0o000)).unwrap();
    mknodat(CWD, root.join("pipe.md"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    symlink("nowhere", root.join("gone.md")).unwrap();

    let scan = scan_dir(root, SystemTime::now());
    let mut found = paths(&scan);
    found.sort_unstable();
    let mut said = problems(&scan);
    said.sort_unstable();
    let mut listed = vec!["empty.md", "good1.md", "good2.md", "latin1.md"];
    let mut expect = vec![
        "`gone.md`: a link to nothing",
        "`latin1.md`: line 2: not UTF-8; unreadable bytes are shown as `\u{fffd}`",
        "`nul.md`: name `nul.md` is reserved by Windows",
        "`pipe.md`: a named pipe, not a file",
    ];
    if fs::read(root.join("noread.md")).is_ok() {
        println!("skipped: needs a plain user: root reads what nobody may read");
        listed.push("noread.md");
    } else {
        expect.push("no permission to read `noread.md`");
    }
    assert_eq!((found, said), (listed, expect.iter().map(ToString::to_string).collect()));
}

#[test]
fn scan_04_age_does_not_come_from_a_bulk_touched_clock_and_reading_is_not_writing() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/scan-04");
    let temp = tempfile::tempdir().unwrap();
    for file in fs::read_dir(case.join("memory")).unwrap() {
        let file = file.unwrap();
        let copy = temp.path().join(file.file_name());
        fs::write(&copy, fs::read(file.path()).unwrap()).unwrap();
        fs::File::options().write(true).open(copy).unwrap().set_modified(now()).unwrap();
    }
    let before = state(temp.path());
    let scan = scan_dir(temp.path(), now());
    assert_eq!(state(temp.path()), before, "reading is not writing");

    let expect: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(case.join("expect.json")).unwrap()).unwrap();
    for header in &scan.headers {
        if let Some(days) = expect.get(header.path.as_str()) {
            let age = header.caveat_age(now()).map(Age::days);
            assert_eq!(age, days.as_u64(), "{}", header.path);
        }
    }
    let unknown: Vec<_> = scan
        .headers
        .iter()
        .filter(|header| !header.age_known)
        .map(|header| header.path.as_str())
        .collect();
    assert_eq!(unknown, ["bad.md", "none.md"]);
    let mut said = problems(&scan);
    said.sort_unstable();
    assert_eq!(
        said,
        [
            "`bad.md`: line 5: `created` is no date: `soon`",
            "`future.md`: its date lies in the future; it counts as today",
        ]
    );
}

/// Modification time and content of every file.
fn state(root: &Path) -> BTreeMap<String, (SystemTime, Revision)> {
    let file = |entry: fs::DirEntry| {
        let modified = entry.metadata().unwrap().modified().unwrap();
        let revision = Revision::of(&fs::read(entry.path()).unwrap());
        (entry.file_name().into_string().unwrap(), (modified, revision))
    };
    fs::read_dir(root).unwrap().map(|entry| file(entry.unwrap())).collect()
}

#[test]
fn a_sparse_file_of_a_tebibyte_costs_one_page() {
    let temp = tempfile::tempdir().unwrap();
    fs::File::create(temp.path().join("x.md")).unwrap().set_len(1 << 40).unwrap();
    let scan = scan_dir(temp.path(), SystemTime::now());
    assert_eq!(paths(&scan), ["x.md"]);
    assert!(problems(&scan)[0].starts_with("`x.md`: too large: 1099511627776 bytes"));
}

#[test]
fn files_that_vanish_and_come_back_meanwhile_are_no_error() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path();
    let name = |file: u8| root.join(format!("{file}.md"));
    for file in 0..40 {
        fs::write(name(file), "---\nname: n\n---\n").unwrap();
    }
    let churn = || {
        for file in 20..40 {
            fs::remove_file(name(file)).unwrap();
            fs::write(name(file), "---\nname: n\n---\n").unwrap();
        }
        for _ in 0..5 {
            fs::create_dir(root.join("sub")).unwrap();
            fs::remove_dir(root.join("sub")).unwrap();
            fs::write(root.join("sub"), "").unwrap();
            fs::remove_file(root.join("sub")).unwrap();
        }
    };
    std::thread::scope(|scope| {
        let churning = scope.spawn(|| (0..100).for_each(|_| churn()));
        while !churning.is_finished() {
            let scan = scan_dir(root, SystemTime::now());
            let stays = |path: &&str| path.trim_end_matches(".md").parse::<u8>().unwrap() < 20;
            assert_eq!(paths(&scan).into_iter().filter(stays).count(), 20);
            assert_eq!(problems(&scan), [""; 0]);
        }
    });
}
