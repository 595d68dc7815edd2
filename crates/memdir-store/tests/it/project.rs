//! The confined look at a project.
#![cfg(test)]
#![cfg(feature = "fs")]
#![expect(clippy::disallowed_methods, reason = "tests arrange what is on disk")]

use std::{fs, path::PathBuf};

use memdir_store::{
    FileKind,
    project::{
        Error, Folder, Found, InMemoryProject, Limits, LocalProject, Needle, ProjectFiles,
        ProjectPath, ProjectPathFault,
    },
};
use proptest::prelude::*;

fn path(text: &str) -> ProjectPath {
    ProjectPath::parse(text).unwrap()
}

/// The same files on disk and in memory.
struct Both {
    _temp: tempfile::TempDir,
    root: PathBuf,
    local: LocalProject,
    memory: InMemoryProject,
}

impl Both {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("project");
        fs::create_dir(&root).unwrap();
        let mut memory = InMemoryProject::new();
        for (name, bytes) in files {
            let file = root.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
            memory = memory.file(&path(name), *bytes);
        }
        let local = LocalProject::open(&root).unwrap();
        Self { _temp: temp, root, local, memory }
    }

    fn each(&self, check: impl Fn(&dyn ProjectFiles)) {
        check(&self.local);
        check(&self.memory);
    }
}

#[test]
fn what_is_there_is_told_from_what_is_not() {
    let both = Both::new(&[("src/auth/token.rs", b"fn a() {}"), (".github/ci.yml", b"")]);
    both.each(|project| {
        let kind = |text: &str| project.kind(&path(text)).unwrap();
        assert_eq!(kind("src/auth/token.rs"), Some(FileKind::File));
        assert_eq!(kind("./src//auth/token.rs"), Some(FileKind::File));
        assert_eq!(kind("src/auth/"), Some(FileKind::Folder));
        assert_eq!(kind(".github/ci.yml"), Some(FileKind::File));
        assert_eq!(kind("src/auth/gone.rs"), None);
        assert_eq!(kind("src/auth/token.rs/below"), None);
        assert_eq!(kind("src/aut"), None);
    });
}

#[test]
fn a_folder_is_listed_by_name_to_a_limit() {
    let both = Both::new(&[("src/b.rs", b""), ("src/a/deep.rs", b""), (".hidden", b"")]);
    both.each(|project| {
        let list = |folder: &Folder, max| {
            let listing = project.list(folder, max).unwrap()?;
            let names: Vec<_> = listing.names.into_iter().map(|it| (it.name, it.kind)).collect();
            Some((names, listing.complete))
        };
        let file = |name: &str| (name.to_owned(), FileKind::File);
        let folder = |name: &str| (name.to_owned(), FileKind::Folder);
        let within = |text: &str| Folder::Within(path(text));
        assert_eq!(list(&Folder::Root, 2), Some((vec![file(".hidden"), folder("src")], true)));
        assert_eq!(list(&within("src"), 2), Some((vec![folder("a"), file("b.rs")], true)));
        let (some, complete) = list(&within("src"), 1).unwrap();
        assert_eq!((some.len(), complete), (1, false));
        assert_eq!(list(&within("src/b.rs"), 2), None);
        assert_eq!(list(&within("gone"), 2), None);
    });
}

#[cfg(unix)]
#[test]
fn a_folder_behind_a_link_out_is_not_listed() {
    let both = Both::new(&[]);
    std::os::unix::fs::symlink("..", both.root.join("out")).unwrap();
    let error = both.local.list(&Folder::Within(path("out")), 9).unwrap_err();
    assert!(matches!(error, Error::LeadsOut { .. }), "{error:?}");
}

#[test]
fn a_head_has_at_most_the_bytes_asked_for() {
    let both = Both::new(&[("a.txt", b"0123456789"), ("folder/b", b"")]);
    both.each(|project| {
        let head = |text: &str, max| project.read_head(&path(text), max).unwrap();
        assert_eq!(head("a.txt", 4), Some(b"0123".to_vec()));
        assert_eq!(head("a.txt", 0), Some(vec![]));
        assert_eq!(head("a.txt", u64::MAX), Some(b"0123456789".to_vec()));
        assert_eq!(head("gone", 4), None);
        let error = project.read_head(&path("folder"), 4).unwrap_err();
        assert!(matches!(error, Error::NotAFile { kind: FileKind::Folder, .. }), "{error:?}");
    });
}

