//! The cases.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use memdir_rules::{Session, Setup};
use memdir_store::files::{InMemoryFiles, LocalFiles};
use serde_json::Value;

use crate::{check, files, setup, shown, steps};

fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name)
}

fn expected(name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(case(name).join("expect.json")).unwrap()).unwrap()
}

/// A project whose rules are those of a case.
fn with_rules(name: &str) -> InMemoryFiles {
    let rules = fs::read_dir(case(name).join("rules")).unwrap();
    rules.map(|entry| entry.unwrap().path()).fold(InMemoryFiles::new(), |files, path| {
        let rule = Path::new("/w/p/.claude/rules").join(path.file_name().unwrap());
        files.file(rule, fs::read(&path).unwrap())
    })
}

fn names<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<String> {
    paths.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn rules_01_every_pattern_of_a_list_counts() {
    let expect = expected("rules-01");
    for (rule, touched) in expect.as_object().unwrap() {
        for (file, applies) in touched.as_object().unwrap() {
            let mut session = Session::new(with_rules("rules-01"), setup());
            let mut loaded = session.start().fragments;
            if file != "(nothing touched)" {
                loaded.extend(session.touch(&[file]).fragments);
            }
            let found = names(loaded.iter().map(|it| it.path.as_path())).contains(rule);
            assert_eq!(Some(found), applies.as_bool(), "{rule} {file}");
        }
    }
}

#[test]
fn rules_02_every_form_of_paths_is_read_as_meant() {
    let mut session = Session::new(with_rules("rules-02"), setup());
    let start = session.start();
    let mut found: BTreeMap<_, _> = session
        .waiting()
        .map(|rule| (names([rule.path].into_iter()).remove(0), Value::from(rule.patterns.to_vec())))
        .collect();
    found.extend(
        names(start.fragments.iter().map(|it| &*it.path)).into_iter().map(|it| (it, Value::Null)),
    );
    assert_eq!(serde_json::to_value(found).unwrap(), expected("rules-02"));
    assert_eq!(
        start.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "/w/p/.claude/rules/f02-list-unquoted-star.md:2: `paths` should be quoted; YAML readers refuse or change it",
            "/w/p/.claude/rules/f03-string-unquoted.md:2: `paths` should be quoted; YAML readers refuse or change it",
            "/w/p/.claude/rules/f05-brace-first.md:2: `paths` should be quoted; YAML readers refuse or change it",
            "/w/p/.claude/rules/f10-other-keys.md:4: `description` should be quoted; YAML readers refuse or change it",
        ]
    );
}

#[test]
fn rules_05_rules_of_the_user_are_for_paths_of_the_project() {
    let all = [
        ("/w/home/.claude/rules/lang/any.md", "---\npaths:\n  - \"**/*.go\"\n---\nUSER-GO-ANY\n"),
        (
            "/w/home/.claude/rules/lang/src.md",
            "---\npaths:\n  - \"src/**/*.go\"\n---\nUSER-GO-SRC\n",
        ),
        ("/w/proj/.claude/rules/go.md", "---\npaths:\n  - \"src/**/*.go\"\n---\nPROJ-GO\n"),
    ];
    let applies = |cwd: &str, file: &str| {
        let mut setup = Setup::new("/w/proj", cwd);
        setup.user = Some("/w/home/.claude".into());
        let mut session = Session::new(files(&all), setup);
        assert_eq!(shown(&session.start()), [""; 0]);
        session.touch(&[file]).fragments.into_iter().map(|it| it.text).collect::<Vec<_>>()
    };
    let expect = ["USER-GO-ANY", "USER-GO-SRC", "PROJ-GO"];
    assert_eq!(applies("/w/proj", "/w/proj/src/m.go"), expect);
    assert_eq!(applies("/w/proj", "./src/m.go"), expect);
    assert_eq!(applies("/w/proj", "src/../src/m.go"), expect);
    assert_eq!(applies("/w/proj", "/w/other/src/m.go"), [""; 0]);
    assert_eq!(applies("/w/proj/src", "m.go"), expect);
}

#[test]
fn rules_06_a_rule_is_for_a_file_that_does_not_exist_yet() {
    let mut session = Session::new(with_rules("rules-06"), setup());
    session.start();
    let loaded = session.touch(&["src/hooks/new.ts"]).fragments;
    assert_eq!(names(loaded.iter().map(|it| &*it.path)), ["perf.md"]);
}

