//! Looking at files by absolute paths, on disk and in memory.
#![expect(clippy::disallowed_methods, reason = "tests lay out files")]

use std::fs;
use std::path::Path;

use memdir_store::FileKind;
use memdir_store::files::{Error, Files, InMemoryFiles, LocalFiles};

/// Where a path leads, in words, and the first bytes of what is there.
fn show(files: &dyn Files, path: &Path) -> String {
    match files.look(path) {
        Ok(None) => "nothing".to_owned(),
        Ok(Some(found)) => match files.read(&found, 3) {
            Ok(bytes) => format!("{} {}", found.path.display(), String::from_utf8_lossy(&bytes)),
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_alike_on_disk_and_in_memory() {
    use std::os::unix::fs::symlink;

    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().canonicalize().unwrap();
    let at = |path: &str| root.join(path);
    fs::create_dir_all(at("a/b")).unwrap();
    fs::write(at("a/b/f"), "text").unwrap();
    fs::hard_link(at("a/b/f"), at("a/hard")).unwrap();
    let links = [("l", "a/b"), ("a/up", "../a/b/f"), ("loop", "loop"), ("gone", "nowhere")];
    let mut memory =
        InMemoryFiles::new().file(at("a/b/f"), "text").hard_link(at("a/hard"), &at("a/b/f"));
    for (link, target) in links {
        symlink(target, at(link)).unwrap();
        memory = memory.link(at(link), target);
    }
    symlink(at("a"), at("abs")).unwrap();
    memory = memory.link(at("abs"), at("a"));
    for path in [
        "a/b/f",
        "l/f",
        "a/up",
        "abs/b/f",
        "abs/../l/f",
        "a/hard",
        "loop",
        "gone",
        "a/b/f/x",
        "a",
        ".",
    ] {
        assert_eq!(show(&memory, &at(path)), show(&LocalFiles::new(), &at(path)), "{path}");
    }
    assert_eq!(show(&memory, &at("abs/up")), format!("{}/a/b/f tex", root.display()));
    for files in [&memory as &dyn Files, &LocalFiles::new()] {
        let identity = |path: &str| files.look(&at(path)).unwrap().unwrap().identity;
        assert_eq!(identity("a/hard"), identity("l/f"));
        assert_ne!(identity("a"), identity("a/b"));
        let folder = files.look(&root).unwrap().unwrap();
        let mut names = files.list(&folder, 9).unwrap();
        names.sort_by(|a, b| a.name.cmp(&b.name));
        let names: Vec<_> =
            names.iter().map(|name| (name.name.to_str().unwrap(), name.kind)).collect();
        let link = FileKind::Link;
        assert_eq!(
            names,
            [("a", FileKind::Folder), ("abs", link), ("gone", link), ("l", link), ("loop", link)]
        );
        assert_eq!(files.list(&folder, 2).unwrap().len(), 2);
    }
}

#[cfg(unix)]
#[test]
fn what_took_the_place_of_a_file_is_not_read() {
    use std::os::unix::fs::symlink;

    let check = |swap: &dyn Fn(&Path, &Path)| {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let (inner, outer) = (root.join("in"), root.join("out"));
        for (folder, text) in [(&inner, "text"), (&outer, "secret")] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("f"), text).unwrap();
        }
        let files = LocalFiles::new();
        let found = files.look(&inner.join("f")).unwrap().unwrap();
        assert_eq!(files.read(&found, 9).unwrap(), b"text");
        swap(&inner, &outer);
        assert!(matches!(files.read(&found, 9), Err(Error::Changed { .. })));
    };
    check(&|inner, _| {
        fs::remove_dir_all(inner).unwrap();
        symlink("out", inner).unwrap();
    });
    check(&|inner, _| {
        fs::remove_file(inner.join("f")).unwrap();
        symlink("../out/f", inner.join("f")).unwrap();
    });
    check(&|inner, outer| fs::rename(outer.join("f"), inner.join("f")).unwrap());
}

#[test]
fn what_is_no_file_is_told_and_not_opened() {
    let files = InMemoryFiles::new().special("/p", FileKind::Fifo);
    assert_eq!(show(&files, Path::new("/p")), "`/p` is a named pipe, not a file");
}