#[test]
fn a_text_that_is_no_path_within_the_project_is_refused() {
    use ProjectPathFault::{Character, Climbs, Empty, NotRelative, TooLong};
    let long = "x".repeat(256);
    let deep = "a/".repeat(600);
    for (text, fault) in [
        ("", Empty),
        (".", Empty),
        ("./", Empty),
        ("..", Climbs),
        ("../x", Climbs),
        ("a/../../x", Climbs),
        ("a/..", Climbs),
        ("./..", Climbs),
        ("....//x", Climbs),
        ("a/.. /x", Climbs),
        ("a./x", Climbs),
        ("/etc/passwd", NotRelative),
        ("//etc/passwd", NotRelative),
        ("~/x", NotRelative),
        ("~root/x", NotRelative),
        (r"..\secret", Character),
        (r"a\b", Character),
        (r"\\srv\s", Character),
        ("C:x", Character),
        ("file:///etc/passwd", Character),
        ("a.md:stream", Character),
        ("a\0b", Character),
        ("a\nb", Character),
        ("a\u{85}b", Character),
        (long.as_str(), TooLong),
        (deep.as_str(), TooLong),
    ] {
        assert_eq!(ProjectPath::parse(text), Err(fault), "{text:?}");
    }
    for (text, expect) in
        [("./a//b/", "a/b"), (".env", ".env"), ("$HOME/x", "$HOME/x"), ("%2e%2e/x", "%2e%2e/x")]
    {
        assert_eq!(path(text).as_str(), expect);
    }
}