#[cfg(unix)]
#[test]
fn rules_09_linked_folders_of_rules_load_once_and_cannot_loop() {
    use std::os::unix::fs::symlink;

    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().canonicalize().unwrap();
    for folder in ["shared", "proj/.claude/rules", "proj/sub/.claude", "outside"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    fs::write(root.join("shared/team.md"), "TEAM\n").unwrap();
    fs::write(root.join("outside/ext.md"), "EXT\n").unwrap();
    fs::write(root.join("proj/.claude/rules/local.md"), "LOCAL\n").unwrap();
    symlink(root.join("shared"), root.join("proj/.claude/rules/team")).unwrap();
    symlink("../rules", root.join("proj/.claude/rules/loop")).unwrap();
    symlink("../../.claude/rules", root.join("proj/sub/.claude/rules")).unwrap();
    symlink(root.join("outside"), root.join("proj/.claude/rules/ext")).unwrap();
    let loaded = |external| {
        let mut setup = Setup::new(root.join("proj"), root.join("proj"));
        setup.added = vec![root.join("shared")];
        setup.external = external;
        let all = steps(LocalFiles::new(), setup, &["sub/x.txt"]);
        let text = |line: String| line.replace(root.to_str().unwrap(), "$W");
        all.into_iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(
        loaded(memdir_rules::External::Refused),
        [
            "$W/proj/.claude/rules/local.md project start LOCAL",
            "$W/shared/team.md project start TEAM",
            "$W/proj/.claude/rules/ext: skipped: outside project, at $W/outside",
            "+ sub/x.txt",
            "$W/proj/.claude/rules/ext: skipped: outside project, at $W/outside",
        ]
    );
    assert_eq!(
        loaded(memdir_rules::External::Approved),
        [
            "$W/outside/ext.md project start EXT",
            "$W/proj/.claude/rules/local.md project start LOCAL",
            "$W/shared/team.md project start TEAM",
            "+ sub/x.txt",
        ]
    );
}

#[test]
fn rules_10_an_import_survives_the_punctuation_behind_it() {
    let read = |name: &str| fs::read_to_string(case("rules-10/project").join(name)).unwrap();
    let lines = read("CLAUDE.md");
    let found: Vec<_> = lines
        .lines()
        .map(|line| {
            let all = [
                ("/w/p/CLAUDE.md", line),
                ("/w/p/part.md", &read("part.md")),
                ("/w/p/notes.txt", &read("notes.txt")),
            ];
            let loaded = Session::new(files(&all), setup()).start();
            assert_eq!(loaded.notes, [], "{line}");
            names(loaded.fragments[1..].iter().map(|it| &*it.path)).join(" ")
        })
        .collect();
    assert_eq!(Value::from(found), expected("rules-10"));
    // Unless a file has just that name.
    check(
        &[("/w/p/CLAUDE.md", "See @part.md:"), ("/w/p/part.md", "no"), ("/w/p/part.md:", "yes")],
        &[],
        &["/w/p/CLAUDE.md project start See @part.md:", "/w/p/part.md: project import yes"],
    );
}

#[test]
fn rules_12_imports_of_an_ancestor_expand_and_cycles_and_depth_end() {
    let hops: Vec<_> = (1..=6)
        .map(|hop| (format!("/w/demo/h{hop}.md"), format!("HOP{hop}\n@h{}.md\n", hop + 1)))
        .collect();
    let mut all = vec![
        ("/w/demo/CLAUDE.md", "@RULES.md\n@a.md\n@h1.md\n"),
        ("/w/demo/RULES.md", "CANARY-RULES\n"),
        ("/w/demo/.claude/CLAUDE.md", "@inner.md\n"),
        ("/w/demo/.claude/inner.md", "CANARY-INNER\n"),
        ("/w/demo/a.md", "AAA\n@b.md\n"),
        ("/w/demo/b.md", "BBB\n@a.md\n"),
        ("/w/demo/sub/x", ""),
    ];
    all.extend(hops.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    assert_eq!(
        steps(files(&all), Setup::new("/w/demo", "/w/demo/sub"), &[]),
        [
            "/w/demo/CLAUDE.md project start @RULES.md|@a.md|@h1.md",
            "/w/demo/RULES.md project import CANARY-RULES",
            "/w/demo/a.md project import AAA|@b.md",
            "/w/demo/b.md project import BBB|@a.md",
            "/w/demo/h1.md project import HOP1|@h2.md",
            "/w/demo/h2.md project import HOP2|@h3.md",
            "/w/demo/h3.md project import HOP3|@h4.md",
            "/w/demo/h4.md project import HOP4|@h5.md",
            "/w/demo/.claude/CLAUDE.md project start @inner.md",
            "/w/demo/.claude/inner.md project import CANARY-INNER",
            "/w/demo/b.md:2: `@a.md` names a file that imports this one",
            "/w/demo/h4.md:2: `@h5.md` is not loaded: only 4 imports follow one another",
        ]
    );
}

#[test]
fn rules_14_rules_of_the_home_folder_are_loaded_once() {
    let all = [
        ("/w/home/.claude/rules/u.md", "UR\n"),
        ("/w/home/.claude/CLAUDE.md", "U\n"),
        ("/w/home/dev/p/CLAUDE.md", "P\n"),
        ("/w/home/dev/p/CLAUDE.local.md", "L\n"),
        ("/w/home/dev/CLAUDE.md", "D\n"),
    ];
    let mut setup = Setup::new("/w/home/dev/p", "/w/home/dev/p");
    setup.user = Some("/w/home/.claude".into());
    assert_eq!(
        steps(files(&all), setup, &[]),
        [
            "/w/home/.claude/CLAUDE.md user start U",
            "/w/home/.claude/rules/u.md user start UR",
            "/w/home/dev/CLAUDE.md project start D",
            "/w/home/dev/p/CLAUDE.md project start P",
            "/w/home/dev/p/CLAUDE.local.md local start L",
        ]
    );
}