proptest! {
    #[test]
    fn what_parses_stays_within_and_parses_to_itself(text in r"[./\\~:a-z \x00記-]{0,30}") {
        if let Ok(path) = ProjectPath::parse(&text) {
            let joined = std::path::Path::new("/root").join(path.as_str());
            prop_assert!(joined.components().all(|part| part != std::path::Component::ParentDir));
            prop_assert!(joined.starts_with("/root"));
            prop_assert_eq!(ProjectPath::parse(path.as_str()), Ok(path));
        }
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_within_the_project_and_never_out_of_it() {
    use std::os::unix::fs::symlink;
    let both = Both::new(&[("src/a.rs", b"inside")]);
    let (project, root) = (&both.local, &both.root);
    let outside = root.with_file_name("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "needle").unwrap();
    symlink("src/a.rs", root.join("within")).unwrap();
    symlink("src", root.join("folder")).unwrap();
    symlink("nothing", root.join("dangling")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    symlink("../outside/secret", root.join("out")).unwrap();
    symlink(outside.join("secret"), root.join("absolute")).unwrap();
    symlink("../outside", root.join("out-folder")).unwrap();
    symlink("out-folder", root.join("chain")).unwrap();

    assert_eq!(project.read_head(&path("within"), 99).unwrap(), Some(b"inside".to_vec()));
    assert_eq!(project.kind(&path("folder/a.rs")).unwrap(), Some(FileKind::File));
    assert_eq!(project.kind(&path("dangling")).unwrap(), None);
    assert_eq!(project.kind(&path("loop")).unwrap(), None);
    assert_eq!(project.read_head(&path("loop"), 9).unwrap(), None);
    for out in
        ["out", "absolute", "out-folder", "out-folder/secret", "chain/secret", "out-folder/x"]
    {
        for error in
            [project.kind(&path(out)).unwrap_err(), project.read_head(&path(out), 9).unwrap_err()]
        {
            assert!(matches!(&error, Error::LeadsOut { path } if path == out), "{error:?}");
        }
    }
    let found = project.search(&Needle::text("needle").unwrap(), &Limits::default()).unwrap();
    assert_eq!((found.hits.len(), found.files, found.complete), (0, 1, true));

    let memory = InMemoryProject::new().link_out(&path("out-folder"));
    let error = memory.kind(&path("out-folder/secret")).unwrap_err();
    assert!(matches!(error, Error::LeadsOut { .. }), "{error:?}");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_opened() {
    let both = Both::new(&[("src/a.rs", b"needle")]);
    let pipe = both.root.join("pipe.rs");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(both.root.join("socket.rs")).unwrap();
    for (name, kind) in [("pipe.rs", FileKind::Fifo), ("socket.rs", FileKind::Socket)] {
        assert_eq!(both.local.kind(&path(name)).unwrap(), Some(kind));
        let error = both.local.read_head(&path(name), 9).unwrap_err();
        assert!(matches!(&error, Error::NotAFile { kind: found, .. } if *found == kind));
    }
    let found = both.local.search(&Needle::text("needle").unwrap(), &Limits::default()).unwrap();
    assert_eq!((found.hits.len(), found.files), (1, 1));
}

fn search(project: &dyn ProjectFiles, needle: &Needle, limits: &Limits) -> (Vec<String>, Found) {
    let found = project.search(needle, limits).unwrap();
    let hits = found.hits.iter().map(|hit| format!("{}:{}", hit.path, hit.line)).collect();
    (hits, found)
}

fn all() -> Limits {
    let mut limits = Limits::default();
    limits.max_hits = usize::MAX;
    limits
}

#[test]
fn a_search_names_the_first_line_of_each_file_nearest_first() {
    let both = Both::new(&[
        ("z.rs", b"\n\nneedle\nneedle"),
        ("src/b.rs", b"the needle"),
        ("src/a.rs", b"hay"),
        ("src/deep/c.bin", b"\xff\0needle\xff"),
        ("a/last.rs", b"needle"),
    ]);
    both.each(|project| {
        let (hits, found) = search(project, &Needle::text("needle").unwrap(), &all());
        assert_eq!(hits, ["z.rs:3", "a/last.rs:1", "src/b.rs:1", "src/deep/c.bin:1"]);
        assert_eq!((found.complete, found.files, found.bytes), (true, 5, 15 + 10 + 3 + 9 + 6));
    });
}

#[test]
fn a_word_is_not_found_within_another() {
    let check = |text: &str, needle: &str, expect: Option<u64>| {
        let project = InMemoryProject::new().file(&path("f"), text);
        let (_, found) = search(&project, &Needle::word(needle).unwrap(), &all());
        assert_eq!(found.hits.first().map(|hit| hit.line), expect, "{needle:?} in {text:?}");
    };
    check("token", "token", Some(1));
    check("tokens\nmy_token\ntoken2", "token", None);
    check("tokens\n(token)", "token", Some(2));
    check("令牌token令牌", "token", Some(1));
    check("xa-a-a", "a-a", Some(1));
    check("aaa aa", "aa", Some(1));
    check("", "a", None);
    assert_eq!(Needle::word(""), None);
    assert_eq!(Needle::text(""), None);
}

#[test]
fn a_megabyte_of_one_letter_is_read_in_one_pass() {
    let project = InMemoryProject::new().file(&path("f"), "a".repeat(1 << 20));
    let (hits, found) = search(&project, &Needle::word("a".repeat(100_000)).unwrap(), &all());
    assert_eq!((hits.len(), found.files), (0, 1));
}

proptest! {
    #[test]
    fn a_word_is_found_wherever_nothing_of_a_word_adjoins(text in "[ab.]{0,24}", needle in "[ab.]{1,4}") {
        let fits = (0..=text.len()).any(|at| {
            let (before, at_needle) = text.split_at(at);
            let after = at_needle.strip_prefix(&needle);
            after.is_some_and(|after| !before.ends_with(['a', 'b']) && !after.starts_with(['a', 'b']))
        });
        let project = InMemoryProject::new().file(&path("f"), text);
        let (hits, _) = search(&project, &Needle::word(needle).unwrap(), &all());
        prop_assert_eq!(hits.len(), usize::from(fits));
    }
}

#[test]
fn hidden_built_and_excluded_folders_are_not_entered() {
    let both = Both::new(&[
        (".git/config", b"needle"),
        (".env", b"needle"),
        ("web/node_modules/x.js", b"needle"),
        ("target/x", b"needle"),
        ("docs/memory/a.md", b"needle"),
        ("docs/memory2/a.md", b"needle"),
    ]);
    both.each(|project| {
        let mut limits = all();
        limits.exclude.push(path("docs/memory"));
        let (hits, _) = search(project, &Needle::text("needle").unwrap(), &limits);
        assert_eq!(hits, [".env:1", "docs/memory2/a.md:1"]);
    });
}

#[test]
fn every_limit_ends_a_search_and_says_so() {
    let files: Vec<_> = (0..20).map(|n| format!("src/{n:02}.rs")).collect();
    let both = Both::new(
        &files.iter().map(|f| (f.as_str(), b"hay hay hay".as_slice())).collect::<Vec<_>>(),
    );
    let check = |limit: &dyn Fn(&mut Limits), expect: (bool, u64, u64)| {
        let mut limits = all();
        limit(&mut limits);
        both.each(|project| {
            let (_, found) = search(project, &Needle::text("needle").unwrap(), &limits);
            assert_eq!((found.complete, found.files, found.bytes), expect, "{limits:?}");
        });
    };
    check(&|_| {}, (true, 20, 220));
    check(&|limits| limits.max_names = 21, (true, 20, 220));
    check(&|limits| limits.max_names = 20, (false, 19, 209));
    check(&|limits| limits.max_names = 0, (false, 0, 0));
    check(&|limits| limits.max_depth = 0, (false, 0, 0));
    check(&|limits| limits.max_bytes = 25, (false, 3, 25));
    check(&|limits| limits.max_bytes = 0, (false, 0, 0));
    check(&|limits| limits.max_file_bytes = 5, (true, 20, 100));

    let mut limits = Limits::default();
    limits.max_hits = 2;
    both.each(|project| {
        let (hits, found) = search(project, &Needle::text("hay").unwrap(), &limits);
        assert_eq!(hits, ["src/00.rs:1", "src/01.rs:1"]);
        assert!(!found.complete);
    });
}

#[test]
fn a_huge_file_is_looked_into_no_further_than_the_limit() {
    let both = Both::new(&[("a.log", b"needle early")]);
    fs::OpenOptions::new()
        .write(true)
        .open(both.root.join("a.log"))
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let (hits, found) = search(&both.local, &Needle::text("needle").unwrap(), &all());
    assert_eq!((hits, found.cut), (vec!["a.log:1".to_owned()], 1));
    assert_eq!(found.bytes, Limits::default().max_file_bytes);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_cannot_be_told_are_counted_and_hits_are_fit_to_print() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let both = Both::new(&[]);
    fs::write(both.root.join(OsStr::from_bytes(b"\xff.rs")), "needle").unwrap();
    fs::write(both.root.join("a\u{1b}[2J.rs"), "needle").unwrap();
    let (hits, found) = search(&both.local, &Needle::text("needle").unwrap(), &all());
    assert_eq!((hits, found.unreadable), (vec!["a\\u{1b}[2J.rs:1".to_owned()], 1));
}

#[cfg(feature = "testing")]
#[test]
fn a_recording_shows_what_was_asked() {
    use memdir_store::project::{Call, Recording};
    let project = Recording::new(InMemoryProject::new().file(&path("a"), "x"));
    project.kind(&path("a")).unwrap();
    project.read_head(&path("gone"), 7).unwrap();
    let needle = Needle::word("x").unwrap();
    project.search(&needle, &Limits::default()).unwrap();
    let calls = [Call::Kind(path("a")), Call::ReadHead(path("gone"), 7), Call::Search(needle)];
    assert_eq!(project.calls(), calls);
}

#[test]
fn a_project_that_is_not_there_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    let error = LocalProject::open(&place.path().join("gone")).unwrap_err();
    assert!(matches!(error, Error::Io { op: "open", .. }), "{error:?}");
}
